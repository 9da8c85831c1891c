package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Reductions of segments]
//
// A thread each takes short segments, and where there are enough to saturate the device longer ones whose elements lie
// so that neighbouring threads read neighbours: columns, not rows. A subgroup each takes rows of some thousand
// elements at most if there are enough of them: no barrier, and whole lines of the cache at each step.
// A workgroup each takes the others.

// The sizes of segments from which a thread, and a subgroup, is too little for one.
const (
	longForThread   = 64
	longForSubgroup = 4096
)

// segments reduces many segments.
func (r *reduction) segments() {
	c := r.c
	segments := c.let("segments", imp.I64, c.total(r.outer))
	size := asPrim(c.operand(r.e.Space.Sizes[len(r.outer)]))
	short := less(imp.I64, size, i64(longForThread))
	many := less(imp.I64, i64(int64(64*c.l.facts.GroupSize)), segments)
	byThread := func() { r.threadEach(segments) }
	byGroup := func() { r.groupEach(segments) }
	if !c.joins(r.o, c.l.facts.GroupSize) {
		c.choose(&imp.Bin{Op: prim.LogOr, Type: imp.Bool, X: short, Y: many}, byThread, byGroup)
		return
	}
	bySubgroup := func() {
		enough := less(imp.I64, i64(int64(4*c.l.facts.Groups)), segments)
		c.choose(and(enough, less(imp.I64, size, i64(longForSubgroup))), func() { r.subgroupEach(segments) }, byGroup)
	}
	if r.inRows() {
		c.choose(short, byThread, bySubgroup)
		return
	}
	c.choose(&imp.Bin{Op: prim.LogOr, Type: imp.Bool, X: short, Y: many}, byThread, bySubgroup)
}

// inRows reports whether threads that take neighbouring segments read far from each other, and those that take
// neighbouring elements of a segment do not.
func (r *reduction) inRows() bool {
	ids := r.e.Space.Ids
	rows := false
	for _, s := range r.e.Body.Stms {
		e, ok := s.Exp.(*core.Index)
		if !ok || !s.Dst[0].Type.IsScalar() {
			continue
		}
		array, ok := r.c.l.types[e.Array]
		if !ok { // The body makes it: a thread has it to itself.
			continue
		}
		at := sliceLayout(array, e.Slice).Layout.Offset
		segment, segmentKnown := distance(at, ids[len(ids)-2])
		element, elementKnown := distance(at, ids[len(ids)-1])
		if segmentKnown && segment == 1 {
			return false
		}
		apart := !segmentKnown || segment != 0
		rows = rows || apart && elementKnown && element == 1
	}
	return rows
}

// distance is how far apart two elements lie whose places differ by one in v, if it is a constant.
func distance(at core.Poly, v core.Var) (int64, bool) {
	next := at.Subst(func(w core.Var) core.Poly {
		if w == v {
			return core.PolyVar(w).Add(core.PolyConst(1))
		}
		return core.PolyVar(w)
	})
	return next.Sub(at).Const()
}

// threadEach reduces each segment in one thread.
func (r *reduction) threadEach(segments imp.Exp) {
	r.c.segmentThreads("red_thread", segments, r.outer, func(k *kernelBuilder, seg []imp.Exp) {
		acc := r.accumulate(k)
		k.forLoop("j", k.index(r.e.Space.Sizes[len(seg)]), func(j imp.Exp) {
			x := r.element(k, append(slices.Clone(seg), j))
			k.setAll(acc, k.combine(r.o, uses(acc), x))
		})
		r.result(k, seg, uses(acc))
	})
}

// segmentThreads generates a kernel of one thread for each segment; f is given the segment's place in the outer dimensions.
func (c *hostBuilder) segmentThreads(name string, segments imp.Exp, outer []core.Operand, f func(k *kernelBuilder, seg []imp.Exp)) {
	size := c.l.facts.GroupSize
	c.kernel(name, size, ceilDiv(imp.I64, segments, i64(int64(size))), func(k *kernelBuilder, _ *imp.Launch) {
		i := k.let("segment", imp.Idx, id(imp.ThreadID))
		k.ifThen(less(imp.Idx, i, k.hostParam("segments", segments)), func() { f(k, k.unflatten(i, outer)) })
	})
}

// groupEach reduces each segment in one workgroup.
func (r *reduction) groupEach(segments imp.Exp) {
	c := r.c
	size := c.fitGroup(r.o.types)
	c.kernel("red_group", size, segments, func(k *kernelBuilder, _ *imp.Launch) {
		seg := k.unflatten(k.let("segment", imp.Idx, id(imp.GroupID)), r.outer)
		n := k.index(r.e.Space.Sizes[len(seg)])
		acc := r.accumulate(k)
		r.segment(k, seg, n, id(imp.LocalID), idx(int64(size)), acc)
		k.finish(r.o, size, acc, func(vals []imp.Exp) { r.result(k, seg, vals) })
	})
}

// subgroupEach reduces each segment in one subgroup.
func (r *reduction) subgroupEach(segments imp.Exp) {
	c, size, lanes := r.c, r.c.l.facts.GroupSize, idx(int64(r.c.l.facts.SubgroupSize))
	groups := ceilDiv(imp.I64, segments, i64(int64(size/c.l.facts.SubgroupSize)))
	c.kernel("red_subgroup", size, groups, func(k *kernelBuilder, _ *imp.Launch) {
		i := k.let("segment", imp.Idx, quot(imp.Idx, id(imp.ThreadID), lanes))
		lane := k.let("lane", imp.Idx, rem(imp.Idx, id(imp.LocalID), lanes))
		has := k.let("has", imp.Bool, less(imp.Idx, i, k.hostParam("segments", segments)))
		seg := k.unflatten(i, r.outer)
		n := &imp.Select{Type: imp.Idx, Cond: has, Then: k.index(r.e.Space.Sizes[len(seg)]), Else: idx(0)}
		acc := r.accumulate(k)
		r.segment(k, seg, k.let("n", imp.Idx, n), lane, lanes, acc)
		k.joinSubgroup(r.o, acc)
		k.ifThen(and(has, same(lane, idx(0))), func() { r.result(k, seg, uses(acc)) })
	})
}

// segment combines into acc the part of a segment of n elements that worker number me of workers has.
func (r *reduction) segment(k *kernelBuilder, seg []imp.Exp, n, me, workers imp.Exp, acc []imp.Var) {
	element := func(j imp.Exp) []imp.Exp { return r.element(k, append(slices.Clone(seg), j)) }
	fold := func(x []imp.Exp) { k.setAll(acc, k.combine(r.o, uses(acc), x)) }
	inFlight := r.inFlight()
	if !r.o.commutative || inFlight == 1 {
		r.share(k, scalarVector, n, me, workers, func(j imp.Exp) { fold(element(j)) })
		return
	}
	at := k.letVar("at", imp.Idx, me)
	last := k.let("last", imp.Idx, mul(imp.Idx, workers, idx(int64(inFlight-1))))
	several := k.within(func() {
		xs := make([][]imp.Exp, inFlight)
		for u := range xs {
			xs[u] = element(k.let("j", imp.Idx, add(imp.Idx, use(at), mul(imp.Idx, workers, idx(int64(u))))))
		}
		for _, x := range xs {
			fold(x)
		}
		k.set(at, add(imp.Idx, use(at), mul(imp.Idx, workers, idx(int64(inFlight)))))
	})
	k.emit(&imp.While{Cond: less(imp.Idx, add(imp.Idx, use(at), last), n), Body: several})
	k.stride("at", use(at), workers, n, func(j imp.Exp) { fold(element(j)) })
}

// inFlight is how many elements a thread loads before it combines the first.
func (r *reduction) inFlight() int {
	l := r.c.l
	cost := l.cost(&core.Body{Stms: r.e.Body.Stms}) + l.operatorCost(r.o)
	if !l.facts.Vectors || l.facts.Software || !straight(r.e.Body) || len(r.s.Dst) > r.width || maxInFlight*cost > maxUnrolled {
		return 1
	}
	return maxInFlight
}
