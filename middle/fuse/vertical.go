package fuse

import (
	"slices"

	"skald/middle/core"
)

// vertical fuses producers into their consumers, as long as there is a pair for which that is possible: the first in order each time.
func (f *fuser) vertical(stms []*core.Stm, res []core.Operand) ([]*core.Stm, bool) {
	f.blocked = false
	made, uses, any := map[core.Var]int{}, f.usesIn(stms, res), false
	for j := 0; j < len(stms); j++ {
		if i, at, s := f.intoOne(made, uses, stms, j); s != nil {
			uses.add(f, stms[i], -1)
			uses.add(f, stms[j], -1)
			uses.add(f, s, 1)
			stms, any = merged(stms, i, j, at, s), true
			j = i - 1 // pairs before these are as they were
			continue
		}
		for _, p := range stms[j].Dst {
			if _, ok := stms[j].Exp.(*core.Screma); ok {
				made[p.Var] = j
			}
		}
	}
	return stms, any
}

// useCounts are how many statements and results of a body use a variable.
type useCounts map[core.Var]int

func (f *fuser) usesIn(stms []*core.Stm, res []core.Operand) useCounts {
	u := useCounts{}
	for _, s := range stms {
		u.add(f, s, 1)
	}
	for _, r := range res {
		u[r.Var]++
	}
	return u
}

// add counts n for each variable that a statement uses.
func (u useCounts) add(f *fuser, s *core.Stm, n int) {
	for _, v := range f.freeIn(s).List() {
		u[v] += n
	}
}

// besides reports whether v is used by others than some statements.
func (u useCounts) besides(f *fuser, v core.Var, stms ...*core.Stm) bool {
	n := u[v]
	for _, s := range stms {
		if f.freeIn(s).Has(v) {
			n--
		}
	}
	return n > 0
}

// intoOne fuses statement j with the first of its producers that it can be fused with: where they meet, and what they become, or nil.
func (f *fuser) intoOne(made map[core.Var]int, uses useCounts, stms []*core.Stm, j int) (i, at int, s *core.Stm) {
	for _, a := range inputs(stms[j].Exp) {
		i, ok := made[a]
		if !ok {
			continue
		}
		if s, at := f.fusePair(stms, i, j, uses); s != nil {
			return i, at, s
		}
		f.blocked = f.blocked || !f.unfusible[pair{stms[i], stms[j]}]
	}
	return 0, 0, nil
}

// inputs are the arrays that a SOAC reads element by element.
func inputs(e core.Exp) []core.Var {
	switch e := core.Match(e).(type) {
	case *core.Screma:
		return e.Arrays
	case *core.Hist:
		return e.Arrays
	default:
	}
	return nil
}

// fusePair joins producer i and consumer j; nil when that is not possible.
func (f *fuser) fusePair(stms []*core.Stm, i, j int, uses useCounts) (s *core.Stm, at int) {
	p, c := stms[i], stms[j]
	if f.unfusible[pair{p, c}] {
		return nil, 0
	}
	prod := p.Exp.(*core.Screma)
	if !f.fusible(p, prod, c) {
		f.unfusible[pair{p, c}] = true
		return nil, 0
	}
	if at = f.meet(stms, i, j); at < 0 {
		return nil, 0
	}
	keep := make([]bool, len(p.Dst))
	for k, q := range p.Dst {
		keep[k] = uses.besides(f, q.Var, p, c)
	}
	switch cons := core.Match(c.Exp).(type) {
	case *core.Screma:
		dst, exp := joinScremas(p, prod, c, cons, keep)
		return &core.Stm{Dst: dst, Exp: exp, Aux: joinAux(p, c)}, at
	case *core.Hist:
		if slices.Contains(keep, true) {
			return nil, 0
		}
		arrays, l := compose(p, prod, cons.Arrays, cons.Bucket, nil)
		exp := &core.Hist{Size: cons.Size, Arrays: arrays, Ops: cons.Ops, Bucket: l}
		return &core.Stm{Dst: c.Dst, Exp: exp, Aux: joinAux(p, c)}, at
	default:
	}
	return nil, 0
}

// mixed reports whether one of two SOACs reduces and the other scans:
// kernels do one or the other.
func mixed(a, b *core.Screma) bool {
	return len(a.Reds)+len(b.Reds) > 0 && len(a.Scans)+len(b.Scans) > 0
}

// folds reports whether one of two statements, SOACs, updates accumulators and the other one reduces or scans: kernels do one or the other.
func (*fuser) folds(ss ...*core.Stm) bool {
	updates, folds := false, false
	for _, s := range ss {
		e, ok := s.Exp.(*core.Screma)
		folds = folds || ok && len(e.Scans)+len(e.Reds) > 0
		updates = updates || slices.ContainsFunc(s.Dst, func(p core.Param) bool { return p.Type.Kind == core.KindAcc })
	}
	return updates && folds
}

func sequential(s *core.Stm) bool { return slices.Contains(s.Aux.Attrs, "sequential") }

func joinAux(p, c *core.Stm) core.Aux {
	aux := c.Aux
	aux.Certs = slices.Clone(aux.Certs)
	for _, v := range p.Aux.Certs {
		if !slices.Contains(aux.Certs, v) {
			aux.Certs = append(aux.Certs, v)
		}
	}
	return aux
}

// fusible reports whether a producer and a consumer are of kinds that can be one SOAC, and the consumer uses of the producer only kept
// values, and only as inputs.
func (f *fuser) fusible(p *core.Stm, prod *core.Screma, c *core.Stm) bool {
	if prod.Post != nil || sequential(p) != sequential(c) {
		return false
	}
	switch cons := core.Match(c.Exp).(type) {
	case *core.Screma:
		if cons.Post != nil || cons.Size != prod.Size || mixed(prod, cons) || f.folds(p, c) {
			return false
		}
	case *core.Hist:
		if cons.Size != prod.Size || len(prod.Scans)+len(prod.Reds) > 0 {
			return false
		}
	default:
		return false
	}
	first := core.Width(prod.Scans) + core.Width(prod.Reds)
	for _, a := range inputs(c.Exp) {
		if k := slices.Index(core.ParamVars(p.Dst), a); k >= 0 && k < first {
			return false
		}
	}
	// What the consumer uses besides its inputs: of the producer's results it may only go on with accumulators.
	rest := core.FreeInStm(&core.Stm{Dst: c.Dst, Exp: withoutInputs(c.Exp), Aux: c.Aux})
	return !slices.ContainsFunc(p.Dst, func(q core.Param) bool { return q.Type.Kind != core.KindAcc && rest.Has(q.Var) })
}

func withoutInputs(exp core.Exp) core.Exp {
	switch e := core.Match(exp).(type) {
	case *core.Screma:
		out := *e
		out.Arrays = nil
		return &out
	case *core.Hist:
		out := *e
		out.Arrays = nil
		return &out
	default:
		return exp
	}
}

// compose puts the producer's lambda before the consumer's l, which then reads
// arrays. results turns the results of both, producer's first, into those of
// the joined lambda; when nil, they are the consumer's.
func compose(p *core.Stm, prod *core.Screma, arrays []core.Var, l *core.Lambda,
	results func(p, c []core.Operand) []core.Operand,
) ([]core.Var, *core.Lambda) {
	first := core.Width(prod.Scans) + core.Width(prod.Reds)
	outs := core.ParamVars(p.Dst)[first:]
	joined := slices.Clone(prod.Arrays)
	params := slices.Clone(prod.Map.Params)
	sub := core.Subst{}
	for k, q := range p.Dst {
		if q.Type.Kind == core.KindAcc {
			sub[q.Var] = prod.Map.Body.Res[k]
		}
	}
	for k, a := range arrays {
		switch at, again := slices.Index(outs, a), slices.Index(joined, a); {
		case at >= 0:
			sub[l.Params[k].Var] = prod.Map.Body.Res[first+at]
		case again >= 0:
			sub[l.Params[k].Var] = core.V(params[again].Var)
		default:
			joined, params = append(joined, a), append(params, l.Params[k])
		}
	}
	body := sub.Body(l.Body)
	res := body.Res
	if results != nil {
		res = results(prod.Map.Body.Res, body.Res)
	}
	out := &core.Body{Stms: slices.Concat(prod.Map.Body.Stms, body.Stms), Res: res}
	return joined, &core.Lambda{Params: params, Body: out, Ret: l.Ret}
}

// joinScremas makes one SOAC of two, of which the second may read what
// the first keeps. keep says which results of the first others need.
func joinScremas(p *core.Stm, prod *core.Screma, c *core.Stm, cons *core.Screma, keep []bool) ([]core.Param, core.Exp) {
	ps, pr := core.Width(prod.Scans), core.Width(prod.Reds)
	cs, cr := core.Width(cons.Scans), core.Width(cons.Reds)
	var kept []int // producer's results, counted from the first kept one
	for k := ps + pr; k < len(p.Dst); k++ {
		if keep[k] {
			kept = append(kept, k)
		}
	}
	arrays, l := compose(p, prod, cons.Arrays, cons.Map, func(a, b []core.Operand) []core.Operand {
		return order(a, b, ps, pr, cs, cr, kept)
	})
	l.Ret = order(prod.Map.Ret, cons.Map.Ret, ps, pr, cs, cr, kept)
	dst := slices.Concat(p.Dst[:pr], c.Dst[:cr], p.Dst[pr:pr+ps], c.Dst[cr:cr+cs])
	for _, k := range kept {
		dst = append(dst, p.Dst[k])
	}
	dst = append(dst, c.Dst[cr+cs:]...)
	return dst, &core.Screma{
		Size: cons.Size, Arrays: arrays, Map: l,
		Scans: slices.Concat(prod.Scans, cons.Scans), Reds: slices.Concat(prod.Reds, cons.Reds),
	}
}

// order returns the results of a joined lambda: scans, reductions, kept values.
func order[T any](a, b []T, ps, pr, cs, cr int, kept []int) []T {
	out := slices.Concat(a[:ps], b[:cs], a[ps:ps+pr], b[cs:cs+cr])
	for _, k := range kept {
		out = append(out, a[k])
	}
	return append(out, b[cs+cr:]...)
}

// sink moves a producer into the WithAcc whose lambda uses it. What others need of it the WithAcc returns as well.
func (f *fuser) sink(stms []*core.Stm, res []core.Operand) ([]*core.Stm, bool) {
	for j, c := range stms {
		acc, ok := c.Exp.(*core.WithAcc)
		if !ok {
			continue
		}
		for i := j - 1; i >= 0; i-- {
			p := stms[i]
			if prod, ok := p.Exp.(*core.Screma); !ok || prod.Post != nil || len(prod.Scans)+len(prod.Reds) > 0 ||
				!f.feeds(p, acc) || f.spoils(stms, j, res, p) || f.meet(stms, i, j) != j || usedAround(p, c, acc) {
				continue
			}
			keep := func(q core.Param) bool { return f.neededElsewhere(q.Var, stms, i, j, res) }
			return merged(stms, i, j, j, f.sunk(p, c, acc, keep)), true
		}
	}
	return nil, false
}

// sunk is the WithAcc of c with p in its lambda. keep says which results of p others need.
func (f *fuser) sunk(p, c *core.Stm, acc *core.WithAcc, keep func(core.Param) bool) *core.Stm {
	sub := core.Subst{}
	mine := slices.Clone(p.Dst)
	l := &core.Lambda{Params: acc.Lambda.Params, Ret: slices.Clone(acc.Lambda.Ret)}
	results, dst := slices.Clone(acc.Lambda.Body.Res), slices.Clone(c.Dst)
	for k, q := range p.Dst {
		if keep(q) {
			mine[k] = core.FreshParams(f.fun, p.Dst[k:k+1])[0]
			sub[q.Var] = core.V(mine[k].Var)
			results, dst, l.Ret = append(results, core.V(q.Var)), append(dst, q), append(l.Ret, q.Type)
		}
	}
	body := append([]*core.Stm{{Dst: mine, Exp: p.Exp, Aux: p.Aux}}, acc.Lambda.Body.Stms...)
	l.Body = sub.Body(&core.Body{Stms: body, Res: results})
	return &core.Stm{Dst: dst, Exp: &core.WithAcc{Inputs: acc.Inputs, Lambda: l}, Aux: joinAux(p, c)}
}

// spoils reports whether statement j may overwrite what p reads. What is used after an array that may share its memory was overwritten does
// not share it: that is how arrays are consumed.
func (f *fuser) spoils(stms []*core.Stm, j int, res []core.Operand, p *core.Stm) bool {
	for _, v := range f.overwritten(stms[j]).List() {
		for _, w := range f.freeIn(p).List() {
			if f.mayAlias(v, w) && !f.usedAfter(stms, j, res, w) {
				return true
			}
		}
	}
	return false
}

// usedAfter reports whether v is used after statement j.
func (f *fuser) usedAfter(stms []*core.Stm, j int, res []core.Operand, v core.Var) bool {
	return slices.ContainsFunc(stms[j+1:], func(s *core.Stm) bool { return f.freeIn(s).Has(v) }) ||
		slices.ContainsFunc(res, func(o core.Operand) bool { return o.IsVar(v) })
}

// pull moves a map that only updates accumulators into the WithAcc before it that returns, besides its arrays, what the map reads.
func (f *fuser) pull(stms []*core.Stm, res []core.Operand) ([]*core.Stm, bool) {
	for i, p := range stms {
		acc, ok := p.Exp.(*core.WithAcc)
		if !ok {
			continue
		}
		n := len(p.Dst) - len(acc.Lambda.Ret) + len(acc.Inputs) // its arrays
		for j := i + 1; j < len(stms); j++ {
			c := stms[j]
			e := onlyUpdates(c)
			if e == nil || !f.givenBy(acc, p.Dst[n:], e.Arrays) || f.uses(c, &core.Stm{Dst: p.Dst[:n]}) || f.overwritesFor(p, c) {
				continue
			}
			if at := f.meet(stms, i, j); at >= 0 {
				keep := func(q core.Param) bool { return f.neededElsewhere(q.Var, stms, i, j, res) }
				return merged(stms, i, j, at, f.pulled(p, c, acc, n, keep)), true
			}
		}
	}
	return nil, false
}

// givenBy reports whether one of arrays is among the results outs of a WithAcc, and made by a map of its lambda.
func (f *fuser) givenBy(acc *core.WithAcc, outs []core.Param, arrays []core.Var) bool {
	for k, q := range outs {
		r := acc.Lambda.Body.Res[len(acc.Inputs)+k]
		if slices.Contains(arrays, q.Var) && slices.ContainsFunc(acc.Lambda.Body.Stms, func(s *core.Stm) bool {
			_, ok := s.Exp.(*core.Screma)
			return ok && slices.ContainsFunc(s.Dst, func(d core.Param) bool { return r.IsVar(d.Var) })
		}) {
			return true
		}
	}
	return false
}

// pulled is the WithAcc of p, whose first n results are its arrays, with c in its lambda. keep says which of its results others need.
func (f *fuser) pulled(p, c *core.Stm, acc *core.WithAcc, n int, keep func(core.Param) bool) *core.Stm {
	l, ni := acc.Lambda, len(acc.Inputs)
	sub := core.Subst{}
	out := &core.Lambda{Params: l.Params, Ret: slices.Clone(l.Ret[:ni])}
	dst, results := slices.Clone(p.Dst[:n]), slices.Clone(l.Body.Res[:ni])
	for k, q := range p.Dst[n:] {
		r := l.Body.Res[ni+k]
		sub[q.Var] = r
		if keep(q) {
			dst, results, out.Ret = append(dst, q), append(results, r), append(out.Ret, l.Ret[ni+k])
		}
	}
	mine := core.FreshParams(f.fun, c.Dst)
	inner := sub.Stm(&core.Stm{Dst: mine, Exp: c.Exp, Aux: c.Aux})
	for k, q := range c.Dst {
		dst, results, out.Ret = append(dst, q), append(results, core.V(mine[k].Var)), append(out.Ret, q.Type)
	}
	out.Body = &core.Body{Stms: append(slices.Clip(l.Body.Stms), inner), Res: results}
	return &core.Stm{Dst: dst, Exp: &core.WithAcc{Inputs: acc.Inputs, Lambda: out}, Aux: joinAux(p, c)}
}

// feeds reports whether a SOAC at the outer level of a WithAcc reads
// what p makes.
func (f *fuser) feeds(p *core.Stm, acc *core.WithAcc) bool {
	return slices.ContainsFunc(acc.Lambda.Body.Stms, func(s *core.Stm) bool {
		return slices.ContainsFunc(inputs(s.Exp), func(a core.Var) bool {
			return slices.Contains(core.ParamVars(p.Dst), a)
		})
	})
}

// usedAround reports whether a WithAcc uses p otherwise than in its lambda.
func usedAround(p, c *core.Stm, acc *core.WithAcc) bool {
	inputs := core.FreeInExp(&core.WithAcc{Inputs: acc.Inputs, Lambda: &core.Lambda{Body: &core.Body{}}})
	types := &core.VarSet{}
	for _, q := range c.Dst {
		types.AddAll(core.FreeInType(q.Type))
	}
	return slices.ContainsFunc(p.Dst, func(q core.Param) bool { return inputs.Has(q.Var) || types.Has(q.Var) })
}
