package fuse

import (
	"slices"

	"skald/middle/core"
)

// Note [Views between maps]
//
// A slice, transposition or reshape of what a map makes is between the map and what reads it. It goes to the other side of the map, onto
// its inputs, where it costs nothing, and then the two are fused:
//
//   - A slice of a map is a map of slices, if the map cannot fail where nobody looks. It is so even if nothing is fused: fewer points run.
//     But a map of what a scan returns goes into the scan (Note [Post lambdas of SOACs]), and keeps its slice.
//   - A transposition of a nest of maps is the nest in another order, over transposed inputs.
//   - A map of one dimension in several dimensions (unflatten) is a nest over its inputs in these; an iota is computed from the indices.
//   - A nest in one dimension (flatten) is one map if each input has all dimensions of the nest. If not, what reads it becomes a nest of
//     the same shape, if that is a map, whose result is flattened in turn.
//
// The nests are perfect: what is beside the inner map is arithmetic on scalars, which every point then does. All results of the map are
// looked at in the same way, each by one view, and nothing else reads them. All but slices move only where a SOAC reads the view, or
// another view that a SOAC reads, and not inside of SOACs: there the array is often one thread's own, whose views cost nothing, and a
// deeper nest has more versions.

// viewer moves views of what maps make, one round over a function.
type viewer struct {
	*fuser
	*core.Builder
	defs  map[core.Var]*core.Stm // iotas and reshapes
	fresh map[*core.Stm]bool     // made in this round, of which no aliases are known
	any   bool
	// within says that the body at hand is a SOAC's: Note [Views between maps].
	within bool
}

// views moves views of what maps make to what the maps read: see Note [Views between maps]. It reports whether there were any.
func views(f *core.Fun) bool {
	v := &viewer{
		fuser: newFuser(f), Builder: core.NewBuilder(f, core.ScopeOf(f)), defs: map[core.Var]*core.Stm{}, fresh: map[*core.Stm]bool{},
	}
	core.Walk(f.Body, func(s *core.Stm) bool {
		switch core.Match(s.Exp).(type) {
		case *core.Iota, *core.Reshape:
			v.defs[s.Dst[0].Var] = s
		default:
		}
		return true
	})
	f.Body = v.body(f.Body)
	return v.any
}

func (v *viewer) body(b *core.Body) *core.Body {
	stms := b.Stms
	for {
		next, ok := v.move(stms, b.Res)
		if !ok {
			break
		}
		stms, v.any = next, true
	}
	out := make([]*core.Stm, len(stms))
	for i, s := range stms {
		out[i] = s
		if v.fresh[s] {
			continue
		}
		outer := v.within
		v.within = outer || inputs(s.Exp) != nil || onlyMaps(s) != nil
		out[i] = &core.Stm{Dst: s.Dst, Exp: core.MapBodies(s.Exp, v.body), Aux: s.Aux}
		v.within = outer
	}
	return &core.Body{Stms: out, Res: b.Res}
}

// move moves the views of one map.
func (v *viewer) move(stms []*core.Stm, res []core.Operand) ([]*core.Stm, bool) {
	for i, p := range stms {
		prod := onlyMaps(p)
		if prod == nil || v.fresh[p] {
			continue
		}
		if at := v.viewsOf(stms, res, i); at != nil && v.meet(stms, i, at[0]) == at[0] && !v.overwritesInputs(p, prod) {
			if made := v.through(stms, at, p, prod); made != nil {
				return v.replaced(stms, append(at, i), at[0], made), true
			}
		}
	}
	for j := range stms {
		if v.within {
			break
		}
		if next := v.nested(stms, res, j); next != nil {
			return next, true
		}
	}
	return nil, false
}

// replaced is spliced for good: views that are gone are looked through no longer, since what they view may be gone, too.
func (v *viewer) replaced(stms []*core.Stm, gone []int, at int, made []*core.Stm) []*core.Stm {
	for _, k := range gone {
		delete(v.defs, first(stms[k]))
	}
	for _, s := range made {
		v.fresh[s] = true
	}
	return v.spliced(stms, gone, at, made)
}

// spliced replaces statement at by others, and drops those of gone.
func (*viewer) spliced(stms []*core.Stm, gone []int, at int, made []*core.Stm) []*core.Stm {
	var out []*core.Stm
	for k, s := range stms {
		if k == at {
			out = append(out, made...)
		}
		if !slices.Contains(gone, k) {
			out = append(out, s)
		}
	}
	return out
}

// onlyMaps is the map of a statement that returns arrays alone and does nothing else, or nil.
func onlyMaps(s *core.Stm) *core.Screma {
	e, ok := s.Exp.(*core.Screma)
	if !ok || len(e.Scans)+len(e.Reds) > 0 || e.Post != nil || len(s.Dst) == 0 || sequential(s) ||
		slices.ContainsFunc(s.Dst, func(p core.Param) bool { return !p.Type.IsArray() }) {
		return nil
	}
	return e
}

// overwritesInputs reports whether a map overwrites what it reads, row by row.
func (v *viewer) overwritesInputs(p *core.Stm, e *core.Screma) bool {
	return slices.ContainsFunc(v.overwritten(p).List(), func(w core.Var) bool {
		return slices.ContainsFunc(e.Arrays, func(a core.Var) bool { return v.mayAlias(w, a) })
	})
}

// viewsOf finds the views of statement i, the first of them first: of each result one, all alike, if nothing else uses the results.
func (v *viewer) viewsOf(stms []*core.Stm, res []core.Operand, i int) []int {
	var at []int
	for _, q := range stms[i].Dst {
		if slices.ContainsFunc(res, func(o core.Operand) bool { return o.IsVar(q.Var) }) {
			return nil
		}
		view := -1
		for k := i + 1; k < len(stms); k++ {
			if !v.freeIn(stms[k]).Has(q.Var) {
				continue
			}
			if view >= 0 || viewed(stms[k]) != q.Var || v.fresh[stms[k]] {
				return nil
			}
			view = k
		}
		if view < 0 || len(at) > 0 && !alike(stms[at[0]].Exp, stms[view].Exp) {
			return nil
		}
		at = append(at, view)
	}
	slices.Sort(at)
	return at
}

// viewed is the array that a statement is a view of, or zero.
func viewed(s *core.Stm) core.Var {
	switch e := core.Match(s.Exp).(type) {
	case *core.Index:
		return e.Array
	case *core.Rearrange:
		return e.Array
	case *core.Reshape:
		return e.Array
	default:
		return 0
	}
}

// alike reports whether two views look at the outer dimensions in one way.
func alike(a, b core.Exp) bool {
	switch a := core.Match(a).(type) {
	case *core.Index:
		b, ok := b.(*core.Index)
		return ok && a.Slice[0] == b.Slice[0]
	case *core.Rearrange:
		b, ok := b.(*core.Rearrange)
		return ok && slices.Equal(a.Perm, b.Perm)
	case *core.Reshape:
		b, ok := b.(*core.Reshape)
		return ok && slices.Equal(a.Shape, b.Shape)
	default:
		return false
	}
}

// through is the map of p with the views of it on what it reads; nil if that cannot be. The views are the statements at.
func (v *viewer) through(stms []*core.Stm, at []int, p *core.Stm, prod *core.Screma) []*core.Stm {
	dst := make([]core.Param, len(p.Dst))
	views := make([]*core.Stm, len(p.Dst))
	for _, k := range at {
		of := slices.Index(core.ParamVars(p.Dst), viewed(stms[k]))
		views[of], dst[of] = stms[k], stms[k].Dst[0]
	}
	in := v.Nested()
	in.Where, in.Attrs = p.Aux.Where, p.Aux.Attrs
	for _, s := range append([]*core.Stm{p}, views...) {
		in.Certs = append(in.Certs, s.Aux.Certs...)
	}
	slices.Sort(in.Certs)
	in.Certs = slices.Compact(in.Certs)
	read := func(size core.Operand) bool { return v.readBySOAC(stms, dst, size) }
	ok := false
	if _, slice := views[0].Exp.(*core.Index); v.within && !slice {
		return nil
	}
	switch e := core.Match(views[0].Exp).(type) {
	case *core.Index:
		scanned := slices.ContainsFunc(stms, func(s *core.Stm) bool {
			e, ok := s.Exp.(*core.Screma)
			return ok && len(e.Scans) > 0 && v.uses(p, s)
		})
		ok = !scanned && v.sliced(in, prod, views, dst)
	case *core.Rearrange:
		ok = v.reordered(in, prod, p, e.Perm, dst, read)
	case *core.Reshape:
		ok = v.reshaped(in, prod, p, e.Shape, dst, read)
	default:
	}
	if !ok {
		return nil
	}
	return in.Stms()
}

// readBySOAC reports whether a SOAC over so many elements reads one of some arrays, and they could be fused, or reads a view of one.
func (v *viewer) readBySOAC(stms []*core.Stm, dst []core.Param, size core.Operand) bool {
	for _, c := range stms {
		for _, q := range dst {
			if viewed(c) == q.Var && v.readBySOAC(stms, c.Dst, core.Operand{}) {
				return true
			}
			if acc, ok := c.Exp.(*core.WithAcc); ok && v.feeds(&core.Stm{Dst: dst}, acc) {
				return true
			}
			own, _ := core.SizeOf(c.Exp)
			if slices.Contains(inputs(c.Exp), q.Var) && !sequential(c) && (own == size || size == core.Operand{}) &&
				!core.FreeInExp(withoutInputs(c.Exp)).Has(q.Var) {
				return true
			}
		}
	}
	return false
}

// sliced makes the map of slices for slices of a map.
func (v *viewer) sliced(in *core.Builder, prod *core.Screma, views []*core.Stm, dst []core.Param) bool {
	outer := views[0].Exp.(*core.Index).Slice[0]
	if outer.Fix || core.Any(prod.Map.Body, core.MayFail) {
		return false
	}
	out := &core.Screma{Size: outer.Len, Map: &core.Lambda{Params: prod.Map.Params}}
	for k, a := range prod.Arrays {
		out.Arrays = append(out.Arrays, v.sliceOf(in, a, core.ArrayOf(prod.Map.Params[k].Type, prod.Size), outer))
	}
	body := &core.Body{Stms: slices.Clip(prod.Map.Body.Stms)}
	for k, r := range prod.Map.Body.Res {
		t, rest := prod.Map.Ret[k], views[k].Exp.(*core.Index).Slice[1:]
		if !slices.Equal(rest, core.FullSlice(t)) {
			part := v.Param("part", core.SliceType(t, rest))
			body.Stms = append(body.Stms, &core.Stm{
				Dst: []core.Param{part}, Exp: &core.Index{Array: r.Var, Slice: rest}, Aux: core.Aux{Where: in.Where},
			})
			r, t = core.V(part.Var), part.Type
		}
		body.Res, out.Map.Ret = append(body.Res, r), append(out.Map.Ret, t)
	}
	out.Map.Body = body
	in.Bind(dst, out)
	return true
}

// sliceOf is a slice of the outer dimension of an array; an iota's is an iota.
func (v *viewer) sliceOf(in *core.Builder, a core.Var, t core.Type, d core.Dim) core.Var {
	slice := core.FullSlice(t)
	if slice[0] == d {
		return a
	}
	if e := v.iota(a); e != nil {
		start := in.Bin(addition, e.Start, in.Bin(multiplication, in.Conv(d.Off, e.Type), e.Step))
		step := in.Bin(multiplication, in.Conv(d.Stride, e.Type), e.Step)
		return v.iotaOf(in, &core.Iota{Type: e.Type, N: d.Len, Start: start, Step: step})
	}
	slice[0] = d
	return in.LetVar("part", &core.Index{Array: a, Slice: slice})
}

func (v *viewer) iota(a core.Var) *core.Iota {
	if s := v.defs[a]; s != nil {
		e, _ := s.Exp.(*core.Iota)
		return e
	}
	return nil
}

func (v *viewer) iotaOf(in *core.Builder, e *core.Iota) core.Var {
	is := in.LetVar("is", e)
	stms := in.Stms()
	v.defs[is] = stms[len(stms)-1]
	return is
}

// reordered makes a nest in another order for a transposition of a nest.
func (v *viewer) reordered(
	in *core.Builder, prod *core.Screma, p *core.Stm, perm []int, dst []core.Param, read func(core.Operand) bool,
) bool {
	depth := len(perm)
	for depth > 0 && perm[depth-1] == depth-1 {
		depth--
	}
	if depth < 2 {
		return false
	}
	n := v.nestOf(p, prod, depth)
	if n == nil || !read(n.sizes[perm[0]]) {
		return false
	}
	n.bind(in, perm[:depth], dst)
	return true
}

// reshaped makes a map of other dimensions for a reshape of a map.
func (v *viewer) reshaped(
	in *core.Builder, prod *core.Screma, p *core.Stm, to []core.Operand, dst []core.Param, read func(core.Operand) bool,
) bool {
	from := p.Dst[0].Type.Shape
	if !read(to[0]) {
		return false
	}
	switch more := len(to) - len(from); {
	case more > 0 && slices.Equal(to[more+1:], from[1:]):
		n := v.nestOf(p, prod, 1)
		n.split(v, in, to[:more+1], nil)
		n.bind(in, identity(more+1), dst)
		return true
	case more < 0 && slices.Equal(to[1:], from[1-more:]):
		n := v.nestOf(p, prod, 1-more)
		if n == nil || !n.full(v) {
			return false
		}
		n.flatten(in, to[0])
		n.bind(in, identity(1), dst)
		return true
	}
	return false
}

func identity(n int) []int {
	perm := make([]int, n)
	for k := range perm {
		perm[k] = k
	}
	return perm
}

// nested turns a map that reads, among others, a nest in one dimension into a nest, if the two can be fused then. Its results are flattened
// in turn.
func (v *viewer) nested(stms []*core.Stm, res []core.Operand, j int) []*core.Stm {
	c := stms[j]
	e := onlyMaps(c)
	if e == nil || v.fresh[c] || v.overwritesInputs(c, e) {
		return nil
	}
	for _, a := range e.Arrays {
		i, view := v.flatNest(stms[:j], a)
		if view < 0 || core.FreeInExp(withoutInputs(e)).Has(a) || v.neededElsewhere(a, stms, view, j, res) {
			continue
		}
		shape, to := v.shapeOf(stms[i], viewed(stms[view])), stms[view].Exp.(*core.Reshape).Shape
		depth := len(shape) - len(to) + 1
		if depth < 2 || !slices.Equal(to[1:], shape[depth:]) {
			continue
		}
		shape = shape[:depth]
		made := v.nestFor(stms[view], c, e, shape)
		next := v.spliced(stms, []int{view, j}, j, made)
		at := slices.IndexFunc(next, func(s *core.Stm) bool { return slices.Contains(made, s) && onlyMaps(s) != nil })
		if v.meet(next, i, at) < 0 {
			continue
		}
		return v.replaced(stms, []int{view, j}, j, made)
	}
	return nil
}

// shapeOf is the shape of a result of a statement.
func (*viewer) shapeOf(s *core.Stm, a core.Var) []core.Operand {
	return s.Dst[slices.Index(core.ParamVars(s.Dst), a)].Type.Shape
}

// nestFor makes a nest of a shape of the map c, which reads a view of an array of that shape.
func (v *viewer) nestFor(view, c *core.Stm, e *core.Screma, shape []core.Operand) []*core.Stm {
	in := v.Nested()
	in.Where, in.Attrs, in.Certs = c.Aux.Where, c.Aux.Attrs, append(slices.Clip(c.Aux.Certs), view.Aux.Certs...)
	n := v.nestOf(c, e, 1)
	n.split(v, in, shape, map[core.Var]core.Var{view.Dst[0].Var: viewed(view)})
	deep := make([]core.Param, len(c.Dst))
	for k, q := range c.Dst {
		deep[k] = v.Param(v.Builder.Fun.Base(q.Var), core.ArrayOf(e.Map.Ret[k], shape...))
	}
	n.bind(in, identity(len(shape)), deep)
	for k, q := range c.Dst {
		in.Bind([]core.Param{q}, &core.Reshape{Shape: q.Type.Shape, Array: deep[k].Var})
	}
	return in.Stms()
}

// flatNest finds the view that an array is, of what a map makes whose rows are made by a SOAC inside; view is -1 if the array is no such.
func (v *viewer) flatNest(stms []*core.Stm, a core.Var) (prod, view int) {
	view = slices.IndexFunc(stms, func(s *core.Stm) bool { return first(s) == a })
	if view < 0 || v.fresh[stms[view]] {
		return 0, -1
	}
	if _, ok := stms[view].Exp.(*core.Reshape); !ok {
		return 0, -1
	}
	nest := viewed(stms[view])
	prod = slices.IndexFunc(stms, func(s *core.Stm) bool { return slices.Contains(core.ParamVars(s.Dst), nest) })
	if prod < 0 || v.fresh[stms[prod]] {
		return 0, -1
	}
	e := onlyMaps(stms[prod])
	if e == nil {
		return 0, -1
	}
	r := e.Map.Body.Res[slices.Index(core.ParamVars(stms[prod].Dst), nest)]
	for _, s := range e.Map.Body.Stms {
		if _, ok := s.Exp.(*core.Screma); ok && slices.ContainsFunc(s.Dst, func(q core.Param) bool { return r.IsVar(q.Var) }) {
			return prod, view
		}
	}
	return 0, -1
}
