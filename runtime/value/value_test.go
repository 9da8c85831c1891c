package value

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/runtime/prim"
)

// randomValue makes a value of the given type with random bits.
func randomValue(rng *rand.Rand, t prim.Type, shape ...int) Value {
	v := New(t, shape...)
	for i := range v.Len() {
		w := prim.FromWord(t, rng.Uint64())
		if w.IsNaN() {
			w = prim.Zero(t)
		}
		v.Set(i, w)
	}
	return v
}

func TestElementsAreStoredInRowMajorOrder(t *testing.T) {
	v := FromSlice([]int16{1, 2, 3, 4, 5, 6}, 2, 3)
	if got := v.Row(1).String(); got != "[4i16, 5i16, 6i16]" {
		t.Errorf("second row: %s", got)
	}
	if got := v.At(4); got != prim.MakeI16(5) {
		t.Errorf("element 4: %s", got)
	}
	v.Row(0).Set(2, prim.MakeI16(-1))
	if diff := cmp.Diff([]int16{1, 2, -1, 4, 5, 6}, Slice[int16](v)); diff != "" {
		t.Error(diff)
	}
	if got, want := v.Bytes()[4:6], []byte{0xff, 0xff}; !bytes.Equal(got, want) {
		t.Errorf("bytes of element 2: %v", got)
	}
}

func TestWordsOfEveryTypeAreKept(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, typ := range prim.AllTypes() {
		v := New(typ, 5)
		for range 100 {
			w := prim.FromWord(typ, rng.Uint64()).Word()
			v.SetWord(3, w)
			if v.Word(3) != w || v.Word(2) != 0 || v.Word(4) != 0 {
				t.Fatalf("%s: stored %#x, found %#x", typ, w, v.Word(3))
			}
		}
	}
}

func TestSlicesShareStorageWithTheirValue(t *testing.T) {
	v := New(prim.Bool, 2)
	Slice[bool](v)[1] = true
	h := New(prim.F16, 1)
	Slice[Half](h)[0] = 0x3c00
	if v.String() != "[false, true]" || h.String() != "[1.0f16]" {
		t.Errorf("got %s and %s", v, h)
	}
	c := v.Clone()
	Slice[bool](c)[0] = true
	if v.At(0).Bool() || Equal(v, c) {
		t.Error("a clone shares storage")
	}
}

func TestMisalignedBytesAreCopied(t *testing.T) {
	raw := make([]byte, 17)
	raw[1] = 1
	for offset := range 8 {
		v, err := FromBytes(prim.U64, []int{1}, raw[offset:offset+8])
		if err != nil {
			t.Fatal(err)
		}
		if got := Slice[uint64](v)[0]; offset > 1 && got != 0 || offset == 1 && got != 1 {
			t.Errorf("offset %d: %d", offset, got)
		}
	}
	if _, err := FromBytes(prim.I32, []int{2}, raw[:4]); err == nil {
		t.Error("four bytes were taken for [2]i32")
	}
}

func TestTypesReadBack(t *testing.T) {
	for _, s := range []string{"i32", "[]f16", "[2][]bool", "[0][3]u64"} {
		typ, err := ParseType(s)
		if err != nil || typ.String() != s {
			t.Errorf("%s: %s, %v", s, typ, err)
		}
	}
	for _, s := range []string{"", "[", "[2", "[2]", "[x]i32", "[-1]i32", "i33", "[2]i32 ]", "[]"} {
		if typ, err := ParseType(s); err == nil {
			t.Errorf("%q was read as %s", s, typ)
		}
	}
}

func TestTypesMatchUpToUnknownDimensions(t *testing.T) {
	cases := []struct {
		t, u string
		want bool
	}{
		{"[2][3]i32", "[][]i32", true},
		{"[2][3]i32", "[2][]i32", true},
		{"[2][3]i32", "[3][]i32", false},
		{"[2]i32", "[][]i32", false},
		{"[2]i32", "[]u32", false},
		{"i32", "i32", true},
	}
	for _, c := range cases {
		a, _ := ParseType(c.t)
		b, _ := ParseType(c.u)
		if a.Matches(b) != c.want {
			t.Errorf("%s matches %s: %v", c.t, c.u, !c.want)
		}
	}
}

func TestSizesThatOverflowAreRefused(t *testing.T) {
	for _, dims := range [][]int{{-1}, {1 << 40, 1 << 40}, {0, 1 << 62, 1 << 62}} {
		if n, ok := (Type{Elem: prim.I8, Dims: dims}).Bytes(); ok {
			t.Errorf("%v: %d bytes", dims, n)
		}
	}
}

func TestComparisonFindsTheFirstDifference(t *testing.T) {
	cases := []struct{ got, want, diff string }{
		{"[[1,2],[3,4]]", "[[1,2],[3,4]]", ""},
		{"[[1,2],[3,5]]", "[[1,2],[3,4]]", "at index [1 1]: expected 4i32, got 5i32"},
		{"1", "2", "expected 2i32, got 1i32"},
		{"1", "1i64", "expected a value of type i64, got i32"},
		{"[1]", "[1,2]", "expected a value of type [2]i32, got [1]i32"},
		{"empty([0][2]i32)", "empty([0][3]i32)", "expected a value of type [0][3]i32, got [0][2]i32"},
		{"1.001", "1.0", ""},
		{"1.003", "1.0", "expected 1.0f64, got 1.003f64"},
		{"[1000.0, 1.5]", "[1000.0, 1.0]", ""}, // the greatest element scales the tolerance
		{"[-1000.0, 1.5]", "[-1000.0, 1.0]", "at index [1]: expected 1.0f64, got 1.5f64"},
		{"[f32.inf, 1.5]", "[f32.inf, 1]", "at index [1]: expected 1.0f32, got 1.5f32"},
		{"f32.nan", "f32.nan", ""},
		{"-f32.inf", "f32.inf", "expected f32.inf, got -f32.inf"},
		{"1f32", "f32.nan", "expected f32.nan, got 1.0f32"},
		{"f16.inf", "65504f16", "expected 65500.0f16, got f16.inf"},
		{"-0.0", "0.0", ""},
	}
	for _, c := range cases {
		got, err := Parse(c.got)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Parse(c.want)
		if err != nil {
			t.Fatal(err)
		}
		diff := ""
		if d := Compare(got, want, DefaultTolerance); d != nil {
			diff = d.String()
		}
		if diff != c.diff {
			t.Errorf("%s against %s: got %q, want %q", c.got, c.want, diff, c.diff)
		}
	}
}

func TestDifferencesAreLimited(t *testing.T) {
	got, want := FromSlice([]int32{1, 2, 3, 4}), FromSlice([]int32{0, 0, 0, 4})
	if n := len(Differences(got, want, 0, 2)); n != 2 {
		t.Errorf("%d differences with limit 2", n)
	}
	if n := len(Differences(got, want, 0, 9)); n != 3 {
		t.Errorf("%d differences with limit 9", n)
	}
}
