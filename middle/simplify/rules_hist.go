package simplify

import (
	"slices"

	"skald/middle/core"
)

func (s *simplifier) hist(e *core.Hist) *result {
	if arrays, l := s.inputs(e.Arrays, e.Bucket); l != e.Bucket {
		return replace(&core.Hist{Size: e.Size, Arrays: arrays, Ops: e.Ops, Bucket: l})
	}
	return constantNeutrals(e)
}

// constantNeutrals puts in operators on integers the neutral elements that they have for all values, where a program computes one that is
// neutral for those that it has: the length of an array, say, of which indices have the least. A histogram's results do not show it.
func constantNeutrals(e *core.Hist) *result {
	ops := slices.Clone(e.Ops)
	for i, op := range ops {
		bin, t, ok := op.Lambda.Single()
		if !ok || !t.IsInt() || op.Neutral[0].IsConst() {
			continue
		}
		if neutral, ok := bin.Neutral(t); ok {
			ops[i].Neutral = []core.Operand{core.C(neutral)}
		}
	}
	if slices.EqualFunc(ops, e.Ops, func(x, y core.HistOp) bool { return x.Neutral[0] == y.Neutral[0] }) {
		return nil
	}
	return replace(&core.Hist{Size: e.Size, Arrays: e.Arrays, Ops: ops, Bucket: e.Bucket})
}

// segHist makes one operator of two that update the same bins, of which one has several values: points then look once where their bin
// is, and one kernel combines what workgroups leave. Of operators on one value each may be an atomic operation of a device, which none on
// several is. It is done on kernels, as derivatives are of each operator and histograms whose operators choose are found by then.
func (s *simplifier) segHist(e *core.SegHist) *result {
	if s.stage != core.StageKernels {
		return nil
	}
	at := 0 // where the indices of an operator are
	for i := range len(e.Ops) - 1 {
		a, b := e.Ops[i], e.Ops[i+1]
		n := len(a.Shape)
		first, second, rest := e.Body.Res[at:at+n], e.Body.Res[at+n:], at+n+len(b.Shape)
		if slices.Equal(a.Shape, b.Shape) && slices.Equal(first, second[:n]) && joinable(a, b) {
			return replace(&core.SegHist{
				Level: e.Level, Space: e.Space, Ops: slices.Concat(e.Ops[:i], []core.HistOp{joinedOp(a, b)}, e.Ops[i+2:]),
				Body: &core.Body{Stms: e.Body.Stms, Res: slices.Concat(e.Body.Res[:at+n], e.Body.Res[rest:])},
				Ret:  slices.Concat(e.Ret[:at+n], e.Ret[rest:]),
			})
		}
		at += n
	}
	return nil
}

// joinable reports whether two operators are better one: neither can be an atomic operation with the other, and they are on scalars.
func joinable(a, b core.HistOp) bool {
	return len(a.Neutral)+len(b.Neutral) > 2 && core.OnlyScalars(a.Lambda.Ret) && core.OnlyScalars(b.Lambda.Ret)
}

// joinedOp is the operator on the values of both.
func joinedOp(a, b core.HistOp) core.HistOp {
	na, nb := len(a.Lambda.Ret), len(b.Lambda.Ret)
	f, g := a.Lambda, b.Lambda
	return core.HistOp{
		Shape: a.Shape, Dests: slices.Concat(a.Dests, b.Dests), Neutral: slices.Concat(a.Neutral, b.Neutral),
		Lambda: &core.Lambda{
			Params: slices.Concat(f.Params[:na], g.Params[:nb], f.Params[na:], g.Params[nb:]),
			Body:   &core.Body{Stms: slices.Concat(f.Body.Stms, g.Body.Stms), Res: slices.Concat(f.Body.Res, g.Body.Res)},
			Ret:    slices.Concat(f.Ret, g.Ret),
		},
	}
}
