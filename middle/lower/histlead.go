package lower

import (
	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Leaders]
//
// Where subgroups have shuffles but their threads are not sure to be together again behind loops, one of them updates a bin for those that
// have the same one: the leader is the first thread with an entry, and the others with its bin give it their values. So a bin that all
// points have is updated by one thread of each subgroup.
//
// A driver may have lost threads of a subgroup (docs/limitations.md). They are counted, and follow nobody unless all are there: then each
// updates bins for itself.

// follow has the leader of a subgroup take the values of the others that have its bin.
func (k *chainKernel) follow(o *chainOp, e *chainEntry) {
	i32, u32, lanes := []imp.Type{imp.I32}, imp.U32, idx(int64(k.l.facts.SubgroupSize))
	number := func(x imp.Exp) imp.Exp { return convertTo(x, u32, imp.Idx) }
	lane := k.let("lane", imp.Idx, rem(imp.Idx, k.lid, lanes))
	first := &imp.Select{Type: imp.Idx, Cond: inUse(e.bin), Then: lane, Else: sub(imp.Idx, lanes, idx(1))}
	leader, here := k.letVar("leader", u32, convertTo(first, imp.Idx, u32)), k.letVar("here", u32, word(1))
	k.subgroupSum(imp.SubgroupMin, leader)
	k.subgroupSum(imp.SubgroupAdd, here)
	which := use(e.bin)
	if k.times != nil && !k.joins() {
		which = sub(imp.Idx, which, k.mine)
	}
	bin := k.letVar("bin", imp.I32, convertTo(which, imp.Idx, imp.I32))
	its := k.shuffle(imp.Shuffle, i32, []imp.Var{bin}, number(use(leader)))[0]
	equal := &imp.Cmp{Op: prim.Eq, Type: imp.I32, X: its, Y: use(bin)}
	follows := k.let("follows", imp.Bool, and(same(number(use(here)), lanes), and(inUse(e.bin), equal)))
	sum := k.accVars("sum", o.types, k.neutralOf(o))
	k.ifThen(follows, func() { k.setAll(sum, uses(e.cur)) })
	op := core.Operator{Lambda: o.hist.Lambda, Neutral: o.hist.Neutral, Commutative: true}
	k.joinSubgroup(operators{ops: []core.Operator{op}, types: o.types, commutative: true}, sum)
	k.ifThen(follows, func() {
		k.setAll(e.cur, uses(sum)) // All threads have the sum.
		k.ifThen(differ(imp.Idx, lane, number(use(leader))), func() { k.set(e.bin, idx(-1)) })
	})
}
