package prim

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// nearestHalf rounds an exact number to f16 by searching all finite values, ties to even. It shares nothing with the
// code under test but the value of each bit pattern, which TestHalfBitsHaveTheirValue checks.
func nearestHalf(x *big.Rat) uint16 {
	var sign uint16
	if x.Sign() < 0 {
		sign = halfSign
		x = new(big.Rat).Neg(x)
	}
	lo, hi := 0, halfInf // x is in [lo, hi); infinity counts as 2^16
	value := func(h int) *big.Rat {
		if h == halfInf {
			return big.NewRat(1<<16, 1)
		}
		return new(big.Rat).SetFloat64(HalfToFloat64(uint16(h)))
	}
	if x.Cmp(value(halfInf)) >= 0 {
		return sign | halfInf
	}
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; value(mid).Cmp(x) <= 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	below, above := new(big.Rat).Sub(x, value(lo)), new(big.Rat).Sub(value(hi), x)
	if c := below.Cmp(above); c > 0 || c == 0 && lo&1 == 1 {
		return sign | uint16(hi)
	}
	return sign | uint16(lo)
}

func TestHalfBitsHaveTheirValue(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		sign := 1.0
		if h&halfSign != 0 {
			sign = -1
		}
		exp, frac := int(h>>10&31), float64(h&1023)
		got := HalfToFloat64(h)
		var want float64
		switch exp {
		case 0:
			want = sign * math.Ldexp(frac, -24)
		case 31:
			want = math.Inf(int(sign))
			if frac != 0 {
				want = math.NaN()
			}
		default:
			want = sign * math.Ldexp(1024+frac, exp-25)
		}
		if math.IsNaN(want) != math.IsNaN(got) || !math.IsNaN(want) && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%#x: got %v, want %v", h, got, want)
		}
		if back := HalfFromFloat64(got); back != h && !math.IsNaN(got) {
			t.Fatalf("%#x came back as %#x", h, back)
		}
		if back := HalfFromFloat64(got); math.IsNaN(got) && back != h|0x200 {
			t.Fatalf("NaN %#x came back as %#x", h, back)
		}
	}
}

func TestHalfRoundingAroundEveryMidpoint(t *testing.T) {
	for i := range halfInf {
		a := HalfToFloat64(uint16(i))
		b := HalfToFloat64(uint16(i + 1))
		if i+1 == halfInf {
			b = 1 << 16
		}
		mid := (a + b) / 2 // exact
		even := uint16(i + i&1)
		for _, c := range []struct {
			f    float64
			want uint16
		}{{mid, even}, {math.Nextafter(mid, 0), uint16(i)}, {math.Nextafter(mid, b), uint16(i + 1)}} {
			if got := HalfFromFloat64(c.f); got != c.want {
				t.Fatalf("%v: got %#x, want %#x", c.f, got, c.want)
			}
			if got := HalfFromFloat64(-c.f); got != c.want|halfSign {
				t.Fatalf("%v: got %#x, want %#x", -c.f, got, c.want|halfSign)
			}
		}
	}
}

func TestHalfArithmeticIsCorrectlyRounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		x, y, z := randomHalf(rng), randomHalf(rng), randomHalf(rng)
		a, b, c := ratOf(x), ratOf(y), ratOf(z)
		want := map[BinOp]*big.Rat{
			Add: new(big.Rat).Add(a, b), Sub: new(big.Rat).Sub(a, b), Mul: new(big.Rat).Mul(a, b),
		}
		if b.Sign() != 0 {
			want[Div] = new(big.Rat).Quo(a, b)
		}
		for op, exact := range want {
			got, _ := EvalBin(op, x, y)
			if exact.Sign() == 0 && got.IsZero() {
				continue
			}
			if h := nearestHalf(exact); uint16(got.Word()) != h {
				t.Fatalf("%s %s %s = %s, want %s", x, op, y, got, FromWord(F16, uint64(h)))
			}
		}
		exact := new(big.Rat).Add(want[Mul], c)
		got := EvalFunc(Fma, F16, x, y, z)
		if h := nearestHalf(exact); uint16(got.Word()) != h && exact.Sign() != 0 {
			t.Fatalf("fma %s %s %s = %s, want %s", x, y, z, got, FromWord(F16, uint64(h)))
		}
	}
}

func randomHalf(rng *rand.Rand) Value {
	for {
		if h := uint16(rng.Uint32()); h&halfInf != halfInf {
			return FromWord(F16, uint64(h))
		}
	}
}

func ratOf(v Value) *big.Rat { return new(big.Rat).SetFloat64(v.Float()) }

func TestFmaOfSinglesIsRoundedOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	random := func() Value {
		// Exponents near each other, so that sums cancel and ties occur.
		return MakeF32(float32(math.Ldexp(float64(rng.Uint32()|1<<31), rng.IntN(40)-50-rng.IntN(2)*100)))
	}
	for range 50000 {
		x, y, z := random(), random(), random()
		if rng.IntN(2) == 0 {
			z = EvalUn(Neg, z)
		}
		exact := new(big.Rat).Add(new(big.Rat).Mul(ratOf(x), ratOf(y)), ratOf(z))
		want, _ := exact.Float32()
		if got := EvalFunc(Fma, F32, x, y, z); got != MakeF32(want) && want != 0 {
			t.Fatalf("fma %s %s %s = %s, want %v", x, y, z, got, want)
		}
		if got := FmaF32(float32(x.Float()), float32(y.Float()), float32(z.Float())); got != want {
			t.Fatalf("FmaF32(%s, %s, %s) = %v, want %v", x, y, z, got, want)
		}
	}
	if got := FmaF32(math.MaxFloat32, 2, float32(math.Inf(-1))); !math.IsInf(float64(got), -1) {
		t.Errorf("a sum with -Inf is %g", got)
	}
}

func TestIntegersBecomeTheNearestFloat(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, from := range []Type{I8, I16, I32, I64, U8, U16, U32, U64} {
		for _, x := range samples(from, 500, rng) {
			exact := new(big.Rat).SetInt(bigOf(x))
			f32, _ := exact.Float32()
			f64, _ := exact.Float64()
			for _, want := range []Value{MakeF32(f32), MakeF64(f64), FromWord(F16, uint64(nearestHalf(exact)))} {
				if got := Convert(want.Type(), x); got != want {
					t.Fatalf("%s to %s: got %s, want %s", x, want.Type(), got, want)
				}
			}
		}
	}
}

func TestFloatsBecomeIntegersByTruncationAndWrapping(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	fs := []float64{
		0, 0.9, -0.9, 1.5, -1.5, 255, 256, -1, 65504, 0x1p31, 0x1p32, 0x1p63, -0x1p63, 0x1p64, 0x1.8p64, 1e300,
	}
	for range 3000 {
		fs = append(fs, math.Ldexp(rng.Float64()-0.5, rng.IntN(140)-10))
	}
	for _, from := range []Type{F16, F32, F64} {
		for _, f := range fs {
			x := MakeFloat(from, f)
			for _, to := range []Type{I8, I16, I32, I64, U8, U16, U32, U64} {
				want := Zero(to)
				if !math.IsInf(x.Float(), 0) {
					exact, _ := new(big.Float).SetFloat64(x.Float()).Int(nil) // truncates
					want = wrapped(to, exact)
				}
				if got := Convert(to, x); got != want {
					t.Fatalf("%s to %s: got %s, want %s", x, to, got, want)
				}
			}
		}
		for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			if got := Convert(I32, MakeFloat(from, f)); got != MakeI32(0) {
				t.Errorf("%v as %s to i32: %s", f, from, got)
			}
		}
	}
}

func TestConversionsBetweenTheOtherTypes(t *testing.T) {
	cases := []struct {
		from Value
		want string
	}{
		{MakeI8(-1), "255u8"},
		{MakeI8(-1), "18446744073709551615u64"},
		{MakeU8(255), "-1i8"},
		{MakeU8(255), "255i64"},
		{MakeI64(1<<40 + 5), "5i32"},
		{MakeF64(1e300), "f32.inf"},
		{MakeF64(0.1), "0.1f32"},
		{MakeF32(0.5), "0.5f16"},
		{MakeF16(0.5), "0.5f64"},
		{MakeBool(true), "1i8"},
		{MakeBool(true), "1.0f32"},
		{MakeI32(256), "true"},
		{MakeF32(float32(math.Copysign(0, -1))), "false"},
		{MakeF32(float32(math.NaN())), "true"},
	}
	for _, c := range cases {
		want, err := ParseValue(c.want)
		if err != nil {
			t.Fatal(err)
		}
		if got := Convert(want.Type(), c.from); got != want {
			t.Errorf("%s to %s: got %s, want %s", c.from, want.Type(), got, want)
		}
	}
}

func TestMinAndMaxIgnoreOneNaNAndOrderZeros(t *testing.T) {
	negZero := math.Copysign(0, -1)
	nan, inf := math.NaN(), math.Inf(1)
	cases := []struct{ x, y, min, max float64 }{
		{1, 2, 1, 2},
		{nan, 1, 1, 1},
		{nan, nan, nan, nan},
		{-1, inf, -1, inf},
		{nan, -inf, -inf, -inf},
		{negZero, 0, negZero, 0},
	}
	for _, typ := range []Type{F16, F32, F64} {
		for _, c := range cases {
			for _, swap := range []bool{false, true} {
				x, y := MakeFloat(typ, c.x), MakeFloat(typ, c.y)
				if swap {
					x, y = y, x
				}
				lo, _ := EvalBin(Min, x, y)
				hi, _ := EvalBin(Max, x, y)
				if lo.String() != MakeFloat(typ, c.min).String() || hi.String() != MakeFloat(typ, c.max).String() {
					t.Errorf("min and max of %s and %s: %s, %s", x, y, lo, hi)
				}
			}
		}
	}
}

func TestFloatOperatorsOnSpecialValues(t *testing.T) {
	cases := []struct{ expr, got, want string }{
		{"sgn -0", EvalUn(Sgn, MakeF32(float32(math.Copysign(0, -1)))).String(), "-0.0f32"},
		{"sgn nan", EvalUn(Sgn, MakeF16(math.NaN())).String(), "f16.nan"},
		{"sgn -inf", EvalUn(Sgn, MakeF64(math.Inf(-1))).String(), "-1.0f64"},
		{"neg 0", EvalUn(Neg, MakeF64(0)).String(), "-0.0f64"},
		{"abs -inf", EvalUn(Abs, MakeF16(math.Inf(-1))).String(), "f16.inf"},
		{"-1.5 % 1", evalString(Mod, MakeF32(-1.5), MakeF32(1)), "-0.5f32"},
		{"1 % -1", evalString(Mod, MakeF32(1), MakeF32(-1)), "0.0f32"},
		{"0 ** 0", evalString(Pow, MakeF64(0), MakeF64(0)), "1.0f64"},
	}
	for _, c := range cases {
		if c.got != c.want {
			t.Errorf("%s: got %s, want %s", c.expr, c.got, c.want)
		}
	}
}

func evalString(op BinOp, x, y Value) string {
	v, err := EvalBin(op, x, y)
	if err != nil {
		return err.Error()
	}
	return v.String()
}
