package lower

import (
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Counters of 16 bits]
//
// Where a histogram counts, two counters share a word of the table, which then has twice the bins. An addition
// returns the old word. The one thread that takes its counter to 2^15 takes 2^15 off it and adds them to the
// result; a thread that finds 2^15 or more there takes off what it has just added and adds that to the result. So
// what a counter holds above 2^15 is at any time at most what each thread of the workgroup has added once, and a counter
// never carries into its neighbour, however long any thread is delayed.
//
// A thread adds at once what is equal among neighbours of the keys that it has loaded together, or among every
// second of them: if all keys are equal only one slice has work, and if they alternate, two.

// counterHalf is where a counter of 16 bits is emptied. What threads add at once, choices bound by it.
const counterHalf = 1 << 15

// count fills tables of 16-bit counters: see Note [Counters of 16 bits].
func (t *table) count() {
	c := t.h.c
	c.kernel("hist_count", t.size, t.groups(), func(k *kernelBuilder, _ *imp.Launch) {
		share, shares := t.start(k)
		local := k.table("counters", imp.U32, (t.capacity+1)/2, ceilDiv(imp.I64, t.held(), i64(2)))
		words := k.let("words", imp.Idx, ceilDiv(imp.Idx, t.most, idx(2)))
		k.stride("j", id(imp.LocalID), idx(int64(t.size)), words, func(j imp.Exp) { k.store(local, j, word(0)) })
		k.emit(&imp.Barrier{})
		var bins []imp.Var // of the keys that are loaded together; -1 is none
		t.visit(k, share, shares, func(i imp.Exp) {
			bin := k.letVar("bin", imp.Idx, idx(-1))
			t.element(k, i, func(_ int, at, _ imp.Exp) { k.set(bin, at) })
			bins = append(bins, bin)
		}, func() {
			t.addKeys(k, local, bins)
			bins = nil
		})
		k.emit(&imp.Barrier{})
		t.eachBin(k, 0, func(j imp.Exp) {
			n := k.counter(j)
			held := k.let("held", imp.U32, n.in(k.load("x", local, n.at).exp))
			k.ifThen(differ(imp.U32, held, word(0)), func() { t.addCount(k, j, held) })
		})
	})
}

// addKeys counts keys of a thread by their bins, equal ones together.
func (t *table) addKeys(k *kernelBuilder, local imp.Mem, bins []imp.Var) {
	times := make([]imp.Var, len(bins))
	for q := range bins {
		times[q] = k.letVar("times", imp.U32, word(1))
	}
	join := func(p, q int) {
		k.ifThen(same(use(bins[p]), use(bins[q])), func() {
			k.set(times[q], bin32(prim.Add, use(times[q]), use(times[p])))
			k.set(bins[p], idx(-1))
		})
	}
	for q := 0; q+1 < len(bins); q += 2 {
		join(q, q+1)
	}
	for q := 0; q+2 < len(bins); q++ {
		join(q, q+2)
	}
	for q, bin := range bins {
		k.ifThen(inUse(bin), func() { t.addKey(k, local, use(bin), use(times[q])) })
	}
}

// addKey adds times to the counter of a bin.
func (t *table) addKey(k *kernelBuilder, local imp.Mem, bin, times imp.Exp) {
	n := k.counter(bin)
	old := k.fresh("old", imp.U32)
	k.emit(&imp.Atomic{Op: imp.AtomicAdd, Old: old, Mem: local, Index: n.at, Value: bin32(prim.Mul, times, n.one)})
	held := k.let("held", imp.U32, n.in(use(old)))
	k.ifThen(lessEq(imp.U32, word(counterHalf), bin32(prim.Add, held, times)), func() {
		reaches := less(imp.U32, held, word(counterHalf))
		off := k.let("off", imp.U32, &imp.Select{Type: imp.U32, Cond: reaches, Then: word(counterHalf), Else: times})
		less := bin32(prim.Sub, word(0), bin32(prim.Mul, off, n.one))
		k.emit(&imp.Atomic{Op: imp.AtomicAdd, Mem: local, Index: n.at, Value: less})
		t.addCount(k, bin, off)
	})
}

// addCount adds a u32 to the result's element for bin j of the table: see Note [Counters of 16 bits].
func (t *table) addCount(k *kernelBuilder, j, n imp.Exp) {
	elem := imp.Of(t.h.e.Ops[0].Lambda.Ret[0].Elem)
	if elem != imp.U32 {
		n = &imp.Conv{From: imp.U32, To: elem, X: n}
	}
	t.add(k, 0, j, n)
}

// counter is a counter of 16 bits: the place of its word, whether it is the upper half, and one there.
type counter struct{ at, upper, one imp.Exp }

// counter finds the counter of a bin. What cannot be negative is divided as such.
func (c *kernelBuilder) counter(bin imp.Exp) counter {
	u := c.let("u", imp.U32, &imp.Conv{From: imp.Idx, To: imp.U32, X: bin})
	upper := differ(imp.U32, bin32(prim.And, u, word(1)), word(0))
	at := &imp.Conv{From: imp.U32, To: imp.Idx, X: bin32(prim.Shr, u, word(1))}
	n := counter{at: c.let("at", imp.Idx, at), upper: c.let("upper", imp.Bool, upper)}
	n.one = c.let("one", imp.U32, &imp.Select{Type: imp.U32, Cond: n.upper, Then: word(1 << 16), Else: word(1)})
	return n
}

// in is the counter's value when its word is w.
func (n counter) in(w imp.Exp) imp.Exp {
	high, low := bin32(prim.Shr, w, word(16)), bin32(prim.And, w, word(1<<16-1))
	return &imp.Select{Type: imp.U32, Cond: n.upper, Then: high, Else: low}
}

func word(n uint32) imp.Exp { return &imp.Const{Type: imp.U32, Value: prim.MakeU32(n)} }

func bin32(op prim.BinOp, x, y imp.Exp) imp.Exp { return &imp.Bin{Op: op, Type: imp.U32, X: x, Y: y} }
