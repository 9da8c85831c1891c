package choose

import (
	"slices"

	"skald/middle/core"
)

// Note [Values of bins]
//
// A value that is computed from its bin's number, such as i % 7 of bin i, is wanted only where the bin is one that there is. There the
// number has 32 bits, whatever type it has in the program, so arithmetic on it is that of Idx: on devices that lack 64-bit integers a
// remainder is one operation and no function of sixty, on others a third of the instructions.

// HistValues splits the statements of a histogram's body in those that run for every point, and operations on scalars that depend on the
// number of the point's bin and that nothing but the values of the only operator needs: these run where the bin is one that there is.
func HistValues(e *core.SegHist) (first, inside []*core.Stm) {
	if len(e.Ops) != 1 {
		return e.Body.Stms, nil
	}
	op := e.Ops[0]
	bins := e.Body.Res[:len(op.Shape)]
	from, needed := map[core.Var]bool{}, map[core.Var]bool{}
	need := func(v core.Var) { needed[v] = true }
	for _, b := range bins {
		if !b.IsConst() {
			from[b.Var] = true
			need(b.Var)
		}
	}
	for _, kept := range e.Body.Res[len(op.Shape)+len(op.Neutral):] {
		if !kept.IsConst() {
			need(kept.Var)
		}
	}
	depends := map[*core.Stm]bool{}
	for _, s := range e.Body.Stms {
		if _, ok := s.Exp.(core.Scalar); !ok || core.MayFail(s.Exp) {
			continue
		}
		if slices.ContainsFunc(core.FreeInExp(s.Exp).List(), func(v core.Var) bool { return from[v] }) {
			depends[s], from[s.Dst[0].Var] = true, true
		}
	}
	for _, s := range slices.Backward(e.Body.Stms) {
		if depends[s] && !needed[s.Dst[0].Var] {
			inside = append(inside, s)
			continue
		}
		first = append(first, s)
		for _, v := range core.FreeInStm(s).List() {
			need(v)
		}
	}
	slices.Reverse(first)
	slices.Reverse(inside)
	return first, inside
}
