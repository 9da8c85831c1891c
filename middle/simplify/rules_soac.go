package simplify

import (
	"slices"

	"skald/middle/core"
)

// inputs drops inputs of a lambda that another input repeats, or that are the same value everywhere: a row of equal elements is filled in
// the lambda, so that what reads it there sees the element, and hoisted where the lambda needs the row itself.
func (s *simplifier) inputs(arrays []core.Var, l *core.Lambda) ([]core.Var, *core.Lambda) {
	keep := make([]bool, len(arrays))
	var rows []*core.Stm
	for i, a := range arrays {
		p := l.Params[i]
		if j := slices.Index(arrays[:i], a); j >= 0 && keep[j] {
			s.stand(p.Var, core.V(l.Params[j].Var))
			continue
		}
		in, ok := s.def(core.V(a)).(*core.Replicate)
		switch {
		case !ok || !in.X.IsConst() && s.overwritten(in.X.Var):
			keep[i] = true
		case len(in.Shape) == 1:
			s.stand(p.Var, in.X)
		default:
			row := &core.Replicate{Shape: in.Shape[1:], X: in.X}
			rows = append(rows, &core.Stm{Dst: []core.Param{p}, Exp: row, Aux: s.defs[a].Aux})
		}
	}
	if !slices.Contains(keep, false) {
		return arrays, l
	}
	body := &core.Body{Stms: slices.Concat(rows, l.Body.Stms), Res: l.Body.Res}
	return core.Kept(arrays, keep), &core.Lambda{Params: core.Kept(l.Params, keep), Body: s.sub.body(body), Ret: l.Ret}
}

func (s *simplifier) screma(st *core.Stm, e *core.Screma) *result {
	if arrays, l := s.inputs(e.Arrays, e.Map); l != e.Map {
		out := *e
		out.Arrays, out.Map = arrays, l
		return replace(&out)
	}
	if r := s.closedForms(st, e); r != nil {
		return r
	}
	if r := s.constantFold(st, e); r != nil { // Note [Loops of constants]
		return r
	}
	if r := s.tabulated(st, e); r != nil {
		return r
	}
	if near := s.neighbours(e); near != nil {
		return replace(near)
	}
	return s.plainResults(st, e)
}

// plainResults takes kept values that are an input as it is, a view of it, or the
// same everywhere, out of a SOAC: they are copies, views, and replications; one that is returned twice is returned once. A
// SOAC that would be left without results stays if its checks may fail.
func (s *simplifier) plainResults(st *core.Stm, e *core.Screma) *result {
	if e.Post != nil {
		return nil
	}
	ns, nr := core.Width(e.Scans), core.Width(e.Reds)
	bound := map[core.Var]*core.Stm{}
	for _, in := range e.Map.Body.Stms {
		for _, p := range in.Dst {
			bound[p.Var] = in
		}
	}
	keep := make([]bool, len(st.Dst))
	copies := make([]core.Exp, len(st.Dst))
	for i := range keep {
		keep[i] = true
		if i < ns+nr || st.Dst[i].Type.Kind != core.KindArray {
			continue
		}
		r := s.sub.Operand(e.Map.Body.Res[i])
		if j := s.returnedBefore(st, e, i); j >= 0 {
			keep[i] = false
			s.stand(st.Dst[i].Var, core.V(st.Dst[j].Var))
		} else if k := slices.Index(core.ParamVars(e.Map.Params), r.Var); r.Var != 0 && k >= 0 {
			copies[i], keep[i] = &core.Copy{Array: e.Arrays[k]}, false
		} else if bound[r.Var] == nil {
			copies[i], keep[i] = &core.Replicate{Shape: []core.Operand{e.Size}, X: r}, false
		} else if view := s.viewOfRows(e, bound, r.Var); view != nil && !s.overwritten(st.Dst[i].Var) {
			copies[i], keep[i] = view, false
		}
	}
	some := slices.Contains(keep, true)
	if !slices.Contains(keep, false) || !some && core.Any(e.Map.Body, core.MayFail) {
		return nil
	}
	for i, exp := range copies {
		if exp != nil {
			s.add(&core.Stm{Dst: st.Dst[i : i+1], Exp: exp, Aux: core.Aux{Where: st.Aux.Where}})
		}
	}
	if some {
		out := *e
		out.Map = &core.Lambda{
			Params: e.Map.Params, Ret: core.Kept(e.Map.Ret, keep),
			Body: &core.Body{Stms: e.Map.Body.Stms, Res: core.Kept(e.Map.Body.Res, keep)},
		}
		s.stm(&core.Stm{Dst: core.Kept(st.Dst, keep), Exp: &out, Aux: st.Aux})
	}
	values := make([]core.Operand, len(st.Dst))
	for i, p := range st.Dst {
		values[i] = s.sub.Operand(core.V(p.Var))
	}
	return value(values...)
}

// returnedBefore is the kept value that is the same as value i, if there is such a one before it and nothing overwrites either; else -1.
func (s *simplifier) returnedBefore(st *core.Stm, e *core.Screma, i int) int {
	if s.overwritten(st.Dst[i].Var) {
		return -1
	}
	for j := core.Width(e.Scans) + core.Width(e.Reds); j < i; j++ {
		if r := e.Map.Body.Res[i]; r.Var != 0 && e.Map.Body.Res[j] == r && !s.overwritten(st.Dst[j].Var) {
			return j
		}
	}
	return -1
}

// viewOfRows is the view of an input of a map whose rows are the variable v of the map's body, which has the statements of bound; nil if
// v is no such view. All that a view takes besides the array must be the same for each row.
func (s *simplifier) viewOfRows(e *core.Screma, bound map[core.Var]*core.Stm, v core.Var) core.Exp {
	params := core.ParamVars(e.Map.Params)
	own := func(o core.Operand) bool { return bound[o.Var] != nil || slices.Contains(params, o.Var) }
	base := func(row core.Var) (whole core.Var) {
		row = s.sub.Operand(core.V(row)).Var
		if k := slices.Index(params, row); k >= 0 {
			if !s.overwritten(e.Arrays[k]) {
				whole = e.Arrays[k]
			}
		} else if bound[row] != nil {
			if view := s.viewOfRows(e, bound, row); view != nil {
				whole = s.let(s.Fun.Base(row), view).Var
			}
		}
		return whole
	}
	if len(bound[v].Aux.Certs) > 0 {
		return nil
	}
	switch view := core.Match(bound[v].Exp).(type) {
	case *core.Rearrange:
		if whole := base(view.Array); whole != 0 {
			perm := []int{0}
			for _, p := range view.Perm {
				perm = append(perm, p+1)
			}
			return &core.Rearrange{Perm: perm, Array: whole}
		}
	case *core.Index:
		slice := core.Slice{core.Range(core.Int(0), e.Size, core.Int(1))}
		for _, d := range view.Slice {
			d.Off, d.Len, d.Stride = s.sub.Operand(d.Off), s.sub.Operand(d.Len), s.sub.Operand(d.Stride)
			if own(d.Off) || own(d.Len) || own(d.Stride) {
				return nil
			}
			slice = append(slice, d)
		}
		if whole := base(view.Array); whole != 0 {
			return &core.Index{Array: whole, Slice: slice}
		}
	default:
	}
	return nil
}
