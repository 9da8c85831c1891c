package internalise

import (
	"skald/frontend/types"
	"skald/middle/core"
	"skald/runtime/prim"
)

// The flat intrinsics see an array of one dimension as one of several: element i, j, ... of what they read or write is at
// offset + i*s1 + j*s2 + ... They become nests of maps that read there, or write there through an accumulator.

// places are the places that a flat intrinsic visits.
type places struct {
	offset         core.Operand
	sizes, strides []core.Operand
	certs          []core.Var
}

// flatIndex translates flat_index: arguments are the array, the offset, and for each dimension a size and a stride.
func (s *scope) flatIndex(e *types.Builtin) []core.Operand {
	arrays := s.exp(e.Args[0])
	p := places{offset: s.scalar(e.Args[1])}
	for i := 2; i < len(e.Args); i += 2 {
		p.sizes = append(p.sizes, s.scalar(e.Args[i]))
		p.strides = append(p.strides, s.scalar(e.Args[i+1]))
	}
	p.check(s, s.outerSize(arrays))
	return s.gather(p, core.VarsOf(arrays))
}

// gather reads the elements of arrays at the places, as arrays with the places' shape.
func (s *scope) gather(p places, arrays []core.Var) []core.Operand {
	if len(p.sizes) == 0 {
		out := make([]core.Operand, len(arrays))
		s.checked(p.certs, func() {
			for i, a := range arrays {
				out[i] = s.b.Index("x", a, p.offset)
			}
		})
		return out
	}
	rows := s.b.Rows(arrays)
	for i, t := range rows {
		rows[i] = core.ArrayOf(t, p.sizes[1:]...)
	}
	n := p.sizes[0]
	is := s.counter(p)
	lam := s.b.Lambda("i", []core.Type{core.I64}, rows, func(b *core.Builder, ps []core.Operand) []core.Operand {
		in := s.in(b)
		return in.gather(p.inner(in, ps[0]), arrays)
	})
	return s.b.LetN("x", &core.Screma{Size: n, Arrays: []core.Var{is}, Map: lam})
}

// flatUpdate translates flat_update: arguments are the array, the offset, a stride for each dimension, and the values, whose shape
// returns the sizes.
func (s *scope) flatUpdate(e *types.Builtin) []core.Operand {
	last := len(e.Args) - 1
	dests := s.exp(e.Args[0])
	p := places{offset: s.scalar(e.Args[1])}
	for i := 2; i < last; i++ {
		p.strides = append(p.strides, s.scalar(e.Args[i]))
	}
	values := s.exp(e.Args[last])
	p.sizes = s.b.TypeOf(values[0]).Shape[:len(p.strides)]
	p.check(s, s.outerSize(dests))
	input := core.AccInput{Shape: s.b.TypeOf(dests[0]).Shape[:1], Arrays: core.VarsOf(dests)}
	var out []core.Operand
	s.checked(p.certs, func() {
		out = s.withAcc(input, func(in *scope, acc core.Operand) core.Operand { return in.spread(p, acc, values, dests) })
	})
	return out
}

// spread writes values, arrays with the places' shape, to an accumulator of dests.
func (s *scope) spread(p places, acc core.Operand, values, dests []core.Operand) core.Operand {
	if len(p.sizes) == 0 {
		values = s.fitDests(values, dests, 1)
		return s.b.Let("acc", &core.UpdateAcc{Acc: acc.Var, Index: []core.Operand{p.offset}, Values: values})
	}
	arrays := append([]core.Var{s.counter(p)}, s.withOuter(p.sizes[0], values)...)
	write := s.b.Lambda("x", s.b.Rows(arrays), []core.Type{s.acc}, func(b *core.Builder, ps []core.Operand) []core.Operand {
		in := s.in(b)
		return []core.Operand{in.spread(p.inner(in, ps[0]), acc, ps[1:], dests)}
	})
	return s.b.Let("acc", &core.Screma{Size: p.sizes[0], Arrays: arrays, Map: write})
}

// counter makes the array of the outermost indices.
func (s *scope) counter(p places) core.Var {
	var is core.Var
	s.checked(p.certs, func() {
		is = s.b.LetVar("iota", &core.Iota{Type: prim.I64, N: p.sizes[0], Start: core.Int(0), Step: core.Int(1)})
	})
	return is
}

// inner are the places with outermost index i.
func (p places) inner(s *scope, i core.Operand) places {
	offset := s.b.Add64(p.offset, s.b.Mul64(i, p.strides[0]))
	return places{offset: offset, sizes: p.sizes[1:], strides: p.strides[1:], certs: p.certs}
}

// check asserts that the places lie in an array of n elements: sizes are not negative, and, unless one is zero, neither the first place
// nor the last one is outside.
func (p *places) check(s *scope, n core.Operand) {
	zero := core.Int(0)
	nonNegative, empty := core.Bool(true), core.Bool(false)
	low, high := p.offset, p.offset
	msg := []core.MsgPart{core.Text("Flat slice from "), core.Value(p.offset)}
	for i, size := range p.sizes {
		nonNegative = s.and(nonNegative, s.b.Cmp(prim.Ge, size, zero))
		empty = s.b.Bin(prim.LogOr, empty, s.b.Cmp(prim.Eq, size, zero))
		extent := s.b.Mul64(s.b.Sub64(size, core.Int(1)), p.strides[i])
		low = s.b.Add64(low, s.b.Bin(prim.Min, extent, zero))
		high = s.b.Add64(high, s.b.Bin(prim.Max, extent, zero))
		msg = append(msg, core.Text(", "), core.Value(size), core.Text(" by "), core.Value(p.strides[i]))
	}
	inside := s.and(s.b.Cmp(prim.Ge, low, zero), s.b.Cmp(prim.Lt, high, n))
	ok := s.and(nonNegative, s.b.Bin(prim.LogOr, empty, inside))
	msg = append(msg, core.Text(", is out of bounds for array of shape ["), core.Value(n), core.Text("]."))
	p.certs = s.check(ok, msg...)
}
