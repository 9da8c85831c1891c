package lower

import (
	"slices"

	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/imp"
)

// Note [Histograms]
//
// Where a histogram is filled, its choice says (Note [Tables and copies] of package choose):
//   - in workgroup memory: see Note [Tables in workgroup memory];
//   - in the result itself, by all threads;
//   - in some copies of the result, which the workgroups share;
//   - in bins that each thread has for itself in workgroup memory: see Note [Private bins];
//   - by workgroups whose threads bring together what they have for a bin: see Note [Chains of equal bins];
//   - in a copy for each of some threads, which it fills from a run of the input, and which a last launch combines in order.

// histogram is a SegHist that is being lowered: see Note [Histograms].
type histogram struct {
	c     *hostBuilder
	s     *core.Stm
	e     *core.SegHist
	outer []core.Operand // sizes of the segments
	width int            // arrays of all operators together
	// points is how many there are, in host code, once that is computed.
	points imp.Exp
	// filled says that the destinations hold what the program made; else they hold nothing yet, and are all neutral.
	filled bool
	// merges are the kernels that combine copies of bins, by their texts.
	merges map[string]string
}

// segHist generates a segmented histogram: see Note [Histograms].
func (c *hostBuilder) segHist(s *core.Stm, e *core.SegHist) {
	h := &histogram{c: c, s: s, e: e, outer: e.Space.Sizes[:len(e.Space.Sizes)-1], filled: len(c.fills[e]) == 0, merges: map[string]string{}}
	for _, op := range e.Ops {
		h.width += len(op.Dests)
		for _, t := range op.Lambda.Ret {
			if !t.IsScalar() {
				c.l.limit(c.where, "a histogram with an operator on arrays")
			}
		}
	}
	h.forms(c.l.forms(e.Choice.Forms, c.where), nil)
}

// forms generates the histogram in the first of some forms that suits the sizes; n are these, if they are computed already.
func (h *histogram) forms(forms []core.Form, n *histSizes) {
	if !h.filled && !slices.ContainsFunc(forms, combines) {
		h.fill()
		h.filled = true
		defer func() { h.filled = false }()
	}
	f, rest := forms[0], func() { h.forms(forms[1:], n) }
	if needsSizes(f.Way) && n == nil {
		n = h.sizes()
	}
	// A way that updates the destinations needs them filled, where it is taken.
	take := func(generate func()) func() {
		return func() {
			if !combines(f) {
				h.fill()
			}
			generate()
		}
	}
	switch f.Way { //nolint:exhaustive // the verifier knows which forms histograms have
	case core.WayTable, core.WayCounters:
		h.c.choose(h.suits(f, n), take(func() { h.inTables(f, n) }), rest)
	case core.WayPrivate, core.WayJoin, core.WayChain, core.WayChainCopies, core.WayChainSpread, core.WayChainUpdates:
		all := h.allBins(n)
		suits := h.c.condition(f.When, unfolded, func(m core.Measure) imp.Exp {
			if m == core.MeasureSize {
				return asPrim(h.c.operand(h.e.Space.Sizes[len(h.outer)]))
			}
			return all
		})
		h.c.choose(suits, take(func() {
			if f.Way == core.WayPrivate {
				h.inPrivate(f, all)
			} else {
				h.byChains(f, all)
			}
		}), rest)
	case core.WaySpread:
		h.spread(f, n.bins, rest)
	case core.WayOwn:
		h.byCopies(f)
	case core.WayRuns:
		h.byTasks(f, rest)
	default:
		take(func() { h.update(f) })()
	}
}

// needsSizes reports whether forms of a way depend on a histogram's sizes.
func needsSizes(w core.Way) bool {
	switch w { //nolint:exhaustive // the others do not
	case core.WayTable, core.WayCounters, core.WaySpread, core.WayPrivate, core.WayJoin,
		core.WayChain, core.WayChainCopies, core.WayChainSpread, core.WayChainUpdates:
		return true
	default:
		return false
	}
}

// update updates the result: from one thread, if not all operators can update elements atomically.
func (h *histogram) update(f core.Form) {
	atomic := !slices.ContainsFunc(h.e.Ops, func(op core.HistOp) bool { return !h.c.l.device.Atomic(op.Lambda, choose.InGlobal) })
	if atomic {
		h.inDevice(f)
		return
	}
	h.oneThread()
}

// bins is the number of bins of the largest operator.
func (h *histogram) bins() imp.Exp {
	var n imp.Exp
	for _, op := range h.e.Ops {
		b := h.c.total(op.Shape)
		if n == nil {
			n = b
		} else {
			n = maxOf(imp.I64, n, b)
		}
	}
	return n
}

// allBins is the number of bins of the largest operator, of all segments.
func (h *histogram) allBins(n *histSizes) imp.Exp {
	if n.segments == nil {
		return n.bins
	}
	return h.c.let("all", imp.I64, mul(imp.I64, n.segments, n.bins))
}

// element generates the body at a point, and for each operator f on its bins
// and values where the bins lie inside.
func (h *histogram) element(k *kernelBuilder, is []imp.Exp, f func(op int, bin []imp.Exp, vals []imp.Exp)) {
	k.bindIds(h.e.Space, is)
	first, inside := h.e.Body.Stms, []*core.Stm(nil)
	if k.narrows() {
		first, inside = choose.HistValues(h.e)
	}
	k.stms(first)
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
		from, values := res[at:at+len(bins)], res[val:val+len(op.Dests)]
		at, val = at+len(bins), val+len(values)
		vals := make([]imp.Exp, len(values))
		compute := func() {
			for j, x := range values {
				vals[j] = asPrim(k.operand(x))
			}
		}
		if inside == nil {
			compute()
		}
		k.ifThen(k.inBounds(bins, op.Shape), func() {
			bin := make([]imp.Exp, len(bins))
			for d, b := range bins {
				bin[d] = k.let("bin", imp.Idx, k.asIndex(b))
			}
			if inside != nil {
				h.narrowed(k, from, bin, op.Shape, func() {
					k.stms(inside)
					compute()
				})
			}
			f(i, bin, vals)
		})
	}
	k.keep(h.s.Dst[h.width:], res[val:], is)
}

// narrowed generates f where the numbers of a point's bins are those of bins that there are: see Note [Values of bins] of package choose.
func (h *histogram) narrowed(k *kernelBuilder, from []core.Operand, bin []imp.Exp, shape []core.Operand, f func()) {
	wide := make([]value, len(from))
	for d, b := range from {
		if !b.IsConst() {
			wide[d], k.vals[b.Var] = k.vals[b.Var], below(bin[d], shape[d])
		}
	}
	f()
	for d, b := range from {
		if !b.IsConst() {
			k.vals[b.Var] = wide[d]
		}
	}
}

// dest is the type of the j-th array of an operator.
func (h *histogram) dest(op, j int) core.Type { return h.c.l.typeOf(h.e.Ops[op].Dests[j]) }

// inDevice updates the result from all threads.
func (h *histogram) inDevice(f core.Form) {
	h.c.points(f, "hist", h.e.Space.Sizes, func(k *kernelBuilder, is []imp.Exp) {
		h.element(k, is, func(op int, bin, vals []imp.Exp) {
			t := h.dest(op, 0)
			at := append(slices.Clone(is[:len(h.outer)]), bin...)
			k.updateAt(h.e.Ops[op].Lambda, k.mem(t.Layout.Mem), k.place(t.Layout, at), vals[0])
		})
	})
}

// spread updates some copies of the result in device memory, which workgroups share; if there is one, other is generated.
func (h *histogram) spread(f core.Form, bins imp.Exp, other func()) {
	c := h.c
	copies := c.let("copies", imp.I64, minOf(imp.I64, i64(int64(f.Copies)), quot(imp.I64, i64(int64(f.Budget)), bins)))
	several := c.within(func() {
		blocks := make([][]imp.Var, len(h.e.Ops))
		for i, op := range h.e.Ops {
			blocks[i] = c.partials([]imp.Type{imp.Of(op.Lambda.Ret[0].Elem)}, mul(imp.I64, copies, bins))
		}
		h.clearCopies(f, blocks, mul(imp.I64, copies, bins))
		c.points(f, "hist_spread", h.e.Space.Sizes, func(k *kernelBuilder, is []imp.Exp) {
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
	one := c.within(other)
	c.emit(&imp.If{Cond: less(imp.I64, i64(1), copies), Then: several, Else: one})
}

// stride visits first, first+step, ... below n: see Note [Carried quotients].
func (c *kernelBuilder) stride(name string, first, step, n imp.Exp, f func(i imp.Exp)) {
	v := c.letVar(name, imp.Idx, first)
	outer := c.strided
	body := c.within(func() {
		at := c.letVar(name, imp.Idx, use(v))
		c.strided = &strided{kernel: c.k, index: at}
		f(use(at))
	})
	next := c.strided.begin(c, use(v), step)
	body = append(body, c.within(func() {
		next()
		c.set(v, add(imp.Idx, use(v), step))
	})...)
	c.strided = outer
	c.emit(&imp.While{Cond: less(imp.Idx, use(v), n), Body: body})
}

// product is the number of elements of a shape.
func (c *kernelBuilder) product(shape []core.Operand) imp.Exp {
	n := c.num(1)
	for _, s := range shape {
		n = mul(c.integer(), n, c.index(s))
	}
	return c.let("elements", c.integer(), n)
}

// flat is the row-major number of an index within a shape.
func (c *kernelBuilder) flat(is []imp.Exp, shape []core.Operand) imp.Exp {
	at := is[0]
	for d := 1; d < len(is); d++ {
		at = add(imp.Idx, mul(imp.Idx, at, c.index(shape[d])), is[d])
	}
	return at
}
