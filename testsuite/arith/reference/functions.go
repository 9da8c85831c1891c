package reference

import (
	"math"
	"math/big"
)

func (a arith) exp(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return a.int(1)
	}
	if magnitude(x) > 24 {
		// Beyond every format: only the side matters.
		if x.Sign() < 0 {
			return a.scale(a.int(1), -1<<20)
		}
		return a.scale(a.int(1), 1<<20)
	}
	w := arith{a.prec + 64}
	k := w.round(w.div(x, w.ln2()))
	const halvings = 8
	r := w.scale(w.sub(x, w.mul(w.zero().SetInt(k), w.ln2())), -halvings)
	e := w.series(w.int(1), func(k int64, term *big.Float) *big.Float { return w.div(w.mul(term, r), w.int(k)) })
	for range halvings {
		e = w.mul(e, e)
	}
	return a.scale(e, int(k.Int64()))
}

// log is Halley's iteration on exp, from the hardware's logarithm.
func (a arith) log(x *big.Float) *big.Float {
	w := arith{a.prec + 64}
	m := new(big.Float)
	e := x.MantExp(m)
	low, _ := m.Float64()
	if low < math.Sqrt(0.5) {
		low, e = 2*low, e-1
		m = w.scale(m, 1)
	}
	y := w.float(math.Log(low))
	for bits := uint(40); bits < w.prec; bits *= 3 {
		p := w.exp(y)
		y = w.add(y, w.scale(w.div(w.sub(m, p), w.add(m, p)), 1))
	}
	return w.add(y, w.mul(w.int(int64(e)), w.ln2()))
}

// sinCos reduces by the nearest multiple of pi / 2 and sums both series.
func (a arith) sinCos(x *big.Float) (sin, cos *big.Float) {
	w := arith{a.prec + 128 + uint(max(0, magnitude(x)))}
	half := w.scale(w.pi(), -1)
	k := w.round(w.div(x, half))
	r := w.sub(x, w.mul(w.zero().SetInt(k), half))
	return arith{a.prec + 64}.turned(r, int(new(big.Int).And(k, big.NewInt(3)).Int64()))
}

// sinCosPi is sinCos of pi x, whose reduction is exact.
func (a arith) sinCosPi(x *big.Float) (sin, cos *big.Float) {
	k := arith{a.prec + 1200}.round(a.scale(x, 1))
	w := arith{a.prec + 64}
	r := w.sub(x, w.scale(new(big.Float).SetInt(k), -1))
	return w.turned(w.mul(r, w.pi()), int(new(big.Int).And(k, big.NewInt(3)).Int64()))
}

// turned returns sine and cosine of r + quarters · pi / 2.
func (a arith) turned(r *big.Float, quarters int) (sin, cos *big.Float) {
	square := a.neg(a.mul(r, r))
	cos = a.series(a.int(1), func(k int64, t *big.Float) *big.Float {
		return a.div(a.mul(t, square), a.int(2*k*(2*k-1)))
	})
	sin = a.zero()
	if r.Sign() != 0 {
		sin = a.series(r, func(k int64, t *big.Float) *big.Float {
			return a.div(a.mul(t, square), a.int(2*k*(2*k+1)))
		})
	}
	for range quarters {
		sin, cos = cos, a.neg(sin)
	}
	return sin, cos
}

func (a arith) atan(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return x
	}
	w := arith{a.prec + 64}
	one := w.int(1)
	if w.abs(x).Cmp(one) > 0 {
		r := w.sub(w.scale(w.pi(), -1), w.atan(w.div(one, w.abs(x))))
		if x.Sign() < 0 {
			return w.neg(r)
		}
		return r
	}
	const halvings = 4
	for range halvings {
		x = w.div(x, w.add(one, w.sqrt(w.add(one, w.mul(x, x)))))
	}
	return w.scale(w.atanSeries(x), halvings)
}

// atan2 is the angle of (x, y), not both zero.
func (a arith) atan2(y, x *big.Float) *big.Float {
	if x.Sign() == 0 {
		r := a.scale(a.pi(), -1)
		if y.Sign() < 0 {
			return a.neg(r)
		}
		return r
	}
	r := a.atan(a.div(y, x))
	if x.Sign() > 0 {
		return r
	}
	if y.Sign() < 0 || y.Signbit() {
		return a.sub(r, a.pi())
	}
	return a.add(r, a.pi())
}

// erf is 2 / sqrt pi · e^(-x^2) · the sum of 2^k x^(2k+1) / (2k+1)!!, all of whose terms have one sign.
func (a arith) erf(x *big.Float) *big.Float {
	square := a.mul(x, x)
	sum := a.series(x, func(k int64, t *big.Float) *big.Float {
		return a.div(a.scale(a.mul(t, square), 1), a.int(2*k+1))
	})
	return a.mul(a.div(a.scale(a.exp(a.neg(square)), 1), a.sqrt(a.pi())), sum)
}

// erfc subtracts at a precision that leaves a.prec bits.
func (a arith) erfc(x *big.Float) *big.Float {
	lost := 0.0
	f, _ := x.Float64()
	if f < -30 {
		return a.int(2)
	}
	if f > 0 {
		lost = 1.5*f*f + 16
	}
	if lost > 4000 {
		return a.scale(a.int(1), -4000)
	}
	w := arith{(a.prec + uint(lost) + 255) / 256 * 256}
	return w.sub(w.int(1), w.erf(x))
}

// bernoulli holds B(2), B(4), ….
var bernoulli = func() []*big.Rat {
	const n = 80
	b := make([]*big.Rat, n+1)
	b[0] = big.NewRat(1, 1)
	for m := int64(1); m <= n; m++ {
		sum := new(big.Rat)
		for k := range m {
			c := new(big.Rat).SetInt(new(big.Int).Binomial(m+1, k))
			sum.Add(sum, c.Mul(c, b[k]))
		}
		b[m] = sum.Mul(sum, big.NewRat(-1, m+1))
	}
	var even []*big.Rat
	for m := 2; m <= n; m += 2 {
		even = append(even, b[m])
	}
	return even
}()

// lgammaPositive is Stirling's series, after the recurrence has brought x above 64.
func (a arith) lgammaPositive(x *big.Float) *big.Float {
	w := arith{a.prec + 64}
	product := w.int(1)
	y := w.zero().Set(x)
	for y.Cmp(w.int(64)) < 0 {
		product = w.mul(product, y)
		y = w.add(y, w.int(1))
	}
	half := w.float(0.5)
	sum := w.sub(w.mul(w.sub(y, half), w.log(y)), y)
	sum = w.add(sum, w.mul(half, w.log(w.scale(w.pi(), 1))))
	power := w.div(w.int(1), y)
	square := w.mul(power, power)
	for i, b := range bernoulli {
		k := int64(2 * (i + 1))
		term := w.div(w.mul(w.zero().SetRat(b), power), w.int(k*(k-1)))
		sum = w.add(sum, term)
		power = w.mul(power, square)
	}
	return w.sub(sum, w.log(product))
}
