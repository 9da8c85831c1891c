package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// taskEach reduces whole segments.
func (r *reduction) taskEach() {
	r.c.taskPoints(r.form, "red_each", r.outer, func(k *kernelBuilder, seg []imp.Exp) {
		n := k.index(r.e.Space.Sizes[len(seg)])
		r.result(k, seg, uses(r.foldRun(k, seg, idx(0), n)))
	})
}

// taskSingle reduces one segment.
func (r *reduction) taskSingle() {
	c := r.c
	n := c.let("n", imp.I64, asPrim(c.operand(r.e.Space.Sizes[0])))
	outs := c.resultBlocks(r.s.Dst[:r.width])
	parts := c.partials(r.o.types, i64(int64(r.form.Tasks)))
	tasks := c.tasks(r.form, "red_share", n, func(k *kernelBuilder, first, count imp.Exp) {
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
	shares := use(c.letVar("shares", imp.I64, ceilDiv(imp.I64, i64(int64(r.form.Tasks)), atLeastOne(segments)))) // no constant
	per := c.let("per", imp.I64, ceilDiv(imp.I64, size, shares))
	all := c.let("tasks", imp.I64, mul(imp.I64, segments, shares))
	parts := c.partials(r.o.types, all)
	c.kernel("red_parts", 1, all, func(k *kernelBuilder, _ *imp.Launch) {
		of := k.hostParam("shares", shares)
		seg := k.unflatten(k.let("segment", imp.Idx, quot(imp.Idx, id(imp.GroupID), of)), r.outer)
		some := k.hostParam("per", per)
		first := k.let("first", imp.Idx, mul(imp.Idx, rem(imp.Idx, id(imp.GroupID), of), some))
		rest := sub(imp.Idx, k.index(r.e.Space.Sizes[len(seg)]), first)
		count := k.let("count", imp.Idx, minOf(imp.Idx, some, rest))
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

// foldRun combines count elements of a segment, in lanes if the form has some.
func (r *reduction) foldRun(k *kernelBuilder, seg []imp.Exp, first, count imp.Exp) []imp.Var {
	return k.foldRun(r.o, r.form, r.elements(k, seg, first), count)
}

// foldRun combines count elements: in lanes, each a run of neighbouring elements, as the form says.
func (c *kernelBuilder) foldRun(o operators, form core.Form, element func(j imp.Exp) []imp.Exp, count imp.Exp) []imp.Var {
	switch {
	case form.Lanes == 0:
		return c.fold(o, element, count)
	case form.Run == 0:
		return c.foldLanes(o, form.Lanes, element, count)
	}
	return c.foldBlocks(o, form, element, count)
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

// foldBlocks combines count elements in order: of each block, lane l has its run number l, and then the lanes are combined. The blocks
// are as few as runs of the form's length allow, and equal, so that little is left for the end. The lanes' runs are an odd number of
// squares (Note [Squares]), or elements: where they were a power of two apart, all would have the same places in caches.
func (c *kernelBuilder) foldBlocks(o operators, form core.Form, element func(j imp.Exp) []imp.Exp, count imp.Exp) []imp.Var {
	lanes, all, side := c.privateArrays("lanes", o.types, form.Lanes), idx(int64(form.Lanes)), idx(int64(max(form.Square, 1)))
	acc := c.accVars("acc", o.types, exps(c.neutral(o)))
	const shortest = 16 // elements of a run that are worth a block
	most := idx(int64(form.Lanes * form.Run))
	blocks := c.let("blocks", imp.Idx, &imp.Select{
		Type: imp.Idx, Cond: less(imp.Idx, count, idx(int64(shortest*form.Lanes))), Then: idx(0),
		Else: quot(imp.Idx, add(imp.Idx, count, sub(imp.Idx, most, idx(1))), most),
	})
	some := maxOf(imp.Idx, blocks, idx(1))
	share := c.let("share", imp.Idx, quot(imp.Idx, count, mul(imp.Idx, mul(imp.Idx, some, all), side)))
	steps := c.let("steps", imp.Idx, sub(imp.Idx, share, sub(imp.Idx, idx(1), rem(imp.Idx, share, idx(2)))))
	run := c.let("run", imp.Idx, mul(imp.Idx, steps, side))
	size := c.let("size", imp.Idx, mul(imp.Idx, run, all))
	sq := c.squares(form, element)
	c.forLoop("b", blocks, func(b imp.Exp) {
		from := c.let("from", imp.Idx, mul(imp.Idx, b, size))
		c.parallelLoop("l", all, func(l imp.Exp) { c.stores(lanes, l, exps(c.neutral(o))) })
		c.forLoop("k", steps, func(k imp.Exp) {
			place := func(l imp.Exp) imp.Exp {
				return add(imp.Idx, from, add(imp.Idx, mul(imp.Idx, l, run), mul(imp.Idx, k, side)))
			}
			sq.copy(place)
			c.parallelLoop("l", all, func(l imp.Exp) {
				sum := c.loads(lanes, l)
				for _, x := range sq.read(place(l), l) {
					sum = c.combine(o, sum, x())
				}
				c.stores(lanes, l, sum)
			})
		})
		c.forLoop("l", all, func(l imp.Exp) { c.setAll(acc, c.combine(o, uses(acc), c.loads(lanes, l))) })
	})
	done := c.let("done", imp.Idx, mul(imp.Idx, blocks, size))
	c.forLoop("j", c.let("rest", imp.Idx, sub(imp.Idx, count, done)), func(j imp.Exp) {
		c.setAll(acc, c.combine(o, uses(acc), element(add(imp.Idx, done, j))))
	})
	return acc
}

// foldLanes combines count elements, element j into accumulator j modulo their number, and these in the end.
func (c *kernelBuilder) foldLanes(o operators, number int, element func(j imp.Exp) []imp.Exp, count imp.Exp) []imp.Var {
	lanes, all := c.privateArrays("lanes", o.types, number), idx(int64(number))
	c.parallelLoop("l", all, func(l imp.Exp) { c.stores(lanes, l, exps(c.neutral(o))) })
	some := func(from, n imp.Exp) {
		c.parallelLoop("l", n, func(l imp.Exp) {
			x := element(add(imp.Idx, from, l))
			c.stores(lanes, l, c.combine(o, c.loads(lanes, l), x))
		})
	}
	whole := c.let("whole", imp.Idx, quot(imp.Idx, count, all))
	c.forLoop("b", whole, func(b imp.Exp) {
		some(c.let("from", imp.Idx, mul(imp.Idx, b, all)), all)
	})
	done := c.let("done", imp.Idx, mul(imp.Idx, whole, all))
	some(done, c.let("rest", imp.Idx, sub(imp.Idx, count, done)))
	acc := c.accVars("acc", o.types, exps(c.neutral(o)))
	c.forLoop("l", all, func(l imp.Exp) { c.setAll(acc, c.combine(o, uses(acc), c.loads(lanes, l))) })
	return acc
}
