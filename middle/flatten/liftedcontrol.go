package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// longRow is how many points a workgroup takes well inside of each point of a nest, whatever it has of branches and loops around them.
const longRow = 4096

// ofPoints reports whether a statement inside n is a branch or loop that differs from point to point, in what it does or in the lengths of
// rows that it returns, holds parallelism, and passes on values that can be arrays of the host: Note [Branches and loops of points].
func (f *flattener) ofPoints(n *nest, s *core.Stm) bool {
	switch e := core.Match(s.Exp).(type) {
	case *core.If:
		rows := slices.ContainsFunc(s.Dst, func(p core.Param) bool { return n.isRow(s.Dst, p) })
		return n.liftable(s.Dst) && (rows || n.variant(e.Cond) && hasParallelism(e) && points(s, longRow, withoutLoops) > longRow)
	case *core.Loop:
		rows := slices.ContainsFunc(e.Params, func(p core.Param) bool { return n.isRow(e.Params, p) })
		grows := (&nest{}).binding(&core.Stm{Dst: append(slices.Clip(e.Params), e.Index)}).differ(e)
		regular := e.IsFor() && n.invariant(e.Bound) && n.regular(e.Params)
		long := points(s, longRow, withoutLoops) > longRow
		parallel := hasParallelism(e) && (rows || grows || long) || resizes(e) || f.movesResults(n, e)
		return n.liftable(e.Params) && !regular && parallel
	default:
	}
	return false
}

// resizes reports whether a loop passes on arrays of other sizes than it was given: no thread knows how much memory that takes.
func resizes(e *core.Loop) bool {
	return slices.ContainsFunc(e.Params, func(p core.Param) bool { return isOwnSize(e.Params, p) })
}

// differ reports whether a statement's bodies have SOACs whose size is only known inside of n or of the bodies.
func (n *nest) differ(e core.Exp) bool {
	found, bound := false, &core.VarSet{}
	core.MapBodies(e, func(b *core.Body) *core.Body {
		core.Walk(b, func(s *core.Stm) bool {
			if size, ok := core.SizeOf(s.Exp); ok {
				found = found || n.variant(size) || size.Var != 0 && bound.Has(size.Var)
			}
			for _, p := range s.Dst {
				bound.Add(p.Var)
			}
			return !found
		})
		return b
	})
	return found
}

// hasControlOfPoints reports whether one of the statements inside n is a branch or loop of points.
func (f *flattener) hasControlOfPoints(n *nest, stms []*core.Stm) bool {
	n = n.binding()
	for _, s := range stms {
		if f.ofPoints(n, s) {
			return true
		}
		n.bind(s)
	}
	return false
}

// measures reports whether flattening a body inside n finds out how long rows of different lengths are.
func (f *flattener) measures(n *nest, b *core.Body) bool {
	n = n.binding()
	for _, s := range b.Stms {
		if f.irregular(n, s) && len(sizesOf(n, s)) > 0 {
			return true
		}
		n.bind(s)
	}
	return false
}

// controlOfPoints makes host code and kernels of a branch or loop that differs between the points of n, and returns the nest in which its
// results are known. ok is false, and nothing is made, if it cannot be flattened so.
func (f *flattener) controlOfPoints(n *nest, s *core.Stm) (m *nest, ok bool) {
	outer := f.Builder
	blocked := f.blocked
	f.Builder, f.blocked = outer.Nested(), ""
	f.Where, f.Attrs = s.Aux.Where, nil
	points := f.Product(n.sizes...)
	c := choice{nest: n, points: points, count: f.Add64(points, core.Int(1))}
	var v *values
	switch e := core.Match(s.Exp).(type) {
	case *core.If:
		if n.invariant(e.Cond) {
			v, ok = f.branchOfRows(c, e, s.Dst)
		} else {
			v, ok = f.branchOverAll(c, e, s.Dst)
			if !ok {
				v, ok = f.branchOfPoints(c, e, s.Dst)
			}
		}
	case *core.Loop:
		if e.IsFor() && n.invariant(e.Bound) {
			v, ok = f.loopOfRows(c, e, s.Dst)
		} else {
			v, ok = f.loopOfPoints(c, e, s.Dst)
		}
	default:
	}
	stms := f.Stms()
	ok = ok && f.blocked == ""
	f.Builder, f.blocked = outer, blocked
	if !ok {
		return n, false
	}
	f.Add(stms...)
	return f.knownAt(n, v), true
}

// through makes kernels of a body inside n; res are known in the nest that it returns.
func (f *flattener) through(n *nest, b *core.Body) (m *nest, ok bool) {
	n = n.with()
	n.settled, n.measured = true, true
	b = f.hoist(n, b, f.inGroup)
	m, pending, _ := f.steps(n, b, nil)
	return f.flush(m, pending, core.FreeInBody(&core.Body{Res: b.Res}))
}

// branchOfPoints makes kernels of the sides of a branch, each over the points that take it.
func (f *flattener) branchOfPoints(c choice, e *core.If, dst []core.Param) (v *values, ok bool) {
	c.yes = f.chosen(c.nest, c.points, c.count, e.Cond, c.nest.sizesIn(nil, e.Then, e.Else))
	for i, t := range []taking{c.yes, f.others(c.nest, c.yes, c.count)} {
		b := []*core.Body{e.Then, e.Else}[i]
		s := f.sideOf(c.nest, t)
		if s.nest, ok = f.through(s.nest, b); !ok {
			return nil, false
		}
		s.res = b.Res
		c.sides = append(c.sides, s)
	}
	v, _ = f.gathered(&c, dst, allStop, nil)
	return v, true
}

// branchOfRows makes a branch of the host of one whose condition is the same at all points.
func (f *flattener) branchOfRows(c choice, e *core.If, dst []core.Param) (v *values, ok bool) {
	ok = true
	made := func(b *core.Body) *core.Body {
		return f.hostBodyOf(nil, func() []core.Operand {
			inside := c
			m, flat := f.through(c.nest, b)
			if !flat {
				ok = false
				return nil
			}
			inside.sides = []side{{nest: m, res: b.Res}}
			v, _ = f.gathered(&inside, dst, allStop, nil)
			return v.host()
		})
	}
	branch := &core.If{Cond: e.Cond, Then: made(e.Then), Else: made(e.Else)}
	if !ok {
		return nil, false
	}
	v, outs := f.fresh(v, dst)
	f.Bind(outs, branch)
	return v, true
}

// allStop says that no value decides which points go on.
const allStop = -1

// initial are the values that a loop begins with, and the points that go on, with where their rows of some sizes start.
func (f *flattener) initial(c choice, ps []core.Param, init []core.Operand, more int, sizes []core.Operand) (v *values, yes taking) {
	c.sides = []side{{nest: c.nest, res: init}}
	return f.gathered(&c, ps, more, sizes)
}

// loopOfRows makes a loop of the host of one that goes round equally often at all points.
func (f *flattener) loopOfRows(c choice, e *core.Loop, dst []core.Param) (v *values, ok bool) {
	first, _ := f.initial(c, e.Params, e.Init, allStop, nil)
	in, params := f.fresh(first, e.Params)
	body := f.hostBodyOf(params, func() (res []core.Operand) {
		n := f.knownAt(c.nest, in)
		inside := c
		inside.nest = n
		var m *nest
		if m, ok = f.through(n, e.Body); !ok {
			return nil
		}
		inside.sides = []side{{nest: m, res: e.Body.Res}}
		next, _ := f.gathered(&inside, e.Params, allStop, nil)
		return next.host()
	})
	if !ok {
		return nil, false
	}
	v, outs := f.fresh(first, dst)
	f.Bind(outs, &core.Loop{Params: madeEachRound(params), Init: first.host(), Index: e.Index, Bound: e.Bound, Body: body})
	return v, true
}

// madeEachRound are parameters of a loop whose arrays its rounds make.
func madeEachRound(params []core.Param) []core.Param {
	out := slices.Clone(params)
	for i := range out {
		out[i].Unique = out[i].Type.IsArray()
	}
	return out
}

// hostBodyOf is a body of the host in which params are bound.
func (f *flattener) hostBodyOf(params []core.Param, generate func() []core.Operand) *core.Body {
	var res []core.Operand
	body := f.builtBody(nil, func() {
		f.Scope.BindAll(params)
		res = generate()
	})
	body.Res = res
	return body
}

// loopOfPoints makes a loop of the host of one that each point goes round as often as it says, which runs as long as there are points that
// go on.
func (f *flattener) loopOfPoints(c choice, e *core.Loop, dst []core.Param) (v *values, ok bool) {
	counts := e.IsFor()
	if counts {
		e, dst = f.asWhile(&c, e, dst)
	}
	k := slices.Index(core.ParamVars(e.Params), e.While)
	sizes := c.nest.sizesIn(e.Params, e.Body)
	first, yes := f.initial(c, e.Params, e.Init, k, sizes)
	in, params := f.fresh(first, e.Params)
	goes := f.Param("goes", core.ScalarType(prim.Bool))
	on, own := f.freshTaking(yes)
	state := func(t taking, v *values) []core.Operand {
		return slices.Concat([]core.Operand{f.Cmp(prim.Lt, core.Int(0), t.total)}, t.host(), v.host())
	}
	params = slices.Concat([]core.Param{goes}, own, params)
	f.atMost[on.total.Var] = c.points
	body := f.hostBodyOf(params, func() (res []core.Operand) {
		inside := c
		inside.nest, inside.yes = f.knownAt(c.nest, in), on
		s := f.sideOf(inside.nest, on)
		if s.nest, ok = f.through(s.nest, e.Body); !ok {
			return nil
		}
		s.res = e.Body.Res
		stay := side{nest: inside.nest, from: len(inside.nest.prologue), res: core.Vars(core.ParamVars(e.Params))}
		inside.sides = []side{s, stay}
		next, yes := f.gathered(&inside, e.Params, k, sizes)
		return state(yes, next)
	})
	if !ok {
		return nil, false
	}
	v, outs := f.fresh(first, dst)
	_, last := f.freshTaking(yes)
	outs = slices.Concat([]core.Param{f.Param("goes", goes.Type)}, last, outs)
	loop := &core.Loop{Params: madeEachRound(params), Init: state(yes, first), While: goes.Var, Body: body}
	f.counting[loop] = counts
	f.Bind(outs, loop)
	return v, true
}

// host are the variables of the host that say which points take a side.
func (t taking) host() []core.Operand {
	out := t.offsets.host()
	for _, o := range t.rows {
		out = append(out, o.host()...)
	}
	return out
}

// freshTaking says in other variables of the host, and returns these, which points take a side.
func (f *flattener) freshTaking(t taking) (fresh taking, host []core.Param) {
	again := func(o offsets) offsets {
		own, ps := f.freshOffsets(o, "left")
		host = append(host, ps...)
		return own
	}
	fresh = taking{offsets: again(t.offsets), sizes: t.sizes}
	for _, o := range t.rows {
		fresh.rows = append(fresh.rows, again(o))
	}
	return fresh, host
}

// asWhile is a loop that counts as one with a condition, whose index and condition are values of it.
func (f *flattener) asWhile(c *choice, e *core.Loop, dst []core.Param) (*core.Loop, []core.Param) {
	more, i := f.Param("more", core.ScalarType(prim.Bool)), e.Index
	zero, one := core.C(prim.Zero(i.Type.Elem)), core.C(prim.One(i.Type.Elem))
	in := f.Nested()
	first := in.Cmp(prim.Lt, zero, e.Bound)
	c.nest = c.nest.with(in.Stms()...)
	step := f.Nested()
	next := step.Bin(prim.Add, core.V(i.Var), one)
	goes := step.Cmp(prim.Lt, next, e.Bound)
	body := &core.Body{Stms: append(slices.Clip(e.Body.Stms), step.Stms()...), Res: append([]core.Operand{goes, next}, e.Body.Res...)}
	own := []core.Param{f.Param("more", more.Type), f.Param("i", i.Type)}
	return &core.Loop{
		Params: append([]core.Param{more, i}, e.Params...), Init: append([]core.Operand{first, zero}, e.Init...), While: more.Var, Body: body,
	}, append(own, dst...)
}
