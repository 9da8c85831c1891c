package prim

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

func TestTextOfEveryHalfReadsBack(t *testing.T) {
	for i := range 1 << 16 {
		checkText(t, FromWord(F16, uint64(i)))
	}
}

func TestTextReadsBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	for _, typ := range AllTypes() {
		checkText(t, Lowest(typ))
		checkText(t, Highest(typ))
		for range 20000 {
			checkText(t, FromWord(typ, rng.Uint64()))
		}
	}
}

func checkText(t *testing.T, v Value) {
	t.Helper()
	text := v.String()
	for _, parse := range []func() (Value, error){
		func() (Value, error) { return ParseValue(text) },
		func() (Value, error) { return ParseValueAs(text, v.Type()) },
	} {
		got, err := parse()
		if err != nil || got != v && !(v.IsNaN() && got.IsNaN()) {
			t.Fatalf("%#x at %s is written %s and read as %s (%v)", v.Word(), v.Type(), text, got, err)
		}
	}
}

func TestFloatsAreWrittenShortly(t *testing.T) {
	cases := []struct {
		v    Value
		want string
	}{
		{MakeF16(0.1), "0.1f16"},
		{MakeF16(65504), "65500.0f16"},
		{MakeF32(0.1), "0.1f32"},
		{MakeF32(16777216), "16777216.0f32"},
		{MakeF32(-1e16), "-1.0e16f32"},
		{MakeF64(1e21), "1.0e21f64"},
		{MakeF64(1e-7), "1.0e-7f64"},
		{MakeF64(1), "1.0f64"},
		{MakeF32(float32(math.Inf(-1))), "-f32.inf"},
	}
	for _, c := range cases {
		if got := c.v.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestLiterals(t *testing.T) {
	cases := []struct {
		text string
		want Value
	}{
		{"1", MakeI32(1)},
		{"-1i8", MakeI8(-1)},
		{"+7u16", MakeU16(7)},
		{"1_000", MakeI32(1000)},
		{"0xFFi8", MakeI8(-1)},
		{"255i8", MakeI8(-1)},
		{"-0x80i8", MakeI8(-128)},
		{"0b101u8", MakeU8(5)},
		{"0XfF_fFu32", MakeU32(0xffff)},
		{"18446744073709551615u64", MakeU64(math.MaxUint64)},
		{"-9223372036854775808i64", MakeI64(math.MinInt64)},
		{"1.5", MakeF64(1.5)},
		{"1e3", MakeF64(1000)},
		{"1f32", MakeF32(1)},
		{"-1_0.5E-1f32", MakeF32(-1.05)},
		{"0x1.8p1f32", MakeF32(3)},
		{"0x1.8p-1", MakeF64(0.75)},
		{"1e999f64", MakeF64(math.Inf(1))},
		{"true", MakeBool(true)},
		{"-f64.inf", MakeF64(math.Inf(-1))},
		// Just above, at, and just below a point midway between two f16 values.
		{"2049.0000000000000000000000000001f16", MakeF16(2050)},
		{"2049f16", MakeF16(2048)},
		{"2050.9999999999999999999999999999f16", MakeF16(2050)},
		{"2051f16", MakeF16(2052)},
	}
	for _, c := range cases {
		if got, err := ParseValue(c.text); err != nil || got != c.want {
			t.Errorf("%s: got %s (%v), want %s", c.text, got, err, c.want)
		}
	}
}

func TestMalformedLiteralsAreRefused(t *testing.T) {
	for _, text := range []string{
		"", "-", "+", "x", "1x", "i32", "1.", "1.e5", ".5", "1e", "1e+", "0x", "0b", "0b2", "_1", "--1", "1.5i32", "1bool",
		"1.5e3i8", "i32.nan", "f32.foo", "nan", "inf", "infinity", "0x1.8f32", "1 ", " 1", "1__i33", "truef32",
	} {
		if v, err := ParseValue(text); !errors.Is(err, ErrSyntax) {
			t.Errorf("%q was read as %s (%v)", text, v, err)
		}
	}
	for _, text := range []string{"256u8", "-129i8", "256i8", "99999999999999999999", "-2147483649", "-200u8"} {
		var rangeErr *RangeError
		if v, err := ParseValue(text); !errors.As(err, &rangeErr) {
			t.Errorf("%q was read as %s (%v)", text, v, err)
		}
	}
}

func TestLiteralsOfAKnownType(t *testing.T) {
	if v, err := ParseValueAs("7", F32); err != nil || v != MakeF32(7) {
		t.Errorf("7 as f32: %s, %v", v, err)
	}
	if v, err := ParseValueAs("3000000000", I64); err != nil || v != MakeI64(3000000000) {
		t.Errorf("3000000000 as i64: %s, %v", v, err)
	}
	for _, c := range []struct {
		text string
		typ  Type
	}{{"1i32", I64}, {"1.5", I32}, {"1", Bool}, {"true", I32}, {"f32.nan", F64}} {
		var typeErr *TypeError
		if v, err := ParseValueAs(c.text, c.typ); !errors.As(err, &typeErr) {
			t.Errorf("%s as %s was read as %s (%v)", c.text, c.typ, v, err)
		}
	}
}

func FuzzParseValue(f *testing.F) {
	for _, s := range []string{"1i32", "-0x1.8p-3f16", "0b1u8", "f32.nan", "1_0.5e3", "true"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := ParseValue(text)
		if err != nil {
			return
		}
		if again, err := ParseValue(v.String()); err != nil || again != v && !v.IsNaN() {
			t.Fatalf("%q is read as %s, which is read as %s (%v)", text, v, again, err)
		}
	})
}

func BenchmarkWordFunctions(b *testing.B) {
	for _, c := range []struct {
		op  BinOp
		typ Type
	}{{Add, I32}, {Mul, F32}, {Add, F64}, {Div, I64}, {Add, F16}} {
		b.Run(c.op.String()+"_"+c.typ.String(), func(b *testing.B) {
			f, _ := BinWord(c.op, c.typ)
			w := One(c.typ).Word()
			acc := w
			for b.Loop() {
				acc = f(acc, w)
			}
			if acc != Canonical(c.typ, acc) {
				b.Fatal("the result is not canonical")
			}
		})
	}
}
