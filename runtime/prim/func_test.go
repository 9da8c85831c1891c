package prim

import (
	"math"
	"testing"
)

// evalText applies a function to values in text and returns the result as text.
func evalText(t *testing.T, f Func, instance Type, args ...string) string {
	t.Helper()
	var vs []Value
	for i, s := range args {
		v, err := ParseValueAs(s, f.Params(instance)[i])
		if err != nil {
			t.Fatal(err)
		}
		vs = append(vs, v)
	}
	return EvalFunc(f, instance, vs...).String()
}

func TestFunctionsAtKnownPoints(t *testing.T) {
	cases := []struct {
		f    Func
		args []string
		want string // without suffix, for every float type
	}{
		{Sqrt, []string{"4"}, "2.0"},
		{Sqrt, []string{"-0.0"}, "-0.0"},
		{RSqrt, []string{"4"}, "0.5"},
		{Cbrt, []string{"-27"}, "-3.0"},
		{Recip, []string{"4"}, "0.25"},
		{Exp, []string{"0"}, "1.0"},
		{Exp2, []string{"-3"}, "0.125"},
		{Exp10, []string{"3"}, "1000.0"},
		{Expm1, []string{"-0.0"}, "-0.0"},
		{Log, []string{"1"}, "0.0"},
		{Log2, []string{"1024"}, "10.0"},
		{Log10, []string{"1000"}, "3.0"},
		{Log10, []string{"0.001"}, "-3.0"},
		{Log1p, []string{"0"}, "0.0"},
		{Sin, []string{"0"}, "0.0"},
		{Cos, []string{"0"}, "1.0"},
		{Tan, []string{"0"}, "0.0"},
		{Asin, []string{"0"}, "0.0"},
		{Acos, []string{"1"}, "0.0"},
		{Atan, []string{"0"}, "0.0"},
		{SinPi, []string{"0.5"}, "1.0"},
		{SinPi, []string{"1"}, "0.0"},
		{SinPi, []string{"-1.5"}, "1.0"},
		{CosPi, []string{"0.5"}, "0.0"},
		{CosPi, []string{"1"}, "-1.0"},
		{CosPi, []string{"-2"}, "1.0"},
		{TanPi, []string{"1"}, "-0.0"},
		{AsinPi, []string{"1"}, "0.5"},
		{AcosPi, []string{"-1"}, "1.0"},
		{AtanPi, []string{"1"}, "0.25"},
		{Sinh, []string{"0"}, "0.0"},
		{Cosh, []string{"0"}, "1.0"},
		{Tanh, []string{"100"}, "1.0"},
		{Asinh, []string{"0"}, "0.0"},
		{Acosh, []string{"1"}, "0.0"},
		{Atanh, []string{"0"}, "0.0"},
		{Atan2, []string{"0", "1"}, "0.0"},
		{Atan2Pi, []string{"1", "0"}, "0.5"},
		{Hypot, []string{"3", "-4"}, "5.0"},
		{Gamma, []string{"5"}, "24.0"},
		{LGamma, []string{"2"}, "0.0"},
		{Erf, []string{"0"}, "0.0"},
		{Erfc, []string{"0"}, "1.0"},
		{Floor, []string{"-1.5"}, "-2.0"},
		{Ceil, []string{"-1.5"}, "-1.0"},
		{Ceil, []string{"-0.5"}, "-0.0"},
		{Round, []string{"2.5"}, "2.0"},
		{Round, []string{"3.5"}, "4.0"},
		{Trunc, []string{"-1.5"}, "-1.0"},
		{Lerp, []string{"1", "3", "0.5"}, "2.0"},
		{Lerp, []string{"1", "3", "7"}, "3.0"},
		{Fma, []string{"2", "3", "4"}, "10.0"},
		{Mad, []string{"2", "3", "4"}, "10.0"},
		{Ldexp, []string{"0.75", "2"}, "3.0"},
		{Ldexp, []string{"1", "-2000000000"}, "0.0"},
		{CopySign, []string{"1", "-0.0"}, "-1.0"},
		{NextAfter, []string{"-0.0", "0.0"}, "0.0"},
	}
	seen := map[Func]bool{}
	for _, c := range cases {
		seen[c.f] = true
		for _, typ := range []Type{F16, F32, F64} {
			if got := evalText(t, c.f, typ, c.args...); got != c.want+typ.String() {
				t.Errorf("%s%v at %s: got %s, want %s", c.f, c.args, typ, got, c.want)
			}
		}
	}
	for f := range Func(NumFuncs) {
		if f.Accepts(F32) && !seen[f] && f.Result(F32) == F32 && f != FromBits {
			t.Errorf("%s has no known point", f)
		}
	}
}

func TestFunctionsAtGeneralPoints(t *testing.T) {
	// Values from tables of the functions, rounded here to twelve digits.
	cases := []struct {
		f    Func
		x    float64
		want float64
	}{
		{Exp, 1, 2.71828182846},
		{Log, 2, 0.693147180560},
		{Sin, 1, 0.841470984808},
		{Cos, 1, 0.540302305868},
		{Tan, 1, 1.55740772465},
		{Asin, 0.5, 0.523598775598},
		{Acos, 0.5, 1.04719755120},
		{Atan, 1, 0.785398163397},
		{Sinh, 1, 1.17520119364},
		{Cosh, 1, 1.54308063482},
		{Tanh, 1, 0.761594155956},
		{Asinh, 1, 0.881373587020},
		{Acosh, 2, 1.31695789692},
		{Atanh, 0.5, 0.549306144334},
		{Gamma, 0.5, 1.77245385091},
		{LGamma, 0.5, 0.572364942925},
		{Erf, 1, 0.842700792950},
		{Erfc, 1, 0.157299207050},
		{SinPi, 0.25, 0.707106781187},
		{CosPi, 0.75, -0.707106781187},
		{SinPi, 1.75, -0.707106781187},
		{CosPi, 1.75, 0.707106781187},
		{TanPi, 0.25, 1},
		{Log1p, 1, 0.693147180560},
		{Cbrt, 2, 1.25992104989},
		{Log10, 2, 0.301029995664},
		{SinPi, -0.75, -0.707106781187},
		{CosPi, 1.3, -0.587785252292},
	}
	for _, c := range cases {
		for _, typ := range []Type{F16, F32, F64} {
			eps := map[Type]float64{F16: 0x1p-11, F32: 0x1p-24, F64: 1e-11}[typ]
			got := EvalFunc(c.f, typ, MakeFloat(typ, c.x)).Float()
			x := MakeFloat(typ, c.x).Float()
			tolerance := eps * math.Abs(c.want) * (1 + 4*math.Abs(x-c.x)/eps)
			if math.Abs(got-c.want) > tolerance+1e-11 {
				t.Errorf("%s %v at %s: got %v, want %v", c.f, c.x, typ, got, c.want)
			}
		}
	}
}

func TestLogGammaIsInfiniteAtBothInfinities(t *testing.T) {
	for _, typ := range []Type{F16, F32, F64} {
		for sign := -1; sign <= 1; sign += 2 {
			if got := EvalFunc(LGamma, typ, MakeFloat(typ, math.Inf(sign))).Float(); !math.IsInf(got, 1) {
				t.Errorf("lgamma at %d infinity of %s: %v", sign, typ, got)
			}
		}
	}
}

func TestPredicatesAndBits(t *testing.T) {
	for _, typ := range []Type{F16, F32, F64} {
		nan, inf := MakeFloat(typ, math.NaN()), MakeFloat(typ, math.Inf(-1))
		if !EvalFunc(IsNaN, typ, nan).Bool() || EvalFunc(IsNaN, typ, inf).Bool() {
			t.Errorf("isnan at %s", typ)
		}
		if EvalFunc(IsInf, typ, nan).Bool() || !EvalFunc(IsInf, typ, inf).Bool() {
			t.Errorf("isinf at %s", typ)
		}
		bits := EvalFunc(ToBits, typ, inf)
		if bits.Type() != typ.ToUnsigned() || EvalFunc(FromBits, typ, bits) != inf {
			t.Errorf("bits of -inf at %s: %s", typ, bits)
		}
	}
	if got := EvalFunc(ToBits, F32, MakeF32(1)); got != MakeU32(0x3f800000) {
		t.Errorf("bits of 1f32: %s", got)
	}
}

func TestNextAfterStepsThroughAllHalves(t *testing.T) {
	inf := MakeFloat(F16, math.Inf(1))
	x := MakeFloat(F16, math.Inf(-1))
	steps := 0
	for x != inf {
		next := EvalFunc(NextAfter, F16, x, inf)
		if next.Float() <= x.Float() {
			t.Fatalf("after %s comes %s", x, next)
		}
		if back := EvalFunc(NextAfter, F16, next, MakeF16(math.Inf(-1))); back.Float() != x.Float() {
			t.Fatalf("before %s comes %s, not %s", next, back, x)
		}
		x = next
		steps++
	}
	if want := 2 * halfInf; steps != want {
		t.Errorf("%d steps, want %d", steps, want)
	}
	if got := evalText(t, NextAfter, F32, "0", "-1"); got != "-1.0e-45f32" {
		t.Errorf("below 0f32: %s", got)
	}
}
