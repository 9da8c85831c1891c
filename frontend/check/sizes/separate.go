package sizes

import "skald/frontend/types"

// Note [Results of one type and several sizes]
//
// When b has absorbed a size (Note [Absorbed sizes]), the two components of a result of type (b, b) are two values that need not agree in
// it, and so are the payloads of a sum. The type alone does not show it, after b has been replaced. So the result is compared with
// the type that the function was declared with: from its second occurrence on, a parameter's absorbed sizes are separate ones.

// declaredResult is the type, with its parameters in it, of what fun returns after argument i, or nil if it is not known.
func declaredResult(fun types.Exp, i int) types.Type {
	ref, ok := fun.(*types.Ref)
	if !ok || len(ref.Sym.Params) == 0 {
		return nil
	}
	t := ref.Sym.Type
	for range i + 1 {
		arrow, ok := types.Force(t).(*types.Arrow)
		if !ok {
			return nil
		}
		t = arrow.Ret.Type
	}
	return t
}

// separate makes absorbed sizes for each occurrence of a type parameter in declared, of which t is an instance.
// See Note [Results of one type and several sizes].
func (s *solver) separate(declared, t types.Type) types.Type {
	if declared == nil {
		return t
	}
	return s.separated(declared, t, map[*types.TypeParam]bool{})
}

func (s *solver) separated(declared, t types.Type, seen map[*types.TypeParam]bool) types.Type {
	t = types.Force(t)
	switch d := types.Force(declared).(type) {
	case *types.Var:
		if !seen[d.Param] {
			seen[d.Param] = true
			return t
		}
		return s.renameAbsorbed(t)
	case *types.Record:
		if t, ok := t.(*types.Record); ok && len(t.Fields) == len(d.Fields) {
			fields := make([]types.Field, len(t.Fields))
			for i, f := range t.Fields {
				fields[i] = types.Field{Name: f.Name, Type: s.separated(d.Fields[i].Type, f.Type, seen)}
			}
			return &types.Record{Fields: fields}
		}
	case *types.Sum:
		if t, ok := t.(*types.Sum); ok && len(t.Ctors) == len(d.Ctors) {
			ctors := make([]types.Ctor, len(t.Ctors))
			for i, c := range t.Ctors {
				args := make([]types.Type, len(c.Args))
				for j, a := range c.Args {
					args[j] = s.separated(d.Ctors[i].Args[j], a, seen)
				}
				ctors[i] = types.Ctor{Name: c.Name, Args: args}
			}
			return &types.Sum{Ctors: ctors}
		}
	case *types.Arrow:
		if t, ok := t.(*types.Arrow); ok {
			ret := types.RetType{Ext: t.Ret.Ext, Type: s.separated(d.Ret.Type, t.Ret.Type, seen)}
			return &types.Arrow{Name: t.Name, Param: t.Param, Ret: ret}
		}
	default:
	}
	return t
}

// renameAbsorbed renames the absorbed sizes of t; those that absorbed the same size still agree.
func (s *solver) renameAbsorbed(t types.Type) types.Type {
	subst := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
	sources := map[*types.Symbol]*types.Symbol{}
	for _, sym := range freeSymbols(t) {
		v := s.vars[sym]
		if v == nil || v.kind != absorbed {
			continue
		}
		w := *v
		if v.source != nil {
			if sources[v.source] == nil {
				sources[v.source] = s.host.NewSymbol(v.source.Name, types.ExtSize, types.I64, v.at)
			}
			w.source = sources[v.source]
		}
		k := s.host.NewSymbol(sym.Name, types.ExtSize, types.I64, v.at)
		subst.Sizes[sym] = nameSize(s.add(k, &w))
	}
	if len(subst.Sizes) == 0 {
		return t
	}
	return subst.Type(t)
}
