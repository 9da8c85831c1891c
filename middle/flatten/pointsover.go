package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Sides over all points]
//
// The host waits for how many points take a side of a branch (Note [Branches and loops of points]), as the side's kernels go over these.
// There is a bound that it knows: all points. So where a side has no kernels over more than that, its kernels are over all points of the
// nest, and the code of each runs where a flag says that the point takes the side, the first by the flag itself and the second by its
// opposite. Other points have zeros, which nothing reads, and no rows of lengths that are found out in the side: so reductions, scans and
// scatters of these are over the elements of points that count. Nobody counts or searches for points, and each has its results at its own
// place.
//
// A side may have more: a map of n at each point that takes it is one over all of these where points are counted, and would be one over n
// times all points here, with arrays of as many elements. So that is counted, as points that go on in a loop are, since the host must know
// whether there are any. A side that overwrites what it did not make is, too: the other side may need it.

// mostOverAll is how many elements a map may have at each point of a side that is run over all points.
const mostOverAll = 64

// branchOverAll makes kernels of the sides of a branch over all points of the nest. ok is false, and nothing is made, if points have to be
// counted.
func (f *flattener) branchOverAll(c choice, e *core.If, dst []core.Param) (v *values, ok bool) {
	if !c.nest.smallOverAll(e.Then) || !c.nest.smallOverAll(e.Else) {
		return nil, false
	}
	outer := f.Builder
	f.Builder = outer.Nested()
	defer func() {
		made := f.Stms()
		f.Builder = outer
		if ok {
			f.Add(made...)
		}
	}()
	flags := f.outputs(c.nest, []core.Param{f.Param("takes", core.ScalarType(prim.Bool))})
	f.segMap(c.nest, nil, []core.Operand{e.Cond}, flags)
	c.taken = flags[0].Var
	for _, b := range []*core.Body{e.Then, e.Else} {
		at := f.Nested()
		live := at.Index("goes", c.taken, core.Vars(c.nest.ids)...)
		if b == e.Else {
			live = at.Un(prim.Not, live)
			if c.nest.live.Var != 0 { // the flags of points that do not count say nothing
				live = at.Bin(prim.LogAnd, c.nest.live, live)
			}
		}
		m := c.nest.with(at.Stms()...)
		m.live = live
		s := side{nest: m, from: len(c.nest.prologue), res: b.Res}
		var flat bool
		f.unblocked(func() *core.Body {
			s.nest, flat = f.through(m, b)
			flat = flat && f.blocked == ""
			return nil
		})
		if !flat {
			return nil, false
		}
		c.sides = append(c.sides, s)
	}
	v, _ = f.gathered(&c, dst, allStop, nil)
	return v, true
}

// smallOverAll reports whether the body of a side has, at each point, only rows of lengths that differ between points, and little else,
// and overwrites only what it has made.
func (n *nest) smallOverAll(b *core.Body) bool {
	small, bound := true, &core.VarSet{}
	ok := func(size core.Operand) bool {
		k, constant := size.ConstInt()
		return constant && k <= mostOverAll || n.variant(size) || bound.Has(size.Var)
	}
	core.Walk(b, func(s *core.Stm) bool {
		if size, is := core.SizeOf(s.Exp); is {
			small = small && ok(size)
		}
		if _, hist := s.Exp.(*core.Hist); hist {
			small = false
		}
		for _, v := range core.Consumes(s.Exp) {
			small = small && bound.Has(v)
		}
		core.MapExp(s.Exp, core.Mapper{Bind: func(v core.Var) core.Var { bound.Add(v); return v }})
		for _, p := range s.Dst {
			bound.Add(p.Var)
			small = small && !slices.ContainsFunc(p.Type.Shape, func(size core.Operand) bool { return !ok(size) })
		}
		return small
	})
	return small
}

// whereLive is code at a point of n, and what that needs of the prologue, run where the point counts: what is before that is known, and the
// code, with other results.
func (f *flattener) whereLive(n *nest, pre []*core.Stm, main *core.Body) (before []*core.Stm, code *core.Body) {
	live := &core.VarSet{}
	live.Add(n.live.Var)
	before = core.Needed(n.prologue, live)
	pre = slices.DeleteFunc(slices.Clone(pre), func(s *core.Stm) bool { return slices.Contains(before, s) })
	in := f.Nested()
	ts := make([]core.Type, len(main.Res))
	for i, r := range main.Res {
		ts[i] = f.TypeOf(r)
	}
	then := used(&core.Body{Stms: append(f.sequentialBody(&core.Body{Stms: pre}).Stms, main.Stms...), Res: main.Res})
	others := in.Build(func(b *core.Builder) []core.Operand {
		var res []core.Operand
		for _, t := range ts {
			switch {
			case t.Kind == core.KindAcc:
				res = append(res, core.V(t.Acc))
			case t.IsArray():
				res = append(res, b.Let("none", &core.Scratch{Elem: t.Elem, Shape: t.Shape}))
			default:
				res = append(res, core.C(prim.Zero(t.Elem)))
			}
		}
		return res
	})
	xs := in.LetTypes("x", ts, &core.If{Cond: n.live, Then: then, Else: others})
	return before, &core.Body{Stms: in.Stms(), Res: xs}
}

// used is a body without statements that nothing needs: arrays that they make would have sizes that are not known before the branch.
func used(b *core.Body) *core.Body {
	out := &core.Body{Res: b.Res}
	out.Stms = core.NeededOr(b.Stms, core.FreeInBody(out), mayFail)
	return out
}
