package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Tables in workgroup memory]
//
// Each workgroup has a table of bins in its own memory, which its threads fill from their
// share of the input; at the end it adds what is in the table to the result. How large tables and workgroups are, and how many copies bins
// have in a table, the choice says: Note [Tables and copies] of package choose.
//
// Bins that do not fit are cut into slices. The workgroups of the slices of one share of the
// input are side by side, so that all but the first find it in the cache; each
// fills the bins of its slice. The slices of neighbouring shares are rotated, so that no compute unit has
// the workgroups of one slice only, which may be the one with all the work.
//
// Segments have workgroups of their own, as many each as saturate the device together. That may be no multiple of the segments: 200 of 264
// workgroups leave a quarter of the device empty. So long segments have more, as long as each thread has many points: tables then are
// cleared and added up more often, but the last workgroups to end are few.

// table is a way to fill tables.
type table struct {
	h        *histogram
	form     core.Form
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

const (
	evenGroups = 8  // times as many workgroups as saturate the device at once, that all compute units have equal work
	evenPoints = 64 // points that each thread of such a workgroup has at least
)

// histSizes are what the forms of a histogram depend on, in host code: its bins and, if it has segments, their number and size.
type histSizes struct{ bins, segments, long imp.Exp }

func (h *histogram) sizes() *histSizes {
	c := h.c
	n := &histSizes{bins: c.let("bins", imp.I64, h.bins())}
	if len(h.outer) > 0 {
		n.long = c.let("long", imp.I64, asPrim(c.operand(h.e.Space.Sizes[len(h.outer)])))
		n.segments = c.let("segments", imp.I64, c.total(h.outer))
	}
	return n
}

// suits is when tables pay: where the form's conditions hold and segments, if there are any, have as many points as bins, and the least
// number of each thread.
func (h *histogram) suits(f core.Form, n *histSizes) imp.Exp {
	suits := h.c.condition(f.When, unfolded, func(m core.Measure) imp.Exp {
		switch m { //nolint:exhaustive // the verifier knows what histograms measure
		case core.MeasureSize:
			return n.long
		case core.MeasureSegments:
			return n.segments
		default:
			return n.bins
		}
	})
	if len(h.outer) == 0 {
		return suits
	}
	least := maxOf(imp.I64, n.bins, i64(int64(f.Least*f.Group)))
	return and(suits, lessEq(imp.I64, least, n.long))
}

// inTables fills tables in workgroup memory.
func (h *histogram) inTables(f core.Form, n *histSizes) {
	c := h.c
	t := &table{h: h, form: f, size: f.Group, capacity: f.Capacity, bins: n.bins, v: c.vectorOf(f, h.e.Space, h.e.Body)}
	if len(h.outer) > 0 {
		whole := c.let("whole", imp.I64, groupsFor(mul(imp.I64, n.segments, n.long), f))
		share := func(groups imp.Exp) imp.Exp { return quot(imp.I64, groups, atLeastOne(n.segments)) }
		least := c.let("least", imp.I64, atLeastOne(share(whole)))
		even := minOf(imp.I64, share(mul(imp.I64, whole, i64(evenGroups))), quot(imp.I64, n.long, i64(int64(evenPoints*f.Group))))
		t.shares = c.let("shares", imp.I64, maxOf(imp.I64, least, even))
	}
	if f.Slices > 0 {
		t.slices = c.let("slices", imp.I64, ceilDiv(imp.I64, n.bins, i64(int64(f.Capacity))))
	}
	if f.Way == core.WayCounters {
		t.count()
		return
	}
	t.fill()
}

// atMost says that host code has at most so many bins.
func atMost(bins imp.Exp, n int) imp.Exp {
	if b, ok := intConst(bins); ok {
		return &imp.Const{Type: imp.Bool, Value: prim.MakeBool(b <= int64(n))}
	}
	return lessEq(imp.I64, bins, i64(int64(n)))
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

// groups is how many workgroups share the work: a multiple of the slices.
func (t *table) groups() imp.Exp {
	c := t.h.c
	if t.shares != nil {
		return c.let("groups", imp.I64, mul(imp.I64, c.total(t.h.outer), t.shares))
	}
	groups := c.let("shares", imp.I64, groupsFor(asPrim(c.operand(t.h.e.Space.Sizes[0])), t.form))
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
	t.most = k.let("most", imp.Idx, minOf(imp.Idx, left, idx(int64(t.capacity))))
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
		k.ifThen(from0(at, t.most), func() { f(op, at, vals[0]) })
	})
}

// from0 says that x is not negative and below n, which is not negative either.
func from0(x, n imp.Exp) imp.Exp {
	return less(imp.U32, convertTo(x, imp.Idx, imp.U32), convertTo(n, imp.Idx, imp.U32))
}

// copiesOf is how many copies a table has of each bin, in host code.
func (t *table) copiesOf() imp.Exp {
	if t.form.Copies == 1 {
		return i64(1)
	}
	fit := quot(imp.I64, i64(int64(t.capacity)), atLeastOne(t.bins))
	return t.h.c.let("copies", imp.I64, atLeastOne(minOf(imp.I64, i64(int64(t.form.Copies)), fit)))
}

// room is how many elements a table has: as many as its bins take, where their number is constant, so that more workgroups run at once.
func (t *table) room(copies imp.Exp) int {
	if n, ok := intConst(mul(imp.I64, t.bins, copies)); ok && t.slices == nil {
		return min(t.capacity, int(max(n, 1)))
	}
	return t.capacity
}

// held is how many bins a table has at most, in host code.
func (t *table) held() imp.Exp {
	if t.slices == nil {
		return t.bins
	}
	return minOf(imp.I64, t.bins, i64(int64(t.capacity)))
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
		room := t.room(copies)
		for i, op := range h.e.Ops {
			locals[i] = k.table("local", imp.Of(op.Lambda.Ret[0].Elem), room, mul(imp.I64, t.held(), copies))
		}
		k.stride("j", lid, step, k.let("room", imp.Idx, mul(imp.Idx, t.most, t.copies)), func(j imp.Exp) {
			for i, op := range h.e.Ops {
				k.store(locals[i], j, asPrim(k.operand(op.Neutral[0])))
			}
		})
		t.near(k, room)
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
		k.ifThen(differ(elem, use(acc), empty), func() { t.add(k, o, j, use(acc)) })
	})
}

// eachBin visits the bins of an operator that the table has, by their numbers there.
func (t *table) eachBin(k *kernelBuilder, op int, f func(j imp.Exp)) {
	end := k.product(t.h.e.Ops[op].Shape)
	if t.slices != nil {
		end = minOf(imp.Idx, sub(imp.Idx, end, t.first), t.most)
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
