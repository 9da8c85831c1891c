package lowering

import (
	"bytes"
	"strings"
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

// Arrays that are bound as one lie in several buffers where one buffer for them all were more than the device binds at once: six arrays
// of 512 bytes on a device of four bindings of so many bytes.
func TestArraysThatShareBuffersFitWhatTheDeviceBinds(t *testing.T) {
	low, err := imp.Parse(six)
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range devices(t) {
		for _, bytes := range []int64{1 << 20, 1536, 1024, 512} {
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
			if bytes == 512 { // Nor could they be copied together.
				want := "kernel six: its arrays need 6 bindings of up to 512 bytes, the device allows 4"
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s, %d bytes: %v", name, bytes, err)
				}
				p.Close()
				continue
			}
			if err != nil {
				t.Fatalf("%s, %d bytes: %v", name, bytes, err)
			}
			for i := range xs {
				if x, y := got[0].At(i).Int(), got[1].At(i).Int(); x != int64(2*i) || y != int64(4*i) {
					t.Fatalf("%s, %d bytes: element %d is %d, %d", name, bytes, i, x, y)
				}
			}
			if n := p.Gathered(); n > 0 {
				t.Errorf("%s, %d bytes: %d arrays are copied", name, bytes, n)
			}
			p.Close()
		}
	}
}

// changes has a kernel with arrays of each size of element that changes elements atomically in the ways that depend on their type,
// for some with what was there before, and reverses vectors of words and bytes.
const changes = `entry "main" main "" {
  param "ws" "[n]i32" -1 (1: [param 0]i32)
  param "bs" "[n]u8" -1 (2: [param 0]u8)
  result "" "[]i32" -1 (0: [param 0]i32)
  result "" "[]u8" -1 (1: [param 0]u8)
  result "" "[4]i32" -1 (2: [4]i32)
  result "" "[2]f32" -1 (3: [2]f32)
  result "" "[4]i16" -1 (4: [4]i16)
  result "" "[4]u16" -1 (5: [4]u16)
  result "" "[4]bool" -1 (6: [4]bool)
  result "" "[4]i8" -1 (7: [4]i8)
  result "" "[2]i64" -1 (8: [2]i64)
  result "" "[2]u64" -1 (9: [2]u64)
}
kernel changes(n_1: idx, read @ws_0: i32, read @bs_1: u8, write @vs_2: i32, write @cs_3: u8, atomic @is_4: i32, atomic @fs_5: f32, ` +
	`atomic @hs_6: i16, atomic @us_7: u16, atomic @ts_8: bool, atomic @ks_9: i8, atomic @ls_10: i64, atomic @qs_11: u64) group 8 {
  let i_2: idx = thread_id
  if lt.idx(mul.idx(i_2, 4:idx), n_1) {
    let at_3: idx = mul.idx(4:idx, i_2)
    loadvec a_4: i32, b_5: i32, c_6: i32, d_7: i32 = @ws_0[at_3]
    storevec @vs_2[at_3] = d_7, c_6, b_5, a_4
    loadvec e_8: u8, f_9: u8, g_10: u8, h_11: u8 = @bs_1[at_3]
    storevec @cs_3[at_3] = h_11, g_10, f_9, e_8
    let k_12: i32 = conv.idx.i32(i_2)
    atomic add @is_4[0:idx] sub.i32(k_12, 40:i32)
    atomic min @is_4[1:idx] sub.i32(k_12, 40:i32)
    atomic max @is_4[2:idx] k_12
    atomic add @fs_5[0:idx] conv.i32.f32(k_12)
    atomic add @hs_6[1:idx] conv.i32.i16(sub.i32(k_12, 40:i32))
    atomic min @hs_6[2:idx] conv.i32.i16(sub.i32(k_12, 40:i32))
    update old_13: u16 = @us_7[1:idx] {
      let new_14: u16 = add.u16(old_13, 3:u16)
    } new new_14
    atomic or @ts_8[2:idx] true
    atomic add @ks_9[3:idx] -1:i8
    atomic add @ls_10[0:idx] sub.i64(conv.idx.i64(i_2), 40:i64)
    atomic add @qs_11[1:idx] 5000000000:u64
    if eq.idx(i_2, 0:idx) {
      atomic old_15: i32 = max @is_4[3:idx] 7:i32
      atomic was_16: f32 = exchange @fs_5[1:idx] conv.i32.f32(add.i32(old_15, 2:i32))
      atomic had_17: i16 = min @hs_6[3:idx] conv.f32.i16(sub.f32(was_16, conv.i32.f32(4:i32)))
      atomic add @us_7[2:idx] conv.i16.u16(add.i16(had_17, 9:i16))
    }
  }
}
fun main(n_1: i64, ws_2: block, bs_3: block) -> (vs_4, cs_5, is_6, fs_7, hs_8, us_9, ts_10, ks_11, ls_12, qs_13) {
  alloc vs_4: i32[n_1]
  alloc cs_5: u8[n_1]
  alloc is_6: i32[4:i64]
  fill i32 is_6[0:i64], 4:i64 = 0:i32
  alloc fs_7: f32[2:i64]
  fill f32 fs_7[0:i64], 2:i64 = 0x0:f32
  alloc hs_8: i16[4:i64]
  fill i16 hs_8[0:i64], 4:i64 = 0:i16
  alloc us_9: u16[4:i64]
  fill u16 us_9[0:i64], 4:i64 = 0:u16
  alloc ts_10: bool[4:i64]
  fill bool ts_10[0:i64], 4:i64 = false
  alloc ks_11: i8[4:i64]
  fill i8 ks_11[0:i64], 4:i64 = 0:i8
  alloc ls_12: i64[2:i64]
  fill i64 ls_12[0:i64], 2:i64 = 0:i64
  alloc qs_13: u64[2:i64]
  fill u64 qs_13[0:i64], 2:i64 = 0:u64
  launch changes<8:i64>(conv.i64.idx(n_1)) blocks(ws_2, bs_3, vs_4, cs_5, is_6, fs_7, hs_8, us_9, ts_10, ks_11, ls_12, qs_13) fits(n_1)
}
`

// Arrays that are bound as one are changed as they are by themselves, whatever their types.
func TestArraysBoundAsOneKeepTheirTypes(t *testing.T) {
	low, err := imp.Parse(changes)
	if err != nil {
		t.Fatal(err)
	}
	const n = 256
	ws, bs := make([]int32, n), make([]uint8, n)
	vs, cs := make([]int32, n), make([]uint8, n) // with the elements of each vector reversed
	for i := range n {
		ws[i], bs[i] = int32(i)-100, uint8(i)
		vs[i^3], cs[i^3] = ws[i], bs[i]
	}
	// 64 threads add up the numbers from -40 to 23.
	const sum = 63*64/2 - 40*64
	want := []value.Value{
		value.FromSlice(vs), value.FromSlice(cs), value.FromSlice([]int32{sum, -40, 63, 7}), value.FromSlice([]float32{63 * 64 / 2, 2}),
		value.FromSlice([]int16{0, sum, -40, -4}), value.FromSlice([]uint16{0, 3 * 64, 9, 0}),
		value.FromSlice([]bool{false, false, true, false}), value.FromSlice([]int8{0, 0, 0, -64}),
		value.FromSlice([]int64{sum, 0}), value.FromSlice([]uint64{0, 64 * 5000000000}),
	}
	for name, d := range devices(t) {
		for _, bindings := range []int{0, 4} {
			f := *d.Facts()
			if bindings > 0 {
				f.MaxBindings = bindings
			}
			p, err := compiler.LoadLow(low, on(name, &limited{d, f}))
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Call("main", []value.Value{value.FromSlice(ws), value.FromSlice(bs)})
			if err != nil {
				t.Fatalf("%s, %d bindings: %v", name, f.MaxBindings, err)
			}
			for i, w := range want {
				if !bytes.Equal(got[i].Bytes(), w.Bytes()) {
					t.Errorf("%s, %d bindings: result %d is %v, want %v", name, f.MaxBindings, i, got[i], w)
				}
			}
			if n := p.Gathered(); n > 0 {
				t.Errorf("%s, %d bindings: %d arrays are copied", name, f.MaxBindings, n)
			}
			p.Close()
		}
	}
}
