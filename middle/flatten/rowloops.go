package flatten

import (
	"maps"
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
// These loops are one, as each element depends only on those at the same place, and what is combined so far is overwritten; what f or g
// need of a row is computed before the loop over its elements:
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
	made    mappedRow
	op      *core.Screma // maps the operator over the elements of two rows
	neutral []core.Operand
	// A map over the scanned rows, or nil, how it makes its rows, and which results of e its parameters are; -1 for rows of arrays.
	post     *core.Screma
	postMade mappedRow
	scanned  []int
	dst      []core.Param
	stms     []*core.Stm // what all this replaces
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
	r := &rowLoops{e: e, scan: len(e.Scans) > 0, dst: s.Dst, stms: b.Stms[i : i+1]}
	if r.made, ok = f.mapOfRow(e.Map, e.Map.Body.Res); !ok {
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
	made, ok := f.mapOfRow(m.Map, m.Map.Body.Res)
	if !ok || made.inner.Size != r.op.Size {
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
	used := core.FreeInBody(made.elem)
	for _, s := range made.before {
		used.AddFree(s)
	}
	for k, p := range m.Map.Params {
		if scanned[k] >= 0 && used.Has(p.Var) {
			return
		}
	}
	r.post, r.postMade, r.scanned, r.dst, r.stms = m, made, scanned, b.Stms[j].Dst, b.Stms[j-1:j+1]
}

// rowInThread does what m does for row i before it makes its elements, and returns what makes element j. Parameter k of m's function is a
// row that is read, or, at its element j, value scanned[k] of vals if that is not negative.
func (f *flattener) rowInThread(
	b *core.Builder, m *core.Screma, r mappedRow, i core.Operand, scanned []int,
) func(b *core.Builder, j core.Operand, vals []core.Operand) []core.Operand {
	read, given := core.Subst{}, map[core.Var]int{}
	for k, p := range m.Map.Params {
		if scanned[k] >= 0 {
			given[p.Var] = scanned[k]
			continue
		}
		read[p.Var] = f.elements(b, m.Arrays[k:k+1], i)[0]
	}
	if !r.again {
		once := &core.Lambda{Body: &core.Body{Stms: r.before}}
		r.keep(once)
		for k, x := range b.Splice(f.sequentialBody(once.Body), read) {
			read[r.kept[k].Var] = x
		}
	}
	elem := f.sequentialBody(r.elem)
	return func(b *core.Builder, j core.Operand, vals []core.Operand) []core.Operand {
		sub := maps.Clone(read)
		for k, a := range r.inner.Arrays {
			p := r.inner.Map.Params[k].Var
			if n, is := given[a]; is {
				sub[p] = vals[n]
				continue
			}
			sub[p] = f.elements(b, []core.Var{read.Operand(core.V(a)).Var}, j)[0]
		}
		return b.Splice(elem, sub)
	}
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
	width := len(ps)
	for _, p := range dst[width:] {
		add(in.Param(f.Fun.Base(p.Var), p.Type), in.Let("out", &core.Scratch{Elem: p.Type.Elem, Shape: p.Type.Shape}))
	}
	i := in.Param("i", core.I64)
	body := in.Build(func(b *core.Builder) []core.Operand {
		made := f.rowInThread(b, r.e, r.made, core.V(i.Var), slices.Repeat([]int{-1}, len(r.e.Arrays)))
		mapped := func(_ *core.Builder, _ core.Operand, vals []core.Operand) []core.Operand { return vals }
		if r.post != nil {
			mapped = f.rowInThread(b, r.post, r.postMade, core.V(i.Var), r.scanned)
		}
		inner := make([]core.Param, len(ps))
		for k, p := range ps {
			inner[k] = b.Param(f.Fun.Base(p.Var), p.Type)
			inner[k].Unique = true
		}
		init := core.Vars(core.ParamVars(ps))
		return b.ForLoop(inner, init, r.op.Size, func(b *core.Builder, j core.Operand, ps []core.Operand) []core.Operand {
			var old []core.Operand
			for _, acc := range ps[:width] {
				old = append(old, b.Index("old", acc.Var, j))
			}
			xs := made(b, j, nil)
			accs, vals := f.applySequential(b, r.op.Map, append(old, xs[:width]...)), xs[width:]
			if r.scan {
				vals = append(slices.Clip(accs), vals...)
			}
			var res []core.Operand
			for k, acc := range ps[:width] {
				res = append(res, core.V(b.Update(acc.Var, accs[k], j)))
			}
			for k, x := range mapped(b, j, vals) {
				res = append(res, core.V(b.Update(ps[width+k].Var, x, core.V(i.Var), j)))
			}
			return res
		})
	})
	in.Bind(dst, &core.Loop{Params: ps, Init: init, Index: i, Bound: r.e.Size, Body: body})
	b.Add(in.Stms()...)
}
