package lower

import (
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Eager updates]
//
// Where the operator of a histogram can update an element by compare and swap, the threads of a workgroup begin so, each for itself, in the
// elements where chains would put what they bring together: most keys meet no other, and then nobody waits for anybody. A thread
// tries an update some times, and if another thread was faster each time, it adds one to the strikes of its workgroup. Where these are many
// already, it leaves its point and all that are to come to chains (Note [Chains of equal bins]), which begin when all threads have
// had their points or left them. So keys decide, a workgroup at a time, and any keys cost at most some tries more than chains.
//
// A table has several copies of the bins where they fit: the threads of a subgroup update different ones. Chains use the first.

// eagerShare is the part of a workgroup's threads that strike before threads leave their points to chains.
const eagerShare = 4

// eager has each thread update bins as long as not many updates fail.
func (k *chainKernel) eager() {
	k.barrier()
	if k.times != nil {
		k.mine = k.let("mine", imp.Idx, mul(imp.Idx, rem(imp.Idx, k.lid, k.times), k.most))
	}
	going := k.letVar("going", imp.Bool, boolConst(true))
	n := k.hostParam("points", k.points)
	together := func(points int) {
		last := add(imp.Idx, k.next, mul(imp.Idx, k.step, idx(int64(points-1))))
		body := k.within(func() { k.eagerPoints(points, going) })
		k.emit(&imp.While{Cond: and(use(going), less(imp.Idx, last, n)), Body: body})
	}
	if k.form.Flight > 1 {
		together(k.form.Flight)
	}
	together(1)
}

// eagerPoints updates the bins of the thread's next points, whose bodies run before the first update.
func (k *chainKernel) eagerPoints(points int, going imp.Var) {
	o := k.ops[0]
	base := use(k.letVar("base", imp.Idx, k.next))
	bins, vals := make([]imp.Var, points), make([][]imp.Var, points)
	of := func(u int) imp.Exp { return add(imp.Idx, base, mul(imp.Idx, k.step, idx(int64(u)))) }
	for u := range points {
		bins[u], vals[u] = k.letVar("bin", imp.Idx, idx(-1)), k.accVars("val", o.types, k.neutralOf(o))
		is := k.unflatten(k.let("point", imp.Idx, of(u)), k.h.e.Space.Sizes)
		k.h.element(k.kernelBuilder, is, func(_ int, bin, xs []imp.Exp) {
			k.inSlice(o, is, bin, func(at imp.Exp) {
				k.set(bins[u], at)
				k.setAll(vals[u], xs)
			})
		})
	}
	k.set(k.nextVar, of(points))
	for u := range points {
		k.ifThen(and(use(going), inUse(bins[u])), func() {
			k.insist(o, bins[u], vals[u], func() {
				k.set(going, boolConst(false))
				k.set(k.nextVar, of(u))
			})
		})
	}
}

// insist updates a bin, or generates leave for when that has failed often and so have other updates.
func (k *chainKernel) insist(o *chainOp, bin imp.Var, vals []imp.Var, leave func()) {
	left := k.letVar("left", imp.Bool, boolConst(true))
	m, place := k.element(o, use(bin))
	if k.times != nil {
		place = add(imp.Idx, place, k.mine)
	}
	place = k.let("place", imp.Idx, place)
	body := k.within(func() {
		failed := k.tryUpdate(o, m, place, use(vals[0]))
		again := k.within(func() {
			was := k.fresh("was", imp.U32)
			k.emit(&imp.Atomic{Op: imp.AtomicAdd, Old: was, Mem: k.strikes, Index: idx(0), Value: word(1)})
			many := &imp.Cmp{Op: prim.Le, Type: imp.U32, X: word(uint32(k.form.Group / eagerShare)), Y: use(was)}
			k.ifThen(many, func() {
				k.set(left, boolConst(false))
				leave()
			})
		})
		done := k.within(func() { k.set(left, boolConst(false)) })
		k.emit(&imp.If{Cond: failed, Then: again, Else: done})
	})
	k.emit(&imp.While{Cond: use(left), Body: body})
}

// tryUpdate combines x into an element, atomically, and returns whether it has not: other threads have changed the element each time. An
// update that ends with what is there writes nothing, so that is what it is once all tries have failed.
func (k *chainKernel) tryUpdate(o *chainOp, m imp.Mem, at, x imp.Exp) imp.Exp {
	if k.k.Mems[m].Space == imp.Global {
		k.k.Mems[m].Access = imp.AtomicAccess
	}
	tries := k.letVar("tries", imp.U32, word(0))
	failed := &imp.Cmp{Op: prim.Lt, Type: imp.U32, X: word(uint32(k.form.Tries)), Y: use(tries)}
	s := &imp.AtomicUpdate{Old: k.fresh("old", o.types[0]), Mem: m, Index: at}
	s.Body = k.within(func() {
		k.set(tries, bin32(prim.Add, use(tries), word(1)))
		next := k.apply(o.hist.Lambda, []imp.Exp{use(s.Old), x})[0]
		s.New = &imp.Select{Type: o.types[0], Cond: failed, Then: use(s.Old), Else: next}
	})
	k.emit(s)
	return failed
}
