package simplify

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// tableSize is the number of elements from which on an array literal in a
// kernel is better made once, in device memory.
const tableSize = 8

// hoister is a body being left. What it binds, binders know.
type hoister struct {
	kernel bool
	// counts are sizes of which all must be positive for the body to run; nil
	// when that is not what decides it.
	counts []core.Operand
}

// binders knows, by variable, the body being left that binds it.
type binders struct {
	of    []*hoister
	uses  core.Mapper // looks for a variable that asked binds
	asked *hoister
	found bool
}

func newBinders() *binders {
	w := &binders{}
	w.uses.Operand = func(o core.Operand) core.Operand {
		if int(o.Var) < len(w.of) && w.of[o.Var] == w.asked {
			w.found = true
		}
		return o
	}
	w.uses.Body = func(b *core.Body) *core.Body {
		for i := 0; i < len(b.Stms) && !w.found; i++ {
			w.uses.VisitStm(b.Stms[i])
		}
		for _, r := range b.Res {
			w.uses.Operand(r)
		}
		return b
	}
	return w
}

// bind notes that the body of h binds a variable.
func (w *binders) bind(h *hoister, v core.Var) {
	if int(v) >= len(w.of) {
		w.of = append(w.of, make([]*hoister, int(v)+1-len(w.of))...)
	}
	if v != 0 {
		w.of[v] = h
	}
}

// binds reports whether a statement depends on what the body of h binds. What the statement binds itself is bound by others.
func (w *binders) binds(h *hoister, st *core.Stm) bool {
	w.asked, w.found = h, false
	w.uses.VisitStm(st)
	return w.found
}

// bind notes that the body of h binds parameters.
func (s *simplifier) bind(h *hoister, ps ...core.Param) {
	for _, p := range ps {
		s.binders.bind(h, p.Var)
	}
}

// hoist moves statements that depend on nothing bound in a body to the code
// around it, and returns the others.
func (s *simplifier) hoist(h *hoister, stms []*core.Stm) []*core.Stm {
	var rest []*core.Stm
	for _, st := range stms {
		e, isAssert := st.Exp.(*core.Assert)
		// What depends on the body is looked at last: it takes long for statements that hold bodies, none of which is movable.
		switch {
		case len(st.Aux.Certs) > 0 || isAssert && h.counts == nil || !isAssert && !s.movable(h, st) || s.binders.binds(h, st):
			st = s.hoistBranches(h, st)
			if st = s.decideSizes(h, st); st == nil {
				continue
			}
			s.bind(h, st.Dst...)
			rest = append(rest, st)
			continue
		case isAssert:
			cond := s.orIdle(h.counts, e.Cond)
			st = &core.Stm{Dst: st.Dst, Exp: &core.Assert{Cond: cond, Msg: e.Msg}, Aux: st.Aux}
		}
		s.changed = true
		s.add(s.anywhere(h, st))
	}
	return rest
}

// hoistBranches moves scalars that depend on nothing bound in a body to the code around it, out of the branches of a statement of it.
func (s *simplifier) hoistBranches(h *hoister, st *core.Stm) *core.Stm {
	switch core.Match(st.Exp).(type) {
	case *core.If, *core.Switch:
	default:
		return st
	}
	exp := core.MapBodies(st.Exp, func(b *core.Body) *core.Body { return s.hoistBranch(h, b) })
	if exp == st.Exp {
		return st
	}
	return &core.Stm{Dst: st.Dst, Aux: st.Aux, Exp: exp}
}

func (s *simplifier) hoistBranch(h *hoister, b *core.Body) *core.Body {
	var rest []*core.Stm // as soon as they are others
	for i, in := range b.Stms {
		_, scalar := in.Exp.(core.Scalar)
		out := in
		if scalar && len(in.Aux.Certs) == 0 && s.movable(h, in) && !s.binders.binds(h, in) {
			s.changed = true
			s.add(s.anywhere(h, in))
			out = nil
		} else {
			out = s.hoistBranches(h, in)
			s.bind(h, out.Dst...)
		}
		if out != in && rest == nil {
			rest = append(make([]*core.Stm, 0, len(b.Stms)), b.Stms[:i]...)
		}
		if rest != nil && out != nil {
			rest = append(rest, out)
		}
	}
	if rest == nil {
		return b
	}
	return &core.Body{Stms: rest, Res: b.Res}
}

// orIdle is the condition that cond holds, or that some count is not positive,
// so that what is asserted does not matter.
func (s *simplifier) orIdle(counts []core.Operand, cond core.Operand) core.Operand {
	for _, n := range counts {
		if c, ok := n.ConstInt(); ok && c > 0 {
			continue
		}
		idle := s.let("idle", &core.Cmp{Op: prim.Le, Type: s.TypeOf(n).Elem, X: n, Y: core.C(prim.Zero(s.TypeOf(n).Elem))})
		cond = s.let("c", &core.Bin{Op: prim.LogOr, Type: prim.Bool, X: idle, Y: cond})
	}
	return cond
}

// folds reports whether a SOAC only reduces arrays that are never overwritten, and cannot fail: it is worth doing once.
func (s *simplifier) folds(e *core.Screma) bool {
	return len(e.Reds) > 0 && len(e.Scans) == 0 && e.Post == nil && len(e.Map.Ret) == core.Width(e.Reds) &&
		!slices.ContainsFunc(e.Map.Ret, core.Type.IsArray) && !core.Any(e.Map.Body, core.MayFail) &&
		!core.Any(e.Map.Body, func(e core.Exp) bool { return len(core.Consumes(e)) > 0 }) &&
		!slices.ContainsFunc(core.FreeInExp(e).List(), func(v core.Var) bool {
			return s.Scope.TypeOf(v).Kind == core.KindArray && s.overwritten(v)
		})
}

// movable reports whether a statement may run although the body it is in
// might not, and is worth running earlier.
func (s *simplifier) movable(h *hoister, st *core.Stm) bool {
	switch e := core.Match(st.Exp).(type) {
	case *core.Use, *core.Un, *core.Cmp, *core.Conv, *core.CallFunc:
		return st.Dst[0].Type.IsScalar()
	case *core.Bin:
		return core.NeverFails(e) || s.dividesByCount(h, e)
	case *core.Rearrange, *core.Reshape:
		return s.stage != core.StageMemory
	case *core.Iota, *core.Replicate:
		return !s.aliases.Consumed(st.Dst[0].Var)
	case *core.Screma:
		return s.folds(e) && (h.counts != nil || !reads(e))
	case *core.ArrayLit:
		return s.stage == core.StageKernels && h.kernel && len(e.Elems) >= tableSize && !s.aliases.Consumed(st.Dst[0].Var)
	case *core.If, *core.Switch, *core.Loop:
		return core.ComputesScalars(st) && (h.counts != nil || !loopsWhile(st))
	default:
	}
	return false
}

// loopsWhile reports whether a statement has a loop that may not end where its body would not run.
func loopsWhile(st *core.Stm) bool {
	return st.Any(func(e core.Exp) bool { l, ok := e.(*core.Loop); return ok && !l.IsFor() })
}

// dividesByCount reports whether an expression divides by a size that is positive where the body runs.
func (*simplifier) dividesByCount(h *hoister, exp core.Exp) bool {
	e, ok := exp.(*core.Bin)
	return ok && e.Op.CanFail(e.Type) && e.Type == prim.I64 && !e.Y.IsConst() && slices.Contains(h.counts, e.Y)
}

// reads reports whether a SOAC reads elements of arrays at computed places, which may be outside where its code would not run.
func reads(e *core.Screma) bool {
	return core.Any(e.Map.Body, func(e core.Exp) bool { _, ok := e.(*core.Index); return ok })
}

// anywhere is a movable statement as it may stand where the body does not run: there a division by a size that decides that must not
// fail, and nothing is read.
func (s *simplifier) anywhere(h *hoister, st *core.Stm) *core.Stm {
	if e, ok := st.Exp.(*core.Screma); ok && reads(e) {
		return s.unlessIdle(h, st, core.Neutrals(e.Reds))
	}
	if loopsWhile(st) {
		return s.unlessIdle(h, st, core.Zeros(st.Dst))
	}
	if !s.dividesByCount(h, st.Exp) {
		return st
	}
	e := *st.Exp.(*core.Bin)
	e.Y = s.let("d", &core.Bin{Op: prim.Max, Type: e.Type, X: core.Int(1), Y: e.Y})
	return &core.Stm{Dst: st.Dst, Exp: &e, Aux: st.Aux}
}

// unlessIdle is a statement that runs if the body does; else its results are others.
func (s *simplifier) unlessIdle(h *hoister, st *core.Stm, others []core.Operand) *core.Stm {
	idle := s.orIdle(h.counts, core.Bool(false))
	if idle == core.Bool(false) {
		return st
	}
	inner := core.FreshParams(s.Fun, st.Dst)
	runs := &core.Body{Stms: []*core.Stm{{Dst: inner, Exp: st.Exp, Aux: st.Aux}}, Res: core.Vars(core.ParamVars(inner))}
	return &core.Stm{Dst: st.Dst, Exp: &core.If{Cond: idle, Then: &core.Body{Res: others}, Else: runs}, Aux: st.Aux}
}
