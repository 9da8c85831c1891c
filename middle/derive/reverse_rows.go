package derive

import (
	"slices"

	"skald/middle/core"
)

// rowwise returns the operator that op maps over rows, if it does: reductions and scans of rows are then taken as maps of reductions and
// scans of columns.
//
//	reduce (map2 op) (replicate m e) xss = map (reduce op e) (transpose xss)
func rowwise(op *core.Lambda) (*core.Screma, bool) {
	var inner *core.Screma
	var dst []core.Param
	source := map[core.Var]core.Var{}
	for _, s := range op.Body.Stms {
		switch e := core.Match(s.Exp).(type) {
		case *core.Reshape:
			from := e.Array
			if v, ok := source[from]; ok {
				from = v
			}
			source[s.Dst[0].Var] = from
		case *core.Screma:
			if inner != nil || len(e.Scans)+len(e.Reds) > 0 || e.Post != nil {
				return nil, false
			}
			inner, dst = e, s.Dst
		default:
			return nil, false
		}
	}
	if inner == nil {
		return nil, false
	}
	origins := func(vs []core.Var) []core.Var {
		out := slices.Clone(vs)
		for i, v := range out {
			if w, ok := source[v]; ok {
				out[i] = w
			}
		}
		return out
	}
	same := slices.Equal(origins(inner.Arrays), core.ParamVars(op.Params)) &&
		slices.Equal(origins(core.VarsOf(op.Body.Res)), core.ParamVars(dst))
	return inner, same
}

// Arguments of columns and sequential.
const (
	asScan      = true
	asReduction = false
)

// columns is reduce or scan for such an operator.
func (c *reverser) columns(b *core.Builder, f *fold, inner *core.Screma, scan bool) back {
	k := len(f.arrays)
	var backs []back
	add := func(dst core.Param, e core.Exp) {
		backs = append(backs, c.stm(b, &core.Stm{Dst: []core.Param{dst}, Exp: e, Aux: f.aux}))
	}
	transposed := func(t core.Type) ([]int, core.Type) {
		shape := slices.Clone(t.Shape)
		shape[0], shape[1] = t.Shape[1], t.Shape[0]
		return core.Transposition(t.Rank()), t.WithShape(shape)
	}
	var arrays []core.Var
	var params []core.Type
	for _, a := range f.arrays {
		perm, t := transposed(b.Scope.TypeOf(a))
		column := b.Param("column", t)
		add(column, &core.Rearrange{Perm: perm, Array: a})
		arrays, params = append(arrays, column.Var), append(params, t.Row(1))
	}
	for _, x := range f.op.Neutral {
		arrays, params = append(arrays, x.Var), append(params, b.TypeOf(x).Row(1))
	}
	rows := inner.Map.Ret
	ret := rows
	if scan {
		ret = params[:k]
	}
	l := b.Lambda("column", params, ret, func(b *core.Builder, ps []core.Operand) []core.Operand {
		op := core.Operator{Lambda: inner.Map, Neutral: ps[k:], Commutative: f.op.Commutative}
		e := &core.Screma{Size: f.size, Arrays: core.VarsOf(ps[:k]), Map: b.Identity(rows)}
		if scan {
			e.Scans = []core.Operator{op}
		} else {
			e.Reds = []core.Operator{op}
		}
		return b.LetN("folded", e)
	})
	m := &core.Screma{Size: b.Scope.TypeOf(arrays[0]).Shape[0], Arrays: arrays, Map: l}
	if !scan {
		backs = append(backs, c.stm(b, &core.Stm{Dst: f.dst, Exp: m, Aux: f.aux}))
		return inReverse(backs)
	}
	folded := make([]core.Param, k)
	for i, p := range f.dst {
		_, t := transposed(p.Type)
		folded[i] = b.Param("folded", t)
	}
	backs = append(backs, c.stm(b, &core.Stm{Dst: folded, Exp: m, Aux: f.aux}))
	for i, p := range f.dst {
		perm, _ := transposed(folded[i].Type)
		add(p, &core.Rearrange{Perm: perm, Array: folded[i].Var})
	}
	return inReverse(backs)
}
