package simplify

import (
	"slices"

	"skald/middle/core"
)

// mostJoined is how many arrays are joined at once where some are in joined arrays that are used again: in `let xs = xs ++ xs`, written n
// times, the last would be 2^n.
const mostJoined = 64

// concat joins what a joined array consists of at once, leaves empty literals out, and makes literals that stand side by side one literal.
// An array that is overwritten later is a copy of its own.
func (s *simplifier) concat(e *core.Concat) *result {
	if len(e.Arrays) == 1 {
		return replace(&core.Copy{Array: e.Arrays[0]})
	}
	var arrays []core.Var
	for _, a := range e.Arrays {
		in, ok := s.def(core.V(a)).(*core.Concat)
		if ok && !s.overwritten(a) && !slices.ContainsFunc(in.Arrays, s.overwritten) && s.joinable(a, len(arrays)+len(in.Arrays)) {
			arrays = append(arrays, in.Arrays...)
		} else {
			arrays = append(arrays, a)
		}
	}
	arrays = slices.DeleteFunc(arrays, func(a core.Var) bool { return s.Scope.TypeOf(a).Shape[0] == core.Int(0) })
	if lit := s.oneLiteral(arrays); lit != nil && e.Size == core.Int(int64(len(lit.Elems))) {
		return replace(lit)
	}
	if rep := s.oneReplicate(e.Size, arrays); rep != nil {
		return rep
	}
	switch {
	case slices.Equal(arrays, e.Arrays), len(arrays) == 0:
		return nil
	case len(arrays) == 1 && e.Size != s.Scope.TypeOf(arrays[0]).Shape[0]:
		return nil // The types of both do not show yet that they have one size.
	}
	return replace(&core.Concat{Size: e.Size, Arrays: arrays})
}

// joinable reports whether what the joined array a consists of may be joined with others, so that these are n at least.
func (s *simplifier) joinable(a core.Var, n int) bool {
	return n <= mostJoined || int(a) < len(s.uses) && s.uses[a] == 1
}

// oneReplicate is what arrays that repeat the same come to, one after the other; nil if they do not.
func (s *simplifier) oneReplicate(size core.Operand, arrays []core.Var) *result {
	var first *core.Replicate
	var certs []core.Var
	for _, a := range arrays {
		in, ok := s.def(core.V(a)).(*core.Replicate)
		if !ok || s.overwritten(a) || s.overwritten(in.X.Var) {
			return nil
		}
		if first != nil && (in.X != first.X || !slices.Equal(in.Shape[1:], first.Shape[1:])) {
			return nil
		}
		first, certs = in, append(certs, s.defs[a].Aux.Certs...)
	}
	if first == nil {
		return nil
	}
	return &result{exp: &core.Replicate{Shape: slices.Concat([]core.Operand{size}, first.Shape[1:]), X: first.X}, certs: certs}
}

// oneLiteral is the literal that literals of scalars come to, one after the other; nil if one is none.
func (s *simplifier) oneLiteral(arrays []core.Var) *core.ArrayLit {
	if len(arrays) < 2 {
		return nil
	}
	out := &core.ArrayLit{}
	for _, a := range arrays {
		in, ok := s.def(core.V(a)).(*core.ArrayLit)
		if !ok || !in.Row.IsScalar() || s.overwritten(a) {
			return nil
		}
		out.Row = in.Row
		out.Elems = append(out.Elems, in.Elems...)
	}
	return out
}

// arrayLit makes a literal of equal scalars a replication, and one of literals of scalars one literal in another shape. An array of one row
// is made from a copy of that row, so that reading the row is no second copy.
func (s *simplifier) arrayLit(e *core.ArrayLit) *result {
	if e.Row.IsScalar() {
		if s.stage == core.StageSOACS && len(e.Elems) > 1 && !slices.ContainsFunc(e.Elems, func(x core.Operand) bool { return x != e.Elems[0] }) {
			return replace(&core.Replicate{Shape: []core.Operand{core.Int(int64(len(e.Elems)))}, X: e.Elems[0]})
		}
		return nil
	}
	if len(e.Elems) == 1 {
		c := s.let("row", &core.Copy{Array: e.Elems[0].Var})
		return replace(&core.Reshape{Shape: append([]core.Operand{core.Int(1)}, e.Row.Shape...), Array: c.Var})
	}
	rows := make([]core.Var, len(e.Elems))
	for i, x := range e.Elems {
		rows[i] = x.Var
	}
	lit := s.oneLiteral(rows)
	if lit == nil {
		return nil
	}
	flat := s.let("lit", lit)
	return replace(&core.Reshape{Shape: append([]core.Operand{core.Int(int64(len(e.Elems)))}, e.Row.Shape...), Array: flat.Var})
}
