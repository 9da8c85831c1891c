package internalise

import (
	"skald/frontend/types"
	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Flatmap]
//
// `flatmap f as` lays arrays of different sizes one behind the other. Core IR has no arrays of arrays of different sizes, so the function
// is run twice: once for the sizes, whose sums say where each segment begins, and once for the data, which each run writes to its
// segment through an accumulator.

// flatMap translates flatmap, whose function returns a segment and a rest. Its results are the sizes of the segments, a flag at each
// element that is the first of its segment, where the segments begin, the data, and the rests. See Note [Flatmap].
func (s *scope) flatMap(e *types.Builtin) []core.Operand {
	lam := e.Args[0].(*types.Lambda)
	xs := s.exp(e.Args[1])
	s.at(e.At)
	n := s.outerSize(xs)
	arrays := s.withOuter(n, xs)
	result := types.Force(lam.Ret.Type).(*types.Record)
	segment := types.Force(result.Field("0")).(*types.Array)
	width := width(segment)

	// The sizes and the rests.
	first := append([]core.Type{core.I64}, s.coreTypes(result.Field("1"))...)
	measure := s.lambdaOf(lam, s.rows(arrays), first, func(in *scope, _, ys []core.Operand) []core.Operand {
		return append([]core.Operand{in.outerSize(ys)}, in.ensureAll(ys[width:], first[1:])...)
	})
	measured := s.b.LetN("size", &core.Screma{Size: n, Arrays: arrays, Map: measure})
	sizes, rests := measured[0], measured[1:]

	starts, total := s.offsets(n, sizes.Var)
	flags := s.flagStarts(n, sizes, starts, total)

	// The data.
	var dests []core.Var
	rows := s.coreTypes(segment.Elem)
	for _, row := range rows {
		dests = append(dests, s.zero(core.ArrayOf(row, total)).Var)
	}
	input := core.AccInput{Shape: []core.Operand{total}, Arrays: dests}
	inputs := append([]core.Var{starts.Var}, arrays...)
	data := s.withAcc(input, func(out *scope, acc core.Operand) core.Operand {
		fill := out.lambdaOf(lam, out.rows(inputs), []core.Type{out.acc}, func(in *scope, extra, ys []core.Operand) []core.Operand {
			p := places{offset: extra[0], sizes: []core.Operand{in.outerSize(ys)}, strides: []core.Operand{core.Int(1)}}
			return []core.Operand{in.spread(p, acc, ys[:width], core.Vars(dests))}
		})
		return out.b.Let("acc", &core.Screma{Size: n, Arrays: inputs, Map: fill})
	})
	return append(append([]core.Operand{sizes, flags, starts}, data...), rests...)
}

// lambdaOf makes a lambda of a source function: of its parameters, those that are more than the function takes come first. finish gets
// these and the components of the function's result, and returns the results.
func (s *scope) lambdaOf(lam *types.Lambda, params, ret []core.Type,
	finish func(in *scope, extra, ys []core.Operand) []core.Operand,
) *core.Lambda {
	t := lam.Params[0].Pat.Base().Type
	return s.b.Lambda("x", params, ret, func(b *core.Builder, ps []core.Operand) []core.Operand {
		in := s.in(b).nest()
		extra, args := ps[:len(ps)-width(t)], ps[len(ps)-width(t):]
		in.bindSizes(lam.Params[0].Sizes, t, args)
		in.bind(lam.Params[0].Pat, args)
		return finish(in, extra, in.exp(lam.Body))
	})
}

// offsets returns the sums of all sizes before each, and the sum of all.
func (s *scope) offsets(n core.Operand, sizes core.Var) (starts, total core.Operand) {
	ints := []core.Type{core.I64, core.I64}
	add := s.b.Lambda("x", ints, ints[:1], func(b *core.Builder, ps []core.Operand) []core.Operand {
		return []core.Operand{b.Bin(prim.Add, ps[0], ps[1])}
	})
	ends := s.b.LetVar("end", &core.Screma{
		Size: n, Arrays: []core.Var{sizes}, Map: s.b.Identity(ints[:1]),
		Scans: []core.Operator{{Lambda: add, Neutral: []core.Operand{core.Int(0)}}},
	})
	before := s.b.Lambda("x", ints, ints[:1], func(b *core.Builder, ps []core.Operand) []core.Operand {
		return []core.Operand{b.Bin(prim.Sub, ps[0], ps[1])}
	})
	starts = s.b.Let("start", &core.Screma{Size: n, Arrays: []core.Var{ends, sizes}, Map: before})
	total = s.b.If("total", s.b.Cmp(prim.Eq, n, core.Int(0)), ints[:1],
		func(*core.Builder) []core.Operand { return []core.Operand{core.Int(0)} },
		func(b *core.Builder) []core.Operand {
			return []core.Operand{b.Index("total", ends, b.Sub64(n, core.Int(1)))}
		})[0]
	return starts, total
}

// flagStarts makes an array that is true at the first element of each segment that has any.
func (s *scope) flagStarts(n, sizes, starts, total core.Operand) core.Operand {
	flags := s.zero(core.ArrayOf(core.BoolType, total))
	arrays := []core.Var{sizes.Var, starts.Var}
	input := core.AccInput{Shape: []core.Operand{total}, Arrays: []core.Var{flags.Var}}
	return s.withAcc(input, func(in *scope, acc core.Operand) core.Operand {
		mark := in.b.Lambda("x", in.rows(arrays), []core.Type{in.acc}, func(b *core.Builder, ps []core.Operand) []core.Operand {
			place := in.in(b).choose(b.Cmp(prim.Gt, ps[0], core.Int(0)), ps[1], core.Int(-1))
			update := &core.UpdateAcc{Acc: acc.Var, Index: []core.Operand{place}, Values: []core.Operand{core.Bool(true)}}
			return []core.Operand{b.Let("acc", update)}
		})
		return in.b.Let("acc", &core.Screma{Size: n, Arrays: arrays, Map: mark})
	})[0]
}
