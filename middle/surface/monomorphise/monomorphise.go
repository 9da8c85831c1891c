package monomorphise

import (
	"strconv"

	"skald/frontend/source"
	"skald/frontend/types"
	"skald/middle/pass"
)

// Pass is the pass: a typed program with polymorphism to one without.
var Pass = pass.Pass[*types.Prog, *types.Prog]{
	Name: "monomorphise",
	Doc:  "copy polymorphic definitions for each combination of type arguments; sizes become parameters",
	Run:  func(_ *pass.Context, p *types.Prog) *types.Prog { return Run(p) },
}

// Run removes polymorphism from p.
func Run(p *types.Prog) *types.Prog {
	m := &mono{
		next:      p.NumSymbols,
		defs:      make(map[*types.Symbol]*types.Def, len(p.Defs)),
		instances: map[key]*instance{},
		names:     map[string]int{},
	}
	for _, d := range p.Defs {
		m.defs[d.Sym] = d
	}
	for _, d := range p.Defs {
		if d.Entry != nil {
			m.entry(d)
		}
	}
	return &types.Prog{Defs: m.out, NumSymbols: m.next}
}

// mono is the state of one run.
type mono struct {
	next int
	// defs are the definitions that can be instantiated: all at top level, and the local ones in scope.
	defs      map[*types.Symbol]*types.Def
	instances map[key]*instance
	// out collects finished definitions; a callee is finished before its callers, except for itself.
	out []*types.Def
	// local collects, innermost last, the instances that local polymorphic definitions have been asked for.
	local []*scope
	// names counts the copies of each name, so that each gets another.
	names map[string]int
}

// key is what distinguishes two copies of a definition.
type key struct {
	sym  *types.Symbol
	args string
}

// instance is one copy of a definition.
type instance struct {
	sym *types.Symbol
	// value says that the definition is a constant that is computed once.
	value bool
}

// scope is a local definition whose scope is being rewritten, with the copies asked for so far.
type scope struct {
	def    *types.Def
	copies []*types.Def
}

func (m *mono) fresh(s *types.Symbol, t types.Type) *types.Symbol {
	out := &types.Symbol{Name: s.Name, ID: m.next, Kind: s.Kind, Type: t, At: s.At}
	m.next++
	return out
}

func (m *mono) freshSize(name string) *types.Symbol {
	return m.fresh(&types.Symbol{Name: name, Kind: types.Local}, types.I64)
}

// entry rewrites an entry point: its size parameters are bound from the shapes of its arguments. If the program also
// calls it, the copy for those calls is made like that of any other function.
func (m *mono) entry(d *types.Def) {
	c := types.Copier{Fresh: m.fresh}
	sym := m.fresh(d.Sym, d.Sym.Type)
	out := c.Def(d, sym)
	out.TypeParams = nil
	bound := map[*types.Symbol]bool{}
	var sizes []*types.Symbol
	for _, p := range d.TypeParams {
		sizes = append(sizes, c.Sym(p.Size))
	}
	for _, p := range out.Params {
		p.Sizes = append(p.Sizes, bindsOf(p.Pat.Base().Type, sizes, bound)...)
	}
	m.finish(out)
}

// bindsOf returns those of sizes that t mentions and that are not bound yet, and marks them as bound.
func bindsOf(t types.Type, sizes []*types.Symbol, bound map[*types.Symbol]bool) []*types.Symbol {
	var out []*types.Symbol
	for _, d := range types.SizesIn(t) {
		name, ok := d.(*types.SizeName)
		if !ok || bound[name.Sym] {
			continue
		}
		for _, s := range sizes {
			if s == name.Sym {
				bound[s] = true
				out = append(out, s)
			}
		}
	}
	return out
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

// typ rewrites a type: abstract types are expanded, and references in size expressions rewritten.
func (m *mono) typ(t types.Type) types.Type {
	return types.MapSizes(types.Represent(t), m.size)
}

func (m *mono) size(d types.Size) types.Size {
	switch e := types.ForceSize(d).(type) {
	case *types.SizeExp:
		return types.ExpToSize(m.exp(e.Exp))
	case *types.SizeName:
		if m.defs[e.Sym] != nil {
			// A constant of the program.
			return types.ExpToSize(m.exp(types.SizeToExp(e, e.Sym.At)))
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
	default:
		out := types.MapExp(e, m.mapper())
		m.retype(e)
		return out
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
		return &types.Ref{Info: m.info(e.Info), Sym: e.Sym}
	}
	args := make([]types.TypeArg, len(e.Args))
	for i, a := range e.Args {
		if a.Size != nil {
			args[i] = types.TypeArg{Size: m.size(a.Size)}
		} else {
			args[i] = types.TypeArg{Type: m.typ(a.Type)}
		}
	}
	abs := abstract(m, d.TypeParams, args)
	inst := m.instantiate(d, abs)
	info := m.info(e.Info)
	if len(abs.actuals) == 0 {
		return &types.Ref{Info: info, Sym: inst.sym}
	}
	sizes := make([]types.Exp, len(abs.actuals))
	for i, d := range abs.actuals {
		sizes[i] = types.SizeToExp(d, e.At)
	}
	fun := &types.Ref{Info: types.Info{Type: inst.sym.Type, At: e.At}, Sym: inst.sym}
	return &types.Apply{Info: info, Fun: fun, Args: sizes}
}

func (m *mono) info(i types.Info) types.Info {
	return types.Info{Type: m.typ(i.Type), Ext: i.Ext, At: i.At}
}

// instantiate returns the copy of d for the given arguments, making it if need be.
func (m *mono) instantiate(d *types.Def, abs abstraction) *instance {
	k := key{d.Sym, abs.key}
	if inst, ok := m.instances[k]; ok {
		return inst
	}
	c := types.Copier{Fresh: m.fresh, Subst: abs.subst}
	sym := m.fresh(d.Sym, nil)
	sym.Name = m.name(d.Sym.Name)
	inst := &instance{sym: sym, value: len(d.Params) == 0 && len(abs.formals) == 0}
	m.instances[k] = inst

	out := c.Def(d, sym)
	out.TypeParams, out.Entry = nil, nil
	out.Params = append(sizeParams(abs.formals, d.At), out.Params...)
	sym.Type = types.Represent(c.Subst.Type(d.Sym.Type))
	sym.Type = types.FuncOver(abs.formals, sym.Type)
	if s := m.scopeOf(d); s != nil {
		m.rewriteDef(out)
		s.copies = append(s.copies, out)
	} else {
		m.finishInstance(out)
	}
	return inst
}

// finishInstance finishes a top-level copy outside all local scopes: its body sees none of them.
func (m *mono) finishInstance(d *types.Def) {
	local := m.local
	m.local = nil
	m.finish(d)
	m.local = local
}

// name gives a definition a name that no other has.
func (m *mono) name(base string) string {
	for {
		n := m.names[base]
		m.names[base] = n + 1
		if n == 0 {
			return base
		}
		if name := base + "_" + strconv.Itoa(n); m.names[name] == 0 {
			m.names[name] = 1
			return name
		}
	}
}

func sizeParams(formals []*types.Symbol, at source.Span) []*types.Param {
	params := make([]*types.Param, len(formals))
	for i, s := range formals {
		params[i] = &types.Param{Pat: &types.VarPat{PatInfo: types.PatInfo{Type: types.I64, At: at}, Sym: s}}
	}
	return params
}
