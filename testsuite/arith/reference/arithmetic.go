package reference

import (
	"math"
	"math/big"
	"sync"
)

// arith is big.Float arithmetic at one precision. Its methods return new numbers.
type arith struct{ prec uint }

func (a arith) float(x float64) *big.Float { return new(big.Float).SetPrec(a.prec).SetFloat64(x) }
func (a arith) int(n int64) *big.Float     { return new(big.Float).SetPrec(a.prec).SetInt64(n) }
func (a arith) zero() *big.Float           { return new(big.Float).SetPrec(a.prec) }

func (a arith) add(x, y *big.Float) *big.Float { return a.zero().Add(x, y) }
func (a arith) sub(x, y *big.Float) *big.Float { return a.zero().Sub(x, y) }
func (a arith) mul(x, y *big.Float) *big.Float { return a.zero().Mul(x, y) }
func (a arith) div(x, y *big.Float) *big.Float { return a.zero().Quo(x, y) }
func (a arith) neg(x *big.Float) *big.Float    { return a.zero().Neg(x) }
func (a arith) abs(x *big.Float) *big.Float    { return a.zero().Abs(x) }
func (a arith) sqrt(x *big.Float) *big.Float   { return a.zero().Sqrt(x) }

// scale returns x · 2^n.
func (a arith) scale(x *big.Float, n int) *big.Float { return a.zero().SetMantExp(a.zero().Set(x), n) }

// round returns the integer nearest to x.
func (a arith) round(x *big.Float) *big.Int {
	half := a.float(0.5)
	if x.Sign() < 0 {
		half = a.float(-0.5)
	}
	n, _ := a.add(x, half).Int(nil)
	return n
}

// magnitude is the exponent e with |x| in [2^(e-1), 2^e); very low for zero.
func magnitude(x *big.Float) int {
	if x.Sign() == 0 {
		return math.MinInt32
	}
	return x.MantExp(nil)
}

// series sums terms, next giving each from the one before, until they no longer count.
func (a arith) series(first *big.Float, next func(k int64, term *big.Float) *big.Float) *big.Float {
	sum, term := a.zero().Set(first), first
	for k := int64(1); ; k++ {
		term = next(k, term)
		if term.Sign() == 0 || magnitude(term) < magnitude(sum)-int(a.prec) {
			return sum
		}
		sum.Add(sum, term)
	}
}

// constant holds the constants of one precision, and constants those of all precisions used so far (uint to *constant).
type constant struct{ pi, ln2 *big.Float }

var constants sync.Map

func (a arith) constants() *constant {
	if c, ok := constants.Load(a.prec); ok {
		return c.(*constant)
	}
	w := arith{a.prec + 32}
	// Machin: pi / 4 = 4 atan(1/5) - atan(1/239).
	fifth := w.div(w.int(1), w.int(5))
	other := w.div(w.int(1), w.int(239))
	pi := w.scale(w.sub(w.scale(w.atanSeries(fifth), 2), w.atanSeries(other)), 2)
	// ln 2 = 2 atanh(1/3).
	third := w.div(w.int(1), w.int(3))
	square := w.mul(third, third)
	power := third
	ln2 := w.scale(w.series(third, func(k int64, _ *big.Float) *big.Float {
		power = w.mul(power, square)
		return w.div(power, w.int(2*k+1))
	}), 1)
	c := &constant{pi, ln2}
	constants.Store(a.prec, c)
	return c
}

func (a arith) pi() *big.Float  { return a.constants().pi }
func (a arith) ln2() *big.Float { return a.constants().ln2 }

// atanSeries is Taylor's series of atan, for small x.
func (a arith) atanSeries(x *big.Float) *big.Float {
	square := a.neg(a.mul(x, x))
	power := x
	return a.series(x, func(k int64, _ *big.Float) *big.Float {
		power = a.mul(power, square)
		return a.div(power, a.int(2*k+1))
	})
}
