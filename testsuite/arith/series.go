package main

import (
	"math"
	"sync"

	"skald/runtime/prim"
)

// judgeAll judges n results in parallel. Results of the narrower types are first compared with float64 functions, and
// only what looks like a new record is put to the series.
func (x inexact) judgeAll(w *worst, n int, at func(i int) ([]uint64, uint64)) {
	var mu sync.Mutex
	split(n, func(lo, hi int) {
		var mine worst
		mine.ULP = w.ULP
		for i := lo; i < hi; i++ {
			args, got := at(i)
			if x.sig.Result != prim.F64 && x.seemsFine(&mine, args, got) {
				mine.Count++
				continue
			}
			x.judge(&mine, args, got)
		}
		mu.Lock()
		defer mu.Unlock()
		w.Count += mine.Count
		w.Wrong += mine.Wrong
		if w.Bad == nil {
			w.Bad = mine.Bad
		}
		if mine.Args != nil && mine.ULP >= w.ULP {
			w.ULP, w.Args, w.Got = mine.ULP, mine.Args, mine.Got
		}
	})
}

// seemsFine reports whether a float64 computation finds an error clearly below the worst so far.
func (x inexact) seemsFine(w *worst, args []uint64, got uint64) bool {
	t := x.sig.Result
	v := make([]float64, 2)
	for i, a := range args {
		v[i] = value(t, a)
	}
	var want float64
	switch {
	case x.isPow:
		want = math.Pow(v[0], v[1])
	case len(args) == 1:
		g, _ := prim.FuncWord1(x.f, prim.F64)
		want = math.Float64frombits(g(math.Float64bits(v[0])))
	default:
		g, _ := prim.FuncWord2(x.f, prim.F64)
		want = math.Float64frombits(g(math.Float64bits(v[0]), math.Float64bits(v[1])))
	}
	g := value(t, got)
	if math.IsNaN(want) || math.IsInf(want, 0) || math.IsNaN(g) || math.IsInf(g, 0) {
		return math.IsNaN(want) && math.IsNaN(g) || want == g
	}
	unit := ulpOf(t, want)
	if x.absolute {
		unit = max(unit, ulpOf(t, 1))
	}
	return math.Abs(g-want)/unit < w.ULP-0.001
}
