package lower

import (
	"slices"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Tables in workgroup memory]
//
// Each workgroup has a table of bins in its own memory, which its threads fill from their
// share of the input; at the end it adds what is in the table to the result. Workgroups are as large
// as the device allows and as many as fill it, so that few tables are cleared and added up.
//
// Where an operator is a compare-and-swap loop, which all threads that meet in a bin repeat, bins have as many
// copies in a table as fit. The device's own atomics need none, whatever the keys: clearing and joining
// copies takes longer than threads wait for each other.
//
// Bins that do not fit are cut into slices. The workgroups of the slices of one share of the
// input lie side by side, so that all but the first find it in the cache; each
// fills the bins of its slice. The slices of neighbouring shares are rotated, so that no compute unit has
// the workgroups of one slice only, which may be the one with all the work.

// Segments have workgroups of their own, as many each as saturate the device together. Where a segment has few elements
// for a workgroup, or fewer than bins, clearing and joining tables takes longer than updates in device memory.

// maxSlices is the most slices that bins are cut into: each reads the whole input, and with
// more of them updates in device memory are as fast.
const maxSlices = 4

// maxCopies is the most copies of a bin in a table.
const maxCopies = 32

// table is a way to fill tables.
type table struct {
	h        *histogram
	size     int     // threads of a workgroup
	capacity int     // bins of a table, copies counted
	bins     imp.Exp // of the result, in host code
	slices   imp.Exp // in host code, or nil where a table has all bins
	shares   imp.Exp // workgroups of a segment, in host code; nil where there is one segment
	v        vector
	// What the kernel has: the first bin of the slice, how many bins a copy has, how many copies there are, the indices of
	// the segment.
	first, most, copies imp.Exp
	segment             []imp.Exp
}

// tables is a way to fill tables in workgroup memory, and the bytes of them.
func (h *histogram) tables() (t *table, wide int) {
	c := h.c
	wide = c.l.facts.WideBytes
	if c.l.checks {
		wide -= vectorBytes // for the flag of workgroups that failed
	}
	bytes := 0
	for _, op := range h.e.Ops {
		bytes += c.l.facts.SharedSize(op.Lambda.Ret[0].Elem)
	}
	bins := c.let("bins", imp.I64, h.bins())
	return &table{h: h, size: c.l.facts.WideGroup, capacity: wide / bytes, bins: bins}, wide
}

// inTables fills tables in workgroup memory where bins fit, in slices if need be, and else updates device memory.
func (h *histogram) inTables() {
	c := h.c
	t, wide := h.tables()
	t.v = c.vectorise(h.e.Space, h.e.Body, nil, 4*len(h.e.Ops))
	c.choose(atMost(t.bins, t.capacity), t.fill, func() {
		inSlices := func() {
			c.choose(atMost(t.bins, maxSlices*t.capacity), func() { t.cut(t.capacity).fill() }, func() { h.spread(t.bins) })
		}
		if !h.countsOnes() {
			inSlices()
			return
		}
		narrow := wide / 2
		c.choose(atMost(t.bins, maxSlices*narrow), func() { t.cut(narrow).count() }, inSlices)
	})
}

// segmentPoints is how many points each thread of a workgroup has in a segment, at least, for tables to pay.
const segmentPoints = 4

// inTablesOfSegments fills tables in workgroup memory where they pay, and else updates device memory.
func (h *histogram) inTablesOfSegments() {
	c := h.c
	t, _ := h.tables()
	t.v = scalarVector
	long := c.let("long", imp.I64, asPrim(c.operand(h.e.Space.Sizes[len(h.outer)])))
	segments := c.let("segments", imp.I64, c.total(h.outer))
	least := &imp.Bin{Op: prim.Max, Type: imp.I64, X: t.bins, Y: i64(int64(segmentPoints * t.size))}
	pay := &imp.Cmp{Op: prim.Le, Type: imp.I64, X: least, Y: long}
	c.choose(and(atMost(t.bins, t.capacity), pay), func() {
		whole := c.groupsFor(mul(imp.I64, segments, long), t.size, segmentPoints)
		t.shares = c.let("shares", imp.I64, atLeastOne(quot(imp.I64, whole, atLeastOne(segments))))
		t.fill()
	}, h.inDevice)
}

// atMost says that host code has at most so many bins.
func atMost(bins imp.Exp, n int) imp.Exp {
	if b, ok := intConst(bins); ok {
		return &imp.Const{Type: imp.Bool, Value: prim.MakeBool(b <= int64(n))}
	}
	return &imp.Cmp{Op: prim.Le, Type: imp.I64, X: bins, Y: i64(int64(n))}
}

// choose generates a branch of host code, or only the side that is taken where that is known.
func (c *code) choose(cond imp.Exp, then, other func()) {
	if k, ok := cond.(*imp.Const); ok {
		if k.Value.Bool() {
			then()
		} else {
			other()
		}
		return
	}
	c.emit(&imp.If{Cond: cond, Then: c.within(then), Else: c.within(other)})
}

// cut is the table with the bins of a slice, at most capacity.
func (t *table) cut(capacity int) *table {
	out := *t
	out.capacity = capacity
	out.slices = t.h.c.let("slices", imp.I64, ceilDiv(imp.I64, t.bins, i64(int64(capacity))))
	return &out
}

// groups is how many workgroups share the work: a multiple of the slices.
func (t *table) groups() imp.Exp {
	c := t.h.c
	if t.shares != nil {
		return c.let("groups", imp.I64, mul(imp.I64, c.total(t.h.outer), t.shares))
	}
	groups := c.let("shares", imp.I64, c.groupsFor(asPrim(c.operand(t.h.e.Space.Sizes[0])), t.size, max(4, t.v.width)))
	if t.slices == nil {
		return groups
	}
	// As many shares as workgroups of this size saturate the device with all their slices.
	return mul(imp.I64, t.slices, ceilDiv(imp.I64, groups, t.slices))
}

// start binds what says which part of the work a workgroup has, and returns its number among those that share the
// input, and their number.
func (t *table) start(k *kernelBuilder) (share, shares imp.Exp) {
	if t.slices == nil {
		t.first, t.most = idx(0), k.hostParam("bins", t.bins)
	}
	switch {
	case t.shares != nil:
		shares = k.hostParam("shares", t.shares)
		t.segment = k.unflatten(k.let("segment", imp.Idx, quot(imp.Idx, id(imp.GroupID), shares)), t.h.outer)
		return k.let("share", imp.Idx, rem(imp.Idx, id(imp.GroupID), shares)), shares
	case t.slices == nil:
		return id(imp.GroupID), id(imp.NumGroups)
	}
	slices := k.hostParam("slices", t.slices)
	share = k.let("share", imp.Idx, quot(imp.Idx, id(imp.GroupID), slices))
	slice := rem(imp.Idx, add(imp.Idx, id(imp.GroupID), share), slices)
	t.first = k.let("first", imp.Idx, mul(imp.Idx, slice, idx(int64(t.capacity))))
	left := sub(imp.Idx, k.hostParam("bins", t.bins), t.first)
	t.most = k.let("most", imp.Idx, &imp.Bin{Op: prim.Min, Type: imp.Idx, X: left, Y: idx(int64(t.capacity))})
	return share, quot(imp.Idx, id(imp.NumGroups), slices)
}

// visit generates each for the points of a share, and behind for those that are loaded together.
func (t *table) visit(k *kernelBuilder, share, shares imp.Exp, each func(i imp.Exp), behind func()) {
	size := idx(int64(t.size))
	me := k.let("me", imp.Idx, add(imp.Idx, mul(imp.Idx, share, size), id(imp.LocalID)))
	workers := k.let("workers", imp.Idx, mul(imp.Idx, shares, size))
	k.strideTogether(t.v, idx(0), me, workers, k.index(t.h.e.Space.Sizes[len(t.h.outer)]), each, behind)
}

// element generates the body at a point, and f on each bin of the slice, by its number there, and its value.
func (t *table) element(k *kernelBuilder, i imp.Exp, f func(op int, bin, val imp.Exp)) {
	t.h.element(k, append(slices.Clone(t.segment), i), func(op int, bin, vals []imp.Exp) {
		at := k.flat(bin, t.h.e.Ops[op].Shape)
		if t.slices == nil {
			f(op, at, vals[0])
			return
		}
		at = k.let("at", imp.Idx, sub(imp.Idx, at, t.first))
		inside := and(&imp.Cmp{Op: prim.Le, Type: imp.Idx, X: idx(0), Y: at}, less(imp.Idx, at, t.most))
		k.ifThen(inside, func() { f(op, at, vals[0]) })
	})
}

// copiesOf is how many copies a table has of each bin, in host code.
func (t *table) copiesOf() imp.Exp {
	swaps := false
	for _, op := range t.h.e.Ops {
		_, ok := t.h.c.l.hardware(op.Lambda)
		swaps = swaps || !ok
	}
	if t.slices != nil || !swaps {
		return i64(1)
	}
	fit := quot(imp.I64, i64(int64(t.capacity)), atLeastOne(t.bins))
	return t.h.c.let("copies", imp.I64, atLeastOne(&imp.Bin{Op: prim.Min, Type: imp.I64, X: i64(maxCopies), Y: fit}))
}

func atLeastOne(x imp.Exp) imp.Exp {
	if n, ok := intConst(x); ok {
		return i64(max(n, 1))
	}
	return &imp.Bin{Op: prim.Max, Type: imp.I64, X: x, Y: i64(1)}
}

// fill fills tables of whole elements.
func (t *table) fill() {
	c, h := t.h.c, t.h
	copies := t.copiesOf()
	c.kernel("hist_local", t.size, t.groups(), func(k *kernelBuilder, _ *imp.Launch) {
		share, shares := t.start(k)
		t.copies = k.hostParam("copies", copies)
		lid, step := id(imp.LocalID), idx(int64(t.size))
		locals := make([]imp.Mem, len(h.e.Ops))
		for i, op := range h.e.Ops {
			locals[i] = k.shared("local", imp.Of(op.Lambda.Ret[0].Elem), t.capacity)
		}
		k.stride("j", lid, step, k.let("room", imp.Idx, mul(imp.Idx, t.most, t.copies)), func(j imp.Exp) {
			for i, op := range h.e.Ops {
				k.store(locals[i], j, asPrim(k.operand(op.Neutral[0])))
			}
		})
		k.emit(&imp.Barrier{})
		mine := k.let("mine", imp.Idx, mul(imp.Idx, rem(imp.Idx, lid, t.copies), t.most))
		t.visit(k, share, shares, func(i imp.Exp) {
			t.element(k, i, func(op int, bin, val imp.Exp) {
				k.updateAt(h.e.Ops[op].Lambda, locals[op], add(imp.Idx, mine, bin), val)
			})
		}, func() {})
		k.emit(&imp.Barrier{})
		for i := range locals {
			t.merge(k, i, locals[i])
		}
	})
}

// merge combines a table's copies of an operator's bins and adds them to the result.
func (t *table) merge(k *kernelBuilder, o int, local imp.Mem) {
	op := t.h.e.Ops[o]
	t.eachBin(k, o, func(j imp.Exp) {
		elem := imp.Of(op.Lambda.Ret[0].Elem)
		acc := k.letVar("acc", elem, k.load("x", local, j).exp)
		k.forLoop("copy", sub(imp.Idx, t.copies, idx(1)), func(copy imp.Exp) {
			at := add(imp.Idx, j, mul(imp.Idx, add(imp.Idx, copy, idx(1)), t.most))
			x := k.load("x", local, at).exp
			k.setAll([]imp.Var{acc}, k.apply(op.Lambda, []imp.Exp{use(acc), x}))
		})
		empty := asPrim(k.operand(op.Neutral[0]))
		k.ifThen(&imp.Cmp{Op: prim.Ne, Type: elem, X: use(acc), Y: empty}, func() { t.add(k, o, j, use(acc)) })
	})
}

// eachBin visits the bins of an operator that the table has, by their numbers there.
func (t *table) eachBin(k *kernelBuilder, op int, f func(j imp.Exp)) {
	end := k.product(t.h.e.Ops[op].Shape)
	if t.slices != nil {
		end = &imp.Bin{Op: prim.Min, Type: imp.Idx, X: sub(imp.Idx, end, t.first), Y: t.most}
		end = k.let("end", imp.Idx, end)
	}
	k.stride("bin", id(imp.LocalID), idx(int64(t.size)), end, f)
}

// add combines x into the result's element for bin j of the table.
func (t *table) add(k *kernelBuilder, op int, j, x imp.Exp) {
	d, hist := t.h.dest(op, 0), t.h.e.Ops[op]
	bin := k.let("whole", imp.Idx, add(imp.Idx, t.first, j))
	k.updateAt(hist.Lambda, k.mem(d.Layout.Mem), k.place(d.Layout, append(slices.Clone(t.segment), k.unflatten(bin, hist.Shape)...)), x)
}
