package simplify

import (
	"skald/middle/core"
	"skald/runtime/prim"
)

// closedLoop computes a counting loop over one scalar without going through it, if an iteration does nothing but return a value that is
// the same in each, or combine such a value with the last one: n times x for a sum of integers, one application for minima, maxima and
// the like. nil for other loops.
func (s *simplifier) closedLoop(st *core.Stm, e *core.Loop) *result {
	if !e.IsFor() || len(e.Params) != 1 || !e.Params[0].Type.IsScalar() || len(e.Body.Stms) > 1 || len(st.Aux.Certs) > 0 {
		return nil
	}
	p, r := e.Params[0].Var, s.sub.Operand(e.Body.Res[0])
	changes := func(o core.Operand) bool { return o.IsVar(p) || o.IsVar(e.Index.Var) }
	if len(e.Body.Stms) == 0 {
		if changes(r) {
			return nil
		}
		return value(s.ifRuns(st, e, r))
	}
	in := e.Body.Stms[0]
	bin, ok := in.Exp.(*core.Bin)
	if !ok || !r.IsVar(in.Dst[0].Var) || len(in.Aux.Certs) > 0 {
		return nil
	}
	x, y := s.sub.Operand(bin.X), s.sub.Operand(bin.Y)
	if y.IsVar(p) && bin.Op.Commutative(bin.Type) {
		x, y = y, x
	}
	if !x.IsVar(p) || changes(y) {
		return nil
	}
	switch bin.Op {
	case prim.Add, prim.Sub:
		if bin.Type.IsInt() {
			return s.timesRun(e, bin.Op, bin.Type, y)
		}
	case prim.Min, prim.Max, prim.And, prim.Or, prim.LogAnd, prim.LogOr:
		once := s.let("once", &core.Bin{Op: bin.Op, Type: bin.Type, X: e.Init[0], Y: y})
		return value(s.ifRuns(st, e, once))
	default:
	}
	return nil
}

// ifRuns is r if a loop has an iteration, and else what it begins with.
func (s *simplifier) ifRuns(st *core.Stm, e *core.Loop, r core.Operand) core.Operand {
	t := e.Index.Type.Elem
	some := s.let("some", &core.Cmp{Op: prim.Lt, Type: t, X: core.C(prim.Zero(t)), Y: e.Bound})
	choice := &core.If{Cond: some, Then: &core.Body{Res: []core.Operand{r}}, Else: &core.Body{Res: e.Init[:1]}}
	dst := core.Param{Var: s.Fun.Fresh("x"), Type: st.Dst[0].Type}
	s.stm(&core.Stm{Dst: []core.Param{dst}, Exp: choice, Aux: core.Aux{Where: st.Aux.Where}})
	return s.sub.Operand(core.V(dst.Var))
}

// timesRun adds x, or subtracts it, as often as a loop has iterations.
func (s *simplifier) timesRun(e *core.Loop, op prim.BinOp, t prim.Type, x core.Operand) *result {
	n := e.Bound
	from := e.Index.Type.Elem
	if from.IsSigned() {
		n = s.let("n", &core.Bin{Op: prim.Max, Type: from, X: n, Y: core.C(prim.Zero(from))})
	}
	if from != t {
		n = s.let("n", &core.Conv{From: from, To: t, X: n})
	}
	total := s.let("sum", &core.Bin{Op: prim.Mul, Type: t, X: n, Y: x})
	return value(s.let("sum", &core.Bin{Op: op, Type: t, X: e.Init[0], Y: total}))
}
