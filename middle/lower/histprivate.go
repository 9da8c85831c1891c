package lower

import (
	"slices"

	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/imp"
)

// Note [Private bins]
//
// Where there are a few bins, each thread of a workgroup has all of them for itself, in workgroup memory: no update meets another, whatever
// the operator is and whatever the keys are. The elements of a bin lie side by side, in the order of the threads, so that the threads of a
// subgroup reach different banks of the memory wherever their points go. At the end the threads combine their bins in two steps, first
// those of each column: threads of one place in their groups of 32. Neighbours have neighbouring columns, or bins and begin with different
// columns, so they reach different banks again. Rounds that halve the bins have a barrier each: 16 bins took 57 us with ten and take 51
// with two, of which 39 are the reading (sums of 20M points, CUDA on an H200), 74 and 64 on WebGPU. A copy of the result for each workgroup
// is left, which further launches combine.
//
// Few threads have room, so what they wait for the memory shows: where a driver compiles WGSL they load the next points before they take
// those that are there (argmax of 16 bins 105 us, 88 so, sums 64 and 62; on CUDA sums took 52 us without and 67 so).

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
	v.ahead = c.l.facts.Words && !c.l.facts.Software
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
	p.columns(k, bins, total, lid)
	copies := p.h.copiesOf(k, p.blocks)
	first := k.let("first", imp.Idx, mul(imp.Idx, id(imp.GroupID), total))
	k.stride("bin", lid, size, total, func(j imp.Exp) {
		at := k.let("at", imp.Idx, mul(imp.Idx, j, size))
		for i := range ops {
			sum := p.combined(k, i, bins[i], idx(int64(p.side())), func(n imp.Exp) imp.Exp {
				return add(imp.Idx, at, rem(imp.Idx, add(imp.Idx, j, n), idx(int64(p.side()))))
			})
			k.stores(copies[i], add(imp.Idx, first, j), sum)
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

// side is how many columns a workgroup's threads have.
func (p *private) side() int { return min(choose.PrivateSide, p.form.Group) }

// columns combines the bins of each column, and leaves them in those of its first thread.
func (p *private) columns(k *kernelBuilder, bins [][]imp.Mem, total, lid imp.Exp) {
	size, side := idx(int64(p.form.Group)), idx(int64(p.side()))
	k.emit(&imp.Barrier{})
	k.stride("j", lid, size, k.let("columns", imp.Idx, mul(imp.Idx, total, side)), func(j imp.Exp) {
		at := add(imp.Idx, mul(imp.Idx, quot(imp.Idx, j, side), size), rem(imp.Idx, j, side))
		at = k.let("at", imp.Idx, at)
		for i := range bins {
			sum := p.combined(k, i, bins[i], quot(imp.Idx, size, side), func(n imp.Exp) imp.Exp {
				return add(imp.Idx, at, mul(imp.Idx, n, side))
			})
			k.stores(bins[i], at, sum)
		}
	})
	k.emit(&imp.Barrier{})
}

// combined are the values of an operator at n places, combined.
func (p *private) combined(k *kernelBuilder, op int, bins []imp.Mem, n imp.Exp, place func(i imp.Exp) imp.Exp) []imp.Exp {
	f := p.h.e.Ops[op].Lambda
	acc := k.accVars("acc", lambdaTypes(f), k.loads(bins, k.let("from", imp.Idx, place(idx(0)))))
	k.forLoop("n", sub(imp.Idx, n, idx(1)), func(i imp.Exp) {
		other := k.loads(bins, k.let("from", imp.Idx, place(add(imp.Idx, i, idx(1)))))
		k.setAll(acc, k.apply(f, append(uses(acc), other...)))
	})
	return uses(acc)
}

// neutralElements are an operator's neutral values.
func (c *kernelBuilder) neutralElements(op core.HistOp) []imp.Exp {
	out := make([]imp.Exp, len(op.Neutral))
	for i, n := range op.Neutral {
		out[i] = asPrim(c.operand(n))
	}
	return out
}
