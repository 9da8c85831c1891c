package sizes

import "skald/frontend/types"

// zipSizes applies f to the sizes at the same places of a and b, which are equal up to sizes, and returns a with the
// results.
func zipSizes(a, b types.Type, f func(x, y types.Size) types.Size) types.Type {
	a, b = types.Force(a), types.Force(b)
	switch a := a.(type) {
	case *types.Array:
		if b, ok := b.(*types.Array); ok {
			return &types.Array{Unique: a.Unique, Size: f(a.Size, b.Size), Elem: zipSizes(a.Elem, b.Elem, f)}
		}
	case *types.Record:
		if b, ok := b.(*types.Record); ok && len(a.Fields) == len(b.Fields) {
			fields := make([]types.Field, len(a.Fields))
			for i := range fields {
				fields[i] = types.Field{Name: a.Fields[i].Name, Type: zipSizes(a.Fields[i].Type, b.Fields[i].Type, f)}
			}
			return &types.Record{Fields: fields}
		}
	case *types.Sum:
		if b, ok := b.(*types.Sum); ok && len(a.Ctors) == len(b.Ctors) {
			ctors := make([]types.Ctor, len(a.Ctors))
			for i, c := range a.Ctors {
				args := make([]types.Type, len(c.Args))
				for j := range args {
					args[j] = zipSizes(c.Args[j], b.Ctors[i].Args[j], f)
				}
				ctors[i] = types.Ctor{Name: c.Name, Args: args}
			}
			return &types.Sum{Ctors: ctors}
		}
	case *types.Arrow:
		if b, ok := b.(*types.Arrow); ok {
			param := zipSizes(a.Param, b.Param, f)
			return &types.Arrow{
				Name: a.Name, Param: param,
				Ret: types.RetType{Ext: a.Ret.Ext, Type: zipSizes(a.Ret.Type, b.Ret.Type, f)},
			}
		}
	case *types.Con:
		if b, ok := b.(*types.Con); ok && len(a.Args) == len(b.Args) {
			return &types.Con{Unique: a.Unique, Con: a.Con, Args: zipArgs(a.Args, b.Args, f)}
		}
	default:
	}
	return a
}

func zipArgs(as, bs []types.TypeArg, f func(x, y types.Size) types.Size) []types.TypeArg {
	out := make([]types.TypeArg, len(as))
	for i, a := range as {
		if a.Size != nil {
			out[i].Size = f(a.Size, bs[i].Size)
		} else {
			out[i].Type = zipSizes(a.Type, bs[i].Type, f)
		}
	}
	return out
}
