package interp

import (
	"math"
	"testing"

	"skald/frontend/types"
	"skald/runtime/prim"
)

// Each partial derivative is compared with a difference quotient of the operator itself.
func TestPartialDerivativesAgreeWithDifferenceQuotients(t *testing.T) {
	m := &machine{}
	points := []float64{-0.7, -0.3, 0.2, 0.45, 0.8, 1.3, 2.6}
	inDomain := func(f prim.Func, x float64) bool {
		switch f {
		case prim.Sqrt, prim.RSqrt, prim.Log, prim.Log2, prim.Log10, prim.Gamma, prim.LGamma:
			return x > 0
		case prim.Asin, prim.Acos, prim.AsinPi, prim.AcosPi, prim.Atanh, prim.TanPi:
			return math.Abs(x) < 0.9 && f != prim.TanPi || math.Abs(x) < 0.4
		case prim.Acosh:
			return x > 1
		default:
			return true
		}
	}
	for f := range prim.NumFuncs {
		op := types.ScalarOp{Kind: types.FuncOp, Type: prim.F64, Func: prim.Func(f)}
		if !op.Func.Accepts(prim.F64) || !isDifferentiable(op) || inverse(op) != nil {
			continue
		}
		n := op.Func.Arity()
		for _, x := range points {
			args := []Value{f64Value(x), f64Value(0.6), f64Value(0.3)}[:n]
			if op.Func == prim.Ldexp {
				args[1] = intValue(3)
			}
			if inDomain(op.Func, x) {
				checkPartials(t, m, op, args)
			}
		}
	}
	for _, b := range []prim.BinOp{prim.Add, prim.Sub, prim.Mul, prim.Div, prim.Pow, prim.Min, prim.Max, prim.Mod} {
		op := types.ScalarOp{Kind: types.BinaryOp, Type: prim.F64, Bin: b}
		for _, x := range []float64{0.3, 1.7, 2.9} {
			checkPartials(t, m, op, []Value{f64Value(x), f64Value(1.2)})
		}
	}
}

func checkPartials(t *testing.T, m *machine, op types.ScalarOp, args []Value) {
	t.Helper()
	const h = 1e-6
	for i := range args {
		if op.Func == prim.Ldexp && op.Kind == types.FuncOp && i == 1 {
			continue
		}
		at := func(d float64) float64 {
			moved := append([]Value(nil), args...)
			moved[i] = f64Value(f64Of(args[i]) + d)
			return f64Of(m.scalar(op, moved...))
		}
		want := (at(h) - at(-h)) / (2 * h)
		got := f64Of(m.partial(op, args, m.scalar(op, args...), i))
		if math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
			t.Errorf("%+v by operand %d at %v: got %v, the quotient is %v", op, i, f64Of(args[0]), got, want)
		}
	}
}

func TestDigammaOfOneIsMinusEulersConstant(t *testing.T) {
	if got := digamma(1); math.Abs(got+0.57721566490153286) > 1e-12 {
		t.Errorf("got %v", got)
	}
}
