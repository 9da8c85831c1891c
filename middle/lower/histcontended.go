package lower

import (
	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/imp"
)

// Note [Contended bins]
//
// Where threads update the result in device memory, or a copy that workgroups share, most keys meet no other; but where many points have
// one bin all threads of the device want one word. By compare and swap one of them passes each time, and 10^6 took 6 s; atomic
// operations of the device come one after the other, too. A thread sees only that its own tries fail, and of an atomic operation not
// even that. So of some batches the first begins by chains: a round of them, for one entry of each thread, tells whether a bin has more
// than a walk's (Note [Chains of equal bins]), and then the workgroup goes on by chains. Else the other entries, and those of the batches
// until the next look, are updates by each thread for itself (Note [Eager updates]), of which few fail, as bins that all workgroups
// together want so much are rare in none of them.
//
// What comes out of a chain does not go to device memory, where the other workgroups have the same bin in the same round. Beside each
// owner's word lies a line: a bin and what the workgroup has for it. A chain with several entries takes the line of its word, from which
// the bin that was there before goes to device memory, and further chains of that bin add to the line. A chain of one entry leaves
// the line to others. The thread of a chain's last entry alone has the line, as one chain has the owner's word in each round. In the end
// the lines go to device memory, so a bin that all points have is updated once by each workgroup.

// contended is what the kernel has for contended bins.
type contended struct {
	lineBins imp.Mem // the bins of the lines, one more than their numbers; zero is none
	// due is how many batches there are until the next look, and turn is 0 while the workgroup looks.
	due, turn imp.Var
}

// looks reports whether workgroups look whether bins are contended.
func (t *chains) looks() bool { return t.form.Samples > 0 }

// lines declares the lines.
func (k *chainKernel) lines() {
	k.lineBins = k.shared("held", imp.I32, k.form.Owners)
	for _, o := range k.ops {
		o.line = k.sharedArrays(o.types, k.form.Owners)
	}
}

// looking generates f for a batch, twice if the workgroup looks: then the first time k.turn is 0.
func (k *chainKernel) looking(f func()) {
	look := and(same(use(k.due), idx(0)), less(imp.Idx, idx(0), use(k.walk)))
	k.set(k.turn, &imp.Select{Type: imp.Idx, Cond: look, Then: idx(0), Else: idx(1)})
	next := sub(imp.Idx, use(k.due), idx(1))
	k.set(k.due, &imp.Select{Type: imp.Idx, Cond: same(use(k.due), idx(0)), Then: idx(int64(k.form.Samples - 1)), Else: next})
	k.emit(&imp.While{Cond: less(imp.Idx, use(k.turn), idx(2)), Ends: true, Body: k.within(func() {
		f()
		k.set(k.turn, add(imp.Idx, use(k.turn), idx(1)))
	})})
}

// settleChain combines what a chain has into the line of its owner's word, or into the bin. Its last entry is e.
func (k *chainKernel) settleChain(o *chainOp, e *chainEntry) {
	if !k.looks() {
		k.addTo(o, use(e.bin), uses(e.acc))
		return
	}
	held := k.let("held", imp.Idx, sub(imp.Idx, convertTo(k.load("line", k.lineBins, use(e.slot)).exp, imp.I32, imp.Idx), idx(1)))
	has := k.let("has", imp.Bool, same(held, use(e.bin)))
	out, gone := k.letVar("out", imp.Idx, use(e.bin)), k.accVars("gone", o.types, uses(e.acc))
	k.emit(&imp.If{Cond: has, Then: k.within(func() {
		k.stores(o.line, use(e.slot), k.apply(o.hist.Lambda, append(k.loads(o.line, use(e.slot)), uses(e.acc)...)))
		k.set(out, idx(-1))
	}), Else: k.within(func() {
		k.ifThen(use(e.several), func() {
			k.set(out, held)
			k.setAll(gone, k.loads(o.line, use(e.slot)))
			k.store(k.lineBins, use(e.slot), convertTo(add(imp.Idx, use(e.bin), idx(1)), imp.Idx, imp.I32))
			k.stores(o.line, use(e.slot), uses(e.acc))
		})
	})})
	k.ifThen(inUse(out), func() { k.addTo(o, use(out), uses(gone)) })
}

// settleLines combines the lines into bins.
func (k *chainKernel) settleLines() {
	k.stride("j", k.lid, idx(int64(k.form.Group)), idx(int64(k.form.Owners)), func(j imp.Exp) {
		held := k.let("held", imp.Idx, sub(imp.Idx, convertTo(k.load("line", k.lineBins, j).exp, imp.I32, imp.Idx), idx(1)))
		k.ifThen(lessEq(imp.Idx, idx(0), held), func() {
			for _, o := range k.ops {
				k.addTo(o, held, k.loads(o.line, j))
			}
		})
	})
}

// atOnce reports whether an operator is an operation of the device that updates an element of device memory in one step.
func (k *chainKernel) atOnce(f *core.Lambda) bool {
	return k.looks() && !k.h.c.l.device.Loops(f)
}

// mapByChains generates a map that is a histogram (Note [Maps that are histograms] of package choose), or rest where sizes do not suit.
func (c *hostBuilder) mapByChains(s *core.Stm, e *core.SegMap, f core.Form, rest func()) {
	hist, _ := choose.HistOf(e, c.l.accumulator(s.Dst[0].Type, s.Dst[0].Var).input)
	h := &histogram{c: c, s: s, e: hist, width: 1, filled: true}
	bins := c.let("bins", imp.I64, h.bins())
	suits := c.condition(f.When, unfolded, func(m core.Measure) imp.Exp {
		if m == core.MeasureBins {
			return bins
		}
		return c.total(e.Space.Sizes)
	})
	c.choose(suits, func() { h.byChains(f, bins) }, rest)
}
