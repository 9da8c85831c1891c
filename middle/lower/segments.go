package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// threadEach reduces each segment in one thread.
func (r *reduction) threadEach(segments imp.Exp) {
	r.c.segmentThreads(r.form, "red_thread", segments, r.outer, func(k *kernelBuilder, seg []imp.Exp) {
		acc := r.accumulate(k)
		k.forLoop("j", k.index(r.e.Space.Sizes[len(seg)]), func(j imp.Exp) {
			x := r.element(k, append(slices.Clone(seg), j))
			k.setAll(acc, k.combine(r.o, uses(acc), x))
		})
		r.result(k, seg, uses(acc))
	})
}

// segmentThreads generates a kernel of one thread for each segment; f is given the segment's place in the outer dimensions.
func (c *hostBuilder) segmentThreads(
	form core.Form, name string, segments imp.Exp, outer []core.Operand, f func(k *kernelBuilder, seg []imp.Exp),
) {
	size := form.Group
	c.kernel(name, size, ceilDiv(imp.I64, segments, i64(int64(size))), func(k *kernelBuilder, _ *imp.Launch) {
		i := k.let("segment", imp.Idx, id(imp.ThreadID))
		k.ifThen(less(imp.Idx, i, k.hostParam("segments", segments)), func() { f(k, k.unflatten(i, outer)) })
	})
}

// groupEach reduces each segment in one workgroup.
func (r *reduction) groupEach(segments imp.Exp) {
	c := r.c
	size := r.form.Group
	c.kernel("red_group", size, segments, func(k *kernelBuilder, _ *imp.Launch) {
		seg := k.unflatten(k.let("segment", imp.Idx, id(imp.GroupID)), r.outer)
		n := k.index(r.e.Space.Sizes[len(seg)])
		acc := r.accumulate(k)
		r.segment(k, seg, n, id(imp.LocalID), idx(int64(size)), acc)
		k.finish(r.o, r.form, acc, func(vals []imp.Exp) { r.result(k, seg, vals) })
	})
}

// sharesEach reduces each segment in some workgroups, whose values a workgroup each combines. Neighbouring workgroups have neighbouring
// segments, whose elements may lie beside each other.
func (r *reduction) sharesEach(n segmentSizes) {
	c, size := r.c, r.form.Group
	spread := r.form
	most := maxOf(imp.I64, i64(1), n.segments)
	shares := c.let("shares", imp.I64, sharesOf(n.size, spread, quot(imp.I64, i64(int64(spread.Groups)), most)))
	groups := c.let("groups", imp.I64, mul(imp.I64, n.segments, shares))
	parts := c.partials(r.o.types, groups)
	c.kernel("red_shares", size, groups, func(k *kernelBuilder, _ *imp.Launch) {
		segments := k.hostParam("segments", n.segments)
		i := k.let("segment", imp.Idx, rem(imp.Idx, id(imp.GroupID), segments))
		share := k.let("share", imp.Idx, quot(imp.Idx, id(imp.GroupID), segments))
		all := k.hostParam("shares", shares)
		seg := k.unflatten(i, r.outer)
		me := k.let("me", imp.Idx, add(imp.Idx, mul(imp.Idx, share, idx(int64(size))), id(imp.LocalID)))
		acc := r.accumulate(k)
		r.segment(k, seg, k.index(r.e.Space.Sizes[len(seg)]), me, mul(imp.Idx, all, idx(int64(size))), acc)
		at := k.let("at", imp.Idx, add(imp.Idx, mul(imp.Idx, i, all), share))
		k.finish(r.o, r.form, acc, func(vals []imp.Exp) { k.stores(k.globals(r.o.types, parts), at, vals) })
	})
	last := r.in(r.e.Choice.Merge[0][0])
	c.kernel("red_joined", last.form.Group, n.segments, func(k *kernelBuilder, _ *imp.Launch) {
		all := k.hostParam("shares", shares)
		first := k.let("first", imp.Idx, mul(imp.Idx, id(imp.GroupID), all))
		from := k.globals(r.o.types, parts)
		acc := r.accumulate(k)
		last.share(k, scalarVector, all, id(imp.LocalID), idx(int64(last.form.Group)), func(j imp.Exp) {
			k.setAll(acc, k.combine(r.o, uses(acc), k.loads(from, add(imp.Idx, first, j))))
		})
		k.finish(last.o, last.form, acc, func(vals []imp.Exp) { r.result(k, k.unflatten(id(imp.GroupID), r.outer), vals) })
	})
}

// subgroupEach reduces each segment in one subgroup.
func (r *reduction) subgroupEach(segments imp.Exp) {
	c, size, lanes := r.c, r.form.Group, idx(int64(r.c.l.facts.SubgroupSize))
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
	inFlight := max(1, r.form.Flight)
	if !r.o.commutative || inFlight == 1 {
		r.share(k, scalarVector, n, me, workers, func(j imp.Exp) { fold(element(j)) })
		return
	}
	k.strideAhead(inFlight, me, workers, n, element, fold)
}

// strideAhead visits every step-th element from me on, below n, of which so many are computed before the first is used.
func (c *kernelBuilder) strideAhead(
	inFlight int, me, step, n imp.Exp, element func(j imp.Exp) []imp.Exp, f func(x []imp.Exp),
) {
	at := c.letVar("at", imp.Idx, me)
	last := c.let("last", imp.Idx, mul(imp.Idx, step, idx(int64(inFlight-1))))
	several := c.within(func() {
		xs := make([][]imp.Exp, inFlight)
		for u := range xs {
			xs[u] = element(c.let("j", imp.Idx, add(imp.Idx, use(at), mul(imp.Idx, step, idx(int64(u))))))
		}
		for _, x := range xs {
			f(x)
		}
		c.set(at, add(imp.Idx, use(at), mul(imp.Idx, step, idx(int64(inFlight)))))
	})
	c.emit(&imp.While{Cond: less(imp.Idx, add(imp.Idx, use(at), last), n), Body: several})
	c.stride("at", use(at), step, n, func(j imp.Exp) { f(element(j)) })
}
