package choose

import (
	"slices"

	"skald/middle/core"
)

// Note [Maps that are histograms]
//
// A map whose points do nothing but update an accumulator, once each and at indices that they read, is a histogram into the
// accumulator's arrays. Where elements get few updates in the mean no copies of bins pay (Note [Updates at indices that were read] of
// package flatten), but all points may have one index. Such a map has the form of histograms that looks whether bins are contended
// (Note [Contended bins] of package lower). Indices that scalar code computes from the points' numbers meet in no such way.

// HistOf is a map of the grid with a result as the histogram that it is, of points of no segments; in is the accumulator.
func HistOf(e *core.SegMap, in core.AccInput) (*core.SegHist, bool) {
	at := slices.IndexFunc(e.Body.Stms, func(s *core.Stm) bool { _, ok := s.Exp.(*core.UpdateAcc); return ok })
	if at < 0 || in.Op == nil || e.Level != core.LevelGrid || e.Space.Slot != 0 || len(e.Space.Ids) == 0 || len(e.Body.Res) != 1 {
		return nil, false
	}
	s, up := e.Body.Stms[at], e.Body.Stms[at].Exp.(*core.UpdateAcc)
	stms := slices.Concat(e.Body.Stms[:at], e.Body.Stms[at+1:])
	if len(s.Aux.Certs) > 0 || !e.Body.Res[0].IsVar(s.Dst[0].Var) || !straight(&core.Body{Stms: stms}) || !readsIndex(stms, up.Index) {
		return nil, false
	}
	return &core.SegHist{
		Level: e.Level, Space: e.Space,
		Ops:  []core.HistOp{{Shape: in.Shape, Dests: in.Arrays, Neutral: in.Neutral, Lambda: in.Op}},
		Body: &core.Body{Stms: stms, Res: slices.Concat(up.Index, up.Values)},
		Ret:  slices.Concat(slices.Repeat([]core.Type{core.I64}, len(up.Index)), in.Op.Ret),
	}, true
}

// readsIndex reports whether statements read an array to compute an index.
func readsIndex(stms []*core.Stm, index []core.Operand) bool {
	vars := &core.VarSet{}
	for _, i := range index {
		if !i.IsConst() {
			vars.Add(i.Var)
		}
	}
	return slices.ContainsFunc(core.Needed(stms, vars), func(s *core.Stm) bool { return len(core.Reads(s.Exp)) > 0 })
}

// updatesOf are the forms of a map that is a histogram which looks whether bins are contended.
func (c *chooser) updatesOf(s *core.Stm, e *core.SegMap) []core.Form {
	h, ok := c.histOf(s, e)
	if !ok || c.oneThread || c.Tasks > 0 {
		return nil
	}
	forms := c.contended(h)
	for i := range forms {
		forms[i].When = all(atMost(chainMost), core.Compare(core.MeasureInside, core.Above, updatePoints))
	}
	return forms
}

// histOf is a map as the histogram that it is.
func (c *chooser) histOf(s *core.Stm, e *core.SegMap) (*core.SegHist, bool) {
	if len(s.Dst) != 1 || s.Dst[0].Type.Kind != core.KindAcc {
		return nil, false
	}
	in := c.accs[s.Dst[0].Type.Acc]
	if len(in.Arrays) > 1 {
		return nil, false
	}
	return HistOf(e, in)
}
