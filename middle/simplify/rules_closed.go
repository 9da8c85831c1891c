package simplify

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// closedForms computes reductions of a value that is the same everywhere without going through it: n times x for a sum of integers, x
// itself for minima, maxima and the like. The last such reduction of a SOAC is taken out of it; nil when there is none.
func (s *simplifier) closedForms(st *core.Stm, e *core.Screma) *result {
	if e.Post != nil || len(e.Reds) == 0 || len(st.Dst) == 1 && core.Any(e.Map.Body, core.MayFail) {
		return nil
	}
	ns := core.Width(e.Scans)
	bound := s.boundIn(e.Map)
	at := 0 // the first result of the reduction
	for k, op := range e.Reds {
		x := s.sub.Operand(e.Map.Body.Res[ns+at])
		if bin := combines(op); bin != nil && !bound[x.Var] {
			if sum, ok := s.repeated(bin, e.Size, x, op.Neutral[0]); ok {
				return s.withoutReduction(st, e, k, at, sum)
			}
		}
		at += len(op.Neutral)
	}
	return nil
}

// boundIn are the variables that a lambda binds, those of bodies in it apart.
func (*simplifier) boundIn(l *core.Lambda) map[core.Var]bool {
	bound := map[core.Var]bool{}
	for _, p := range l.Params {
		bound[p.Var] = true
	}
	for _, s := range l.Body.Stms {
		for _, p := range s.Dst {
			bound[p.Var] = true
		}
	}
	return bound
}

// combines is the operator of two scalars that op is, or nil.
func combines(op core.Operator) *core.Bin {
	l := op.Lambda
	if len(op.Neutral) != 1 || len(l.Body.Stms) != 1 {
		return nil
	}
	bin, ok := l.Body.Stms[0].Exp.(*core.Bin)
	if !ok || !l.Body.Res[0].IsVar(l.Body.Stms[0].Dst[0].Var) {
		return nil
	}
	x, y := l.Params[0].Var, l.Params[1].Var
	if bin.X.IsVar(x) && bin.Y.IsVar(y) || bin.X.IsVar(y) && bin.Y.IsVar(x) {
		return bin
	}
	return nil
}

// repeated is what an operator makes of n times x, and of its neutral element.
func (s *simplifier) repeated(bin *core.Bin, n, x, neutral core.Operand) (core.Operand, bool) {
	switch bin.Op {
	case prim.Add:
		if !bin.Type.IsInt() || !neutral.IsConst() || !neutral.Const.IsZero() {
			return x, false
		}
		if bin.Type != prim.I64 {
			n = s.let("n", &core.Conv{From: prim.I64, To: bin.Type, X: n})
		}
		return s.let("sum", &core.Bin{Op: prim.Mul, Type: bin.Type, X: n, Y: x}), true
	case prim.Min, prim.Max, prim.And, prim.Or, prim.LogAnd, prim.LogOr:
		some := s.let("some", &core.Cmp{Op: prim.Lt, Type: prim.I64, X: core.Int(0), Y: n})
		choice := &core.If{Cond: some, Then: &core.Body{Res: []core.Operand{x}}, Else: &core.Body{Res: []core.Operand{neutral}}}
		dst := core.Param{Var: s.Fun.Fresh("x"), Type: core.ScalarType(bin.Type)}
		s.stm(&core.Stm{Dst: []core.Param{dst}, Exp: choice})
		return s.sub.Operand(core.V(dst.Var)), true
	default:
		return x, false
	}
}

// withoutReduction is e without its reduction k, the result of which, at a place among the reductions' results, is known.
func (s *simplifier) withoutReduction(st *core.Stm, e *core.Screma, k, at int, known core.Operand) *result {
	s.sub.put(st.Dst[at].Var, known)
	ns := core.Width(e.Scans)
	out := *e
	out.Reds = slices.Delete(slices.Clone(e.Reds), k, k+1)
	out.Map = &core.Lambda{
		Params: e.Map.Params, Ret: slices.Delete(slices.Clone(e.Map.Ret), ns+at, ns+at+1),
		Body: &core.Body{Stms: e.Map.Body.Stms, Res: slices.Delete(slices.Clone(e.Map.Body.Res), ns+at, ns+at+1)},
	}
	if rest := slices.Delete(slices.Clone(st.Dst), at, at+1); len(rest) > 0 {
		s.stm(&core.Stm{Dst: rest, Exp: &out, Aux: st.Aux})
	}
	values := make([]core.Operand, len(st.Dst))
	for i, p := range st.Dst {
		values[i] = s.sub.Operand(core.V(p.Var))
	}
	return value(values...)
}
