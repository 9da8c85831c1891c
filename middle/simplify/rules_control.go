package simplify

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// splice runs the statements of a body here and returns its results.
func (s *simplifier) splice(b *core.Body) *result {
	for _, st := range b.Stms {
		s.stm(st)
	}
	return value(s.results(b)...)
}

// standing is what stands for the results of a body that is not simplified
// yet.
func (s *simplifier) results(b *core.Body) []core.Operand {
	res := make([]core.Operand, len(b.Res))
	for i, r := range b.Res {
		res[i] = s.sub.Operand(r)
	}
	return res
}

func (s *simplifier) ifRule(st *core.Stm, e *core.If) *result {
	if e.Cond.IsConst() {
		if e.Cond.Const.Bool() {
			return s.splice(e.Then)
		}
		return s.splice(e.Else)
	}
	then, els := s.results(e.Then), s.results(e.Else)
	const holds = true
	known(e.Cond, then, holds)
	known(e.Cond, els, !holds)
	if r := s.sameResults(st, e, then, els); r != nil {
		return r
	}
	if r := s.withoutBranching(st, e); r != nil {
		return r
	}
	if len(e.Then.Stms)+len(e.Else.Stms) > 0 {
		return nil
	}
	if slices.Equal(then, els) {
		return value(then...)
	}
	switch {
	case len(st.Dst) != 1:
	case st.Dst[0].Type.IsScalar() && st.Dst[0].Type.Elem.IsInt() && isOne(then[0]) && isZero(els[0]):
		return replace(&core.Conv{From: prim.Bool, To: st.Dst[0].Type.Elem, X: e.Cond})
	}
	return nil
}

// known replaces a condition among the results of a branch by its value there.
func known(cond core.Operand, res []core.Operand, value bool) {
	for i, r := range res {
		if r == cond {
			res[i] = core.C(prim.MakeBool(value))
		}
	}
}

// sameResults takes results out of a branch that are the same on both sides, or that it returns twice.
func (s *simplifier) sameResults(st *core.Stm, e *core.If, then, els []core.Operand) *result {
	if s.stage == core.StageMemory {
		return nil
	}
	keep := make([]bool, len(then))
	for i, p := range st.Dst {
		keep[i] = true
		if !p.Type.IsScalar() {
			continue
		}
		if then[i] == els[i] {
			s.sub.put(p.Var, then[i])
			keep[i] = false
			continue
		}
		for j := range i {
			if keep[j] && then[i] == then[j] && els[i] == els[j] {
				s.sub.put(p.Var, core.V(st.Dst[j].Var))
				keep[i] = false
				break
			}
		}
	}
	if !slices.Contains(keep, false) || !slices.Contains(keep, true) {
		return nil
	}
	s.stm(&core.Stm{Dst: core.Kept(st.Dst, keep), Aux: st.Aux, Exp: &core.If{
		Cond: e.Cond,
		Then: &core.Body{Stms: e.Then.Stms, Res: core.Kept(e.Then.Res, keep)},
		Else: &core.Body{Stms: e.Else.Stms, Res: core.Kept(e.Else.Res, keep)},
	}})
	return s.standing(st.Dst)
}

// standing is what stands for the results of a statement that has become one with fewer. A result may stand for another one, for which
// something else may stand by now.
func (s *simplifier) standing(dst []core.Param) *result {
	values := make([]core.Operand, len(dst))
	for i, p := range dst {
		values[i] = s.sub.Operand(core.V(p.Var))
	}
	return value(values...)
}

func isOne(o core.Operand) bool { return o.IsConst() && o.Const.IsOne() }

func isZero(o core.Operand) bool { return o.IsConst() && o.Const.IsZero() }

// mostEager is the most comparisons and logical operations of a branch's two sides that are all done instead of branching.
const mostEager = 4

// withoutBranching computes booleans, of which both sides of a branch take at most some comparisons, from the condition and both sides:
// threads that take different sides of a branch take both, and code is scheduled within basic blocks. Numbers of several digits, compared
// digit by digit, come to a chain of such branches; without them a call of poseidon (futhark-benchmarks) takes 7.0 ms instead of 7.2 on an
// H200 by WebGPU, and its kernel has 15 branches instead of 103.
func (s *simplifier) withoutBranching(st *core.Stm, e *core.If) *result {
	if slices.ContainsFunc(st.Dst, func(p core.Param) bool { return !p.Type.Same(core.BoolType) }) ||
		len(e.Then.Stms)+len(e.Else.Stms) > mostEager || !eager(e.Then) || !eager(e.Else) {
		return nil
	}
	for _, in := range slices.Concat(e.Then.Stms, e.Else.Stms) {
		s.stm(in)
	}
	res := s.results(e.Then)
	for i, y := range s.results(e.Else) {
		res[i] = s.choose(s.sub.Operand(e.Cond), res[i], y)
	}
	return value(res...)
}

// eager reports whether a body does only comparisons and logical operations.
func eager(b *core.Body) bool {
	return !slices.ContainsFunc(b.Stms, func(st *core.Stm) bool {
		if len(st.Aux.Certs) > 0 {
			return true
		}
		switch e := core.Match(st.Exp).(type) {
		case *core.Cmp:
			return false
		case *core.Un:
			return e.Op != prim.Not || e.Type != prim.Bool
		case *core.Bin:
			return e.Op != prim.LogAnd && e.Op != prim.LogOr
		default:
			return true
		}
	})
}

// choose is x where c holds, and y elsewhere.
func (s *simplifier) choose(c, x, y core.Operand) core.Operand {
	logic := func(op prim.BinOp, x, y core.Operand) core.Operand {
		return s.let("c", &core.Bin{Op: op, Type: prim.Bool, X: x, Y: y})
	}
	not := func() core.Operand { return s.let("c", &core.Un{Op: prim.Not, Type: prim.Bool, X: c}) }
	switch {
	case x == y:
		return x
	case isTrue(x) && isFalse(y):
		return c
	case isFalse(x) && isTrue(y):
		return not()
	case x == c, isTrue(x):
		return logic(prim.LogOr, c, y)
	case y == c, isFalse(y):
		return logic(prim.LogAnd, c, x)
	case isFalse(x):
		return logic(prim.LogAnd, not(), y)
	case isTrue(y):
		return logic(prim.LogOr, not(), x)
	}
	return logic(prim.LogOr, logic(prim.LogAnd, c, x), logic(prim.LogAnd, not(), y))
}

func isTrue(o core.Operand) bool { return o.IsConst() && o.Const.Bool() }

func isFalse(o core.Operand) bool { return o.IsConst() && !o.Const.Bool() }

func (s *simplifier) switchRule(_ *core.Stm, e *core.Switch) *result {
	if !e.On.IsConst() {
		return nil
	}
	for _, c := range e.Cases {
		if c.Value == e.On.Const {
			return s.splice(c.Body)
		}
	}
	return s.splice(e.Default)
}

// loopRule removes loops that do not run, unrolls those that run once,
// computes those of numbers alone, and takes parameters out that never change.
func (s *simplifier) loopRule(st *core.Stm, e *core.Loop) *result {
	if n, ok := e.Bound.ConstInt(); e.IsFor() && ok && n <= 1 {
		if n <= 0 {
			return value(e.Init...)
		}
		for i, p := range e.Params {
			s.stand(p.Var, e.Init[i])
		}
		s.sub.put(e.Index.Var, core.C(prim.Zero(e.Index.Type.Elem)))
		return s.splice(e.Body)
	}
	if r := s.constantLoop(e); r != nil {
		return r
	}
	if r := s.equalParams(st, e); r != nil {
		return r
	}
	if s.stage == core.StageMemory {
		return nil
	}
	if r := s.closedLoop(st, e); r != nil {
		return r
	}
	if l := s.elementsInPlace(e); l != nil {
		return replace(l)
	}
	if r := s.counted(st, e); r != nil {
		return r
	}
	keep := make([]bool, len(e.Params))
	for i, p := range e.Params {
		r := e.Body.Res[i]
		keep[i] = !s.stays(e.Body, r, p, e.Init[i]) || p.Var == e.While
		if r == e.Init[i] && r.Var != 0 && p.Type.IsArray() && (p.Unique || s.overwritten(r.Var)) {
			keep[i] = true
		}
	}
	if !slices.Contains(keep, false) {
		return nil
	}
	for i, p := range e.Params {
		if !keep[i] {
			s.stand(p.Var, e.Init[i])
			s.stand(st.Dst[i].Var, e.Init[i])
		}
	}
	out := *e
	out.Params, out.Init = core.Kept(e.Params, keep), core.Kept(e.Init, keep)
	out.Body = &core.Body{Stms: e.Body.Stms, Res: core.Kept(e.Body.Res, keep)}
	if len(out.Params) == 0 {
		// Nothing is computed, but the body may fail.
		out.Params, out.Init, out.Body.Res = nil, nil, nil
	}
	s.stm(s.operands(&core.Stm{Dst: core.Kept(st.Dst, keep), Exp: &out, Aux: st.Aux}))
	return s.standing(st.Dst)
}

// stays reports whether what a body returns for a parameter p of its loop, r, is always what p has or what it has in the beginning.
func (s *simplifier) stays(b *core.Body, r core.Operand, p core.Param, init core.Operand) bool {
	if r = s.sub.Operand(r); r.IsVar(p.Var) || r == init {
		return true
	}
	if !p.Type.IsScalar() {
		return false
	}
	for _, st := range b.Stms {
		k := slices.IndexFunc(st.Dst, func(d core.Param) bool { return r.IsVar(d.Var) })
		if k < 0 {
			continue
		}
		switch e := core.Match(st.Exp).(type) {
		case *core.If:
			return s.stays(e.Then, e.Then.Res[k], p, init) && s.stays(e.Else, e.Else.Res[k], p, init)
		case *core.Loop:
			inner := s.sub.Operand(e.Init[k])
			return (inner.IsVar(p.Var) || inner == init) &&
				(s.stays(e.Body, e.Body.Res[k], p, init) || e.Body.Res[k].IsVar(e.Params[k].Var))
		default:
			return false
		}
	}
	return false
}
