package monomorphise

import (
	"skald/frontend/source"
	"skald/frontend/types"
	"skald/middle/pass"
)

// Pass is the pass: a typed program with polymorphism to one without.
var Pass = pass.Pass[*types.Prog, *types.Prog]{
	Name: "monomorphise",
	Doc:  "copy polymorphic definitions for each combination of type arguments; sizes become parameters",
	Run:  Run,
}

// Run removes polymorphism from p.
func Run(ctx *pass.Context, p *types.Prog) *types.Prog {
	m := &mono{
		ctx:       ctx,
		supply:    types.NewSupply(p),
		first:     p.NumSymbols,
		defs:      make(map[*types.Symbol]*types.Def, len(p.Defs)),
		instances: map[key]*types.Symbol{},
		sizesOf:   map[*types.Symbol]*types.Def{},
		unborn:    map[*types.Symbol]bool{},
	}
	for _, d := range p.Defs {
		m.defs[d.Sym] = d
		if d.IsConstant() {
			for _, size := range d.Ret.Ext {
				m.sizesOf[size] = d
			}
		}
	}
	for _, d := range p.Defs {
		if d.Entry != nil {
			m.entry(d)
		}
	}
	return &types.Prog{Defs: m.out, NumSymbols: m.supply.NumSymbols()}
}

// mono is the state of one run.
type mono struct {
	ctx    *pass.Context
	supply *types.Supply
	// first is the ID of the first symbol that the pass makes. All code is copied with fresh binders before it is rewritten, so that
	// among the symbols of a copy those with smaller IDs are bound nowhere, unless they are definitions (bound).
	first int
	// defs are the definitions that can be instantiated: all at top level, and the local ones in scope.
	defs      map[*types.Symbol]*types.Def
	instances map[key]*types.Symbol
	// sizesOf maps each existential size of a constant, which is in scope everywhere, to that constant.
	sizesOf map[*types.Symbol]*types.Def
	// unborn are the sizes that are bound only after what is being rewritten.
	unborn map[*types.Symbol]bool
	// out collects finished definitions; a callee is finished before its callers, except for itself.
	out []*types.Def
	// local collects, innermost last, the instances that local polymorphic definitions have been asked for.
	local []*scope
}

// key is what distinguishes two copies of a definition.
type key struct {
	sym  *types.Symbol
	args string
}

// scope is a local definition whose scope is being rewritten, with the copies asked for so far.
type scope struct {
	def    *types.Def
	copies []*types.Def
}

func (m *mono) freshSize(name string) *types.Symbol {
	return m.supply.Local(name, types.I64, source.Span{})
}

// bound reports whether a symbol that copied code mentions is bound at all.
func (m *mono) bound(s *types.Symbol) bool {
	return s.ID >= m.first || m.defs[s] != nil || m.sizesOf[s] != nil
}

// entry rewrites an entry point: its size parameters are bound from the shapes of its arguments. If the program also
// calls it, the copy for those calls is made like that of any other function.
func (m *mono) entry(d *types.Def) {
	c := types.Copier{Fresh: m.supply.Like}
	sym := m.supply.Like(d.Sym, d.Sym.Type)
	out := c.Def(d, sym)
	out.TypeParams = nil
	var sizes []*types.Symbol
	for _, p := range d.TypeParams {
		sizes = append(sizes, c.Sym(p.Size))
	}
	bindSizes(out.Params, sizes)
	m.finish(out)
}

// bindSizes lets each of sizes be bound by the first of params whose type mentions it.
func bindSizes(params []*types.Param, sizes []*types.Symbol) {
	wanted := make(map[*types.Symbol]bool, len(sizes))
	for _, s := range sizes {
		wanted[s] = true
	}
	for _, p := range params {
		for _, s := range shownSizes(p.Pat.Base().Type) {
			if wanted[s] {
				p.Sizes = append(p.Sizes, s)
				wanted[s] = false
			}
		}
	}
}

// openSizes leaves out sizes: those that a parameter binds are unknown to who mentions the function.
func openSizes(sizes []*types.Symbol) types.Subst {
	s := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
	for _, size := range sizes {
		s.Sizes[size] = &types.AnySize{}
	}
	return s
}

// shownSizes lists the variables that are sizes of arrays in a value of type t: the shape of the value shows what they are.
func shownSizes(t types.Type) []*types.Symbol { return shownIn(types.Represent(t)) }

func shownIn(t types.Type) []*types.Symbol {
	var shown []*types.Symbol
	switch types.Force(t).(type) {
	case *types.Arrow, *types.Con:
		return nil // a function, or an accumulator
	default:
	}
	types.MapParts(t, func(part types.Type) types.Type {
		shown = append(shown, shownIn(part)...)
		return part
	}, func(d types.Size) types.Size {
		if name, ok := d.(*types.SizeName); ok {
			shown = append(shown, name.Sym)
		}
		return d
	})
	return shown
}

// finish rewrites what d's body uses, and puts d behind it in the output.
func (m *mono) finish(d *types.Def) {
	m.rewriteDef(d)
	m.out = append(m.out, d)
}

// rewriteDef rewrites d in place; d must be a fresh copy.
func (m *mono) rewriteDef(d *types.Def) {
	r := types.MapDef(d, m.mapper())
	d.Params, d.Ret, d.Body = r.Params, r.Ret, r.Body
	for _, p := range d.Params {
		for _, s := range types.PatSymbols(p.Pat) {
			s.Type = m.typ(s.Type)
		}
	}
	d.Sym.Type = m.typ(d.Sym.Type)
	d.Sym.Params = nil
	if d.Entry != nil {
		d.Entry = d.Entry.MapSizes(m.size)
	}
}

func (m *mono) mapper() types.Mapper {
	return types.Mapper{Exp: m.exp, Type: m.typ, Size: m.size, Def: m.keepDef}
}

// typ rewrites a type: abstract types are expanded, and references in size expressions rewritten. A size that is computed with the help of
// functions is left out where the value shows it: each such expression would be compiled, and run, for itself. So is one that makes
// sizes on its way, such as length (xs[::2]), which no let in a type can bind.
func (m *mono) typ(t types.Type) types.Type {
	t = types.Represent(t)
	if types.HasFunctions(t) {
		return types.MapSizes(t, m.size)
	}
	return types.MapSizes(t, func(d types.Size) types.Size {
		if passesFunctions(d) || types.MakesSizes(d) {
			return &types.AnySize{}
		}
		return m.size(d)
	})
}

// exactTyp is typ that leaves no size out.
func (m *mono) exactTyp(t types.Type) types.Type {
	return types.MapSizes(types.Represent(t), m.size)
}

// passesFunctions reports whether something in d is applied to a function.
func passesFunctions(d types.Size) bool {
	e, ok := d.(*types.SizeExp)
	if !ok {
		return false
	}
	found := false
	types.Walk(e.Exp, func(e types.Exp) bool {
		if apply, ok := e.(*types.Apply); ok {
			for _, a := range apply.Args {
				found = found || types.HasFunctions(a.Base().Type)
			}
		}
		return !found
	})
	return found
}

func (m *mono) size(d types.Size) types.Size {
	switch e := d.(type) {
	case *types.SizeExp:
		if depends(e, func(s *types.Symbol) bool { return !m.bound(s) }) {
			return &types.AnySize{}
		}
		return types.ExpToSize(m.exp(e.Exp))
	case *types.SizeName:
		switch {
		case m.defs[e.Sym] != nil:
			// A constant of the program.
			return types.ExpToSize(m.exp(types.SizeToExp(e, e.Sym.At)))
		case m.sizesOf[e.Sym] != nil:
			m.constant(m.sizesOf[e.Sym])
		case !m.bound(e.Sym):
			return &types.AnySize{}
		}
	default:
	}
	return d
}

// exp rewrites an expression.
func (m *mono) exp(e types.Exp) types.Exp {
	switch e := e.(type) {
	case *types.Ref:
		return m.ref(e)
	case *types.Apply:
		return m.apply(e)
	case *types.LetFun:
		return m.letFun(e)
	case *types.Coerce:
		info := types.Info{Type: m.exactTyp(e.Type), Ext: e.Ext, At: e.At}
		return &types.Coerce{Info: info, Exp: m.exp(e.Exp)}
	case *types.Let:
		return m.before(e.Sizes, e, e.Exp)
	case *types.Loop:
		return m.before(e.Sizes, e, e.Init)
	default:
		out := types.MapExp(e, m.mapper())
		m.retype(e)
		return out
	}
}

// before rewrites e, whose sizes are not bound yet in its part first.
func (m *mono) before(sizes []*types.Symbol, e, first types.Exp) types.Exp {
	mapper := m.mapper()
	mapper.Exp = func(part types.Exp) types.Exp {
		if part == first {
			m.setUnborn(sizes, unborn)
			defer m.setUnborn(sizes, born)
		}
		return m.exp(part)
	}
	out := types.MapExp(e, mapper)
	m.retype(e)
	return out
}

// Whether sizes are bound further on.
const unborn, born = true, false

func (m *mono) setUnborn(sizes []*types.Symbol, unborn bool) {
	for _, s := range sizes {
		m.unborn[s] = unborn
	}
}

// retype rewrites the types of the symbols that e binds.
func (m *mono) retype(e types.Exp) {
	for _, s := range types.BoundHere(e) {
		s.Type = m.typ(s.Type)
	}
}

// apply keeps an application flat when its function is a reference that takes sizes: `f [n] x` becomes one Apply of f to n and x.
func (m *mono) apply(e *types.Apply) types.Exp {
	out := types.MapExp(e, m.mapper()).(*types.Apply)
	if inner, ok := out.Fun.(*types.Apply); ok {
		if _, isRef := e.Fun.(*types.Ref); isRef {
			out.Fun, out.Args = inner.Fun, append(inner.Args[:len(inner.Args):len(inner.Args)], out.Args...)
		}
	}
	return out
}

// ref rewrites a use of a variable: of a definition, to a use of the right copy applied to the sizes that it takes.
func (m *mono) ref(e *types.Ref) types.Exp {
	d, ok := m.defs[e.Sym]
	if !ok {
		if c := m.sizesOf[e.Sym]; c != nil {
			m.constant(c)
		}
		return &types.Ref{Info: m.info(e.Info), Sym: e.Sym}
	}
	args := make([]types.TypeArg, len(e.Args))
	for i, a := range e.Args {
		if a.Size != nil {
			args[i] = types.TypeArg{Size: m.size(a.Size)}
		} else {
			args[i] = types.TypeArg{Type: m.exactTyp(a.Type)}
		}
	}
	abs := m.abstract(d, args)
	sym := m.instantiate(d, abs)
	info := m.info(e.Info)
	if len(abs.actuals) == 0 {
		return &types.Ref{Info: info, Sym: sym}
	}
	sizes := make([]types.Exp, len(abs.actuals))
	for i, d := range abs.actuals {
		sizes[i] = m.argument(d, e.At)
	}
	fun := &types.Ref{Info: types.Info{Type: sym.Type, At: e.At}, Sym: sym}
	return &types.Apply{Info: info, Fun: fun, Args: sizes}
}

// argument is a size as an expression. What that binds is fresh: the size may be in several types.
func (m *mono) argument(d types.Size, at source.Span) types.Exp {
	e := types.SizeToExp(d, at)
	if len(types.ExpBinders(e)) == 0 {
		return e
	}
	c := types.Copier{Fresh: m.supply.Like}
	return c.Exp(e)
}

// constant sees to it that the copy of a constant comes before what is being rewritten, which mentions a size of it.
func (m *mono) constant(d *types.Def) { m.instantiate(d, m.abstract(d, nil)) }

func (m *mono) info(i types.Info) types.Info {
	return types.Info{Type: m.typ(i.Type), Ext: i.Ext, At: i.At}
}

// instantiate returns the copy of d for the given arguments, making it if need be.
func (m *mono) instantiate(d *types.Def, abs abstraction) *types.Symbol {
	k := key{d.Sym, abs.key}
	if sym, ok := m.instances[k]; ok {
		return sym
	}
	c := types.Copier{Fresh: m.supply.Like, Subst: abs.subst}
	if d.IsConstant() {
		c.Keep(d.Ret.Ext)
	}
	sym := m.supply.Like(d.Sym, nil)
	sym.Name = m.supply.Name(types.Identifier(d.Sym.Name))
	m.instances[k] = sym
	m.ctx.Copied(len(m.instances), d.Sym.Name, d.At)

	out := c.Def(d, sym)
	bindSizes(out.Params, abs.shown)
	out.TypeParams, out.Entry = nil, nil
	out.Params = append(sizeParams(abs.formals, d.At), out.Params...)
	sym.Type = types.FuncOver(abs.formals, types.Represent(openSizes(abs.shown).Type(c.Subst.Type(d.Sym.Type))))
	if s := m.scopeOf(d); s != nil {
		m.rewriteDef(out)
		s.copies = append(s.copies, out)
	} else {
		m.finishInstance(out)
	}
	return sym
}

// finishInstance finishes a top-level copy outside all local scopes: its body sees none of them.
func (m *mono) finishInstance(d *types.Def) {
	local := m.local
	m.local = nil
	m.finish(d)
	m.local = local
}

func sizeParams(formals []*types.Symbol, at source.Span) []*types.Param {
	params := make([]*types.Param, len(formals))
	for i, s := range formals {
		params[i] = &types.Param{Pat: &types.VarPat{PatInfo: types.PatInfo{Type: types.I64, At: at}, Sym: s}}
	}
	return params
}
