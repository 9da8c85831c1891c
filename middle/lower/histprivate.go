package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// Note [Private bins]
//
// Where there are a few bins, each thread of a workgroup has all of them for itself, in workgroup memory: no update meets another,
// whatever the operator is and whatever the keys are. The elements of a bin lie side by side, in the order of the threads, so that the
// threads of a subgroup reach different banks of the memory wherever their points go. At the end the threads combine their bins, in rounds
// that halve them, and leave a copy of the result for each workgroup, which further launches combine.

// private fills a histogram in bins that threads have for themselves.
type private struct {
	h      *histogram
	form   core.Form
	total  imp.Exp     // the bins of all segments, in host code
	points imp.Exp     // in host code
	shares imp.Exp     // workgroups, in host code
	blocks [][]imp.Var // copies of the result, one for each workgroup
}

// inPrivate generates the histogram in private bins.
func (h *histogram) inPrivate(f core.Form, all imp.Exp) {
	c := h.c
	p := &private{h: h, form: f, total: all, points: c.let("points", imp.I64, c.total(h.e.Space.Sizes))}
	p.shares = c.let("shares", imp.I64, groupsFor(p.points, f))
	elements := c.let("elements", imp.I64, mul(imp.I64, p.shares, all))
	for _, op := range h.e.Ops {
		p.blocks = append(p.blocks, c.partials(lambdaTypes(op.Lambda), elements))
	}
	v := c.vectorOf(f, h.e.Space, h.e.Body)
	c.kernel("hist_private", f.Group, p.shares, func(k *kernelBuilder, _ *imp.Launch) { p.generate(k, v) })
	h.mergeCopies(p.blocks, p.shares, all)
}

// generate generates the kernel.
func (p *private) generate(k *kernelBuilder, v vector) {
	size, lid := idx(int64(p.form.Group)), k.let("lid", imp.Idx, id(imp.LocalID))
	total, ops := k.hostParam("bins", p.total), p.h.e.Ops
	bins := make([][]imp.Mem, len(ops))
	for i, op := range ops {
		bins[i] = k.tables(lambdaTypes(op.Lambda), p.form.Capacity*p.form.Group, mul(imp.I64, p.total, i64(int64(p.form.Group))))
	}
	// Where points or operators may fail, what follows them is not uniform to every verifier.
	half := k.letVar("half", imp.Idx, idx(int64(p.form.Group/2)))
	k.stride("j", lid, size, k.let("room", imp.Idx, mul(imp.Idx, total, size)), func(j imp.Exp) {
		for i, op := range ops {
			k.stores(bins[i], j, k.neutralElements(op))
		}
	})
	p.visit(k, v, lid, func(is []imp.Exp) {
		p.h.element(k, is, func(o int, bin, vals []imp.Exp) {
			shape := append(slices.Clone(p.h.outer), ops[o].Shape...)
			at := k.flat(append(slices.Clone(is[:len(p.h.outer)]), bin...), shape)
			at = k.let("at", imp.Idx, add(imp.Idx, mul(imp.Idx, at, size), lid))
			old := k.loads(bins[o], at)
			k.stores(bins[o], at, k.apply(ops[o].Lambda, append(old, vals...)))
		})
	})
	p.halve(k, bins, half, total, lid)
	copies := p.h.copiesOf(k, p.blocks)
	first := k.let("first", imp.Idx, mul(imp.Idx, id(imp.GroupID), total))
	k.stride("bin", lid, size, total, func(j imp.Exp) {
		at := k.let("at", imp.Idx, mul(imp.Idx, j, size))
		for i := range ops {
			k.stores(copies[i], add(imp.Idx, first, j), k.loads(bins[i], at))
		}
	})
}

// visit generates f for the indices of the thread's points.
func (p *private) visit(k *kernelBuilder, v vector, lid imp.Exp, f func(is []imp.Exp)) {
	sizes := p.h.e.Space.Sizes
	size := idx(int64(p.form.Group))
	me := k.let("me", imp.Idx, add(imp.Idx, mul(imp.Idx, id(imp.GroupID), size), lid))
	workers := k.let("workers", imp.Idx, mul(imp.Idx, k.hostParam("shares", p.shares), size))
	n := k.hostParam("points", p.points)
	if len(sizes) == 1 {
		k.strideVector(v, idx(0), me, workers, n, func(i imp.Exp) { f([]imp.Exp{i}) })
		return
	}
	k.stride("i", me, workers, n, func(i imp.Exp) { f(k.unflatten(i, sizes)) })
}

// halve combines the bins of the threads, those of the second half with those of the first, until one thread's are left.
func (p *private) halve(k *kernelBuilder, bins [][]imp.Mem, half imp.Var, total, lid imp.Exp) {
	size := idx(int64(p.form.Group))
	body := k.within(func() {
		k.emit(&imp.Barrier{})
		first := use(k.letVar("first", imp.Idx, use(half)))
		k.set(half, quot(imp.Idx, first, idx(2)))
		k.stride("j", lid, size, k.let("pairs", imp.Idx, mul(imp.Idx, total, first)), func(j imp.Exp) {
			bin := k.let("bin", imp.Idx, quot(imp.Idx, j, first))
			owner := sub(imp.Idx, j, mul(imp.Idx, bin, first))
			at := k.let("at", imp.Idx, add(imp.Idx, mul(imp.Idx, bin, size), owner))
			other := k.let("other", imp.Idx, add(imp.Idx, at, first))
			for i, op := range p.h.e.Ops {
				xs := append(k.loads(bins[i], at), k.loads(bins[i], other)...)
				k.stores(bins[i], at, k.apply(op.Lambda, xs))
			}
		})
	})
	k.emit(&imp.While{Cond: less(imp.Idx, idx(0), use(half)), Body: body})
	k.emit(&imp.Barrier{})
}

// neutralElements are an operator's neutral values.
func (c *kernelBuilder) neutralElements(op core.HistOp) []imp.Exp {
	out := make([]imp.Exp, len(op.Neutral))
	for i, n := range op.Neutral {
		out[i] = asPrim(c.operand(n))
	}
	return out
}
