package simplify

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Unrolling]
//
// A loop whose number of iterations is a constant becomes its iterations one after the other, if it has the attribute `unroll`, or if it
// only computes scalars, has no other code inside, and comes to mostInLine statements or fewer: then constants take the place of its
// counter, arrays that are indexed by it become scalars, and no more text is left than a few lines. The driver would unroll such a loop as
// well, but not see what follows. With the attribute anything is unrolled that comes to mostAsked statements or fewer; `skald build` says
// so of other loops (compiler.Program.Warnings). A derivative is taken of loops as they are written.

const (
	mostInLine = 32
	mostAsked  = 20_000
	attrUnroll = core.Attr("unroll")
)

// unroller unrolls loops of a function: see Note [Unrolling].
type unroller struct {
	fun     *core.Fun
	changed bool
}

func (u *unroller) body(b *core.Body) *core.Body {
	out := &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		switch core.Match(s.Exp).(type) {
		case *core.Derivative, *core.WithVjp:
		default:
			s = &core.Stm{Dst: s.Dst, Aux: s.Aux, Exp: core.MapBodies(s.Exp, u.body)}
		}
		if l, ok := s.Exp.(*core.Loop); ok && unrolls(s, l) {
			u.changed = true
			out.Stms = append(out.Stms, u.iterations(s, l)...)
		} else {
			out.Stms = append(out.Stms, s)
		}
	}
	return out
}

// anyUnrolls reports whether a loop in a body is to be unrolled.
func anyUnrolls(b *core.Body) bool {
	found := false
	core.Walk(b, func(s *core.Stm) bool {
		l, ok := s.Exp.(*core.Loop)
		found = found || ok && unrolls(s, l)
		return !found
	})
	return found
}

// unrolls reports whether a loop is to be unrolled.
func unrolls(s *core.Stm, l *core.Loop) bool {
	if !l.IsFor() || !l.Bound.IsConst() {
		return false
	}
	n, _ := l.Bound.ConstInt()
	size := int64(max(1, core.CountStms(l.Body)))
	if slices.Contains(s.Aux.Attrs, attrUnroll) {
		return n <= mostAsked && n*size <= mostAsked
	}
	return n <= mostInLine && n*size <= mostInLine && computesScalars(l)
}

// computesScalars reports whether a loop passes on scalars alone, and has nothing but code for scalars in it.
func computesScalars(l *core.Loop) bool {
	for _, p := range l.Params {
		if !p.Type.IsScalar() {
			return false
		}
	}
	for _, s := range l.Body.Stms {
		switch e := core.Match(s.Exp).(type) {
		case *core.Un, *core.Bin, *core.Cmp, *core.Conv, *core.CallFunc, *core.Assert:
		case *core.Index:
			if !s.Dst[0].Type.IsScalar() || len(e.Slice) == 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// iterations are the statements that do what a loop does.
func (u *unroller) iterations(s *core.Stm, l *core.Loop) []*core.Stm {
	n, _ := l.Bound.ConstInt()
	values := slices.Clone(l.Init)
	var out []*core.Stm
	for i := range n {
		sub := core.Subst{l.Index.Var: core.C(prim.Convert(l.Index.Type.Elem, core.Int(i).Const))}
		for k, p := range l.Params {
			sub[p.Var] = values[k]
		}
		b := core.NewRenamer(u.fun, u.fun, sub).Body(l.Body)
		for _, in := range b.Stms {
			in.Aux.Certs = append(slices.Clone(in.Aux.Certs), s.Aux.Certs...)
			out = append(out, in)
		}
		values = b.Res
	}
	for k, p := range s.Dst {
		out = append(out, &core.Stm{Dst: []core.Param{p}, Exp: &core.Use{X: values[k]}, Aux: s.Aux})
	}
	return out
}
