package fuse

import (
	"slices"

	"skald/middle/core"
)

// Note [Updates side by side]
//
// Two WithAccs are joined when a map in the second one reads what a map in the first one reads or makes, so that these two are fused:
// several arrays are then updated by one SOAC, and what the indices are computed from, or the indices, is read or made once. Nothing
// that one updates may the other one read.

// joinAccs joins two WithAccs, if there is such a pair: see Note [Updates side by side].
func (f *fuser) joinAccs(stms []*core.Stm, res []core.Operand) ([]*core.Stm, bool) {
	for j, c := range stms {
		second, ok := c.Exp.(*core.WithAcc)
		if !ok {
			continue
		}
		for i := j - 1; i >= 0; i-- {
			first, ok := stms[i].Exp.(*core.WithAcc)
			if !ok || !f.joinable(stms[i], first, c, second) {
				continue
			}
			order, i := f.madeBefore(stms, i, j)
			if at := f.meet(order, i, j); at >= 0 {
				keep := func(q core.Param) bool { return f.neededElsewhere(q.Var, order, i, j, res) }
				return merged(order, i, j, at, joinedAccs(order[i], first, c, second, keep)), true
			}
		}
	}
	return nil, false
}

// madeBefore moves, of the statements between i and j, those that make arrays for j and need nothing from i on before i. It returns the
// statements in that order, and where i then is.
func (f *fuser) madeBefore(stms []*core.Stm, i, j int) ([]*core.Stm, int) {
	var first, rest []*core.Stm
	for k, s := range stms[i:j] {
		needs := func(t *core.Stm) bool { return f.uses(s, t) || f.conflict(s, t) }
		if makes(s.Exp) && f.uses(stms[j], s) && !slices.ContainsFunc(stms[i:i+k], needs) {
			first = append(first, s)
		} else {
			rest = append(rest, s)
		}
	}
	return slices.Concat(stms[:i], first, rest, stms[j:]), i + len(first)
}

// makes reports whether an expression makes an array of scalars.
func makes(e core.Exp) bool {
	switch core.Match(e).(type) {
	case *core.ArrayLit, *core.Scratch, *core.Replicate, *core.Iota:
		return true
	default:
		return false
	}
}

// updated is how many arrays the WithAcc of s updates: its first results.
func updated(s *core.Stm, acc *core.WithAcc) int {
	return len(s.Dst) - len(acc.Lambda.Ret) + len(acc.Inputs)
}

// joinable reports whether WithAccs can be joined, and have SOACs that can be fused then.
func (f *fuser) joinable(p *core.Stm, first *core.WithAcc, c *core.Stm, second *core.WithAcc) bool {
	n := updated(p, first)
	if f.uses(c, &core.Stm{Dst: p.Dst[:n]}) || usedAround(p, c, second) || f.conflict(p, c) || sequential(p) != sequential(c) {
		return false
	}
	for _, t := range second.Lambda.Body.Stms {
		b := onlyUpdates(t)
		if b == nil {
			continue
		}
		for _, s := range first.Lambda.Body.Stms {
			a, ok := s.Exp.(*core.Screma)
			if ok && a.Size == b.Size && len(a.Scans)+len(a.Reds) == 0 && a.Post == nil &&
				(shareInput(a, b) || makesInput(first, p.Dst[n:], s, b)) {
				return true
			}
		}
	}
	return false
}

// makesInput reports whether a SOAC reads what statement s of a WithAcc makes, which outs are the results of besides arrays.
func makesInput(acc *core.WithAcc, outs []core.Param, s *core.Stm, e *core.Screma) bool {
	for k, q := range outs {
		r := acc.Lambda.Body.Res[len(acc.Inputs)+k]
		if slices.Contains(e.Arrays, q.Var) && slices.ContainsFunc(s.Dst, func(d core.Param) bool { return r.IsVar(d.Var) }) {
			return true
		}
	}
	return false
}

// joinedAccs is the WithAcc of p with what the one of c does behind. keep says which results of the first, its arrays apart, others need.
func joinedAccs(p *core.Stm, first *core.WithAcc, c *core.Stm, second *core.WithAcc, keep func(core.Param) bool) *core.Stm {
	a, b := first.Lambda, second.Lambda
	na, nb := len(first.Inputs), len(second.Inputs)
	n, m := updated(p, first), updated(c, second)
	sub := core.Subst{}
	for k, q := range p.Dst[n:] {
		sub[q.Var] = a.Body.Res[na+k]
	}
	behind := sub.Body(b.Body)
	out := &core.Lambda{Params: slices.Concat(a.Params, b.Params), Ret: slices.Concat(a.Ret[:na], b.Ret[:nb])}
	dst, results := slices.Concat(p.Dst[:n], c.Dst[:m]), slices.Concat(a.Body.Res[:na], behind.Res[:nb])
	for k, q := range p.Dst[n:] {
		if keep(q) {
			dst, results, out.Ret = append(dst, q), append(results, a.Body.Res[na+k]), append(out.Ret, a.Ret[na+k])
		}
	}
	dst, results, out.Ret = append(dst, c.Dst[m:]...), append(results, behind.Res[nb:]...), append(out.Ret, b.Ret[nb:]...)
	out.Body = &core.Body{Stms: slices.Concat(a.Body.Stms, behind.Stms), Res: results}
	return &core.Stm{
		Dst: dst, Exp: &core.WithAcc{Inputs: slices.Concat(first.Inputs, second.Inputs), Lambda: out}, Aux: joinAux(p, c),
	}
}
