package memory

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// kernel is the segmented operation, or the operator, that code is in.
type kernel struct {
	host        *core.Builder // of the code before the operation
	body        *core.Builder // of the operation's body
	space       core.Space
	operator    bool
	group       bool      // its points are workgroups, whose memory arrays lie in
	outer       *kernel   // of workgroups, whose threads the points are
	interleaved bool      // its rows lie side by side, element by element, in the results
	slots       bool      // points may have the same memory, one after the other
	scratch     []scratch // what they have so
	private     int64     // bytes of large arrays in the memory of a thread: Note [Private arrays]
	sizing      *core.Sizing
	sized       int // how many statements of the body sizing has seen
}

// segmented places a segmented operation: its results on the host, then its
// body.
func (p *placer) segmented(s *core.Stm, e core.Seg) {
	switch e := e.(type) {
	case *core.SegMap:
		interleaved := slices.Contains(s.Aux.Attrs, core.Interleaved)
		p.Attrs = slices.DeleteFunc(slices.Clone(p.Attrs), func(a core.Attr) bool { return a == core.Interleaved })
		dst := make([]core.Param, len(s.Dst))
		for i, q := range s.Dst {
			if l, ok := p.standing(p.homes.stays[s][i]); ok {
				dst[i] = place(q, l)
			} else {
				dst[i] = p.makeRows(q, len(e.Space.Ids), interleaved)
			}
		}
		k := &kernel{space: e.Space, slots: e.Level == core.LevelGrid, group: e.Level == core.LevelGroup, interleaved: interleaved}
		body := p.kernelBody(k, e.Body, func(ids []core.Operand) []*core.Layout { return rows(dst, ids) })
		body = k.shareScratch(body)
		p.allocScratch(k)
		p.Bind(dst, &core.SegMap{Level: e.Level, Space: k.space, Body: body, Ret: e.Ret, Tiling: e.Tiling})
	case *core.SegRed:
		dst := p.makeAll(s.Dst)
		w := core.Width(e.Ops)
		body := p.kernelBody(&kernel{space: e.Space}, e.Body, func(ids []core.Operand) []*core.Layout {
			return append(make([]*core.Layout, w), rows(dst[w:], ids)...)
		})
		p.Bind(dst, &core.SegRed{Level: e.Level, Space: e.Space, Ops: p.operators(e.Ops), Body: body, Ret: e.Ret})
	case *core.SegScan:
		dst := p.makeAll(s.Dst)
		w := core.Width(e.Ops)
		body := p.kernelBody(&kernel{space: e.Space}, e.Body, func(ids []core.Operand) []*core.Layout {
			if e.Post != nil { // on scalars
				return make([]*core.Layout, len(e.Ret))
			}
			return append(make([]*core.Layout, w), rows(dst[w:], ids)...)
		})
		scan := &core.SegScan{Level: e.Level, Space: e.Space, Ops: p.operators(e.Ops), Body: body, Ret: e.Ret}
		if e.Post != nil {
			scan.Post = p.lambda(e.Post)
		}
		p.Bind(dst, scan)
	case *core.SegHist:
		ops := make([]core.HistOp, len(e.Ops))
		var dst []core.Param
		for i, op := range e.Ops {
			ops[i] = op
			ops[i].Lambda = p.lambda(op.Lambda)
			for _, d := range op.Dests {
				dst = append(dst, place(s.Dst[len(dst)], p.layout(d)))
			}
		}
		body := p.kernelBody(&kernel{space: e.Space}, e.Body, func([]core.Operand) []*core.Layout { return nil })
		p.Bind(dst, &core.SegHist{Level: e.Level, Space: e.Space, Ops: ops, Body: body, Ret: e.Ret})
	}
}

// makeRows binds a result of a map over n dimensions to fresh memory. If the map is to interleave rows (package layout), their dimensions
// are the outer ones in memory, and the elements of neighbouring points lie side by side.
func (p *placer) makeRows(q core.Param, n int, interleaved bool) core.Param {
	rows := q.Type.Rank() - n
	if !q.Type.IsArray() || rows <= 0 || p.targets[q.Var] != nil || !interleaved {
		return p.make(q)
	}
	inMemory := q.Type.WithShape(slices.Concat(q.Type.Shape[n:], q.Type.Shape[:n]))
	l := p.fresh(p.Fun.Base(q.Var), inMemory)
	return place(q, &core.Layout{Mem: l.Mem, Offset: l.Offset, Strides: slices.Concat(l.Strides[rows:], l.Strides[:rows])})
}

func (p *placer) operators(ops []core.Operator) []core.Operator {
	out := slices.Clone(ops)
	for i, op := range ops {
		out[i].Lambda = p.lambda(op.Lambda)
	}
	return out
}

// rows returns the layout of the part of each array that one point writes; nil
// for what is no array or has scalar elements.
func rows(dst []core.Param, ids []core.Operand) []*core.Layout {
	ls := make([]*core.Layout, len(dst))
	for i, q := range dst {
		if q.Type.Rank() > len(ids) {
			ls[i] = q.Type.Layout.Sliced(core.FullSlice(q.Type, ids...))
		}
	}
	return ls
}

// kernelBody places the body of a segmented operation. Arrays that it returns
// are made in their places, if they are made in the body.
func (p *placer) kernelBody(k *kernel, b *core.Body, places func(ids []core.Operand) []*core.Layout) *core.Body {
	for _, id := range k.space.Ids {
		p.Scope.Bind(core.Param{Var: id, Type: core.I64})
	}
	outer, host := p.kernel, p.Builder
	p.Builder = host.Nested()
	k.host, k.body, k.sizing = host, p.Builder, core.NewSizing(k.space.Ids, b)
	p.kernel = k
	switch {
	case outer != nil && outer.group:
		k.outer = outer
	case outer != nil:
		p.bug("a segmented operation inside another")
	}
	where := places(core.Vars(k.space.Ids))
	for i, l := range where {
		if r := b.Res[i].Var; l != nil && p.targets[r] == nil && !p.isBetterAside(k, b, r) {
			p.targets[r] = l
		}
	}
	p.stms(b)
	body := p.Body(b.Res...)
	for _, r := range b.Res {
		delete(p.targets, r.Var)
	}
	p.Builder, p.kernel = host, outer
	return body
}

// isBetterAside reports whether an array that a kernel returns should be worked on in other memory than the result's, and copied there in
// the end: by a workgroup unless it is written once; by a thread when it is small and read on the way. The thread's own memory is faster to
// read, and the threads of a row of the result would touch different lines of memory at a time. Larger arrays stay in the result even where
// loops of loops read them: each line serves several elements from the cache (in scratch myocyte took 27.1 ms on CUDA instead of 25.8, one
// H200).
func (p *placer) isBetterAside(k *kernel, b *core.Body, v core.Var) bool {
	if k.group {
		return !isWrittenLast(b, v)
	}
	return k.outer == nil && p.isPrivate(p.homes.types[v]) && p.homes.depthOfReads(b, v) > 0
}

// isWrittenLast reports whether an array that a workgroup makes is the result of a segmented operation that nothing else reads: such
// an array is made where the result of the kernel is. Others are worked on in workgroup memory, and copied in the end.
func isWrittenLast(b *core.Body, v core.Var) bool {
	made := false
	for _, s := range b.Stms {
		if made && core.FreeInStm(s).Has(v) {
			return false
		}
		_, seg := s.Exp.(core.Seg)
		made = made || seg && slices.ContainsFunc(s.Dst, func(q core.Param) bool { return q.Var == v })
	}
	return made
}

// fresh allocates memory for an array of type t and returns its layout there. A shape is another that has as many elements.
func (p *placer) fresh(base string, t core.Type, shape ...core.Operand) *core.Layout {
	switch {
	case p.kernel == nil:
		return p.alloc(p.Builder, base, t, core.SpaceDevice)
	case p.kernel.group:
		return p.allocInGroup(p.Builder, base, t, shape)
	case p.takesPrivate(t):
		return p.alloc(p.Builder, base, t, core.SpacePrivate)
	case p.kernel.operator:
		p.limit("an array of more than %d elements, or of a size that is not constant, inside of an operator", privateLimit)
	}
	if p.kernel.outer != nil {
		return p.expandedInGroup(base, t, shape)
	}
	return p.expanded(base, t, p.room(t.Shape, shape))
}

// alloc adds an allocation for exactly an array of type t.
func (p *placer) alloc(b *core.Builder, base string, t core.Type, space core.MemSpace) *core.Layout {
	count := b.Product(t.Shape...)
	mem := b.LetVar(base+"_mem", &core.Alloc{Elem: t.Elem, Count: count, Space: space})
	return core.RowMajor(mem, t.Shape)
}

// expanded allocates, before the kernel, memory for an array of count elements in every point, or in every one of the points that run side
// by side. Neighbouring points have neighbouring elements, as threads run at the same time; a processor's tasks run one point after the
// other, and each has its elements together.
func (p *placer) expanded(base string, t core.Type, count core.Operand) *core.Layout {
	k := p.kernel
	block := scratch{p.Param(base+"_mem", core.MemType(t.Elem, core.SpaceDevice)), count, sizeKey(count)}
	if k.sizing.Outside(t.Shape) {
		block.key = sizeKey(t.Shape...)
	}
	l := core.RowMajor(block.mem.Var, t.Shape)
	sizes, ids := k.space.Sizes, k.space.Ids
	if k.slots {
		p.addScratch(block)
		sizes, ids = []core.Operand{k.space.Slots}, []core.Var{k.space.Slot}
	} else {
		block.alloc(k.host, k.host.Product(sizes...))
	}
	if p.ctx.Facts().Tasks > 0 {
		at := core.PolyConst(0)
		for d, id := range ids {
			at = at.Mul(core.PolyOf(sizes[d])).Add(core.PolyVar(id))
		}
		l.Offset = l.Offset.Add(at.Mul(core.PolyOf(count)))
		return l
	}
	stride := core.PolyConst(1)
	for d, id := range slices.Backward(ids) {
		l.Offset = l.Offset.Add(core.PolyVar(id).Mul(stride))
		stride = stride.Mul(core.PolyOf(sizes[d]))
	}
	for d := range l.Strides {
		l.Strides[d] = l.Strides[d].Mul(stride)
	}
	return l
}

// room is how many elements an array of this shape has in each point at most; another shape, if there is one, has as many.
func (p *placer) room(shape, other []core.Operand) core.Operand {
	k := p.kernel
	switch {
	case k.sizing.Outside(shape):
		return k.host.Product(shape...)
	case len(other) > 0 && k.sizing.Outside(other):
		return k.host.Product(other...)
	}
	stms := k.body.Stms()
	k.sizing.Add(stms[k.sized:]...)
	k.sized = len(stms)
	slice, ok := k.sizing.Slice(shape)
	if !ok && len(other) > 0 {
		shape = other
		slice, ok = k.sizing.Slice(shape)
	}
	if !ok {
		p.bug("flattening made a kernel with an array of unknown size at %s", p.Where.Place())
	}
	return p.largest(slice, shape)
}

// largest adds a kernel that computes, over all points, the largest product
// of sizes: Note [Sizes in kernels].
func (p *placer) largest(slice []*core.Stm, shape []core.Operand) core.Operand {
	k := p.kernel
	in := core.NewBuilder(p.Fun, p.Scope)
	in.Add(slice...)
	size := in.Product(shape...)
	sub := core.Subst{}
	sp := core.Space{Sizes: k.space.Sizes}
	for _, id := range k.space.Ids {
		sp.Ids = append(sp.Ids, p.Param(p.Fun.Base(id), core.I64).Var)
		sub[id] = core.V(sp.Ids[len(sp.Ids)-1])
	}
	body := core.NewRenamer(p.Fun, p.Fun, sub).Body(withoutCerts(in.Body(size)))
	p.Scope.BindBody(body)
	return p.maximum(sp, body)
}

// maximum adds the reduction, one dimension after the other, of a body's
// result over a space.
func (p *placer) maximum(sp core.Space, body *core.Body) core.Operand {
	host := p.kernel.host
	op := func() core.Operator {
		i64 := []core.Type{core.I64}
		l := host.Lambda("x", []core.Type{core.I64, core.I64}, i64, func(b *core.Builder, ps []core.Operand) []core.Operand {
			return []core.Operand{b.Let("max", &core.Bin{Op: prim.Max, Type: prim.I64, X: ps[0], Y: ps[1]})}
		})
		return core.Operator{Lambda: l, Neutral: []core.Operand{core.Int(0)}, Commutative: true}
	}
	outer := p.Builder
	kernel := p.kernel
	p.Builder, p.kernel = host, nil
	defer func() { p.Builder, p.kernel = outer, kernel }()
	for {
		last := len(sp.Sizes) - 1
		dst := p.make(p.Param("largest", core.ArrayOf(core.I64, sp.Sizes[:last]...)))
		red := &core.SegRed{Space: sp, Ops: []core.Operator{op()}, Body: body, Ret: []core.Type{core.I64}}
		p.Bind([]core.Param{dst}, red)
		if last == 0 {
			return core.V(dst.Var)
		}
		next := core.Space{Sizes: sp.Sizes[:last]}
		for range last {
			next.Ids = append(next.Ids, p.Param("i", core.I64).Var)
		}
		body = p.Build(func(b *core.Builder) []core.Operand {
			return []core.Operand{b.Index("x", dst.Var, core.Vars(next.Ids)...)}
		})
		sp = next
	}
}

func withoutCerts(b *core.Body) *core.Body {
	out := &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		n := *s
		n.Aux.Certs = nil
		n.Exp = core.MapBodies(s.Exp, withoutCerts)
		out.Stms = append(out.Stms, &n)
	}
	return out
}
