package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Chains of equal bins]
//
// An operator that has no atomic operation needs each bin to have one owner at a time. A workgroup takes a point a thread, or some of one
// bin, and brings together the values of those that have one bin before anybody touches it, in rounds that no lock and no distribution
// of the points makes longer than the logarithm of the workgroup's threads:
//
//   - each thread exchanges its number with what the owner's word of its bin, in workgroup memory, held. So the threads of a bin
//     are a chain: the last one is in the owner's word, and each knows the one before it;
//   - in each round a thread combines its value with that of the thread before it and skips to the one before that, so that the
//     value of the last one comes to those of the whole chain (pointer jumping). Rounds end where no thread of the workgroup has one
//     before it;
//   - the last of each chain combines the chain's value into the bin. No other thread of the workgroup has that bin.
//
// The bins are a table in workgroup memory, of which workgroups that each have a slice of the bins may read the same points; or a
// copy for the workgroup in device memory; or the result, which the last of the chain updates atomically. Tables and copies leave copies
// of the result, which further launches combine.
//
// Where workgroup memory does not hold a word for each bin, bins share owners' words by a hash, and a chain has threads of
// several bins. Then the bin of its last thread is what the chain is about: the others take part with a neutral value, and keep their
// own for the next time.

// chainFlags is how many words threads share to tell each other that they go on: threads that are neighbours note it in different ones.
const chainFlags = 16

// chainTries is how many points a thread takes at a time, if all but the last have one bin.
const chainTries = 4

// What a thread tells the others of its workgroup.
const (
	chainLinked = 1 << iota // there is a thread before it in its chain
	chainMore               // it has not had all of its points
)

// chains fills a histogram by chains of equal bins.
type chains struct {
	h      *histogram
	form   core.Form
	total  imp.Exp     // the bins of all segments, in host code
	points imp.Exp     // in host code
	slices imp.Exp     // in host code, or nil where there are none
	shares imp.Exp     // how many workgroups share the points, in host code
	blocks [][]imp.Var // copies of the result, one for each share; nil where the result is updated
}

// hashed reports whether bins share owners' words.
func (t *chains) hashed() bool { return t.form.Way != core.WayChain }

// byChains generates the histogram in a form of chains.
func (h *histogram) byChains(f core.Form, all imp.Exp) {
	c := h.c
	t := &chains{h: h, form: f, total: all, points: c.let("points", imp.I64, c.total(h.e.Space.Sizes))}
	t.shares = groupsFor(t.points, f)
	few := quot(imp.I64, mul(imp.I64, t.points, i64(core.CopiesPerPoint)), atLeastOne(all))
	if f.Budget > 0 {
		few = minOf(imp.I64, few, quot(imp.I64, i64(int64(f.Budget)), atLeastOne(all)))
	}
	if f.Way != core.WayChainUpdates {
		t.shares = atLeastOne(minOf(imp.I64, t.shares, few))
	}
	if f.Slices > 0 {
		t.slices = c.let("slices", imp.I64, atLeastOne(ceilDiv(imp.I64, all, i64(int64(f.Capacity)))))
		t.shares = ceilDiv(imp.I64, t.shares, t.slices)
	}
	t.shares = c.let("shares", imp.I64, t.shares)
	groups := t.shares
	if t.slices != nil {
		groups = c.let("groups", imp.I64, mul(imp.I64, t.shares, t.slices))
	}
	if f.Way != core.WayChainUpdates {
		elements := c.let("elements", imp.I64, mul(imp.I64, t.shares, all))
		for _, op := range h.e.Ops {
			t.blocks = append(t.blocks, c.partials(lambdaTypes(op.Lambda), elements))
		}
		if f.Way == core.WayChainCopies {
			h.clearCopies(f, t.blocks, elements)
		}
	}
	c.kernel("hist_chain", f.Group, groups, func(k *kernelBuilder, _ *imp.Launch) { t.in(k).generate() })
	if t.blocks != nil {
		h.mergeCopies(t.blocks, t.shares, all)
	}
}

// lambdaTypes are the types of an operator's values.
func lambdaTypes(f *core.Lambda) []imp.Type {
	out := make([]imp.Type, len(f.Ret))
	for i, t := range f.Ret {
		out[i] = imp.Of(t.Elem)
	}
	return out
}

// chainKernel is the kernel of chains.
type chainKernel struct {
	*chains
	*kernelBuilder
	lid           imp.Exp
	first, most   imp.Exp // the first bin of the workgroup's table or copy, and how many it has
	share         imp.Exp
	owner, prev   imp.Mem
	keys          imp.Mem // the bins of the threads, where they are hashed
	flags, agreed imp.Mem
	ops           []*chainOp
	next, step    imp.Exp // of the thread's points
	nextVar       imp.Var
}

// chainOp is an operator in the kernel, and what a thread has for it.
type chainOp struct {
	hist   core.HistOp
	number int
	types  []imp.Type
	vals   []imp.Mem // of the threads, in workgroup memory
	table  []imp.Mem // in workgroup memory, or copies in device memory
	// bin is that of the thread's points, or -1, and cur their combined values; held is the next point's, if that has another bin.
	bin, heldBin imp.Var
	cur, held    []imp.Var
}

// in declares what the kernel needs.
func (t *chains) in(k *kernelBuilder) *chainKernel {
	size := t.form.Group
	ck := &chainKernel{chains: t, kernelBuilder: k, lid: id(imp.LocalID)}
	ck.owner, ck.prev = k.shared("owner", imp.I32, t.form.Capacity), k.shared("prev", imp.I32, size)
	ck.flags, ck.agreed = k.shared("flags", imp.U32, chainFlags), k.shared("agreed", imp.U32, 1)
	if t.hashed() {
		ck.keys = k.shared("keys", imp.I32, size)
	}
	var copies [][]imp.Mem
	if t.form.Way == core.WayChainCopies {
		copies = t.h.copiesOf(k, t.blocks)
	}
	for i, op := range t.h.e.Ops {
		o := &chainOp{hist: op, number: i, types: lambdaTypes(op.Lambda)}
		o.vals = k.sharedArrays(o.types, size)
		switch t.form.Way { //nolint:exhaustive // the other updates the result
		case core.WayChain:
			o.table = k.sharedArrays(o.types, t.form.Capacity)
		case core.WayChainCopies:
			o.table = copies[i]
		}
		ck.ops = append(ck.ops, o)
	}
	return ck
}

// barrier makes what threads have stored visible to their workgroup.
func (k *chainKernel) barrier() { k.emit(&imp.Barrier{Global: k.form.Way == core.WayChainCopies}) }

// generate generates the kernel.
func (k *chainKernel) generate() {
	k.start()
	size := idx(int64(k.form.Group))
	shares := k.hostParam("shares", k.shares)
	k.step = k.let("step", imp.Idx, mul(imp.Idx, shares, size))
	k.nextVar = k.letVar("next", imp.Idx, add(imp.Idx, mul(imp.Idx, k.share, size), k.lid))
	k.next = use(k.nextVar)
	for _, o := range k.ops {
		o.bin = k.letVar("bin", imp.Idx, idx(-1))
		o.cur = k.accVars("cur", o.types, k.neutralOf(o))
		o.heldBin = k.letVar("held_bin", imp.Idx, idx(-1))
		o.held = k.accVars("held", o.types, k.neutralOf(o))
	}
	more := k.letVar("more", imp.U32, word(1))
	body := k.within(func() {
		k.take()
		k.barrier()
		for i, o := range k.ops {
			if i > 0 {
				k.barrier()
			}
			k.combineChains(o, more)
		}
	})
	k.emit(&imp.While{Cond: differ(imp.U32, use(more), word(0)), Body: body})
	if k.form.Way == core.WayChain {
		k.leave()
	}
}

// start says which part of the work the workgroup has, and clears its memory.
func (k *chainKernel) start() {
	total := k.hostParam("bins", k.total)
	k.share, k.first, k.most = id(imp.GroupID), idx(0), total
	if k.slices != nil {
		slices := k.hostParam("slices", k.slices)
		k.share = k.let("share", imp.Idx, quot(imp.Idx, id(imp.GroupID), slices))
		slice := rem(imp.Idx, add(imp.Idx, id(imp.GroupID), k.share), slices)
		k.first = k.let("first", imp.Idx, mul(imp.Idx, slice, idx(int64(k.form.Capacity))))
		left := sub(imp.Idx, total, k.first)
		k.most = k.let("most", imp.Idx, minOf(imp.Idx, left, idx(int64(k.form.Capacity))))
	}
	if k.form.Way == core.WayChainCopies {
		k.first = k.let("first", imp.Idx, mul(imp.Idx, k.share, total))
	}
	words := idx(int64(k.form.Capacity))
	if !k.hashed() {
		words = k.most
	}
	size := idx(int64(k.form.Group))
	k.stride("j", k.lid, size, words, func(j imp.Exp) {
		k.store(k.owner, j, word32(0))
		if k.hashed() {
			return
		}
		for _, o := range k.ops {
			k.stores(o.table, j, k.neutralOf(o))
		}
	})
	k.ifThen(less(imp.Idx, k.lid, idx(chainFlags)), func() { k.store(k.flags, k.lid, word(0)) })
}

func (k *chainKernel) neutralOf(o *chainOp) []imp.Exp {
	out := make([]imp.Exp, len(o.hist.Neutral))
	for i, n := range o.hist.Neutral {
		out[i] = asPrim(k.operand(n))
	}
	return out
}

// take takes the thread's next points: those of one bin, which it combines, and one of another, which it holds until the first have
// gone. Where bins are in slices, it looks for points of its slice.
func (k *chainKernel) take() {
	for _, o := range k.ops {
		k.ifThen(and(less(imp.Idx, use(o.bin), idx(0)), inUse(o.heldBin)), func() {
			k.set(o.bin, use(o.heldBin))
			k.setAll(o.cur, uses(o.held))
			k.set(o.heldBin, idx(-1))
		})
	}
	tries := i64(chainTries)
	if k.slices != nil {
		tries = maxOf(imp.I64, tries, mul(imp.I64, k.slices, i64(2)))
	}
	n := k.hostParam("points", k.points)
	k.forLoop("try", k.hostParam("tries", tries), func(imp.Exp) {
		free := less(imp.Idx, k.next, n)
		for _, o := range k.ops {
			free = and(free, less(imp.Idx, use(o.heldBin), idx(0)))
		}
		k.ifThen(free, func() {
			is := k.unflatten(k.let("point", imp.Idx, k.next), k.h.e.Space.Sizes)
			k.h.element(k.kernelBuilder, is, func(op int, bin, vals []imp.Exp) { k.keepPoint(k.ops[op], is, bin, vals) })
			k.set(k.nextVar, add(imp.Idx, k.next, k.step))
		})
	})
}

// inUse says that a variable is the number of a bin, not -1.
func inUse(bin imp.Var) imp.Exp { return lessEq(imp.Idx, idx(0), use(bin)) }

// keepPoint keeps the bin and values of a point for the thread, if the bin is one of its slice.
func (k *chainKernel) keepPoint(o *chainOp, is, bin, vals []imp.Exp) {
	shape := append(slices.Clone(k.h.outer), o.hist.Shape...)
	at := k.let("at", imp.Idx, k.flat(append(slices.Clone(is[:len(k.h.outer)]), bin...), shape))
	set := func() {
		first := k.within(func() {
			k.set(o.bin, at)
			k.setAll(o.cur, vals)
		})
		another := k.within(func() {
			k.set(o.heldBin, at)
			k.setAll(o.held, vals)
		})
		again := k.within(func() { k.setAll(o.cur, k.apply(o.hist.Lambda, append(uses(o.cur), vals...))) })
		second := []imp.Stm{&imp.If{Cond: same(use(o.bin), at), Then: again, Else: another}}
		k.emit(&imp.If{Cond: inUse(o.bin), Then: second, Else: first})
	}
	if k.slices == nil {
		set()
		return
	}
	at = k.let("at", imp.Idx, sub(imp.Idx, at, k.first))
	k.ifThen(and(lessEq(imp.Idx, idx(0), at), less(imp.Idx, at, k.most)), set)
}

// slot is the owner's word of a bin.
func (k *chainKernel) slot(bin imp.Exp) imp.Exp {
	if !k.hashed() {
		return bin
	}
	const golden = 0x9e3779b1 // 2^32 divided by the golden ratio, odd
	u := bin32(prim.Mul, convertTo(bin, imp.Idx, imp.U32), word(golden))
	shift := uint32(32)
	for n := k.form.Capacity; n > 1; n /= 2 {
		shift--
	}
	return k.let("slot", imp.Idx, convertTo(bin32(prim.Shr, u, word(shift)), imp.U32, imp.Idx))
}

// combineChains combines what the threads have for an operator into its bins, and sets more to whether a thread has more to do: before the
// bins are updated, since where that may fail what follows it is not uniform to every verifier.
func (k *chainKernel) combineChains(o *chainOp, more imp.Var) {
	has := k.let("has", imp.Bool, inUse(o.bin))
	place, slot := k.letVar("place", imp.Idx, use(o.bin)), k.letVar("slot", imp.Idx, idx(0))
	before := k.letVar("before", imp.Idx, idx(-1))
	k.ifThen(has, func() { k.enter(o, slot, before) })
	k.barrier()
	last, acc := k.letVar("last", imp.Bool, boolConst(false)), o.cur
	if k.hashed() {
		acc = k.accVars("acc", o.types, uses(o.cur))
	}
	k.ifThen(has, func() {
		owner := convertTo(k.load("owner", k.owner, use(slot)).exp, imp.I32, imp.Idx)
		whose := k.let("whose", imp.Idx, sub(imp.Idx, owner, idx(1)))
		k.set(last, same(whose, k.lid))
		if k.hashed() {
			k.about(o, whose, acc)
		}
	})
	if k.hashed() {
		k.barrier()
	} else {
		k.set(o.bin, idx(-1))
	}
	said := k.jump(o, before, acc)
	k.set(more, bin32(prim.And, said, word(chainMore)))
	k.ifThen(use(last), func() {
		k.addTo(o, use(place), uses(acc))
		k.store(k.owner, use(slot), word32(0))
	})
}

// enter makes the thread the last one of its bin's chain.
func (k *chainKernel) enter(o *chainOp, slot, before imp.Var) {
	k.set(slot, k.slot(use(o.bin)))
	was := k.fresh("was", imp.I32)
	me := convertTo(add(imp.Idx, k.lid, idx(1)), imp.Idx, imp.I32)
	k.emit(&imp.Atomic{Op: imp.AtomicExchange, Old: was, Mem: k.owner, Index: use(slot), Value: me})
	k.set(before, sub(imp.Idx, convertTo(use(was), imp.I32, imp.Idx), idx(1)))
	k.store(k.prev, k.lid, convertTo(use(before), imp.Idx, imp.I32))
	k.stores(o.vals, k.lid, uses(o.cur))
	if k.hashed() {
		k.store(k.keys, k.lid, convertTo(use(o.bin), imp.Idx, imp.I32))
	}
}

// about has a thread whose bin is not that of its chain's last thread take part with a neutral value; the others have done with theirs.
func (k *chainKernel) about(o *chainOp, whose imp.Exp, acc []imp.Var) {
	key := convertTo(k.load("key", k.keys, whose).exp, imp.I32, imp.Idx)
	other := k.within(func() {
		k.setAll(acc, k.neutralOf(o))
		k.stores(o.vals, k.lid, k.neutralOf(o))
	})
	done := k.within(func() { k.set(o.bin, idx(-1)) })
	k.emit(&imp.If{Cond: same(key, use(o.bin)), Then: done, Else: other})
}

// jump brings the values of each chain to its last thread, in acc, and returns what threads have told each other. A barrier came before;
// none needs to come before workgroup memory is read again but by the thread that wrote there.
func (k *chainKernel) jump(o *chainOp, before imp.Var, acc []imp.Var) imp.Exp {
	rounds := 2 // without asking whether any thread goes on
	if k.form.Looped {
		rounds = 1
	}
	linked := func() imp.Exp { return inUse(before) }
	said := k.letVar("said", imp.U32, word(chainLinked))
	body := k.within(func() {
		for r := range rounds {
			if r > 0 {
				k.emit(&imp.Barrier{})
			}
			far, further := k.accVars("far", o.types, uses(acc)), k.letVar("further", imp.Idx, idx(-1))
			k.ifThen(linked(), func() {
				k.setAll(far, k.loads(o.vals, use(before)))
				k.set(further, convertTo(k.load("prev", k.prev, use(before)).exp, imp.I32, imp.Idx))
			})
			k.emit(&imp.Barrier{})
			k.ifThen(linked(), func() {
				k.setAll(acc, k.apply(o.hist.Lambda, append(uses(far), uses(acc)...)))
				k.stores(o.vals, k.lid, uses(acc))
				k.store(k.prev, k.lid, convertTo(use(further), imp.Idx, imp.I32))
				k.set(before, use(further))
			})
		}
		more := less(imp.Idx, k.next, k.hostParam("points", k.points))
		for _, o := range k.ops {
			more = or(more, inUse(o.heldBin))
			if k.hashed() {
				more = or(more, inUse(o.bin))
			}
		}
		k.set(said, k.tell(linked(), more))
	})
	on := differ(imp.U32, bin32(prim.And, use(said), word(chainLinked)), word(0))
	k.emit(&imp.While{Cond: on, Body: body})
	return use(said)
}

// tell has all threads know whether there is one in a chain behind another, and one that has more to do.
func (k *chainKernel) tell(linked, more imp.Exp) imp.Exp {
	bit := func(c imp.Exp, b uint32) imp.Exp {
		return &imp.Select{Type: imp.U32, Cond: c, Then: word(b), Else: word(0)}
	}
	mine := k.let("mine", imp.U32, bin32(prim.Or, bit(linked, chainLinked), bit(more, chainMore)))
	k.ifThen(differ(imp.U32, mine, word(0)), func() {
		k.emit(&imp.Atomic{Op: imp.AtomicOr, Mem: k.flags, Index: rem(imp.Idx, k.lid, idx(chainFlags)), Value: mine})
	})
	k.emit(&imp.Barrier{})
	k.ifThen(same(k.lid, idx(0)), func() {
		all := word(0)
		for i := range chainFlags {
			all = bin32(prim.Or, all, k.load("flag", k.flags, idx(int64(i))).exp)
		}
		k.store(k.agreed, idx(0), all)
		for i := range chainFlags {
			k.store(k.flags, idx(int64(i)), word(0))
		}
	})
	v := k.fresh("agreed", imp.U32)
	k.emit(&imp.UniformLoad{Var: v, Mem: k.agreed, Index: idx(0)})
	return use(v)
}

// addTo combines values into a bin, which this thread of the workgroup alone has now.
func (k *chainKernel) addTo(o *chainOp, bin imp.Exp, vals []imp.Exp) {
	if k.form.Way == core.WayChainUpdates {
		d := k.h.dest(o.number, 0)
		shape := append(slices.Clone(k.h.outer), o.hist.Shape...)
		k.updateAt(o.hist.Lambda, k.mem(d.Layout.Mem), k.place(d.Layout, k.unflatten(bin, shape)), vals[0])
		return
	}
	at := bin
	if k.hashed() {
		at = k.let("at", imp.Idx, add(imp.Idx, k.first, bin))
	}
	old := k.loads(o.table, at)
	k.stores(o.table, at, k.apply(o.hist.Lambda, append(old, vals...)))
}

// leave writes the table to the workgroup's copy of the result.
func (k *chainKernel) leave() {
	k.emit(&imp.Barrier{})
	copies := k.h.copiesOf(k.kernelBuilder, k.blocks)
	to := k.let("to", imp.Idx, add(imp.Idx, mul(imp.Idx, k.share, k.hostParam("bins", k.total)), k.first))
	k.stride("j", k.lid, idx(int64(k.form.Group)), k.most, func(j imp.Exp) {
		for i, o := range k.ops {
			k.stores(copies[i], add(imp.Idx, to, j), k.loads(o.table, j))
		}
	})
}
