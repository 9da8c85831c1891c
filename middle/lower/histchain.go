package lower

import (
	"math/bits"
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Chains of equal bins]
//
// An operator that has no atomic operation needs each bin to have one owner at a time. A workgroup takes a batch of points, as many for
// each thread as are loaded together, and brings together the values of those that have one bin before anybody touches it:
//
//   - a thread joins its own points that have the bin of its first one. What is left are its entries, one for each point at most;
//   - each entry exchanges its number with what the owner's word of its bin, in workgroup memory, held. So the entries of a bin
//     are a chain: the last one is in the owner's word, and each knows the one before it;
//   - the thread of the last entry walks along the chain and combines its values, without meeting anybody. Most chains are short;
//   - where a chain is longer than a walk may be, all chains go on by pointer jumping: in each round an entry combines its value
//     with that of the entry before it and skips to the one before that. No distribution of the points makes this longer than the
//     logarithm of the entries. The workgroup then walks no more, as keys that are many now will be many in the next batch;
//   - the thread of the last entry of each chain combines the chain's value into the bin. No other thread of the workgroup has that bin.
//
// The bins are a table in workgroup memory, with as many copies of each bin as there is room for, so that chains are short where bins are
// few. Workgroups that each have a slice of the bins may read the same points. Or the bins are a copy for the workgroup in device memory,
// or one that it shares with others, or the result: these the last of the chain updates atomically. Tables and copies leave copies of the
// result, which further launches combine.
//
// Where workgroup memory does not hold a word for each bin, bins share owners' words by a hash, and a chain has entries of several bins.
// Then the bin of its last entry is what the chain is about: the others take no part, and keep their values for the next time.
//
// A thread takes more points at a time than it has room for entries in workgroup memory: where many have one bin, one entry is left of
// them. All this is repeated until no entry is left.

// chainFlags is how many words threads share to tell each other that they go on: threads that are neighbours note it in different ones.
const chainFlags = 16

// chainWalk is how many entries of a chain the thread of its last one walks along.
const chainWalk = 32

// choosingRoom is how many elements the copies of bins have at most where subgroups update bins by an operator that returns one of its
// operands: most points leave a bin as it is, so few threads meet in one, and the copies have to be combined in the end.
const choosingRoom = 1 << 12

// What a thread tells the others of its workgroup.
const (
	chainLong = 1 << iota // a chain is too long for a walk
	chainLeft             // it has entries that were not brought together
)

// chains fills a histogram by chains of equal bins.
type chains struct {
	h      *histogram
	form   core.Form
	v      vector
	total  imp.Exp     // the bins of all segments, in host code
	points imp.Exp     // in host code
	slices imp.Exp     // in host code, or nil where there are none
	shares imp.Exp     // how many workgroups share the points, in host code
	full   imp.Exp     // how many batches have a vector of points for each load of a thread, in host code
	rest   imp.Exp     // how many batches of one point for each thread come behind these, in host code
	slice  imp.Exp     // how many bins a slice has, in host code, where that is not the table's capacity
	times  imp.Exp     // how often a table has each bin, in host code, or nil
	copies imp.Exp     // of the result, in host code
	blocks [][]imp.Var // those copies; nil where the result is updated
}

// hashed reports whether bins share owners' words.
func (t *chains) hashed() bool { return t.form.Owners > 0 }

// tabled reports whether the bins are a table in workgroup memory.
func (t *chains) tabled() bool { return t.form.Way == core.WayChain || t.form.Way == core.WayJoin }

// joins reports whether subgroups update bins: see Note [Bins that subgroups update].
func (t *chains) joins() bool { return t.form.Way == core.WayJoin }

// leads reports whether leaders of subgroups update bins in tables without chains: see Note [Leaders].
func (t *chains) leads() bool { return t.joins() && t.form.Tries > 0 }

// abreast is how many entries of a thread are brought together at a time.
func (t *chains) abreast() int { return max(1, t.form.Entries) }

// batch is how many points a thread takes at a time.
func (t *chains) batch() int { return t.v.width * t.v.inFlight }

// byChains generates the histogram in a form of chains.
func (h *histogram) byChains(f core.Form, all imp.Exp) {
	c := h.c
	t := &chains{h: h, form: f, v: c.vectorOf(f, h.e.Space, h.e.Body), total: all}
	t.v.once = t.joins() && f.Slices == 0 // Slices read the same points.
	t.points = c.let("points", imp.I64, c.total(h.e.Space.Sizes))
	t.share()
	groups := t.shares
	if t.slices != nil {
		groups = c.let("groups", imp.I64, mul(imp.I64, t.shares, t.slices))
	}
	if f.Way != core.WayChainUpdates {
		elements := c.let("elements", imp.I64, mul(imp.I64, t.copies, all))
		for _, op := range h.e.Ops {
			t.blocks = append(t.blocks, c.partials(lambdaTypes(op.Lambda), elements))
		}
		if !t.tabled() {
			h.clearCopies(f, t.blocks, elements)
		}
	}
	c.kernel("hist_chain", f.Group, groups, func(k *kernelBuilder, _ *imp.Launch) { t.in(k).generate() })
	if t.blocks != nil {
		h.mergeCopies(t.blocks, t.copies, all)
	}
}

// share computes how the points are shared, and how many copies of the bins there are.
func (t *chains) share() {
	c, f := t.h.c, t.form
	t.shares = groupsFor(t.points, f)
	few := quot(imp.I64, mul(imp.I64, t.points, i64(core.CopiesPerPoint)), atLeastOne(t.total))
	if f.Budget > 0 {
		few = minOf(imp.I64, few, quot(imp.I64, i64(int64(f.Budget)), atLeastOne(t.total)))
	}
	if t.tabled() || f.Way == core.WayChainCopies {
		t.shares = atLeastOne(minOf(imp.I64, t.shares, few))
	}
	if f.Slices > 0 {
		t.slices = c.let("slices", imp.I64, atLeastOne(ceilDiv(imp.I64, t.total, i64(int64(f.Capacity)))))
		t.shares = ceilDiv(imp.I64, t.shares, t.slices)
		if t.joins() {
			t.slice = c.let("slice", imp.I64, ceilDiv(imp.I64, t.total, t.slices))
		}
	}
	t.shares = c.let("shares", imp.I64, t.shares)
	t.copies = t.shares
	if f.Way == core.WayChainSpread {
		few = minOf(imp.I64, few, t.shares)
		t.copies = c.let("copies", imp.I64, atLeastOne(minOf(imp.I64, i64(int64(f.Copies)), few)))
	}
	if t.tabled() && f.Copies > 1 {
		room := f.Capacity
		if t.joins() && core.Chooses(t.h.e.Ops[0].Lambda) {
			room = min(room, choosingRoom)
		}
		fit := quot(imp.I64, i64(int64(room)), atLeastOne(t.total))
		t.times = c.let("times", imp.I64, atLeastOne(minOf(imp.I64, i64(int64(f.Copies)), fit)))
	}
	step := mul(imp.I64, t.shares, i64(int64(f.Group)))
	t.full = i64(0)
	if t.batch() > 1 {
		vectors := quot(imp.I64, t.points, i64(int64(t.v.width)))
		t.full = c.let("full", imp.I64, quot(imp.I64, vectors, mul(imp.I64, step, i64(int64(t.v.inFlight)))))
	}
	taken := mul(imp.I64, t.full, mul(imp.I64, step, i64(int64(t.batch()))))
	t.rest = c.let("rest", imp.I64, ceilDiv(imp.I64, sub(imp.I64, t.points, taken), step))
}

// held is how many elements a table has, in host code.
func (t *chains) held() imp.Exp {
	switch {
	case t.times != nil && t.slices != nil:
		return minOf(imp.I64, mul(imp.I64, t.total, t.times), i64(int64(t.form.Capacity)))
	case t.times != nil:
		return mul(imp.I64, t.total, t.times)
	case t.slice != nil:
		return t.slice
	case t.slices != nil:
		return minOf(imp.I64, t.total, i64(int64(t.form.Capacity)))
	}
	return t.total
}

// owners is how many words tell who has a bin, in host code.
func (t *chains) owners() imp.Exp {
	if t.hashed() {
		return i64(int64(t.form.Owners))
	}
	return t.held()
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
	lid, me, step imp.Exp // the thread's number in its workgroup, among those of all shares, and how many these are
	first, most   imp.Exp // the first bin of the workgroup's table or copy, and how many it has
	share         imp.Exp
	owner, prev   imp.Mem
	keys          imp.Mem // the bins of the entries, where they are hashed
	flags, agreed imp.Mem
	times, mine   imp.Exp // how often the table has each bin, and which of these is the thread's; nil where it has them once
	ops           []*chainOp
	// All threads of the workgroup agree on these: how far they walk along chains, which is not at all after a long one, whether entries
	// are left, and whether some were left in the batch before, where threads then follow leaders.
	walk, left, met imp.Var
	contended
}

// chainOp is an operator in the kernel, and what a thread has for it.
type chainOp struct {
	hist    core.HistOp
	number  int
	types   []imp.Type
	word    imp.Type  // of a bin, where subgroups update bins
	vals    []imp.Mem // of the entries, in workgroup memory
	table   []imp.Mem // in workgroup memory, or copies in device memory; nil where the result is updated
	line    []imp.Mem // what the workgroup has for contended bins
	entries []*chainEntry
	kept    *chainEntry // what a thread has of earlier batches, where it keeps that
}

// chainEntry is one of a thread's entries: its bin, or -1, and its value. The others are set while it is brought together with others:
// its number in workgroup memory, the owner's word of its bin, the entry before it, whether there is one, whether it is the last of its
// chain, whether the chain is about its bin, and the chain's value.
type chainEntry struct {
	bin          imp.Var
	cur          []imp.Var
	at           imp.Exp
	slot, before imp.Var
	several      imp.Var
	last, counts imp.Var
	acc          []imp.Var
}

// in declares what the kernel needs.
func (t *chains) in(k *kernelBuilder) *chainKernel {
	entries, owners := t.form.Group*t.abreast(), t.form.Capacity
	if t.hashed() {
		owners = t.form.Owners
	}
	ck := &chainKernel{chains: t, kernelBuilder: k, lid: id(imp.LocalID)}
	if !t.joins() {
		ck.owner, ck.prev = k.table("owner", imp.I32, owners, t.owners()), k.shared("prev", imp.I32, entries)
	}
	if !t.joins() || t.leads() {
		ck.flags, ck.agreed = k.shared("flags", imp.U32, chainFlags), k.shared("agreed", imp.U32, 1)
	}
	if t.hashed() {
		ck.keys = k.shared("keys", imp.I32, entries)
	}
	var copies [][]imp.Mem
	if t.blocks != nil && !t.tabled() {
		copies = t.h.copiesOf(k, t.blocks)
	}
	for i, op := range t.h.e.Ops {
		o := &chainOp{hist: op, number: i, types: lambdaTypes(op.Lambda)}
		if !t.joins() {
			o.vals = k.sharedArrays(o.types, entries)
		}
		switch t.form.Way { //nolint:exhaustive // the other updates the result
		case core.WayJoin:
			word, _ := t.h.c.l.device.BinWord(op)
			o.word = imp.Of(word)
			o.table = []imp.Mem{k.table("bins", o.word, t.form.Capacity, t.held())}
		case core.WayChain:
			o.table = k.tables(o.types, t.form.Capacity, t.held())
		case core.WayChainCopies, core.WayChainSpread:
			o.table = copies[i]
		}
		ck.ops = append(ck.ops, o)
	}
	if t.looks() {
		ck.lines()
	}
	return ck
}

// barrier makes what threads have stored visible to their workgroup.
func (k *chainKernel) barrier() { k.emit(&imp.Barrier{Global: k.form.Way == core.WayChainCopies}) }

// generate generates the kernel. What loops and branches around barriers ask is declared before code that may fail, since behind that it
// is not uniform to every verifier.
func (k *chainKernel) generate() {
	k.start()
	full, rest := k.hostParam("full", k.full), k.hostParam("rest", k.rest)
	last := k.hostParam("points", k.points)
	if !k.joins() {
		k.walk = k.letVar("walk", imp.Idx, idx(chainWalk))
		if k.form.Shuffles {
			k.met = k.letVar("met", imp.U32, word(0))
		}
	}
	if k.looks() {
		k.due, k.turn = k.letVar("due", imp.Idx, idx(0)), k.letVar("turn", imp.Idx, idx(0))
	}
	if !k.joins() || k.leads() {
		k.left = k.letVar("left", imp.U32, word(1))
	}
	for _, o := range k.ops {
		for range k.batch() {
			e := &chainEntry{bin: k.letVar("bin", imp.Idx, idx(-1)), cur: k.accVars("cur", o.types, k.neutralOf(o))}
			o.entries = append(o.entries, e)
		}
		if k.keeps(o) {
			o.kept = &chainEntry{bin: k.letVar("bin", imp.Idx, idx(-1)), cur: k.accVars("cur", o.types, k.neutralOf(o))}
		}
	}
	k.barrier()
	if k.batch() > 1 {
		k.forLoop("batch", full, func(i imp.Exp) {
			k.takeVectors(i)
			k.settleAll(k.batch())
		})
	}
	behind := k.let("behind", imp.Idx, mul(imp.Idx, full, mul(imp.Idx, k.step, idx(int64(k.batch())))))
	k.forLoop("batch", rest, func(i imp.Exp) {
		point := k.let("point", imp.Idx, add(imp.Idx, behind, add(imp.Idx, mul(imp.Idx, i, k.step), k.me)))
		k.ifThen(less(imp.Idx, point, last), func() { k.takePoint(0, k.unflatten(point, k.h.e.Space.Sizes)) })
		k.settleAll(1)
	})
	for _, o := range k.ops {
		if o.kept != nil {
			k.settleKept(o)
		}
	}
	if k.looks() {
		k.settleLines()
	}
	if k.joins() {
		k.barrier()
	}
	if k.tabled() {
		k.leave()
	}
}

// start says which part of the work the workgroup has, and clears its memory.
func (k *chainKernel) start() {
	size, total := idx(int64(k.form.Group)), k.hostParam("bins", k.total)
	k.share, k.first, k.most = id(imp.GroupID), idx(0), total
	if k.slices != nil {
		slices := k.hostParam("slices", k.slices)
		k.share = k.let("share", imp.Idx, quot(imp.Idx, id(imp.GroupID), slices))
		slice := rem(imp.Idx, add(imp.Idx, id(imp.GroupID), k.share), slices)
		bins := idx(int64(k.form.Capacity))
		if k.slice != nil {
			bins = k.hostParam("slice", k.slice)
		}
		k.first = k.let("first", imp.Idx, mul(imp.Idx, slice, bins))
		left := sub(imp.Idx, total, k.first)
		k.most = k.let("most", imp.Idx, maxOf(imp.Idx, idx(0), minOf(imp.Idx, left, bins)))
	}
	switch k.form.Way { //nolint:exhaustive // the others begin with the first bin
	case core.WayChainCopies:
		k.first = k.let("first", imp.Idx, mul(imp.Idx, k.share, total))
	case core.WayChainSpread:
		k.first = k.let("first", imp.Idx, mul(imp.Idx, rem(imp.Idx, k.share, k.hostParam("copies", k.copies)), total))
	}
	if k.chains.times != nil {
		k.times = k.hostParam("times", k.chains.times)
		k.mine = k.let("mine", imp.Idx, rem(imp.Idx, k.turned(), k.times))
	}
	k.me = k.let("me", imp.Idx, add(imp.Idx, mul(imp.Idx, k.share, size), k.lid))
	k.step = k.let("step", imp.Idx, mul(imp.Idx, k.hostParam("shares", k.shares), size))
	k.clear(size)
}

// turned is a thread's number that begins one later in each further subgroup: first threads, which update bins for others, have different
// copies then.
func (k *chainKernel) turned() imp.Exp {
	lanes := k.l.facts.SubgroupSize
	if lanes < 2 {
		return k.lid
	}
	return add(imp.Idx, k.lid, quot(imp.Idx, k.lid, idx(int64(lanes))))
}

// clear clears the workgroup's memory.
func (k *chainKernel) clear(size imp.Exp) {
	elements := k.most
	if k.times != nil {
		elements = k.let("elements", imp.Idx, mul(imp.Idx, k.most, k.times))
	}
	owners := elements
	if k.hashed() {
		owners = idx(int64(k.form.Owners))
	}
	if !k.joins() {
		k.stride("j", k.lid, size, owners, func(j imp.Exp) {
			k.store(k.owner, j, word32(0))
			if k.looks() {
				k.store(k.lineBins, j, word32(0))
			}
		})
	}
	if k.tabled() {
		k.stride("j", k.lid, size, elements, func(j imp.Exp) {
			for _, o := range k.ops {
				k.stores(o.table, j, k.kept(o, k.neutralOf(o)))
			}
		})
	}
	if !k.joins() || k.leads() {
		k.ifThen(less(imp.Idx, k.lid, idx(chainFlags)), func() { k.store(k.flags, k.lid, word(0)) })
	}
}

func (k *chainKernel) neutralOf(o *chainOp) []imp.Exp { return k.neutralElements(o.hist) }

// takeVectors takes the thread's points of a batch, whose elements are loaded together.
func (k *chainKernel) takeVectors(batch imp.Exp) {
	w, flight := idx(int64(k.v.width)), k.v.inFlight
	first := add(imp.Idx, mul(imp.Idx, batch, mul(imp.Idx, k.step, idx(int64(flight)))), k.me)
	bases, loaded := make([]imp.Exp, flight), make([]map[core.Var][]value, flight)
	for u := range bases {
		vector := add(imp.Idx, first, mul(imp.Idx, k.step, idx(int64(u))))
		bases[u] = k.let("base", imp.Idx, mul(imp.Idx, vector, w))
		loaded[u] = k.loadVectors(k.v, bases[u])
	}
	n := 0
	for u := range bases {
		k.eachLane(k.v, bases[u], loaded[u], func(_ int, is []imp.Exp) {
			k.takePoint(n, is)
			n++
		})
	}
}

// takePoint makes a point an entry of the thread for each operator, if its bin is one of the workgroup's slice.
func (k *chainKernel) takePoint(n int, is []imp.Exp) {
	k.h.element(k.kernelBuilder, is, func(op int, bin, vals []imp.Exp) {
		o := k.ops[op]
		shape := append(slices.Clone(k.h.outer), o.hist.Shape...)
		at := k.let("at", imp.Idx, k.flat(append(slices.Clone(is[:len(k.h.outer)]), bin...), shape))
		keep := func() {
			k.set(o.entries[n].bin, k.copyOf(at))
			k.setAll(o.entries[n].cur, vals)
		}
		if k.slices == nil {
			keep()
			return
		}
		at = k.let("at", imp.Idx, sub(imp.Idx, at, k.first))
		k.ifThen(from0(at, k.most), keep)
	})
}

// copyOf is where the table has the thread's copy of a bin.
func (k *chainKernel) copyOf(bin imp.Exp) imp.Exp {
	if k.times == nil || k.joins() {
		return bin
	}
	return add(imp.Idx, mul(imp.Idx, bin, k.times), k.mine)
}

// inUse says that a variable is the number of a bin or entry, not -1.
func inUse(bin imp.Var) imp.Exp { return lessEq(imp.Idx, idx(0), use(bin)) }

// settleAll combines the first n entries of each operator into bins.
func (k *chainKernel) settleAll(n int) {
	for _, o := range k.ops {
		entries := o.entries[:n]
		switch {
		case k.leads():
			k.joinNeighbours(o, entries)
			k.follow(o, entries[len(entries)-1])
			k.keep(o, entries[len(entries)-1])
			k.byLeaders(o, entries)
		case k.joins():
			k.joinNeighbours(o, entries)
			if o.kept != nil {
				k.keep(o, entries[len(entries)-1])
			}
			k.bySubgroups(o, entries)
		case k.form.Tries > 0:
			k.join(o, entries)
			if k.form.Shuffles {
				k.emit(&imp.If{Cond: differ(imp.U32, use(k.met), word(0)), Then: k.within(func() { k.follow(o, entries[0]) })})
				k.keep(o, entries[0])
			}
			k.eager(o, entries)
		default:
			k.join(o, entries)
			k.bring(o, entries)
		}
	}
}

// join has the first entry take the values of the others that have its bin.
func (k *chainKernel) join(o *chainOp, entries []*chainEntry) {
	for _, e := range entries[1:] {
		k.moveInto(o, entries[0], e)
	}
}

// idleStms is how many statements an operator has at most that is applied to entries which nobody uses rather than asking whether they are
// used. In slices most entries are idle: when no operator asked, and with what else changed that day, saturating sums of 65,536 bins went
// from 424 us to 403 on WebGPU, argmax from 190 to 227 on CUDA (H200, 2026-11-26).
const idleStms = 5

// asks reports whether an operator is applied only to entries that are in use.
func asks(o *chainOp) bool {
	f := o.hist.Lambda.Body
	return core.CountStms(f) > idleStms || core.Any(f, core.MayFail)
}

// moveInto has an entry take the value of another if that has its bin. Two that are not in use are equal, too; nobody looks at what they
// hold.
func (k *chainKernel) moveInto(o *chainOp, to, e *chainEntry) {
	equal := same(use(e.bin), use(to.bin))
	if asks(o) {
		equal = and(inUse(e.bin), equal)
	}
	k.ifThen(equal, func() {
		k.setAll(to.cur, k.apply(o.hist.Lambda, append(uses(to.cur), uses(e.cur)...)))
		k.set(e.bin, idx(-1))
	})
}

// bring brings entries together and combines them into bins, until none is left.
func (k *chainKernel) bring(o *chainOp, entries []*chainEntry) {
	abreast := entries[:min(len(entries), k.abreast())]
	if !k.hashed() && len(abreast) == len(entries) {
		k.combine(o, entries, entries)
		return
	}
	body := k.within(func() {
		k.moveUp(abreast, entries[len(abreast):])
		said := k.combine(o, abreast, entries)
		left := bin32(prim.And, said, word(chainLeft))
		if k.looks() { // A look is one round.
			left = &imp.Select{Type: imp.U32, Cond: same(use(k.turn), idx(0)), Then: word(0), Else: left}
		}
		k.set(k.left, left)
	})
	k.emit(&imp.While{Cond: differ(imp.U32, use(k.left), word(0)), Body: body, Ends: true})
	k.set(k.left, word(1))
}

// moveUp has entries that are not in use be others that are.
func (k *chainKernel) moveUp(abreast, others []*chainEntry) {
	for _, to := range abreast {
		for _, e := range others {
			k.ifThen(and(inUse(e.bin), less(imp.Idx, use(to.bin), idx(0))), func() {
				k.set(to.bin, use(e.bin))
				k.setAll(to.cur, uses(e.cur))
				k.set(e.bin, idx(-1))
			})
		}
	}
}

// slot is the owner's word of a bin.
func (k *chainKernel) slot(bin imp.Exp) imp.Exp {
	if !k.hashed() {
		return bin
	}
	const golden = 0x9e3779b1 // 2^32 divided by the golden ratio, odd
	u := bin32(prim.Mul, convertTo(bin, imp.Idx, imp.U32), word(golden))
	shift := uint32(33 - bits.Len(uint(k.form.Owners)))
	return k.let("slot", imp.Idx, convertTo(bin32(prim.Shr, u, word(shift)), imp.U32, imp.Idx))
}

// combine brings entries together by chains and combines these into bins, and returns what threads have told each other: chainLeft if any
// of all the thread's entries is left. A barrier came before, and one comes behind.
func (k *chainKernel) combine(o *chainOp, entries, all []*chainEntry) imp.Exp {
	for i, e := range entries {
		e.at = k.let("entry", imp.Idx, add(imp.Idx, k.lid, idx(int64(i*k.form.Group))))
		e.slot, e.before = k.letVar("slot", imp.Idx, idx(0)), k.letVar("before", imp.Idx, idx(-1))
		e.last, e.counts = k.letVar("last", imp.Bool, boolConst(false)), k.letVar("counts", imp.Bool, boolConst(false))
		if k.looks() {
			e.several = k.letVar("several", imp.Bool, boolConst(false))
		}
		k.ifThen(inUse(e.bin), func() { k.enter(o, e) })
	}
	k.emit(&imp.Barrier{})
	long := k.letVar("long", imp.Bool, boolConst(false))
	for _, e := range entries {
		e.acc = k.accVars("acc", o.types, uses(e.cur))
		k.ifThen(inUse(e.bin), func() { k.look(e) })
		k.ifThen(use(e.last), func() { k.walkAlong(o, e, long) })
	}
	left := boolConst(false)
	for _, e := range all {
		in := inUse(e.bin)
		if slices.Contains(entries, e) {
			in = and(in, &imp.Un{Op: prim.Not, Type: imp.Bool, X: use(e.counts)})
		}
		left = or(left, in)
	}
	said := k.tell(use(long), left)
	met := differ(imp.U32, bin32(prim.And, said, word(chainLong)), word(0))
	k.emit(&imp.If{Cond: met, Then: k.within(func() {
		k.set(k.walk, idx(0))
		k.jump(o, entries)
	})})
	for _, e := range entries {
		k.ifThen(use(e.last), func() {
			k.settleChain(o, e)
			k.store(k.owner, use(e.slot), word32(0))
		})
		k.ifThen(use(e.counts), func() { k.set(e.bin, idx(-1)) })
	}
	k.barrier()
	return said
}

// enter makes an entry the last one of its bin's chain.
func (k *chainKernel) enter(o *chainOp, e *chainEntry) {
	k.set(e.slot, k.slot(use(e.bin)))
	was := k.fresh("was", imp.I32)
	me := convertTo(add(imp.Idx, e.at, idx(1)), imp.Idx, imp.I32)
	k.emit(&imp.Atomic{Op: imp.AtomicExchange, Old: was, Mem: k.owner, Index: use(e.slot), Value: me})
	k.set(e.before, sub(imp.Idx, convertTo(use(was), imp.I32, imp.Idx), idx(1)))
	if k.looks() {
		k.set(e.several, inUse(e.before))
	}
	k.store(k.prev, e.at, convertTo(use(e.before), imp.Idx, imp.I32))
	k.stores(o.vals, e.at, uses(e.cur))
	if k.hashed() {
		k.store(k.keys, e.at, convertTo(use(e.bin), imp.Idx, imp.I32))
	}
}

// look finds out whether an entry is the last one of its chain, and whether the chain is about its bin.
func (k *chainKernel) look(e *chainEntry) {
	owner := convertTo(k.load("owner", k.owner, use(e.slot)).exp, imp.I32, imp.Idx)
	whose := k.let("whose", imp.Idx, sub(imp.Idx, owner, idx(1)))
	k.set(e.last, same(whose, e.at))
	if k.hashed() {
		k.set(e.counts, k.hasBin(whose, e))
	} else {
		k.set(e.counts, boolConst(true))
	}
}

// hasBin says whether the entry with a number has the bin of another.
func (k *chainKernel) hasBin(number imp.Exp, e *chainEntry) imp.Exp {
	return same(convertTo(k.load("key", k.keys, number).exp, imp.I32, imp.Idx), use(e.bin))
}

// walkAlong combines the values of a chain in the accumulator of its last entry, and sets long if they are too many.
func (k *chainKernel) walkAlong(o *chainOp, e *chainEntry, long imp.Var) {
	at, steps := k.letVar("at", imp.Idx, use(e.before)), k.letVar("steps", imp.Idx, use(k.walk))
	combine := func() { k.setAll(e.acc, k.apply(o.hist.Lambda, append(k.loads(o.vals, use(at)), uses(e.acc)...))) }
	body := k.within(func() {
		if k.hashed() {
			k.ifThen(k.hasBin(use(at), e), combine)
		} else {
			combine()
		}
		k.set(at, convertTo(k.load("prev", k.prev, use(at)).exp, imp.I32, imp.Idx))
		k.set(steps, sub(imp.Idx, use(steps), idx(1)))
	})
	k.emit(&imp.While{Cond: and(inUse(at), less(imp.Idx, idx(0), use(steps))), Body: body, Ends: true})
	k.ifThen(inUse(at), func() { k.set(long, boolConst(true)) })
}

// jump brings the values of each chain to its last entry, in the accumulators, by pointer jumping. Entries that a chain is not about take
// part with a neutral value. A barrier comes before and behind.
func (k *chainKernel) jump(o *chainOp, entries []*chainEntry) {
	for _, e := range entries {
		k.setAll(e.acc, uses(e.cur))
		if k.hashed() {
			k.ifThen(and(inUse(e.bin), &imp.Un{Op: prim.Not, Type: imp.Bool, X: use(e.counts)}), func() {
				k.setAll(e.acc, k.neutralOf(o))
				k.stores(o.vals, e.at, k.neutralOf(o))
			})
		}
	}
	if k.hashed() {
		k.emit(&imp.Barrier{})
	}
	rounds := bits.Len(uint(len(entries)*k.form.Group - 1))
	k.forLoop("round", idx(int64(rounds)), func(imp.Exp) {
		far, further := make([][]imp.Var, len(entries)), make([]imp.Var, len(entries))
		for i, e := range entries {
			far[i], further[i] = k.accVars("far", o.types, uses(e.acc)), k.letVar("further", imp.Idx, idx(-1))
			k.ifThen(inUse(e.before), func() {
				k.setAll(far[i], k.loads(o.vals, use(e.before)))
				k.set(further[i], convertTo(k.load("prev", k.prev, use(e.before)).exp, imp.I32, imp.Idx))
			})
		}
		k.emit(&imp.Barrier{})
		for i, e := range entries {
			k.ifThen(inUse(e.before), func() {
				k.setAll(e.acc, k.apply(o.hist.Lambda, append(uses(far[i]), uses(e.acc)...)))
				k.stores(o.vals, e.at, uses(e.acc))
				k.store(k.prev, e.at, convertTo(use(further[i]), imp.Idx, imp.I32))
				k.set(e.before, use(further[i]))
			})
		}
		k.emit(&imp.Barrier{})
	})
}

// tell has all threads know whether there is one that has met a long chain, and one that has entries left.
func (k *chainKernel) tell(long, left imp.Exp) imp.Exp {
	bit := func(c imp.Exp, b uint32) imp.Exp {
		return &imp.Select{Type: imp.U32, Cond: c, Then: word(b), Else: word(0)}
	}
	mine := k.let("mine", imp.U32, bin32(prim.Or, bit(long, chainLong), bit(left, chainLeft)))
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
	if k.form.Way == core.WayChainUpdates || k.form.Way == core.WayChainSpread {
		m, at := k.element(o, bin)
		k.updateAt(o.hist.Lambda, m, at, vals[0])
		return
	}
	at := bin
	if k.form.Way == core.WayChainCopies {
		at = k.let("at", imp.Idx, add(imp.Idx, k.first, bin))
	}
	old := k.loads(o.table, at)
	k.stores(o.table, at, k.apply(o.hist.Lambda, append(old, vals...)))
}

// element is where a bin of one value lies that other threads may update meanwhile.
func (k *chainKernel) element(o *chainOp, bin imp.Exp) (imp.Mem, imp.Exp) {
	switch k.form.Way { //nolint:exhaustive // a table has the workgroup's bins alone
	case core.WayChainUpdates:
		d := k.h.dest(o.number, 0)
		shape := append(slices.Clone(k.h.outer), o.hist.Shape...)
		return k.mem(d.Layout.Mem), k.place(d.Layout, k.unflatten(bin, shape))
	case core.WayChainSpread:
		return o.table[0], add(imp.Idx, k.first, bin)
	}
	if k.leads() && k.times != nil {
		return o.table[0], add(imp.Idx, mul(imp.Idx, bin, k.times), k.mine)
	}
	return o.table[0], bin
}

// leave writes the table to the workgroup's copy of the result.
func (k *chainKernel) leave() {
	copies := k.h.copiesOf(k.kernelBuilder, k.blocks)
	to := mul(imp.Idx, k.share, k.hostParam("bins", k.total))
	if k.slices != nil {
		to = add(imp.Idx, to, k.first)
	}
	to = k.let("to", imp.Idx, to)
	k.stride("j", k.lid, idx(int64(k.form.Group)), k.most, func(j imp.Exp) {
		for i, o := range k.ops {
			k.stores(copies[i], add(imp.Idx, to, j), k.fromTable(o, j))
		}
	})
}

// fromTable is what the table has for a bin, all copies together. Neighbouring threads begin with different ones, in different banks of the
// memory.
func (k *chainKernel) fromTable(o *chainOp, bin imp.Exp) []imp.Exp {
	if k.times == nil {
		return k.values(o, k.loads(o.table, bin))
	}
	first := k.let("first", imp.Idx, mul(imp.Idx, bin, k.times))
	copy := k.letVar("copy", imp.Idx, rem(imp.Idx, bin, k.times))
	acc := k.accVars("acc", o.types, k.neutralOf(o))
	k.forLoop("n", k.times, func(imp.Exp) {
		at := k.let("at", imp.Idx, add(imp.Idx, first, use(copy)))
		k.setAll(acc, k.apply(o.hist.Lambda, append(uses(acc), k.values(o, k.loads(o.table, at))...)))
		next := add(imp.Idx, use(copy), idx(1))
		k.set(copy, &imp.Select{Type: imp.Idx, Cond: same(next, k.times), Then: idx(0), Else: next})
	})
	return uses(acc)
}
