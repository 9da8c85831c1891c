package lowering

import (
	"testing"

	"skald/compiler"
	"skald/middle/imp"
	"skald/runtime/value"
)

// six adds up four arrays in two steps.
const six = `entry "main" main "" {
  param "as" "[n]i32" -1 (1: [param 0]i32)
  param "bs" "[n]i32" -1 (2: [param 0]i32)
  param "cs" "[n]i32" -1 (3: [param 0]i32)
  param "ds" "[n]i32" -1 (4: [param 0]i32)
  result "" "[]i32" -1 (0: [param 0]i32)
  result "" "[]i32" -1 (1: [param 0]i32)
}
kernel six(n_1: idx, read @as_0: i32, read @bs_1: i32, read @cs_2: i32, read @ds_3: i32, write @xs_4: i32, write @ys_5: i32) group 8 {
  let i_2: idx = thread_id
  if lt.idx(i_2, n_1) {
    @xs_4[i_2] = add.i32(@as_0[i_2], @bs_1[i_2])
    @ys_5[i_2] = add.i32(@xs_4[i_2], add.i32(@cs_2[i_2], @ds_3[i_2]))
  }
}
fun main(n_1: i64, as_2: block, bs_3: block, cs_4: block, ds_5: block) -> (xs_6, ys_7) {
  alloc xs_6: i32[n_1]
  alloc ys_7: i32[n_1]
  launch six<div.i64(add.i64(n_1, 7:i64), 8:i64)>(conv.i64.idx(n_1)) blocks(as_2, bs_3, cs_4, ds_5, xs_6, ys_7) fits(n_1)
}
`

// Arrays that share buffers are spread where one buffer for them all were more than the device binds at once, in chunks more than it
// binds: six arrays of 512 bytes on a device of four bindings of so many bytes.
func TestArraysThatShareBuffersFitWhatTheDeviceBinds(t *testing.T) {
	low, err := imp.Parse(six)
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range devices(t) {
		for _, bytes := range []int64{1 << 20, 1536, 1024} {
			f := *d.Facts()
			if f.MaxBindings == 0 {
				continue // a processor, which binds whatever there is
			}
			f.MaxBindings, f.MaxBindingSize = 4, bytes
			p, err := compiler.LoadLow(low, on(name, &limited{d, f}))
			if err != nil {
				t.Fatal(err)
			}
			xs := make([]int32, 128)
			for i := range xs {
				xs[i] = int32(i)
			}
			a := value.FromSlice(xs)
			got, err := p.Call("main", []value.Value{a, a, a, a})
			if err != nil {
				t.Fatalf("%s, %d bytes: %v", name, bytes, err)
			}
			for i := range xs {
				if x, y := got[0].At(i).Int(), got[1].At(i).Int(); x != int64(2*i) || y != int64(4*i) {
					t.Fatalf("%s, %d bytes: element %d is %d, %d", name, bytes, i, x, y)
				}
			}
			p.Close()
		}
	}
}
