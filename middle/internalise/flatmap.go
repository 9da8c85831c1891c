package internalise

import (
	"skald/frontend/types"
	"skald/middle/core"
	"skald/runtime/prim"
)

// flatMap translates flatmap, whose function returns a segment and a rest. Its results are the lengths of the segments, a flag at each
// element that is the first of its segment, where the segments begin, the elements, and the rests. The function stays one body until it
// is simplified and fused: pass flatmap makes maps of it.
func (s *scope) flatMap(e *types.Builtin) []core.Operand {
	lam := e.Args[0].(*types.Lambda)
	xs := s.exp(e.Args[1])
	n := s.outerSize(xs)
	arrays := s.withOuter(n, xs)
	result := types.Force(lam.Ret.Type).(*types.Record)
	segment := types.Force(result.Field("0")).(*types.Array)
	flat := &core.FlatMap{Size: n, Arrays: arrays, Segments: width(segment)}
	for _, t := range s.b.Rows(arrays) {
		flat.Params = append(flat.Params, s.b.Param("x", t))
	}
	rows, rests := s.coreTypes(segment.Elem), s.coreTypes(result.Field("1"))
	flat.Body = s.build(func(in *scope) []core.Operand {
		ys := in.applied(lam, paramOperands(flat.Params))
		length := in.outerSize(ys)
		return append([]core.Operand{length}, in.ensureAll(ys, append(arraysOf(rows, length), rests...))...)
	})
	total, lengths := s.b.Param("total", core.I64), s.b.Param("length", core.ArrayOf(core.I64, n))
	starts := s.b.Param("start", core.ArrayOf(core.I64, n))
	dst := []core.Param{total, lengths, starts}
	for _, t := range append(arraysOf(rows, core.V(total.Var)), arraysOf(rests, n)...) {
		dst = append(dst, s.b.Param("y", t))
	}
	s.b.Bind(dst, flat)
	results := paramOperands(dst)
	flags := s.flagStarts(n, results[1], results[2], results[0])
	return append([]core.Operand{results[1], flags}, results[2:]...)
}

// arraysOf are the types of arrays of so many rows.
func arraysOf(rows []core.Type, n core.Operand) []core.Type {
	out := make([]core.Type, len(rows))
	for i, t := range rows {
		out[i] = core.ArrayOf(t, n)
	}
	return out
}

// flagStarts makes an array that is true at the first element of each segment that has any.
func (s *scope) flagStarts(n, sizes, starts, total core.Operand) core.Operand {
	flags := s.zero(core.ArrayOf(core.BoolType, total))
	arrays := []core.Var{sizes.Var, starts.Var}
	input := core.AccInput{Shape: []core.Operand{total}, Arrays: []core.Var{flags.Var}}
	return s.withAcc(input, func(in *scope, acc core.Operand) core.Operand {
		mark := in.b.Lambda("x", in.b.Rows(arrays), []core.Type{in.acc}, func(b *core.Builder, ps []core.Operand) []core.Operand {
			place := in.in(b).choose(b.Cmp(prim.Gt, ps[0], core.Int(0)), ps[1], core.Int(-1))
			update := &core.UpdateAcc{Acc: acc.Var, Index: []core.Operand{place}, Values: []core.Operand{core.Bool(true)}}
			return []core.Operand{b.Let("acc", update)}
		})
		return in.b.Let("acc", &core.Screma{Size: n, Arrays: arrays, Map: mark})
	})[0]
}
