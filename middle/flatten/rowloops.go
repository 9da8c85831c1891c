package flatten

import (
	"slices"

	"skald/middle/core"
)

// Note [Rows in one loop]
//
// A thread that scans or reduces rows, by an operator that maps another over their elements, would go over each row some times: to make it,
// to combine it with the rows so far, and to map the result, with an array between each two.
//
//	map (map g) (scan (map2 op) (replicate m e) (map (map f) xss))
//
// These loops are one, as each element depends only on those at the same place, and what is combined so far is overwritten:
//
//	loop (acc = replicate m e, out = scratch [n][m]) for i < n {
//	  loop (acc, out) for j < m {
//	    let a = op acc[j] (f xss[i, j])
//	    in (acc with [j] = a, out with [i, j] = g a)
//	  }
//	}
//
// Passes before leave them apart, since where threads share rows the operator is that of a scan of each column (interchangeOperator).

// rowLoops are a scan or reduction of rows, with what its map returns besides, that a thread does in one loop inside another: see
// Note [Rows in one loop].
type rowLoops struct {
	e       *core.Screma
	scan    bool
	made    *rowMap
	op      *core.Screma // maps the operator over the elements of two rows
	neutral []core.Operand
	// What maps the scanned rows, with the arrays whose rows it reads, or nil.
	post    *rowMap
	arrays  []core.Var
	scanned []int // which results of e the parameters of post are; -1 for rows of arrays
	dst     []core.Param
	stms    []*core.Stm // what all this replaces
}

// rowMap is a function on rows that maps another over their elements, behind views of what it reads.
type rowMap struct {
	lambda *core.Lambda
	views  []*core.Stm
	inner  *core.Screma
	at     []int // which results of inner are those of the function
}

// rowMapOf takes a function on rows apart; nil if it is anything else.
func rowMapOf(l *core.Lambda) *rowMap {
	last := len(l.Body.Stms) - 1
	if last < 0 || slices.ContainsFunc(l.Body.Stms, func(s *core.Stm) bool { return len(s.Aux.Certs) > 0 }) {
		return nil
	}
	inner, ok := l.Body.Stms[last].Exp.(*core.Screma)
	if !ok || !onlyMaps(inner) || !core.OnlyScalars(inner.Map.Ret) {
		return nil
	}
	views := l.Body.Stms[:last]
	if slices.ContainsFunc(views, func(s *core.Stm) bool { _, ok := s.Exp.(core.View); return !ok }) {
		return nil
	}
	m := &rowMap{lambda: l, views: views, inner: inner}
	for _, x := range l.Body.Res {
		m.at = append(m.at, slices.IndexFunc(l.Body.Stms[last].Dst, func(p core.Param) bool { return x.IsVar(p.Var) }))
	}
	if slices.Contains(m.at, -1) {
		return nil
	}
	return m
}

// onlyMaps reports whether a SOAC is a map.
func onlyMaps(e *core.Screma) bool { return len(e.Scans)+len(e.Reds) == 0 && e.Post == nil }

// rowLoopsAt finds rows that statement i of a body scans or reduces, and what maps them behind it; nil if it does anything else.
func (f *flattener) rowLoopsAt(b *core.Body, i int) *rowLoops {
	s := b.Stms[i]
	e, ok := s.Exp.(*core.Screma)
	if !ok || f.onHost || len(e.Scans)+len(e.Reds) != 1 || e.Post != nil || f.noWorkgroups() {
		return nil
	}
	op := slices.Concat(e.Scans, e.Reds)[0]
	if op.Lambda.Ret[0].IsScalar() {
		return nil
	}
	r := &rowLoops{e: e, scan: len(e.Scans) > 0, made: rowMapOf(e.Map), dst: s.Dst, stms: b.Stms[i : i+1]}
	if r.made == nil {
		return nil
	}
	if r.op, r.neutral, ok = f.mapOperator(op); !ok || r.made.inner.Size != r.op.Size {
		return nil
	}
	if r.scan && i+1 < len(b.Stms) {
		f.mapsScanned(r, b, i+1)
	}
	return r
}

// mapsScanned adds statement j if it maps what r scans, and nothing else needs that.
func (f *flattener) mapsScanned(r *rowLoops, b *core.Body, j int) {
	m, ok := b.Stms[j].Exp.(*core.Screma)
	if !ok || m.Size != r.e.Size || !onlyMaps(m) {
		return
	}
	post := rowMapOf(m.Map)
	if post == nil || post.inner.Size != r.op.Size {
		return
	}
	var scanned []int
	for _, a := range m.Arrays {
		scanned = append(scanned, slices.Index(core.ParamVars(r.dst), a))
	}
	behind := core.FreeInBody(&core.Body{Stms: b.Stms[j+1:], Res: b.Res})
	inside := core.FreeInLambda(m.Map)
	if slices.ContainsFunc(r.dst, func(p core.Param) bool {
		return behind.Has(p.Var) || inside.Has(p.Var) || !slices.Contains(m.Arrays, p.Var)
	}) {
		return
	}
	// A scanned row may be read at the place that is being computed alone.
	used := core.FreeInLambda(post.inner.Map)
	for _, s := range post.views {
		used.AddFree(s)
	}
	for k, p := range m.Map.Params {
		if scanned[k] >= 0 && used.Has(p.Var) {
			return
		}
	}
	r.post, r.arrays, r.scanned, r.dst, r.stms = post, m.Arrays, scanned, b.Stms[j].Dst, b.Stms[j-1:j+1]
}

// elementOf is the function that computes element j of a row from what the row is made of: l's parameters, those that given names as
// elements, and j.
func (f *flattener) elementOf(r *rowMap, given func(k int) bool) *core.Lambda {
	params, elems := slices.Clone(r.lambda.Params), map[core.Var]core.Operand{}
	for k, p := range params {
		if given(k) {
			params[k] = f.Param("x", p.Type.Row(1))
			elems[p.Var] = core.V(params[k].Var)
		}
	}
	params = append(params, f.Param("j", core.I64))
	ret := make([]core.Type, len(r.at))
	for k, at := range r.at {
		ret[k] = r.inner.Map.Ret[at]
	}
	return f.LambdaOf(params, ret, func(b *core.Builder, ps []core.Operand) []core.Operand {
		b.Add(r.views...)
		var args []core.Operand
		for k, a := range r.inner.Arrays {
			if x, ok := elems[a]; ok {
				args = append(args, x)
				continue
			}
			p := b.Param("x", r.inner.Map.Params[k].Type)
			f.element(b, p, a, ps[len(ps)-1])
			args = append(args, core.V(p.Var))
		}
		all := b.Apply(r.inner.Map, renamed, args...)
		res := make([]core.Operand, len(r.at))
		for k, at := range r.at {
			res[k] = all[at]
		}
		return res
	})
}

// loopsOfRows makes the loops: see Note [Rows in one loop].
func (f *flattener) loopsOfRows(b *core.Builder, r *rowLoops) {
	in := b.Nested()
	for _, s := range r.stms {
		in.Where, in.Attrs, in.Certs = s.Aux.Where, s.Aux.Attrs, append(slices.Clip(in.Certs), s.Aux.Certs...)
	}
	var ps []core.Param
	var init []core.Operand
	add := func(p core.Param, x core.Operand) {
		p.Unique = true
		ps, init = append(ps, p), append(init, x)
	}
	for k, x := range r.neutral {
		row := in.Param("acc", core.ArrayOf(r.op.Map.Ret[k], r.op.Size))
		f.loopOfReplicate(in, &core.Stm{Dst: []core.Param{row}}, &core.Replicate{Shape: row.Type.Shape, X: x})
		add(in.Param("acc", row.Type), core.V(row.Var))
	}
	dst := r.dst
	if r.scan {
		var last []core.Param
		for _, p := range ps {
			last = append(last, in.Param("last", p.Type))
		}
		dst = append(last, dst...)
	}
	for _, p := range dst[len(ps):] {
		add(in.Param(f.Fun.Base(p.Var), p.Type), in.Let("out", &core.Scratch{Elem: p.Type.Elem, Shape: p.Type.Shape}))
	}
	element := f.elementOf(r.made, func(int) bool { return false })
	var post *core.Lambda
	if r.post != nil {
		post = f.elementOf(r.post, func(k int) bool { return r.scanned[k] >= 0 })
	}
	i := in.Param("i", core.I64)
	body := in.Build(func(b *core.Builder) []core.Operand {
		rows := f.elements(b, r.e.Arrays, core.V(i.Var))
		inner := make([]core.Param, len(ps))
		for k, p := range ps {
			inner[k] = b.Param(f.Fun.Base(p.Var), p.Type)
			inner[k].Unique = true
		}
		init := core.Vars(core.ParamVars(ps))
		return b.ForLoop(inner, init, r.op.Size, func(b *core.Builder, j core.Operand, ps []core.Operand) []core.Operand {
			xs := f.applySequential(b, element, append(slices.Clip(rows), j))
			return f.rowElement(b, r, xs, post, []core.Operand{core.V(i.Var), j}, ps)
		})
	})
	in.Bind(dst, &core.Loop{Params: ps, Init: init, Index: i, Bound: r.e.Size, Body: body})
	b.Add(in.Stms()...)
}

// rowElement combines an element xs of a row, of which at has the row's number and its own, with those of the rows so far, and stores the
// result in ps.
func (f *flattener) rowElement(b *core.Builder, r *rowLoops, xs []core.Operand, post *core.Lambda, at, ps []core.Operand) []core.Operand {
	width, j := len(r.neutral), at[1]
	var old []core.Operand
	for _, acc := range ps[:width] {
		old = append(old, b.Index("old", acc.Var, j))
	}
	accs := f.applySequential(b, r.op.Map, append(old, xs[:width]...))
	vals := xs[width:]
	if r.scan {
		vals = append(slices.Clip(accs), vals...)
	}
	if post != nil {
		var args []core.Operand
		for k, a := range r.arrays {
			if n := r.scanned[k]; n >= 0 {
				args = append(args, vals[n])
				continue
			}
			args = append(args, f.elements(b, []core.Var{a}, at[0])...)
		}
		vals = f.applySequential(b, post, append(args, j))
	}
	var res []core.Operand
	for k, acc := range ps[:width] {
		res = append(res, core.V(b.Update(acc.Var, accs[k], j)))
	}
	for k, out := range ps[width:] {
		res = append(res, core.V(b.Update(out.Var, vals[k], at...)))
	}
	return res
}
