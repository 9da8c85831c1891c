package host_test

import (
	"slices"
	"testing"

	"skald/runtime/cpu"
	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// writer notes how many bytes uploads and fills have: negative ones are fills.
type writer struct {
	*cpu.Device
	bytes []int
}

func (w *writer) Upload(b device.Buffer, offset int64, data []byte) error {
	w.bytes = append(w.bytes, len(data))
	return w.Device.Upload(b, offset, data)
}

func (w *writer) Fill(b device.Buffer, offset, n int64, word uint32) error {
	w.bytes = append(w.bytes, -int(n))
	return w.Device.Fill(b, offset, n, word)
}

// An element that is the last of its block is written with the rest of its word, zero is a fill, and neighbours in a word are left alone.
func TestElementsAreWrittenInWholeWords(t *testing.T) {
	const src = `entry "main" main "" {
  param "b" "bool" -1 (0: bool)
  param "x" "u8" -1 (1: u8)
  param "y" "i16" -1 (2: i16)
  param "z" "i64" -1 (3: i64)
  result "" "bool" -1 (0: bool)
  result "" "u8" -1 (1: u8)
  result "" "u8" -1 (2: u8)
  result "" "i16" -1 (3: i16)
  result "" "i64" -1 (4: i64)
}
fun main(b_1: bool, x_2: u8, y_3: i16, z_4: i64) -> (b_10, x_11, x_12, y_13, z_14) {
  alloc bs_5: bool[1:i64]
  alloc xs_6: u8[5:i64]
  alloc ys_7: i16[2:i64]
  alloc zs_8: i64[1:i64]
  write bool bs_5[0:i64] = b_1
  write u8 xs_6[3:i64] = 7:u8
  write u8 xs_6[4:i64] = 9:u8
  write u8 xs_6[0:i64] = x_2
  write i16 ys_7[1:i64] = y_3
  write i64 zs_8[0:i64] = z_4
  read b_10: bool = bs_5[0:i64]
  read x_11: u8 = xs_6[0:i64]
  read x_12: u8 = xs_6[3:i64]
  read y_13: i16 = ys_7[1:i64]
  read z_14: i64 = zs_8[0:i64]
}
`
	for _, c := range []struct {
		b    bool
		x, z int64
		want []int
	}{
		{false, 0, 0, []int{-4, 1, 4, 1, 2, -8}},
		{true, 5, 1, []int{4, 1, 4, 1, 2, 8}},
	} {
		dev := &writer{Device: cpu.Open(cpu.Options{})}
		p := load(t, dev, src)
		args := []value.Value{
			value.Scalar(prim.MakeBool(c.b)), value.Scalar(prim.MakeInt(prim.U8, c.x)),
			value.Scalar(prim.MakeInt(prim.I16, -3)), value.Scalar(prim.MakeInt(prim.I64, c.z)),
		}
		dev.bytes = nil
		got, err := p.Call("main", args)
		if err != nil {
			t.Fatal(err)
		}
		want := []value.Value{args[0], args[1], value.Scalar(prim.MakeInt(prim.U8, 7)), args[2], args[3]}
		for i := range want {
			if got[i].String() != want[i].String() {
				t.Errorf("result %d is %s, not %s", i, got[i], want[i])
			}
		}
		if !slices.Equal(dev.bytes, c.want) {
			t.Errorf("writes had %d bytes, not %d (negative: fills)", dev.bytes, c.want)
		}
		_ = dev.Close()
	}
}
