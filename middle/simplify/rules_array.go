package simplify

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// whole reports whether a slice takes all of an array of type t.
func whole(sl core.Slice, t core.Type) bool {
	return slices.Equal(sl, core.FullSlice(t))
}

// fixed returns the indices of a slice that fixes each dimension.
func fixed(sl core.Slice) ([]core.Operand, bool) {
	is := make([]core.Operand, len(sl))
	for d, dim := range sl {
		if !dim.Fix {
			return nil, false
		}
		is[d] = dim.Off
	}
	return is, true
}

func (s *simplifier) index(st *core.Stm, e *core.Index) *result {
	if whole(e.Slice, s.Scope.TypeOf(e.Array)) {
		return value(core.V(e.Array))
	}
	is, scalar := fixed(e.Slice)
	switch in := core.Match(s.def(core.V(e.Array))).(type) {
	case *core.Iota:
		if scalar {
			return value(s.iotaElement(in, is[0]))
		}
	case *core.Replicate:
		return s.indexReplicate(e, in)
	case *core.ArrayLit:
		n, ok := e.Slice[0].Off.ConstInt()
		if len(in.Elems) == 1 {
			n, ok = 0, true // No other index is in range.
		}
		if ok && e.Slice[0].Fix && n >= 0 && int(n) < len(in.Elems) && !s.overwritten(e.Array) {
			return s.part(in.Elems[n], e.Slice[1:])
		}
	case *core.Concat:
		if r := s.indexConcat(e, in); r != nil {
			return r
		}
		return s.indexParts(e, in, is, scalar)
	case *core.Update:
		return s.updated(e, in)
	case *core.Index:
		return replace(&core.Index{Array: in.Array, Slice: s.compose(in.Slice, e.Slice)})
	case *core.Rearrange:
		if scalar {
			sl := make(core.Slice, len(e.Slice))
			for i, p := range in.Perm {
				sl[p] = e.Slice[i]
			}
			return replace(&core.Index{Array: in.Array, Slice: sl})
		}
	case *core.Reshape:
		if s.unitReshape(in) && e.Slice[0].Fix {
			return replace(&core.Index{Array: in.Array, Slice: e.Slice[1:]})
		}
		if r := s.indexReplicated(st, in, is, scalar); r != nil {
			return r
		}
		return s.indexReshape(in, is, scalar)
	case *core.Screma:
		return s.indexMap(st, e, in, is)
	default:
	}
	return nil
}

// indexConcat reads an element of a concatenation from the part that it is known to lie in.
func (s *simplifier) indexConcat(e *core.Index, in *core.Concat) *result {
	if !e.Slice[0].Fix || s.overwritten(e.Array) {
		return nil
	}
	at := e.Slice[0].Off
	for _, a := range in.Arrays {
		n := s.Scope.TypeOf(a).Shape[0]
		if s.isBelow(at, n, prim.I64) {
			sl := slices.Clone(e.Slice)
			sl[0] = core.Fix(at)
			return replace(&core.Index{Array: a, Slice: sl})
		}
		if !s.compares(&core.Cmp{Op: prim.Ge, Type: prim.I64, X: at, Y: n}) {
			return nil
		}
		b := s.Nested()
		at = b.Sub64(at, n)
		for _, st := range b.Stms() {
			s.add(st)
		}
	}
	return nil
}

// unitReshape reports whether a reshape puts a dimension of size 1 in front.
func (s *simplifier) unitReshape(e *core.Reshape) bool {
	return len(e.Shape) > 1 && e.Shape[0] == core.Int(1) && slices.Equal(e.Shape[1:], s.Scope.TypeOf(e.Array).Shape)
}

// part selects of a value that an array holds a copy of. That is a copy too,
// or nothing, when the value may be overwritten after the array was made.
func (s *simplifier) part(x core.Operand, sl core.Slice) *result {
	switch {
	case len(sl) == 0:
		return value(x)
	case s.overwritten(x.Var):
		is, scalar := fixed(sl)
		if in, ok := s.def(x).(*core.Iota); ok && scalar {
			return value(s.iotaElement(in, is[0]))
		}
		return nil
	case whole(sl, s.Scope.TypeOf(x.Var)):
		return replace(&core.Copy{Array: x.Var})
	}
	return replace(&core.Index{Array: x.Var, Slice: sl})
}

// indexReplicate reads the element that an array is filled with, or fills a row of the array.
func (s *simplifier) indexReplicate(e *core.Index, in *core.Replicate) *result {
	rank := len(in.Shape)
	first := slices.IndexFunc(e.Slice[:rank], func(d core.Dim) bool { return !d.Fix })
	switch {
	case first < 0:
		return s.part(in.X, e.Slice[rank:])
	case first > 0 && whole(e.Slice[first:], s.Scope.TypeOf(e.Array).Row(first)):
		return replace(&core.Replicate{Shape: in.Shape[first:], X: in.X})
	}
	return nil
}

// overwritten reports whether the elements of an array may change after it
// was made.
func (s *simplifier) overwritten(v core.Var) bool { return s.aliases.Consumed(v) }

func (s *simplifier) iotaElement(e *core.Iota, i core.Operand) core.Operand {
	in := s.Nested()
	x := in.Conv(i, e.Type)
	if !e.Step.IsConst() || !e.Step.Const.IsOne() {
		x = in.Bin(prim.Mul, x, e.Step)
	}
	if !e.Start.IsConst() || !e.Start.Const.IsZero() {
		x = in.Bin(prim.Add, e.Start, x)
	}
	for _, st := range in.Stms() {
		s.add(st)
	}
	return x
}

// compose returns the slice of the underlying array that outer selects of inner.
func (s *simplifier) compose(inner, outer core.Slice) core.Slice {
	in := s.Nested()
	sl := in.Compose(inner, outer)
	for _, st := range in.Stms() {
		s.add(st)
	}
	return sl
}

// indexReshape reads an element through a reshape of an array of one
// dimension.
func (s *simplifier) indexReshape(e *core.Reshape, is []core.Operand, scalar bool) *result {
	if !scalar || s.Scope.TypeOf(e.Array).Rank() != 1 {
		return nil
	}
	in := s.Nested()
	flat := core.Int(0)
	for d, i := range is {
		flat = in.Add64(in.Mul64(flat, e.Shape[d]), i)
	}
	for _, st := range in.Stms() {
		s.add(st)
	}
	return replace(&core.Index{Array: e.Array, Slice: core.Slice{core.Fix(flat)}})
}

func (s *simplifier) rearrange(e *core.Rearrange) *result {
	if slices.IsSorted(e.Perm) {
		return value(core.V(e.Array))
	}
	if in, ok := s.def(core.V(e.Array)).(*core.Rearrange); ok {
		perm := make([]int, len(e.Perm))
		for i, p := range e.Perm {
			perm[i] = in.Perm[p]
		}
		return replace(&core.Rearrange{Perm: perm, Array: in.Array})
	}
	return nil
}

func (s *simplifier) reshape(e *core.Reshape) *result {
	if slices.Equal(e.Shape, s.Scope.TypeOf(e.Array).Shape) {
		return value(core.V(e.Array))
	}
	if in, ok := s.def(core.V(e.Array)).(*core.Reshape); ok {
		return replace(&core.Reshape{Shape: e.Shape, Array: in.Array})
	}
	if in, ok := s.def(core.V(e.Array)).(*core.Replicate); ok && in.X.IsConst() && !s.overwritten(e.Array) {
		return replace(&core.Replicate{Shape: e.Shape, X: in.X})
	}
	if in, ok := s.def(core.V(e.Array)).(*core.Concat); ok && s.once(e.Array) != nil && !slices.ContainsFunc(in.Arrays, s.overwritten) &&
		slices.Equal(e.Shape[1:], s.Scope.TypeOf(e.Array).Shape[1:]) {
		return relying(&core.Concat{Size: e.Shape[0], Arrays: in.Arrays}, s.once(e.Array)) // the same size by another name
	}
	return nil
}

// replicate fills an array with a number, where its rows are arrays filled with it. The rows of a reshaped array are repeated before they
// are reshaped, which what follows may do in one step. A number that is repeated once is a literal.
func (s *simplifier) replicate(st *core.Stm, e *core.Replicate) *result {
	if in, ok := s.def(e.X).(*core.Reshape); ok && s.stage == core.StageSOACS && !s.overwritten(in.Array) && !s.overwritten(e.X.Var) {
		b := s.Nested()
		b.Certs = st.Aux.Certs
		rows := b.Let("rows", &core.Replicate{Shape: e.Shape, X: core.V(in.Array)})
		s.add(b.Stms()[0])
		return relying(&core.Reshape{Shape: slices.Concat(e.Shape, in.Shape), Array: rows.Var}, s.defs[e.X.Var])
	}
	if s.stage == core.StageSOACS && e.X.Var != 0 && s.TypeOf(e.X).IsScalar() && slices.Equal(e.Shape, []core.Operand{core.Int(1)}) {
		return replace(&core.ArrayLit{Row: s.TypeOf(e.X), Elems: []core.Operand{e.X}})
	}
	if in, ok := s.def(e.X).(*core.ArrayLit); ok && len(in.Elems) == 1 && in.Row.IsScalar() && !s.overwritten(e.X.Var) {
		return replace(&core.Replicate{Shape: slices.Concat(e.Shape, []core.Operand{core.Int(1)}), X: in.Elems[0]})
	}
	in, ok := s.def(e.X).(*core.Replicate)
	if !ok || in.X.Var != 0 && !s.Scope.TypeOf(in.X.Var).IsScalar() || s.overwritten(e.X.Var) {
		return nil
	}
	return replace(&core.Replicate{Shape: slices.Concat(e.Shape, in.Shape), X: in.X})
}

// copy does not copy when neither the original nor the copy is overwritten, as far as the copy goes: Note [Copies of a body].
func (s *simplifier) copy(st *core.Stm, e *core.Copy) *result {
	if s.needless[st.Dst[0].Var] || !s.overwritten(e.Array) && !s.overwritten(st.Dst[0].Var) {
		return value(core.V(e.Array))
	}
	return nil
}
