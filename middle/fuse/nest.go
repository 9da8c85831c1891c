package fuse

import (
	"cmp"
	"slices"

	"skald/middle/core"
)

// nest is a perfect nest of maps: the innermost function, and by which of the maps each of its parameters goes over which array.
type nest struct {
	sizes  []core.Operand // of the maps, the outermost first
	leaves []leaf
	stms   []*core.Stm // scalar code of outer functions
	body   *core.Body
	ret    []core.Type
}

// leaf is a parameter that functions of a nest read: the element of an array at the indices of some maps, in the order of its dimensions.
type leaf struct {
	param  core.Param
	array  core.Var
	levels []int
}

// nestOf is the map of a statement as a nest of so many maps, or nil if it is none.
func (v *viewer) nestOf(p *core.Stm, e *core.Screma, depth int) *nest {
	n := &nest{}
	rows := map[core.Var]leaf{}
	bound := &core.VarSet{}
	var results []int // of the statement, among those of the map at hand
	for k := range p.Dst {
		results = append(results, k)
	}
	for level := range depth {
		n.sizes = append(n.sizes, e.Size)
		for k, q := range e.Map.Params {
			l := leaf{param: q, array: e.Arrays[k], levels: []int{level}}
			if row, ok := rows[e.Arrays[k]]; ok {
				l.array, l.levels = row.array, append(slices.Clip(row.levels), level)
			}
			rows[q.Var] = l
			bound.Add(q.Var)
			n.leaves = append(n.leaves, l)
		}
		if level == depth-1 {
			break
		}
		inner := n.outside(e.Map.Body, bound)
		if inner == nil {
			return nil
		}
		for k, r := range results {
			if results[k] = slices.Index(core.ParamVars(inner.Dst), e.Map.Body.Res[r].Var); results[k] < 0 {
				return nil
			}
		}
		e = inner.Exp.(*core.Screma)
	}
	n.body = &core.Body{Stms: e.Map.Body.Stms}
	for _, r := range results {
		n.body.Res, n.ret = append(n.body.Res, e.Map.Body.Res[r]), append(n.ret, e.Map.Ret[r])
	}
	free := core.FreeInBody(&core.Body{Stms: slices.Concat(n.stms, n.body.Stms), Res: n.body.Res})
	n.leaves = slices.DeleteFunc(n.leaves, func(l leaf) bool { return !free.Has(l.param.Var) })
	return n
}

// outside takes the scalar code of an outer function into a nest and returns the map that is the rest of it: nil if the rest is something
// else, or of a size that differs from point to point.
func (n *nest) outside(b *core.Body, bound *core.VarSet) *core.Stm {
	if len(b.Stms) == 0 {
		return nil
	}
	last := len(b.Stms) - 1
	for _, s := range b.Stms[:last] {
		switch core.Match(s.Exp).(type) {
		case *core.Un, *core.Bin, *core.Cmp, *core.Conv:
		default:
			return nil
		}
		n.stms = append(n.stms, s)
		bound.Add(s.Dst[0].Var)
	}
	inner := b.Stms[last]
	e := onlyMaps(inner)
	if e == nil || bound.Has(e.Size.Var) || len(inner.Aux.Certs) > 0 {
		return nil
	}
	return inner
}

// bind adds the nest with its maps in another order.
func (n *nest) bind(in *core.Builder, order []int, dst []core.Param) {
	at := make([]int, len(order)) // where in the new order a map is
	for k, level := range order {
		at[level] = k
	}
	arrays := make([]core.Var, len(n.leaves))
	for i, l := range n.leaves {
		arrays[i] = n.turned(in, l, at)
	}
	in.Bind(dst, n.level(in, order, 0, arrays))
}

// turned is the array of a leaf with its dimensions as the new order has them.
func (n *nest) turned(in *core.Builder, l leaf, at []int) core.Var {
	perm := identity(len(l.levels))
	slices.SortFunc(perm, func(a, b int) int { return at[l.levels[a]] - at[l.levels[b]] })
	if slices.IsSorted(perm) {
		return l.array
	}
	shape := make([]core.Operand, len(perm))
	for k, d := range perm {
		shape[k] = n.sizes[l.levels[d]]
	}
	for d := range l.param.Type.Shape {
		perm = append(perm, len(l.levels)+d)
	}
	q := in.Param("turned", core.ArrayOf(l.param.Type, shape...))
	in.Bind([]core.Param{q}, &core.Rearrange{Perm: perm, Array: l.array})
	return q.Var
}

// level is the map at a place of the order, with those inside of it. Of each leaf, arrays has what is left to go over.
func (n *nest) level(in *core.Builder, order []int, at int, arrays []core.Var) *core.Screma {
	e := &core.Screma{Size: n.sizes[order[at]], Map: &core.Lambda{}}
	rows := slices.Clone(arrays)
	for i, l := range n.leaves {
		if !slices.Contains(l.levels, order[at]) {
			continue
		}
		var left []core.Operand
		for _, level := range order[at+1:] {
			if slices.Contains(l.levels, level) {
				left = append(left, n.sizes[level])
			}
		}
		q := l.param
		if len(left) > 0 {
			q = in.Param("row", core.ArrayOf(l.param.Type, left...))
		}
		e.Arrays, e.Map.Params, rows[i] = append(e.Arrays, arrays[i]), append(e.Map.Params, q), q.Var
	}
	if at == len(order)-1 {
		e.Map.Body = &core.Body{Stms: slices.Concat(n.stms, n.body.Stms), Res: n.body.Res}
		e.Map.Ret = n.ret
		return e
	}
	inner := in.Nested()
	var sizes []core.Operand
	for _, level := range order[at+1:] {
		sizes = append(sizes, n.sizes[level])
	}
	var dst []core.Param
	for _, t := range n.ret {
		dst = append(dst, in.Param("row", core.ArrayOf(t, sizes...)))
	}
	inner.Bind(dst, n.level(in, order, at+1, rows))
	e.Map.Body, e.Map.Ret = inner.Body(core.Vars(core.ParamVars(dst))...), core.ParamTypes(dst)
	return e
}

// split makes a nest of one map one of several, whose sizes multiply to that of the map. Some arrays are views of others in that shape.
func (n *nest) split(v *viewer, in *core.Builder, sizes []core.Operand, views map[core.Var]core.Var) {
	n.sizes = sizes
	levels := identity(len(sizes))
	leaves := n.leaves
	n.leaves = nil
	var flat core.Operand // the index of a point
	for _, l := range leaves {
		if e := v.iota(l.array); e != nil {
			if flat.Var == 0 {
				flat = n.index(v, in)
			}
			code := in.Nested()
			x := code.Conv(flat, e.Type)
			if !e.Step.IsConst() || !e.Step.Const.IsOne() {
				x = code.Bin(multiplication, x, e.Step)
			}
			if !e.Start.IsConst() || !e.Start.Const.IsZero() {
				x = code.Bin(addition, e.Start, x)
			}
			code.Bind([]core.Param{l.param}, &core.Use{X: x})
			n.stms = append(n.stms, code.Stms()...)
			continue
		}
		if whole := cmp.Or(views[l.array], v.inShape(l, sizes)); whole != 0 {
			l.array = whole
		} else {
			q := in.Param("rows", core.ArrayOf(l.param.Type, sizes...))
			in.Bind([]core.Param{q}, &core.Reshape{Shape: q.Type.Shape, Array: l.array})
			l.array = q.Var
		}
		l.levels = levels
		n.leaves = append(n.leaves, l)
	}
}

// inShape is the array that the one of a leaf is a view of, if that has the dimensions of the nest; else zero.
func (v *viewer) inShape(l leaf, sizes []core.Operand) core.Var {
	s := v.defs[l.array]
	if s == nil {
		return 0
	}
	if e, ok := s.Exp.(*core.Reshape); ok && v.TypeOf(core.V(e.Array)).Same(core.ArrayOf(l.param.Type, sizes...)) {
		return e.Array
	}
	return 0
}

// index is the index of a point of a nest as if it had one dimension.
func (n *nest) index(v *viewer, in *core.Builder) core.Operand {
	code := in.Nested()
	flat := core.Int(0)
	for level, size := range n.sizes {
		is := v.iotaOf(in, &core.Iota{Type: i64, N: size, Start: core.Int(0), Step: core.Int(1)})
		i := in.Param("i", core.I64)
		n.leaves = append(n.leaves, leaf{param: i, array: is, levels: []int{level}})
		if level == 0 {
			flat = core.V(i.Var)
		} else {
			flat = code.Add64(code.Mul64(flat, size), core.V(i.Var))
		}
	}
	n.stms = append(n.stms, code.Stms()...)
	return flat
}

// full reports whether each leaf goes over all maps, and over an array that is in memory.
func (n *nest) full(v *viewer) bool {
	return !slices.ContainsFunc(n.leaves, func(l leaf) bool {
		return v.iota(l.array) != nil || !slices.Equal(l.levels, identity(len(n.sizes)))
	})
}

// flatten makes a full nest one map.
func (n *nest) flatten(in *core.Builder, size core.Operand) {
	n.sizes = []core.Operand{size}
	for i, l := range n.leaves {
		q := in.Param("flat", core.ArrayOf(l.param.Type, size))
		in.Bind([]core.Param{q}, &core.Reshape{Shape: q.Type.Shape, Array: l.array})
		n.leaves[i].array, n.leaves[i].levels = q.Var, []int{0}
	}
}
