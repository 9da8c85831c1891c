package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// Note [Reductions]
//
// One segment: in a first launch each workgroup has a share of the input, which its
// threads fold; then the workgroup combines its threads' values, and a second launch
// of one workgroup does the same with the workgroups' values. Where the first has one
// workgroup only, its values are the result, and the second is left out.
//
// Where the operator commutes a thread folds vectors a grid apart, so that
// neighbouring threads read neighbours. Where it does not there are two ways. Each
// subgroup has a run of tiles: of each, a thread folds some 64 bytes of consecutive
// elements, which are two loads of two neighbours a line of the cache, and shuffles join the threads in
// order. Where the code of so many is too large to be repeated, it is a loop over the rows of the form. Without subgroups each thread has
// a run of consecutive elements, which it
// too reads in vectors.
//
// Many segments: Note [Reductions of segments]. What is kept of each element (the results behind those that are combined) its share writes.
//
// Where code with barriers would be too large (Note [Cost model]) there is a thread for each segment. One segment, and each of few long
// ones, takes three launches: of as many threads as saturate the device together, of one workgroup, and of one thread.

// segRed generates a segmented reduction: see Note [Reductions].
func (c *hostBuilder) segRed(s *core.Stm, e *core.SegRed) {
	o := c.operators(e.Ops)
	r := &reduction{c: c, s: s, e: e, o: o, width: len(o.types)}
	r.outer = e.Space.Sizes[:len(e.Space.Sizes)-1]
	if len(r.outer) == 0 {
		r.in(e.Choice.Forms[0]).one()
		return
	}
	r.forms(c.l.forms(e.Choice.Forms, c.where), c.segmentSizes(e, e.Choice))
}

// segmentSizes are the number of segments and their size, of host code.
type segmentSizes struct{ segments, size imp.Exp }

// segmentSizes computes how many segments an operation has, and their size if its forms depend on that.
func (c *hostBuilder) segmentSizes(e core.Seg, choice *core.Choice) segmentSizes {
	sizes := e.SpaceOf().Sizes
	out := segmentSizes{segments: c.let("segments", imp.I64, c.total(sizes[:len(sizes)-1]))}
	if len(choice.Forms) > 1 {
		out.size = asPrim(c.operand(sizes[len(sizes)-1]))
	}
	return out
}

// of returns a measure.
func (n segmentSizes) of(m core.Measure) imp.Exp {
	if m == core.MeasureSize {
		return n.size
	}
	return n.segments
}

// forms generates a reduction of segments in the first of some forms that suits the sizes.
func (r *reduction) forms(forms []core.Form, n segmentSizes) {
	if f := forms[0]; len(f.When) > 0 {
		r.c.choose(r.c.condition(f.When, unfolded, n.of), func() { r.in(f).each(n) }, func() { r.forms(forms[1:], n) })
		return
	}
	r.in(forms[0]).each(n)
}

// in is the reduction in a form.
func (r *reduction) in(f core.Form) *reduction {
	out := *r
	out.form, out.o.looped = f, f.Looped
	return &out
}

// one reduces the only segment.
func (r *reduction) one() {
	switch r.form.Way { //nolint:exhaustive // the verifier knows which forms reductions have
	case core.WayRuns:
		r.taskSingle()
	case core.WayAlone:
		r.singleAlone()
	default:
		r.single()
	}
}

// each reduces each of many segments.
func (r *reduction) each(n segmentSizes) {
	switch r.form.Way { //nolint:exhaustive // the verifier knows which forms reductions have
	case core.WayAlone:
		r.alone(n, r.result)
	case core.WayRuns:
		r.taskParts(n.segments, n.size)
	case core.WayTask:
		r.taskEach()
	case core.WayThread:
		r.threadEach(n.segments)
	case core.WaySubgroup:
		r.subgroupEach(n.segments)
	case core.WayShares:
		r.sharesEach(n)
	default:
		r.groupEach(n.segments)
	}
}

// reduction is a SegRed that is being lowered, in a form.
type reduction struct {
	c     *hostBuilder
	s     *core.Stm
	e     *core.SegRed
	form  core.Form
	o     operators
	width int // values that the operators combine
	outer []core.Operand
}

// element generates the body at a point and returns what is combined; what is
// kept is written.
func (r *reduction) element(k *kernelBuilder, is []imp.Exp) []imp.Exp {
	k.bindIds(r.e.Space, is)
	k.stms(r.e.Body.Stms)
	k.keep(r.s.Dst[r.width:], r.e.Body.Res[r.width:], is)
	out := make([]imp.Exp, r.width)
	for i := range out {
		out[i] = asPrim(k.operand(r.e.Body.Res[i]))
	}
	return out
}

// result writes the values of a segment.
func (r *reduction) result(k *kernelBuilder, segment []imp.Exp, vals []imp.Exp) {
	for i, d := range r.s.Dst[:r.width] {
		if d.Type.IsArray() {
			k.store(k.mem(d.Type.Layout.Mem), k.place(d.Type.Layout, segment), vals[i])
		}
	}
}

// accumulate declares what elements are combined into.
func (r *reduction) accumulate(k *kernelBuilder) []imp.Var {
	return k.accVars("acc", r.o.types, exps(k.neutral(r.o)))
}

// share visits the part of 0..n-1 that worker number me of workers has: every
// workers-th, or vector of v, for operators that commute, else consecutive ones.
func (r *reduction) share(k *kernelBuilder, v vector, n, me, workers imp.Exp, f func(j imp.Exp)) {
	if r.o.commutative {
		k.strideVector(v, idx(0), me, workers, n, f)
		return
	}
	w := idx(int64(v.width))
	per := k.let("per", imp.Idx, mul(imp.Idx, ceilDiv(imp.Idx, n, mul(imp.Idx, workers, w)), w))
	first := k.let("first", imp.Idx, mul(imp.Idx, me, per))
	last := minOf(imp.Idx, sub(imp.Idx, n, first), per)
	k.run(v, first, k.let("count", imp.Idx, last), f)
}

// single reduces one segment in two launches.
func (r *reduction) single() {
	c := r.c
	size, v := r.form.Group, c.vectorOf(r.form, r.e.Space, r.e.Body)
	n := c.let("n", imp.I64, asPrim(c.operand(r.e.Space.Sizes[0])))
	groups := c.let("groups", imp.I64, groupsFor(n, r.form))
	outs := c.resultBlocks(r.s.Dst[:r.width])
	several := less(imp.I64, i64(1), groups)
	finals := i64(1)
	last := r.in(r.e.Choice.Merge[0][0])
	var parts []imp.Var
	if slices.Contains(outs, 0) { // a result is an element of an array
		parts = c.partials(r.o.types, groups)
	} else {
		parts = c.partialsIf(several, r.o.types, groups, outs)
		finals = &imp.Select{Type: imp.I64, Cond: several, Then: i64(1), Else: i64(0)}
	}
	tiled := !r.o.commutative && v.width > 1 && r.form.Shuffles
	c.kernel("red_share", size, groups, func(k *kernelBuilder, _ *imp.Launch) {
		acc := r.accumulate(k)
		keep := func(vals []imp.Exp) { k.stores(k.globals(r.o.types, parts), id(imp.GroupID), vals) }
		if tiled {
			rows := max(1, r.form.Rows)
			tiles := ceilDiv(imp.I64, n, i64(int64(c.l.facts.SubgroupSize*v.width*rows)))
			owners := mul(imp.I64, groups, i64(int64(size/c.l.facts.SubgroupSize)))
			each := k.hostParam("each", ceilDiv(imp.I64, tiles, owners))
			n, element := k.index(r.e.Space.Sizes[0]), func(is []imp.Exp) []imp.Exp { return r.element(k, is) }
			k.foldTiles(r.o, v, rows, size, id(imp.GroupID), n, each, acc, element)
			k.finishSubgroups(r.o, size, acc, keep)
			return
		}
		workers := mul(imp.Idx, id(imp.NumGroups), idx(int64(size)))
		r.share(k, v, k.index(r.e.Space.Sizes[0]), id(imp.ThreadID), workers, func(j imp.Exp) {
			x := r.element(k, []imp.Exp{j})
			k.setAll(acc, k.combine(r.o, uses(acc), x))
		})
		k.finish(r.o, r.form, acc, keep)
	})
	if last.form.Readers > 0 && !slices.Contains(outs, 0) {
		c.leave(last, parts, groups, outs)
		return
	}
	last.launchLast(parts, groups, finals, outs)
	c.readResults(r.s.Dst[:r.width], outs)
}

// launchLast combines the values that some workgroups have left in one workgroup, if workgroups is not zero, and returns the launch.
func (r *reduction) launchLast(parts []imp.Var, groups, workgroups imp.Exp, outs []imp.Var) (launch *imp.Launch) {
	r.c.kernel("red_final", r.form.Group, workgroups, func(k *kernelBuilder, l *imp.Launch) {
		launch = l
		acc := r.accumulate(k)
		r.foldLeft(k, k.globals(r.o.types, parts), k.hostParam("groups", groups), acc)
		k.finish(r.o, r.form, acc, func(vals []imp.Exp) { r.final(k, outs, vals) })
	})
	return launch
}

// foldLeft folds the values that some workgroups have left, of which each thread of a workgroup has a share.
func (r *reduction) foldLeft(k *kernelBuilder, from []imp.Mem, groups imp.Exp, acc []imp.Var) {
	r.share(k, scalarVector, groups, id(imp.LocalID), idx(int64(k.k.GroupSize)), func(j imp.Exp) {
		k.setAll(acc, k.combine(r.o, uses(acc), k.loads(from, j)))
	})
}

// groupsFor is how many workgroups of a form share n elements, each thread few of them at least: at most as many
// as saturate the device, and one at least.
func groupsFor(n imp.Exp, f core.Form) imp.Exp { return sharesOf(n, f, i64(int64(f.Groups))) }

// sharesOf is groupsFor with another number of workgroups that saturate the device.
func sharesOf(n imp.Exp, f core.Form, groups imp.Exp) imp.Exp {
	wanted := ceilDiv(imp.I64, n, i64(int64(f.Least*f.Group)))
	least := minOf(imp.I64, groups, wanted)
	return atLeastOne(least)
}

// final writes the values of the only segment; outs are the blocks of the scalars.
func (r *reduction) final(k *kernelBuilder, outs []imp.Var, vals []imp.Exp) {
	for i, d := range r.s.Dst[:r.width] {
		if d.Type.IsArray() {
			k.store(k.mem(d.Type.Layout.Mem), k.place(d.Type.Layout, nil), vals[i])
			continue
		}
		k.store(k.global(k.l.fun.Base(d.Var), r.o.types[i].Prim(), outs[i]), idx(0), vals[i])
	}
}

// singleAlone reduces one segment in three launches without barriers.
func (r *reduction) singleAlone() {
	c := r.c
	n := c.let("n", imp.I64, asPrim(c.operand(r.e.Space.Sizes[0])))
	outs := c.resultBlocks(r.s.Dst[:r.width])
	r.alone(segmentSizes{i64(1), n}, func(k *kernelBuilder, _, vals []imp.Exp) { r.final(k, outs, vals) })
	c.readResults(r.s.Dst[:r.width], outs)
}

// alone reduces segments without barriers: the threads of some workgroups each, then those of one, have a share of each segment, and of
// what is left of it; at last one thread combines the rest. Neighbouring workgroups have neighbouring segments, whose elements may lie
// beside each other.
func (r *reduction) alone(n segmentSizes, result func(k *kernelBuilder, seg, vals []imp.Exp)) {
	c, size := r.c, int64(r.form.Group)
	groups := c.let("groups", imp.I64, sharesOf(n.size, r.form, quot(imp.I64, i64(int64(r.form.Groups)), atLeastOne(n.segments))))
	threads := c.let("threads", imp.I64, mul(imp.I64, groups, i64(size)))
	all := c.partials(r.o.types, mul(imp.I64, n.segments, threads))
	few := c.partials(r.o.types, mul(imp.I64, n.segments, i64(size)))
	c.kernel("red_alone", r.form.Group, mul(imp.I64, n.segments, groups), func(k *kernelBuilder, _ *imp.Launch) {
		segments, workers := k.hostParam("segments", n.segments), k.hostParam("threads", threads)
		i := k.let("segment", imp.Idx, rem(imp.Idx, id(imp.GroupID), segments))
		group := k.let("group", imp.Idx, quot(imp.Idx, id(imp.GroupID), segments))
		me := k.let("me", imp.Idx, add(imp.Idx, mul(imp.Idx, group, idx(size)), id(imp.LocalID)))
		seg := k.unflatten(i, r.outer)
		acc := r.accumulate(k)
		r.segment(k, seg, k.index(r.e.Space.Sizes[len(seg)]), me, workers, acc)
		k.stores(k.globals(r.o.types, all), add(imp.Idx, mul(imp.Idx, i, workers), me), uses(acc))
	})
	// left combines values that lie behind those of the segments before one.
	left := func(k *kernelBuilder, from []imp.Mem, acc []imp.Var, segment, each imp.Exp) func(j imp.Exp) {
		first := k.let("begin", imp.Idx, mul(imp.Idx, segment, each))
		return func(j imp.Exp) { k.setAll(acc, k.combine(r.o, uses(acc), k.loads(from, add(imp.Idx, first, j)))) }
	}
	c.kernel("red_few", r.form.Group, n.segments, func(k *kernelBuilder, _ *imp.Launch) {
		from, workers := k.globals(r.o.types, all), k.hostParam("threads", threads)
		acc := r.accumulate(k)
		r.share(k, scalarVector, workers, id(imp.LocalID), idx(size), left(k, from, acc, id(imp.GroupID), workers))
		k.stores(k.globals(r.o.types, few), id(imp.ThreadID), uses(acc))
	})
	c.segmentThreads(r.form, "red_last", n.segments, r.outer, func(k *kernelBuilder, seg []imp.Exp) {
		acc := r.accumulate(k)
		k.forLoop("j", idx(size), left(k, k.globals(r.o.types, few), acc, id(imp.ThreadID), idx(size)))
		result(k, seg, uses(acc))
	})
}

// partials allocates a block for each type.
func (c *hostBuilder) partials(types []imp.Type, count imp.Exp) []imp.Var {
	vs := make([]imp.Var, len(types))
	for i, t := range types {
		vs[i] = c.fresh("parts", imp.Block)
		c.emit(&imp.Alloc{Var: vs[i], Elem: t.Prim(), Count: count})
	}
	return vs
}

// partialsIf is partials where cond holds; elsewhere they are the blocks other.
func (c *hostBuilder) partialsIf(cond imp.Exp, types []imp.Type, count imp.Exp, other []imp.Var) []imp.Var {
	vs := make([]imp.Var, len(types))
	for i := range vs {
		vs[i] = c.letVar("parts", imp.Block, use(other[i]))
	}
	c.ifThen(cond, func() {
		for i, v := range c.partials(types, count) {
			c.set(vs[i], use(v))
		}
	})
	return vs
}

// globals are blocks of partials as arrays of a kernel.
func (c *kernelBuilder) globals(types []imp.Type, blocks []imp.Var) []imp.Mem {
	ms := make([]imp.Mem, len(blocks))
	for i, b := range blocks {
		ms[i] = c.global("part", types[i].Prim(), b)
	}
	return ms
}

// resultBlocks allocates a block of one element for each result that is a
// scalar of the host.
func (c *hostBuilder) resultBlocks(dst []core.Param) []imp.Var {
	vs := make([]imp.Var, len(dst))
	for i, d := range dst {
		if d.Type.IsScalar() {
			vs[i] = c.fresh(c.l.fun.Base(d.Var), imp.Block)
			alloc := &imp.Alloc{Var: vs[i], Elem: d.Type.Elem, Count: i64(1)}
			c.results[vs[i]] = alloc
			c.emit(alloc)
		}
	}
	return vs
}

// readResults binds the scalars to what the blocks hold, to be read when the
// host first needs them. Their blocks are mapped until a kernel reads them.
func (c *hostBuilder) readResults(dst []core.Param, blocks []imp.Var) {
	for i, d := range dst {
		if d.Type.IsScalar() {
			alloc := c.results[blocks[i]]
			alloc.Mapped = true
			c.pending[d.Var] = pending{block: blocks[i], alloc: alloc, out: c.out}
		}
	}
}

// readByKernel notes that a kernel reads the scalar. Where the kernel is generated beside host code this has been noted before, and is
// not written again.
func (p pending) readByKernel() {
	if p.alloc != nil && p.alloc.Mapped {
		p.alloc.Mapped = false
	}
}
