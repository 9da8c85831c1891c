package sizes

import (
	"fmt"
	"slices"

	"skald/frontend/source"
	"skald/frontend/types"
	"skald/runtime/prim"
)

// pat sets the sized types of the parts of p. t is the type of the values that p takes, or nil if p's own type says.
// rename maps the size binders of a Let to the variables that stand for them in the type of the value.
func (s *solver) pat(p types.Pat, t types.Type, rename types.Subst) types.Pat {
	info := *p.Base()
	own := func() types.Type {
		if t != nil {
			return t
		}
		return s.fresh(info.Type, types.Unlifted, info.At)
	}
	switch p := p.(type) {
	case *types.VarPat:
		info.Type = own()
		s.bind(p.Sym, info.Type)
		return &types.VarPat{PatInfo: info, Sym: p.Sym}
	case *types.WildPat:
		info.Type = own()
		return &types.WildPat{PatInfo: info}
	case *types.LitPat:
		return p
	case *types.RecordPat:
		return s.recordPat(p, t, rename)
	case *types.CtorPat:
		return s.ctorPat(p, own(), rename)
	case *types.AttrPat:
		if p.Attr.Name == Ascription {
			return s.ascribedPat(p, t, rename)
		}
		inner := s.pat(p.Pat, t, rename)
		info.Type = inner.Base().Type
		return &types.AttrPat{PatInfo: info, Attr: p.Attr, Pat: inner}
	default:
		panic(fmt.Sprintf("sizes.pat: %T", p))
	}
}

func (s *solver) recordPat(p *types.RecordPat, t types.Type, rename types.Subst) types.Pat {
	info := p.PatInfo
	fields := make([]types.FieldPat, len(p.Fields))
	ts := make([]types.Field, len(p.Fields))
	for i, f := range p.Fields {
		var ft types.Type
		if t != nil {
			ft = fieldType(t, f.Name)
		}
		fields[i] = types.FieldPat{Name: f.Name, Pat: s.pat(f.Pat, ft, rename)}
		ts[i] = types.Field{Name: f.Name, Type: fields[i].Pat.Base().Type}
	}
	info.Type = &types.Record{Fields: ts}
	return &types.RecordPat{PatInfo: info, Fields: fields}
}

func (s *solver) ctorPat(p *types.CtorPat, t types.Type, rename types.Subst) types.Pat {
	info := p.PatInfo
	info.Type = t
	ctor, _ := types.Force(t).(*types.Sum).Ctor(p.Ctor)
	args := make([]types.Pat, len(p.Args))
	for i, a := range p.Args {
		args[i] = s.pat(a, ctor.Args[i], rename)
	}
	return &types.CtorPat{PatInfo: info, Ctor: p.Ctor, Args: args}
}

func (s *solver) ascribedPat(p *types.AttrPat, t types.Type, rename types.Subst) types.Pat {
	st := s.declared(p.Type, p.At, "explicit type ascription of a pattern")
	if t != nil {
		s.explain(func() string {
			return fmt.Sprintf("Invalid pattern: what has type\n  %s\ncannot match value of type\n  %s", s.show(st),
				s.show(t))
		}, func() { s.unify(p.At, rename.Type(s.norm(st)), s.norm(t)) })
	}
	return s.pat(p.Pat, st, rename)
}

// bindPat binds a pattern to values of type t. sizes are the size binders in front of it.
func (s *solver) bindPat(sizes []*types.Symbol, p types.Pat, t types.Type) types.Pat {
	rename := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
	for _, n := range sizes {
		s.bind(n, types.I64)
		rename.Sizes[n] = nameSize(s.flex(n.Name, "size of bound expression", n.At))
	}
	out := s.pat(p, t, rename)
	s.checkBinders(sizes, s.norm(out.Base().Type), out.Base().At)
	return out
}

func (s *solver) checkBinders(sizes []*types.Symbol, t types.Type, at source.Span) {
	shown := witnesses(t)
	free := freeSymbols(t)
	for _, n := range sizes {
		if !slices.Contains(free, n) {
			s.fail(n.At, "unused-size", "Size [%s] unused: no part of the pattern has it as its size.", n.Name)
		}
		if !shown[n] {
			s.fail(n.At, "unused-size",
				"Cannot bind [%s]: no argument that is a value, rather than a function, shows it.", n.Name)
		}
	}
}

// params binds parameters, each one level below the one before, and runs f.
func (s *solver) params(ps []*types.Param, f func([]*types.Param)) {
	level := s.level
	s.level++
	out := make([]*types.Param, len(ps))
	for i, p := range ps {
		out[i] = &types.Param{Pat: s.pat(p.Pat, nil, types.Subst{})}
		s.level++
	}
	f(out)
	s.level = level
}

// body infers the body of a function and fits it to its declared result, if there is one.
func (s *solver) body(params []*types.Param, e types.Exp, want types.Type) (types.Exp, types.Type) {
	body := s.exp(e)
	hidden := hiddenNames(params)
	t, _ := s.unscope(s.typeOf(body), body.Base().At, hidden)
	if want == nil {
		return body, t
	}
	for _, sym := range freeSymbols(s.norm(want)) {
		if slices.Contains(hidden, sym) {
			s.fail(body.Base().At, "inaccessible-size",
				"The declared result\n  %s\nmentions \"%s\", a part of a parameter that callers have no "+
					"name for.",
				s.show(want), sym.Name)
		}
	}
	s.explain(func() string {
		return fmt.Sprintf("Function body does not have expected type.\nExpected: %s\nActual:   %s", s.show(want),
			s.show(t))
	}, func() { s.unify(body.Base().At, s.norm(want), t) })
	return body, t
}

// hiddenNames lists the variables that parameters bind inside patterns: a caller does not see them.
func hiddenNames(params []*types.Param) []*types.Symbol {
	var hidden []*types.Symbol
	for _, p := range params {
		if types.Variable(p.Pat) == nil {
			hidden = append(hidden, types.PatSymbols(p.Pat)...)
		}
	}
	return hidden
}

// checkParams rejects a parameter whose type mentions a name that its caller cannot give.
func (s *solver) checkParams(fname string, params []*types.Param) {
	var forbidden []*types.Symbol
	for _, p := range params {
		forbidden = append(forbidden, types.PatSymbols(p.Pat)...)
	}
	seen := map[*types.Symbol]bool{}
	for _, p := range params {
		for _, sym := range freeSymbols(s.norm(p.Pat.Base().Type)) {
			if slices.Contains(forbidden, sym) && !seen[sym] {
				s.fail(p.Pat.Base().At, "inaccessible-size",
					"The type of this parameter mentions \"%s\", which callers%s cannot name, perhaps for "+
						"being part of a pattern.",
					sym.Name, ofFunction(fname))
			}
		}
		if n := types.Variable(p.Pat); n != nil {
			seen[n] = true
		}
	}
}

func ofFunction(name string) string {
	if name == "" {
		return ""
	}
	return " of \"" + name + "\""
}

// funType is the type of a function; a parameter's name is part of it only if a later type mentions it.
func funType(params []*types.Param, ret types.RetType) types.Type {
	for i := len(params) - 1; i >= 0; i-- {
		p := params[i]
		name := types.Variable(p.Pat)
		if name != nil && !slices.Contains(freeSymbols(ret.Type), name) {
			name = nil
		}
		ret = types.RetType{Type: &types.Arrow{Name: name, Param: p.Pat.Base().Type, Ret: ret}}
	}
	return ret.Type
}

func (s *solver) let(e *types.Let) types.Exp {
	info := e.Info
	x := s.exp(e.Exp)
	t := s.typeOf(x)
	var pat types.Pat
	var body types.Exp
	level := s.level
	s.level++
	pat = s.bindPat(e.Sizes, e.Pat, t)
	s.level++
	body = s.exp(e.Body)
	s.level = level
	names := append(append([]*types.Symbol{}, e.Sizes...), types.PatSymbols(pat)...)
	bodyType := s.typeOf(body)
	if p, ok := types.Force(t).(*types.Prim); ok && p.Kind == prim.I64 && len(names) == 1 && !hasBinding(x) {
		subst := types.Subst{Sizes: map[*types.Symbol]types.Size{names[0]: types.ExpToSize(bare(x))}}
		info.Type, info.Ext = s.nameLong(subst.Type(bodyType), info.At)
	} else {
		info.Type, info.Ext = s.unscope(bodyType, info.At, names)
	}
	return &types.Let{Info: info, Sizes: e.Sizes, Pat: pat, Exp: x, Body: body}
}

func (s *solver) letFun(e *types.LetFun) types.Exp {
	info := e.Info
	def := s.definition(e.Def)
	s.bind(def.Sym, def.Sym.Type)
	body := s.exp(e.Body)
	info.Type, info.Ext = s.unscope(s.typeOf(body), info.At, []*types.Symbol{def.Sym})
	return &types.LetFun{Info: info, Def: def, Body: body}
}
