package main

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"skald/runtime/prim"
	"skald/shaders"
	"skald/testsuite/arith/reference"
)

// worst is the largest error seen of one function.
type worst struct {
	ULP   float64 // In units of the last place of the exact result.
	Args  []uint64
	Got   uint64
	Wrong int // Results that are wild where they must not be, or not where they must be.
	Bad   []uint64
	Count int
}

// inexact is a function that is right to a bound only.
type inexact struct {
	sig   signature
	f     prim.Func
	isPow bool
	bound float64
	// absolute says that errors below one ulp of 1 count nowhere: the function has zeros that are no zeros of a factor.
	absolute bool
}

// boundInComment is how the comment of an inexact function states its error bound, which tests and sweeps take from
// there.
var boundInComment = regexp.MustCompile(`, within (\d+) ulp, `)

// inexactFunction finds the function of a dialect, if it is one of the inexact ones.
func inexactFunction(d shaders.Dialect, name string) (x inexact, ok bool) {
	i := len(name) - 4
	if i < 1 || name[i] != '_' {
		return x, false
	}
	t, ok := prim.ParseType(name[i+1:])
	if !ok || !t.IsFloat() {
		return x, false
	}
	if name[:i] == "pow" {
		x = inexact{sig: signature{name, []prim.Type{t, t}, t}, isPow: true}
	} else {
		f, ok := prim.ParseFunc(name[:i])
		if !ok || isExact(f, t) || f == prim.Recip || f == prim.Lerp || f == prim.Mad {
			return x, false
		}
		x = inexact{sig: signature{name, f.Params(t), t}, f: f, absolute: f == prim.LGamma}
	}
	doc, ok := shaders.Lookup(d, name)
	if m := boundInComment.FindStringSubmatch(oneLine(doc.Doc)); m != nil {
		x.bound, _ = strconv.ParseFloat(m[1], 64) // The expression admits digits only.
	}
	return x, ok
}

// oneLine undoes the breaks of a comment.
func oneLine(comment string) string { return strings.Join(strings.Fields(comment), " ") }

// value is the float64 of a word of a float type.
func value(t prim.Type, w uint64) float64 {
	return math.Float64frombits(prim.ConvertWord(t, prim.F64)(w))
}

// wild returns the result where it is not a finite number computed from finite arguments: the special cases of prim,
// which follow C's. The second result is false for ordinary arguments.
func (x inexact) wild(args []uint64) (want float64, ok bool) {
	t := x.sig.Params[0]
	v := make([]float64, len(args))
	plain := true
	for i, w := range args {
		v[i] = value(t, w)
		plain = plain && !math.IsNaN(v[i]) && !math.IsInf(v[i], 0)
	}
	if x.isPow {
		p := math.Pow(v[0], v[1])
		if plain && v[0] != 0 && v[1] != 0 && !math.IsNaN(p) {
			return 0, false
		}
		return p, true
	}
	var at uint64
	in := make([]uint64, len(v))
	for i := range v {
		in[i] = math.Float64bits(v[i])
	}
	if len(v) == 1 {
		g, _ := prim.FuncWord1(x.f, prim.F64)
		at = g(in[0])
	} else {
		g, _ := prim.FuncWord2(x.f, prim.F64)
		at = g(in[0], in[1])
	}
	want = math.Float64frombits(at)
	if !plain || math.IsNaN(want) || x.pole(v) {
		return want, true
	}
	return 0, false
}

// pole reports whether the result is infinite or zero at finite arguments exactly, not by overflow.
func (x inexact) pole(v []float64) bool {
	a := v[0]
	switch x.f {
	case prim.RSqrt, prim.Log, prim.Log2, prim.Log10, prim.Gamma, prim.Cbrt:
		return a == 0
	case prim.LGamma:
		return a == 0 || a < 0 && a == math.Floor(a)
	case prim.Log1p:
		return a == -1 || a == 0
	case prim.Atanh:
		return math.Abs(a) == 1 || a == 0
	case prim.SinPi, prim.CosPi, prim.TanPi:
		return 2*a == math.Floor(2*a)
	case prim.Atan2, prim.Atan2Pi:
		return a == 0 || v[1] == 0
	case prim.Hypot:
		return a == 0 || v[1] == 0
	default:
		return a == 0
	}
}

// judge adds a result to the worst seen so far.
func (x inexact) judge(w *worst, args []uint64, got uint64) {
	w.Count++
	t := x.sig.Result
	g := value(t, got)
	if want, isWild := x.wild(args); isWild {
		wantWord := prim.ConvertWord(prim.F64, t)(math.Float64bits(want))
		near := math.IsInf(want, 0) == math.IsInf(g, 0) && math.IsNaN(want) == math.IsNaN(g) &&
			(g == want || math.IsNaN(g) || math.Abs(g-value(t, wantWord)) <= 4*ulpOf(t, want))
		if !near {
			w.miss(args)
		}
		return
	}
	exact := x.series(args)
	if math.IsNaN(g) {
		w.miss(args)
		return
	}
	if e := x.distance(exact, g); e > w.ULP {
		w.ULP, w.Args, w.Got = e, append([]uint64(nil), args...), got
	}
}

func (w *worst) miss(args []uint64) {
	w.Wrong++
	if w.Bad == nil {
		w.Bad = append([]uint64(nil), args...)
	}
}

// known holds the results of series of f64, which cost much: every device is asked for the same arguments.
var known sync.Map

// series is exact, computed once for each arguments of an f64 function.
func (x inexact) series(args []uint64) *big.Float {
	if x.sig.Result != prim.F64 {
		return x.exact(args)
	}
	type call struct {
		name string
		args [2]uint64
	}
	c := call{name: x.sig.Name}
	copy(c.args[:], args)
	if v, ok := known.Load(c); ok {
		return v.(*big.Float)
	}
	v := x.exact(args)
	known.Store(c, v)
	return v
}

// exact is the result of the series.
func (x inexact) exact(args []uint64) *big.Float {
	t := x.sig.Params[0]
	if x.isPow {
		a, b := value(t, args[0]), value(t, args[1])
		p := reference.Pow(a, b)
		if a < 0 && math.Mod(b, 2) != 0 {
			p.Neg(p)
		}
		return p
	}
	v := make([]float64, len(args))
	for i, w := range args {
		v[i] = value(t, w)
	}
	return reference.Eval(x.f, v...)
}

// ulpOf is the unit of the last place of the type at a value.
func ulpOf(t prim.Type, v float64) float64 {
	_, frac := layout(t)
	exp, _ := layout(t)
	low := 2 - 1<<(exp-1)
	e := low
	if v != 0 && !math.IsInf(v, 0) && !math.IsNaN(v) {
		_, e = math.Frexp(v)
		e = max(e-1, low)
	}
	return math.Ldexp(1, max(e-int(frac), -1074))
}

// distance is |exact - got| in ulps of exact. An infinite result counts as the first number beyond the largest.
func (x inexact) distance(exact *big.Float, got float64) float64 {
	t := x.sig.Result
	expBits, frac := layout(t)
	bias := 1<<(expBits-1) - 1
	e := 1 - bias
	if exact.Sign() != 0 {
		e = max(e, exact.MantExp(nil)-1)
	}
	if x.absolute {
		e = max(e, 0)
	}
	unit := new(big.Float).SetMantExp(big.NewFloat(1), min(e, bias)-int(frac))
	g := new(big.Float).SetPrec(400)
	limit := new(big.Float).SetMantExp(big.NewFloat(1), bias+1)
	if math.IsInf(got, 0) {
		g.Set(limit)
		if got < 0 {
			g.Neg(g)
		}
	} else {
		g.SetFloat64(got)
	}
	bounded := new(big.Float).SetPrec(400).Set(exact)
	if new(big.Float).Abs(exact).Cmp(limit) > 0 {
		bounded.Set(limit)
		if exact.Sign() < 0 {
			bounded.Neg(bounded)
		}
	}
	d := new(big.Float).SetPrec(400).Sub(bounded, g)
	d.Abs(d).Quo(d, unit)
	f, _ := d.Float64()
	return f
}
