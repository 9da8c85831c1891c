package lower

import (
	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Whether comparisons of constants are decided here: then kernels of other forms are not made.
const folding, unfolded = true, false

// condition is when a form runs, as a condition of host code on measures. Where folds is set, comparisons of constants are decided.
func (c *hostBuilder) condition(when [][]core.Bound, folds bool, measure func(core.Measure) imp.Exp) imp.Exp {
	var either imp.Exp
	for _, bounds := range when {
		all := boolConst(true)
		for _, b := range bounds {
			all = both(all, compared(b, folds, measure))
		}
		if either == nil {
			either = all
		} else {
			either = or(either, all)
		}
	}
	if either == nil {
		return boolConst(true)
	}
	return either
}

// compared is a bound as a condition.
func compared(b core.Bound, folds bool, measure func(core.Measure) imp.Exp) imp.Exp {
	side := func(times int, m core.Measure) imp.Exp {
		switch {
		case m == core.MeasureOne:
			return i64(int64(times))
		case times == 1:
			return measure(m)
		}
		return mul(imp.I64, measure(m), i64(int64(times)))
	}
	x, y := side(b.Times, b.X), side(b.By, b.Y)
	var cond imp.Exp
	switch b.Op {
	case core.Below:
		cond = less(imp.I64, x, y)
	case core.Above:
		cond = less(imp.I64, y, x)
	case core.AtMost:
		if n, ok := intConst(y); ok {
			return atMost(x, int(n))
		}
		return lessEq(imp.I64, x, y)
	}
	if folds {
		return fold(cond)
	}
	return cond
}

// fold decides comparisons of constants.
func fold(e imp.Exp) imp.Exp {
	k, ok := e.(*imp.Cmp)
	if !ok || k.Op != prim.Lt {
		return e
	}
	x, xc := intConst(k.X)
	y, yc := intConst(k.Y)
	if !xc || !yc {
		return e
	}
	return &imp.Const{Type: imp.Bool, Value: prim.MakeBool(x < y)}
}

// both is the conjunction of two conditions.
func both(x, y imp.Exp) imp.Exp {
	if k, ok := x.(*imp.Const); ok {
		if k.Value.Bool() {
			return y
		}
		return x
	}
	if k, ok := y.(*imp.Const); ok {
		if k.Value.Bool() {
			return x
		}
		return y
	}
	return and(x, y)
}
