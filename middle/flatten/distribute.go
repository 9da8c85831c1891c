package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// An inner SOAC is not worth parallelism of its own when it goes, with the SOACs inside of it, over few points: at most smallPoints of
// them, whose results a thread's own memory holds, and no more than smallSize elements itself; or leastPoints, where it goes over
// fewer than leastSize elements, as those of small matrices and long integers do. What counts is always the product of the sizes.
// Iterations of loops inside count as points for the former: 32 substitutions of 32 rows are work for 32 threads. They do not for the
// latter, which would give the device few threads more.
const (
	leastSize   = 16
	leastPoints = 512
	smallSize   = 32
	smallPoints = privateElems
)

// nestBody flattens a body inside the maps of n; outs are arrays over n of
// its results.
func (f *flattener) nestBody(n *nest, b *core.Body, outs []core.Param) {
	if !f.speculates(n, b, outs) {
		f.versionsOf(n, f.hoist(n, b, f.inGroup), outs)
		return
	}
	// What is hoisted relies on there being points.
	some := f.Cmp(prim.Lt, core.Int(0), f.Product(n.sizes...))
	then := f.version(outs, func(outs []core.Param) { f.versionsOf(n, f.hoist(n, b, somePoints), outs) })
	none := f.version(outs, func(outs []core.Param) {
		for i := range outs {
			f.Bind(outs[i:i+1], &core.Scratch{Elem: outs[i].Type.Elem, Shape: outs[i].Type.Shape})
		}
	})
	f.Bind(outs, &core.If{Cond: some, Then: then, Else: none})
}

// versionsOf makes the versions of a body inside n of which nothing is the same at all points.
func (f *flattener) versionsOf(n *nest, b *core.Body, outs []core.Param) {
	if !f.inWorkgroups(n, b, outs) && !f.addVersions(n, b, outs) {
		f.innerVersions(n, b, outs)
	}
}

// speculates reports whether hoisting takes statements out of n that may only run where there are points.
func (f *flattener) speculates(n *nest, b *core.Body, outs []core.Param) bool {
	if f.inGroup || slices.ContainsFunc(outs, func(p core.Param) bool { return !p.Type.IsArray() }) {
		return false
	}
	found := false
	f.hoistable(n, b, pointsKnown, func(s *core.Stm, how hoisting) { found = found || how != stays && relies(s) })
	return found
}

// relies reports whether a statement may only run where those before it did: code in it relies on checks, or reads elements at computed
// places, which were proved to be inside of arrays, maybe as there is a point.
func relies(s *core.Stm) bool {
	found := false
	core.Walk(&core.Body{Stms: []*core.Stm{s}}, func(in *core.Stm) bool {
		_, reads := in.Exp.(*core.Index)
		found = found || reads || len(in.Aux.Certs) > 0
		return !found
	})
	return found
}

// hoisting says what becomes of a statement of a body.
type hoisting int

const (
	stays hoisting = iota
	scalar
	check
	arrays
)

// An argument of hoistable.
const pointsKnown = true

// hoistable tells, for each statement of a body inside n, whether hoist leaves it or how it takes it out. Checks go along as long as no
// other check of the body comes before them, which would be the first to fail; what relies on there being points does where that is
// certain.
func (f *flattener) hoistable(n *nest, b *core.Body, points bool, each func(s *core.Stm, how hoisting)) {
	n = n.binding()
	checked := f.inGroup
	for _, s := range b.Stms {
		how := stays
		switch {
		case n.depth() == 0:
		case n.same(s) && (points || !relies(s)):
			how = scalar
		case !checked && n.sameCheck(s):
			how = check
		case f.same(n, s) && (points || !relies(s)):
			how = arrays
		}
		if how == stays {
			n.bind(s)
			checked = checked || mayFail(s)
		}
		each(s, how)
	}
}

// somePoints says that a nest has points for certain.
const somePoints = true

// hoist makes on the host what is the same at all points of n, and leaves the rest of a body. Points says that there are some for certain.
func (f *flattener) hoist(n *nest, b *core.Body, points bool) *core.Body {
	rest := &core.Body{Res: b.Res}
	f.hoistable(n, b, points, func(s *core.Stm, how hoisting) {
		switch how {
		case stays:
			rest.Stms = append(rest.Stms, s)
		case scalar:
			f.at(s, func() { f.Bind(s.Dst, s.Exp) })
		case check:
			f.at(s, func() { f.hoistCheck(n, s, points) })
		case arrays:
			f.hostStm(s)
		}
	})
	return rest
}

// hoistCheck makes a check on the host, which matters only if there are points.
func (f *flattener) hoistCheck(n *nest, s *core.Stm, points bool) {
	e := *core.Match(s.Exp).(*core.Assert)
	if !points {
		idle := f.Cmp(cmpLe, f.Product(n.sizes...), core.Int(0))
		e.Cond = f.Bin(prim.LogOr, idle, e.Cond)
	}
	f.Bind(s.Dst, &e)
}

// distribute makes kernels of their own of the statements of a body that are parallel, and of what is between them.
func (f *flattener) distribute(n *nest, b *core.Body, outs []core.Param) {
	n, pending, done := f.steps(n, b, outs)
	if !done {
		f.finish(n, pending, b.Res, outs)
	}
}

// steps is distribute without what ends the nest: it returns the nest in which all results are known, with statements that are in no kernel
// yet. Done says that a kernel has made outs already, which it does only if there are some.
func (f *flattener) steps(n *nest, b *core.Body, outs []core.Param) (m *nest, pending []*core.Stm, done bool) {
	rich, moved := f.rich(n, b), n.copiedResults(b)
	n = n.binding()
	stms := n.lateScratch(b.Stms)
	for i := 0; i < len(stms); i++ {
		s := stms[i]
		if f.irregular(n, s) || f.madeWhole(n, s, stms[i+1:], b.Res) {
			if parts, ok := f.inParts(n, s); ok {
				stms = slices.Replace(stms, i, i+1, parts...)
				i--
				continue
			}
			m, done, ok := f.irregularStm(n, pending, stms[i:], b.Res, outs)
			if done {
				return m, nil, true
			}
			if ok {
				n, pending = m, nil
				continue
			}
		}
		last := outs != nil && i == len(stms)-1 && sameVars(s.Dst, b.Res)
		regular := n.regular(s.Dst) || last && onlyAccs(s)
		copied := bindsFirst(s, moved)
		if regular && (f.exploitable(n, s) || (rich || copied) && f.moves(n, pending, s, copied)) {
			later := &core.VarSet{}
			if len(pending) > 0 { // or else nobody asks
				later = core.FreeInBody(&core.Body{Stms: stms[i:], Res: b.Res})
			}
			if m, ok := f.flush(n, pending, later); ok {
				if last {
					f.at(s, func() { f.parallel(m, f.bare(s), outs) })
					return m, nil, true
				}
				inner := f.outputs(m, s.Dst)
				f.at(s, func() { f.parallel(m, f.bare(s), inner) })
				n, pending = m.with(f.reading(m, s.Dst, inner)...), nil
				continue
			}
		}
		pending = append(pending, s)
		n.bind(s)
		f.noteFlat(n, s)
	}
	return n, pending, false
}

// finish makes the kernel that ends a nest. Results that an earlier kernel of
// the nest has stored as they should be are not copied.
func (f *flattener) finish(n *nest, pending []*core.Stm, res []core.Operand, outs []core.Param) {
	var rest []core.Operand
	var restOuts []core.Param
	used := map[core.Var]bool{}
	views := f.views(n, pending, res, outs)
	for i, r := range res {
		if outs[i].Type.Kind == core.KindAcc && n.invariant(r) {
			f.Bind(outs[i:i+1], &core.Use{X: r})
			continue
		}
		if a := f.stored(n, r); a != 0 && !used[a] {
			used[a] = true
			f.Bind(outs[i:i+1], &core.Use{X: core.V(a)})
			views[i] = nil
			continue
		}
		if views[i] == nil {
			rest, restOuts = append(rest, r), append(restOuts, outs[i])
		}
	}
	if len(rest) > 0 || slices.ContainsFunc(pending, mayFail) {
		f.segMap(n, pending, rest, restOuts)
	}
	for i, m := range views {
		if m != nil {
			f.copies(m, res[i], outs[i:i+1])
		}
	}
}

// stored finds the array over n, made by a kernel of this nest, whose element at each point is r; zero when there is none. Values of an
// outer nest's points are in arrays of fewer dimensions.
func (f *flattener) stored(n *nest, r core.Operand) core.Var {
	for _, s := range n.prologue {
		e, ok := s.Exp.(*core.Index)
		if !ok || !r.IsVar(s.Dst[0].Var) || !f.made[e.Array] {
			continue
		}
		t := f.TypeOf(core.V(e.Array))
		if t.Rank() >= n.depth() && slices.Equal(e.Slice, core.FullSlice(t, core.Vars(n.ids)...)) {
			return e.Array
		}
	}
	return 0
}

// bare is s without its certificates: they were established by the kernels
// before, or, from outside the nest, stay with the builder.
func (f *flattener) bare(s *core.Stm) *core.Stm {
	f.Certs = nil
	return &core.Stm{Dst: s.Dst, Exp: s.Exp, Aux: core.Aux{Where: s.Aux.Where, Attrs: s.Aux.Attrs}}
}

func sameVars(ps []core.Param, os []core.Operand) bool {
	return slices.EqualFunc(ps, os, func(p core.Param, o core.Operand) bool { return o.IsVar(p.Var) })
}

// onlyAccs reports whether a map does nothing but update accumulators.
func onlyAccs(s *core.Stm) bool {
	_, ok := s.Exp.(*core.Screma)
	return ok && !slices.ContainsFunc(s.Dst, func(p core.Param) bool { return p.Type.Kind != core.KindAcc })
}

// exploitable reports whether a statement inside n should become kernels of
// its own rather than sequential code of a thread.
func (f *flattener) exploitable(n *nest, s *core.Stm) bool {
	if attrSequential.in(s.Aux.Attrs) {
		return false
	}
	large := func(size core.Operand) bool { return n.invariant(size) && !isSmall(size, s) }
	switch e := core.Match(s.Exp).(type) {
	case *core.Screma:
		return large(e.Size) && (f.segmentable(n, e) || f.interchangeable(n, e))
	case *core.Hist:
		ok := large(e.Size)
		for _, op := range e.Ops {
			ok = ok && f.closes(n, op.Lambda) && !slices.ContainsFunc(op.Shape, n.variant)
		}
		return ok
	case *core.Replicate:
		// Where what is repeated is an array, each of its elements would have to make all of it.
		return slices.ContainsFunc(e.Shape, large) || slices.ContainsFunc(f.TypeOf(e.X).Shape, large)
	case *core.Loop:
		return e.IsFor() && n.invariant(e.Bound) && n.regular(e.Params) && (hasParallelism(e) || f.movesResults(n, e))
	case *core.If:
		return n.invariant(e.Cond) && hasParallelism(e)
	case *core.WithAcc:
		return f.accumulates(n, e)
	default:
	}
	return false
}

// same reports whether a statement computes, of whole numbers and conditions such as sizes are made of, one that is the same at all points
// of n, and the host may as well: checks that it relies on are made outside of n.
func (n *nest) same(s *core.Stm) bool {
	whole := func(t prim.Type) bool { return t.IsInt() || t == prim.Bool }
	ok := false
	switch e := core.Match(s.Exp).(type) {
	case *core.Bin:
		ok = whole(e.Type) && (len(s.Aux.Certs) > 0 || core.NeverFails(e))
	case *core.Cmp:
		ok = whole(e.Type)
	case *core.Conv:
		ok = whole(e.From) && whole(e.To)
	case *core.Un:
		ok = whole(e.Type)
	default:
	}
	return ok && n.depth() > 0 && n.sameOperands(s)
}

// sameCheck reports whether a statement checks what is the same at all points of n.
func (n *nest) sameCheck(s *core.Stm) bool {
	_, ok := core.Match(s.Exp).(*core.Assert)
	return ok && n.sameOperands(s)
}

func (n *nest) sameOperands(s *core.Stm) bool {
	return !slices.ContainsFunc(core.FreeInStm(s).List(), func(v core.Var) bool { return n.bound[v] })
}

// certain reports whether the certificates of a statement are from outside of n.
func (n *nest) certain(s *core.Stm) bool {
	return !slices.ContainsFunc(s.Aux.Certs, func(c core.Var) bool { return n.bound[c] })
}

// same reports whether a statement makes arrays that are the same at all points of n, and nobody changes, without a chance to fail: the
// host may make them once.
func (f *flattener) same(n *nest, s *core.Stm) bool {
	switch core.Match(s.Exp).(type) {
	case *core.Screma, *core.Iota, *core.Replicate, *core.Concat, *core.ArrayLit:
	default:
		return false
	}
	if f.inGroup || n.depth() == 0 || !n.certain(s) || attrSequential.in(s.Aux.Attrs) || mayFail(s) {
		return false
	}
	ok := !s.Any(func(e core.Exp) bool {
		l, loop := e.(*core.Loop)
		_, update := e.(*core.UpdateAcc)
		return update || loop && !l.IsFor()
	})
	for _, p := range s.Dst {
		value := p.Type.Kind == core.KindScalar || p.Type.IsArray() && !f.aliases.Consumed(p.Var)
		ok = ok && value && !slices.ContainsFunc(p.Type.Shape, n.variant)
	}
	return ok && !slices.ContainsFunc(core.FreeInStm(s).List(), func(v core.Var) bool { return n.bound[v] })
}

func (n *nest) variant(o core.Operand) bool { return !n.invariant(o) }

// isSmall reports whether a SOAC over size elements is not worth parallelism of its own.
func isSmall(size core.Operand, s *core.Stm) bool {
	c, ok := size.ConstInt()
	return ok && (c < leastSize && points(s, leastPoints, withoutLoops) <= leastPoints ||
		c <= smallSize && points(s, smallPoints, countLoops) <= smallPoints)
}

// Whether points counts loops.
const countLoops, withoutLoops = true, false

// points is how many points the SOACs of a statement, and its loops if they count, go over, those of its bodies multiplied with it; sizes
// that are not constant count as more than enough.
func points(s *core.Stm, enough int64, loops bool) int64 {
	own := int64(1)
	switch e := core.Match(s.Exp).(type) {
	case *core.Screma:
		own = constantSize(e.Size, enough)
	case *core.Hist:
		own = constantSize(e.Size, enough)
	case *core.Loop:
		switch {
		case loops && e.IsFor():
			own = constantSize(e.Bound, enough)
		case loops:
			own = enough + 1
		}
	default:
	}
	if own > enough {
		return own
	}
	most := int64(1)
	core.MapBodies(s.Exp, func(b *core.Body) *core.Body {
		for _, s := range b.Stms {
			if most <= enough {
				most = max(most, points(s, enough, loops))
			}
		}
		return b
	})
	return own * most
}

func constantSize(size core.Operand, enough int64) int64 {
	if c, ok := size.ConstInt(); ok {
		return c
	}
	return enough + 1
}

// segmentable reports whether the operators of a SOAC can be those of a segmented operation over n: on scalars, and the same at all points,
// or such as can be made so (Note [Operators of points]).
func (f *flattener) segmentable(n *nest, e *core.Screma) bool {
	return !slices.ContainsFunc(slices.Concat(e.Scans, e.Reds), func(op core.Operator) bool { return !f.closes(n, op.Lambda) })
}

// hasParallelism reports whether a SOAC worth kernels of its own is
// inside of e, or a loop that changes the sizes of arrays, which a thread may have no memory for.
func hasParallelism(e core.Exp) bool {
	found := false
	core.MapBodies(e, func(b *core.Body) *core.Body {
		core.Walk(b, func(s *core.Stm) bool {
			switch e := core.Match(s.Exp).(type) {
			case *core.Screma:
				found = found || !isSmall(e.Size, s)
			case *core.Hist:
				found = found || !isSmall(e.Size, s)
			case *core.Loop:
				found = found || resizes(e)
			default:
			}
			return !found && !attrSequential.in(s.Aux.Attrs)
		})
		return b
	})
	return found
}

// flush makes the results of pending statements available to other kernels:
// cheap ones join the prologue, those of the others that later code needs become arrays, made
// by a kernel. ok is false when that is not possible, because of an
// accumulator or of sizes that differ between points.
func (f *flattener) flush(n *nest, pending []*core.Stm, later *core.VarSet) (m *nest, ok bool) {
	cheap, keep, kernel, ok := f.divide(n, pending, later)
	switch {
	case !ok:
		return n, false
	case !kernel:
		return n.with(cheap...), true
	}
	arrays := f.outputs(n, keep)
	f.at(&core.Stm{}, func() { f.segMap(n, pending, core.Vars(core.ParamVars(keep)), arrays) })
	// What costs nothing may use what does, and the other way round: keep the
	// order of the statements.
	reads := f.reading(n, keep, arrays)
	return n.with(slices.Concat(reads, cheap)...), true
}

// divide says what is to become of pending statements: which are cheap, which results of the others must be kept, and whether there has
// to be a kernel for those; ok is as for flush.
func (f *flattener) divide(n *nest, pending []*core.Stm, later *core.VarSet) (cheap []*core.Stm, keep []core.Param, kernel, ok bool) {
	need := &core.VarSet{}
	need.AddAll(later)
	var costly []*core.Stm
	for _, s := range pending {
		if f.cheap(s) {
			// The body may be a copy, with names of its own.
			f.noteStm(s)
			f.noteView(s)
			cheap = append(cheap, s)
			need.AddFree(s)
		} else {
			costly = append(costly, s)
		}
	}
	for _, s := range costly {
		for _, p := range s.Dst {
			if need.Has(p.Var) && p.Type.Kind != core.KindCert {
				keep = append(keep, p)
			}
		}
	}
	return cheap, keep, len(keep) > 0 || slices.ContainsFunc(costly, mayFail), n.regular(keep)
}

// cheap reports whether to compute a statement again in each kernel that
// needs it rather than store its results.
func (f *flattener) cheap(s *core.Stm) bool {
	switch e := core.Match(s.Exp).(type) {
	case *core.Use, *core.Un, *core.Bin, *core.Cmp, *core.Conv, *core.Rearrange, *core.Reshape, *core.Iota:
		return true
	case *core.Index:
		return !f.updates || s.Dst[0].Type.IsArray()
	case *core.Replicate:
		return len(e.Shape) == 1
	case *core.If, *core.Switch:
		return core.ComputesScalars(s) && !s.Any(func(e core.Exp) bool { _, loop := e.(*core.Loop); return loop })
	default:
	}
	return false
}

// mayFail reports whether a statement holds an assertion, or calls what may.
func mayFail(s *core.Stm) bool { return s.Any(core.MayFail) }
