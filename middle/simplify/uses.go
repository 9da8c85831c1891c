package simplify

import (
	"slices"

	"skald/middle/core"
)

// usesOf counts how often the code of a body mentions each variable, and how many of these places read an element of it, in the body whose
// statement makes it.
func usesOf(f *core.Fun, b *core.Body) (uses, elements []int) {
	uses, elements = make([]int, len(f.Names)), make([]int, len(f.Names))
	count := func(o core.Operand) core.Operand { uses[o.Var]++; return o }
	m := core.Mapper{Operand: count}
	made := make([]*core.Body, len(f.Names))
	m.Body = func(b *core.Body) *core.Body {
		for _, st := range b.Stms {
			m.VisitStm(st)
			for _, p := range st.Dst {
				made[p.Var] = b
			}
			if e, ok := st.Exp.(*core.Index); ok && made[e.Array] == b {
				if _, point := fixed(e.Slice); point {
					elements[e.Array]++
				}
			}
		}
		for _, r := range b.Res {
			count(r)
		}
		return b
	}
	m.Body(b)
	return uses, elements
}

// once is the statement that makes an array if that is one of the body at hand, or of the body around a loop whose body that is, nothing
// overwrites what it makes, and one place in the code mentions that; nil otherwise. What that place reads of the array need not be stored.
func (s *simplifier) once(a core.Var) *core.Stm {
	if int(a) >= len(s.uses) || s.uses[a] != 1 {
		return nil
	}
	return s.madeHere(a)
}

// byElements is the statement that makes an array as once has it, or one of the body at hand of which only elements are read there.
func (s *simplifier) byElements(a core.Var) *core.Stm {
	if int(a) >= len(s.uses) || s.uses[a] != max(1, s.elements[a]) {
		return nil
	}
	return s.madeHere(a)
}

// madeHere is the statement that makes an array if that is one of the body at hand, or of the body around a loop whose body that is, and
// nothing overwrites what it makes; nil otherwise.
func (s *simplifier) madeHere(a core.Var) *core.Stm {
	if int(a) >= len(s.defs) || s.overwritten(a) {
		return nil
	}
	if st := s.defs[a]; st != nil && slices.Contains(s.Stms(), st) {
		return st
	}
	return nil
}
