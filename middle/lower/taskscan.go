package lower

import (
	"slices"

	"skald/middle/imp"
)

// taskEach scans whole segments.
func (sc *scan) taskEach() {
	sc.c.taskPoints(sc.form, "scan_each", sc.outer, func(k *kernelBuilder, seg []imp.Exp) {
		sc.run(k, seg, exps(k.neutral(sc.o)), idx(0), k.index(sc.e.Space.Sizes[len(seg)]), keepResults)
	})
}

// run scans count elements of a segment, after before. Its results are only kept if keep is set.
func (sc *scan) run(k *kernelBuilder, seg, before []imp.Exp, first, count imp.Exp, keep bool) []imp.Var {
	acc := k.accVars("acc", sc.o.types, before)
	k.forLoop("j", count, func(j imp.Exp) {
		is := append(slices.Clone(seg), k.let("at", imp.Idx, add(imp.Idx, first, j)))
		x, kept := sc.element(k, is, keep)
		k.setAll(acc, k.combine(sc.o, uses(acc), x))
		if keep {
			sc.result(k, is, uses(acc), kept)
		}
	})
	return acc
}

// taskSingle scans one segment: where one task has all of it, in one pass.
func (sc *scan) taskSingle() {
	c := sc.c
	n := c.let("n", imp.I64, asPrim(c.operand(sc.e.Space.Sizes[0])))
	parts := c.partials(sc.o.types, i64(int64(sc.form.Tasks)))
	per := c.taskSize(sc.form, n)
	tasks := c.let("tasks", imp.I64, ceilDiv(imp.I64, n, per))
	c.ifThen(less(imp.I64, i64(1), tasks), func() {
		c.taskKernel("scan_reduce", n, per, tasks, func(k *kernelBuilder, first, count imp.Exp) {
			k.stores(k.globals(sc.o.types, parts), id(imp.GroupID), uses(sc.total(k, first, count)))
		})
		c.kernel("scan_parts", 1, i64(1), func(k *kernelBuilder, _ *imp.Launch) {
			ms := k.globals(sc.o.types, parts)
			acc := k.accVars("acc", sc.o.types, exps(k.neutral(sc.o)))
			k.forLoop("part", k.hostParam("tasks", tasks), func(j imp.Exp) {
				own := k.loads(ms, j)
				k.stores(ms, j, uses(acc))
				k.setAll(acc, k.combine(sc.o, uses(acc), own))
			})
		})
	})
	c.taskKernel("scan_run", n, per, tasks, func(k *kernelBuilder, first, count imp.Exp) {
		ms := k.globals(sc.o.types, parts)
		before := k.accVars("before", sc.o.types, exps(k.neutral(sc.o)))
		k.ifThen(less(imp.Idx, idx(1), id(imp.NumGroups)), func() { k.setAll(before, k.loads(ms, id(imp.GroupID))) })
		sc.run(k, nil, uses(before), first, count, keepResults)
	})
}

// total combines count elements of the only segment.
func (sc *scan) total(k *kernelBuilder, first, count imp.Exp) []imp.Var {
	element := func(j imp.Exp) []imp.Exp {
		return sc.scanned(k, []imp.Exp{k.let("at", imp.Idx, add(imp.Idx, first, j))})
	}
	return k.foldRun(sc.o, sc.form, element, count)
}
