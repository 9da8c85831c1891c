package lower

import "skald/middle/imp"

// Note [Bins that subgroups update]
//
// Where the operator of a histogram can update an element by compare and swap, and the threads of a subgroup are together again behind loops
// that they leave one by one, they bring together values of one bin before these meet it, and no workgroup waits at barriers (imp.SubgroupUpdate).
// Bins are a table in workgroup memory, with as many copies of each as fit, side by side, so that neighbouring threads update different ones, in
// different banks.
//
// First each thread joins its own points: neighbours, which have one bin where keys are sorted, and then each with those that are as far apart
// as neighbours in the next vector, so that of one or two keys for all points one or two entries are left.

// bySubgroups updates the bins of the thread's entries.
func (k *chainKernel) bySubgroups(o *chainOp, entries []*chainEntry) {
	for i := 0; i+1 < len(entries); i += 2 {
		k.moveInto(o, entries[i+1], entries[i])
	}
	for i := 0; i+2 < len(entries); i++ {
		k.moveInto(o, entries[i+2], entries[i])
	}
	t := o.types[0]
	s := &imp.SubgroupUpdate{Mem: o.table[0], Copies: idx(1), Copy: idx(0), X: k.fresh("x", t), Y: k.fresh("y", t)}
	if k.times != nil {
		s.Copies, s.Copy = k.times, k.mine
	}
	for _, e := range entries {
		s.Keys, s.Values = append(s.Keys, use(e.bin)), append(s.Values, use(e.cur[0]))
	}
	s.Body = k.within(func() { s.New = k.apply(o.hist.Lambda, []imp.Exp{use(s.X), use(s.Y)})[0] })
	k.emit(s)
	for _, e := range entries {
		k.set(e.bin, idx(-1))
	}
}
