package sizes

import (
	"skald/frontend/source"
	"skald/frontend/types"
)

// fresh makes a variable for every size of t, a type of the first half. The parameters of function types get
// new names, to which those variables may be linked. lifted says what the variables may absorb.
func (s *solver) fresh(t types.Type, lifted types.Liftedness, at source.Span) types.Type {
	return s.freshArrows(mapSizes(t, func(types.Size) types.Size {
		return nameSize(s.inst("d", "", lifted, at))
	}), at)
}

// freshArrows renames the parameters of the function types in t and drops their existential sizes, whose uses are
// gone.
func (s *solver) freshArrows(t types.Type, at source.Span) types.Type {
	switch t := types.Force(t).(type) {
	case *types.Arrow:
		name := t.Name
		if name != nil {
			name = s.host.NewSymbol(name.Name, types.Local, types.I64, name.At)
			s.binders[name] = true
			s.vars[name] = &sizeVar{kind: binder, level: s.level, at: at}
		}
		return &types.Arrow{
			Name: name, Param: s.freshArrows(t.Param, at),
			Ret: types.RetType{Type: s.freshArrows(t.Ret.Type, at)},
		}
	case *types.Record:
		if !types.HasFunctions(t) {
			return t
		}
		fields := make([]types.Field, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = types.Field{Name: f.Name, Type: s.freshArrows(f.Type, at)}
		}
		return &types.Record{Fields: fields}
	default:
		return t
	}
}

// declared turns a type as written into one with sizes: those left out, which are symbols that nothing binds, are to
// be found; size expressions are inferred in turn.
func (s *solver) declared(t types.Type, at source.Span, usage string) types.Type {
	subst := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
	for _, k := range freeSymbols(t) {
		if k.Kind == types.ExtSize && s.vars[k] == nil {
			subst.Sizes[k] = nameSize(s.flex(k.Name, usage, at))
		}
	}
	if len(subst.Sizes) > 0 {
		t = subst.Type(t)
	}
	return mapSizes(t, func(d types.Size) types.Size {
		switch d := d.(type) {
		case *types.AnySize:
			return nameSize(s.flex("d", usage, at))
		case *types.SizeExp:
			e := s.exp(d.Exp)
			if hasBinding(e) {
				s.fail(e.Base().At, "size-expression-bind", "A size expression may not bind variables.")
			}
			return types.ExpToSize(e)
		default:
			return d
		}
	})
}

// instantiate returns the type and arguments of an occurrence of sym. args are the type arguments that the first half
// found.
func (s *solver) instantiate(sym *types.Symbol, args []types.TypeArg, at source.Span) (types.Type, []types.TypeArg) {
	if len(sym.Params) == 0 {
		return s.norm(sym.Type), nil
	}
	out := make([]types.TypeArg, len(sym.Params))
	for i, p := range sym.Params {
		if p.IsSize() {
			usage := "instantiated size parameter of \"" + sym.Name + "\""
			out[i] = types.TypeArg{Size: nameSize(s.inst(p.Name, usage, types.FullLifted, at))}
		} else {
			out[i] = types.TypeArg{Type: s.fresh(args[i].Type, p.Lifted, at)}
		}
	}
	return types.Bind(sym.Params, out).Type(s.norm(sym.Type)), out
}
