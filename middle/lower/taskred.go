package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// foldLanes is how many accumulators a run is folded in: some vectors, so that one operation does not wait for the last.
const foldLanes = 64

// laneRun is how many neighbouring elements a lane has of a block, where the order matters: so many that combining the lanes is little
// beside it, and so few that a block fits the nearest cache.
const laneRun = 67

// byTasks reduces on a processor.
func (r *reduction) byTasks() {
	if len(r.outer) == 0 {
		r.taskSingle()
		return
	}
	c := r.c
	segments := c.let("segments", imp.I64, c.total(r.outer))
	size := asPrim(c.operand(r.e.Space.Sizes[len(r.outer)]))
	few := less(imp.I64, segments, i64(int64(c.l.facts.Tasks/2)))
	long := less(imp.I64, i64(taskCost), size)
	c.choose(and(few, long), func() { r.taskParts(segments, size) }, func() { r.taskEach() })
}

// taskEach reduces whole segments.
func (r *reduction) taskEach() {
	rows := r.inRows()
	r.c.taskPoints("red_each", r.outer, func(k *kernelBuilder, seg []imp.Exp) {
		n := k.index(r.e.Space.Sizes[len(seg)])
		if !rows {
			r.result(k, seg, uses(r.fold(k, seg, idx(0), n)))
			return
		}
		r.result(k, seg, uses(r.foldRun(k, seg, idx(0), n)))
	})
}

// taskSingle reduces one segment.
func (r *reduction) taskSingle() {
	c := r.c
	n := c.let("n", imp.I64, asPrim(c.operand(r.e.Space.Sizes[0])))
	outs := c.resultBlocks(r.s.Dst[:r.width])
	parts := c.partials(r.o.types, i64(int64(c.l.facts.Tasks)))
	tasks := c.tasks("red_share", n, func(k *kernelBuilder, first, count imp.Exp) {
		k.stores(k.globals(r.o.types, parts), id(imp.GroupID), uses(r.foldRun(k, nil, first, count)))
	})
	c.kernel("red_final", 1, i64(1), func(k *kernelBuilder, _ *imp.Launch) {
		r.final(k, outs, uses(r.foldParts(k, parts, idx(0), k.hostParam("tasks", tasks))))
	})
	c.readResults(r.s.Dst[:r.width], outs)
}

// taskParts reduces few long segments, each by several tasks.
func (r *reduction) taskParts(segments, size imp.Exp) {
	c := r.c
	shares := use(c.letVar("shares", imp.I64, ceilDiv(imp.I64, i64(int64(c.l.facts.Tasks)), atLeastOne(segments)))) // no constant
	per := c.let("per", imp.I64, ceilDiv(imp.I64, size, shares))
	all := c.let("tasks", imp.I64, mul(imp.I64, segments, shares))
	parts := c.partials(r.o.types, all)
	c.kernel("red_parts", 1, all, func(k *kernelBuilder, _ *imp.Launch) {
		of := k.hostParam("shares", shares)
		seg := k.unflatten(k.let("segment", imp.Idx, quot(imp.Idx, id(imp.GroupID), of)), r.outer)
		some := k.hostParam("per", per)
		first := k.let("first", imp.Idx, mul(imp.Idx, rem(imp.Idx, id(imp.GroupID), of), some))
		rest := sub(imp.Idx, k.index(r.e.Space.Sizes[len(seg)]), first)
		count := k.let("count", imp.Idx, &imp.Bin{Op: prim.Min, Type: imp.Idx, X: some, Y: rest})
		k.stores(k.globals(r.o.types, parts), id(imp.GroupID), uses(r.foldRun(k, seg, first, count)))
	})
	c.kernel("red_joined", 1, segments, func(k *kernelBuilder, _ *imp.Launch) {
		of := k.hostParam("shares", shares)
		seg := k.unflatten(k.let("segment", imp.Idx, id(imp.GroupID)), r.outer)
		r.result(k, seg, uses(r.foldParts(k, parts, mul(imp.Idx, id(imp.GroupID), of), of)))
	})
}

// foldParts combines count partial results from the first on.
func (r *reduction) foldParts(k *kernelBuilder, parts []imp.Var, first, count imp.Exp) []imp.Var {
	from, acc := k.globals(r.o.types, parts), r.accumulate(k)
	k.forLoop("part", count, func(j imp.Exp) {
		k.setAll(acc, k.combine(r.o, uses(acc), k.loads(from, add(imp.Idx, first, j))))
	})
	return acc
}

// fold combines count elements of a segment in order.
func (r *reduction) fold(k *kernelBuilder, seg []imp.Exp, first, count imp.Exp) []imp.Var {
	return k.fold(r.o, r.elements(k, seg, first), count)
}

// foldRun combines count elements of a segment, in lanes if what is done for each is operations on scalars.
func (r *reduction) foldRun(k *kernelBuilder, seg []imp.Exp, first, count imp.Exp) []imp.Var {
	return k.foldStraight(r.o, straight(r.e.Body), r.o.commutative, r.elements(k, seg, first), count)
}

// foldStraight combines count elements: in lanes if the code of an element is straight and that of the operators, too.
func (c *kernelBuilder) foldStraight(o operators, elements, commutative bool, element func(j imp.Exp) []imp.Exp, count imp.Exp) []imp.Var {
	switch {
	case !elements || !o.straight():
		return c.fold(o, element, count)
	case commutative:
		return c.foldLanes(o, element, count)
	default:
		return c.foldBlocks(o, element, count)
	}
}

// elements returns the values at a place of a segment, counted from the first one.
func (r *reduction) elements(k *kernelBuilder, seg []imp.Exp, first imp.Exp) func(j imp.Exp) []imp.Exp {
	return func(j imp.Exp) []imp.Exp {
		return r.element(k, append(slices.Clone(seg), k.let("at", imp.Idx, add(imp.Idx, first, j))))
	}
}

// fold combines count elements in order.
func (c *kernelBuilder) fold(o operators, element func(j imp.Exp) []imp.Exp, count imp.Exp) []imp.Var {
	acc := c.accVars("acc", o.types, exps(c.neutral(o)))
	c.forLoop("j", count, func(j imp.Exp) { c.setAll(acc, c.combine(o, uses(acc), element(j))) })
	return acc
}

// laneArrays are accumulators, foldLanes of each.
func (c *kernelBuilder) laneArrays(o operators) []imp.Mem {
	lanes := make([]imp.Mem, len(o.types))
	for i, t := range o.types {
		c.k.Mems = append(c.k.Mems, imp.MemDecl{Name: "lanes", Space: imp.Private, Elem: t.Prim(), Count: foldLanes})
		lanes[i] = imp.Mem(len(c.k.Mems) - 1)
	}
	return lanes
}

// foldBlocks combines count elements in order: of each block, lane l has its run number l, and then the lanes are combined.
func (c *kernelBuilder) foldBlocks(o operators, element func(j imp.Exp) []imp.Exp, count imp.Exp) []imp.Var {
	lanes := c.laneArrays(o)
	acc := c.accVars("acc", o.types, exps(c.neutral(o)))
	// Compilers load from places that are apart if they do not know how far.
	run := c.let("run", imp.Idx, &imp.Bin{Op: prim.Min, Type: imp.Idx, X: count, Y: idx(laneRun)})
	size := c.let("size", imp.Idx, mul(imp.Idx, run, idx(foldLanes)))
	blocks := c.let("blocks", imp.Idx, quot(imp.Idx, count, idx(foldLanes*laneRun)))
	c.forLoop("b", blocks, func(b imp.Exp) {
		from := c.let("from", imp.Idx, mul(imp.Idx, b, size))
		c.parallelLoop("l", idx(foldLanes), func(l imp.Exp) { c.stores(lanes, l, exps(c.neutral(o))) })
		c.forLoop("k", run, func(k imp.Exp) {
			c.parallelLoop("l", idx(foldLanes), func(l imp.Exp) {
				x := element(add(imp.Idx, from, add(imp.Idx, mul(imp.Idx, l, run), k)))
				c.stores(lanes, l, c.combine(o, c.loads(lanes, l), x))
			})
		})
		c.forLoop("l", idx(foldLanes), func(l imp.Exp) { c.setAll(acc, c.combine(o, uses(acc), c.loads(lanes, l))) })
	})
	done := c.let("done", imp.Idx, mul(imp.Idx, blocks, size))
	c.forLoop("j", c.let("rest", imp.Idx, sub(imp.Idx, count, done)), func(j imp.Exp) {
		c.setAll(acc, c.combine(o, uses(acc), element(add(imp.Idx, done, j))))
	})
	return acc
}

// foldLanes combines count elements, element j into accumulator j modulo their number, and these in the end.
func (c *kernelBuilder) foldLanes(o operators, element func(j imp.Exp) []imp.Exp, count imp.Exp) []imp.Var {
	lanes := c.laneArrays(o)
	c.parallelLoop("l", idx(foldLanes), func(l imp.Exp) { c.stores(lanes, l, exps(c.neutral(o))) })
	some := func(from, n imp.Exp) {
		c.parallelLoop("l", n, func(l imp.Exp) {
			x := element(add(imp.Idx, from, l))
			c.stores(lanes, l, c.combine(o, c.loads(lanes, l), x))
		})
	}
	whole := c.let("whole", imp.Idx, quot(imp.Idx, count, idx(foldLanes)))
	c.forLoop("b", whole, func(b imp.Exp) {
		some(c.let("from", imp.Idx, mul(imp.Idx, b, idx(foldLanes))), idx(foldLanes))
	})
	done := c.let("done", imp.Idx, mul(imp.Idx, whole, idx(foldLanes)))
	some(done, c.let("rest", imp.Idx, sub(imp.Idx, count, done)))
	acc := c.accVars("acc", o.types, exps(c.neutral(o)))
	c.forLoop("l", idx(foldLanes), func(l imp.Exp) { c.setAll(acc, c.combine(o, uses(acc), c.loads(lanes, l))) })
	return acc
}

// straight reports whether the operators are operations on scalars and branches of such.
func (o operators) straight() bool {
	return !slices.ContainsFunc(o.ops, func(op core.Operator) bool { return !straight(op.Lambda.Body) })
}
