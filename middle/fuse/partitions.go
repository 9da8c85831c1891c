package fuse

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Readers of partitions]
//
// A partition is a filter that stores the elements that it does not keep as well, from the end of the array on (Note [Readers of filters]):
//
//	let (both) = withacc scratch (screma n (keep, upto, iota n, xs) map (\k u i x -> update (if k then u - 1 else n - 1 - (i - u)) x))
//	let (ys) = both[0:m:1]
//	let (zs) = both[n-1:n-m:-1]
//
// So what reads zs reads what another filter keeps, which counts i - u of them up to element i. Reductions and histograms of zs that the
// host waits for go over all n elements, so that it waits for them and for m at once: a loop that goes on with zs begins with such
// (Note [Rotated loops] in package rotate).

// othersOf finds the elements that a partition does not keep, and copies of them, as what a filter keeps; nil if there are none.
func (f *fuser) othersOf(stms []*core.Stm, res []core.Operand, made map[core.Var]int, flt *filter) *readers {
	index, ok := f.fromTheEnd(flt)
	if !ok {
		return nil
	}
	n, whole := flt.points.Size, core.ParamVars(flt.stm.Dst)
	others := *flt
	others.index = index
	r := f.newReaders(stms, res, &others)
	var m core.Operand
	for _, s := range stms {
		switch e := core.Match(s.Exp).(type) {
		case *core.Index:
			k := slices.Index(whole, e.Array)
			if k < 0 || len(e.Slice) != 1 || e.Slice[0] != core.Range(e.Slice[0].Off, e.Slice[0].Len, core.Int(-1)) ||
				!f.isLast(e.Slice[0].Off, n) {
				continue
			}
			if kept, ok := f.rest(n, e.Slice[0].Len); ok && (len(r.parts) == 0 || kept == m) {
				m, r.kept = kept, e.Slice[0].Len
				r.parts, r.sizes = append(r.parts, s), append(r.sizes, r.kept)
				r.starts[s.Dst[0].Var] = flt.update.Exp.(*core.UpdateAcc).Values[k]
			}
		case *core.Reshape:
			start, is := r.starts[e.Array]
			if kept, ok := f.rest(n, e.Shape[0]); is && ok && kept == m && len(e.Shape) == 1 {
				r.kept = e.Shape[0]
				r.parts, r.sizes = append(r.parts, s), append(r.sizes, r.kept)
				r.starts[s.Dst[0].Var] = start
			}
		default:
		}
	}
	if len(r.parts) == 0 || !f.countsKept(stms, made, flt, m) {
		return nil
	}
	r.first = m
	return r
}

// fromTheEnd reports whether a filter stores what it does not keep from the end of its array on. It returns the index of a point.
func (f *fuser) fromTheEnd(flt *filter) (index core.Operand, ok bool) {
	place, at := branchOf(flt.points.Map.Body, flt.place)
	up, ok := definition(place.Else, place.Else.Res[at]).(*core.Bin)
	if !ok || up.Op != prim.Sub || !f.isLast(up.X, flt.points.Size) {
		return index, false
	}
	before, ok := definition(place.Else, up.Y).(*core.Bin)
	if !ok || before.Op != prim.Sub || before.Y != flt.upto {
		return index, false
	}
	k := slices.IndexFunc(flt.points.Map.Params, func(p core.Param) bool { return before.X.IsVar(p.Var) })
	return before.X, k >= 0 && f.counts(flt.points.Arrays[k], flt.points.Size)
}

// rest reports whether x is n - m, or n - 1 - (m - 1), and returns m.
func (f *fuser) rest(n, x core.Operand) (m core.Operand, ok bool) {
	e, ok := f.defined(x).(*core.Bin)
	if !ok || e.Op != prim.Sub {
		return m, false
	}
	if e.X == n {
		return e.Y, true
	}
	less, ok := f.defined(e.Y).(*core.Bin)
	if !ok || !f.isLast(e.X, n) || less.Op != prim.Sub || less.Y != core.Int(1) {
		return m, false
	}
	return less.X, true
}

// combined is the statements with reductions and histograms of what is kept over all elements, where the host waits for them; nil if there
// is none.
func (r *readers) combined() []*core.Stm {
	any := false
	for _, c := range r.stms[slices.Index(r.stms, r.flt.stm)+1:] {
		e, fold := c.Exp.(*core.Screma)
		_, hist := c.Exp.(*core.Hist)
		if (hist || fold && len(e.Reds) > 0 && len(c.Dst) == core.Width(e.Reds)) && slices.ContainsFunc(r.parts, func(p *core.Stm) bool {
			return r.uses(c, p)
		}) {
			any = r.widen(c, r.withStore) || any
		}
	}
	if !any {
		return nil
	}
	return r.stms
}
