package simplify

import "skald/middle/core"

// standIns are what stands for variables of the old code. What stands for one may be replaced later, by something else: it is looked up to
// the end.
type standIns map[core.Var]core.Operand

// put replaces a variable by an operand, unless that is the variable itself.
func (s standIns) put(v core.Var, o core.Operand) {
	if o = s.Operand(o); o.Var != v {
		s[v] = o
	}
}

// Operand is what stands for an operand: itself if nothing does.
func (s standIns) Operand(o core.Operand) core.Operand {
	for o.Var != 0 {
		next, ok := s[o.Var]
		if !ok {
			break
		}
		o = next
	}
	return o
}

// body replaces the variables in a body.
func (s standIns) body(b *core.Body) *core.Body {
	m := core.Mapper{Operand: s.Operand}
	m.Body = func(b *core.Body) *core.Body { return m.MapBody(b) }
	return m.MapBody(b)
}
