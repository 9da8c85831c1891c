package simplify

import (
	"slices"

	"skald/middle/core"
)

// usesOf counts how often the code of a body mentions each variable.
func usesOf(f *core.Fun, b *core.Body) []int {
	uses := make([]int, len(f.Names))
	count := func(o core.Operand) core.Operand { uses[o.Var]++; return o }
	m := core.Mapper{Operand: count}
	m.Body = func(b *core.Body) *core.Body {
		for _, st := range b.Stms {
			m.VisitStm(st)
		}
		for _, r := range b.Res {
			count(r)
		}
		return b
	}
	m.Body(b)
	return uses
}

// once is the statement that makes an array if that is one of the body at hand, or of the body around a loop whose body that is, nothing
// overwrites what it makes, and one place in the code mentions that; nil otherwise. What that place reads of the array need not be stored.
func (s *simplifier) once(a core.Var) *core.Stm {
	if int(a) >= len(s.uses) || s.uses[a] != 1 || int(a) >= len(s.defs) || s.overwritten(a) {
		return nil
	}
	if st := s.defs[a]; st != nil && slices.Contains(s.Stms(), st) {
		return st
	}
	return nil
}
