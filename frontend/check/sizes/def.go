package sizes

import (
	"slices"

	"skald/frontend/source"
	"skald/frontend/types"
)

// Def infers the sizes in d, a definition at top level, and returns it completed; d.Sym gets its type and parameters.
func Def(host Host, d *types.Def) (out *types.Def, err *Error) {
	s := newSolver(host)
	defer recoverError(&err)
	out = s.definition(d)
	s.checkAmbiguous()
	out = s.finish(out)
	s.checkCausality(out.Body)
	return out, nil
}

// Type infers the sizes in a type as written: those of its size expressions.
func Type(host Host, t types.Type) (out types.Type, err *Error) {
	s := newSolver(host)
	defer recoverError(&err)
	return s.norm(mapSizes(t, func(d types.Size) types.Size {
		x, ok := d.(*types.SizeExp)
		if !ok {
			return d
		}
		e := s.exp(x.Exp)
		if hasBinding(e) {
			s.fail(e.Base().At, "size-expression-bind", "A size may not be an expression that binds names.")
		}
		return types.ExpToSize(e)
	})), nil
}

func recoverError(err **Error) {
	switch r := recover().(type) {
	case nil:
	case *Error:
		*err = r
	default:
		panic(r)
	}
}

// definition infers a function or value, at top level or local, and closes it over its sizes.
func (s *solver) definition(d *types.Def) *types.Def {
	out := *d
	outerSelf, outerOpen := s.self, s.selfOpen
	level := s.level
	s.level++
	for _, p := range d.TypeParams {
		if p.IsSize() {
			s.bind(p.Size, types.I64)
		}
	}
	s.params(d.Params, func(params []*types.Param) {
		out.Params = params
		s.anonymous(d.Params, params)
		var want types.Type
		if d.Ret.Type != nil {
			want = s.declared(d.Ret.Type, d.At, "return type annotation")
		}
		if d.Recursive {
			s.bindSelf(d, params, want)
		}
		body, t := s.body(params, d.Body, want)
		out.Body = body
		if want != nil {
			t = s.norm(want)
		}
		s.checkParams(d.Sym.Name, params)
		t = s.spelled(s.norm(t), func(*types.Symbol) bool { return true })
		s.generalise(&out, s.unscopeUnknown(t), level+2)
	})
	s.level, s.self, s.selfOpen = level, outerSelf, outerOpen
	return &out
}

// anonymous notes the sizes that annotated parameters leave out, as in xs: []i32: they are the caller's to choose.
func (s *solver) anonymous(declared, params []*types.Param) {
	for i, p := range declared {
		if a, ok := p.Pat.(*types.AttrPat); !ok || a.Attr.Name != Ascription {
			continue
		}
		for _, sym := range freeSymbols(s.norm(params[i].Pat.Base().Type)) {
			if v := s.vars[sym]; v != nil && v.kind == flexible {
				v.callers = true
			}
		}
	}
}

// bindSelf makes a recursive definition known in its own body.
func (s *solver) bindSelf(d *types.Def, params []*types.Param, want types.Type) {
	s.self, s.selfOpen = d.Sym, want == nil
	if want == nil {
		return
	}
	var explicit []*types.TypeParam
	for _, p := range d.TypeParams {
		if p.IsSize() {
			explicit = append(explicit, p)
		}
	}
	var ext []*types.Symbol
	for _, sym := range freeSymbols(s.norm(want)) {
		if v := s.vars[sym]; v != nil && v.kind == flexible && v.link == nil && v.level == s.level {
			ext = append(ext, sym)
		}
	}
	ret := types.RetType{}
	ret.Type, ret.Ext = s.rename(s.norm(want), ext, d.At)
	d.Sym.Type, d.Sym.Params = funType(params, ret), explicit
}

// unscopeUnknown replaces size expressions that mention unknown sizes, other than those that the shape of t shows, by
// unknown sizes.
func (s *solver) unscopeUnknown(t types.Type) types.Type {
	shown := witnesses(t)
	e := &escaper{solver: s, expsOnly: true, killed: func(sym *types.Symbol) bool {
		v := s.vars[sym]
		return v != nil && v.kind == unknown && !shown[sym]
	}}
	return e.typ(t)
}

// generalise closes d, whose result has type ret, over the sizes left open in its type.
func (s *solver) generalise(d *types.Def, ret types.Type, level int) {
	for _, sym := range s.made {
		if v := s.vars[sym]; v != nil && v.kind == instance && v.link == nil && v.level >= level {
			v.kind = flexible
		}
	}
	ret = s.norm(ret)
	whole := funType(d.Params, types.RetType{Type: ret})
	whole = s.norm(whole)
	shown, wanted := sizeUses(whole)
	inRet := freeSymbols(ret)
	var ext []*types.Symbol
	params := append([]*types.TypeParam{}, d.TypeParams...)
	for _, sym := range freeSymbols(whole) {
		v := s.vars[sym]
		if v == nil || v.link != nil || v.level < level {
			continue
		}
		switch v.kind {
		case flexible:
			sym.Kind = types.SizeParam
			v.kind = param
			params = append(params, &types.TypeParam{Name: sym.Name, Size: sym, At: v.at})
		case unknown:
			if wanted[sym] && !shown[sym] {
				s.fail(d.At, "unknown-param-def", "Cannot generalise the type of the definition.\nUnknown size "+
					"\"%s\" in parameter of \"%s\", which is inferred as:\n  %s",
					sym.Name, d.Sym.Name, whole)
			}
			if slices.Contains(inRet, sym) {
				ext = append(ext, sym)
			}
		case instance, absorbed, param, binder:
		}
	}
	for i, p := range d.Params {
		d.Params[i] = &types.Param{Pat: s.zonkPat(p.Pat)}
	}
	if len(ext) > 0 {
		ret, ext = s.rename(ret, ext, d.At)
	}
	d.Ret = injectExt(ext, ret)
	d.TypeParams = params
	d.Sym.Type, d.Sym.Params = funType(d.Params, d.Ret), params
	s.checkUnused(d, level)
}

func (s *solver) checkUnused(d *types.Def, level int) {
	used := map[*types.Symbol]bool{}
	for _, sym := range freeSymbols(d.Ret.Type) {
		used[sym] = true
	}
	for _, p := range d.Params {
		for _, sym := range freeSymbols(s.norm(p.Pat.Base().Type)) {
			used[sym] = true
		}
	}
	sizes := false
	for _, p := range d.TypeParams {
		if !p.IsSize() {
			continue
		}
		sizes = true
		if !used[p.Size] {
			s.fail(p.At, "unused-size", "Size [%s] unused: no parameter of \"%s\" has it as its size.", p.Name, d.Sym.Name)
		}
	}
	if sizes && len(d.Params) == 0 && len(d.Ret.Ext) > 0 && level == 2 {
		s.fail(d.At, "size-polymorphic-value",
			"This size-polymorphic value binding has sizes that only its value would show:\n  %s", d.Ret)
	}
}

// injectExt binds each of ext at the innermost result whose shape shows it.
func injectExt(ext []*types.Symbol, t types.Type) types.RetType {
	if len(ext) == 0 {
		return types.RetType{Type: t}
	}
	shown, _ := sizeUses(t)
	var here, there []*types.Symbol
	for _, k := range ext {
		if shown[k] {
			here = append(here, k)
		} else {
			there = append(there, k)
		}
	}
	if a, ok := types.Force(t).(*types.Arrow); ok {
		ret := injectExt(append(there, a.Ret.Ext...), a.Ret.Type)
		return types.RetType{Ext: here, Type: &types.Arrow{Name: a.Name, Param: a.Param, Ret: ret}}
	}
	return types.RetType{Ext: ext, Type: t}
}

// checkAmbiguous rejects sizes that nothing determines.
func (s *solver) checkAmbiguous() {
	for _, sym := range s.made {
		v := s.vars[sym]
		if v == nil || v.link != nil || v.kind != flexible && v.kind != instance {
			continue
		}
		blamed, w := s.blame(sym, v)
		because := ""
		if w.usage != "" {
			because = " arising from " + w.usage
		}
		s.fail(w.at, "ambiguous-size", "Ambiguous size \"%s\"%s.", blamed.Name, because)
	}
}

// blame prefers, among the variables linked to sym, one that says where it comes from.
func (s *solver) blame(sym *types.Symbol, v *sizeVar) (*types.Symbol, *sizeVar) {
	if v.usage != "" {
		return sym, v
	}
	for _, other := range s.made {
		w := s.vars[other]
		if w == nil || w.link == nil || w.usage == "" {
			continue
		}
		if n, ok := s.size(nameSize(other)).(*types.SizeName); ok && n.Sym == sym {
			return other, w
		}
	}
	return sym, v
}

// finish puts what has been found into the types of d.
func (s *solver) finish(d *types.Def) *types.Def {
	for _, sym := range s.bound {
		sym.Type = s.zonkType(sym.Type)
	}
	d = s.zonkDef(d)
	s.fixRecursive(d)
	return d
}

func (s *solver) zonkDef(d *types.Def) *types.Def {
	out := types.MapDef(d, s.zonker())
	return out
}

func (s *solver) zonker() types.Mapper {
	return types.Mapper{Exp: s.zonkExp, Type: s.zonkType, Size: s.zonkSize, Pat: s.zonkPat, Def: s.zonkDef}
}

func (s *solver) zonkExp(e types.Exp) types.Exp { return types.MapExp(e, s.zonker()) }

func (s *solver) zonkPat(p types.Pat) types.Pat {
	m := types.Mapper{Type: s.zonkType}
	m.Pat = func(p types.Pat) types.Pat { return types.MapPat(p, m) }
	return m.Pat(p)
}

func (s *solver) zonkSize(d types.Size) types.Size {
	d = s.size(d)
	if n, ok := d.(*types.SizeName); ok && s.isAbsorbed(n.Sym) {
		return nameSize(s.host.NewSymbol(n.Sym.Name, types.ExtSize, types.I64, n.Sym.At))
	}
	return d
}

// zonkType normalises t and binds the absorbed sizes in it. Those that nothing in t can bind are unknown sizes, which
// the causality check rejects if they stand for sizes that are computed elsewhere.
func (s *solver) zonkType(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	t = s.norm(t)
	computed := false
	var at source.Span
	for _, sym := range freeSymbols(t) {
		if v := s.vars[sym]; v != nil && v.kind == absorbed && v.computed {
			computed, at = true, v.computedAt
		}
	}
	t, left := s.releaseAbsorbed(t, at)
	if !computed {
		for _, k := range left {
			delete(s.vars, k)
		}
	}
	return t
}

// fixRecursive completes the arguments of d's references to itself.
func (s *solver) fixRecursive(d *types.Def) {
	if !d.Recursive {
		return
	}
	fix := func(e types.Exp) bool {
		ref, ok := e.(*types.Ref)
		if !ok || ref.Sym != d.Sym {
			return true
		}
		given := map[*types.TypeParam]types.TypeArg{}
		i := 0
		for _, p := range d.TypeParams {
			if p.IsSize() && i < len(ref.Args) && ref.Args[i].Size != nil {
				given[p] = ref.Args[i]
				i++
			}
		}
		found := map[*types.Symbol]types.Size{}
		matchSizes(d.Sym.Type, ref.Type, found)
		args := make([]types.TypeArg, len(d.TypeParams))
		for i, p := range d.TypeParams {
			switch arg, ok := given[p]; {
			case ok:
				args[i] = arg
			case !p.IsSize():
				args[i] = types.TypeArg{Type: &types.Var{Param: p}}
			case found[p.Size] != nil:
				args[i] = types.TypeArg{Size: found[p.Size]}
			default:
				args[i] = types.TypeArg{Size: nameSize(p.Size)}
			}
		}
		ref.Args = args
		return true
	}
	types.Walk(d.Body, fix)
}

// matchSizes records, for each variable that is by itself a size in want, what got has there.
func matchSizes(want, got types.Type, found map[*types.Symbol]types.Size) {
	zipSizes(want, got, func(d, e types.Size) types.Size {
		if n, ok := d.(*types.SizeName); ok && found[n.Sym] == nil {
			found[n.Sym] = e
		}
		return d
	})
}

// show prints a type with what is known of its sizes.
func (s *solver) show(t types.Type) string { return s.norm(t).String() }

// Match checks that have, whose type arguments are given up to sizes, is at least as general in its sizes as a value
// with the given parameters of type want. It returns the arguments with sizes.
func Match(host Host, params []*types.TypeParam, want types.Type, have *types.Symbol, args []types.TypeArg) (
	out []types.TypeArg, err *Error,
) {
	s := newSolver(host)
	defer recoverError(&err)
	for _, p := range params {
		if p.IsSize() {
			s.add(p.Size, &sizeVar{kind: param})
		}
	}
	s.level++
	t, inst := s.instantiate(have, args, have.At)
	s.unify(have.At, want, t)
	out = make([]types.TypeArg, len(inst))
	for i, a := range inst {
		if a.Size != nil {
			out[i].Size = s.zonkSize(a.Size)
		} else {
			out[i].Type = s.zonkType(a.Type)
		}
	}
	return out, nil
}
