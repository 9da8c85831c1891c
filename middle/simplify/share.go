package simplify

import (
	"reflect"
	"slices"

	"skald/middle/core"
	"skald/middle/core/wire"
	"skald/runtime/prim"
)

// Note [Sharing of arrays]
//
// What makes arrays, or has bodies, is computed once where the memory of neither result is overwritten anywhere. If one is, the results are
// still known to be equal, and what is computed from them is found to be the same: of two histograms of the same data, each in bins of
// its own, one remains, and so one array of bins.
//
// A map is equal to another and stays all the same, as fusion prefers to compute what it reads twice. The kernels that remain are shared.

// sketch is what is compared first of two expressions: structures are only written of those that agree in it, and then have keys of their
// own.
type sketch struct {
	kind  reflect.Type
	text  string
	whole bool // text is the structure, bodies too
}

// share looks for an expression of the same structure as that of st, before it; true if its results take the place of those of st.
func (s *simplifier) share(st *core.Stm) bool {
	if s.stage == core.StageMemory || !shareable(st) {
		return false
	}
	before, key := s.alike(st, s.sketch(st), func(st *core.Stm) *core.Stm { return st })
	if before != nil {
		return s.unite(st, before)
	}
	s.avail.note(key, st)
	return false
}

// alike looks for a statement noted before of the structure that st has, where form makes of a statement what is compared. It returns the
// key to note st under as well.
func (s *simplifier) alike(st *core.Stm, key sketch, form func(*core.Stm) *core.Stm) (*core.Stm, sketch) {
	first := s.avail.find(key)
	if first == nil {
		return nil, key
	}
	written := func(st *core.Stm) sketch {
		memo := writtenAs{st, key.kind}
		text, ok := s.structures[memo]
		if !ok {
			in := form(st)
			text = string(wire.Structure(in.Exp, in.Aux.Attrs, s.known))
			s.structures[memo] = text
		}
		return sketch{kind: key.kind, text: text, whole: true}
	}
	if k := written(first); s.avail.find(k) == nil {
		s.avail.note(k, first)
	}
	k := written(st)
	return s.avail.find(k), k
}

// writtenAs is a statement whose structure has been written for comparisons of a kind.
type writtenAs struct {
	st   *core.Stm
	kind reflect.Type
}

// unite makes the results of st those of a statement that computes the same, if they may share memory, and else notes that they are equal.
func (s *simplifier) unite(st, before *core.Stm) bool {
	overwritten := func(p core.Param) bool { return p.Type.IsArray() && s.overwritten(p.Var) }
	if !isMap(st.Exp) && !slices.ContainsFunc(st.Dst, overwritten) && !slices.ContainsFunc(before.Dst, overwritten) {
		s.changed = true
		s.substitute(st, core.Vars(core.ParamVars(before.Dst)))
		return true
	}
	for i, p := range st.Dst {
		if interchangeable(p.Type, before.Dst[i].Type) {
			s.same[p.Var] = s.known(before.Dst[i].Var)
		}
	}
	return false
}

// interchangeable reports whether what is computed from one of two equal variables has the type that the other would give it: a number
// that may be a size occurs in types, and so do the sizes of arrays.
func interchangeable(a, b core.Type) bool {
	if a.IsArray() {
		return slices.Equal(a.Shape, b.Shape)
	}
	return a.Elem != prim.I64
}

// isMap reports whether fusion may compute an expression where its results are read.
func isMap(e core.Exp) bool {
	m, ok := core.Match(e).(*core.Screma)
	return ok && len(m.Scans)+len(m.Reds) == 0
}

// known is the first variable that is known to be equal to v.
func (s *simplifier) known(v core.Var) core.Var {
	if w, ok := s.same[v]; ok {
		return w
	}
	return v
}

// shareable reports whether the results of a statement depend on its operands alone, and on nothing that it does to accumulators.
func shareable(st *core.Stm) bool {
	for _, p := range st.Dst {
		if k := p.Type.Kind; k != core.KindScalar && k != core.KindArray {
			return false
		}
	}
	switch e := st.Exp.(type) {
	case core.Scalar, core.View:
		return false // They have keys.
	case core.Memory:
		_, undefined := e.(*core.Scratch)
		return !undefined
	case core.Control, core.SOAC, core.Seg:
	}
	return true
}

// sketch writes what an expression is, its bodies apart.
func (s *simplifier) sketch(st *core.Stm) sketch {
	var out structure
	bound := map[core.Var]int64{}
	core.MapExp(st.Exp, core.Mapper{
		Bind: func(v core.Var) core.Var {
			bound[v] = -int64(len(bound)) - 1
			return v
		},
		Operand: func(o core.Operand) core.Operand {
			switch n := bound[o.Var]; {
			case n != 0:
				out = out.number(n)
			case o.Var != 0:
				out = out.number(int64(s.known(o.Var)))
			default:
				out = out.operand(o)
			}
			return o
		},
		Body: func(b *core.Body) *core.Body {
			out = out.number(int64(len(b.Stms)))
			return b
		},
		Lambda: func(l *core.Lambda) *core.Lambda {
			out = out.number(int64(len(l.Body.Stms)))
			return l
		},
	})
	return sketch{kind: reflect.TypeOf(st.Exp), text: string(out)}
}
