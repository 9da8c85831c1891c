package internalise

import (
	"skald/frontend/types"
	"skald/middle/core"
	"skald/middle/pass"
)

// Pass is the pass: a first-order typed program to core IR.
var Pass = pass.Pass[*types.Prog, *core.Prog]{
	Name: "internalise",
	Doc:  "represent values by scalars and arrays of scalars; make sizes and checks explicit",
	Run:  Run,
}

// Run translates p.
func Run(ctx *pass.Context, p *types.Prog) *core.Prog {
	m := &module{
		ctx:       ctx,
		defs:      make(map[*types.Symbol]*types.Def, len(p.Defs)),
		withAccs:  map[*types.Symbol]bool{},
		funs:      map[*types.Symbol]*core.Fun{},
		consts:    map[*types.Symbol]constant{},
		constVars: map[core.Var]int{},
		prog:      &core.Prog{Stage: core.StageSOACS},
	}
	for _, d := range p.Defs {
		m.defs[d.Sym] = nameSizes(d)
		if takesAcc(d) {
			m.withAccs[d.Sym] = true
		}
	}
	for _, d := range p.Defs {
		if d = m.defs[d.Sym]; len(d.Params) == 0 && d.Entry == nil {
			m.constant(d)
		} else if !m.withAccs[d.Sym] {
			m.fun(d)
		}
	}
	m.finishConsts()
	return m.prog
}

// scopeFor makes a scope for the code of f.
func (m *module) scopeFor(f *core.Fun) *scope {
	return &scope{module: m, b: core.NewBuilder(f, nil), env: newEnv(nil)}
}

// fun translates a function. Its core parameters are the sizes that its patterns bind, then the components of its parameters;
// its results are the existential sizes of its result type, then the components of the result.
func (m *module) fun(d *types.Def) {
	f := &core.Fun{Name: d.Sym.Name}
	for _, a := range d.Attrs {
		f.Attrs = append(f.Attrs, core.Attr(a.String()))
	}
	m.funs[d.Sym] = f
	s := m.scopeFor(f)
	s.at(d.At)
	for _, p := range d.Params {
		for _, size := range p.Sizes {
			param := s.b.Param(size.Name, core.I64)
			f.Params = append(f.Params, param)
			s.set(size, core.V(param.Var))
		}
	}
	for _, p := range d.Params {
		ps := s.params(patName(p.Pat), p.Pat.Base().Type)
		f.Params = append(f.Params, ps...)
		s.bind(p.Pat, core.Vars(core.ParamVars(ps)))
	}
	s.checkComputed(d)
	f.Ret = s.results(d.Ret)
	f.Body = s.b.Build(func(b *core.Builder) []core.Operand {
		in := s.in(b)
		xs := in.exp(d.Body)
		return in.withSizes(d.Ret, xs)
	})
	f.Body.Stms = append(s.b.Stms(), f.Body.Stms...)
	m.prog.Funs = append(m.prog.Funs, f)
	if d.Entry != nil {
		m.prog.Entries = append(m.prog.Entries, m.entry(d, f))
	}
}

// results names the results of a function: existential sizes first.
func (s *scope) results(ret types.RetType) []core.Param {
	var out []core.Param
	for _, size := range ret.Ext {
		p := s.b.Param(size.Name, core.I64)
		out = append(out, p)
		s.set(size, core.V(p.Var))
	}
	return append(out, s.params("r", ret.Type)...)
}

// withSizes puts the existential sizes of a result in front of its components, and sets the types of those accordingly.
func (s *scope) withSizes(ret types.RetType, xs []core.Operand) []core.Operand {
	sizes := s.sizesOf(ret.Ext, ret.Type, xs)
	for i, size := range ret.Ext {
		s.set(size, sizes[i])
	}
	return append(sizes, s.ensureAll(xs, s.coreTypes(ret.Type))...)
}

// patName is a base name for the components of what a pattern takes.
func patName(p types.Pat) string {
	switch p := p.(type) {
	case *types.VarPat:
		return p.Sym.Name
	case *types.AttrPat:
		return patName(p.Pat)
	default:
		return "p"
	}
}
