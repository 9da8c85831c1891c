package lower

import (
	"math/bits"
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// joinSubgroup combines the values of a subgroup's threads, in order, into those of
// its first; other threads have anything then. All threads arrive.
func (c *kernelBuilder) joinSubgroup(o operators, acc []imp.Var) {
	one := func(apart imp.Exp) {
		other := c.shuffle(imp.ShuffleXor, o.types, acc, apart)
		c.setAll(acc, c.combine(o, uses(acc), other))
	}
	if areSums(o) {
		for _, v := range acc {
			c.subgroupSum(imp.SubgroupAdd, v)
		}
		return
	}
	c.doubling(o, one)
}

// doubling generates the steps of 1, 2, 4, ... threads within a subgroup. The code of a large operator is in a loop over them.
func (c *kernelBuilder) doubling(o operators, one func(apart imp.Exp)) {
	lanes := c.l.facts.SubgroupSize
	if o.looped {
		c.steps(lanes, one)
		return
	}
	for level := range bits.Len(uint(lanes)) - 1 {
		one(idx(1 << level))
	}
}

// areSums reports whether all operators are additions of words, which subgroups have.
func areSums(o operators) bool {
	return !slices.ContainsFunc(o.ops, func(op core.Operator) bool {
		f, t, ok := op.Lambda.Single()
		return !ok || f != prim.Add || t != prim.I32 && t != prim.U32
	})
}

func (c *kernelBuilder) subgroupSum(op imp.SubgroupOp, acc imp.Var) {
	sum := c.fresh("sum", c.scope().TypeOf(use(acc)))
	c.emit(&imp.Subgroup{Dst: sum, Op: op, X: use(acc)})
	c.set(acc, use(sum))
}

// foldTiles folds into acc, in order, the run of tiles of each subgroup, each of so many, up to element n, in the workgroup of that number.
// Of a tile each thread has some rows, vectors of consecutive elements one behind the other. Only the values of the first thread of a
// subgroup count in the end.
func (c *kernelBuilder) foldTiles(
	o operators, v vector, rows, size int, number, n, each imp.Exp, acc []imp.Var, element func(is []imp.Exp) []imp.Exp,
) {
	lanes, w := idx(int64(c.l.facts.SubgroupSize)), idx(int64(v.width))
	lane := c.let("lane", imp.Idx, rem(imp.Idx, id(imp.LocalID), lanes))
	inGroup := quot(imp.Idx, id(imp.LocalID), lanes)
	own := add(imp.Idx, mul(imp.Idx, number, quot(imp.Idx, idx(int64(size)), lanes)), inGroup)
	first := c.let("first", imp.Idx, mul(imp.Idx, own, each))
	c.forLoop("tile", each, func(t imp.Exp) {
		thread := add(imp.Idx, mul(imp.Idx, add(imp.Idx, first, t), lanes), lane)
		own := c.let("base", imp.Idx, mul(imp.Idx, thread, mul(imp.Idx, w, idx(int64(rows)))))
		part := c.accVars("part", o.types, exps(c.neutral(o)))
		fold := func(is []imp.Exp) { c.setAll(part, c.combine(o, uses(part), element(is))) }
		c.forLoop("row", idx(int64(rows)), func(r imp.Exp) {
			base := c.let("base", imp.Idx, add(imp.Idx, own, mul(imp.Idx, r, w)))
			left := c.let("left", imp.Idx, sub(imp.Idx, n, base))
			whole := c.within(func() { c.lanes(v, base, func(_ int, is []imp.Exp) { fold(is) }) })
			rest := c.within(func() {
				c.forLoop("j", left, func(j imp.Exp) { fold([]imp.Exp{c.let("at", imp.Idx, add(imp.Idx, base, j))}) })
			})
			c.emit(&imp.If{Cond: lessEq(imp.Idx, w, left), Then: whole, Else: rest})
		})
		c.joinSubgroup(o, part)
		c.setAll(acc, c.combine(o, uses(acc), uses(part)))
	})
}

// finish combines the threads' values of a workgroup, in order, and hands the result to the first one.
func (c *kernelBuilder) finish(o operators, form core.Form, acc []imp.Var, f func(vals []imp.Exp)) {
	c.ofFirst(c.joinGroup(o, form, acc), f)
}

// joinGroup combines the threads' values of a workgroup, in order, into the first elements of arrays that all threads can read then.
func (c *kernelBuilder) joinGroup(o operators, form core.Form, acc []imp.Var) []imp.Mem {
	if form.Shuffles {
		c.joinSubgroup(o, acc)
		return c.joinSubgroups(o, form.Group, acc)
	}
	part := c.sharedArrays(o.types, form.Group)
	c.stores(part, id(imp.LocalID), uses(acc))
	c.treeReduce(o, part, form.Group)
	return part
}

// finishSubgroups is finish where the first thread of each subgroup has the values of all of its threads.
func (c *kernelBuilder) finishSubgroups(o operators, size int, acc []imp.Var, f func(vals []imp.Exp)) {
	c.ofFirst(c.joinSubgroups(o, size, acc), f)
}

// joinSubgroups is joinGroup where the first thread of each subgroup has the values of all of its threads.
func (c *kernelBuilder) joinSubgroups(o operators, size int, acc []imp.Var) []imp.Mem {
	lanes := c.l.facts.SubgroupSize
	part := c.sharedArrays(o.types, size/lanes)
	c.ifThen(same(rem(imp.Idx, id(imp.LocalID), idx(int64(lanes))), idx(0)), func() {
		c.stores(part, quot(imp.Idx, id(imp.LocalID), idx(int64(lanes))), uses(acc))
	})
	c.treeReduce(o, part, size/lanes)
	return part
}

// ofFirst hands the first elements of arrays to the first thread of a workgroup.
func (c *kernelBuilder) ofFirst(part []imp.Mem, f func(vals []imp.Exp)) {
	c.ifThen(same(id(imp.LocalID), idx(0)), func() { f(c.loads(part, idx(0))) })
}

// shuffle returns the values of variables of the thread that is so far away.
func (c *kernelBuilder) shuffle(op imp.SubgroupOp, types []imp.Type, vs []imp.Var, apart imp.Exp) []imp.Exp {
	out := make([]imp.Exp, len(vs))
	for i, v := range vs {
		x := c.fresh("other", types[i])
		c.emit(&imp.Subgroup{Dst: x, Op: op, X: use(v), Lane: apart})
		out[i] = use(x)
	}
	return out
}

// scanSubgroup combines with each thread's values those of the threads before it in its subgroup. All threads arrive.
func (c *kernelBuilder) scanSubgroup(o operators, lane imp.Exp, acc []imp.Var) {
	one := func(apart imp.Exp) {
		left := c.shuffle(imp.ShuffleUp, o.types, acc, apart)
		c.ifThen(lessEq(imp.Idx, apart, lane), func() {
			c.setAll(acc, c.combine(o, left, uses(acc)))
		})
	}
	if areSums(o) {
		for _, v := range acc {
			c.subgroupSum(imp.SubgroupScanAdd, v)
		}
		return
	}
	c.doubling(o, one)
}
