package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// Note [Tasks]
//
// On a processor whose kernels are compiled a workgroup is one thread, a task, which has a run of consecutive points. There are some tasks
// for each core, so that the run time can balance them, but fewer where the points are little work: the choice says how many a task has at
// least. The points of a task are a loop nest: the innermost dimension is a parallel loop, which the
// compiler vectorises, and the others are taken apart once a row.
//
// How many tasks there are is in host code alone: kernels are the same for any number of cores, and get what depends on it as parameters.
//
// A reduction folds the run of each task, and then what the tasks leave; a scan reduces the runs of the tasks, scans what they leave, and
// goes through the runs again. Where tasks run one after the other, one scans everything, and reads it once. A run is folded in lanes, so
// that sums of floats are vectorised, too: where the operator commutes, element i goes to accumulator i modulo their number, else each
// lane has neighbouring elements of a block. Histograms give each task a copy of the bins, unless these are as many as the points.

// tasks generates a kernel whose tasks share n points, and returns their number. f is called with the first point of a task and how
// many it has.
func (c *hostBuilder) tasks(form core.Form, name string, n imp.Exp, f func(k *kernelBuilder, first, count imp.Exp)) (groups imp.Exp) {
	per := c.taskSize(form, n)
	tasks := c.let("tasks", imp.I64, ceilDiv(imp.I64, n, per))
	c.taskKernel(name, n, per, tasks, f)
	return tasks
}

// taskKernel generates a kernel of so many tasks, each of which has per of n points.
func (c *hostBuilder) taskKernel(name string, n, per, tasks imp.Exp, f func(k *kernelBuilder, first, count imp.Exp)) {
	c.kernel(name, 1, tasks, func(k *kernelBuilder, _ *imp.Launch) {
		size := k.hostParam("per", per)
		first := k.let("first", imp.Idx, mul(imp.Idx, id(imp.GroupID), size))
		rest := sub(imp.Idx, k.hostParam("points", n), first)
		count := k.let("count", imp.Idx, minOf(imp.Idx, size, rest))
		k.inSmall(func() { f(k, first, count) })
	})
}

// taskSize is how many of n points a task has.
func (c *hostBuilder) taskSize(form core.Form, n imp.Exp) imp.Exp {
	least := i64(int64(form.Each))
	size := c.let("size", imp.I64, maxOf(imp.I64, ceilDiv(imp.I64, n, i64(int64(form.Tasks))), least))
	choose := func(below int64, then, other imp.Exp) imp.Exp {
		return &imp.Select{Type: imp.I64, Cond: less(imp.I64, size, i64(below)), Then: then, Else: other}
	}
	whole := choose(4*linePoints, roundUp(imp.I64, size, i64(vectorPoints)), roundUp(imp.I64, size, i64(linePoints)))
	return use(c.letVar("per", imp.I64, choose(vectorPoints, size, whole)))
}

// vectorPoints and linePoints are how many points of four bytes a vector and a line of the cache have. Tasks have a multiple of the one, or
// some of their points are left over and run one by one (the seven that are left of 23 take as long as the other sixteen, in n-body), and
// larger ones of the other, so that no two write to one line.
const (
	vectorPoints = 8
	linePoints   = 16
)

// parallelLoop counts from 0 below bound in a loop whose iterations are independent.
func (c *kernelBuilder) parallelLoop(name string, bound imp.Exp, f func(i imp.Exp)) {
	v := c.fresh(name, imp.Idx)
	body := c.within(func() { f(use(v)) })
	c.emit(&imp.For{Var: v, Bound: bound, Body: body, Parallel: !c.sequential})
}

// taskPoints generates a kernel that runs f for each index of a shape.
func (c *hostBuilder) taskPoints(form core.Form, name string, shape []core.Operand, f func(k *kernelBuilder, is []imp.Exp)) {
	total := c.let("points", imp.I64, c.total(shape))
	c.tasks(form, name, total, func(k *kernelBuilder, first, count imp.Exp) {
		k.rows(form.Rows, shape, first, count, func(is []imp.Exp) { f(k, is) })
	})
}

// rows runs f for count points from the flat index first on, row by row, or so many rows together where that can be: Note [Jammed rows].
func (c *kernelBuilder) rows(together int, shape []core.Operand, first, count imp.Exp, f func(is []imp.Exp)) {
	if len(shape) == 0 {
		f(nil)
		return
	}
	last := len(shape) - 1
	n := c.index(shape[last])
	if last == 0 {
		c.cells(first, count, n, func(i imp.Exp) { f([]imp.Exp{i}) })
		return
	}
	end := c.let("end", imp.Idx, add(imp.Idx, first, count))
	at := c.letVar("at", imp.Idx, first)
	body := c.within(func() {
		row := c.let("row", imp.Idx, quot(imp.Idx, use(at), n))
		from := c.let("from", imp.Idx, rem(imp.Idx, use(at), n))
		one := c.within(func() {
			outer := c.unflatten(row, shape[:last])
			some := minOf(imp.Idx, sub(imp.Idx, n, from), sub(imp.Idx, end, use(at)))
			cells := c.let("cells", imp.Idx, some)
			c.cells(from, cells, n, func(i imp.Exp) { f(append(slices.Clone(outer), i)) })
			c.set(at, add(imp.Idx, use(at), cells))
		})
		some := c.within(func() {
			if !c.jam(together, shape[:last], row, n, f) {
				return
			}
			c.set(at, add(imp.Idx, use(at), mul(imp.Idx, n, idx(int64(together)))))
		})
		if len(some) == 0 {
			*c.out = append(*c.out, one...)
			return
		}
		whole := less(imp.Idx, add(imp.Idx, use(at), mul(imp.Idx, n, idx(int64(together)))), add(imp.Idx, end, idx(1)))
		c.emit(&imp.If{Cond: and(same(from, idx(0)), whole), Then: some, Else: one})
	})
	c.emit(&imp.While{Cond: less(imp.Idx, use(at), end), Body: body})
}

// cells runs f for count indices of a row of n, from the first on, in a parallel loop. Where f goes around the ends of the row, as on a
// torus, the first and the last index of the row are apart: the others need no branches then.
func (c *kernelBuilder) cells(first, count, n imp.Exp, f func(i imp.Exp)) {
	from := &imp.Let{Var: c.fresh("from", imp.Idx), Exp: first}
	some := &imp.Let{Var: c.fresh("some", imp.Idx), Exp: count}
	mid := &inner{}
	body := c.within(func() {
		c.parallelLoop("j", use(some.Var), func(j imp.Exp) {
			mid.id = c.let("i", imp.Idx, add(imp.Idx, use(from.Var), j))
			c.inner = mid
			f(mid.id)
			c.inner = nil
		})
	})
	one := func(cond, i imp.Exp) { c.ifThen(cond, func() { f(c.let("i", imp.Idx, i)) }) }
	emit := func() {
		*c.out = append(append(*c.out, from, some), body...)
	}
	if !mid.used {
		emit()
		return
	}
	first, count = c.let("first", imp.Idx, first), c.let("count", imp.Idx, count)
	end := c.let("end", imp.Idx, add(imp.Idx, first, count))
	back := c.let("back", imp.Idx, sub(imp.Idx, n, idx(1)))
	from.Exp = maxOf(imp.Idx, first, idx(1))
	some.Exp = sub(imp.Idx, minOf(imp.Idx, end, back), use(from.Var))
	one(and(same(first, idx(0)), less(imp.Idx, idx(0), count)), idx(0))
	emit()
	one(and(and(same(end, n), less(imp.Idx, first, end)), less(imp.Idx, idx(0), back)), back)
}

// taskSlots is slots by tasks: each slot has a run of points, one after the other.
func (c *hostBuilder) taskSlots(sp core.Space, f func(k *kernelBuilder, is []imp.Exp)) {
	total := c.let("points", imp.I64, c.total(sp.Sizes))
	slots := asPrim(c.operand(sp.Slots))
	per := use(c.letVar("per", imp.I64, ceilDiv(imp.I64, total, atLeastOne(slots)))) // no constant
	tasks := c.let("tasks", imp.I64, ceilDiv(imp.I64, total, atLeastOne(per)))
	c.taskKernel("map", total, per, tasks, func(k *kernelBuilder, first, count imp.Exp) {
		k.vals[sp.Slot] = index(id(imp.GroupID), maxSize-1)
		k.forLoop("j", count, func(j imp.Exp) {
			f(k, k.unflatten(k.let("point", imp.Idx, add(imp.Idx, first, j)), sp.Sizes))
		})
	})
}
