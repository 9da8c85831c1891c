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

// A table in workgroup memory then needs no chains (Note [Chains of equal bins]), which take as much memory as its bins. A thread joins its
// own points, as in Note [Bins that subgroups update], follows the leader with the last of its entries, and tries some times to update the
// bins of all (Note [Eager updates]). While a thread of the workgroup has entries left, all go on with one of theirs: follow, and try. Each
// round ends for the leaders' bins at least, or another thread has updated those.
//
// What a thread has brought together so it keeps until the next batch, and combines it with what it has then if that has the same bin. A
// bin that all points have is so updated once by each subgroup, in the end.

// byLeaders updates the bins of the thread's entries, the last of which has followed.
func (k *chainKernel) byLeaders(o *chainOp, entries []*chainEntry) {
	last := entries[len(entries)-1]
	told := func() {
		left := boolConst(false)
		for _, e := range entries {
			left = or(left, inUse(e.bin))
		}
		k.set(k.left, k.tell(boolConst(false), left))
	}
	for _, e := range entries {
		k.attempt(o, e)
	}
	told()
	k.emit(&imp.While{Cond: differ(imp.U32, use(k.left), word(0)), Body: k.within(func() {
		k.moveUp([]*chainEntry{last}, entries[:len(entries)-1])
		k.follow(o, last)
		k.attempt(o, last)
		told()
	})})
}

// keep combines an entry with what the thread has kept if that has its bin, and else exchanges the two. It does so by selects, since some
// threads of a subgroup do one and some the other. What is kept is exchanged for an entry that is not in use, too, and then updated now.
func (k *chainKernel) keep(o *chainOp, e *chainEntry) {
	equal := k.let("equal", imp.Bool, same(use(e.bin), use(o.kept.bin)))
	choose := func(t imp.Type, x, y imp.Exp) imp.Exp { return &imp.Select{Type: t, Cond: equal, Then: x, Else: y} }
	bin, next := k.letVar("bin", imp.Idx, use(e.bin)), k.accVars("next", o.types, uses(e.cur))
	sum := func() []imp.Exp { return k.apply(o.hist.Lambda, append(uses(o.kept.cur), uses(e.cur)...)) }
	if asks(o) {
		k.ifThen(and(inUse(e.bin), equal), func() { k.setAll(next, sum()) })
	} else {
		for i, x := range sum() {
			k.set(next[i], choose(o.types[i], x, use(next[i])))
		}
	}
	k.set(e.bin, choose(imp.Idx, idx(-1), use(o.kept.bin)))
	k.setAll(e.cur, uses(o.kept.cur))
	k.set(o.kept.bin, use(bin))
	k.setAll(o.kept.cur, uses(next))
}

// settleKept combines what threads have kept into bins.
func (k *chainKernel) settleKept(o *chainOp) {
	entries := []*chainEntry{o.kept}
	switch {
	case k.leads():
		k.byLeaders(o, entries)
	case k.joins():
		k.bySubgroups(o, entries)
	default:
		if k.form.Shuffles {
			k.follow(o, o.kept)
		}
		k.eager(o, entries)
	}
}

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
