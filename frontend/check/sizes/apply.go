package sizes

import (
	"fmt"
	"slices"

	"skald/frontend/source"
	"skald/frontend/types"
)

// apply infers an application one argument at a time.
func (s *solver) apply(e *types.Apply) types.Exp {
	info := e.Info
	fun := s.exp(e.Fun)
	args := s.exps(e.Args)
	t := s.typeOf(fun)
	info.Ext = nil
	var bound []named
	for i := range args {
		var ext []*types.Symbol
		var name *types.Symbol
		t, ext, name = s.applyOne(fun, i, t, args[i], info.At)
		info.Ext = append(info.Ext, ext...)
		if name != nil {
			bound = append(bound, named{i, name})
		}
	}
	t, long := s.nameLong(s.norm(t), info.At)
	info.Ext = append(info.Ext, long...)
	info.Type = plain(t)
	return s.nameArgs(&types.Apply{Info: info, Fun: fun, Args: args}, bound)
}

// named is an argument that a size depends on although it cannot be a size itself.
type named struct {
	arg  int
	name *types.Symbol
}

// nameArgs lets the shape of the result bind the sizes that stand for arguments, or, where it does not show them, a
// Let.
func (s *solver) nameArgs(e *types.Apply, bound []named) types.Exp {
	shown := witnesses(s.norm(e.Type))
	var result types.Exp = e
	for _, b := range bound {
		if shown[b.name] {
			e.Ext = append(e.Ext, b.name)
			continue
		}
		arg := e.Args[b.arg]
		at := arg.Base().At
		t := arg.Base().Type
		b.name.Kind, b.name.Type = types.Local, t
		s.bound = append(s.bound, b.name)
		e.Args[b.arg] = &types.Ref{Info: types.Info{Type: t, At: at}, Sym: b.name}
		pat := &types.VarPat{PatInfo: types.PatInfo{Type: t, At: at}, Sym: b.name}
		info := types.Info{At: e.At}
		info.Type, info.Ext = s.unscope(s.norm(result.Base().Type), e.At, []*types.Symbol{b.name})
		result = &types.Let{Info: info, Pat: pat, Exp: arg, Body: result}
	}
	return result
}

// applyOne applies a function of type t to arg. It returns the type of the result, the sizes born, and the name for
// the value of arg if the type of the result needs one.
func (s *solver) applyOne(fun types.Exp, i int, t types.Type, arg types.Exp, at source.Span) (
	ret types.Type, ext []*types.Symbol, name *types.Symbol,
) {
	arrow, ok := types.Force(t).(*types.Arrow)
	if !ok {
		s.fail(at, "cannot-apply", "Cannot apply %s as function.\nIts type is\n  %s", Describe(fun, i), s.show(t))
	}
	argAt := arg.Base().At
	s.explain(func() string {
		return fmt.Sprintf("Cannot apply %s to \"%s\" (invalid type).\nExpected: %s\nActual:   %s",
			Describe(fun, i), arg.Base().At.Brief(), s.show(arrow.Param), s.show(arg.Base().Type))
	}, func() { s.unify(argAt, s.norm(arrow.Param), s.typeOf(arg)) })

	ret, ext = s.freshExt(s.norm(arrow.Ret.Type), arrow.Ret.Ext, at)
	ret, more := s.releaseAbsorbed(s.separate(declaredResult(fun, i), ret), at)
	ext = append(ext, more...)
	s.checkImpossible(ret, ext, s.typeOf(arg), at, fmt.Sprintf("Cannot apply %s to \"%s\".", Describe(fun, i),
		arg.Base().At.Brief()))
	if arrow.Name == nil || !slices.Contains(freeSymbols(ret), arrow.Name) {
		return ret, ext, nil
	}
	var d types.Size
	if hasBinding(arg) {
		s.host.Warn(argAt, "size-expression-bind", "A size that is an expression with binding is taken as unknown.")
		name = s.unknown("n", argAt)
		d = nameSize(name)
	} else {
		d = types.ExpToSize(bare(arg))
	}
	subst := types.Subst{Sizes: map[*types.Symbol]types.Size{arrow.Name: d}}
	return subst.Type(ret), ext, name
}

// bare removes what has no bearing on the value of e.
func bare(e types.Exp) types.Exp {
	switch e := e.(type) {
	case *types.Attributed:
		return bare(e.Exp)
	case *types.Assert:
		return bare(e.Body)
	default:
	}
	return e
}

// freshExt renames the existential sizes of a result.
func (s *solver) freshExt(t types.Type, ext []*types.Symbol, at source.Span) (types.Type, []*types.Symbol) {
	if len(ext) == 0 {
		return t, nil
	}
	fresh := make([]*types.Symbol, len(ext))
	subst := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
	for i, k := range ext {
		fresh[i] = s.unknown(k.Name, at)
		subst.Sizes[k] = nameSize(fresh[i])
	}
	return subst.Type(t), fresh
}

// rename renames bound sizes to names that are not variables of the solver.
func (s *solver) rename(t types.Type, ext []*types.Symbol, at source.Span) (types.Type, []*types.Symbol) {
	if len(ext) == 0 {
		return t, nil
	}
	fresh := make([]*types.Symbol, len(ext))
	subst := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
	for i, k := range ext {
		fresh[i] = s.host.NewSymbol(k.Name, types.ExtSize, types.I64, at)
		subst.Sizes[k] = nameSize(fresh[i])
	}
	return subst.Type(t), fresh
}

// checkImpossible rejects a function result in which a size that nothing can determine is wanted of a parameter.
func (s *solver) checkImpossible(ret types.Type, ext []*types.Symbol, argType types.Type, at source.Span,
	what string,
) {
	bad := map[*types.Symbol]bool{}
	for _, k := range ext {
		bad[k] = true
	}
	boundIn(argType, bad)
	if len(bad) == 0 {
		return
	}
	shown, params := sizeUses(ret)
	for _, sym := range freeSymbols(ret) {
		if bad[sym] && params[sym] && !shown[sym] {
			s.fail(at, "existential-param-ret",
				"%s\nExistential size would appear in a parameter of the function that results:\n  %s\n"+
					"A function was passed whose result has an existential or locally named size.",
				what, types.RetType{Ext: ext, Type: ret})
		}
	}
}

// boundIn adds the symbols that t binds to set.
func boundIn(t types.Type, set map[*types.Symbol]bool) {
	switch t := types.Force(t).(type) {
	case *types.Array:
		boundIn(t.Elem, set)
	case *types.Record:
		for _, f := range t.Fields {
			boundIn(f.Type, set)
		}
	case *types.Sum:
		for _, c := range t.Ctors {
			for _, a := range c.Args {
				boundIn(a, set)
			}
		}
	case *types.Arrow:
		if t.Name != nil {
			set[t.Name] = true
		}
		for _, k := range t.Ret.Ext {
			set[k] = true
		}
		boundIn(t.Param, set)
		boundIn(t.Ret.Type, set)
	default:
	}
}

// Describe names the function that is applied, for messages; i is the number of arguments that it has already taken.
func Describe(fun types.Exp, i int) string {
	what := fun.Base().At.Brief()
	switch ref, ok := fun.(*types.Ref); {
	case ok && what == "":
		what = "\"" + ref.Sym.Name + "\""
	case ok:
		what = "\"" + what + "\""
	case what == "":
		what = "function"
	default:
		what = "function \"" + what + "\""
	}
	return what + After(i)
}

// After says, for messages, that a function has already taken i arguments.
func After(i int) string {
	switch i {
	case 0:
		return ""
	case 1:
		return " (after 1 argument)"
	default:
		return fmt.Sprintf(" (after %d arguments)", i)
	}
}
