package lower

import (
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Eager updates]
//
// Where the operator of a histogram can update an element by compare and swap, the threads of a workgroup begin a batch of points so,
// each for itself, in the elements where chains would put what they bring together: most keys meet no other, and then nobody waits for
// anybody. A thread tries an update some times. If another thread was faster each time, it has the entry brought together with those of
// others: Note [Chains of equal bins]. After some batches in which that happened, a workgroup tries no more. So keys decide, a workgroup
// at a time, and any keys cost at most some tries more than chains.
//
// Where subgroups have shuffles, threads keep what they have brought together until the next batch, and leaders take values of others
// first (Note [Leaders]). Shuffles take longer than a try, so threads follow leaders only if an entry of the workgroup was left in the
// batch before. One key for all points leaves none, as threads keep their entries; they follow once, in the end.
//
// A table has several copies of the bins where they fit, side by side: the threads of a subgroup update different ones, in different banks
// of the memory.

// eager has each thread update the bins of its entries, as long as chains of those that are left were short, and brings these together.
func (k *chainKernel) eager(o *chainOp, entries []*chainEntry) {
	alone := less(imp.Idx, idx(0), use(k.walk))
	if !k.looks() {
		k.eagerly(o, entries, alone, boolConst(false))
		return
	}
	k.looking(func() {
		look := k.let("look", imp.Bool, same(use(k.turn), idx(0)))
		k.eagerly(o, entries, and(alone, &imp.Un{Op: prim.Not, Type: imp.Bool, X: look}), look)
	})
}

// eagerly has each thread update the bins of its entries, if alone holds, and brings those together that are left, or some if look holds.
func (k *chainKernel) eagerly(o *chainOp, entries []*chainEntry, alone, look imp.Exp) {
	left := look
	for _, e := range entries {
		k.ifThen(alone, func() { k.attempt(o, e) })
		left = or(left, inUse(e.bin))
	}
	told := imp.Exp(nil)
	if k.atOnce(o.hist.Lambda) { // No entry is left that a thread has updated alone.
		told = k.let("told", imp.U32, &imp.Select{Type: imp.U32, Cond: alone, Then: word(0), Else: word(chainLeft)})
	} else {
		told = k.tell(boolConst(false), left)
	}
	if k.form.Shuffles {
		k.set(k.met, told)
	}
	k.emit(&imp.If{Cond: differ(imp.U32, told, word(0)), Then: k.within(func() { k.bring(o, entries) })})
}

// attempt tries to update the bin of an entry.
func (k *chainKernel) attempt(o *chainOp, e *chainEntry) {
	k.ifThen(inUse(e.bin), func() {
		m, at := k.element(o, use(e.bin))
		if k.atOnce(o.hist.Lambda) {
			k.updateAt(o.hist.Lambda, m, at, use(e.cur[0]))
			k.set(e.bin, idx(-1))
			return
		}
		tries := k.tryUpdate(o, m, k.let("place", imp.Idx, at), use(e.cur[0]))
		k.ifThen(less(imp.U32, use(tries), word(uint32(k.form.Tries)+1)), func() { k.set(e.bin, idx(-1)) })
	})
}

// tryUpdate combines x into an element, atomically, and returns how often that was tried, one more than is allowed if it has not been done:
// other threads have changed the element each time. An update that ends with what is there writes nothing, so that is what it is once all
// tries have failed.
func (k *chainKernel) tryUpdate(o *chainOp, m imp.Mem, at, x imp.Exp) imp.Var {
	if k.k.Mems[m].Space == imp.Global {
		k.k.Mems[m].Access = imp.AtomicAccess
	}
	tries := k.letVar("tries", imp.U32, word(0))
	failed := less(imp.U32, word(uint32(k.form.Tries)), use(tries))
	s := &imp.AtomicUpdate{Old: k.fresh("old", o.types[0]), Mem: m, Index: at}
	s.Body = k.within(func() {
		k.set(tries, bin32(prim.Add, use(tries), word(1)))
		next := k.apply(o.hist.Lambda, []imp.Exp{use(s.Old), x})[0]
		s.New = &imp.Select{Type: o.types[0], Cond: failed, Then: use(s.Old), Else: next}
	})
	k.emit(s)
	return tries
}
