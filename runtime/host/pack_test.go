package host_test

import (
	"testing"

	"skald/runtime/cpu"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/value"
)

// narrow is a device that binds few buffers.
type narrow struct {
	device.Device
	facts device.Facts
}

func (n *narrow) Facts() *device.Facts { return &n.facts }

const sums = `entry "main" main "" {
  param "as" "[n]i32" -1 (1: [param 0]i32)
  param "bs" "[n]i32" -1 (2: [param 0]i32)
  param "cs" "[n]i64" -1 (3: [param 0]i64)
  result "" "[]i32" -1 (0: [param 0]i32)
  result "" "[]i32" -1 (1: [param 0]i32)
  result "" "[]i64" -1 (2: [param 0]i64)
}
kernel sums(n_1: idx, read @as_0: i32, read @bs_1: i32, read @cs_2: i64, write @xs_3: i32, write @ys_4: i32, write @zs_5: i64) group 8 {
  let i_3: idx = thread_id
  if lt.idx(i_3, n_1) {
    @xs_3[i_3] = add.i32(@as_0[i_3], @bs_1[i_3])
    @ys_4[i_3] = add.i32(@xs_3[i_3], @as_0[i_3])
    @zs_5[i_3] = add.i64(@cs_2[i_3], @cs_2[i_3])
  }
}
fun main(n_1: i64, as_2: block, bs_3: block, cs_4: block) -> (xs_5, ys_6, zs_7) {
  alloc xs_5: i32[n_1]
  alloc ys_6: i32[n_1]
  alloc zs_7: i64[n_1]
  launch sums<div.i64(add.i64(n_1, 7:i64), 8:i64)>(conv.i64.idx(n_1)) blocks(as_2, bs_3, cs_4, xs_5, ys_6, zs_7) fits(n_1)
}
`

// onNarrow loads a program on a device that binds so many buffers of so many bytes.
func onNarrow(t *testing.T, src string, bindings int, bytes int64) (*host.Program, device.Device) {
	t.Helper()
	dev := &narrow{Device: cpu.Open(cpu.Options{})}
	dev.facts = *dev.Device.Facts()
	dev.facts.MaxBindings, dev.facts.MaxBindingSize = bindings, bytes
	return load(t, dev, src), dev
}

// TestArraysShareBuffersWhereADeviceBindsFew runs a kernel with six arrays of two types on devices that bind fewer buffers.
func TestArraysShareBuffersWhereADeviceBindsFew(t *testing.T) {
	for _, most := range []int{2, 3, 4, 5, 6} {
		p, dev := onNarrow(t, sums, most, 1<<20)
		inUse := dev.Stats().InUse
		as, bs := make([]int32, 100), make([]int32, 100)
		cs := make([]int64, 100)
		for i := range as {
			as[i], bs[i], cs[i] = int32(i), int32(1000*i), int64(7*i)
		}
		got, err := p.Call("main", []value.Value{value.FromSlice(as), value.FromSlice(bs), value.FromSlice(cs)})
		if err != nil {
			t.Fatalf("%d buffers: %v", most, err)
		}
		for i := range as {
			x, y, z := got[0].At(i).Int(), got[1].At(i).Int(), got[2].At(i).Int()
			if x != int64(1001*i) || y != int64(1002*i) || z != int64(14*i) {
				t.Fatalf("%d buffers: element %d is %d, %d, %d", most, i, x, y, z)
			}
		}
		if n := p.Gathered(); n > 0 {
			t.Errorf("%d buffers: %d arrays are copied", most, n)
		}
		if n := dev.Stats().InUse; n != inUse {
			t.Errorf("%d buffers: %d bytes stay in use", most, n-inUse)
		}
		p.Close()
	}
}

// apart has a kernel with four arrays, each of which lies in an arena with one that is in its way.
const apart = `entry "main" main "" {
  param "as" "[n]i32" -1 (2: [param 0]i32)
  param "p" "[m]i32" -1 (3: [param 1]i32)
  param "bs" "[n]i32" -1 (4: [param 0]i32)
  param "q" "[m]i32" -1 (5: [param 1]i32)
  param "cs" "[n]i32" -1 (6: [param 0]i32)
  param "r" "[m]i32" -1 (7: [param 1]i32)
  result "" "[]i32" -1 (0: [param 0]i32)
  result "" "[]i32" -1 (1: [param 0]i32)
}
kernel sum(n_1: idx, write @as_0: i32, read @bs_1: i32, read @cs_2: i32, write @xs_3: i32) group 8 {
  let i_3: idx = thread_id
  if lt.idx(i_3, n_1) {
    @xs_3[i_3] = add.i32(@as_0[i_3], add.i32(@bs_1[i_3], @cs_2[i_3]))
    @as_0[i_3] = add.i32(@bs_1[i_3], 1:i32)
  }
}
fun main(n_1: i64, m_2: i64, as_3: block, p_4: block, bs_5: block, q_6: block, cs_7: block, r_8: block) -> (xs_9, ys_10) {
  alloc xs_9: i32[n_1]
  alloc ys_10: i32[n_1]
  copy i32 ys_10[0:i64] = as_3[0:i64], n_1
  launch sum<div.i64(add.i64(n_1, 7:i64), 8:i64)>(conv.i64.idx(n_1)) blocks(ys_10, bs_5, cs_7, xs_9) fits(n_1)
}
`

// Arrays that lie in more arenas than a device binds are copied together, and back if they are written; where arenas are large, nothing is.
func TestArraysInTooManyArenasAreCopiedTogether(t *testing.T) {
	const n, m = 10, 180
	as, bs, cs, pad := make([]int32, n), make([]int32, n), make([]int32, n), value.FromSlice(make([]int32, m))
	for i := range as {
		as[i], bs[i], cs[i] = int32(i), int32(100*i), int32(10000*i)
	}
	args := []value.Value{value.FromSlice(as), pad, value.FromSlice(bs), pad, value.FromSlice(cs), pad}
	for _, bytes := range []int64{1 << 20, 1 << 10} {
		p, dev := onNarrow(t, apart, 2, bytes)
		inUse := dev.Stats().InUse
		got, err := p.Call("main", args)
		if err != nil {
			t.Fatal(err)
		}
		for i := range as {
			if x, y := got[0].At(i).Int(), got[1].At(i).Int(); x != int64(10101*i) || y != int64(100*i+1) {
				t.Errorf("arenas of %d bytes: element %d is %d, %d", bytes, i, x, y)
			}
		}
		if n := p.Gathered(); (n > 0) != (bytes == 1<<10) {
			t.Errorf("arenas of %d bytes: %d arrays are copied", bytes, n)
		}
		if n := dev.Stats().InUse; n != inUse {
			t.Errorf("arenas of %d bytes: %d bytes stay in use", bytes, n-inUse)
		}
		p.Close()
	}
}
