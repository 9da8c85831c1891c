package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// byTasks fills a histogram on a processor: each task has a copy of the bins, or if there is one copy other is generated.
func (h *histogram) byTasks(f core.Form, other func()) {
	c := h.c
	points := c.let("points", imp.I64, c.total(h.e.Space.Sizes))
	h.points = points
	bins := c.let("bins", imp.I64, atLeastOne(mul(imp.I64, c.total(h.outer), h.bins())))
	most := quot(imp.I64, points, mul(imp.I64, bins, i64(int64(f.Least))))
	copies := c.let("copies", imp.I64, minOf(imp.I64, i64(int64(f.Tasks)), most))
	c.choose(less(imp.I64, i64(1), copies), func() { h.taskCopies(f, points, bins, copies) }, other)
}

// oneThread updates the result from one thread.
func (h *histogram) oneThread() {
	points := h.points
	if points == nil {
		points = h.c.let("points", imp.I64, h.c.total(h.e.Space.Sizes))
	}
	h.c.kernel("hist_one", 1, i64(1), func(k *kernelBuilder, _ *imp.Launch) {
		k.forLoop("point", k.hostParam("points", points), func(i imp.Exp) {
			is := k.unflatten(i, h.e.Space.Sizes)
			h.element(k, is, func(o int, bin, vals []imp.Exp) {
				at := append(slices.Clone(is[:len(h.outer)]), bin...)
				var mems []imp.Mem
				var places []imp.Exp
				for j := range h.e.Ops[o].Dests {
					t := h.dest(o, j)
					mems, places = append(mems, k.mem(t.Layout.Mem)), append(places, k.let("at", imp.Idx, k.place(t.Layout, at)))
				}
				var old []imp.Exp
				for j, m := range mems {
					old = append(old, k.load("x", m, places[j]).exp)
				}
				for j, x := range k.apply(h.e.Ops[o].Lambda, append(old, vals...)) {
					k.store(mems[j], places[j], x)
				}
			})
		})
	})
}

// taskCopies makes a copy of the bins for each task.
func (h *histogram) taskCopies(f core.Form, points, bins, copies imp.Exp) {
	c := h.c
	subs := i64(1)
	if f.Copies > 0 {
		few := lessEq(imp.I64, bins, i64(int64(f.Capacity)))
		subs = c.let("subs", imp.I64, &imp.Select{Type: imp.I64, Cond: few, Then: i64(int64(f.Copies)), Else: i64(1)})
	}
	blocks := make([][]imp.Var, len(h.e.Ops))
	for i, op := range h.e.Ops {
		var types []imp.Type
		for _, t := range op.Lambda.Ret {
			types = append(types, imp.Of(t.Elem))
		}
		blocks[i] = c.partials(types, mul(imp.I64, mul(imp.I64, copies, subs), bins))
	}
	size := maxOf(imp.I64, ceilDiv(imp.I64, points, copies), i64(int64(f.Each)))
	per := use(c.letVar("per", imp.I64, size)) // no constant
	tasks := c.let("tasks", imp.I64, ceilDiv(imp.I64, points, per))
	c.taskKernel("hist_copy", points, per, tasks, func(k *kernelBuilder, first, count imp.Exp) {
		h.fillCopy(k, f.Copies, h.copiesOf(k, blocks), k.hostParam("subs", subs), k.hostParam("bins", bins), first, count)
	})
	for o := range h.e.Ops {
		m := &merger{h: h, op: o, blocks: blocks, threads: c.let("all", imp.I64, mul(imp.I64, tasks, subs)), bins: bins}
		m.shape = append(slices.Clone(h.outer), h.e.Ops[o].Shape...)
		m.forms(h.e.Choice.Merge[o])
	}
}

// fillCopy fills a task's copies of the bins from count points; own is how many it has of each bin, of which neighbouring points take one
// after the other, or 0 where points are taken one by one.
func (h *histogram) fillCopy(k *kernelBuilder, own int, copies [][]imp.Mem, subs, nbins, first, count imp.Exp) {
	all := k.let("all", imp.Idx, mul(imp.Idx, subs, nbins))
	mine := k.let("mine", imp.Idx, mul(imp.Idx, id(imp.GroupID), all))
	for o, op := range h.e.Ops {
		for j, m := range copies[o] {
			neutral := asPrim(k.operand(op.Neutral[j]))
			k.parallelLoop("bin", all, func(b imp.Exp) { k.store(m, add(imp.Idx, mine, b), neutral) })
		}
	}
	if own == 0 {
		k.forLoop("j", count, func(j imp.Exp) { h.addPoint(k, copies, mine, add(imp.Idx, first, j)) })
		return
	}
	var bases []imp.Exp
	for u := range own {
		which := minOf(imp.Idx, idx(int64(u)), sub(imp.Idx, subs, idx(1)))
		bases = append(bases, k.let("base", imp.Idx, add(imp.Idx, mine, mul(imp.Idx, which, nbins))))
	}
	some := k.let("some", imp.Idx, quot(imp.Idx, count, idx(int64(own))))
	k.forLoop("q", some, func(q imp.Exp) {
		from := k.let("from", imp.Idx, add(imp.Idx, first, mul(imp.Idx, q, idx(int64(own)))))
		for u, base := range bases {
			h.addPoint(k, copies, base, add(imp.Idx, from, idx(int64(u))))
		}
	})
	done := k.let("done", imp.Idx, mul(imp.Idx, some, idx(int64(own))))
	k.forLoop("j", k.let("rest", imp.Idx, sub(imp.Idx, count, done)), func(j imp.Exp) {
		h.addPoint(k, copies, mine, add(imp.Idx, first, add(imp.Idx, done, j)))
	})
}

// addPoint adds what a point, given by its flat index, has to the copies of the bins that begin at base.
func (h *histogram) addPoint(k *kernelBuilder, copies [][]imp.Mem, base, point imp.Exp) {
	is := k.unflatten(k.let("point", imp.Idx, point), h.e.Space.Sizes)
	h.element(k, is, func(o int, bin, vals []imp.Exp) {
		op := h.e.Ops[o]
		shape := append(slices.Clone(h.outer), op.Shape...)
		at := k.flat(append(slices.Clone(is[:len(h.outer)]), bin...), shape)
		at = k.let("at", imp.Idx, add(imp.Idx, base, at))
		old := k.loads(copies[o], at)
		k.stores(copies[o], at, k.apply(op.Lambda, append(old, vals...)))
	})
}
