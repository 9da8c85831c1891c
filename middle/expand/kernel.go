package expand

import (
	"slices"

	"skald/middle/core"
	"skald/middle/facts"
	"skald/middle/pass"
)

// kernel is the segmented operation that code is in.
type kernel struct {
	host    *core.Builder // of the code before the operation
	outer   *kernel       // of workgroups, whose threads the points are
	space   core.Space
	group   bool      // its points are workgroups, whose memory arrays lie in
	slots   bool      // points may have the same memory, one after the other
	scratch []scratch // what they have so
	rooms   []room    // what is known of sizes that differ between points
	private Private

	body   *core.Body
	top    int // which statement of the body the code is in
	sizing *core.Sizing
	sized  int // how many statements of the body sizing has seen
}

// kernel is the body of a segmented operation with memory for its arrays.
func (x *expander) kernel(k *kernel, b *core.Body) *core.Body {
	if !allocatesInKernels(b) {
		return b
	}
	k.body, k.sizing, k.top = b, core.NewSizing(k.space.Ids, b), -1
	return x.nested(b, func(s *core.Stm) {
		k.top++
		x.kernelStm(k, s)
	})
}

// kernelStm writes a statement of a kernel.
func (x *expander) kernelStm(k *kernel, s *core.Stm) {
	one := func(s *core.Stm) { x.kernelStm(k, s) }
	dst := x.shared(s.Dst)
	switch e := core.Match(s.Exp).(type) {
	case *core.Alloc:
		x.alloc(k, s.Dst[0], e)
	case core.Seg:
		x.Bind(dst, x.segmented(e, k))
	case *core.WithAcc:
		x.Bind(dst, x.withAcc(e, one))
	case *core.Loop:
		l := *e
		l.Params = x.shared(e.Params)
		l.Body = x.nested(e.Body, one)
		x.Bind(dst, &l)
	default:
		x.Bind(dst, core.MapBodies(s.Exp, func(b *core.Body) *core.Body { return x.nested(b, one) }))
	}
}

// shared are variables with their layouts in blocks that are for several points.
func (x *expander) shared(ps []core.Param) []core.Param {
	out := ps
	for i, q := range ps {
		if q.Type.Layout == nil {
			continue
		}
		if s, ok := x.points[q.Type.Layout.Mem]; ok {
			if &out[0] == &ps[0] {
				out = slices.Clone(ps)
			}
			out[i].Type.Layout = s.layout(q.Type.Layout)
		}
	}
	return out
}

// alloc finds memory for an allocation of a kernel.
func (x *expander) alloc(k *kernel, mem core.Param, e *core.Alloc) {
	switch {
	case k.group:
		x.inGroup(k, mem, e)
	case k.private.Takes(x.ctx, e):
		x.Bind([]core.Param{mem}, e)
	case k.outer != nil:
		x.expandedInGroup(k, mem, e)
	default:
		x.expanded(k, mem, e)
	}
}

// expanded allocates, before the kernel, memory for a block of every point, or for every one of the points that run side by side.
func (x *expander) expanded(k *kernel, mem core.Param, e *core.Alloc) {
	mem.Type = core.MemType(e.Elem, core.SpaceDevice)
	block := scratch{mem: mem, count: x.room(k, k.sizing.Factors(e.Count))}
	all, ids := k.space.Sizes, k.space.Ids
	tasks := pass.Ask(x.ctx, facts.Facts.HasTasks)
	if k.slots {
		if tasks {
			block.count = wholeLines(k.host, block.count, e.Elem)
		}
		x.addScratch(k, block)
		all, ids = []core.Operand{k.space.Slots}, []core.Var{k.space.Slot}
	} else {
		block.alloc(k.host, k.host.Product(all...))
	}
	if tasks {
		at := core.PolyConst(0)
		for d, id := range ids {
			at = at.Mul(core.PolyOf(all[d])).Add(core.PolyVar(id))
		}
		x.points[mem.Var] = points{number: at.Mul(core.PolyOf(block.count)), of: core.PolyConst(1)}
		return
	}
	x.points[mem.Var] = neighbours(ids, all)
}

// neighbours has the elements of points of a space beside each other.
func neighbours(ids []core.Var, sizes []core.Operand) points {
	s := points{number: core.PolyConst(0), of: core.PolyConst(1)}
	for d, id := range slices.Backward(ids) {
		s.number = s.number.Add(core.PolyVar(id).Mul(s.of))
		s.of = s.of.Mul(core.PolyOf(sizes[d]))
	}
	return s
}
