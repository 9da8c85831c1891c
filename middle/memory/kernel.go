package memory

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// privateLimit is the largest number of elements that an array in a thread's
// private memory may have.
const privateLimit = 64

// kernel is the segmented operation, or the operator, that code is in.
type kernel struct {
	host     *core.Builder // of the code before the operation
	body     *core.Builder // of the operation's body
	space    core.Space
	operator bool
	slots    bool              // points may take turns in the same memory
	turns    []inTurn          // what they use in turn
	inside   map[core.Var]bool // what the code of the kernel binds
}

// segmented places a segmented operation: its results on the host, then its
// body.
func (p *placer) segmented(s *core.Stm) {
	switch e := s.Exp.(type) {
	case *core.SegMap:
		dst := p.makeAll(s.Dst)
		k := &kernel{space: e.Space, slots: true}
		body := p.kernelBody(k, e.Body, func(ids []core.Operand) []*core.Layout { return rows(dst, ids) })
		p.allocTurns(k)
		p.Bind(dst, &core.SegMap{Level: e.Level, Space: k.space, Body: body, Ret: e.Ret})
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
			return append(make([]*core.Layout, w), rows(dst[w:], ids)...)
		})
		p.Bind(dst, &core.SegScan{Level: e.Level, Space: e.Space, Ops: p.operators(e.Ops), Body: body, Ret: e.Ret})
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
	default:
	}
}

func (p *placer) operators(ops []core.Operator) []core.Operator {
	out := slices.Clone(ops)
	for i, op := range ops {
		out[i].Lambda = p.lambda(op.Lambda)
	}
	return out
}

// rows gives the layout of the part of each array that one point writes; nil
// for what is no array or has scalar elements.
func rows(dst []core.Param, ids []core.Operand) []*core.Layout {
	ls := make([]*core.Layout, len(dst))
	for i, q := range dst {
		if q.Type.Rank() > len(ids) {
			ls[i] = sliced(q.Type.Layout, core.FullSlice(q.Type, ids...))
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
	k.host, k.body, k.inside = host, p.Builder, boundIn(k.space, b)
	p.kernel = k
	if outer != nil {
		p.bug("a segmented operation inside another")
	}
	where := places(core.Vars(k.space.Ids))
	for i, l := range where {
		if l != nil && p.targets[b.Res[i].Var] == nil {
			p.targets[b.Res[i].Var] = l
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

// boundIn is the set of variables that a segmented operation binds.
func boundIn(sp core.Space, b *core.Body) map[core.Var]bool {
	bound := map[core.Var]bool{}
	for _, id := range sp.Ids {
		bound[id] = true
	}
	core.Walk(b, func(s *core.Stm) bool {
		for _, q := range s.Dst {
			bound[q.Var] = true
		}
		if l, ok := s.Exp.(*core.Loop); ok {
			bound[l.Index.Var] = true
			for _, q := range l.Params {
				bound[q.Var] = true
			}
		}
		return true
	})
	return bound
}

// fresh allocates memory for an array of type t and gives its layout there.
func (p *placer) fresh(base string, t core.Type) *core.Layout {
	switch {
	case p.kernel == nil:
		return p.alloc(p.Builder, base, t, core.SpaceDevice)
	case isPrivate(t):
		return p.alloc(p.Builder, base, t, core.SpacePrivate)
	case p.kernel.operator:
		p.limit("an array of more than %d elements, or of a size that is not constant, inside of an operator", privateLimit)
	}
	return p.expanded(base, t)
}

func isPrivate(t core.Type) bool {
	n := int64(1)
	for _, d := range t.Shape {
		c, ok := d.ConstInt()
		if !ok {
			return false
		}
		n *= c
	}
	return n <= privateLimit
}

// alloc adds an allocation for exactly an array of type t.
func (p *placer) alloc(b *core.Builder, base string, t core.Type, space core.MemSpace) *core.Layout {
	count := b.Product(t.Shape...)
	mem := b.LetVar(base+"_mem", &core.Alloc{Elem: t.Elem, Count: count, Space: space})
	return core.RowMajor(mem, t.Shape)
}

// expanded allocates, before the kernel, memory for an array in every point, or in every one of the points that run side
// by side. Neighbouring points have neighbouring elements.
func (p *placer) expanded(base string, t core.Type) *core.Layout {
	k := p.kernel
	var count core.Operand
	if p.known(t.Shape) {
		count = k.host.Product(t.Shape...)
	} else {
		count = p.largest(t.Shape)
	}
	block := inTurn{p.Param(base+"_mem", core.MemType(t.Elem, core.SpaceDevice)), count}
	l := core.RowMajor(block.mem.Var, t.Shape)
	sizes, ids := k.space.Sizes, k.space.Ids
	if k.slots {
		p.takeTurns(block)
		sizes, ids = []core.Operand{k.space.Slots}, []core.Var{k.space.Slot}
	} else {
		block.alloc(k.host, k.host.Product(sizes...))
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

// inKernel finds the statement of the kernel's body, at its outer level, that
// binds v, or whether v is an id of the kernel.
func (k *kernel) inKernel(v core.Var) (s *core.Stm, bound bool) {
	if slices.Contains(k.space.Ids, v) {
		return nil, true
	}
	for _, s := range k.body.Stms() {
		for _, q := range s.Dst {
			if q.Var == v {
				return s, true
			}
		}
	}
	return nil, false
}

// known reports whether sizes are bound before the kernel.
func (p *placer) known(shape []core.Operand) bool {
	return !slices.ContainsFunc(shape, func(n core.Operand) bool { return n.Var != 0 && !p.kernel.before(n.Var) })
}

// before reports whether v is bound before the kernel.
func (k *kernel) before(v core.Var) bool { return !k.inside[v] }

// largest adds a kernel that computes, over all points, the largest product
// of sizes.
func (p *placer) largest(shape []core.Operand) core.Operand {
	k := p.kernel
	need := &core.VarSet{}
	for _, n := range shape {
		need.Add(n.Var)
	}
	var slice []*core.Stm
	for _, s := range slices.Backward(k.body.Stms()) {
		if !slices.ContainsFunc(s.Dst, func(q core.Param) bool { return need.Has(q.Var) }) {
			continue
		}
		if writes(s) {
			p.unknownSize()
		}
		slice = append(slice, s)
		need.AddAll(core.FreeInStm(s))
	}
	slices.Reverse(slice)
	for _, v := range need.List() {
		if _, bound := k.inKernel(v); !bound && !k.before(v) {
			p.unknownSize()
		}
	}
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

// writes reports whether a statement writes to memory, or makes some.
func writes(s *core.Stm) bool {
	found := false
	core.Walk(&core.Body{Stms: []*core.Stm{s}}, func(s *core.Stm) bool {
		switch s.Exp.(type) {
		case *core.Alloc, *core.Update, *core.Copy, *core.ArrayLit, *core.WithAcc, *core.UpdateAcc:
			found = true
		default:
		}
		return !found
	})
	return found
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

func (p *placer) unknownSize() {
	p.limit("an array inside of code that runs in parallel, whose size is only known when that code runs; " +
		"compute its size outside of loops, from values that are known before")
}
