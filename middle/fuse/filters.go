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
// A SOAC that is all that reads ys goes over all n elements instead, where only those that are kept count:
//
//   - the points that update the array compute a map of ys, as they update it. `map f (filter p xs)` is one kernel, not two;
//   - a reduction takes neutral elements for the others, and a histogram no bin. Then neither the array is made, nor are positions.
//
// The reader has to be straight code on scalars, as scans have fewer threads than points (Note [Maps of scans]), and runs for the elements
// that are kept alone: it may fail for others. What else needs m, the length of ys, counts by a reduction: Note [Last elements of scans].

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
}

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

// filtered joins one filter and the SOAC that reads its result.
func (f *fuser) filtered(stms []*core.Stm, res []core.Operand) ([]*core.Stm, bool) {
	made := map[core.Var]int{}
	for j, c := range stms {
		if readsFilter(c) {
			if next := f.behindFilter(stms, res, j, made); next != nil {
				return f.pruned(next, res), true
			}
		}
		for _, p := range c.Dst {
			made[p.Var] = j
		}
	}
	return nil, false
}

// readsFilter reports whether a statement is a SOAC that may go over the elements that a filter reads: a map, a reduction or a histogram of
// scalars.
func readsFilter(c *core.Stm) bool {
	switch e := core.Match(c.Exp).(type) {
	case *core.Screma:
		return len(e.Arrays) > 0 && len(e.Scans) == 0 && e.Post == nil && (len(e.Reds) == 0 || len(c.Dst) == core.Width(e.Reds)) &&
			core.OnlyScalars(e.Map.Ret) && onScalars(e.Map.Body)
	case *core.Hist:
		return len(e.Arrays) > 0 && core.OnlyScalars(e.Bucket.Ret) && onScalars(e.Bucket.Body)
	default:
		return false
	}
}

// behindFilter is the statements with number j, a SOAC, joined with the filter whose result it reads; nil if there is none. Made tells
// which statements make variables.
func (f *fuser) behindFilter(stms []*core.Stm, res []core.Operand, j int, made map[core.Var]int) []*core.Stm {
	c := stms[j]
	whole, parts := f.startsOf(stms, res, j, made)
	if parts == nil {
		return nil
	}
	i := made[whole[0]]
	size, _ := core.SizeOf(c.Exp)
	flt := filterOf(stms[i])
	if flt == nil || sequential(flt.stm) != sequential(c) || !f.countsKept(stms, made, flt, size) {
		return nil
	}
	args := make([]core.Operand, len(whole))
	for k, v := range whole {
		args[k] = flt.update.Exp.(*core.UpdateAcc).Values[slices.Index(core.ParamVars(flt.stm.Dst), v)]
	}
	var rest []*core.Stm
	for k, s := range stms {
		if !slices.Contains(parts, k) {
			rest = append(rest, s)
		}
	}
	i, j = slices.Index(rest, flt.stm), slices.Index(rest, c)
	at := f.meet(rest, i, j)
	if at < 0 {
		return nil
	}
	var out []*core.Stm
	for k, s := range rest {
		switch k {
		case at:
			out = append(out, f.ofAll(flt, c, args)...)
		case i, j:
		default:
			out = append(out, s)
		}
	}
	return out
}

// startsOf finds the arrays of which statement j, a SOAC, reads the first elements: which array for each input, and the statements that
// take these elements. It finds none where the SOAC reads anything else, or anybody else reads these arrays, or they are of several
// statements.
func (f *fuser) startsOf(stms []*core.Stm, res []core.Operand, j int, made map[core.Var]int) (whole []core.Var, parts []int) {
	c := stms[j]
	size, _ := core.SizeOf(c.Exp)
	rest := core.FreeInExp(withoutInputs(c.Exp))
	for _, a := range inputs(c.Exp) {
		k, ok := made[a]
		if !ok || rest.Has(a) || f.neededElsewhere(a, stms, k, j, res) {
			return nil, nil
		}
		e, ok := stms[k].Exp.(*core.Index)
		if !ok || len(e.Slice) != 1 || e.Slice[0] != core.Range(core.Int(0), size, core.Int(1)) {
			return nil, nil
		}
		i, ok := made[e.Array]
		if !ok || len(whole) > 0 && made[whole[0]] != i {
			return nil, nil
		}
		whole, parts = append(whole, e.Array), append(parts, k)
	}
	for k, s := range stms {
		if !slices.Contains(parts, k) && f.uses(s, stms[made[whole[0]]]) {
			return nil, nil
		}
	}
	if slices.ContainsFunc(stms[made[whole[0]]].Dst, func(p core.Param) bool {
		return slices.ContainsFunc(res, func(o core.Operand) bool { return o.IsVar(p.Var) })
	}) {
		return nil, nil
	}
	return whole, parts
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
	place, ok := definition(body, out.place).(*core.If)
	if !ok || place.Else.Res[0] != core.Int(-1) {
		return nil
	}
	before, ok := definition(place.Then, place.Then.Res[0]).(*core.Bin)
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

// countsKept reports whether the numbers that a filter takes for places are how many elements are kept up to each, and m how many in all.
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
	one, ok := definition(scan.e.Map.Body, scan.e.Map.Body.Res[scan.k]).(*core.Conv)
	if !ok || one.From != prim.Bool {
		return false
	}
	k := slices.IndexFunc(flt.points.Map.Params, func(p core.Param) bool { return flt.kept.IsVar(p.Var) })
	if k < 0 {
		return false
	}
	flags := flt.points.Arrays[k]
	if k := slices.Index(scan.e.Arrays, flags); k >= 0 {
		return one.X.IsVar(scan.e.Map.Params[k].Var)
	}
	k = slices.Index(core.ParamVars(stms[i].Dst), flags)
	return k >= core.Width(scan.e.Reds)+core.Width(scan.e.Scans) && one.X == scan.e.Map.Body.Res[k]
}

// ofAll is a SOAC, statement c, that reads the result of a filter, as one over all elements: args are what a point has of what it reads.
func (f *fuser) ofAll(flt *filter, c *core.Stm, args []core.Operand) []*core.Stm {
	switch e := core.Match(c.Exp).(type) {
	case *core.Screma:
		if len(e.Reds) == 0 {
			return f.updatingBy(flt, c, e, args)
		}
		arrays, l := f.whereKept(flt, e.Map, args, core.Neutrals(e.Reds))
		return f.instead(flt, c, &core.Screma{Size: flt.points.Size, Arrays: arrays, Map: l, Reds: e.Reds})
	case *core.Hist:
		none := blanks(e.Bucket.Ret)
		for k := range indices(e) {
			none[k] = core.Int(-1)
		}
		arrays, l := f.whereKept(flt, e.Bucket, args, none)
		return f.instead(flt, c, &core.Hist{Size: flt.points.Size, Arrays: arrays, Ops: e.Ops, Bucket: l})
	default:
		return nil
	}
}

// instead is what a SOAC that reads the result of a filter is replaced by.
func (*fuser) instead(flt *filter, c *core.Stm, e core.Exp) []*core.Stm {
	return []*core.Stm{{Dst: c.Dst, Exp: e, Aux: joinAux(flt.stm, c)}}
}

// blanks are values of types of scalars that nobody asks for.
func blanks(ts []core.Type) []core.Operand {
	out := make([]core.Operand, len(ts))
	for k, t := range ts {
		out[k] = core.C(prim.Zero(t.Elem))
	}
	return out
}

// whereKept is a lambda l of what is kept, as one of all elements, with the arrays that it reads: for those that are not kept it returns
// others.
func (f *fuser) whereKept(flt *filter, l *core.Lambda, args, others []core.Operand) ([]core.Var, *core.Lambda) {
	sub := core.Subst{}
	for k, p := range l.Params {
		sub[p.Var] = args[k]
	}
	choice := f.ifKept(flt, sub.Body(l.Body), l.Ret, others)
	used := &core.VarSet{}
	used.AddFree(choice)
	before := core.Needed(flt.points.Map.Body.Stms, used)
	res := core.Vars(core.ParamVars(choice.Dst))
	out := &core.Lambda{Body: &core.Body{Stms: append(slices.Clip(before), choice), Res: res}, Ret: l.Ret}
	var arrays []core.Var
	for k, p := range flt.points.Map.Params {
		if used.Has(p.Var) {
			arrays, out.Params = append(arrays, flt.points.Arrays[k]), append(out.Params, p)
		}
	}
	return arrays, out
}

// ifKept is a statement that does what a body does if an element is kept, and else returns others.
func (f *fuser) ifKept(flt *filter, b *core.Body, ts []core.Type, others []core.Operand) *core.Stm {
	s := &core.Stm{Exp: &core.If{Cond: flt.kept, Then: b, Else: &core.Body{Res: others}}, Aux: core.Aux{Where: flt.stm.Aux.Where}}
	for _, t := range ts {
		s.Dst = append(s.Dst, core.Param{Var: f.fun.Fresh("x"), Type: t})
	}
	return s
}

// updatingBy is a map, statement c, of the result of a filter, computed by the points that update the filter's array.
func (f *fuser) updatingBy(flt *filter, c *core.Stm, e *core.Screma, args []core.Operand) []*core.Stm {
	sub := core.Subst{}
	for k, p := range e.Map.Params {
		sub[p.Var] = args[k]
	}
	inner := sub.Body(e.Map.Body)
	n := flt.points.Size
	at := core.Param{Var: f.fun.Fresh("at"), Type: core.I64}
	one := &core.Stm{Dst: []core.Param{at}, Exp: &core.Bin{Op: prim.Sub, Type: prim.I64, X: flt.upto, Y: core.Int(1)}}
	one.Aux.Where = flt.stm.Aux.Where
	choice := f.ifKept(flt,
		&core.Body{Stms: append([]*core.Stm{one}, inner.Stms...), Res: append([]core.Operand{core.V(at.Var)}, inner.Res...)},
		append([]core.Type{core.I64}, e.Map.Ret...), append([]core.Operand{core.Int(-1)}, blanks(e.Map.Ret)...))
	values := core.Vars(core.ParamVars(choice.Dst))
	update := &core.Stm{
		Dst: flt.update.Dst, Aux: flt.update.Aux,
		Exp: &core.UpdateAcc{Acc: flt.update.Exp.(*core.UpdateAcc).Acc, Index: values[:1], Values: values[1:]},
	}
	var stms []*core.Stm // without what nothing reads now
	for _, s := range flt.points.Map.Body.Stms {
		if s != flt.update && !slices.ContainsFunc(s.Dst, func(p core.Param) bool { return flt.place.IsVar(p.Var) }) {
			stms = append(stms, s)
		}
	}
	points := *flt.points
	points.Map = &core.Lambda{
		Params: flt.points.Map.Params, Body: &core.Body{Stms: append(stms, choice, update), Res: flt.points.Map.Body.Res},
		Ret: flt.points.Map.Ret,
	}
	old := flt.acc.Lambda.Body.Stms[0]
	lambda := *flt.acc.Lambda
	lambda.Body = &core.Body{Stms: []*core.Stm{{Dst: old.Dst, Exp: &points, Aux: old.Aux}}, Res: lambda.Body.Res}

	all := &core.Stm{Aux: joinAux(flt.stm, c)}
	var before, behind []*core.Stm
	input := core.AccInput{Shape: flt.acc.Inputs[0].Shape}
	for _, q := range c.Dst {
		made := core.ArrayOf(core.ScalarType(q.Type.Elem), n)
		scratch := core.Param{Var: f.fun.Fresh("scratch"), Type: made}
		whole := core.Param{Var: f.fun.Fresh("all"), Type: made}
		input.Arrays = append(input.Arrays, scratch.Var)
		before = append(before, &core.Stm{
			Dst: []core.Param{scratch}, Exp: &core.Scratch{Elem: q.Type.Elem, Shape: made.Shape}, Aux: core.Aux{Where: c.Aux.Where},
		})
		all.Dst = append(all.Dst, whole)
		start := core.Slice{core.Range(core.Int(0), e.Size, core.Int(1))}
		behind = append(behind, &core.Stm{
			Dst: []core.Param{q}, Exp: &core.Index{Array: whole.Var, Slice: start}, Aux: core.Aux{Where: c.Aux.Where},
		})
	}
	all.Exp = &core.WithAcc{Inputs: []core.AccInput{input}, Lambda: &lambda}
	return slices.Concat(before, []*core.Stm{all}, behind)
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
