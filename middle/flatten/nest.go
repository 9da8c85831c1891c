package flatten

import (
	"maps"
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

const cmpLe = prim.Le

// nest is the context of code inside of maps: an index space, and cheap
// statements that compute, from the ids, what the code refers to. The
// statements are copied into each kernel that needs them. Nests are immutable.
type nest struct {
	ids      []core.Var
	sizes    []core.Operand
	prologue []*core.Stm
	bound    map[core.Var]bool // ids, and what statements inside have bound
	// versions is how many outer versions the maps of the nest have offered; settled says that its innermost one has, and few that code is
	// of the other version, and there are too few points to keep the device busy: Note [Versions of map bodies].
	versions, intras int
	settled, few     bool
	// full says that the innermost map has no outer version: Note [Attributes of versions].
	full bool
	// rows are those of different lengths that are known at points; measured says that a version for short ones has been offered:
	// Note [Irregular nests].
	rows     []*rows
	measured bool
	// around are rows that are known at the points of the nests around: Note [Rows at several points].
	around []rowsAround
	// live is known at points, and says which of them count, if it is not zero: Note [Sides over all points].
	live core.Operand
	// flats are the flat rows of arrays, and flatSizes their sizes: Note [Rows of rows].
	flats     []flatMatrix
	flatSizes []flatSize
}

func (n *nest) depth() int { return len(n.ids) }

// with adds statements to the prologue.
func (n *nest) with(stms ...*core.Stm) *nest {
	m := *n
	m.prologue = append(slices.Clip(n.prologue), stms...)
	return m.binding(stms...)
}

// binding notes that statements' variables depend on the nest.
func (n *nest) binding(stms ...*core.Stm) *nest {
	m := *n
	m.bound = maps.Clone(n.bound)
	if m.bound == nil {
		m.bound = map[core.Var]bool{}
	}
	m.bind(stms...)
	return &m
}

// bind is binding for a nest that nobody else has yet: whoever goes through a body takes a copy, and then changes it.
func (n *nest) bind(stms ...*core.Stm) {
	for _, s := range stms {
		for _, p := range s.Dst {
			n.bound[p.Var] = true
		}
	}
}

// extend adds a dimension.
func (n *nest) extend(id core.Var, size core.Operand) *nest {
	m := n.binding()
	m.around = slices.Clip(n.around)
	for _, r := range n.rows {
		m.around = append(m.around, rowsAround{r, n.depth()})
	}
	m.settled, m.few, m.full, m.rows, m.measured = false, false, false, nil, false
	m.ids = append(slices.Clip(n.ids), id)
	m.sizes = append(slices.Clip(n.sizes), size)
	m.bound[id] = true
	return m
}

// invariant reports whether an operand is the same at all points.
func (n *nest) invariant(o core.Operand) bool { return o.Var == 0 || !n.bound[o.Var] }

// regular reports whether values can be arrays over the nest, as their sizes are
// the same at all points, or are accumulators that all points share.
func (n *nest) regular(ps []core.Param) bool {
	for _, p := range ps {
		if n.shared(p) {
			continue
		}
		if p.Type.Kind != core.KindScalar && p.Type.Kind != core.KindArray {
			return false
		}
		for _, s := range p.Type.Shape {
			if !n.invariant(s) || slices.ContainsFunc(ps, func(q core.Param) bool { return s.IsVar(q.Var) }) {
				return false
			}
		}
	}
	return true
}

// shared reports whether p is an accumulator from outside of the nest: one for all points.
func (n *nest) shared(p core.Param) bool { return p.Type.Kind == core.KindAcc && !n.bound[p.Type.Acc] }

// closed reports whether nothing in a lambda depends on the point.
func (n *nest) closed(l *core.Lambda) bool {
	for _, v := range core.FreeInLambda(l).List() {
		if n.bound[v] {
			return false
		}
	}
	return true
}

// level extends n with the index of a SOAC over arrays, whose elements
// are params.
func (f *flattener) level(n *nest, size core.Operand, params []core.Param, arrays []core.Var) *nest {
	id := f.Param("i", core.I64)
	n = n.extend(id.Var, size)
	n.full = f.only(attrInner) || f.only(attrNoOuter)
	in := f.Nested()
	for k, p := range params {
		f.element(in, p, arrays[k], core.V(id.Var))
	}
	n.prologue = append(slices.Clip(n.prologue), in.Stms()...)
	n.bind(in.Stms()...)
	return n
}

// element binds p to element i of an array; arrays that follow a rule are not
// read.
func (f *flattener) element(b *core.Builder, p core.Param, array core.Var, i core.Operand) {
	if x, ok := f.ruled(b, array, i); ok {
		b.Bind([]core.Param{p}, &core.Use{X: x})
		return
	}
	if source, sl := f.unevenly(b, array, i); source != 0 {
		b.Bind([]core.Param{p}, &core.Index{Array: source, Slice: sl})
		return
	}
	b.Bind([]core.Param{p}, &core.Index{Array: array, Slice: core.FullSlice(b.TypeOf(core.V(array)), i)})
}

// elementAt is an element of an array: computed if the array follows a rule, so that no thread makes the array, else read.
func (f *flattener) elementAt(b *core.Builder, array core.Var, is []core.Operand) core.Operand {
	if x, ok := f.ruled(b, array, is...); ok {
		return x
	}
	return b.Index("x", array, is...)
}

// ruled computes the element of an array that follows a rule; ok is false if it is none, or more than a scalar.
func (f *flattener) ruled(b *core.Builder, array core.Var, is ...core.Operand) (x core.Operand, ok bool) {
	switch e := core.Match(f.defs[array]).(type) {
	case *core.Iota:
		return iotaElement(b, e, is[0]), true
	case *core.Replicate:
		return e.X, len(e.Shape) == len(is) && b.TypeOf(e.X).IsScalar()
	default:
		return x, false
	}
}

// unevenly finds element i of an array of one dimension that lies unevenly in a transposed one: each thread would make a copy of the array.
func (f *flattener) unevenly(b *core.Builder, array core.Var, i core.Operand) (source core.Var, sl core.Slice) {
	flat, ok := f.turned[array].(*core.Reshape)
	if !ok || len(flat.Shape) != 1 {
		return 0, nil
	}
	if _, turned := f.turned[flat.Array].(*core.Rearrange); !turned {
		return 0, nil
	}
	sizes := b.TypeOf(core.V(flat.Array)).Shape
	sl = make(core.Slice, len(sizes))
	for d, size := range slices.Backward(sizes) {
		if d == 0 {
			sl[0] = core.Fix(i)
			break
		}
		sl[d] = core.Fix(b.Bin(prim.Rem, i, size))
		i = b.Bin(prim.Quot, i, size)
	}
	return flat.Array, sl
}

// iotaElement computes element i of an iota.
func iotaElement(b *core.Builder, e *core.Iota, i core.Operand) core.Operand {
	x := b.Conv(i, e.Type)
	if !e.Step.IsConst() || !e.Step.Const.IsOne() {
		x = b.Bin(prim.Mul, x, e.Step)
	}
	if e.Start.IsConst() && e.Start.Const.IsZero() {
		return x
	}
	return b.Bin(prim.Add, e.Start, x)
}

// outputs makes variables for arrays over the nest of values of the given
// parameters. An accumulator is the same inside of the nest and outside, and keeps its variable.
func (f *flattener) outputs(n *nest, ps []core.Param) []core.Param {
	outs := make([]core.Param, len(ps))
	for i, p := range ps {
		if p.Type.Kind == core.KindAcc {
			delete(n.bound, p.Var)
			outs[i] = p
			continue
		}
		outs[i] = f.Param(f.Fun.Base(p.Var), core.ArrayOf(p.Type, n.sizes...))
	}
	return outs
}

// reading makes prologue statements that bind ps to the elements of arrays
// over the nest.
func (f *flattener) reading(n *nest, ps, arrays []core.Param) []*core.Stm {
	in := f.Nested()
	for i, p := range ps {
		if p.Type.Kind == core.KindAcc {
			continue
		}
		f.made[arrays[i].Var] = true
		sl := core.FullSlice(arrays[i].Type, core.Vars(n.ids)...)
		in.Bind([]core.Param{{Var: p.Var, Type: p.Type}}, &core.Index{Array: arrays[i].Var, Slice: sl})
	}
	return in.Stms()
}

// kernel makes the parts of a segmented operation over n: a space with fresh
// ids, and a body of the statements, after what they need of the prologue,
// made sequential. The renamer has renamed all that is inside.
func (f *flattener) kernel(n *nest, stms []*core.Stm, res []core.Operand) (core.Space, *core.Body, *core.Renamer) {
	// Loops made of SOACs may use what the SOACs did not: the start
	// of an iota instead of its elements.
	main := f.sequentialBody(&core.Body{Stms: stms, Res: res})
	pre := core.Needed(n.prologue, core.FreeInBody(main))
	if n.live.Var != 0 {
		pre, main = f.whereLive(n, pre, main)
	}
	first := f.sequentialBody(&core.Body{Stms: pre})
	body := f.withLongest(n, &core.Body{Stms: append(first.Stms, main.Stms...), Res: main.Res})
	if !f.placeable(body) {
		f.block("an array inside has a size that is only known when it is made")
	}
	body = withoutCerts(body, n.bound)
	sp, sub := f.freshSpace(n)
	r := core.NewRenamer(f.Fun, f.Fun, sub)
	body = r.Body(body)
	f.Scope.BindBody(body)
	return sp, body, r
}

// freshSpace makes an index space over n with ids of its own, and what puts them in the place of the nest's.
func (f *flattener) freshSpace(n *nest) (core.Space, core.Subst) {
	sub, sp := core.Subst{}, core.Space{Sizes: n.sizes}
	for _, id := range n.ids {
		fresh := f.Param(f.Fun.Base(id), core.I64)
		sub[id] = core.V(fresh.Var)
		sp.Ids = append(sp.Ids, fresh.Var)
	}
	return sp, sub
}

// pointTypes are the types that results have at a point of n.
func (n *nest) pointTypes(outs []core.Param) []core.Type {
	ret := make([]core.Type, len(outs))
	for i, o := range outs {
		ret[i] = o.Type
		if o.Type.IsArray() {
			ret[i] = o.Type.Row(n.depth())
		}
	}
	return ret
}

// withoutCerts drops references to certificates of the nest that earlier
// kernels have established: outside are the nest's variables.
func withoutCerts(b *core.Body, outside map[core.Var]bool) *core.Body {
	found := false
	core.Walk(b, func(s *core.Stm) bool {
		found = found || slices.ContainsFunc(s.Aux.Certs, func(c core.Var) bool { return outside[c] })
		return !found
	})
	if !found {
		return b
	}
	inside := map[core.Var]bool{}
	core.Walk(b, func(s *core.Stm) bool {
		for _, p := range s.Dst {
			inside[p.Var] = true
		}
		return true
	})
	return filterCerts(b, func(c core.Var) bool { return inside[c] || !outside[c] })
}

func filterCerts(b *core.Body, keep func(core.Var) bool) *core.Body {
	out := &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		n := *s
		n.Aux.Certs = nil
		for _, c := range s.Aux.Certs {
			if keep(c) {
				n.Aux.Certs = append(n.Aux.Certs, c)
			}
		}
		n.Exp = core.MapBodies(s.Exp, func(b *core.Body) *core.Body { return filterCerts(b, keep) })
		out.Stms = append(out.Stms, &n)
	}
	return out
}

// kernelLevel is the level of the operations that code being made holds.
func (f *flattener) kernelLevel() core.Level {
	if f.inGroup {
		return core.LevelInGroup
	}
	return core.LevelGrid
}

// segMap adds a kernel that runs statements at each point of n and returns outs; where that updates, see Note [Updates that meet] and Note
// [Updates in loops and branches].
func (f *flattener) segMap(n *nest, stms []*core.Stm, res []core.Operand, outs []core.Param) {
	sp, body, _ := f.kernel(n, stms, res)
	m := &core.SegMap{Level: f.kernelLevel(), Space: sp, Body: body, Ret: n.pointTypes(outs)}
	if !f.reduced(m, outs) && !f.updatesLater(m, outs) {
		f.Bind(outs, m)
	}
}
