package lower

import (
	"slices"

	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Tasks]
//
// On a processor whose kernels are compiled a workgroup is one thread, a task, which has a run of consecutive points. There are some tasks
// for each core, so that the run time can balance them, but fewer where the points are little work: their least number comes from the cost
// of the code that was generated for them. The points of a task are a loop nest: the innermost dimension is a parallel loop, which the
// compiler vectorises, and the others are taken apart once a row.
//
// How many tasks there are is in host code alone: kernels are the same for any number of cores, and get what depends on it as parameters.
//
// A reduction folds the run of each task, and then what the tasks leave; a scan reduces the runs of the tasks, scans what they leave, and
// goes through the runs again. A run is folded in lanes, so that sums of floats are vectorised, too: where the operator commutes, element i
// goes to accumulator i modulo their number, else each lane has neighbouring elements of a block. Histograms give each task a copy of the
// bins, unless these are as many as the points.

// loopTrips is how often a loop runs whose bound is not known.
const loopTrips = 16

// tasks generates a kernel whose tasks share n points, and returns their number. f is called with the first point of a task and how
// many it has.
func (c *hostBuilder) tasks(form core.Form, name string, n imp.Exp, f func(k *kernelBuilder, first, count imp.Exp)) (groups imp.Exp) {
	per := &imp.Let{Var: c.fresh("per", imp.I64)}
	tasks := c.fresh("tasks", imp.I64)
	c.emit(per)
	c.emit(&imp.Let{Var: tasks, Exp: ceilDiv(imp.I64, n, use(per.Var))})
	k := c.taskKernel(name, n, use(per.Var), use(tasks), f)
	per.Exp = taskSize(form, n, pointCost(k, form.Work))
	return use(tasks)
}

// taskKernel generates a kernel of so many tasks, each of which has per of n points.
func (c *hostBuilder) taskKernel(name string, n, per, tasks imp.Exp, f func(k *kernelBuilder, first, count imp.Exp)) (made *imp.Kernel) {
	c.kernel(name, 1, tasks, func(k *kernelBuilder, _ *imp.Launch) {
		size := k.hostParam("per", per)
		first := k.let("first", imp.Idx, mul(imp.Idx, id(imp.GroupID), size))
		rest := sub(imp.Idx, k.hostParam("points", n), first)
		count := k.let("count", imp.Idx, &imp.Bin{Op: prim.Min, Type: imp.Idx, X: size, Y: rest})
		k.inSmall(func() { f(k, first, count) })
		made = k.k
	})
	return made
}

// taskSize is how many of n points of some cost a task has.
func taskSize(form core.Form, n imp.Exp, cost int) imp.Exp {
	least := i64(int64(max(1, form.Work/cost)))
	size := &imp.Bin{Op: prim.Max, Type: imp.I64, X: ceilDiv(imp.I64, n, i64(int64(form.Tasks))), Y: least}
	whole := mul(imp.I64, ceilDiv(imp.I64, size, i64(vectorPoints)), i64(vectorPoints))
	return &imp.Select{Type: imp.I64, Cond: less(imp.I64, size, i64(4*vectorPoints)), Then: size, Else: whole}
}

// vectorPoints is how many points make a vector at most, of four bytes each: larger tasks have a multiple of it, or some of their points
// are left over and run one by one.
const vectorPoints = 16

// pointCost is the cost of the dearest loop of a task's code, once, up to a bound: that is what it does for a point.
func pointCost(k *imp.Kernel, bound int) int {
	most := 1
	var visit func(body []imp.Stm)
	visit = func(body []imp.Stm) {
		for _, s := range body {
			switch s := imp.MatchStm(s).(type) {
			case *imp.For:
				most = max(most, impCost(s.Body, bound))
			case *imp.While:
				if imp.Any(s.Body, isParallel) {
					visit(s.Body)
				} else {
					most = max(most, impCost(s.Body, bound))
				}
			default:
				for _, b := range imp.Bodies(s.(imp.Stm)) {
					visit(b)
				}
			}
		}
	}
	visit(k.Body)
	return most
}

func isParallel(s imp.Stm) bool {
	f, ok := s.(*imp.For)
	return ok && f.Parallel
}

// impCost is the cost of statements, up to a bound, by the numbers of Note [Cost model] of package choose.
func impCost(body []imp.Stm, bound int) int {
	cost := 0
	for _, s := range body {
		cost++
		for _, e := range imp.Exps(s) {
			imp.WalkExp(e, func(e imp.Exp) { cost += expCost(e) })
		}
		trips := 1
		switch s := imp.MatchStm(s).(type) {
		case *imp.For:
			trips = loopTrips
			if n, ok := intConst(s.Bound); ok {
				trips = int(min(n, int64(bound)))
			}
		case *imp.While:
			trips = loopTrips
		case *imp.Invoke:
			cost += impCost(s.DeviceFunction.Body, bound)
		default:
		}
		for _, b := range imp.Bodies(s) {
			cost = min(cost+trips*impCost(b, bound), bound)
		}
	}
	return cost
}

func expCost(e imp.Exp) int {
	switch e := imp.Match(e).(type) {
	case *imp.CallFunc:
		return choose.FunctionCost
	case *imp.Bin:
		switch e.Op { //nolint:exhaustive // the others are short
		case prim.Div, prim.Mod, prim.Quot, prim.Rem, prim.Pow:
			return choose.FunctionCost
		default:
		}
		return 1
	case *imp.Un, *imp.Cmp, *imp.Load:
		return 1
	default:
		return 0
	}
}

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
		k.rows(shape, first, count, func(is []imp.Exp) { f(k, is) })
	})
}

// rows runs f for count points from the flat index first on, row by row.
func (c *kernelBuilder) rows(shape []core.Operand, first, count imp.Exp, f func(is []imp.Exp)) {
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
			some := &imp.Bin{Op: prim.Min, Type: imp.Idx, X: sub(imp.Idx, n, from), Y: sub(imp.Idx, end, use(at))}
			cells := c.let("cells", imp.Idx, some)
			c.cells(from, cells, n, func(i imp.Exp) { f(append(slices.Clone(outer), i)) })
			c.set(at, add(imp.Idx, use(at), cells))
		})
		some := c.within(func() {
			if !c.jam(shape[:last], row, n, f) {
				return
			}
			c.set(at, add(imp.Idx, use(at), mul(imp.Idx, n, idx(int64(c.l.facts.Rows)))))
		})
		if len(some) == 0 {
			*c.out = append(*c.out, one...)
			return
		}
		whole := less(imp.Idx, add(imp.Idx, use(at), mul(imp.Idx, n, idx(int64(c.l.facts.Rows)))), add(imp.Idx, end, idx(1)))
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
	from.Exp = &imp.Bin{Op: prim.Max, Type: imp.Idx, X: first, Y: idx(1)}
	some.Exp = sub(imp.Idx, &imp.Bin{Op: prim.Min, Type: imp.Idx, X: end, Y: back}, use(from.Var))
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
		k.l.types[sp.Slot] = core.I64
		k.vals[sp.Slot] = index(id(imp.GroupID), maxSize-1)
		k.forLoop("j", count, func(j imp.Exp) {
			f(k, k.unflatten(k.let("point", imp.Idx, add(imp.Idx, first, j)), sp.Sizes))
		})
	})
}
