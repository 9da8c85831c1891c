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
			k.stores(k.globals(sc.o.types, parts), id(imp.GroupID), uses(sc.total(k, nil, first, count)))
		})
		c.kernel("scan_parts", 1, i64(1), func(k *kernelBuilder, _ *imp.Launch) {
			sc.scanBefore(k, k.globals(sc.o.types, parts), idx(0), k.hostParam("tasks", tasks))
		})
	})
	c.taskKernel("scan_run", n, per, tasks, func(k *kernelBuilder, first, count imp.Exp) {
		ms := k.globals(sc.o.types, parts)
		before := k.accVars("before", sc.o.types, exps(k.neutral(sc.o)))
		k.ifThen(less(imp.Idx, idx(1), id(imp.NumGroups)), func() { k.setAll(before, k.loads(ms, id(imp.GroupID))) })
		sc.run(k, nil, uses(before), first, count, keepResults)
	})
}

// scanBefore has each of count values from the first on become what is before it.
func (sc *scan) scanBefore(k *kernelBuilder, ms []imp.Mem, first, count imp.Exp) {
	acc := k.accVars("acc", sc.o.types, exps(k.neutral(sc.o)))
	k.forLoop("part", count, func(j imp.Exp) {
		at := add(imp.Idx, first, j)
		own := k.loads(ms, at)
		k.stores(ms, at, uses(acc))
		k.setAll(acc, k.combine(sc.o, uses(acc), own))
	})
}

// taskRuns scans few long segments, each by several tasks.
func (sc *scan) taskRuns(n segmentSizes) {
	c := sc.c
	shares := use(c.letVar("shares", imp.I64, ceilDiv(imp.I64, i64(int64(sc.form.Tasks)), atLeastOne(n.segments)))) // no constant
	per := c.let("per", imp.I64, roundUp(imp.I64, ceilDiv(imp.I64, n.size, shares), i64(linePoints)))
	all := c.let("tasks", imp.I64, mul(imp.I64, n.segments, shares))
	parts := c.partials(sc.o.types, all)
	each := func(name string, f func(k *kernelBuilder, ms []imp.Mem, seg []imp.Exp, first, count imp.Exp)) {
		c.kernel(name, 1, all, func(k *kernelBuilder, _ *imp.Launch) {
			of, some := k.hostParam("shares", shares), k.hostParam("per", per)
			seg := k.unflatten(k.let("segment", imp.Idx, quot(imp.Idx, id(imp.GroupID), of)), sc.outer)
			first := k.let("first", imp.Idx, mul(imp.Idx, rem(imp.Idx, id(imp.GroupID), of), some))
			count := minOf(imp.Idx, some, sub(imp.Idx, sc.rowSize(k), first))
			f(k, k.globals(sc.o.types, parts), seg, first, k.let("count", imp.Idx, maxOf(imp.Idx, idx(0), count)))
		})
	}
	each("scan_reduce", func(k *kernelBuilder, ms []imp.Mem, seg []imp.Exp, first, count imp.Exp) {
		k.stores(ms, id(imp.GroupID), uses(sc.total(k, seg, first, count)))
	})
	c.kernel("scan_parts", 1, n.segments, func(k *kernelBuilder, _ *imp.Launch) {
		of := k.hostParam("shares", shares)
		sc.scanBefore(k, k.globals(sc.o.types, parts), mul(imp.Idx, id(imp.GroupID), of), of)
	})
	each("scan_run", func(k *kernelBuilder, ms []imp.Mem, seg []imp.Exp, first, count imp.Exp) {
		sc.run(k, seg, k.loads(ms, id(imp.GroupID)), first, count, keepResults)
	})
}

// total combines count elements of a segment.
func (sc *scan) total(k *kernelBuilder, seg []imp.Exp, first, count imp.Exp) []imp.Var {
	element := func(j imp.Exp) []imp.Exp {
		return sc.scanned(k, append(slices.Clone(seg), k.let("at", imp.Idx, add(imp.Idx, first, j))))
	}
	return k.foldRun(sc.o, sc.form, element, count)
}
