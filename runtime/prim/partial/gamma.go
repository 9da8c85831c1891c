package partial

import (
	"math"

	"skald/runtime/prim"
)

// digammaSteps is how far the recurrence goes: where x is as large, the asymptotic series is exact.
const digammaSteps = 10

// digamma is the logarithmic derivative of the gamma function. For negative x it is found by reflection; it does not exist at zero and at
// the negative integers.
func (r rules[N]) digamma(x N) N {
	zero, one, large := r.Const(0), r.Const(1), r.Const(digammaSteps)
	z := r.Choose(prim.Lt, x, zero, r.sub(one, x), x)
	sum := zero
	for range digammaSteps {
		sum = r.Choose(prim.Lt, z, large, r.sub(sum, r.inv(z)), sum)
		z = r.Choose(prim.Lt, z, large, r.add(z, one), z)
	}
	s := r.inv(r.square(z))
	series := r.Const(1. / 132)
	for _, c := range []float64{1. / 240, 1. / 252, 1. / 120, 1. / 12} {
		series = r.sub(r.Const(c), r.mul(s, series))
	}
	psi := r.sub(r.add(sum, r.Call(prim.Log, z)), r.add(r.div(r.Const(0.5), z), r.mul(s, series)))
	cotangent := r.div(r.Call(prim.CosPi, x), r.Call(prim.SinPi, x))
	psi = r.Choose(prim.Lt, x, zero, r.sub(psi, r.times(math.Pi, cotangent)), psi)
	atPole := r.Choose(prim.Eq, x, r.Call(prim.Floor, x), r.Const(math.NaN()), psi)
	return r.Choose(prim.Le, x, zero, atPole, psi)
}
