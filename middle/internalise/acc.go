package internalise

import (
	"skald/frontend/types"
	"skald/middle/core"
)

// Note [Accumulators]
//
// The type of an accumulator in core IR names the parameter of the WithAcc that it descends from, which its source type does not. So a
// function that takes accumulators has no core function: it is translated again at each call, where its argument is known. Elsewhere the
// accumulator in scope (scope.acc) is the one that is meant.

// isAcc reports whether t is the type of accumulators.
func isAcc(t *types.Con) bool { return t.Con.Name == "acc" && t.Con.Repr == nil }

// takesAcc reports whether a parameter of d has an accumulator in it.
func takesAcc(d *types.Def) bool {
	for _, p := range d.Params {
		for _, c := range components(p.Pat.Base().Type) {
			if c.acc {
				return true
			}
		}
	}
	return false
}

// inlined translates a call by the body of the function, with its parameters bound to the arguments.
func (s *scope) inlined(d *types.Def, e *types.Apply) []core.Operand {
	if d.Recursive {
		s.ctx.Limit(e.At, "a recursive function cannot take an accumulator")
	}
	in := s.nest()
	for i, p := range d.Params {
		xs := s.exp(e.Args[i])
		in.bindSizes(p.Sizes, p.Pat.Base().Type, xs)
		in.bind(p.Pat, xs)
	}
	return in.exp(d.Body)
}

// accWrite translates an update of an accumulator: arguments are the accumulator, the index and the value.
func (s *scope) accWrite(e *types.Builtin) []core.Operand {
	acc := s.exp(e.Args[0])[0]
	index := s.exp(e.Args[1])
	values := s.exp(e.Args[2])
	return s.b.LetN("acc", &core.UpdateAcc{Acc: acc.Var, Index: index, Values: values})
}

// stream translates scatter_stream and hist_stream: a map over an array whose function writes to an accumulator of the destination.
func (s *scope) stream(e *types.Builtin) []core.Operand {
	n := len(e.Args)
	dests := s.exp(e.Args[0])
	xs := s.exp(e.Args[n-1])
	size := s.outerSize(xs)
	arrays := s.withOuter(size, xs)
	input := core.AccInput{Shape: s.b.TypeOf(dests[0]).Shape[:1], Arrays: core.VarsOf(dests)}
	if e.Fn == types.HistStream {
		op := s.operator(e.Args[1], s.exp(e.Args[2]), s.b.Rows(input.Arrays), commutes)
		input.Op, input.Neutral = op.Lambda, op.Neutral
	}
	lam := e.Args[n-2].(*types.Lambda)
	return s.withAcc(input, func(in *scope, acc core.Operand) core.Operand {
		write := in.b.Lambda("x", in.b.Rows(arrays), []core.Type{in.acc}, func(b *core.Builder, ps []core.Operand) []core.Operand {
			body := in.in(b).nest()
			body.bind(lam.Params[0].Pat, []core.Operand{acc})
			body.bindSizes(lam.Params[1].Sizes, lam.Params[1].Pat.Base().Type, ps)
			body.bind(lam.Params[1].Pat, ps)
			return body.exp(lam.Body)
		})
		return in.b.Let("acc", &core.Screma{Size: size, Arrays: arrays, Map: write})
	})
}

// withAcc makes an accumulator of input for what f makes, which is the accumulator after all updates.
func (s *scope) withAcc(input core.AccInput, f func(in *scope, acc core.Operand) core.Operand) []core.Operand {
	acc := s.b.Param("acc", core.Type{})
	acc.Type = core.AccType(acc.Var)
	s.b.Scope.Bind(acc)
	lam := s.b.LambdaOf([]core.Param{acc}, []core.Type{acc.Type}, func(b *core.Builder, _ []core.Operand) []core.Operand {
		in := s.in(b)
		in.acc = acc.Type
		return []core.Operand{f(in, core.V(acc.Var))}
	})
	return s.b.LetN("x", &core.WithAcc{Inputs: []core.AccInput{input}, Lambda: lam})
}
