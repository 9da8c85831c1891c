package flatten

import (
	"fmt"
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// chunks is the number of threads that reduce with an operator on arrays.
const chunks = 1024

// interchangeOperator handles reductions and scans whose operator is itself a
// map of an operator on scalars:
//
//	reduce (map2 op) (replicate m e) xss = map (reduce op e) (transpose xss)
//
// It reports whether that form applies.
func (f *flattener) interchangeOperator(n *nest, e *core.Screma, outs []core.Param) bool {
	b := f.Nested()
	res, ok := f.interchanged(b, e)
	if ok {
		f.splice(n, b.Body(res...), outs)
	}
	return ok
}

// vectorOperator takes apart the operator of a reduction or scan that maps another one.
func (f *flattener) vectorOperator(e *core.Screma) (inner *core.Screma, neutral []core.Operand, ok bool) {
	ops := slices.Concat(e.Scans, e.Reds)
	if len(ops) != 1 {
		return nil, nil, false
	}
	return f.mapOperator(ops[0])
}

// interchangeable reports whether that form applies inside n to rows of one length, so that the columns can be segments.
func (f *flattener) interchangeable(n *nest, e *core.Screma) bool {
	inner, _, ok := f.vectorOperator(e)
	return ok && e.Post == nil && len(e.Map.Ret) == core.Width(slices.Concat(e.Scans, e.Reds)) &&
		n.invariant(inner.Size) && f.closes(n, inner.Map)
}

// interchanged adds a reduction or scan of rows as a map of reductions or scans of columns, and returns its results.
func (f *flattener) interchanged(b *core.Builder, e *core.Screma) (res []core.Operand, ok bool) {
	inner, neutral, ok := f.vectorOperator(e)
	if !ok || len(e.Map.Ret) != len(neutral) || e.Post != nil {
		return nil, false
	}
	op := slices.Concat(e.Scans, e.Reds)[0]
	elems := inner.Map.Ret
	cols := f.columnsOf(b, e, elems)
	fold := core.Operator{Lambda: inner.Map, Neutral: neutral, Commutative: op.Commutative}
	ret := elems
	if len(e.Scans) > 0 {
		ret = make([]core.Type, len(elems))
		for i, t := range elems {
			ret[i] = core.ArrayOf(t, e.Size)
		}
	}
	l := b.Lambda("column", b.Rows(cols.arrays), ret, func(b *core.Builder, ps []core.Operand) []core.Operand {
		arrays, made := cols.fold(b, ps)
		s := &core.Screma{Size: e.Size, Arrays: arrays, Map: made, Reds: []core.Operator{fold}}
		if len(e.Scans) > 0 {
			s.Scans, s.Reds = s.Reds, nil
		}
		return b.LetN("folded", s)
	})
	res = b.LetN("folded", &core.Screma{Size: inner.Size, Arrays: cols.arrays, Map: l})
	if len(e.Scans) > 0 {
		for i, r := range res {
			res[i] = core.V(exchanged(b, "rows", r.Var))
		}
	}
	return res, true
}

// mapOperator takes apart an operator that maps another over its arguments, or is a loop that does what a map does
// (Note [Operators that loop]), with neutral elements that are replicated.
func (f *flattener) mapOperator(op core.Operator) (inner *core.Screma, neutral []core.Operand, ok bool) {
	if inner, ok = mapped(op.Lambda); !ok {
		inner, ok = f.fillingLoop(op.Lambda)
	}
	if !ok {
		return nil, nil, false
	}
	for _, x := range op.Neutral {
		rep, is := f.defs[x.Var].(*core.Replicate)
		if !is || len(rep.Shape) != 1 {
			return nil, nil, false
		}
		neutral = append(neutral, rep.X)
	}
	return inner, neutral, true
}

// mapped takes apart an operator that maps another over its arguments.
func mapped(l *core.Lambda) (inner *core.Screma, ok bool) {
	if len(l.Body.Stms) != 1 {
		return nil, false
	}
	inner, ok = l.Body.Stms[0].Exp.(*core.Screma)
	return inner, ok && len(inner.Scans)+len(inner.Reds) == 0 && inner.Post == nil && core.OnlyScalars(inner.Map.Ret) &&
		slices.Equal(inner.Arrays, core.ParamVars(l.Params)) && sameVars(l.Body.Stms[0].Dst, l.Body.Res)
}

// unsegmentable runs, on the host, a reduction or scan with an operator on
// arrays. A reduction is done in chunks, one for each of a number of
// threads, whose results one thread combines; a scan in one thread.
func (f *flattener) unsegmentable(e *core.Screma, outs []core.Param) {
	if f.inGroup {
		f.block(combinesArrays)
	}
	if f.inGroup || len(e.Scans) > 0 || len(e.Map.Ret) > core.Width(e.Reds) {
		f.inFewThreads("one thread", combinesArrays, func() { f.oneThread(e, outs) })
		return
	}
	f.inFewThreads(fmt.Sprintf("at most %d threads", chunks), combinesArrays, func() { f.inChunks(e, outs) })
}

// inChunks reduces chunks in a thread each, and their results in one.
func (f *flattener) inChunks(e *core.Screma, outs []core.Param) {
	count := f.Bin(prim.Min, core.Int(chunks), e.Size)
	one := f.Bin(prim.Max, core.Int(1), count)
	size := f.Bin(prim.Quot, f.Sub64(f.Add64(e.Size, one), core.Int(1)), one)
	id := f.Param("chunk", core.I64)
	n := (&nest{}).extend(id.Var, count)
	in := f.Nested()
	start := in.Mul64(core.V(id.Var), size)
	left := in.Bin(prim.Max, core.Int(0), in.Sub64(e.Size, start))
	mine := in.Bin(prim.Min, size, left)
	first := in.Bin(prim.Min, start, e.Size)
	var parts []core.Var
	for _, a := range e.Arrays {
		sl := core.FullSlice(in.TypeOf(core.V(a)))
		sl[0] = core.Range(first, mine, core.Int(1))
		parts = append(parts, in.LetVar("part", &core.Index{Array: a, Slice: sl}))
	}
	res := in.LetN("partial", &core.Screma{Size: mine, Arrays: parts, Map: e.Map, Reds: e.Reds})
	partial := make([]core.Param, len(res))
	for i, r := range res {
		partial[i] = f.Param("partial", core.ArrayOf(in.TypeOf(r), count))
	}
	f.segMap(n.binding(in.Stms()...), in.Stms(), res, partial)
	f.oneThread(&core.Screma{
		Size: count, Arrays: core.ParamVars(partial), Map: f.Identity(e.Map.Ret), Reds: e.Reds,
	}, outs)
}

// oneThread computes an expression in a kernel of one point.
func (f *flattener) oneThread(e core.Exp, outs []core.Param) {
	n := (&nest{}).extend(f.Param("i", core.I64).Var, core.Int(1))
	in := f.Nested()
	mine := core.FreshParams(f.Fun, outs)
	in.Bind(mine, e)
	arrays := make([]core.Param, len(mine))
	for i, p := range mine {
		if arrays[i] = outs[i]; p.Type.Kind != core.KindAcc {
			arrays[i] = f.Param("r", core.ArrayOf(p.Type, core.Int(1)))
		}
	}
	f.segMap(n.binding(in.Stms()...), in.Stms(), core.Vars(core.ParamVars(mine)), arrays)
	for i, a := range arrays {
		if a.Type.Kind == core.KindAcc {
			continue
		}
		f.Bind(outs[i:i+1], &core.Index{Array: a.Var, Slice: core.FullSlice(a.Type, core.Int(0))})
	}
}

// scalarHist reports whether all operators of a histogram are on scalars.
func scalarHist(e *core.Hist) bool {
	return !slices.ContainsFunc(e.Ops, func(op core.HistOp) bool { return !core.OnlyScalars(op.Lambda.Ret) })
}

// arrayHist runs, on the host, a histogram with an operator on arrays. When
// that maps an operator on scalars, the elements of each value are combined
// each for itself, into bins with one more dimension; else one thread does all.
func (f *flattener) arrayHist(e *core.Hist, outs []core.Param) {
	if len(e.Ops) == 1 {
		op := e.Ops[0]
		inner, neutral, ok := f.mapOperator(core.Operator{Lambda: op.Lambda, Neutral: op.Neutral})
		if ok {
			f.rowHist(e, inner, neutral, outs)
			return
		}
	}
	f.inFewThreads("one thread", combinesArrays, func() { f.oneThread(e, outs) })
}

// bucketed makes arrays of what the bucket function of a histogram returns. What it returns as it gets it is an input: rows are not copied.
func bucketed(b *core.Builder, e *core.Hist) []core.Operand {
	out := make([]core.Operand, len(e.Bucket.Ret))
	l := &core.Lambda{Params: e.Bucket.Params, Body: &core.Body{Stms: e.Bucket.Body.Stms}}
	var at []int // which results the map has
	for i, r := range e.Bucket.Body.Res {
		if k := slices.Index(core.ParamVars(e.Bucket.Params), r.Var); r.Var != 0 && k >= 0 {
			out[i] = core.V(e.Arrays[k])
			continue
		}
		l.Ret, l.Body.Res, at = append(l.Ret, e.Bucket.Ret[i]), append(l.Body.Res, r), append(at, i)
	}
	if len(at) > 0 || core.Any(l.Body, core.MayFail) {
		for j, m := range b.LetN("mapped", &core.Screma{Size: e.Size, Arrays: e.Arrays, Map: l}) {
			out[at[j]] = m
		}
	}
	return out
}

// binsAndElements returns the arrays of the bins that rows of a histogram are combined into, and what makes element j of each row that is
// for element i of its arrays: where one map makes the rows, that is done there, as in Note [Columns of mapped rows].
func (f *flattener) binsAndElements(b *core.Builder, e *core.Hist) (
	bins []core.Operand, elem func(b *core.Builder, i, j core.Operand) []core.Operand,
) {
	k := len(e.Ops[0].Shape)
	r, ok := f.mapOfRow(e.Bucket, e.Bucket.Body.Res[k:])
	if !ok || r.nested() {
		mapped := bucketed(b, e)
		return mapped[:k], func(b *core.Builder, i, j core.Operand) (xs []core.Operand) {
			for _, a := range mapped[k:] {
				xs = append(xs, b.Index("x", a.Var, i, j))
			}
			return xs
		}
	}
	once := *e
	once.Bucket = &core.Lambda{Params: e.Bucket.Params, Ret: slices.Clone(e.Bucket.Ret[:k]), Body: &core.Body{
		Stms: r.before, Res: slices.Clone(e.Bucket.Body.Res[:k]),
	}}
	r.keep(once.Bucket)
	mapped := bucketed(b, &once)
	all := map[core.Var]core.Var{}
	for i, p := range e.Bucket.Params {
		all[p.Var] = e.Arrays[i]
	}
	for i, p := range r.kept {
		all[p.Var] = mapped[k+i].Var
	}
	return mapped[:k], func(b *core.Builder, i, j core.Operand) []core.Operand {
		sub := core.Subst{}
		for _, v := range r.own(all) {
			sub[v] = b.Index("x", all[v], i)
		}
		for p, a := range r.inner.Arrays {
			if rows, is := all[a]; is {
				sub[r.inner.Map.Params[p].Var] = b.Index("x", rows, i, j)
			} else {
				sub[r.inner.Map.Params[p].Var] = b.Index("x", a, j)
			}
		}
		return b.Splice(r.elem, sub)
	}
}

// rowHist turns a histogram of rows into one of their elements.
func (f *flattener) rowHist(e *core.Hist, inner *core.Screma, neutral []core.Operand, outs []core.Param) {
	op := e.Ops[0]
	b := f.Nested()
	bins, elem := f.binsAndElements(b, e)
	size := b.Mul64(e.Size, inner.Size)
	is := b.LetVar("is", &core.Iota{Type: prim.I64, N: size, Start: core.Int(0), Step: core.Int(1)})
	f.defs[is] = b.Stms()[len(b.Stms())-1].Exp
	ret := make([]core.Type, len(op.Shape)+1)
	for i := range ret {
		ret[i] = core.I64
	}
	ret = append(ret, inner.Map.Ret...)
	bucket := b.Lambda("k", []core.Type{core.I64}, ret, func(b *core.Builder, ps []core.Operand) []core.Operand {
		i := b.Let("i", &core.Bin{Op: prim.Quot, Type: prim.I64, X: ps[0], Y: inner.Size})
		j := b.Sub64(ps[0], b.Mul64(i, inner.Size))
		var res []core.Operand
		for _, a := range bins {
			res = append(res, b.Index("bin", a.Var, i))
		}
		return append(append(res, j), elem(b, i, j)...)
	})
	shape := append(slices.Clone(op.Shape), inner.Size)
	res := b.LetN("bins", &core.Hist{Size: size, Arrays: []core.Var{is}, Bucket: bucket, Ops: []core.HistOp{
		{Shape: shape, Dests: op.Dests, Neutral: neutral, Lambda: inner.Map},
	}})
	f.splice(&nest{}, b.Body(res...), outs)
}
