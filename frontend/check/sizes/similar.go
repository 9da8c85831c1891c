package sizes

import "skald/frontend/types"

// similar takes two size expressions with the same operation at the top apart into their parts, which then have to be
// equal one by one.
func (s *solver) similar(a, b types.Size) ([][2]types.Size, bool) {
	x, okX := a.(*types.SizeExp)
	y, okY := b.(*types.SizeExp)
	if !okX || !okY {
		return nil, false
	}
	switch x := x.Exp.(type) {
	case *types.Op:
		if y, ok := y.Exp.(*types.Op); ok && x.Op == y.Op {
			return pairs(x.Args, y.Args)
		}
	case *types.Apply:
		if y, ok := y.Exp.(*types.Apply); ok {
			return pairs(append([]types.Exp{x.Fun}, x.Args...), append([]types.Exp{y.Fun}, y.Args...))
		}
	case *types.Project:
		if y, ok := y.Exp.(*types.Project); ok && x.Field == y.Field {
			return pairs([]types.Exp{x.Exp}, []types.Exp{y.Exp})
		}
	case *types.Index:
		if y, ok := y.Exp.(*types.Index); ok && plainDims(x.Dims) && plainDims(y.Dims) {
			return pairs(indexParts(x), indexParts(y))
		}
	case *types.Ref:
		// The same polymorphic function, at size arguments that may still have to be made equal.
		if y, ok := y.Exp.(*types.Ref); ok && x.Sym == y.Sym && len(x.Args) == len(y.Args) {
			return argPairs(x.Args, y.Args), true
		}
	default:
	}
	return nil, false
}

func plainDims(dims []types.Dim) bool {
	for _, d := range dims {
		if d.Index == nil {
			return false
		}
	}
	return true
}

func indexParts(e *types.Index) []types.Exp {
	parts := []types.Exp{e.Array}
	for _, d := range e.Dims {
		parts = append(parts, d.Index)
	}
	return parts
}

func pairs(as, bs []types.Exp) ([][2]types.Size, bool) {
	if len(as) != len(bs) {
		return nil, false
	}
	out := make([][2]types.Size, len(as))
	for i := range as {
		out[i] = [2]types.Size{types.ExpToSize(as[i]), types.ExpToSize(bs[i])}
	}
	return out, true
}

func argPairs(as, bs []types.TypeArg) [][2]types.Size {
	var out [][2]types.Size
	for i := range as {
		if as[i].Size != nil && bs[i].Size != nil {
			out = append(out, [2]types.Size{as[i].Size, bs[i].Size})
		}
	}
	return out
}
