package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Histograms]
//
// Where all operators can update elements atomically:
//   - One histogram whose bins fit workgroup memory: each workgroup fills copies
//     of its own there, several when bins are few, so that threads that meet
//     in a bin meet less often; at the end it adds its bins to the result.
//   - Otherwise the threads update the result in device memory. Compare-and-swap
//     loops of many threads on one word take very long, so where an operator needs
//     them the workgroups share some copies of the result.
//
// Where one cannot (Note [Updates of shared elements]), each of some threads
// has a copy of the result in device memory, which it fills from a run of the
// input, and a last launch combines the copies in order.

// histogram is a SegHist that is being lowered.
type histogram struct {
	c     *code
	s     *core.Stm
	e     *core.SegHist
	outer []core.Operand // sizes of the segments
	width int            // arrays of all operators together
}

func (c *code) segHist(s *core.Stm, e *core.SegHist) {
	h := &histogram{c: c, s: s, e: e, outer: e.Space.Sizes[:len(e.Space.Sizes)-1]}
	global, local := true, len(h.outer) == 0 && c.l.emulation(&core.Body{Stms: e.Body.Stms}) <= maxEmulated
	for _, op := range e.Ops {
		h.width += len(op.Dests)
		global = global && c.l.atomic(op.Lambda, false)
		local = local && c.l.atomic(op.Lambda, true)
		for _, t := range op.Lambda.Ret {
			if !t.IsScalar() {
				c.l.limit(c.where, "a histogram with an operator on arrays")
			}
		}
	}
	switch {
	case !global:
		h.byCopies()
	case !local:
		h.inDevice()
	default:
		capacity := h.capacity()
		bins := c.let("bins", imp.I64, h.bins())
		fits := &imp.Cmp{Op: prim.Le, Type: imp.I64, X: bins, Y: i64(int64(capacity))}
		inGroup := c.within(func() { h.inGroup(bins, capacity) })
		inDevice := c.within(func() { h.spread(bins) })
		c.emit(&imp.If{Cond: fits, Then: inGroup, Else: inDevice})
	}
}

// bins is the number of bins of the largest operator.
func (h *histogram) bins() imp.Exp {
	var n imp.Exp
	for _, op := range h.e.Ops {
		b := h.c.total(op.Shape)
		if n == nil {
			n = b
		} else {
			n = &imp.Bin{Op: prim.Max, Type: imp.I64, X: n, Y: b}
		}
	}
	return n
}

// capacity is how many bins of every operator fit workgroup memory.
func (h *histogram) capacity() int {
	bytes := 0
	for _, op := range h.e.Ops {
		for _, t := range op.Lambda.Ret {
			bytes += h.c.l.facts.sharedSize(t.Elem)
		}
	}
	return h.c.l.facts.SharedBytes / bytes
}

// element generates the body at a point, and for each operator f on its bins
// and values where the bins lie inside.
func (h *histogram) element(k *code, is []imp.Exp, f func(op int, bin []imp.Exp, vals []imp.Exp)) {
	k.bindIds(h.e.Space, is)
	k.stms(h.e.Body.Stms)
	res := h.e.Body.Res
	nbins := 0
	for _, op := range h.e.Ops {
		nbins += len(op.Shape)
	}
	at, val := 0, nbins
	for i, op := range h.e.Ops {
		bins := make([]value, len(op.Shape))
		for d := range bins {
			bins[d] = k.operand(res[at+d])
		}
		vals := make([]imp.Exp, len(op.Dests))
		for j := range vals {
			vals[j] = asPrim(k.operand(res[val+j]))
		}
		at, val = at+len(bins), val+len(vals)
		k.ifThen(k.inBounds(bins, op.Shape), func() {
			bin := make([]imp.Exp, len(bins))
			for d, b := range bins {
				bin[d] = k.let("bin", imp.Idx, k.asIndex(b))
			}
			f(i, bin, vals)
		})
	}
	k.keep(h.s.Dst[h.width:], res[val:], is)
}

// dest is the type of the j-th array of an operator.
func (h *histogram) dest(op, j int) core.Type { return h.c.l.types[h.e.Ops[op].Dests[j]] }

// inDevice updates the result from all threads.
func (h *histogram) inDevice() {
	h.c.points("hist", h.e.Space.Sizes, func(k *code, is []imp.Exp) {
		h.element(k, is, func(op int, bin, vals []imp.Exp) {
			t := h.dest(op, 0)
			at := append(slices.Clone(is[:len(h.outer)]), bin...)
			k.updateAt(h.e.Ops[op].Lambda, k.mem(t.Layout.Mem), k.place(t.Layout, at), vals[0])
		})
	})
}

// spread updates device memory: the result itself where every operator is one
// of the device's atomics or bins are many, else one of some copies.
func (h *histogram) spread(bins imp.Exp) {
	c := h.c
	swaps := false
	for _, op := range h.e.Ops {
		_, ok := c.l.hardware(op.Lambda)
		swaps = swaps || !ok
	}
	if !swaps {
		h.inDevice()
		return
	}
	const budget, most = 1 << 21, 32
	copies := c.let("copies", imp.I64, &imp.Bin{
		Op: prim.Min, Type: imp.I64, X: i64(most), Y: quot(imp.I64, i64(budget), bins),
	})
	several := c.within(func() {
		blocks := make([][]imp.Var, len(h.e.Ops))
		for i, op := range h.e.Ops {
			blocks[i] = c.partials([]imp.Type{imp.Of(op.Lambda.Ret[0].Elem)}, mul(imp.I64, copies, bins))
		}
		h.clearCopies(blocks, mul(imp.I64, copies, bins))
		c.points("hist_spread", h.e.Space.Sizes, func(k *code, is []imp.Exp) {
			mems := h.copiesOf(k, blocks)
			group := rem(imp.Idx, id(imp.GroupID), k.hostParam("copies", copies))
			mine := k.let("mine", imp.Idx, mul(imp.Idx, group, k.hostParam("bins", bins)))
			h.element(k, is, func(o int, bin, vals []imp.Exp) {
				op := h.e.Ops[o]
				k.updateAt(op.Lambda, mems[o][0], add(imp.Idx, mine, k.flat(bin, op.Shape)), vals[0])
			})
		})
		h.mergeCopies(blocks, copies, bins)
	})
	one := c.within(h.inDevice)
	c.emit(&imp.If{Cond: less(imp.I64, i64(1), copies), Then: several, Else: one})
}

// inGroup fills copies in workgroup memory, of capacity elements together.
func (h *histogram) inGroup(bins imp.Exp, capacity int) {
	c, size := h.c, h.c.l.facts.GroupSize
	n := c.let("n", imp.I64, asPrim(c.operand(h.e.Space.Sizes[0])))
	groups := &imp.Bin{
		Op: prim.Min, Type: imp.I64, X: i64(int64(c.l.facts.Groups)), Y: ceilDiv(imp.I64, n, i64(int64(4*size))),
	}
	copies := c.let("copies", imp.I64, &imp.Bin{
		Op: prim.Min, Type: imp.I64, X: i64(32),
		Y: quot(imp.I64, i64(int64(capacity)), &imp.Bin{Op: prim.Max, Type: imp.I64, X: bins, Y: i64(1)}),
	})
	v := c.vectorise(h.e.Space, h.e.Body, nil)
	c.kernel("hist_local", size, groups, func(k *code, _ *imp.Launch) {
		lid, step := id(imp.LocalID), idx(int64(size))
		nbins, ncopies := k.hostParam("bins", bins), k.hostParam("copies", copies)
		locals := make([]imp.Mem, len(h.e.Ops))
		for i, op := range h.e.Ops {
			locals[i] = k.shared("local", imp.Of(op.Lambda.Ret[0].Elem), capacity)
		}
		k.stride("j", lid, step, mul(imp.Idx, nbins, ncopies), func(j imp.Exp) {
			for i, op := range h.e.Ops {
				k.store(locals[i], j, asPrim(k.operand(op.Neutral[0])))
			}
		})
		k.emit(&imp.Barrier{})
		mine := k.let("mine", imp.Idx, mul(imp.Idx, rem(imp.Idx, lid, ncopies), nbins))
		workers := k.let("workers", imp.Idx, mul(imp.Idx, id(imp.NumGroups), step))
		k.strideVector(v, id(imp.ThreadID), workers, k.index(h.e.Space.Sizes[0]), func(i imp.Exp) {
			h.element(k, []imp.Exp{i}, func(op int, bin, vals []imp.Exp) {
				at := add(imp.Idx, mine, k.flat(bin, h.e.Ops[op].Shape))
				k.updateAt(h.e.Ops[op].Lambda, locals[op], at, vals[0])
			})
		})
		k.emit(&imp.Barrier{})
		h.merge(k, locals, lid, step, nbins, ncopies)
	})
}

// merge combines a workgroup's copies and adds them to the result.
func (h *histogram) merge(k *code, locals []imp.Mem, lid, step, nbins, ncopies imp.Exp) {
	for i, op := range h.e.Ops {
		k.stride("bin", lid, step, k.product(op.Shape), func(j imp.Exp) {
			t := imp.Of(op.Lambda.Ret[0].Elem)
			acc := k.letVar("acc", t, k.load("x", locals[i], j).exp)
			k.forLoop("copy", sub(imp.Idx, ncopies, idx(1)), func(copy imp.Exp) {
				at := add(imp.Idx, j, mul(imp.Idx, add(imp.Idx, copy, idx(1)), nbins))
				x := k.load("x", locals[i], at).exp
				k.setAll([]imp.Var{acc}, k.apply(op.Lambda, []imp.Exp{use(acc), x}))
			})
			empty := asPrim(k.operand(op.Neutral[0]))
			k.ifThen(&imp.Cmp{Op: prim.Ne, Type: t, X: use(acc), Y: empty}, func() {
				d := h.dest(i, 0)
				k.updateAt(op.Lambda, k.mem(d.Layout.Mem), k.place(d.Layout, k.unflatten(j, op.Shape)), use(acc))
			})
		})
	}
}

// stride visits first, first+step, ... below n.
func (c *code) stride(name string, first, step, n imp.Exp, f func(i imp.Exp)) {
	v := c.letVar(name, imp.Idx, first)
	body := c.within(func() {
		f(use(c.letVar(name, imp.Idx, use(v))))
		c.set(v, add(imp.Idx, use(v), step))
	})
	c.emit(&imp.While{Cond: less(imp.Idx, use(v), n), Body: body})
}

// product is the number of elements of a shape.
func (c *code) product(shape []core.Operand) imp.Exp {
	n := c.num(1)
	for _, s := range shape {
		n = mul(c.integer(), n, c.index(s))
	}
	return c.let("elements", c.integer(), n)
}

// flat is the row-major number of an index within a shape.
func (c *code) flat(is []imp.Exp, shape []core.Operand) imp.Exp {
	at := is[0]
	for d := 1; d < len(is); d++ {
		at = add(imp.Idx, mul(imp.Idx, at, c.index(shape[d])), is[d])
	}
	return at
}
