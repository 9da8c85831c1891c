package sizes

import (
	"skald/frontend/source"
	"skald/frontend/types"
	"skald/runtime/prim"
)

func (s *solver) index(e *types.Index) types.Exp {
	info := e.Info
	dims := s.dims(e.Dims)
	array := s.exp(e.Array)
	info.Type, info.Ext = s.slice(s.typeOf(array), dims, exactSizes, info.At)
	return &types.Index{Info: info, Array: array, Dims: dims}
}

func (s *solver) dims(dims []types.Dim) []types.Dim {
	out := make([]types.Dim, len(dims))
	opt := func(e types.Exp) types.Exp {
		if e == nil {
			return nil
		}
		return s.exp(e)
	}
	for i, d := range dims {
		out[i] = types.Dim{Index: opt(d.Index), Start: opt(d.Start), End: opt(d.End), Stride: opt(d.Stride)}
	}
	return out
}

// Arguments of slice.
const (
	exactSizes  = true
	sizesToFind = false
)

// slice returns the type of what dims select from an array of type t. Without exact, the sizes of slices are to be
// found.
func (s *solver) slice(t types.Type, dims []types.Dim, exact bool, at source.Span) (types.Type, []*types.Symbol) {
	if len(dims) == 0 {
		return t, nil
	}
	a := types.Force(t).(*types.Array)
	rest, ext := s.slice(a.Elem, dims[1:], exact, at)
	if dims[0].Index != nil {
		return rest, ext
	}
	var d types.Size
	if exact {
		var k *types.Symbol
		d, k = s.sliceSize(a.Size, dims[0], at)
		if k != nil {
			ext = append([]*types.Symbol{k}, ext...)
		}
	} else {
		d = nameSize(s.flex("slice", "size of slice", at))
	}
	return &types.Array{Size: d, Elem: rest}, ext
}

// sliceSize returns the size of one slice of a dimension of size d, and its symbol if it is unknown.
func (s *solver) sliceSize(d types.Size, dim types.Dim, at source.Span) (types.Size, *types.Symbol) {
	unit := dim.Stride == nil || isConst(dim.Stride, 1)
	back := dim.Stride != nil && isConst(dim.Stride, -1)
	switch {
	case unit && (dim.Start == nil || isConst(dim.Start, 0)):
		if dim.End == nil {
			return d, nil
		}
		return s.bindless(types.ExpToSize(dim.End), at, dim.End)
	case unit:
		end := dim.End
		if end == nil {
			end = types.SizeToExp(d, at)
		}
		return s.bindless(minus(end, dim.Start, at), at, end, dim.Start)
	case back && dim.Start == nil && dim.End == nil:
		return d, nil
	case back && dim.Start != nil && dim.End != nil:
		return s.bindless(minus(dim.Start, dim.End, at), at, dim.Start, dim.End)
	}
	k := s.unknown("n", at)
	return nameSize(k), k
}

// bindless returns d, or an unknown size if any of the expressions that it is made of binds variables.
func (s *solver) bindless(d types.Size, at source.Span, parts ...types.Exp) (types.Size, *types.Symbol) {
	for _, p := range parts {
		if hasBinding(p) {
			s.host.Warn(at, "size-expression-bind", "A size that is an expression with binding is taken as unknown.")
			k := s.unknown("n", at)
			return nameSize(k), k
		}
	}
	return d, nil
}

func isConst(e types.Exp, n int64) bool {
	c, ok := e.(*types.Const)
	return ok && c.Value.Type() == prim.I64 && c.Value.Int() == n
}

func minus(a, b types.Exp, at source.Span) types.Size { return binary(prim.Sub, a, b, at) }

func binary(op prim.BinOp, a, b types.Exp, at source.Span) types.Size {
	return types.ExpToSize(&types.Op{
		Info: types.Info{Type: types.I64, At: at},
		Op:   types.ScalarOp{Kind: types.BinaryOp, Type: prim.I64, Bin: op},
		Args: []types.Exp{a, b},
	})
}

// rangeExp sets the size of a range of i64 whose first elements are known: it follows from its end.
func (s *solver) rangeExp(e *types.Range) types.Exp {
	info := e.Info
	out := &types.Range{Kind: e.Kind, First: s.exp(e.First)}
	if e.Second != nil {
		out.Second = s.exp(e.Second)
		s.warnEmptyRange(out)
	}
	out.Last = s.exp(e.Last)
	d, k := s.rangeSize(out, info.At)
	info.Ext = nil
	if k != nil {
		info.Ext = []*types.Symbol{k}
	}
	info.Type = &types.Array{Size: d, Elem: out.First.Base().Type}
	out.Info = info
	return out
}

func (s *solver) warnEmptyRange(e *types.Range) {
	if types.EqualExp(e.First, e.Second) {
		s.host.Warn(e.Second.Base().At, "empty-range",
			"The range begins with two identical numbers and so makes no progress.")
	}
}

func (s *solver) rangeSize(e *types.Range, at source.Span) (types.Size, *types.Symbol) {
	p, ok := types.Force(e.Last.Base().Type).(*types.Prim)
	if ok && p.Kind == prim.I64 {
		unit := e.Second == nil
		switch {
		case e.Kind == types.UpTo && isConst(e.First, 0) && (unit || isConst(e.Second, 1)):
			return s.bindless(types.ExpToSize(e.Last), at, e.Last)
		case e.Kind == types.UpTo && unit:
			return s.bindless(minus(e.Last, e.First, at), at, e.First, e.Last)
		case e.Kind == types.Inclusive && unit:
			diff := types.SizeToExp(minus(e.Last, e.First, at), at)
			one := &types.Const{Info: types.Info{Type: types.I64, At: at}, Value: prim.MakeI64(1)}
			return s.bindless(binary(prim.Add, diff, one, at), at, e.First, e.Last)
		case e.Kind == types.Inclusive && isConst(e.First, 1) && isConst(e.Second, 2):
			return s.bindless(types.ExpToSize(e.Last), at, e.Last)
		}
	}
	k := s.unknownFrom("range", at, "is the unknown length of range "+at.Text())
	return nameSize(k), k
}

func (s *solver) update(e *types.Update) types.Exp {
	info := e.Info
	src := s.exp(e.Src)
	t := s.typeOf(src)
	path := make([]types.Step, len(e.Path))
	fieldsOnly := true
	target := t
	for i, step := range e.Path {
		path[i] = step
		if step.Dims == nil {
			target = fieldType(s.norm(target), step.Field)
			continue
		}
		fieldsOnly = false
		path[i].Dims = s.dims(step.Dims)
		target, _ = s.slice(s.norm(target), path[i].Dims, sizesToFind, info.At)
	}
	value := s.exp(e.Value)
	if fieldsOnly {
		info.Type = s.updateField(t, path, s.typeOf(value))
	} else {
		s.explain(func() string { return "The new value does not fit what it replaces." }, func() {
			s.unify(value.Base().At, s.norm(target), s.typeOf(value))
		})
		info.Type = t
	}
	return &types.Update{Info: info, Src: src, Path: path, Value: value}
}

// updateField returns record type t with the field at the end of path replaced: its sizes may change.
func (s *solver) updateField(t types.Type, path []types.Step, value types.Type) types.Type {
	if len(path) == 0 {
		return value
	}
	r := types.Force(t).(*types.Record)
	fields := append([]types.Field{}, r.Fields...)
	for i := range fields {
		if fields[i].Name == path[0].Field {
			fields[i].Type = s.updateField(fields[i].Type, path[1:], value)
		}
	}
	return &types.Record{Fields: fields}
}
