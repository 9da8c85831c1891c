package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// binsPerPoint is how many points a task has for each bin, at least, for a copy of the bins to pay.
const binsPerPoint = 2

// byTasks fills a histogram on a processor: each task has a copy of the bins, or all update the result.
func (h *histogram) byTasks() {
	c := h.c
	points := c.let("points", imp.I64, c.total(h.e.Space.Sizes))
	bins := c.let("bins", imp.I64, atLeastOne(mul(imp.I64, c.total(h.outer), h.bins())))
	most := quot(imp.I64, points, mul(imp.I64, bins, i64(binsPerPoint)))
	copies := c.let("copies", imp.I64, &imp.Bin{Op: prim.Min, Type: imp.I64, X: i64(int64(c.l.facts.Tasks)), Y: most})
	atomic := !slices.ContainsFunc(h.e.Ops, func(op core.HistOp) bool { return !c.l.atomic(op.Lambda, false) })
	c.choose(less(imp.I64, i64(1), copies), func() { h.taskCopies(points, bins, copies) }, func() {
		if atomic {
			h.inDevice()
			return
		}
		h.oneTask(points)
	})
}

// oneTask updates the result from one task.
func (h *histogram) oneTask(points imp.Exp) {
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

// taskCopies gives each task a copy of the bins.
func (h *histogram) taskCopies(points, bins, copies imp.Exp) {
	c := h.c
	blocks := make([][]imp.Var, len(h.e.Ops))
	for i, op := range h.e.Ops {
		var types []imp.Type
		for _, t := range op.Lambda.Ret {
			types = append(types, imp.Of(t.Elem))
		}
		blocks[i] = c.partials(types, mul(imp.I64, copies, bins))
	}
	per := &imp.Let{Var: c.fresh("per", imp.I64)}
	c.emit(per)
	tasks := c.let("tasks", imp.I64, ceilDiv(imp.I64, points, use(per.Var)))
	made := c.taskKernel("hist_copy", points, use(per.Var), tasks, func(k *kernelBuilder, first, count imp.Exp) {
		h.fillCopy(k, h.copiesOf(k, blocks), k.hostParam("bins", bins), first, count)
	})
	per.Exp = &imp.Bin{
		Op: prim.Max, Type: imp.I64, X: ceilDiv(imp.I64, points, copies), Y: i64(int64(max(1, taskCost/pointCost(made)))),
	}
	for o := range h.e.Ops {
		m := &merger{h: h, op: o, blocks: blocks, threads: tasks, bins: bins}
		m.shape = append(slices.Clone(h.outer), h.e.Ops[o].Shape...)
		m.threadEach()
	}
}

// fillCopy fills a task's copy of the bins from count points.
func (h *histogram) fillCopy(k *kernelBuilder, copies [][]imp.Mem, nbins, first, count imp.Exp) {
	mine := k.let("mine", imp.Idx, mul(imp.Idx, id(imp.GroupID), nbins))
	for o, op := range h.e.Ops {
		for j, m := range copies[o] {
			neutral := asPrim(k.operand(op.Neutral[j]))
			k.parallelLoop("bin", nbins, func(b imp.Exp) { k.store(m, add(imp.Idx, mine, b), neutral) })
		}
	}
	k.forLoop("j", count, func(j imp.Exp) {
		is := k.unflatten(k.let("point", imp.Idx, add(imp.Idx, first, j)), h.e.Space.Sizes)
		h.element(k, is, func(o int, bin, vals []imp.Exp) {
			op := h.e.Ops[o]
			shape := append(slices.Clone(h.outer), op.Shape...)
			at := k.flat(append(slices.Clone(is[:len(h.outer)]), bin...), shape)
			at = k.let("at", imp.Idx, add(imp.Idx, mine, at))
			old := k.loads(copies[o], at)
			k.stores(copies[o], at, k.apply(op.Lambda, append(old, vals...)))
		})
	})
}
