package core

import (
	"slices"

	"skald/runtime/prim"
)

// Hoisted moves numbers that loops of the host do not change before the loops, with branches that compute such: the conditions of versions,
// by which it is known before a loop which kernels it will run. What could fail stays.
func Hoisted(b *Body) *Body {
	h := &numberHoister{map[Var]*Stm{}}
	Walk(b, func(s *Stm) bool {
		for _, q := range s.Dst {
			h.made[q.Var] = s
		}
		_, seg := s.Exp.(Seg)
		return !seg
	})
	return h.body(b)
}

// numberHoister knows which statements bind the variables of host code.
type numberHoister struct{ made map[Var]*Stm }

func (h *numberHoister) body(b *Body) *Body {
	out := &Body{Res: b.Res}
	for _, s := range b.Stms {
		if _, ok := s.Exp.(Seg); ok {
			out.Stms = append(out.Stms, s)
			continue
		}
		n := *s
		n.Exp = MapBodies(s.Exp, h.body)
		if e, ok := n.Exp.(*Loop); ok {
			out.Stms = append(out.Stms, h.invariant(&n, e)...)
		}
		out.Stms = append(out.Stms, &n)
	}
	return out
}

// invariant takes what moves out of a loop, whose statement it changes.
func (h *numberHoister) invariant(s *Stm, e *Loop) []*Stm {
	bound := BoundIn(s)
	var moved, rest []*Stm
	var before VarSet // what has moved
	changes := func(v Var) bool { return bound.Has(v) && !before.Has(v) }
	for _, in := range e.Body.Stms {
		if !h.computes(in) || slices.ContainsFunc(FreeInStm(in).List(), changes) {
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
		loop.Body = &Body{Stms: rest, Res: e.Body.Res}
		s.Exp = &loop
	}
	return moved
}

// computes reports whether a statement computes numbers and cannot fail.
func (h *numberHoister) computes(s *Stm) bool {
	if len(s.Aux.Certs) > 0 || !OnlyScalars(ParamTypes(s.Dst)) {
		return false
	}
	switch e := Match(s.Exp).(type) {
	case *Bin:
		return !e.Op.CanFail(e.Type) || h.positive(e.Y)
	case Scalar:
		return true
	case *If:
		all := true
		MapBodies(e, func(b *Body) *Body {
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
func (h *numberHoister) positive(o Operand) bool {
	if n, ok := o.ConstInt(); ok {
		return n > 0
	}
	s := h.made[o.Var]
	if s == nil {
		return false
	}
	switch e := Match(s.Exp).(type) {
	case *Fact:
		return e.Name == "group_size"
	case *Bin:
		return e.Op == prim.Max && (h.positive(e.X) || h.positive(e.Y))
	case *If:
		i := slices.IndexFunc(s.Dst, func(q Param) bool { return q.Var == o.Var })
		return h.positive(e.Then.Res[i]) && h.positive(e.Else.Res[i])
	default:
		return false
	}
}

// BoundIn are the variables that a statement binds, at any depth of host code.
func BoundIn(s *Stm) *VarSet {
	var set VarSet
	var body func(b *Body)
	stm := func(s *Stm) {
		for _, q := range s.Dst {
			set.Add(q.Var)
		}
		if _, ok := s.Exp.(Seg); ok {
			return
		}
		MapExp(s.Exp, Mapper{
			Bind: func(v Var) Var { set.Add(v); return v },
			Body: func(b *Body) *Body { body(b); return b },
		})
	}
	body = func(b *Body) {
		for _, s := range b.Stms {
			stm(s)
		}
	}
	stm(s)
	return &set
}
