package fuse

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Readers of filters]
//
// A filter counts by a scan how many elements are kept up to each one, and each element that is kept updates an array at its number. The
// first elements of that array are the result, as many as are kept:
//
//	let (upto, keep) = screma n (xs) map (\x -> (i64 (p x), p x)) scans (+)
//	let (m) = if n == 0 then 0 else upto[n - 1]
//	let (all) = withacc scratch (screma n (keep, upto, xs) map (\k u x -> update (if k then u - 1 else -1) x))
//	let (ys) = all[0:m:1]
//
// What reads ys goes over all n elements instead, where only those that are kept count, if all that reads ys can:
//
//   - the points that update the array compute a map of ys, as they update it, one for each map: `map f (filter p xs)` is one kernel, not
//     two;
//   - a reduction takes neutral elements for the others, a histogram no bin, a scatter no index;
//   - a scan takes neutral elements, too, and what it returns is stored as what a filter keeps is. Its last element is that for element
//     n - 1, and the host reads it together with m;
//   - a filter of ys is one of xs, as the scan of what it keeps is such a scan: no array is between, and the host waits once.
//
// Then the array is not made, and often nothing needs m; what does counts by a reduction (Note [Last elements of scans]). Where something
// else needs the array, maps and scatters are computed where it is stored all the same: they spare launches, and need not wait for m. So
// are reductions whose results the host needs to go on, which it then reads with m. The others stay behind the filter, where they go over
// fewer elements. So does what needs m, or what is computed with it: it would be a kernel of its own, over more. But if the host then needs
// m for nothing, it is: a few kernels over more elements are less than a wait. So are histograms from which something is computed that the
// host waits for.
//
// Readers have to be straight code on scalars, as scans have fewer threads than points (Note [Maps of scans]). They run for the elements
// that are kept alone: they may fail for others, and cost much.
//
// A scatter may overwrite what the filter reads: `scatter mask (filter (\i -> mask[i]) (iota n)) vs`. Where it updates each point's own
// element it is a map; else it stays, and with it all.

// filter is the code of a filter.
type filter struct {
	stm    *core.Stm     // makes the array that the result is the start of
	points *core.Screma  // goes over all elements
	update *core.Stm     // what one that is kept does
	place  core.Operand  // where
	kept   core.Operand  // whether one is
	upto   core.Operand  // how many are kept up to one
	counts core.Var      // these numbers
	acc    *core.WithAcc // around points
	scan   *core.Stm     // makes counts
	// alone says that elements that are not kept update nothing. Those of a partition do.
	alone bool
	// index is that of an element if the filter is said to keep what kept does not: Note [Readers of partitions].
	index core.Operand
}

// others reports whether what is kept is what the condition does not hold for.
func (flt *filter) others() bool { return flt.index.Var != 0 }

// filters joins filters with the SOACs that read their results, and reports whether there was one.
func filters(g *core.Fun) bool {
	if !core.Any(g.Body, func(e core.Exp) bool { _, ok := e.(*core.WithAcc); return ok }) {
		return false
	}
	any := false
	g.Body = newFuser(g, func(f *fuser, stms []*core.Stm, res []core.Operand) ([]*core.Stm, bool) {
		next, ok := f.filtered(stms, res)
		any = any || ok
		return next, ok
	}).body(g.Body)
	return any
}

// filtered has the SOACs that read the result of one filter go over all elements.
func (f *fuser) filtered(stms []*core.Stm, res []core.Operand) ([]*core.Stm, bool) {
	made := map[core.Var]int{}
	for i, s := range stms {
		for _, p := range s.Dst {
			made[p.Var] = i
		}
	}
	for _, s := range stms {
		flt := filterOf(s)
		if flt == nil {
			continue
		}
		if r := f.othersOf(stms, res, made, flt); r != nil {
			if next := r.combined(); next != nil {
				return f.pruned(next, res), true
			}
		}
		r := f.readersOf(stms, res, flt)
		if r == nil || !f.countsKept(stms, made, flt, r.kept) {
			continue
		}
		if next := r.ofAll(); next != nil {
			return f.pruned(next, res), true
		}
		r = f.readersOf(stms, res, flt)
		r.late = mostLate
		if next := r.ofAll(); next != nil {
			if next = f.pruned(next, res); !r.countNeeded(next) {
				return next, true
			}
		}
		if next := f.readersOf(stms, res, flt).asStored(); next != nil {
			return f.pruned(next, res), true
		}
	}
	return nil, false
}

// filterOf is the filter of scalars whose array a statement makes, as far as that statement tells; nil if it is none.
func filterOf(s *core.Stm) *filter {
	acc, ok := s.Exp.(*core.WithAcc)
	if !ok || len(acc.Inputs) != 1 || acc.Inputs[0].Op != nil || len(acc.Lambda.Ret) != 1 || len(acc.Lambda.Body.Stms) != 1 ||
		slices.ContainsFunc(s.Dst, func(p core.Param) bool { return p.Type.Rank() != 1 }) {
		return nil
	}
	points, ok := acc.Lambda.Body.Stms[0].Exp.(*core.Screma)
	if !ok || len(points.Scans)+len(points.Reds) > 0 || points.Post != nil || len(points.Map.Ret) != 1 ||
		acc.Inputs[0].Shape[0] != points.Size {
		return nil
	}
	body := points.Map.Body
	out := &filter{stm: s, acc: acc, points: points}
	for _, t := range body.Stms {
		if u, ok := t.Exp.(*core.UpdateAcc); ok && u.Acc == acc.Lambda.Params[0].Var && body.Res[0].IsVar(t.Dst[0].Var) {
			out.update, out.place = t, u.Index[0]
		}
	}
	if out.update == nil {
		return nil
	}
	place, at := branchOf(body, out.place)
	if place == nil {
		return nil
	}
	out.alone = place.Else.Res[at] == core.Int(-1)
	before, ok := definition(place.Then, place.Then.Res[at]).(*core.Bin)
	if !ok || before.Op != prim.Sub || before.Y != core.Int(1) {
		return nil
	}
	k := slices.IndexFunc(points.Map.Params, func(p core.Param) bool { return before.X.IsVar(p.Var) })
	if k < 0 {
		return nil
	}
	out.kept, out.upto, out.counts = place.Cond, before.X, points.Arrays[k]
	return out
}

// branchOf is the branch of a body that returns an operand, as its result number k; nil if there is none.
func branchOf(b *core.Body, o core.Operand) (e *core.If, k int) {
	for _, s := range b.Stms {
		if k := slices.Index(core.ParamVars(s.Dst), o.Var); k >= 0 {
			e, _ := s.Exp.(*core.If)
			return e, k
		}
	}
	return nil, 0
}

// countsKept reports whether the numbers that a filter takes for places are how many elements are kept up to each, and m how many in all.
// It finds the scan.
func (f *fuser) countsKept(stms []*core.Stm, made map[core.Var]int, flt *filter, m core.Operand) bool {
	i, ok := made[flt.counts]
	j, known := made[m.Var]
	if !ok || !known {
		return false
	}
	scan := scannedIn(stms[i], flt.counts)
	if scan == nil || scan.e.Size != flt.points.Size || scan.op.Neutral[0] != core.Int(0) ||
		arrayOfLast(stms[j]) != flt.counts || !f.isLastOf(stms[j], scan) {
		return false
	}
	sum, t, ok := scan.op.Lambda.Single()
	if !ok || sum != prim.Add || t != prim.I64 {
		return false
	}
	flt.scan = stms[i]
	k := slices.IndexFunc(flt.points.Map.Params, func(p core.Param) bool { return flt.kept.IsVar(p.Var) })
	if k < 0 {
		return false
	}
	flags, body := flt.points.Arrays[k], scan.e.Map.Body
	if k := slices.Index(scan.e.Arrays, flags); k >= 0 {
		return countsFlag(body, body.Res[scan.k], core.V(scan.e.Map.Params[k].Var))
	}
	k = slices.Index(core.ParamVars(stms[i].Dst), flags)
	return k >= core.Width(scan.e.Reds)+core.Width(scan.e.Scans) && countsFlag(body, body.Res[scan.k], body.Res[k])
}

// countsFlag reports whether one of two operands of a body is one where the other one is true, and else zero.
func countsFlag(b *core.Body, one, flag core.Operand) bool {
	if conv, ok := definition(b, one).(*core.Conv); ok {
		return conv.From == prim.Bool && conv.X == flag
	}
	for _, s := range b.Stms {
		e, ok := s.Exp.(*core.If)
		i, j := slices.Index(core.ParamVars(s.Dst), one.Var), slices.Index(core.ParamVars(s.Dst), flag.Var)
		if ok && i >= 0 && j >= 0 {
			return countsFlag(e.Then, e.Then.Res[i], e.Then.Res[j]) && countsFlag(e.Else, e.Else.Res[i], e.Else.Res[j])
		}
	}
	return one == core.Int(0) && flag == core.C(prim.MakeBool(false))
}

// pruned removes statements that are not needed any more, and what SOACs make that is not.
func (f *fuser) pruned(stms []*core.Stm, res []core.Operand) []*core.Stm {
	live := &core.VarSet{}
	for _, o := range res {
		live.Add(o.Var)
	}
	var out []*core.Stm
	for _, s := range slices.Backward(stms) {
		if !s.Any(core.MayFail) {
			if !slices.ContainsFunc(s.Dst, func(p core.Param) bool { return live.Has(p.Var) }) {
				continue
			}
			s = withoutDead(s, live)
		}
		live.AddFree(s)
		out = append(out, s)
	}
	slices.Reverse(out)
	return out
}

// withoutDead is a statement without what it scans or keeps, if it is a SOAC, and is not live.
func withoutDead(s *core.Stm, live *core.VarSet) *core.Stm {
	e, ok := s.Exp.(*core.Screma)
	if !ok || e.Post != nil {
		return s
	}
	keep := make([]bool, len(s.Dst)) // as the lambda returns them
	nr, ns := core.Width(e.Reds), core.Width(e.Scans)
	for k := range keep {
		keep[k] = true
	}
	dst := func(k int) core.Var { // that result k of the lambda is for
		switch {
		case k < ns:
			return s.Dst[nr+k].Var
		case k < ns+nr:
			return s.Dst[k-ns].Var
		}
		return s.Dst[k].Var
	}
	out := *e
	out.Scans = nil
	first := 0
	for _, op := range e.Scans {
		used := false
		for k := range op.Neutral {
			used = used || live.Has(dst(first+k))
		}
		for k := range op.Neutral {
			keep[first+k] = used
		}
		if used {
			out.Scans = append(out.Scans, op)
		}
		first += len(op.Neutral)
	}
	for k := ns + nr; k < len(keep); k++ {
		keep[k] = live.Has(dst(k))
	}
	if !slices.Contains(keep, false) {
		return s
	}
	out.Map = &core.Lambda{
		Params: e.Map.Params, Ret: core.Kept(e.Map.Ret, keep),
		Body: &core.Body{Stms: e.Map.Body.Stms, Res: core.Kept(e.Map.Body.Res, keep)},
	}
	order := slices.Concat(keep[ns:ns+nr], keep[:ns], keep[ns+nr:])
	return &core.Stm{Dst: core.Kept(s.Dst, order), Exp: &out, Aux: s.Aux}
}
