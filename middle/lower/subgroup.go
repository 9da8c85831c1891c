package lower

import (
	"math/bits"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// exchanges reports whether the threads of a subgroup can see each other's values of
// these types, in workgroups of size threads.
func (c *code) exchanges(types []imp.Type, size int) bool {
	if lanes := c.l.facts.SubgroupSize; lanes < 2 || size%lanes != 0 {
		return false
	}
	for _, t := range types {
		if p := t.Prim(); p.Bits() > 32 || p == prim.Bool || p == prim.F16 {
			return false
		}
	}
	return true
}

// joins reports whether the threads of a subgroup can join their values by joinSubgroup.
// Operators then also see values that are no neighbours, whose result nobody uses: they
// must be arithmetic that cannot fail.
func (c *code) joins(o operators, size int) bool {
	for _, op := range o.ops {
		if !straight(op.Lambda.Body) || mayFail(op.Lambda.Body) {
			return false
		}
	}
	return c.exchanges(o.types, size)
}

// mayFail reports whether a body has checks, or reads that checks stand before.
func mayFail(b *core.Body) bool {
	fails := false
	core.Walk(b, func(s *core.Stm) bool {
		switch s.Exp.(type) { //nolint:gochecksumtype // the others cannot fail
		case *core.Assert, *core.Index:
			fails = true
		default:
		}
		return !fails
	})
	return fails
}

// joinSubgroup combines the values of a subgroup's threads, in order, into those of
// its first; other threads have anything then. All threads arrive.
func (c *code) joinSubgroup(o operators, acc []imp.Var) {
	one := func(apart imp.Exp) {
		other := c.shuffle(imp.ShuffleXor, o.types, acc, apart)
		c.setAll(acc, c.combine(o, uses(acc), other))
	}
	if isSum(o) {
		c.subgroupSum(imp.SubgroupAdd, acc[0])
		return
	}
	c.doubling(o, one)
}

// doubling generates the steps of 1, 2, 4, ... threads within a subgroup. A heavy operator stands in a loop over them.
func (c *code) doubling(o operators, one func(apart imp.Exp)) {
	lanes := c.l.facts.SubgroupSize
	if c.l.heavy(o) {
		c.steps(lanes, one)
		return
	}
	for level := range bits.Len(uint(lanes)) - 1 {
		one(idx(1 << level))
	}
}

// isSum reports whether the one operator is the addition of words, which subgroups have.
func isSum(o operators) bool {
	if len(o.ops) != 1 {
		return false
	}
	op, t, ok := single(o.ops[0].Lambda)
	return ok && op == prim.Add && (t == prim.I32 || t == prim.U32)
}

func (c *code) subgroupSum(op imp.SubgroupOp, acc imp.Var) {
	sum := c.fresh("sum", c.scope().TypeOf(use(acc)))
	c.emit(&imp.Subgroup{Dst: sum, Op: op, X: use(acc)})
	c.set(acc, use(sum))
}

// finish combines the threads' values of a workgroup, in order, and hands the result to the first one.
func (c *code) finish(o operators, size int, acc []imp.Var, f func(vals []imp.Exp)) {
	if c.joins(o, size) {
		c.joinSubgroup(o, acc)
		c.finishSubgroups(o, size, acc, f)
		return
	}
	part := c.sharedArrays(o.types, size)
	c.stores(part, id(imp.LocalID), uses(acc))
	c.finishShared(o, size, part, f)
}

// finishSubgroups is finish where the first thread of each subgroup has the values of all of its threads.
func (c *code) finishSubgroups(o operators, size int, acc []imp.Var, f func(vals []imp.Exp)) {
	lanes := c.l.facts.SubgroupSize
	part := c.sharedArrays(o.types, size/lanes)
	c.ifThen(same(rem(imp.Idx, id(imp.LocalID), idx(int64(lanes))), idx(0)), func() {
		c.stores(part, quot(imp.Idx, id(imp.LocalID), idx(int64(lanes))), uses(acc))
	})
	c.finishShared(o, size/lanes, part, f)
}

// finishShared is finish where count values lie in workgroup memory.
func (c *code) finishShared(o operators, count int, part []imp.Mem, f func(vals []imp.Exp)) {
	c.treeReduce(o, part, count)
	c.ifThen(same(id(imp.LocalID), idx(0)), func() { f(c.loads(part, idx(0))) })
}

// shuffle gives the values of variables of the thread that is so far away.
func (c *code) shuffle(op imp.SubgroupOp, types []imp.Type, vs []imp.Var, apart imp.Exp) []imp.Exp {
	out := make([]imp.Exp, len(vs))
	for i, v := range vs {
		x := c.fresh("other", types[i])
		c.emit(&imp.Subgroup{Dst: x, Op: op, X: use(v), Lane: apart})
		out[i] = use(x)
	}
	return out
}

// scanSubgroup combines with each thread's values those of the threads before it in its subgroup. All threads arrive.
func (c *code) scanSubgroup(o operators, lane imp.Exp, acc []imp.Var) {
	one := func(apart imp.Exp) {
		left := c.shuffle(imp.ShuffleUp, o.types, acc, apart)
		c.ifThen(&imp.Cmp{Op: prim.Le, Type: imp.Idx, X: apart, Y: lane}, func() {
			c.setAll(acc, c.combine(o, left, uses(acc)))
		})
	}
	if isSum(o) {
		c.subgroupSum(imp.SubgroupScanAdd, acc[0])
		return
	}
	c.doubling(o, one)
}
