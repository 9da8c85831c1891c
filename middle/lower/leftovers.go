package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// Note [Reductions that readers finish]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A reduction to scalars is two launches, of which the second combines a value for each workgroup of the first (Note [Reductions]). In a
// loop whose rounds are a few short launches, an iterative solver's, that one takes as long as any. Where a map reads the scalars, its
// workgroups can combine the values themselves, each all of them, before they do anything else: they lie in the cache, and a workgroup
// has some for each thread.
//
// That many workgroups do so costs more than a launch. So the second launch waits until it is known who reads the scalars, and in which
// numbers, and host code notes whether it was made:
//
//	launch red_share<groups>(...) blocks(parts)
//	let left = groups                               1 once the scalars are in blocks of their own
//	...
//	if readers < map's groups { if 1 < left { launch red_final<1>(left) blocks(parts, outs); parts = outs; left = 1 } }
//	launch map<...>(left) blocks(parts)
//
// The map's kernel begins with: if left == 1 read the only value, else combine all. Host code that needs a scalar, and kernels of other
// kinds, whose workgroup memory may be full, have the launch made in any case. Package choose
// leaves a reduction to its readers only where they are one or two maps in the same body, so that the values are not combined in each
// round of a loop behind, and where launches of loops are not replayed (srad of futhark-benchmarks took 1,050 us on CUDA, and 1,130 to
// 1,700 so; through WebGPU 1,940 or 2,950, and 1,600 or 2,710; H200, 2026-11-27).

// leftovers are the values that the workgroups of a reduction have left, and nobody may have combined.
type leftovers struct {
	last  *reduction // in the form of the last launch
	parts []imp.Var  // the blocks that they are in, which change to outs with the launch
	outs  []imp.Var  // the blocks of the scalars
	left  imp.Var    // how many they are; 1 once the launch was made
	final *imp.Launch
}

// fewReaders is how many threads a workgroup that combines what a reduction has left has at least.
const fewReaders = 32

// leave leaves it to those who read the results of a reduction to combine the values that its workgroups have left.
func (c *hostBuilder) leave(last *reduction, parts []imp.Var, groups imp.Exp, outs []imp.Var) {
	p := &leftovers{last: last, parts: parts, outs: outs, left: c.letVar("left", imp.I64, groups)}
	for i, d := range last.s.Dst[:last.width] {
		c.pending[d.Var] = pending{block: outs[i], out: c.out, left: p, nth: i}
	}
}

// launchLast makes the last launch of a reduction, if it was not made.
func (c *hostBuilder) launchLast(p *leftovers) {
	c.ifThen(less(imp.I64, i64(1), use(p.left)), func() {
		if p.final == nil {
			c.makingFor(making{}, func() { p.final = p.last.launchLast(p.parts, use(p.left), i64(1), p.outs) })
		} else {
			c.emit(p.final)
		}
		for i, v := range p.parts {
			c.set(v, use(p.outs[i]))
		}
		c.set(p.left, i64(1))
	})
}

// combineBefore makes the last launches of reductions before a launch that has too many workgroups to make up for them.
func (c *hostBuilder) combineBefore(l *imp.Launch, combined []*leftovers) {
	if len(combined) == 0 {
		return
	}
	l.Groups = c.let("readers", imp.I64, l.Groups)
	for _, p := range combined {
		c.ifThen(less(imp.I64, i64(int64(p.last.form.Readers)), l.Groups), func() { c.launchLast(p) })
	}
}

// combineLeft computes at the start of a kernel what a reduction's workgroups have left, and returns the variables that hold it.
func (c *kernelBuilder) combineLeft(p *leftovers) []imp.Var {
	if i := slices.Index(c.combined, p); i >= 0 {
		return c.values[i]
	}
	var acc []imp.Var
	c.atStart(func() {
		r := p.last
		from := c.globals(r.o.types, p.parts)
		left := c.hostParam("left", use(p.left))
		acc = r.accumulate(c)
		one := c.within(func() { c.setAll(acc, c.loads(from, idx(0))) })
		several := c.within(func() {
			r.foldLeft(c, from, left, acc)
			form := core.Form{Group: c.k.GroupSize, Shuffles: r.form.Shuffles}
			c.setAll(acc, c.loads(c.joinGroup(r.o, form, acc), idx(0)))
		})
		c.emit(&imp.If{Cond: same(left, idx(1)), Then: one, Else: several})
	})
	c.combined, c.values = append(c.combined, p), append(c.values, acc)
	return acc
}
