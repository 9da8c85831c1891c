package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// inGroup generates a segmented operation whose points the threads of a workgroup share.
func (c *kernelBuilder) inGroup(s *core.Stm, e core.Seg) {
	ids := c.ids
	c.group.running = s
	reads, writes := c.l.accesses(s)
	switch e := e.(type) {
	case *core.SegMap:
		c.access(reads, writes)
		c.inGroupMap(s, e)
	case *core.SegRed:
		c.awaitTemps()
		c.access(reads, writes)
		c.inGroupRed(s, e)
	case *core.SegScan:
		c.awaitTemps()
		first := c.group.tiles[s] == nil && c.readsFirst(e)
		if first {
			c.access(reads, nil)
		} else {
			c.access(reads, writes)
		}
		c.inGroupScan(s, e)
		near := c.group.factor > 1 && c.group.ways[s] == neighbours
		if first || near {
			c.passed()
		}
		if near || first && c.group.factor == 1 { // Elsewhere what is kept of an element is computed again.
			reads = nil
		}
	case *core.SegHist:
		c.access(reads, writes)
		c.inGroupHist(s, e)
	}
	c.note(reads, writes) // also if there were barriers inside
	c.group.running = nil
	c.ids = ids
}

// accesses lists the blocks that a segmented operation may read, and those that it may write, private ones apart.
func (l *lowerer) accesses(s *core.Stm) (reads, writes []core.Var) {
	arrays, private := map[core.Var]core.Type{}, map[core.Var]bool{}
	inner := &core.Body{Stms: []*core.Stm{s}}
	core.Walk(inner, func(s *core.Stm) bool {
		if a, is := s.Exp.(*core.Alloc); is && a.Space == core.SpacePrivate {
			private[s.Dst[0].Var] = true
		}
		for _, p := range s.Dst {
			arrays[p.Var] = p.Type
		}
		if e, is := s.Exp.(*core.Loop); is {
			for _, p := range e.Params {
				arrays[p.Var] = p.Type
			}
		}
		return true
	})
	block := func(v core.Var) (core.Var, bool) {
		t, ok := arrays[v]
		if !ok {
			t = l.typeOf(v)
		}
		return layoutMem(t), t.IsArray() && !private[layoutMem(t)]
	}
	read := func(v core.Var) {
		if m, ok := block(v); ok {
			reads = append(reads, m)
		}
	}
	write := func(v core.Var) {
		if m, ok := block(v); ok {
			writes = append(writes, m)
		}
	}
	for _, v := range core.FreeInStm(s).List() {
		read(v)
	}
	for _, p := range s.Dst {
		write(p.Var)
	}
	core.Walk(inner, func(s *core.Stm) bool {
		if _, memory := s.Exp.(core.Memory); memory {
			for _, p := range s.Dst {
				write(p.Var)
			}
		}
		for _, v := range core.Consumes(s.Exp) {
			write(v)
		}
		if up, is := s.Exp.(*core.UpdateAcc); is {
			t, ok := arrays[up.Acc]
			if !ok {
				t = l.typeOf(up.Acc)
			}
			// One that the operation makes itself consumes its arrays, which are written by that.
			if a := l.accumulator(t, up.Acc); a != nil {
				reads, writes = append(reads, a.blocks()...), append(writes, a.blocks()...)
			}
		}
		return true
	})
	return reads, writes
}

func layoutMem(t core.Type) core.Var {
	if t.Layout == nil {
		return 0
	}
	return t.Layout.Mem
}

// inGroupMap generates a segmented map: the threads share its points, or the first thread runs all of them.
func (c *kernelBuilder) inGroupMap(s *core.Stm, e *core.SegMap) {
	form := e.Choice.Forms[0]
	load := func(is []imp.Exp) (store func()) {
		c.bindIds(e.Space, is)
		c.stms(e.Body.Stms)
		if form.Flight <= 1 {
			return func() { c.keep(s.Dst, e.Body.Res, is) }
		}
		vals := make([]imp.Exp, len(s.Dst)) // of this point: others are loaded before they are stored
		for i, r := range e.Body.Res {
			vals[i] = asPrim(c.operand(r))
		}
		return func() {
			for i, d := range s.Dst {
				c.store(c.mem(d.Type.Layout.Mem), c.place(d.Type.Layout, is), vals[i])
			}
		}
	}
	if form.Sequential {
		c.firstOf(e.Space.Sizes, func(is []imp.Exp) { load(is)() })
		return
	}
	n := c.product(e.Space.Sizes)
	way := c.group.ways[s]
	fit := c.mostPoints(e.Space.Sizes...) <= int64(c.group.size*c.group.factor)
	if way == anyhow && form.Flight <= 1 && len(e.Space.Sizes) == 1 && fit {
		way = byTurns
	}
	if way != anyhow && c.group.factor > 1 {
		c.heldPoints(way, n, func(j imp.Exp) func() { return load([]imp.Exp{j}) })
		return
	}
	c.turns(n, c.mostPoints(e.Space.Sizes...), form.Flight, func(j imp.Exp) func() { return load(c.unflatten(j, e.Space.Sizes)) })
}

// firstOf runs f at the points of a shape, in order, in the first thread.
func (c *kernelBuilder) firstOf(shape []core.Operand, f func(is []imp.Exp)) {
	n := c.product(shape)
	c.byFirst(func() {
		c.forLoop("point", n, func(j imp.Exp) { f(c.unflatten(j, shape)) })
	})
}

// inGroupRed generates a segmented reduction.
func (c *kernelBuilder) inGroupRed(s *core.Stm, e *core.SegRed) {
	o, form := c.host.operators(e.Ops), e.Choice.Forms[0]
	o.looped = form.Looped
	r := &reduction{c: c.host, s: s, e: e, form: form, o: o, width: len(o.types), outer: e.Space.Sizes[:len(e.Space.Sizes)-1]}
	if len(r.outer) == 0 {
		for i, x := range c.groupFold(r, nil) {
			if d := s.Dst[i]; d.Type.IsScalar() {
				c.vals[d.Var] = unknown(x, o.types[i])
			}
		}
		return
	}
	c.eachSegment(form, r.outer, e.Space.Sizes[len(r.outer)], func(seg []imp.Exp) {
		acc := r.accumulate(c)
		c.forLoop("j", c.index(e.Space.Sizes[len(seg)]), func(j imp.Exp) {
			x := r.element(c, append(slices.Clone(seg), j))
			c.setAll(acc, c.combine(o, uses(acc), x))
		})
		r.result(c, seg, uses(acc))
	}, func(seg []imp.Exp) {
		vals := c.groupFold(r, seg)
		c.byFirst(func() { r.result(c, seg, vals) })
	})
}

// groupFold reduces one segment by all threads of the workgroup, which get its values.
func (c *kernelBuilder) groupFold(r *reduction, seg []imp.Exp) []imp.Exp {
	n := c.let("n", imp.Idx, c.agreed(c.index(r.e.Space.Sizes[len(seg)])))
	parts := c.partsOf(r)
	c.byThread(func() {
		if !r.o.commutative && c.group.factor > 1 {
			acc := c.foldRuns(r, parts, seg, n)
			c.ifThen(same(id(imp.LocalID), idx(0)), func() { c.stores(parts, idx(0), uses(acc)) })
			return
		}
		acc := r.accumulate(c)
		r.segment(c, seg, n, id(imp.LocalID), idx(int64(c.group.size)), acc)
		c.joinThreads(r.o, r.form, parts, acc)
	})
	out := make([]imp.Exp, len(parts))
	for i, m := range parts {
		out[i] = c.uniformLoad(c.l.fun.Base(r.s.Dst[i].Var), m, idx(0))
	}
	return out
}

// eachSegment runs one of two codes for the segments of an operation with rows of n elements: alone in one thread each, or, where
// segments are fewer than threads, together in all threads one segment after the other.
func (c *kernelBuilder) eachSegment(
	form core.Form, outer []core.Operand, n core.Operand, alone, together func(seg []imp.Exp),
) {
	segments := c.let("segments", imp.Idx, c.agreed(c.product(outer)))
	few := int64(c.group.size / form.Few)
	row, short := n.ConstInt()
	count, known := intConst(segments)
	byThreads := func() { c.share(outer, anyNumber, alone) }
	byGroup := func() {
		c.forLoop("segment", segments, func(i imp.Exp) {
			if v, ok := i.(*imp.VarExp); ok {
				c.group.uniform[v.Var] = true
			}
			together(c.unflatten(i, outer))
		})
	}
	switch {
	case short && row <= int64(form.Short) || known && count >= few:
		byThreads()
	case known:
		byGroup()
	default:
		then, other := c.within(byGroup), c.within(byThreads)
		c.emit(&imp.If{Cond: less(imp.Idx, segments, idx(few)), Then: then, Else: other})
	}
}

// oneTile reports whether all segments of a scan end in the first tile.
func (c *kernelBuilder) oneTile(e *core.SegScan) bool {
	last := len(e.Space.Sizes) - 1
	return c.mostPoints(e.Space.Sizes[last]) <= int64(c.group.size*c.group.factor)
}

// readsFirst reports whether a barrier in the code of a scan comes before all that it writes.
func (c *kernelBuilder) readsFirst(e *core.SegScan) bool {
	scanned := 0
	for _, op := range e.Ops {
		scanned += len(op.Neutral)
	}
	updates := core.Any(e.Body, func(e core.Exp) bool { _, ok := e.(*core.UpdateAcc); return ok })
	return len(e.Space.Sizes) == 1 && (e.Post != nil || len(e.Ret) == scanned) && !updates && c.oneTile(e)
}

// inGroupScan generates a segmented scan.
func (c *kernelBuilder) inGroupScan(s *core.Stm, e *core.SegScan) {
	form := e.Choice.Forms[0]
	sc := c.host.scanOf(s, e).in(form)
	o := sc.o
	sc.size = c.group.size
	sc.oneTile = c.oneTile(e)
	together := func(seg []imp.Exp) {
		n := c.let("n", imp.Idx, c.agreed(c.index(e.Space.Sizes[len(seg)])))
		if factor := c.group.factor; factor > 1 && c.group.ways[s] == neighbours {
			c.byThread(func() { sc.neighbours(c, n) })
			return
		} else if factor > 1 {
			c.byThread(func() { sc.runs(c, seg, n, factor) })
			return
		}
		if sc.oneTile {
			c.byThread(func() { sc.tile(c, sc.sharedParts(c), seg, idx(0), n, nil) })
			return
		}
		carry := c.accVars("carry", o.types, exps(c.neutral(o)))
		tiles := ceilDiv(imp.Idx, n, idx(int64(sc.size))) // no variable, which Dawn would not take as uniform behind a check
		c.byThread(func() { sc.tiles(c, sc.sharedParts(c), seg, idx(0), tiles, n, carry) })
	}
	if len(sc.outer) == 0 {
		together(nil)
		c.group.busy = sc.oneTile
		return
	}
	inTurn := func(seg []imp.Exp) {
		together(seg)
		if sc.oneTile {
			c.emit(&imp.Barrier{})
		}
	}
	c.eachSegment(form, sc.outer, e.Space.Sizes[len(sc.outer)], func(seg []imp.Exp) {
		acc := c.accVars("acc", o.types, exps(c.neutral(o)))
		c.forLoop("j", c.index(e.Space.Sizes[len(seg)]), func(j imp.Exp) {
			is := append(slices.Clone(seg), j)
			x, kept := sc.element(c, is, keeping)
			c.setAll(acc, c.combine(o, uses(acc), x))
			sc.result(c, is, uses(acc), kept)
		})
	}, inTurn)
}

// inGroupHist generates a segmented histogram: all threads update the destinations, or the first thread alone.
func (c *kernelBuilder) inGroupHist(s *core.Stm, e *core.SegHist) {
	h := &histogram{c: c.host, s: s, e: e, outer: e.Space.Sizes[:len(e.Space.Sizes)-1]}
	for _, op := range e.Ops {
		h.width += len(op.Dests)
	}
	at := func(is, bin []imp.Exp) []imp.Exp { return slices.Concat(is[:len(h.outer)], bin) }
	if !e.Choice.Forms[0].Sequential {
		c.share(e.Space.Sizes, c.mostPoints(e.Space.Sizes...), func(is []imp.Exp) {
			h.element(c, is, func(op int, bin, vals []imp.Exp) {
				l := h.dest(op, 0).Layout
				c.updateAt(e.Ops[op].Lambda, c.mem(l.Mem), c.place(l, at(is, bin)), vals[0])
			})
		})
		return
	}
	c.firstOf(e.Space.Sizes, func(is []imp.Exp) {
		h.element(c, is, func(op int, bin, vals []imp.Exp) {
			var olds []imp.Exp
			for j := range e.Ops[op].Dests {
				l := h.dest(op, j).Layout
				olds = append(olds, c.load("old", c.mem(l.Mem), c.place(l, at(is, bin))).exp)
			}
			for j, x := range c.apply(e.Ops[op].Lambda, append(olds, vals...)) {
				l := h.dest(op, j).Layout
				c.store(c.mem(l.Mem), c.place(l, at(is, bin)), x)
			}
		})
	})
}

// atomicOn reports whether an operator can update elements of an array atomically.
func (l *lowerer) atomicOn(op *core.Lambda, t core.Type) bool {
	return l.device.Atomic(op, l.typeOf(t.Layout.Mem).Space == core.SpaceGroup)
}

// groupSOAC generates the updates of accumulators, and what makes them.
func (c *kernelBuilder) groupSOAC(s *core.Stm, e core.SOAC) {
	switch e := e.(type) {
	case *core.UpdateAcc:
		blocks := c.l.accumulator(c.l.typeOf(e.Acc), e.Acc).blocks()
		c.access(blocks, blocks)
		c.byFirst(func() { c.updateAcc(e) })
	case *core.WithAcc:
		c.withAcc(s, e)
	case *core.Screma, *core.Hist, *core.FlatMap:
		bugAt(e)
	}
}

// blocks are those of an accumulator's arrays.
func (a *accumulator) blocks() []core.Var {
	var out []core.Var
	for _, t := range a.types {
		out = append(out, t.Layout.Mem)
	}
	return out
}
