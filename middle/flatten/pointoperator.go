package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Operators of points]
//
// An operator may use what differs from point to point of a nest, as in
//
//	map2 (\p xs -> reduce (\a b -> a * b % p) 1 xs) ps xss
//
// and so may its neutral element. A segmented operation has one operator for all of its segments. So the numbers that the operator uses are
// made part of what it combines: each element brings those of its point with it, beside a flag that says that it is an element, and not the
// neutral element, which belongs to no point:
//
//	op' (h1, c1, x1) (h2, c2, x2) = if h1 && h2 then (true, c1, op c1 x1 x2) else if h1 then (h1, c1, x1) else (h2, c2, x2)
//
// Elements of one segment have the same numbers, so op' is associative, and commutative, where op is. Arrays that the operator reads are
// views of arrays of the host, which it makes again of these numbers. A reduction's result is unpacked at the points, where an empty
// segment has the neutral element of the point; the numbers and flags of a scan are dropped by its post lambda. The bins of a histogram
// begin as elements, with the numbers of their points.
//
// A neutral element that differs is combined once with each segment, as a thread by itself would do: before its first element if it is
// scanned, with what it comes to if it is reduced. Where the operator itself is the same everywhere, and is one on integers whose neutral
// element is known, that takes its place, and neither flags nor numbers are needed.

// closes reports whether an operator inside n is the same at all points, or can be made so.
func (f *flattener) closes(n *nest, l *core.Lambda) bool {
	return core.OnlyScalars(l.Ret) && !slices.ContainsFunc(core.FreeInLambda(l).List(), func(v core.Var) bool {
		if !n.bound[v] {
			return false
		}
		switch t := f.Scope.TypeOf(v); t.Kind {
		case core.KindScalar, core.KindCert:
			return false
		default:
			return !t.IsArray() || f.inGroup || f.defs[v] != nil
		}
	})
}

// sameOperator reports whether nothing in an operator depends on the point.
func (n *nest) sameOperator(l *core.Lambda, neutral []core.Operand) bool {
	return n.closed(l) && !slices.ContainsFunc(neutral, n.variant)
}

// sameOperators reports whether nothing in the operators of a SOAC depends on the point.
func (n *nest) sameOperators(e *core.Screma) bool {
	return !slices.ContainsFunc(slices.Concat(e.Scans, e.Reds), func(op core.Operator) bool { return !n.sameOperator(op.Lambda, op.Neutral) })
}

// pointOperator is an operator that depends on the point, and the one on larger values that does not.
type pointOperator struct {
	at       *core.Lambda // the operator at a point
	neutral  []core.Operand
	varies   bool       // whether the neutral element differs from point to point
	captured []core.Var // numbers that the operator uses
	flagged  bool       // whether values have a flag and these numbers
	closed   core.Operator
}

// extra is how many values there are beside those of the operator.
func (p *pointOperator) extra() int { return len(p.closed.Neutral) - len(p.neutral) }

// closeOperator makes an operator the same at all points of n, at which all that it uses is known. ok is false if it uses arrays that are
// no views.
func (f *flattener) closeOperator(n *nest, op core.Operator) (p *pointOperator, ok bool) {
	at := &core.Lambda{Params: op.Lambda.Params, Body: withoutCerts(op.Lambda.Body, n.bound), Ret: op.Lambda.Ret}
	op = core.Operator{Lambda: at, Neutral: op.Neutral, Commutative: op.Commutes()}
	p = &pointOperator{at: at, neutral: op.Neutral, varies: slices.ContainsFunc(op.Neutral, n.variant), closed: op}
	if n.closed(at) {
		if !p.varies {
			return p, true
		}
		if bin, t, ok := op.Lambda.Single(); ok && t.IsInt() {
			if e, ok := bin.Neutral(t); ok {
				p.closed.Neutral = []core.Operand{core.C(e)}
				return p, true
			}
		}
	}
	defs, captured, ok := f.closure(n, at)
	if !ok {
		return nil, false
	}
	p.captured, p.flagged, p.at = captured, true, f.sequentialLambda(at)
	inside := &core.Body{Stms: append(defs, p.at.Body.Stms...), Res: at.Body.Res}
	l := f.flaggedOperator(&core.Lambda{Params: at.Params, Body: withoutCerts(inside, n.bound), Ret: at.Ret}, captured)
	p.closed = core.Operator{Lambda: l, Neutral: []core.Operand{core.Bool(false)}, Commutative: op.Commutative}
	for _, t := range p.closed.Lambda.Ret[1:] {
		p.closed.Neutral = append(p.closed.Neutral, core.C(prim.Zero(t.Elem)))
	}
	return p, true
}

// closure are the numbers bound in n that a lambda uses, and the statements that make of them the arrays that it uses, and numbers which
// follow from others. ok is false if an array is no view.
func (f *flattener) closure(n *nest, l *core.Lambda) (defs []*core.Stm, captured []core.Var, ok bool) {
	used := core.FreeInLambda(l)
	isDef := map[*core.Stm]bool{}
	for _, s := range slices.Backward(n.prologue) {
		if d := s.Dst[0]; !d.Type.IsArray() || !used.Has(d.Var) {
			continue
		}
		switch core.Match(s.Exp).(type) {
		case *core.Index, *core.Rearrange, *core.Reshape, *core.Use:
			isDef[s] = true
			used.AddFree(s)
		default:
			return nil, nil, false
		}
	}
	known := map[core.Var]bool{}
	for _, v := range used.List() {
		if n.bound[v] && f.Scope.TypeOf(v).Kind == core.KindScalar {
			known[v] = true
		}
	}
	for _, s := range n.prologue {
		if d := s.Dst[0].Var; known[d] && follows(s, func(v core.Var) bool { return !n.bound[v] || known[v] }) {
			isDef[s] = true
			delete(known, d)
		}
	}
	for _, s := range n.prologue {
		if isDef[s] {
			defs = append(defs, s)
		}
	}
	for _, v := range used.List() {
		if known[v] {
			captured = append(captured, v)
		}
	}
	return defs, captured, true
}

// follows reports whether a statement computes a number, without a chance to fail, of what is known.
func follows(s *core.Stm, known func(v core.Var) bool) bool {
	switch e := core.Match(s.Exp).(type) {
	case *core.Bin:
		if e.Op.CanFail(e.Type) {
			return false
		}
	case *core.Use, *core.Un, *core.Cmp, *core.Conv:
	default:
		return false
	}
	return !slices.ContainsFunc(core.FreeInStm(s).List(), func(v core.Var) bool { return !known(v) })
}

// flaggedOperator combines flags, captured numbers and values.
func (f *flattener) flaggedOperator(l *core.Lambda, captured []core.Var) *core.Lambda {
	ret := []core.Type{core.ScalarType(prim.Bool)}
	for _, v := range captured {
		ret = append(ret, f.Scope.TypeOf(v))
	}
	ret = append(ret, l.Ret...)
	k, w := len(ret), 1+len(captured)
	return f.Lambda("x", append(slices.Clip(ret), ret...), ret, func(b *core.Builder, ps []core.Operand) []core.Operand {
		left, right := ps[:k], ps[k:]
		one := b.If("x", left[0], ret[1:], func(*core.Builder) []core.Operand { return left[1:] },
			func(*core.Builder) []core.Operand { return right[1:] })
		both := b.Bin(prim.LogAnd, left[0], right[0])
		sub := core.Subst{}
		for i, v := range captured {
			sub[v] = left[1+i]
		}
		at := &core.Lambda{Params: l.Params, Body: sub.Body(l.Body), Ret: l.Ret}
		values := b.If("x", both, l.Ret, func(b *core.Builder) []core.Operand {
			return b.Apply(at, renamed, slices.Concat(left[w:], right[w:])...)
		}, func(*core.Builder) []core.Operand { return one[w-1:] })
		return slices.Concat([]core.Operand{b.Bin(prim.LogOr, left[0], right[0])}, one[:w-1], values)
	})
}

// packed are the values of an element at a point, as the closed operator combines them.
func (p *pointOperator) packed(values []core.Operand) []core.Operand {
	if !p.flagged {
		return values
	}
	return slices.Concat([]core.Operand{core.Bool(true)}, core.Vars(p.captured), values)
}

// first combines the neutral element, if it differs from point to point, with the values of an element or of all.
func (p *pointOperator) first(b *core.Builder, values []core.Operand) []core.Operand {
	if !p.varies {
		return values
	}
	return b.Apply(p.at, renamed, slices.Concat(p.neutral, values)...)
}

// unpacked is what a segment comes to at a point.
func (p *pointOperator) unpacked(b *core.Builder, xs []core.Operand) []core.Operand {
	if !p.flagged {
		return p.first(b, xs)
	}
	return b.If("x", xs[0], p.at.Ret, func(b *core.Builder) []core.Operand { return p.first(b, xs[p.extra():]) },
		func(*core.Builder) []core.Operand { return p.neutral })
}

// closedFold is a reduction or scan whose operators have been made the same at all points. A scan has the results that it had.
type closedFold struct {
	*core.Screma
	ops []*pointOperator
}

// closeFold makes the operators of a reduction or scan inside n the same at all points.
func (f *flattener) closeFold(n *nest, e *core.Screma) (c *closedFold, ok bool) {
	c = &closedFold{Screma: &core.Screma{Size: e.Size, Arrays: slices.Clip(e.Arrays)}}
	var closed []core.Operator
	varies := false
	for _, op := range slices.Concat(e.Scans, e.Reds) {
		p, ok := f.closeOperator(n, op)
		if !ok {
			return nil, false
		}
		varies = varies || p.varies
		c.ops, closed = append(c.ops, p), append(closed, p.closed)
	}
	scans := len(e.Scans) > 0
	params := slices.Clip(e.Map.Params)
	in := f.Nested()
	var isFirst core.Operand
	if scans && varies {
		is, j := f.Param("is", core.ArrayOf(core.I64, e.Size)), f.Param("j", core.I64)
		f.defs[is.Var] = &core.Iota{Type: prim.I64, N: e.Size, Start: core.Int(0), Step: core.Int(1)} // so it is not read
		c.Arrays, params = append(c.Arrays, is.Var), append(params, j)
		isFirst = in.Cmp(prim.Eq, core.V(j.Var), core.Int(0))
	}
	c.Map = &core.Lambda{Params: params, Body: &core.Body{}}
	res, rest := e.Map.Body.Res, e.Map.Ret
	for _, p := range c.ops {
		w := len(p.neutral)
		values := res[:w]
		if scans && p.varies {
			values = in.If("x", isFirst, p.at.Ret, func(b *core.Builder) []core.Operand { return p.first(b, values) },
				func(*core.Builder) []core.Operand { return values })
		}
		c.Map.Body.Res = append(c.Map.Body.Res, p.packed(values)...)
		c.Map.Ret = append(c.Map.Ret, p.closed.Lambda.Ret...)
		res, rest = res[w:], rest[w:]
	}
	c.Map.Body.Res, c.Map.Ret = append(c.Map.Body.Res, res...), append(c.Map.Ret, rest...)
	c.Map.Body.Stms = append(slices.Clip(e.Map.Body.Stms), in.Stms()...)
	switch {
	case !scans:
		c.Reds = closed
	case slices.ContainsFunc(c.ops, func(p *pointOperator) bool { return p.flagged }):
		c.Scans, c.Post = closed, f.postOf(c, e, rest)
	default:
		c.Scans, c.Post = closed, e.Post
	}
	return c, true
}

// postOf is a post lambda that gets what a closed scan returns, of which it passes the values on to that of the scan.
func (f *flattener) postOf(c *closedFold, e *core.Screma, kept []core.Type) *core.Lambda {
	ret := slices.Clone(e.Map.Ret)
	if e.Post != nil {
		ret = e.Post.Ret
	}
	return f.Lambda("x", c.Map.Ret, ret, func(b *core.Builder, ps []core.Operand) []core.Operand {
		var values []core.Operand
		for _, p := range c.ops {
			values = append(values, ps[p.extra():len(p.closed.Neutral)]...)
			ps = ps[len(p.closed.Neutral):]
		}
		values = append(values, ps[:len(kept)]...)
		if e.Post == nil {
			return values
		}
		return b.Apply(e.Post, renamed, values...)
	})
}

// unpacked are the results of a reduction at a point.
func (c *closedFold) unpacked(b *core.Builder, xs []core.Operand) []core.Operand {
	var out []core.Operand
	for _, p := range c.ops {
		w := len(p.closed.Neutral)
		out = append(out, p.unpacked(b, xs[:w])...)
		xs = xs[w:]
	}
	return out
}

// foldOfPoints is fold for operators that depend on the point.
func (f *flattener) foldOfPoints(n *nest, e *core.Screma, outs []core.Param) {
	c, ok := f.closeFold(n, e)
	if !ok {
		f.byPoints(n, e, outs)
		return
	}
	if len(c.Scans) > 0 {
		f.fold(n, c.Screma, outs)
		return
	}
	w := core.Width(c.Reds)
	sums := make([]core.Param, w)
	for i, t := range c.Map.Ret[:w] {
		sums[i] = f.Param("sum", t)
	}
	arrays := f.outputs(n, sums)
	own := core.Width(e.Reds)
	f.fold(n, c.Screma, append(slices.Clip(arrays), outs[own:]...))
	m := n.with(f.reading(n, sums, arrays)...)
	in := f.Nested()
	xs := c.unpacked(in, core.Vars(core.ParamVars(sums)))
	f.segMap(m.binding(in.Stms()...), in.Stms(), xs, outs[:own])
}

// foldRowsOfPoints is foldRows for operators that depend on the point. ok is false, and nothing is made, if there can be none that do not.
func (f *flattener) foldRowsOfPoints(n *nest, r *rows, e *core.Screma, dst []core.Param) (m *nest, ok bool) {
	c, ok := f.closeFold(n, e)
	switch {
	case !ok:
		return n, false
	case len(c.Scans) > 0:
		return f.scanRows(n, r, c.Screma, dst), true
	}
	sums := make([]core.Param, len(c.Map.Ret))
	for i, t := range c.Map.Ret {
		sums[i] = f.Param("sum", t)
	}
	m = f.reduceRows(n, r, c.Screma, sums)
	in := f.Nested()
	for i, x := range c.unpacked(in, core.Vars(core.ParamVars(sums))) {
		in.Bind(dst[i:i+1], &core.Use{X: x})
	}
	return m.with(in.Stms()...), true
}
