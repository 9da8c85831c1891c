package partial

import (
	"math"
	"testing"

	"skald/runtime/prim"
)

// values is the arithmetic of values themselves.
type values struct{ t prim.Type }

func (v values) Type() prim.Type { return v.t }

func (v values) Const(x float64) prim.Value {
	if v.t.IsFloat() {
		return prim.MakeFloat(v.t, x)
	}
	return prim.MakeInt(v.t, int64(x))
}

func (v values) Unary(op prim.UnOp, x prim.Value) prim.Value { return prim.EvalUn(op, x) }

func (v values) Binary(op prim.BinOp, x, y prim.Value) prim.Value {
	out, err := prim.EvalBin(op, x, y)
	if err != nil {
		panic(err)
	}
	return out
}

func (v values) Call(f prim.Func, args ...prim.Value) prim.Value {
	return prim.EvalFunc(f, v.t, args...)
}

func (v values) Choose(op prim.CmpOp, x, y, then, otherwise prim.Value) prim.Value {
	if prim.EvalCmp(op, x, y) {
		return then
	}
	return otherwise
}

// quotient fails the test unless the derivatives of f at args are its difference quotients.
func quotient(t *testing.T, name string, f func([]prim.Value) prim.Value, args []prim.Value, rule func(i int) (prim.Value, bool)) {
	t.Helper()
	const h = 1e-6
	for i := range args {
		if args[i].Type() != prim.F64 {
			continue
		}
		at := func(d float64) float64 {
			moved := append([]prim.Value(nil), args...)
			moved[i] = prim.MakeF64(args[i].Float() + d)
			return f(moved).Float()
		}
		want := (at(h) - at(-h)) / (2 * h)
		got := 0.0
		if d, ok := rule(i); ok {
			got = d.Float()
		}
		if math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
			t.Errorf("%s by operand %d at %v: got %v, the quotient is %v", name, i, args, got, want)
		}
	}
}

// inDomain reports whether f is defined, and not too steep for a quotient, around x.
func inDomain(f prim.Func, x float64) bool {
	switch f {
	case prim.Sqrt, prim.RSqrt, prim.Log, prim.Log2, prim.Log10, prim.Gamma, prim.LGamma:
		return x > 0
	case prim.Asin, prim.Acos, prim.AsinPi, prim.AcosPi, prim.Atanh:
		return math.Abs(x) < 0.9
	case prim.TanPi:
		return math.Abs(x) < 0.4
	case prim.Acosh:
		return x > 1
	default:
		return true
	}
}

func TestFunctionsAgreeWithDifferenceQuotients(t *testing.T) {
	a := values{prim.F64}
	tried := 0
	for f := range prim.Func(prim.NumFuncs) {
		if !f.Accepts(prim.F64) || !IsSmooth(f) || f == prim.ToBits || f == prim.FromBits {
			continue
		}
		tried++
		for _, x := range []float64{-0.7, -0.3, 0.2, 0.45, 0.8, 1.3, 2.6} {
			args := []prim.Value{prim.MakeF64(x), prim.MakeF64(0.6), prim.MakeF64(0.3)}[:f.Arity()]
			if f == prim.Ldexp {
				args[1] = prim.MakeI32(3)
			}
			if !inDomain(f, x) {
				continue
			}
			quotient(t, f.String(), func(args []prim.Value) prim.Value { return a.Call(f, args...) }, args, func(i int) (prim.Value, bool) {
				return Call(a, f, args, a.Call(f, args...), i)
			})
		}
	}
	if tried < 40 {
		t.Errorf("%d functions were tried", tried)
	}
}

func TestOperatorsAgreeWithDifferenceQuotients(t *testing.T) {
	a := values{prim.F64}
	for _, x := range []float64{0.3, 1.7, 2.9} {
		for _, op := range []prim.BinOp{prim.Add, prim.Sub, prim.Mul, prim.Div, prim.Pow, prim.Min, prim.Max, prim.Mod} {
			args := []prim.Value{prim.MakeF64(x), prim.MakeF64(1.2)}
			quotient(t, op.String(), func(args []prim.Value) prim.Value { return a.Binary(op, args[0], args[1]) }, args,
				func(i int) (prim.Value, bool) {
					return Binary(a, op, args[0], args[1], a.Binary(op, args[0], args[1]), i)
				})
		}
		for _, op := range []prim.UnOp{prim.Neg, prim.Abs, prim.Sgn} {
			for _, x := range []prim.Value{prim.MakeF64(x), prim.MakeF64(-x)} {
				quotient(t, op.String(), func(args []prim.Value) prim.Value { return a.Unary(op, args[0]) }, []prim.Value{x},
					func(int) (prim.Value, bool) { return Unary(a, op, x) })
			}
		}
	}
}

func TestPowersOfZeroHaveFiniteDerivatives(t *testing.T) {
	for _, c := range []struct {
		x, y float64
		want float64
	}{{0, 0.5, 0}, {0, 0, 0}, {0, 1, 1}, {0, 2, 0}, {2, 0.5, 0.5 / math.Sqrt2}} {
		a := values{prim.F64}
		x, y := prim.MakeF64(c.x), prim.MakeF64(c.y)
		if got, ok := Binary(a, prim.Pow, x, y, a.Binary(prim.Pow, x, y), 0); !ok || math.Abs(got.Float()-c.want) > 1e-15 {
			t.Errorf("%v ** %v by the base: got %v, want %v", c.x, c.y, got, c.want)
		}
	}
	a := values{prim.I32}
	zero := prim.MakeI32(0)
	if got, ok := Binary(a, prim.Pow, zero, zero, prim.MakeI32(1), 0); !ok || got != zero {
		t.Errorf("0 ** 0 of integers by the base: got %v, want 0", got)
	}
}

func TestBitsHaveNoDerivative(t *testing.T) {
	a := values{prim.I32}
	x := prim.MakeI32(6)
	for _, op := range []prim.BinOp{prim.And, prim.Or, prim.Xor, prim.Shl, prim.Shr, prim.UShr} {
		if _, ok := Binary(a, op, x, x, x, 0); ok {
			t.Errorf("%v has a derivative", op)
		}
	}
	if _, ok := Unary(a, prim.Not, x); ok {
		t.Error("the complement has a derivative")
	}
	if _, ok := Call(a, prim.Popc, []prim.Value{x}, x, 0); ok {
		t.Error("popc has a derivative")
	}
}

func TestDigammaHasItsKnownValues(t *testing.T) {
	const euler = 0.57721566490153286
	r := rules[prim.Value]{values{prim.F64}}
	for _, c := range []struct{ x, want float64 }{
		{1, -euler},
		{0.5, -euler - 2*math.Ln2},
		{2, 1 - euler},
		{-0.5, 2 - euler - 2*math.Ln2},
		{10, 2.2517525890667211},
		{1e6, math.Log(1e6) - 5e-7},
	} {
		if got := r.digamma(prim.MakeF64(c.x)).Float(); math.Abs(got-c.want) > 1e-12*(1+math.Abs(c.want)) {
			t.Errorf("digamma(%v) = %v, want %v", c.x, got, c.want)
		}
	}
	for _, x := range []float64{0, -1, -7} {
		if got := r.digamma(prim.MakeF64(x)); !got.IsNaN() {
			t.Errorf("digamma(%v) = %v, want NaN", x, got)
		}
	}
}
