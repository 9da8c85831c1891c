package layout

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// hoisted moves numbers that loops of the host do not change before the loops, with branches that compute such: the conditions of versions,
// by which it is known before a loop which kernels it will run. What could fail stays.
func hoisted(b *core.Body) *core.Body {
	h := &hoister{map[core.Var]*core.Stm{}}
	core.Walk(b, func(s *core.Stm) bool {
		for _, q := range s.Dst {
			h.made[q.Var] = s
		}
		_, seg := s.Exp.(core.Seg)
		return !seg
	})
	return h.body(b)
}

// hoister knows which statements bind the variables of host code.
type hoister struct{ made map[core.Var]*core.Stm }

func (h *hoister) body(b *core.Body) *core.Body {
	out := &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		if _, ok := s.Exp.(core.Seg); ok {
			out.Stms = append(out.Stms, s)
			continue
		}
		n := *s
		n.Exp = core.MapBodies(s.Exp, h.body)
		if e, ok := n.Exp.(*core.Loop); ok {
			out.Stms = append(out.Stms, h.invariant(&n, e)...)
		}
		out.Stms = append(out.Stms, &n)
	}
	return out
}

// invariant takes what moves out of a loop, whose statement it changes.
func (h *hoister) invariant(s *core.Stm, e *core.Loop) []*core.Stm {
	bound := boundIn(s)
	var moved, rest []*core.Stm
	var before core.VarSet // what has moved
	changes := func(v core.Var) bool { return bound.Has(v) && !before.Has(v) }
	for _, in := range e.Body.Stms {
		if !h.computes(in) || slices.ContainsFunc(core.FreeInStm(in).List(), changes) {
			rest = append(rest, in)
			continue
		}
		moved = append(moved, in)
		for _, q := range in.Dst {
			before.Add(q.Var)
		}
	}
	if moved != nil {
		loop := *e
		loop.Body = &core.Body{Stms: rest, Res: e.Body.Res}
		s.Exp = &loop
	}
	return moved
}

// computes reports whether a statement computes numbers and cannot fail.
func (h *hoister) computes(s *core.Stm) bool {
	if len(s.Aux.Certs) > 0 || !core.OnlyScalars(core.ParamTypes(s.Dst)) {
		return false
	}
	switch e := core.Match(s.Exp).(type) {
	case *core.Bin:
		return !e.Op.CanFail(e.Type) || h.positive(e.Y)
	case core.Scalar:
		return true
	case *core.If:
		all := true
		core.MapBodies(e, func(b *core.Body) *core.Body {
			for _, in := range b.Stms {
				all = all && h.computes(in)
			}
			return b
		})
		return all
	default:
		return false
	}
}

// positive reports whether a number is known to be larger than zero: a constant, a size of the device's, one of several such, or something
// that is at least one.
func (h *hoister) positive(o core.Operand) bool {
	if n, ok := o.ConstInt(); ok {
		return n > 0
	}
	s := h.made[o.Var]
	if s == nil {
		return false
	}
	switch e := core.Match(s.Exp).(type) {
	case *core.Fact:
		return e.Name == "group_size"
	case *core.Bin:
		return e.Op == prim.Max && (h.positive(e.X) || h.positive(e.Y))
	case *core.If:
		i := slices.IndexFunc(s.Dst, func(q core.Param) bool { return q.Var == o.Var })
		return h.positive(e.Then.Res[i]) && h.positive(e.Else.Res[i])
	default:
		return false
	}
}
