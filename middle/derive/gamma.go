package derive

import (
	"math"

	"skald/middle/core"
	"skald/runtime/prim"
)

// digammaSteps is how far the recurrence goes: where x is as large, the asymptotic series is exact.
const digammaSteps = 10

// digamma is the logarithmic derivative of the gamma function. For negative x it is found by reflection; it does not exist at zero and at
// the negative integers.
func (k calculus) digamma(x core.Operand) core.Operand {
	negative := k.b.Cmp(prim.Lt, x, k.num(0))
	z := k.choose(negative, k.sub(k.num(1), x), x)
	params := []core.Param{k.b.Param("sum", core.Scalar(k.t)), k.b.Param("z", core.Scalar(k.t))}
	init := []core.Operand{k.num(0), z}
	out := k.b.ForLoop(params, init, core.Int(digammaSteps), func(b *core.Builder, _ core.Operand, ps []core.Operand) []core.Operand {
		in := calculus{b, k.t}
		sum, z := ps[0], ps[1]
		small := b.Cmp(prim.Lt, z, in.num(digammaSteps))
		return []core.Operand{
			in.choose(small, in.sub(sum, in.inv(z)), sum),
			in.choose(small, in.add(z, in.num(1)), z),
		}
	})
	sum, z := out[0], out[1]
	r := k.inv(k.square(z))
	series := k.num(1. / 132)
	for _, c := range []float64{1. / 240, 1. / 252, 1. / 120, 1. / 12} {
		series = k.sub(k.num(c), k.mul(r, series))
	}
	psi := k.sub(k.add(sum, k.fun(prim.Log, z)), k.add(k.div(k.num(0.5), z), k.mul(r, series)))
	cotangent := k.div(k.fun(prim.CosPi, x), k.fun(prim.SinPi, x))
	psi = k.choose(negative, k.sub(psi, k.times(math.Pi, cotangent)), psi)
	pole := k.b.Bin(prim.LogAnd, k.b.Cmp(prim.Le, x, k.num(0)), k.b.Cmp(prim.Eq, x, k.fun(prim.Floor, x)))
	return k.choose(pole, k.num(math.NaN()), psi)
}
