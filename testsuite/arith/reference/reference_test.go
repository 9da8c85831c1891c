package reference

import (
	"math"
	"testing"

	"skald/runtime/prim"
)

// The hardware's functions are good to an ulp or a few: enough to show that no formula is wrong.
func TestSeriesAgreeWithTheStandardLibrary(t *testing.T) {
	cases := []struct {
		f    prim.Func
		want func(float64) float64
		args []float64
	}{
		{prim.Exp, math.Exp, []float64{-700, -1, 0.3, 1, 700}},
		{prim.Expm1, math.Expm1, []float64{-3, -1e-9, 1e-30, 0.4}},
		{prim.Log, math.Log, []float64{1e-300, 0.99999, 1.00001, 2, 1e300}},
		{prim.Log1p, math.Log1p, []float64{-0.9, 1e-100, 3}},
		{prim.Cbrt, math.Cbrt, []float64{-27, 1e-300, 2}},
		{prim.Sin, math.Sin, []float64{1e-20, 1, 3.14159, 1e6, 1e300}},
		{prim.Cos, math.Cos, []float64{1e-20, 1, 1.5707963, 1e6, 1e300}},
		{prim.Tan, math.Tan, []float64{1e-20, 1, 1.5707963, 1e6}},
		{prim.Asin, math.Asin, []float64{-1, -0.5, 1e-30, 0.999}},
		{prim.Acos, math.Acos, []float64{-1, -0.5, 1e-30, 0.999}},
		{prim.Atan, math.Atan, []float64{-1e10, -1, 1e-30, 0.3}},
		{prim.Sinh, math.Sinh, []float64{-3, 1e-5, 700}},
		{prim.Cosh, math.Cosh, []float64{-3, 1e-5, 700}},
		{prim.Tanh, math.Tanh, []float64{-3, 1e-5, 700}},
		{prim.Asinh, math.Asinh, []float64{-1e10, 1e-5, 2}},
		{prim.Acosh, math.Acosh, []float64{1, 1.0001, 1e10}},
		{prim.Atanh, math.Atanh, []float64{-0.99, 1e-5, 0.5}},
		{prim.Erf, math.Erf, []float64{-5, 1e-10, 0.7, 3}},
		{prim.Erfc, math.Erfc, []float64{-5, 0.7, 3, 26}},
		{prim.Gamma, math.Gamma, []float64{-20.5, -0.3, 1e-5, 0.5, 5, 170}},
		{prim.LGamma, func(x float64) float64 { v, _ := math.Lgamma(x); return v }, []float64{-20.5, 1e-5, 1.5, 30, 1e300}},
	}
	for _, c := range cases {
		for _, x := range c.args {
			got, _ := Eval(c.f, x).Float64()
			want := c.want(x)
			if math.Abs(got-want) > 1e-13*math.Abs(want) {
				t.Errorf("%s(%g) = %g, want %g", c.f, x, got, want)
			}
		}
	}
}

func TestPowAgreesWithTheStandardLibrary(t *testing.T) {
	for _, c := range [][2]float64{{2, 0.5}, {10, -300}, {1.0000001, 1e3}, {0.3, 7}} {
		got, _ := Pow(c[0], c[1]).Float64()
		if want := math.Pow(c[0], c[1]); math.Abs(got-want) > 1e-13*want {
			t.Errorf("%g^%g = %g, want %g", c[0], c[1], got, want)
		}
	}
}
