package flatten

import (
	"fmt"
	"slices"

	"skald/middle/core"
	"skald/middle/facts"
	"skald/middle/pass"
)

// parallel makes the host code for a parallel statement inside n. outs are
// arrays over n of its results; when n has no dimensions, the results.
func (f *flattener) parallel(n *nest, s *core.Stm, outs []core.Param) {
	switch e := s.Exp.(type) {
	case *core.Screma:
		if n.depth() > 0 && f.only(attrSequentialOuter) {
			f.splice(n, &core.Body{Stms: f.asLoop(s), Res: core.Vars(core.ParamVars(s.Dst))}, outs)
			return
		}
		f.screma(n, e, outs)
	case *core.Hist:
		if !scalarHist(e) {
			// Only on the host: inside nests such statements are not exploitable.
			f.arrayHist(e, outs)
			return
		}
		f.versions(n, s, outs, func(outs []core.Param) { f.hist(n, e, outs) })
	case *core.Iota:
		id := f.Param("i", core.I64)
		in := f.Nested()
		x := iotaElement(in, e, core.V(id.Var))
		f.segMap(n.extend(id.Var, e.N), in.Stms(), []core.Operand{x}, outs)
	case *core.Replicate:
		for _, size := range e.Shape {
			n = n.extend(f.Param("i", core.I64).Var, size)
		}
		f.copies(n, e.X, outs)
	case *core.Loop:
		f.versions(n, s, outs, func(outs []core.Param) { f.loop(n, e, outs) })
	case *core.If:
		f.Bind(outs, &core.If{Cond: e.Cond, Then: f.branch(n, e.Then, outs), Else: f.branch(n, e.Else, outs)})
	case *core.Copy:
		f.copies(n, core.V(e.Array), outs)
	case *core.Concat:
		f.concatInNest(n, e, outs)
	case *core.Update:
		f.updateInNest(n, e, outs)
	case *core.WithAcc:
		f.versions(n, s, outs, func(outs []core.Param) { f.nestedWithAcc(n, e, outs) })
	case core.Scalar, core.View, core.Seg, *core.ArrayLit, *core.Scratch, *core.Alloc,
		*core.Assert, *core.Trace, *core.Switch, *core.Call, *core.UpdateAcc, *core.FlatMap, *core.Derivative, *core.WithVjp:
		panic(fmt.Sprintf("flatten: %T is not parallel", e))
	}
}

// copies makes a kernel that returns x at each point of n, an array element by element.
func (f *flattener) copies(n *nest, x core.Operand, outs []core.Param) {
	f.copiesAlike(n, []core.Operand{x}, outs)
}

// copiesAlike is copies for several scalars, or arrays of one shape.
func (f *flattener) copiesAlike(n *nest, xs []core.Operand, outs []core.Param) {
	t := f.TypeOf(xs[0])
	if !t.IsArray() || !n.regular([]core.Param{{Type: t}}) {
		f.segMap(n, nil, xs, outs)
		return
	}
	if y, ok := f.transposed(n, xs[0]); ok && len(xs) == 1 {
		// What follows in the order of a transposed array is written in its shape.
		made := f.outputs(n, []core.Param{y})
		f.copies(n, core.V(y.Var), made)
		f.Bind(outs, &core.Reshape{Shape: outs[0].Type.Shape, Array: made[0].Var})
		return
	}
	var ids []core.Operand
	for _, size := range t.Shape {
		id := f.Param("i", core.I64)
		n = n.extend(id.Var, size)
		ids = append(ids, core.V(id.Var))
	}
	in := f.Nested()
	elems := make([]core.Operand, len(xs))
	for k, x := range xs {
		elems[k] = f.elementAt(in, x.Var, ids)
	}
	f.segMap(n.binding(in.Stms()...), in.Stms(), elems, outs)
}

// transposed returns the array with exchanged dimensions, of the same shape at all points of n, that x is a reshape of.
func (f *flattener) transposed(n *nest, x core.Operand) (y core.Param, ok bool) {
	defs := map[core.Var]core.Exp{}
	for _, s := range n.prologue {
		defs[s.Dst[0].Var] = s.Exp
	}
	e, ok := defs[x.Var].(*core.Reshape)
	if !ok {
		return y, false
	}
	y = core.Param{Var: e.Array, Type: f.TypeOf(core.V(e.Array))}
	_, ok = defs[y.Var].(*core.Rearrange)
	return y, ok && n.regular([]core.Param{y})
}

func (f *flattener) screma(n *nest, e *core.Screma, outs []core.Param) {
	switch {
	case f.postFits(n, e):
		s := &core.Stm{Dst: f.results(e), Exp: e}
		f.versions(n, s, outs, func(outs []core.Param) { f.fold(n, f.passingOn(n, e), outs) })
	case e.Post != nil || len(e.Scans) > 0 && len(e.Reds) > 0 || len(e.Scans)+len(e.Reds) > 0 && updates(e.Map.Ret):
		f.split(n, e, outs)
	case len(e.Scans)+len(e.Reds) == 0:
		f.nestBody(f.level(n, e.Size, e.Map.Params, e.Arrays), e.Map.Body, outs)
	case f.interchangeable(n, e):
		s := &core.Stm{Dst: f.results(e), Exp: e}
		f.versions(n, s, outs, func(outs []core.Param) { f.interchangeOperator(n, e, outs) })
	case f.interchangeOperator(n, e, outs):
	case !f.segmentable(n, e):
		// Only on the host: inside nests such statements are not exploitable.
		f.unsegmentable(e, outs)
	case worthSplitting(e):
		f.split(n, e, outs)
	default:
		s := &core.Stm{Dst: f.results(e), Exp: e}
		f.versions(n, s, outs, func(outs []core.Param) { f.fold(n, e, outs) })
	}
}

// updates reports whether accumulators are among types.
func updates(ts []core.Type) bool {
	return slices.ContainsFunc(ts, func(t core.Type) bool { return t.Kind == core.KindAcc })
}

// results makes variables for the results of a SOAC.
func (f *flattener) results(e core.Exp) []core.Param {
	ts, _ := f.Scope.Infer(e)
	ps := make([]core.Param, len(ts))
	for i, t := range ts {
		ps[i] = f.Param("r", t)
	}
	return ps
}

// byPoints makes the kernel in which each point of n runs a SOAC by itself.
func (f *flattener) byPoints(n *nest, e core.Exp, outs []core.Param) {
	s := &core.Stm{Dst: f.results(e), Exp: e}
	f.segMap(n.binding(s), []*core.Stm{s}, core.Vars(core.ParamVars(s.Dst)), outs)
}

// worthSplitting reports whether the map part of a fused SOAC has
// parallelism inside that the fused form would lose.
func worthSplitting(e *core.Screma) bool {
	return hasParallelism(&core.Screma{Map: e.Map})
}

// fold makes the segmented reduction or scan of a SOAC on scalars.
func (f *flattener) fold(n *nest, e *core.Screma, outs []core.Param) {
	if !n.sameOperators(e) {
		f.foldOfPoints(n, e, outs)
		return
	}
	m := f.level(n, e.Size, e.Map.Params, e.Arrays)
	sp, body, r := f.kernel(m, e.Map.Body.Stms, e.Map.Body.Res)
	ops := make([]core.Operator, 0, 1)
	for _, op := range slices.Concat(e.Scans, e.Reds) {
		l := r.Lambda(f.sequentialLambda(op.Lambda))
		f.Scope.BindLambda(l)
		f.checkPlaceable(l)
		ops = append(ops, core.Operator{Lambda: l, Neutral: op.Neutral, Commutative: op.Commutative})
	}
	if len(e.Reds) > 0 {
		f.Bind(outs, &core.SegRed{Level: f.kernelLevel(), Space: sp, Ops: ops, Body: body, Ret: e.Map.Ret})
		return
	}
	scan := &core.SegScan{Level: f.kernelLevel(), Space: sp, Ops: ops, Body: body, Ret: e.Map.Ret}
	if e.Post != nil {
		scan.Post = r.Lambda(f.sequentialLambda(e.Post))
		f.Scope.BindLambda(scan.Post)
	}
	f.Bind(outs, scan)
}

// postFits reports whether a SOAC with a post lambda is one segmented scan: one on scalars, whose post lambda needs nothing but scalars of
// what n binds. Where memory is made of words, a map that makes bytes stores whole words, and a scan could store each byte alone:
// Note [Maps of scans] of package fuse.
func (f *flattener) postFits(n *nest, e *core.Screma) bool {
	if e.Post == nil || len(e.Scans) == 0 || len(e.Reds) > 0 || worthSplitting(e) ||
		!core.OnlyScalars(e.Map.Ret) || !core.OnlyScalars(e.Post.Ret) ||
		!f.segmentable(n, e) || hasParallelism(&core.Screma{Map: e.Post}) {
		return false
	}
	if core.Narrows(e.Scans, e.Post.Ret) && pass.Ask(f.ctx, func(d facts.Facts) bool { return d.Words }) {
		return false
	}
	return !slices.ContainsFunc(core.FreeInLambda(e.Post).List(), func(v core.Var) bool {
		return n.bound[v] && !f.Scope.TypeOf(v).IsScalar()
	})
}

// passingOn is such a SOAC whose map keeps for the post lambda what that needs of what n binds: the post lambda sees no code between
// the maps of n.
func (f *flattener) passingOn(n *nest, e *core.Screma) *core.Screma {
	if e.Post == nil {
		return e
	}
	mapped, post, body, sub := *e.Map, *e.Post, *e.Map.Body, core.Subst{}
	for _, v := range core.FreeInLambda(e.Post).List() {
		if !n.bound[v] {
			continue
		}
		q := f.Param(f.Fun.Base(v), f.Scope.TypeOf(v))
		sub[v] = core.V(q.Var)
		post.Params = append(slices.Clip(post.Params), q)
		body.Res, mapped.Ret = append(slices.Clip(body.Res), core.V(v)), append(slices.Clip(mapped.Ret), q.Type)
	}
	post.Body, mapped.Body = sub.Body(post.Body), &body
	out := *e
	out.Map, out.Post = &mapped, &post
	return &out
}

// split makes a map, a reduction, a scan and a map of a SOAC that has
// more than one of them, and flattens those.
func (f *flattener) split(n *nest, e *core.Screma, outs []core.Param) {
	b := f.Nested()
	res := f.splitUp(b, e)
	f.splice(n, b.Body(res...), outs)
}

// splitUp adds the parts of such a SOAC, and returns the results of all.
func (f *flattener) splitUp(b *core.Builder, e *core.Screma) []core.Operand {
	ns, nr := core.Width(e.Scans), core.Width(e.Reds)
	if ns > 0 && nr > 0 {
		return apart(b, e)
	}
	if e.Post != nil && ns > 0 {
		return f.unposted(b, e)
	}
	mapped := b.LetN("mapped", &core.Screma{Size: e.Size, Arrays: e.Arrays, Map: e.Map})
	folded := core.Screma{Size: e.Size, Arrays: core.VarsOf(mapped[:ns+nr]), Map: b.Identity(e.Map.Ret[:ns+nr]), Scans: e.Scans, Reds: e.Reds}
	var res []core.Operand
	if ns+nr > 0 {
		res = b.LetN("folded", &folded)
	}
	res = append(res, mapped[ns+nr:]...)
	if e.Post == nil {
		return res
	}
	return append(res[:nr:nr], b.LetN("post", &core.Screma{Size: e.Size, Arrays: core.VarsOf(res[nr:]), Map: e.Post})...)
}

// unposted adds the scan of a SOAC, and its post lambda as a map behind it. What the scan would keep of its inputs the map reads itself.
func (f *flattener) unposted(b *core.Builder, e *core.Screma) []core.Operand {
	w := core.Width(e.Scans)
	scan := &core.Screma{Size: e.Size, Arrays: e.Arrays, Scans: e.Scans}
	mapped := *e.Map
	body := *mapped.Body
	mapped.Ret, body.Res = slices.Clone(mapped.Ret[:w]), slices.Clone(body.Res[:w])
	arrays := make([]core.Var, len(e.Map.Ret))
	var made []int // what the scan keeps
	for k := w; k < len(arrays); k++ {
		if i := slices.Index(core.ParamVars(e.Map.Params), e.Map.Body.Res[k].Var); i >= 0 {
			arrays[k] = e.Arrays[i]
			continue
		}
		made, mapped.Ret, body.Res = append(made, k), append(mapped.Ret, e.Map.Ret[k]), append(body.Res, e.Map.Body.Res[k])
	}
	mapped.Body, scan.Map = &body, &mapped
	results := core.VarsOf(b.LetN("scanned", scan))
	copy(arrays, results[:w])
	for i, k := range made {
		arrays[k] = results[w+i]
	}
	return b.LetN("post", &core.Screma{Size: e.Size, Arrays: arrays, Map: e.Post})
}

// splice flattens a body that replaces a statement inside n.
func (f *flattener) splice(n *nest, b *core.Body, outs []core.Param) {
	if n.depth() > 0 {
		f.nestBody(n, b, outs)
		return
	}
	sub := core.Subst{}
	rest := b.Res
	for i, r := range b.Res {
		if _, seen := sub[r.Var]; r.Var != 0 && !seen && boundIn(b, r.Var) {
			sub[r.Var] = core.V(outs[i].Var)
			rest[i] = core.Operand{}
		}
	}
	m := core.Mapper{Operand: sub.Operand, Bind: func(v core.Var) core.Var { return sub.Operand(core.V(v)).Var }}
	m.Body = func(b *core.Body) *core.Body { return m.MapBody(b) }
	for _, s := range b.Stms {
		f.hostStm(m.MapStm(s))
	}
	for i, r := range rest {
		if r != (core.Operand{}) {
			f.Bind(outs[i:i+1], &core.Use{X: sub.Operand(r)})
		}
	}
}

func boundIn(b *core.Body, v core.Var) bool {
	return slices.ContainsFunc(b.Stms, func(s *core.Stm) bool {
		return slices.ContainsFunc(s.Dst, func(p core.Param) bool { return p.Var == v })
	})
}

// loop moves a loop out of the maps around it: its parameters become arrays
// over n.
func (f *flattener) loop(n *nest, e *core.Loop, outs []core.Param) {
	arrays := f.outputs(n, e.Params)
	for i := range arrays {
		arrays[i].Unique = arrays[i].Type.IsArray() // each iteration makes them
	}
	init := slices.Clone(e.Init)
	var copied []core.Operand
	var copies []core.Param
	for i, p := range e.Params {
		if p.Type.Kind != core.KindAcc {
			c := f.outputs(n, e.Params[i:i+1])[0]
			copied, copies = append(copied, e.Init[i]), append(copies, c)
			init[i] = core.V(c.Var)
		}
	}
	f.copyAll(n, copied, copies)
	body := f.branch(n.with(f.reading(n, e.Params, arrays)...), e.Body, arrays)
	f.Bind(outs, &core.Loop{
		Params: arrays, Init: init, Index: e.Index, Bound: e.Bound, Body: body,
	})
}

// branch flattens a body inside n to a host body that returns arrays like outs.
func (f *flattener) branch(n *nest, b *core.Body, outs []core.Param) *core.Body {
	return f.version(outs, func(outs []core.Param) { f.nestBody(n, b, outs) })
}
