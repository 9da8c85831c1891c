package host_test

import (
	"testing"

	"skald/runtime/cpu"
	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// doubled returns twice its argument, which a kernel leaves in a mapped block.
const doubled = `entry "main" main "" {
  param "n" "i64" -1 (0: i64)
  result "" "i64" -1 (0: i64)
}
kernel double(n_1: idx, write @xs_0: i64) group 1 {
  @xs_0[0:idx] = conv.idx.i64(mul.idx(n_1, 2:idx))
}
fun main(n_1: i64) -> (s_3) {
  alloc xs_2: i64[1:i64] mapped
  launch double<1:i64>(conv.i64.idx(n_1)) blocks(xs_2) fits(n_1)
  read s_3: i64 = xs_2[0:i64]
  free xs_2
}
`

// mapping is a processor that counts the buffers that are asked of it as memory of the host, which it has if it is told so.
type mapping struct {
	*cpu.Device
	has   bool
	asked int
}

func (m *mapping) AllocMapped(size int64) (device.Buffer, error) {
	m.asked++
	if !m.has {
		return nil, nil
	}
	return m.Alloc(size)
}

// Mapped blocks are in memory of the host where the device has such, and elsewhere blocks like others.
func TestMappedBlocksAreInMemoryOfTheHost(t *testing.T) {
	for _, has := range []bool{true, false} {
		dev := &mapping{Device: cpu.Open(cpu.Options{}), has: has}
		p := load(t, dev, doubled)
		for range 2 {
			got, err := p.Call("main", []value.Value{value.Scalar(prim.MakeI64(21))})
			if err != nil {
				t.Fatal(err)
			}
			if got[0].String() != "42i64" {
				t.Errorf("%s, wanted 42", got[0])
			}
		}
		if dev.asked != 2 {
			t.Errorf("two calls asked for %d blocks", dev.asked)
		}
		if n := dev.Stats().InUse; n > 256 { // The buffer in which kernels note failures.
			t.Errorf("%d bytes are still in use", n)
		}
	}
}
