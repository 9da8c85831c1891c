package host_test

import (
	"encoding/binary"
	"testing"

	"skald/middle/imp"
	"skald/runtime/cpu"
	"skald/runtime/device"
	"skald/runtime/host"
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

// downloads is a device that counts what is read of it, and computes what riskless does.
type downloads struct {
	*device.Recorder
	regions int
}

func (d *downloads) Download(regions ...device.Region) error {
	d.regions += len(regions)
	return d.Recorder.Download(regions...)
}

func compute(l *device.Launch, memory [][]byte) error {
	n := binary.LittleEndian.Uint32(l.Params)
	if len(memory) > 1 && n >= 100 {
		binary.LittleEndian.PutUint32(memory[1], 1) // the site, from 1
		return nil
	}
	binary.LittleEndian.PutUint64(memory[0], uint64(n))
	return nil
}

// riskless returns a number by a kernel that cannot fail, in a program that has one that can.
const riskless = `site "a.fut:1:1" "too large" ()
entry "main" main "" {
  param "n" "i64" -1 (0: i64)
  result "" "i64" -1 (0: i64)
}
kernel safe(n_1: idx, write @xs_0: i64) group 1 {
  @xs_0[0:idx] = conv.idx.i64(n_1)
}
kernel risky(n_1: idx, write @xs_0: i64) group 1 {
  assert lt.idx(n_1, 100:idx) site 0 ()
  @xs_0[0:idx] = conv.idx.i64(n_1)
}
fun main(n_1: i64) -> (s_3) {
  alloc xs_2: i64[1:i64]
  launch safe<1:i64>(conv.i64.idx(n_1)) blocks(xs_2) fits(n_1)
  if lt.i64(10:i64, n_1) {
    launch risky<1:i64>(conv.i64.idx(n_1)) blocks(xs_2) fits(n_1)
  }
  read s_3: i64 = xs_2[0:i64]
  free xs_2
}
`

// Whether a kernel has failed is read if one that may fail was launched, and not in the calls behind it.
func TestFailuresAreReadAfterKernelsThatMayFail(t *testing.T) {
	dev := &downloads{Recorder: device.NewRecorder(device.NullFacts())}
	dev.OnLaunch = compute
	p, err := imp.Parse(riskless)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := host.Load(p, dev, func(k *imp.Kernel) (*imp.Code, error) {
		c, err := text(k)
		c.Failure = k.HasAssert()
		return c, err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		n       int64
		regions int
		fails   bool
	}{{5, 1, false}, {50, 2, false}, {7, 1, false}, {500, 2, true}, {8, 1, false}} {
		dev.regions = 0
		got, err := prog.Call("main", []value.Value{value.Scalar(prim.MakeI64(c.n))})
		if (err != nil) != c.fails || err == nil && got[0].Scalar() != prim.MakeI64(c.n) {
			t.Errorf("%d: %v, %v", c.n, got, err)
		}
		if dev.regions != c.regions {
			t.Errorf("%d: %d regions are read, not %d", c.n, dev.regions, c.regions)
		}
	}
}
