package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// byCopies makes a copy of the result for each of some threads.
func (h *histogram) byCopies(f core.Form) {
	c := h.c
	total := c.let("points", imp.I64, c.total(h.e.Space.Sizes))
	bins := c.let("bins", imp.I64, mul(imp.I64, c.total(h.outer), h.bins()))
	clamp := func(x imp.Exp, hi imp.Exp) imp.Exp {
		least := minOf(imp.I64, x, hi)
		return atLeastOne(least)
	}
	many := maxOf(imp.I64, mul(imp.I64, total, i64(core.CopiesPerPoint)), i64(int64(f.Capacity)))
	budget := minOf(imp.I64, many, i64(int64(f.Budget)))
	threads := c.let("threads", imp.I64, clamp(
		quot(imp.I64, budget, atLeastOne(bins)),
		clamp(quot(imp.I64, total, i64(int64(f.Least))), i64(int64(f.Copies)))))
	blocks := make([][]imp.Var, len(h.e.Ops))
	for i, op := range h.e.Ops {
		var types []imp.Type
		for _, t := range op.Lambda.Ret {
			types = append(types, imp.Of(t.Elem))
		}
		blocks[i] = c.partials(types, mul(imp.I64, threads, bins))
	}
	h.clearCopies(f, blocks, mul(imp.I64, threads, bins))
	h.fillCopies(f, blocks, threads, bins, total)
	h.mergeCopies(blocks, threads, bins)
}

// copiesOf makes the copies of each operator's arrays known to a kernel.
func (h *histogram) copiesOf(k *kernelBuilder, blocks [][]imp.Var) [][]imp.Mem {
	out := make([][]imp.Mem, len(blocks))
	for i, op := range h.e.Ops {
		for j, b := range blocks[i] {
			out[i] = append(out[i], k.global("copies", op.Lambda.Ret[j].Elem, b))
		}
	}
	return out
}

func (h *histogram) clearCopies(f core.Form, blocks [][]imp.Var, n imp.Exp) {
	c, size := h.c, f.Group
	n = c.let("elements", imp.I64, n)
	c.kernel("hist_clear", size, ceilDiv(imp.I64, n, i64(int64(size))), func(k *kernelBuilder, _ *imp.Launch) {
		i := k.let("i", imp.Idx, id(imp.ThreadID))
		copies := h.copiesOf(k, blocks)
		k.ifThen(less(imp.Idx, i, k.hostParam("elements", n)), func() {
			for o, op := range h.e.Ops {
				for j, m := range copies[o] {
					k.store(m, i, asPrim(k.operand(op.Neutral[j])))
				}
			}
		})
	})
}

func (h *histogram) fillCopies(f core.Form, blocks [][]imp.Var, threads, bins, total imp.Exp) {
	c, size := h.c, f.Group
	c.kernel("hist_copies", size, ceilDiv(imp.I64, threads, i64(int64(size))), func(k *kernelBuilder, _ *imp.Launch) {
		copies := h.copiesOf(k, blocks)
		me, workers := k.let("me", imp.Idx, id(imp.ThreadID)), k.hostParam("threads", threads)
		n, nbins := k.hostParam("points", total), k.hostParam("bins", bins)
		k.ifThen(less(imp.Idx, me, workers), func() {
			per := k.let("per", imp.Idx, ceilDiv(imp.Idx, n, workers))
			first := k.let("first", imp.Idx, mul(imp.Idx, me, per))
			count := minOf(imp.Idx, per, sub(imp.Idx, n, first))
			k.forLoop("i", k.let("count", imp.Idx, count), func(i imp.Exp) {
				is := k.unflatten(k.let("point", imp.Idx, add(imp.Idx, first, i)), h.e.Space.Sizes)
				h.element(k, is, func(o int, bin, vals []imp.Exp) {
					op := h.e.Ops[o]
					shape := append(slices.Clone(h.outer), op.Shape...)
					at := k.flat(append(slices.Clone(is[:len(h.outer)]), bin...), shape)
					at = k.let("at", imp.Idx, add(imp.Idx, mul(imp.Idx, me, nbins), at))
					old := k.loads(copies[o], at)
					k.stores(copies[o], at, k.apply(op.Lambda, append(old, vals...)))
				})
			})
		})
	})
}

// mergeCopies combines the copies of each bin with what the result holds, as the choice says. Forms that leave copies of one kind are
// combined by the same kernels.
func (h *histogram) mergeCopies(blocks [][]imp.Var, threads, bins imp.Exp) {
	h.c.once = h.merges
	defer func() { h.c.once = nil }()
	for o := range h.e.Ops {
		m := &merger{h: h, op: o, blocks: blocks, threads: threads, bins: bins}
		m.shape = append(slices.Clone(h.outer), h.e.Ops[o].Shape...)
		m.forms(h.e.Choice.Merge[o])
	}
}

// forms combines the copies in the first of some forms that suits the number of bins.
func (m *merger) forms(forms []core.Form) {
	f := forms[0]
	run := func() {
		switch {
		case f.Way != core.WayWorkgroup:
			m.threadEach(f)
		case f.Side > 1:
			m.groupSides(f)
		default:
			m.groupEach(f)
		}
	}
	if len(f.When) == 0 {
		run()
		return
	}
	suits := m.h.c.condition(f.When, unfolded, func(core.Measure) imp.Exp { return m.bins })
	m.h.c.choose(suits, run, func() { m.forms(forms[1:]) })
}

// merger combines the copies of one operator's arrays.
type merger struct {
	h             *histogram
	op            int
	blocks        [][]imp.Var
	threads, bins imp.Exp
	shape         []core.Operand
}

func (m *merger) hist() core.HistOp { return m.h.e.Ops[m.op] }

// old are the places of a bin in the result, and what they hold, or are to begin with.
func (m *merger) old(k *kernelBuilder, is []imp.Exp) (mems []imp.Mem, places, vals []imp.Exp) {
	for j := range m.hist().Dests {
		t := m.h.dest(m.op, j)
		mems = append(mems, k.mem(t.Layout.Mem))
		places = append(places, k.let("at", imp.Idx, k.place(t.Layout, is)))
		if m.h.filled {
			vals = append(vals, k.load("x", mems[j], places[j]).exp)
		}
	}
	if !m.h.filled { // Note [Destinations that are neutral]
		vals = k.neutralElements(m.hist())
	}
	return mems, places, vals
}

func (m *merger) types() []imp.Type {
	var out []imp.Type
	for _, t := range m.hist().Lambda.Ret {
		out = append(out, imp.Of(t.Elem))
	}
	return out
}

// copy reads a bin in copy t.
func (m *merger) copy(k *kernelBuilder, copies []imp.Mem, t, nbins, at imp.Exp) []imp.Exp {
	return k.loads(copies, k.let("from", imp.Idx, add(imp.Idx, mul(imp.Idx, t, nbins), at)))
}

func (m *merger) threadEach(f core.Form) {
	m.h.c.points(f, "hist_merge", m.shape, func(k *kernelBuilder, is []imp.Exp) {
		copies := m.h.copiesOf(k, m.blocks)[m.op]
		at := k.let("at", imp.Idx, k.flat(is, m.shape))
		dst, places, vals := m.old(k, is)
		acc := k.accVars("acc", m.types(), vals)
		nbins := k.hostParam("bins", m.bins)
		k.forLoop("copy", k.hostParam("threads", m.threads), func(t imp.Exp) {
			k.setAll(acc, k.apply(m.hist().Lambda, append(uses(acc), m.copy(k, copies, t, nbins, at)...)))
		})
		for j, d := range dst {
			k.store(d, places[j], use(acc[j]))
		}
	})
}

func (m *merger) groupEach(f core.Form) {
	c := m.h.c
	o := operators{
		ops:   []core.Operator{{Lambda: m.hist().Lambda, Neutral: m.hist().Neutral, Commutative: true}},
		types: m.types(), commutative: true, looped: f.Looped,
	}
	size := f.Group
	c.kernel("hist_merge_group", size, c.let("elements", imp.I64, c.total(m.shape)), func(k *kernelBuilder, _ *imp.Launch) {
		copies := m.h.copiesOf(k, m.blocks)[m.op]
		at, lid := k.let("at", imp.Idx, id(imp.GroupID)), id(imp.LocalID)
		nbins := k.hostParam("bins", m.bins)
		acc := k.accVars("acc", o.types, exps(k.neutral(o)))
		k.stride("copy", lid, idx(int64(size)), k.hostParam("threads", m.threads), func(t imp.Exp) {
			k.setAll(acc, k.combine(o, uses(acc), m.copy(k, copies, t, nbins, at)))
		})
		k.finish(o, f, acc, func(sum []imp.Exp) {
			dst, places, vals := m.old(k, k.unflatten(at, m.shape))
			for j, x := range k.combine(o, vals, sum) {
				k.store(dst[j], places[j], x)
			}
		})
	})
}

// groupSides has a workgroup for neighbouring bins, of which its threads read rows, each of one copy, so that neighbours read neighbours.
func (m *merger) groupSides(f core.Form) {
	c, side := m.h.c, idx(int64(f.Side))
	groups := ceilDiv(imp.I64, m.bins, i64(int64(f.Side)))
	c.kernel("hist_merge_rows", f.Group, groups, func(k *kernelBuilder, _ *imp.Launch) {
		copies, types, lid := m.h.copiesOf(k, m.blocks)[m.op], m.types(), id(imp.LocalID)
		nbins, rows := k.hostParam("bins", m.bins), k.hostParam("threads", m.threads)
		part := k.sharedArrays(types, f.Group)
		at := k.let("at", imp.Idx, add(imp.Idx, mul(imp.Idx, id(imp.GroupID), side), rem(imp.Idx, lid, side)))
		acc := k.accVars("acc", types, k.neutralElements(m.hist()))
		k.ifThen(less(imp.Idx, at, nbins), func() {
			k.stride("copy", quot(imp.Idx, lid, side), idx(int64(f.Group/f.Side)), rows, func(t imp.Exp) {
				k.setAll(acc, k.apply(m.hist().Lambda, append(uses(acc), m.copy(k, copies, t, nbins, at)...)))
			})
		})
		k.stores(part, lid, uses(acc))
		pairs := k.letVar("pairs", imp.Idx, idx(int64(f.Group/2)))
		body := k.within(func() {
			k.emit(&imp.Barrier{})
			k.ifThen(less(imp.Idx, lid, use(pairs)), func() {
				xs := append(k.loads(part, lid), k.loads(part, add(imp.Idx, lid, use(pairs)))...)
				k.stores(part, lid, k.apply(m.hist().Lambda, xs))
			})
			k.set(pairs, quot(imp.Idx, use(pairs), idx(2)))
		})
		k.emit(&imp.While{Cond: lessEq(imp.Idx, side, use(pairs)), Body: body})
		k.ifThen(and(less(imp.Idx, lid, side), less(imp.Idx, at, nbins)), func() {
			dst, places, vals := m.old(k, k.unflatten(at, m.shape))
			for j, x := range k.apply(m.hist().Lambda, append(vals, k.loads(part, lid)...)) {
				k.store(dst[j], places[j], x)
			}
		})
	})
}
