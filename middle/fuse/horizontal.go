package fuse

import (
	"slices"

	"skald/middle/core"
)

// horizontal joins two SOACs side by side, if there is such a pair.
func (f *fuser) horizontal(stms []*core.Stm, _ []core.Operand) ([]*core.Stm, bool) {
	var r related
	for j, c := range stms {
		for _, i := range r.sharing(c) {
			p := stms[i]
			if f.notBeside[pair{p, c}] {
				continue
			}
			s := f.beside(p, c)
			if s == nil {
				f.notBeside[pair{p, c}] = true
			} else if at := f.meet(stms, i, j); at >= 0 {
				return merged(stms, i, j, at, s), true
			}
		}
		r.add(c)
	}
	return nil, false
}

// beside joins two SOACs on one array if they are of one size and do not
// depend on each other; nil when they are not such.
func (f *fuser) beside(p, c *core.Stm) *core.Stm {
	if f.uses(c, p) || f.conflict(p, c) || f.folds(p, c) || sequential(p) != sequential(c) {
		return nil
	}
	switch a := core.Match(p.Exp).(type) {
	case *core.Screma:
		b, ok := c.Exp.(*core.Screma)
		if !ok || a.Size != b.Size || a.Post != nil || b.Post != nil || mixed(a, b) {
			return nil
		}
		keep := make([]bool, len(p.Dst))
		for k := range keep {
			keep[k] = true
		}
		dst, exp := joinScremas(p, a, c, b, keep)
		return &core.Stm{Dst: dst, Exp: exp, Aux: joinAux(p, c)}
	case *core.Hist:
		b, ok := c.Exp.(*core.Hist)
		if !ok || a.Size != b.Size || ofArrays(a) != ofArrays(b) || elected(a) != elected(b) {
			return nil
		}
		return &core.Stm{Dst: slices.Concat(p.Dst, c.Dst), Exp: joinHists(a, b), Aux: joinAux(p, c)}
	default:
	}
	return nil
}

func shareInput(a, b core.Exp) bool {
	return slices.ContainsFunc(inputs(a), func(v core.Var) bool { return slices.Contains(inputs(b), v) })
}

// joinHists makes one histogram of two over the same elements.
func joinHists(a, b *core.Hist) core.Exp {
	arrays := slices.Clone(a.Arrays)
	params := slices.Clone(a.Bucket.Params)
	sub := core.Subst{}
	for k, x := range b.Arrays {
		if at := slices.Index(arrays, x); at >= 0 {
			sub[b.Bucket.Params[k].Var] = core.V(params[at].Var)
			continue
		}
		arrays, params = append(arrays, x), append(params, b.Bucket.Params[k])
	}
	body := sub.Body(b.Bucket.Body)
	na, nb := indices(a), indices(b)
	return &core.Hist{
		Size: a.Size, Arrays: arrays, Ops: slices.Concat(a.Ops, b.Ops),
		Bucket: &core.Lambda{
			Params: params,
			Body: &core.Body{
				Stms: slices.Concat(a.Bucket.Body.Stms, body.Stms),
				Res:  indicesFirst(a.Bucket.Body.Res, body.Res, na, nb),
			},
			Ret: indicesFirst(a.Bucket.Ret, b.Bucket.Ret, na, nb),
		},
	}
}

// ofArrays reports whether a histogram has arrays in its bins: their elements are points of its kernels, and numbers would be once for
// each.
func ofArrays(h *core.Hist) bool {
	return slices.ContainsFunc(h.Ops, func(op core.HistOp) bool {
		return slices.ContainsFunc(op.Lambda.Ret, core.Type.IsArray)
	})
}

// elected reports whether devices may keep one number for each bin of a histogram (package elect), which they do where all its operators
// return one of their operands.
func elected(h *core.Hist) bool { return core.ChooseSeveral(h.Ops) }

func indices(h *core.Hist) int {
	n := 0
	for _, op := range h.Ops {
		n += len(op.Shape)
	}
	return n
}

func indicesFirst[T any](a, b []T, na, nb int) []T {
	return slices.Concat(a[:na], b[:nb], a[na:], b[nb:])
}
