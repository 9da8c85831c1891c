package expand

import (
	"slices"

	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/pass"
)

// Pass finds memory for arrays of kernels.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "expand",
	Doc:  "put arrays of kernels' points into private memory, memory of workgroups, or blocks that the host allocates",
	Run: func(ctx *pass.Context, p *core.Prog) *core.Prog {
		return functions.Map(p, func(f *core.Fun) *core.Fun { return function(ctx, f) })
	},
}

// expander works on one function.
type expander struct {
	*core.Builder // of the code at the current place
	ctx           *pass.Context
	// points says which blocks are for several points.
	points map[core.Var]points
	// places are the bodies of host code that the code at hand is in.
	places []*place
}

// points is how a block is shared by points: position p of point number i is position p*of + i, or, if the points' elements lie together,
// p + i.
type points struct {
	number core.Poly
	of     core.Poly
}

// of is the layout in a shared block of an array that has a layout in its point's own.
func (s points) layout(l *core.Layout) *core.Layout {
	out := &core.Layout{Mem: l.Mem, Offset: l.Offset.Mul(s.of).Add(s.number), Strides: make([]core.Poly, len(l.Strides))}
	for d, stride := range l.Strides {
		out.Strides[d] = stride.Mul(s.of)
	}
	return out
}

func function(ctx *pass.Context, f *core.Fun) *core.Fun {
	if !allocatesInKernels(f.Body) {
		return f
	}
	g := *f
	g.Names = slices.Clip(f.Names)
	x := &expander{Builder: core.NewBuilder(&g, core.ScopeOf(f)), ctx: ctx, points: map[core.Var]points{}}
	if f.DeviceFunction {
		x.operator(f.Body)
		return f
	}
	g.Body = x.nested(core.Hoisted(f.Body), x.hostStm)
	return &g
}

// allocatesInKernels reports whether code has allocations of memory other than the device's: those in kernels.
func allocatesInKernels(b *core.Body) bool {
	return core.Any(b, func(e core.Exp) bool {
		a, ok := e.(*core.Alloc)
		return ok && a.Space != core.SpaceDevice
	})
}

// nested is a body whose statements one has written, with a builder of their own.
func (x *expander) nested(b *core.Body, one func(*core.Stm)) *core.Body {
	outer := x.Builder
	x.Builder = outer.Nested()
	for _, s := range b.Stms {
		x.Where, x.Attrs, x.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
		one(s)
	}
	body := x.Body(b.Res...)
	x.Builder = outer
	return body
}

// hostStm writes a statement of the host.
func (x *expander) hostStm(s *core.Stm) {
	switch e := core.Match(s.Exp).(type) {
	case core.Seg:
		x.Bind(s.Dst, x.segmented(e, nil))
	case *core.WithAcc:
		x.Bind(s.Dst, x.withAcc(e, x.hostStm))
	default:
		x.Bind(s.Dst, core.MapBodies(s.Exp, func(b *core.Body) *core.Body { return x.inside(s.Exp, b) }))
	}
	x.bound(s.Dst...)
}

// withAcc is a node whose code one writes, and whose operators have private memory only.
func (x *expander) withAcc(e *core.WithAcc, one func(*core.Stm)) core.Exp {
	return core.MapBodies(e, func(b *core.Body) *core.Body {
		if b == e.Lambda.Body {
			return x.nested(b, one)
		}
		x.operator(b)
		return b
	})
}

// segmented is a segmented operation with memory for the arrays of its points; outer is the kernel of workgroups that it is in.
func (x *expander) segmented(e core.Seg, outer *kernel) core.Exp {
	k := &kernel{host: x.Builder, outer: outer, space: e.SpaceOf(), private: Private{InGroup: outer != nil}}
	if m, ok := e.(*core.SegMap); ok {
		k.slots, k.group = m.Level == core.LevelGrid, m.Level == core.LevelGroup
	}
	out := core.MapExp(e, core.Mapper{
		Body:   func(b *core.Body) *core.Body { return x.kernel(k, b) },
		Lambda: func(l *core.Lambda) *core.Lambda { x.operator(l.Body); return l },
	})
	if k.space.Slot == 0 {
		return out
	}
	m := *out.(*core.SegMap)
	m.Space = k.space
	x.allocScratch(k)
	return &m
}

// operator checks the code of an operator, or a device function: its arrays are in private memory.
func (x *expander) operator(b *core.Body) {
	core.Walk(b, func(s *core.Stm) bool {
		if a, ok := s.Exp.(*core.Alloc); ok {
			if n, ok := a.Count.ConstInt(); !ok || n > privateLimit {
				x.ctx.LimitAt(s.Aux.Where.Place(),
					"an array of more than %d elements, or of a size that is not constant, inside of an operator", privateLimit)
			}
		}
		return true
	})
}
