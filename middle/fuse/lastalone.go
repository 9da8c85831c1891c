package fuse

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Last elements of scans]
//
// A scan of which the last element is all that is used is a reduction, which has the neutral element where there is no last one. So
// `length (filter p xs)` is a reduction, and so is what counts where nothing else of a filter is left (Note [Readers of filters]).

// scanned is one of the arrays that a SOAC makes by scans, with an operator on one value.
type scanned struct {
	e  *core.Screma
	op core.Operator
	k  int // which of the values that are scanned
}

// scannedIn is the scan by which a statement makes an array; nil if it makes it otherwise.
func scannedIn(s *core.Stm, v core.Var) *scanned {
	e, ok := s.Exp.(*core.Screma)
	if !ok || e.Post != nil {
		return nil
	}
	k := slices.Index(core.ParamVars(s.Dst), v) - core.Width(e.Reds)
	first := 0
	for _, op := range e.Scans {
		if k == first && len(op.Neutral) == 1 && op.Lambda.Ret[0].IsScalar() {
			return &scanned{e, op, k}
		}
		first += len(op.Neutral)
	}
	return nil
}

// lastAlone makes one scan of which the last element is all that is used a reduction.
func (f *fuser) lastAlone(stms []*core.Stm, res []core.Operand) ([]*core.Stm, bool) {
	made := map[core.Var]int{}
	for j, c := range stms {
		if v := arrayOfLast(c); v != 0 {
			if i, ok := made[v]; ok {
				scan := scannedIn(stms[i], v)
				if scan != nil && len(scan.e.Scans) == 1 && f.isLastOf(c, scan) && !f.neededElsewhere(v, stms, i, j, res) {
					if at := f.meet(stms, i, j); at >= 0 {
						return merged(stms, i, j, at, reduction(stms[i], scan, c)), true
					}
				}
			}
		}
		for _, p := range c.Dst {
			made[p.Var] = j
		}
	}
	return nil, false
}

// arrayOfLast is the array of which a statement may read the last element, and nothing else, if there is one.
func arrayOfLast(s *core.Stm) core.Var {
	switch e := core.Match(s.Exp).(type) {
	case *core.Index:
		if len(e.Slice) == 1 && e.Slice[0].Fix {
			return e.Array
		}
	case *core.If:
		if len(s.Dst) != 1 || len(e.Then.Stms) > 0 {
			return 0
		}
		if last, ok := definition(e.Else, e.Else.Res[0]).(*core.Index); ok {
			return last.Array
		}
	default:
	}
	return 0
}

// isLastOf reports whether a statement reads the last element of a scan, or takes the neutral element where there is none.
func (f *fuser) isLastOf(s *core.Stm, scan *scanned) bool {
	switch e := core.Match(s.Exp).(type) {
	case *core.Index:
		return f.isLast(e.Slice[0].Off, scan.e.Size)
	case *core.If:
		none, ok := f.defined(e.Cond).(*core.Cmp)
		last, _ := definition(e.Else, e.Else.Res[0]).(*core.Index)
		return ok && none.Op == prim.Eq && none.X == scan.e.Size && none.Y == core.Int(0) && e.Then.Res[0] == scan.op.Neutral[0] &&
			len(last.Slice) == 1 && last.Slice[0].Fix && f.isLast(last.Slice[0].Off, scan.e.Size) && !s.Any(core.MayFail)
	default:
		return false
	}
}

// reduction is the scan of statement p as a reduction to what c reads of it.
func reduction(p *core.Stm, scan *scanned, c *core.Stm) *core.Stm {
	e := *scan.e
	nr := core.Width(e.Reds)
	e.Reds, e.Scans = append(slices.Clip(e.Reds), scan.op), nil
	l := *e.Map
	l.Body = &core.Body{Stms: l.Body.Stms, Res: rotated(l.Body.Res, nr)}
	l.Ret = rotated(l.Ret, nr)
	e.Map = &l
	return &core.Stm{Dst: slices.Concat(p.Dst[:nr], c.Dst, p.Dst[nr+1:]), Exp: &e, Aux: joinAux(c, p)}
}

// rotated is xs with the first element behind the next n.
func rotated[T any](xs []T, n int) []T { return slices.Concat(xs[1:n+1], xs[:1], xs[n+1:]) }
