package memory

import (
	"slices"

	"skald/middle/core"
	"skald/middle/expand"
	"skald/middle/facts"
	"skald/middle/pass"
)

// kernel is the segmented operation, or the operator, that code is in.
type kernel struct {
	body        *core.Builder // of the operation's body
	space       core.Space
	operator    bool
	group       bool    // its points are workgroups, whose memory arrays lie in
	outer       *kernel // of workgroups, whose threads the points are
	interleaved bool    // its rows lie side by side, element by element, in the results
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
		k := &kernel{space: e.Space, group: e.Level == core.LevelGroup, interleaved: interleaved}
		body := p.kernelBody(k, e.Body, func(ids []core.Operand) []*core.Layout { return rows(dst, ids) })
		p.Bind(dst, &core.SegMap{Level: e.Level, Space: e.Space, Body: body, Ret: e.Ret, Tiling: e.Tiling})
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
	k.body, k.sizing = p.Builder, core.NewSizing(k.space.Ids, b)
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
// the end: by a workgroup unless it is written once; by a thread when it is read on the way, from its own memory or, in loops of loops,
// from scratch in which neighbouring threads have neighbouring elements, while those of rows of the result are in different lines. A
// single loop over a row finds the other elements of a line in the cache. 50 rounds over rows of 200 f32 (one H200, CUDA and WebGPU alike)
// took 22 ms for 100,000 rows in the result, 10 ms in scratch, for 1,000,000 rows 337 and 76, and for 10,000, which the cache holds, 2.5
// and 2.1. Scratch of tasks on processors has no neighbours.
func (p *placer) isBetterAside(k *kernel, b *core.Body, v core.Var) bool {
	if k.group {
		return !isWrittenLast(b, v)
	}
	if k.outer != nil {
		return false
	}
	depth := p.homes.depthOfReads(b, v)
	if p.isPrivate(p.homes.types[v]) {
		return depth > 0
	}
	return depth > 1 && !pass.Ask(p.ctx, facts.Facts.HasTasks)
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

// fresh allocates memory for an array of type t and returns its layout there. A shape is another that has as many elements. In kernels it
// is memory of the point, of which package expand makes what devices have.
func (p *placer) fresh(base string, t core.Type, shape ...core.Operand) *core.Layout {
	space := core.SpaceDevice
	switch {
	case p.kernel == nil:
	case p.kernel.group:
		space = core.SpaceGroup
	default:
		space = core.SpacePrivate
	}
	counted := t.Shape
	if p.kernel != nil && !p.kernel.operator && len(shape) > 0 {
		counted = p.kernel.betterKnown(t.Shape, shape)
	}
	mem := p.LetVar(base+"_mem", &core.Alloc{Elem: t.Elem, Count: p.Product(counted...), Space: space})
	return core.RowMajor(mem, t.Shape)
}

// betterKnown is the shape, of two of as many elements, whose sizes are known outside of the kernel, or else before it runs: see
// Note [Sizes in kernels] in package core.
func (k *kernel) betterKnown(shape, other []core.Operand) []core.Operand {
	stms := k.body.Stms()
	k.sizing.Add(stms[k.sized:]...)
	k.sized = len(stms)
	if k.sizing.Outside(shape) || !k.sizing.Outside(other) && k.sizing.Known(shape) {
		return shape
	}
	return other
}

// isPrivate reports whether an array of this type, which a kernel makes, may lie in the private memory of a thread.
func (p *placer) isPrivate(t core.Type) bool {
	k := p.kernel
	return expand.IsPrivate(p.ctx, t, k != nil && !k.operator && !k.group && k.outer == nil)
}
