package simplify

import (
	"slices"

	"skald/middle/core"
)

// Note [Unused parts of operators]
//
// What a loop passes on is needed if something behind the loop is, or what another needed part of an iteration depends on. So that is asked
// result by result, through the branches and SOACs of an iteration (loops inside of loops count as a whole): a loop over pairs of which
// one component is read computes only that one. An operator on several values that a reduction or scan uses keeps only those that a used
// one depends on, and a WithAcc the accumulators of which an array is used.

// needsDepth is how many statements inside of each other are asked so: what is needed of an operator is found by going through it until
// nothing changes, so the time grows with each level.
const needsDepth = 3

// usedBy adds to used what a statement uses that some of its results need; it does nothing but return these. complete says that
// this is all that it mentions.
func (w *sweeper) usedBy(s *core.Stm, used *core.VarSet) (complete bool) {
	keep := make([]bool, len(s.Dst))
	for i, p := range s.Dst {
		keep[i] = used.Has(p.Var)
	}
	if !slices.Contains(keep, false) || w.depth == needsDepth {
		used.AddFree(s)
		return true
	}
	w.depth++
	defer func() { w.depth-- }()
	for i, p := range s.Dst {
		if keep[i] {
			used.AddAll(core.FreeInType(p.Type))
		}
	}
	for _, c := range s.Aux.Certs {
		used.Add(c)
	}
	switch e := core.Match(s.Exp).(type) {
	case *core.If:
		used.Add(e.Cond.Var)
		used.AddAll(w.usedFor(e.Then, core.Kept(e.Then.Res, keep)))
		used.AddAll(w.usedFor(e.Else, core.Kept(e.Else.Res, keep)))
	case *core.Switch:
		used.Add(e.On.Var)
		for _, b := range e.Bodies() {
			used.AddAll(w.usedFor(b, core.Kept(b.Res, keep)))
		}
	case *core.Screma:
		if e.Post != nil {
			used.AddFree(s)
			return true
		}
		w.usedByScrema(e, keep, used)
	case *core.WithAcc:
		w.usedByWithAcc(e, keep, used)
	default:
		used.AddFree(s)
		return true
	}
	return false
}

// usedByWithAcc is usedBy for a WithAcc: it uses the accumulators of which an array is kept, and those that statements use which do not
// return less.
func (w *sweeper) usedByWithAcc(e *core.WithAcc, keep []bool, used *core.VarSet) {
	inputs, rest := accumulatorsKept(e, keep)
	for more := true; more; {
		inside := w.usedFor(e.Lambda.Body, core.Kept(e.Lambda.Body.Res, slices.Concat(inputs, rest)))
		more = keepAccumulators(inputs, e.Lambda.Params, inside)
		used.AddAll(inside)
	}
	used.AddFree(&core.Stm{Exp: &core.WithAcc{Inputs: core.Kept(e.Inputs, inputs), Lambda: &core.Lambda{Body: &core.Body{}}}})
}

// accumulatorsKept says of which accumulators of a WithAcc an array is kept; rest is what is kept of other results.
func accumulatorsKept(e *core.WithAcc, keep []bool) (inputs, rest []bool) {
	for _, in := range e.Inputs {
		inputs = append(inputs, slices.Contains(keep[:len(in.Arrays)], true))
		keep = keep[len(in.Arrays):]
	}
	return inputs, keep
}

// keepAccumulators keeps more accumulators of a WithAcc: those that are used all the same, and one in any case. It reports whether it did.
func keepAccumulators(inputs []bool, params []core.Param, used *core.VarSet) (more bool) {
	for i, p := range params {
		if !inputs[i] && used.Has(p.Var) {
			inputs[i], more = true, true
		}
	}
	if !slices.Contains(inputs, true) {
		inputs[0], more = true, true
	}
	return more
}

func addOperands(used *core.VarSet, os []core.Operand) {
	for _, o := range os {
		used.Add(o.Var)
	}
}

// usedByScrema is usedBy for a SOAC.
func (w *sweeper) usedByScrema(e *core.Screma, keep []bool, used *core.VarSet) {
	nr, ns := core.Width(e.Reds), core.Width(e.Scans)
	mapKeep := slices.Concat(w.operatorsNeed(e.Scans, keep[nr:nr+ns]), w.operatorsNeed(e.Reds, keep[:nr]), keep[nr+ns:])
	rest := mapKeep
	for _, op := range slices.Concat(e.Scans, e.Reds) {
		part := rest[:len(op.Neutral)]
		rest = rest[len(op.Neutral):]
		addOperands(used, core.Kept(op.Neutral, part))
		used.AddAll(w.usedFor(op.Lambda.Body, core.Kept(op.Lambda.Body.Res, part)))
	}
	inside := w.usedFor(e.Map.Body, core.Kept(e.Map.Body.Res, mapKeep))
	used.AddAll(inside)
	for i, p := range e.Map.Params {
		if inside.Has(p.Var) {
			used.Add(e.Arrays[i])
		}
	}
	used.Add(e.Size.Var)
}

// operatorsNeed is what is needed of the values that operators combine, if some are.
func (w *sweeper) operatorsNeed(ops []core.Operator, keep []bool) []bool {
	out := slices.Clone(keep)
	part := out
	for _, op := range ops {
		w.operatorNeeds(op, part[:len(op.Neutral)])
		part = part[len(op.Neutral):]
	}
	return out
}

// operatorNeeds adds to what is needed of the values that an operator combines those that they depend on.
func (w *sweeper) operatorNeeds(op core.Operator, keep []bool) {
	n := len(op.Neutral)
	for range n {
		before := slices.Clone(keep)
		used := w.usedFor(op.Lambda.Body, core.Kept(op.Lambda.Body.Res, keep))
		for i, p := range op.Lambda.Params {
			if used.Has(p.Var) {
				keep[i%n] = true
			}
			if keep[i%n] {
				for j, q := range op.Lambda.Params {
					if core.FreeInType(p.Type).Has(q.Var) {
						keep[j%n] = true
					}
				}
			}
		}
		if slices.Equal(before, keep) {
			return
		}
	}
}

// operatorWithout is an operator on some of its values.
func operatorWithout(op core.Operator, keep []bool) core.Operator {
	if !slices.Contains(keep, false) {
		return op
	}
	l := op.Lambda
	out := op
	out.Neutral = core.Kept(op.Neutral, keep)
	out.Lambda = &core.Lambda{
		Params: core.Kept(l.Params, slices.Concat(keep, keep)), Ret: core.Kept(l.Ret, keep),
		Body: &core.Body{Stms: l.Body.Stms, Res: core.Kept(l.Body.Res, keep)},
	}
	return out
}
