package random

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"skald/runtime/prim"
	"skald/runtime/value"
)

// The checksums are those of inputs that Futhark 0.25.34 made for its own tests, in the binary format, seed 1.
func TestValuesAreThoseOfTheReferenceImplementation(t *testing.T) {
	cases := []struct{ types, sha256 string }{
		{
			"[100]bool [100]i64 [10][10]i32 [10][10]i32",
			"198e1945a222e645a5ce9c41ee2519e572c26aaec11e5ce9a5c48573ab4aa410",
		},
		{"[3]f32 [100]f32 [10]f32", "8554248cb0569c76309f062be5e1f4c100816ffa5ed89c637f87700e25280d2f"},
		{"[100]u8 [100]u16 [100]u32 [100]u64", "14ffa065fda098035e225ee4c0abdff87b33e0fffd1930b0191a550dd63f97ef"},
		{"[10]f64 [100]f64", "b83468a935701bcdc0a42d259249ff0baf86514255e9bf206837c3b196d81dee"},
	}
	for _, c := range cases {
		var b bytes.Buffer
		for _, spec := range strings.Fields(c.types) {
			vs, err := Generate(DefaultBounds(), spec, 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := Binary.Write(&b, vs[0]); err != nil {
				t.Fatal(err)
			}
		}
		if sum := sha256.Sum256(b.Bytes()); hex.EncodeToString(sum[:]) != c.sha256 {
			t.Errorf("%s: other values than expected", c.types)
		}
	}
}

func TestValuesKeepWithinBoundsAndReachThem(t *testing.T) {
	bounds := DefaultBounds()
	cases := []struct {
		typ  prim.Type
		text string
	}{
		{prim.I8, "-3:3"},
		{prim.I16, "100:90"}, // either way round
		{prim.I32, "-1:1"},
		{prim.I64, "9223372036854775800:9223372036854775807"},
		{prim.U8, "250:255"},
		{prim.U16, "5:5"},
		{prim.U32, "4294967290:4294967295"},
		{prim.U64, "18446744073709551610:18446744073709551615"},
		{prim.F16, "-2:2"},
		{prim.F32, "10:11"},
		{prim.F64, "-1e300:1e300"},
	}
	for _, c := range cases {
		if err := bounds.Set(c.typ, c.text); err != nil {
			t.Fatal(err)
		}
		low, high := bounds[c.typ][0], bounds[c.typ][1]
		if prim.EvalCmp(prim.Gt, low, high) {
			low, high = high, low
		}
		v := Make(bounds, value.Type{Elem: c.typ, Dims: []int{2000}}, 7)
		seen := map[prim.Value]bool{}
		for i := range v.Len() {
			x := v.At(i)
			seen[x] = true
			if prim.EvalCmp(prim.Lt, x, low) || prim.EvalCmp(prim.Gt, x, high) {
				t.Fatalf("%s is not in %s", x, c.text)
			}
		}
		if c.typ.IsInt() && (!seen[low] || !seen[high]) {
			t.Errorf("%s: the bounds %s are not reached", c.typ, c.text)
		}
	}
}

func TestMalformedBoundsAreRefused(t *testing.T) {
	for _, text := range []string{"", "1", "1:", ":1", "1:x", "1:300", "1f32:2"} {
		if err := DefaultBounds().Set(prim.I8, text); err == nil {
			t.Errorf("bounds %q were accepted", text)
		}
	}
}

func TestGenerateTakesTypesAndValues(t *testing.T) {
	cases := []struct {
		spec string
		n    int // values; 0 for an error
	}{
		{"i32", 1},
		{"[3][0]f16", 1},
		{"[2]bool", 1},
		{"5i64", 1},
		{"[1,2] true", 2},
		{"[]i32", 0},
		{"(i32,i32)", 0},
		{"[x]i32", 0},
		{"", 0},
		{"[9000000000000000000]f64", 0},
	}
	for _, c := range cases {
		vs, err := Generate(DefaultBounds(), c.spec, 1)
		if len(vs) != c.n || (err == nil) != (c.n > 0) {
			t.Errorf("%q: %d values, error %v", c.spec, len(vs), err)
		}
	}
}

func TestFormatsConvertIntoEachOther(t *testing.T) {
	text := "[1i32, 2i32]\nempty([0][2]f32)\ntrue\n"
	var binary, back, types bytes.Buffer
	if err := Binary.Convert(&binary, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if err := Types.Convert(&types, bytes.NewReader(binary.Bytes())); err != nil {
		t.Fatal(err)
	}
	if err := Text.Convert(&back, &binary); err != nil {
		t.Fatal(err)
	}
	if back.String() != text || types.String() != "[2]i32\n[0][2]f32\nbool\n" {
		t.Errorf("got %q and types %q", back.String(), types.String())
	}
}

func TestOrdersUseTheirSeed(t *testing.T) {
	order := Order{Spec: "[4]i32", Bounds: *DefaultBounds()}
	var first, second, again bytes.Buffer
	for seed, w := range map[uint64]*bytes.Buffer{1: &first, 2: &second} {
		if err := order.Run(w, seed); err != nil {
			t.Fatal(err)
		}
	}
	if err := order.Run(&again, 1); err != nil {
		t.Fatal(err)
	}
	if first.String() == second.String() || first.String() != again.String() {
		t.Errorf("seeds 1, 2, 1 give %s, %s, %s", first.String(), second.String(), again.String())
	}
}
