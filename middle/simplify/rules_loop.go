package simplify

import (
	"slices"

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
			return value(s.timesRun(e, e.Init[0], bin.Op, bin.Type, y))
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

// timesRun adds x to what a parameter begins with, or subtracts it, as often as a loop has iterations.
func (s *simplifier) timesRun(e *core.Loop, init core.Operand, op prim.BinOp, t prim.Type, x core.Operand) core.Operand {
	n := e.Bound
	from := e.Index.Type.Elem
	if from.IsSigned() {
		n = s.let("n", &core.Bin{Op: prim.Max, Type: from, X: n, Y: core.C(prim.Zero(from))})
	}
	if from != t {
		n = s.let("n", &core.Conv{From: from, To: t, X: n})
	}
	total := s.let("sum", &core.Bin{Op: prim.Mul, Type: t, X: n, Y: x})
	return s.let("sum", &core.Bin{Op: op, Type: t, X: init, Y: total})
}

// Note [Parameters that count]
//
// A parameter of a counting loop that grows by the same constant in each iteration is computed from the counter: then ranges are known of
// it (Note [Ranges]), and checks and branches that look at it may be decided. Each round of poseidon's hashes asks which of the three kinds
// it is, by a number that the rounds count.
//
//	loop (k = 4, ..) for i < 57 do (k + 1, ..)    ->    loop (..) for i < 57 do let k = i + 4 in (..)
//
// Steps other than one cost a product: they are only taken where both the bound and the beginning are constants. Sizes of arrays that the
// loop carries stay parameters beside them.

// counted takes parameters that count out of a loop: see Note [Parameters that count].
func (s *simplifier) counted(st *core.Stm, e *core.Loop) *result {
	if !e.IsFor() {
		return nil
	}
	keep, any := make([]bool, len(e.Params)), false
	body := s.Nested()
	for i, p := range e.Params {
		step, ok := s.step(e, i)
		if keep[i] = !ok; !ok {
			continue
		}
		any = true
		t := p.Type.Elem
		at := core.V(e.Index.Var)
		if from := e.Index.Type.Elem; from != t {
			at = body.Let("at", &core.Conv{From: from, To: t, X: at})
		}
		grown := body.Let("grown", &core.Bin{Op: prim.Mul, Type: t, X: at, Y: step})
		body.Add(&core.Stm{Dst: []core.Param{p}, Exp: &core.Bin{Op: prim.Add, Type: t, X: grown, Y: e.Init[i]}})
		s.stand(st.Dst[i].Var, s.timesRun(e, e.Init[i], prim.Add, t, step))
	}
	if !any {
		return nil
	}
	out := *e
	out.Params, out.Init = core.Kept(e.Params, keep), core.Kept(e.Init, keep)
	out.Body = &core.Body{Stms: append(body.Stms(), e.Body.Stms...), Res: core.Kept(e.Body.Res, keep)}
	s.stm(s.operands(&core.Stm{Dst: core.Kept(st.Dst, keep), Exp: &out, Aux: st.Aux}))
	return s.standing(st.Dst)
}

// step is the constant that a loop's i-th parameter grows by in each iteration.
func (s *simplifier) step(e *core.Loop, i int) (step core.Operand, ok bool) {
	p, r := e.Params[i], s.sub.Operand(e.Body.Res[i])
	isSize := slices.ContainsFunc(e.Params, func(q core.Param) bool {
		return slices.ContainsFunc(q.Type.Shape, func(n core.Operand) bool { return n.IsVar(p.Var) })
	})
	if !p.Type.IsScalar() || !p.Type.Elem.IsInt() || r.IsConst() || isSize {
		return step, false
	}
	for _, st := range e.Body.Stms {
		bin, isBin := st.Exp.(*core.Bin)
		if !isBin || !r.IsVar(st.Dst[0].Var) || len(st.Aux.Certs) > 0 {
			continue
		}
		if !s.sub.Operand(bin.X).IsVar(p.Var) || !bin.Y.IsConst() {
			return step, false
		}
		step = bin.Y
		switch bin.Op {
		case prim.Add:
		case prim.Sub:
			v, _ := prim.EvalBin(prim.Sub, prim.Zero(bin.Type), step.Const)
			step = core.C(v)
		default:
			return step, false
		}
		return step, step.Const.IsOne() || e.Bound.IsConst() && e.Init[i].IsConst()
	}
	return step, false
}

// Note [Equal parameters]
//
// Parameters of a loop that begin with the same and become the same in each iteration are one: the slots of arrays that change places
// (package doublebuffer), of which each of a loop's arrays has two. Which those are is found as equal states of a machine are: all
// parameters that begin alike are taken to be equal, until some are found that are set from parameters that differ.
//
//	loop (a = 0, b = 1, c = 0, d = 1) .. in (b, a, d, c)    ->    loop (a = 0, b = 1) .. in (b, a)

// equalParams makes one of scalar parameters that are always equal: see Note [Equal parameters].
func (s *simplifier) equalParams(st *core.Stm, e *core.Loop) *result {
	param := map[core.Var]int{}
	first := make([]int, len(e.Params)) // the first of the parameters that one is equal to
	for i, p := range e.Params {
		param[p.Var] = i
		if !p.Type.IsScalar() || p.Var == e.While {
			first[i] = -1 - i
		}
	}
	first = alike(first, e.Init)
	for stable := false; !stable; {
		next := make([]core.Operand, len(first))
		for i, r := range e.Body.Res {
			next[i] = s.sub.Operand(r)
			if k, ok := param[next[i].Var]; ok {
				next[i] = core.V(e.Params[first[k]].Var)
			}
		}
		before := first
		first = alike(before, next)
		stable = slices.Equal(first, before)
	}
	keep, all := make([]bool, len(first)), true
	for i, k := range first {
		keep[i] = k == i
		all = all && keep[i]
	}
	if all {
		return nil
	}
	for i, k := range first {
		if !keep[i] {
			s.stand(e.Params[i].Var, core.V(e.Params[k].Var))
			s.stand(st.Dst[i].Var, core.V(st.Dst[k].Var))
		}
	}
	out := *e
	out.Params, out.Init = core.Kept(e.Params, keep), core.Kept(e.Init, keep)
	out.Body = &core.Body{Stms: e.Body.Stms, Res: core.Kept(e.Body.Res, keep)}
	s.stm(s.operands(&core.Stm{Dst: core.Kept(st.Dst, keep), Exp: &out, Aux: st.Aux}))
	return s.standing(st.Dst)
}

// alike divides classes of parameters, each named by its first, into those that have equal operands.
func alike(first []int, os []core.Operand) []int {
	out := make([]int, len(first))
	for i := range out {
		out[i] = i
		for j := range i {
			if out[j] == j && first[j] == first[i] && os[j] == os[i] {
				out[i] = j
				break
			}
		}
	}
	return out
}
