package doublebuffer

import (
	"slices"

	"skald/middle/core"
	"skald/middle/expand"
	"skald/middle/functions"
	"skald/middle/pass"
	"skald/runtime/prim"
)

// Pass makes slots of one block of the places that change hands in loops of kernels.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "double-buffer",
	Doc:  "let arrays that change places in loops of kernels change the numbers of their slots in one block",
	Run: func(ctx *pass.Context, p *core.Prog) *core.Prog {
		return functions.Map(p, func(f *core.Fun) *core.Fun { return function(ctx, f) })
	},
}

// buffering works on one function.
type buffering struct {
	*core.Builder // of the code at the current place
	ctx           *pass.Context
	mayBePrivate  func(core.Type) bool // of the kernel that the code is in
	made          map[core.Var]int     // how many arrays lie in a block
	used          []int                // how often a variable is used
	slots         map[core.Var]*slot   // by the block that was an array's place
	inWorkgroup   bool                 // the code here is what all threads of a workgroup run together
}

// slot is where an array lies that changes places.
type slot struct {
	ring   *ring
	number core.Operand // at the current place of the code
}

// layout is that of what had a layout in the place.
func (s *slot) layout(l *core.Layout) *core.Layout {
	return &core.Layout{Mem: s.ring.block, Offset: l.Offset.Add(core.PolyOf(s.number).Mul(s.ring.size)), Strides: l.Strides}
}

func function(ctx *pass.Context, f *core.Fun) *core.Fun {
	if f.DeviceFunction || !core.Any(f.Body, carriesArrays) {
		return f
	}
	d := &buffering{ctx: ctx, made: map[core.Var]int{}, used: make([]int, len(f.Names)), slots: map[core.Var]*slot{}}
	d.count(f.Body)
	return functions.Kernels(f, func(b *core.Builder, s *core.Stm, e core.Seg) bool {
		if !s.Any(carriesArrays) {
			return false
		}
		d.Builder = b
		b.Add(d.kernel(s, e, ofGrid))
		return true
	})
}

// carriesArrays reports whether a node is a loop with arrays.
func carriesArrays(e core.Exp) bool {
	l, ok := e.(*core.Loop)
	return ok && slices.ContainsFunc(l.Params, func(p core.Param) bool { return p.Type.IsArray() })
}

// count counts what lies in blocks, and how often variables are used.
func (d *buffering) count(b *core.Body) {
	makes := func(ps []core.Param) {
		for _, q := range ps {
			if q.Type.Layout != nil {
				d.made[q.Type.Layout.Mem]++
			}
		}
	}
	for _, s := range b.Stms {
		makes(s.Dst)
		if e, ok := s.Exp.(*core.Loop); ok {
			makes(e.Params)
		}
		core.MapExp(s.Exp, core.Mapper{
			Operand: func(o core.Operand) core.Operand { d.used[o.Var]++; return o },
			Body:    func(in *core.Body) *core.Body { d.count(in); return in },
		})
	}
	for _, r := range b.Res {
		d.used[r.Var]++
	}
}

// ofGrid says of points that they are not threads of a workgroup: see kernel.
const ofGrid = true

// kernel is a segmented operation with rings in its points' code; grid says that points are no threads of a workgroup.
func (d *buffering) kernel(s *core.Stm, e core.Seg, grid bool) *core.Stm {
	outer := d.mayBePrivate
	m, isMap := e.(*core.SegMap)
	together := d.inWorkgroup
	d.mayBePrivate = func(t core.Type) bool { return expand.IsPrivate(d.ctx, t, grid) }
	d.inWorkgroup = isMap && m.Level == core.LevelGroup
	if d.inWorkgroup {
		d.mayBePrivate = func(core.Type) bool { return false }
	}
	n := *s
	n.Exp = core.MapBodies(e, d.body)
	d.mayBePrivate, d.inWorkgroup = outer, together
	return &n
}

// body is the code of a kernel with rings in its loops.
func (d *buffering) body(b *core.Body) *core.Body {
	rings := d.ringsOf(b)
	outer := d.Builder
	d.Builder = outer.Nested()
	for _, s := range b.Stms {
		d.Where, d.Attrs, d.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
		d.stm(s, rings[s])
	}
	out := d.Body(b.Res...)
	d.Builder = outer
	return out
}

func (d *buffering) stm(s *core.Stm, rings []*ring) {
	switch e := core.Match(s.Exp).(type) {
	case *core.Alloc:
		if at := d.slots[s.Dst[0].Var]; at != nil {
			d.alloc(at.ring, e)
			return
		}
		d.Add(s)
	case core.Seg:
		n := *d.kernel(s, e, !ofGrid)
		n.Dst = d.placed(n.Dst)
		d.Add(&n)
	case *core.Loop:
		d.loop(s, e, rings)
	default:
		d.Bind(d.placed(s.Dst), core.MapBodies(s.Exp, d.body))
	}
}

// placed are variables with their layouts in slots.
func (d *buffering) placed(ps []core.Param) []core.Param {
	out := slices.Clone(ps)
	for i, q := range ps {
		if q.Type.Layout == nil {
			continue
		}
		if at := d.slots[q.Type.Layout.Mem]; at != nil {
			out[i].Type.Layout = at.layout(q.Type.Layout)
		}
	}
	return out
}

// alloc allocates the block of a ring, where the first of its places was allocated.
func (d *buffering) alloc(r *ring, place *core.Alloc) {
	if r.allocated {
		return
	}
	r.allocated = true
	count := d.Mul64(core.Int(int64(len(r.members))), place.Count)
	block := core.Param{Var: r.block, Type: core.MemType(place.Elem, place.Space)}
	d.Bind([]core.Param{block}, &core.Alloc{Elem: place.Elem, Count: count, Space: place.Space})
}

// loop writes a loop, with the numbers of its rings' slots before what it carries.
func (d *buffering) loop(s *core.Stm, e *core.Loop, rings []*ring) {
	var params, dst []core.Param
	var init, next []core.Operand
	drop := map[*core.Stm]bool{}
	res := slices.Clone(e.Body.Res)
	for _, r := range rings {
		first := len(params)
		for k, m := range r.members {
			params = append(params, d.Param("slot", core.ScalarType(prim.I32)))
			dst = append(dst, d.Param("slot", core.ScalarType(prim.I32)))
			init = append(init, core.C(prim.MakeI32(int32(k))))
			if m.param < 0 {
				continue
			}
			res[m.param] = core.V(m.value)
			for _, c := range m.copies {
				drop[c] = true
			}
		}
		for k := range r.members {
			next = append(next, core.V(params[first+(k+1)%len(r.members)].Var))
		}
	}
	d.numbered(rings, params)
	out := *e
	out.Params = append(params, d.placed(e.Params)...)
	out.Init = append(init, e.Init...)
	d.Scope.BindAll(out.Params)
	kept := slices.DeleteFunc(slices.Clone(e.Body.Stms), func(s *core.Stm) bool { return drop[s] })
	out.Body = d.body(&core.Body{Stms: kept, Res: append(next, res...)})
	d.numbered(rings, dst)
	d.Bind(append(dst, d.placed(s.Dst)...), &out)
}

// numbered says which variables are the numbers of rings' slots from here on.
func (d *buffering) numbered(rings []*ring, numbers []core.Param) {
	for _, r := range rings {
		for k, m := range r.members {
			d.slots[m.block].number = core.V(numbers[k].Var)
		}
		numbers = numbers[len(r.members):]
	}
}
