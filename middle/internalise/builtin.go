package internalise

import (
	"fmt"

	"skald/frontend/types"
	"skald/middle/core"
	"skald/runtime/prim"
)

// builtin translates a use of an intrinsic.
func (s *scope) builtin(e *types.Builtin) []core.Operand {
	switch e.Fn {
	case types.NoIntrinsic:
	case types.Map:
		return s.mapOver(e)
	case types.Reduce, types.ReduceComm:
		return s.reduce(e, e.Fn == types.ReduceComm)
	case types.Scan:
		return s.scan(e)
	case types.Hist1D:
		return s.hist(e, 1)
	case types.Hist2D:
		return s.hist(e, 2)
	case types.Hist3D:
		return s.hist(e, 3)
	case types.Scatter1D:
		return s.scatter(e, 1)
	case types.Scatter2D:
		return s.scatter(e, 2)
	case types.Scatter3D:
		return s.scatter(e, 3)
	case types.AccWrite:
		return s.accWrite(e)
	case types.ScatterStream, types.HistStream:
		return s.stream(e)
	case types.FlatMap:
		return s.flatMap(e)
	case types.Zip:
		return append(s.exp(e.Args[0]), s.exp(e.Args[1])...)
	case types.Unzip:
		return s.exp(e.Args[0])
	case types.Concat:
		return s.concat(e)
	case types.Flatten:
		return s.flatten(e)
	case types.Unflatten:
		return s.unflatten(e)
	case types.Transpose:
		return s.transpose(e)
	case types.Manifest:
		return s.manifest(e)
	case types.Replicate:
		return s.replicate(e)
	case types.JVP, types.VJP, types.JMP, types.MJP:
		return s.derivative(e, e.Fn == types.VJP || e.Fn == types.MJP, e.Fn == types.JMP || e.Fn == types.MJP)
	case types.WithVJP:
		return s.withVjp(e)
	case types.FlatIndex2D, types.FlatIndex3D, types.FlatIndex4D:
		return s.flatIndex(e)
	case types.FlatUpdate2D, types.FlatUpdate3D, types.FlatUpdate4D:
		return s.flatUpdate(e)
	}
	panic(fmt.Sprintf("internalise: intrinsic %d", e.Fn))
}

func (s *scope) flatten(e *types.Builtin) []core.Operand {
	return s.each(e, func(x core.Operand, t core.Type) core.Exp {
		outer := s.b.Mul64(t.Shape[0], t.Shape[1])
		return &core.Reshape{Shape: append([]core.Operand{outer}, t.Shape[2:]...), Array: x.Var}
	})
}

func (s *scope) transpose(e *types.Builtin) []core.Operand {
	return s.each(e, func(x core.Operand, t core.Type) core.Exp {
		return &core.Rearrange{Perm: core.Transposition(t.Rank()), Array: x.Var}
	})
}

func (s *scope) manifest(e *types.Builtin) []core.Operand {
	return s.each(e, func(x core.Operand, t core.Type) core.Exp {
		if !t.IsArray() {
			return &core.Use{X: x}
		}
		return &core.Copy{Array: x.Var}
	})
}

// each applies an expression to each component of the last argument.
func (s *scope) each(e *types.Builtin, f func(core.Operand, core.Type) core.Exp) []core.Operand {
	xs := s.exp(e.Args[len(e.Args)-1])
	out := make([]core.Operand, len(xs))
	for i, x := range xs {
		out[i] = s.b.Let("x", f(x, s.b.TypeOf(x)))
	}
	return out
}

// unflatten splits the outer dimension; the sizes are those of the result's type.
func (s *scope) unflatten(e *types.Builtin) []core.Operand {
	outer := types.Force(e.Type).(*types.Array)
	n, m := s.size(outer.Size), s.size(types.Force(outer.Elem).(*types.Array).Size)
	xs := s.exp(e.Args[len(e.Args)-1])
	out := make([]core.Operand, len(xs))
	for i, x := range xs {
		t := s.b.TypeOf(x)
		have, shape := t.Shape[0], append([]core.Operand{n, m}, t.Shape[1:]...)
		ok := s.b.Cmp(prim.Eq, s.b.Mul64(n, m), have)
		ok = s.and(s.and(ok, s.b.Cmp(prim.Ge, n, core.Int(0))), s.b.Cmp(prim.Ge, m, core.Int(0)))
		msg := append([]core.MsgPart{core.Text("Cannot unflatten array of shape ["), core.Value(have), core.Text("] to shape ")},
			shapeText(shape[:2])...)
		s.checked(s.check(ok, msg...), func() {
			out[i] = s.b.Let("x", &core.Reshape{Shape: shape, Array: x.Var})
		})
	}
	return out
}

func (s *scope) concat(e *types.Builtin) []core.Operand {
	xs, ys := s.exp(e.Args[0]), s.exp(e.Args[1])
	out := make([]core.Operand, len(xs))
	for i, x := range xs {
		tx := s.b.TypeOf(x)
		ty := s.b.TypeOf(ys[i])
		n, m := tx.Shape[0], ty.Shape[0]
		y := s.ensure(ys[i], tx.WithShape(append([]core.Operand{m}, tx.Shape[1:]...)))
		out[i] = s.b.Let("x", &core.Concat{Size: s.b.Add64(n, m), Arrays: []core.Var{x.Var, y.Var}})
	}
	return out
}

func (s *scope) replicate(e *types.Builtin) []core.Operand {
	n := s.scalar(e.Args[0])
	xs := s.exp(e.Args[1])
	ok := s.b.Cmp(prim.Ge, n, core.Int(0))
	certs := s.check(ok, core.Text("Cannot make an array of "), core.Value(n), core.Text(" elements."))
	out := make([]core.Operand, len(xs))
	s.checked(certs, func() {
		for i, x := range xs {
			out[i] = s.b.Let("x", &core.Replicate{Shape: []core.Operand{n}, X: x})
		}
	})
	return out
}

// outerSize is the outer size of an array with components xs.
func (s *scope) outerSize(xs []core.Operand) core.Operand { return s.b.TypeOf(xs[0]).Shape[0] }

// withOuter makes the outer size of all arrays the same operand.
func (s *scope) withOuter(n core.Operand, xs []core.Operand) []core.Var {
	out := make([]core.Var, len(xs))
	for i, x := range xs {
		t := s.b.TypeOf(x)
		out[i] = s.ensure(x, t.WithShape(append([]core.Operand{n}, t.Shape[1:]...))).Var
	}
	return out
}

// function translates a function argument into a lambda from parameters of the given core types. Sizes that its patterns
// bind are found from those.
func (s *scope) function(arg types.Exp, params []core.Type) *core.Lambda {
	lam, ok := arg.(*types.Lambda)
	if !ok {
		s.ctx.Bug(arg.Base().At, "a function argument that is no lambda: %T", arg)
	}
	ret := s.coreTypes(lam.Ret.Type)
	return s.b.Lambda("x", params, ret, func(b *core.Builder, ps []core.Operand) []core.Operand {
		in := s.in(b).nest()
		for _, p := range lam.Params {
			t := p.Pat.Base().Type
			n := width(t)
			in.rename(patName(p.Pat), ps[:n])
			in.bindSizes(p.Sizes, t, ps[:n])
			in.bind(p.Pat, ps[:n])
			ps = ps[n:]
		}
		return in.ensureAll(in.exp(lam.Body), ret)
	})
}

func (s *scope) mapOver(e *types.Builtin) []core.Operand {
	xs := s.exp(e.Args[1])
	n := s.outerSize(xs)
	arrays := s.withOuter(n, xs)
	f := s.function(e.Args[0], s.b.Rows(arrays))
	return s.b.LetN("x", &core.Screma{Size: n, Arrays: arrays, Map: f})
}

// Whether an operator commutes.
const commutes, ordered = true, false

// operator translates a binary operator and its neutral element, for values of the given types.
func (s *scope) operator(fun types.Exp, neutral []core.Operand, ts []core.Type, commutative bool) core.Operator {
	both := append(append([]core.Type(nil), ts...), ts...)
	return core.Operator{
		Lambda: s.function(fun, both), Neutral: s.ensureAll(neutral, ts), Commutative: commutative,
	}
}

// reduce translates a reduction. An operator that is a single commutative primitive is marked as such by the simplifier, not here.
func (s *scope) reduce(e *types.Builtin, commutative bool) []core.Operand {
	return s.combine(e, func(sc *core.Screma, op core.Operator) {
		op.Commutative = commutative
		sc.Reds = []core.Operator{op}
	})
}

func (s *scope) scan(e *types.Builtin) []core.Operand {
	return s.combine(e, func(sc *core.Screma, op core.Operator) { sc.Scans = []core.Operator{op} })
}

// combine is what reduce and scan share: arguments are the operator, the neutral element and the array.
func (s *scope) combine(e *types.Builtin, set func(*core.Screma, core.Operator)) []core.Operand {
	neutral := s.exp(e.Args[1])
	xs := s.exp(e.Args[2])
	n := s.outerSize(xs)
	arrays := s.withOuter(n, xs)
	ts := s.b.Rows(arrays)
	op := s.operator(e.Args[0], neutral, ts, ordered)
	sc := &core.Screma{Size: n, Arrays: arrays, Map: s.b.Identity(ts)}
	set(sc, op)
	return s.b.LetN("r", sc)
}

// hist translates a generalised histogram with rank indices an element: arguments are a hint, the destination, the operator, the
// neutral element, the indices and the values.
func (s *scope) hist(e *types.Builtin, rank int) []core.Operand {
	dests := s.exp(e.Args[1])
	neutral := s.exp(e.Args[3])
	indices := s.exp(e.Args[4])
	values := s.exp(e.Args[5])
	n := s.outerSize(indices)
	arrays := s.withOuter(n, append(append([]core.Operand(nil), indices...), values...))
	op := core.HistOp{Dests: core.VarsOf(dests)}
	op.Shape = s.b.TypeOf(dests[0]).Shape[:rank]
	ts := make([]core.Type, len(dests))
	for i, d := range dests {
		ts[i] = s.b.TypeOf(d).Row(rank)
	}
	combine := s.operator(e.Args[2], neutral, ts, commutes)
	op.Lambda, op.Neutral = combine.Lambda, combine.Neutral
	h := &core.Hist{Size: n, Arrays: arrays, Ops: []core.HistOp{op}, Bucket: s.b.Identity(s.b.Rows(arrays))}
	return s.b.LetN("r", h)
}

// scatter translates a scatter with rank indices an element: a map over indices and values that writes to an accumulator.
func (s *scope) scatter(e *types.Builtin, rank int) []core.Operand {
	dests := s.exp(e.Args[0])
	indices := s.exp(e.Args[1])
	values := s.exp(e.Args[2])
	n := s.outerSize(indices)
	arrays := s.withOuter(n, append(append([]core.Operand(nil), indices...), values...))
	input := core.AccInput{Shape: s.b.TypeOf(dests[0]).Shape[:rank], Arrays: core.VarsOf(dests)}
	return s.withAcc(input, func(in *scope, acc core.Operand) core.Operand {
		write := in.b.Lambda("x", in.b.Rows(arrays), []core.Type{in.acc}, func(b *core.Builder, ps []core.Operand) []core.Operand {
			update := &core.UpdateAcc{Acc: acc.Var, Index: ps[:rank], Values: in.in(b).fitDests(ps[rank:], dests, rank)}
			return []core.Operand{b.Let("acc", update)}
		})
		return in.b.Let("acc", &core.Screma{Size: n, Arrays: arrays, Map: write})
	})
}

// fitDests converts values to the types of the elements of the destinations that they are written to.
func (s *scope) fitDests(values, dests []core.Operand, rank int) []core.Operand {
	out := make([]core.Operand, len(values))
	for i, v := range values {
		out[i] = s.ensure(v, s.b.TypeOf(dests[i]).Row(rank))
	}
	return out
}
