package lower

import (
	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Bins that subgroups update]
//
// Where the operator of a histogram can update an element by compare and swap, and the threads of a subgroup are together again behind
// loops that they leave one by one, they bring together values of one bin before these meet it, and no workgroup waits at barriers
// (imp.SubgroupUpdate). Bins are a table in workgroup memory, with as many copies of each as fit, side by side, so that neighbouring
// threads update different ones, in different banks.
//
// First each thread joins its own points: neighbours, which have one bin where keys are sorted, and then each with the one of the next
// vector in its place, so that of one or two keys for all points one or two entries are left. The last entry it keeps, and combines it
// with that of the next batch if that has the same bin (as in Note [Leaders]): what all points have is updated once, in the end. An
// operator that returns one of its operands leaves most bins as they are, and keeps nothing.
//
// A bin is one word of 32 or 64 bits, which a device compares and swaps: a value of as many bits, or smaller ones side by side.

// keeps reports whether threads keep the last of their entries from batch to batch: see Note [Bins that subgroups update].
func (k *chainKernel) keeps(o *chainOp) bool {
	return k.form.Shuffles || k.joins() && !k.leads() && !core.Chooses(o.hist.Lambda)
}

// bySubgroups updates the bins of the thread's entries.
func (k *chainKernel) bySubgroups(o *chainOp, entries []*chainEntry) {
	t := o.word
	s := &imp.SubgroupUpdate{Mem: o.table[0], Copies: idx(1), Copy: idx(0), X: k.fresh("x", t), Y: k.fresh("y", t)}
	s.Selects = core.Chooses(o.hist.Lambda)
	if k.times != nil {
		s.Copies, s.Copy = k.times, k.mine
	}
	for _, e := range entries {
		s.Keys, s.Values = append(s.Keys, use(e.bin)), append(s.Values, k.kept(o, uses(e.cur))[0])
	}
	s.Body = k.within(func() {
		both := append(k.values(o, []imp.Exp{use(s.X)}), k.values(o, []imp.Exp{use(s.Y)})...)
		s.New = k.kept(o, k.apply(o.hist.Lambda, both))[0]
	})
	k.emit(s)
	for _, e := range entries {
		k.set(e.bin, idx(-1))
	}
}

// joinNeighbours joins entries of one bin of the thread. Of one bin that all have the last one is left.
func (k *chainKernel) joinNeighbours(o *chainOp, entries []*chainEntry) {
	for i := 0; i+1 < len(entries); i += 2 {
		k.moveInto(o, entries[i+1], entries[i])
	}
	if k.leads() { // by a tree: in slices few entries are in use
		for d := 2; d < len(entries); d *= 2 {
			for i := d - 1; i+d < len(entries); i += 2 * d {
				k.moveInto(o, entries[i+d], entries[i])
			}
		}
		return
	}
	for i := 0; i+2 < len(entries); i++ {
		k.moveInto(o, entries[i+2], entries[i])
	}
}

// packed reports whether the bins of an operator are words that hold its values, and not these.
func (k *chainKernel) packed(o *chainOp) bool {
	return k.joins() && (len(o.types) > 1 || o.word != o.types[0])
}

// kept is what a bin holds for an operator's values.
func (k *chainKernel) kept(o *chainOp, vals []imp.Exp) []imp.Exp {
	if !k.packed(o) {
		return vals
	}
	u64 := imp.Of(prim.U64)
	var word imp.Exp
	at := int64(0)
	for i, x := range vals {
		x = bitsOf(x, o.types[i].Prim())
		if at > 0 {
			x = &imp.Bin{Op: prim.Or, Type: u64, X: word, Y: &imp.Bin{Op: prim.Shl, Type: u64, X: x, Y: word64(at)}}
		}
		word = x
		at += int64(8 * o.types[i].Prim().Size())
	}
	return []imp.Exp{k.let("word", o.word, convert(word, u64, o.word))}
}

// values are those of an operator that a bin holds.
func (k *chainKernel) values(o *chainOp, bin []imp.Exp) []imp.Exp {
	if !k.packed(o) {
		return bin
	}
	u64 := imp.Of(prim.U64)
	word := k.let("word", u64, convert(bin[0], o.word, u64))
	vals := make([]imp.Exp, len(o.types))
	at := int64(0)
	for i, t := range o.types {
		x := word
		if at > 0 {
			x = &imp.Bin{Op: prim.Shr, Type: u64, X: word, Y: word64(at)}
		}
		vals[i] = k.let("x", t, fromBits(x, t.Prim()))
		at += int64(8 * t.Prim().Size())
	}
	return vals
}
