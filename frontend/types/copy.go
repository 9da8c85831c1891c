package types

import "fmt"

// Copier makes copies of definitions and expressions in which type parameters and size symbols are replaced and every binder is fresh,
// so that a copy can stand beside its original without a symbol being bound twice.
type Copier struct {
	// Subst is applied to all types and sizes, and to references to size symbols.
	Subst Subst
	// Fresh makes a new symbol like s, with type t.
	Fresh func(s *Symbol, t Type) *Symbol

	syms map[*Symbol]*Symbol
}

// Def copies d, as the definition of sym: its parameters, result and body. In the body of a recursive definition d's own symbol stays.
func (c *Copier) Def(d *Def, sym *Symbol) *Def {
	c.bindAll(Binders(d))
	return c.def(d, sym)
}

// Exp copies an expression with all that it binds.
func (c *Copier) Exp(e Exp) Exp {
	c.bindAll(ExpBinders(e))
	return c.exp(e)
}

// Keep lets binders stay as they are: the copy will stand in place of the original.
func (c *Copier) Keep(ss []*Symbol) {
	if c.Subst.Sizes == nil {
		c.Subst.Sizes = map[*Symbol]Size{}
	}
	for _, s := range ss {
		c.Subst.Sizes[s] = &SizeName{s}
	}
}

// Bind makes fresh symbols for ss, which are free in what will be copied.
func (c *Copier) Bind(ss []*Symbol) { c.bindAll(ss) }

func (c *Copier) set(from, to *Symbol) {
	if c.syms == nil {
		c.syms = map[*Symbol]*Symbol{}
	}
	c.syms[from] = to
}

// bindAll makes a fresh symbol for each binder first and sets their types afterwards, because types mention symbols.
func (c *Copier) bindAll(binders []*Symbol) {
	if c.Subst.Sizes == nil {
		c.Subst.Sizes = map[*Symbol]Size{}
	}
	for _, s := range binders {
		if _, done := c.syms[s]; done {
			continue
		}
		if _, replaced := c.Subst.Sizes[s]; replaced {
			continue
		}
		to := c.Fresh(s, s.Type)
		c.set(s, to)
		c.Subst.Sizes[s] = &SizeName{to}
	}
	for _, s := range binders {
		if to, ok := c.syms[s]; ok && s.Type != nil {
			to.Type = c.Subst.Type(s.Type)
		}
	}
}

// Sym returns what stands for s in the copy.
func (c *Copier) Sym(s *Symbol) *Symbol {
	if to, ok := c.syms[s]; ok {
		return to
	}
	return s
}

func (c *Copier) symList(ss []*Symbol) []*Symbol {
	if len(ss) == 0 {
		return nil
	}
	out := make([]*Symbol, len(ss))
	for i, s := range ss {
		out[i] = c.Sym(s)
	}
	return out
}

func (c *Copier) mapper() Mapper {
	return Mapper{Exp: c.exp, Type: c.typ, Size: c.size, Pat: c.pat, Def: func(d *Def) *Def { return c.def(d, c.Sym(d.Sym)) }}
}

func (c *Copier) typ(t Type) Type  { return c.Subst.Type(t) }
func (c *Copier) size(d Size) Size { return c.Subst.Size(d) }
func (c *Copier) ret(r RetType) RetType {
	return RetType{c.symList(r.Ext), c.typ(r.Type)}
}

func (c *Copier) pat(p Pat) Pat {
	if v, ok := p.(*VarPat); ok {
		return &VarPat{PatInfo{c.typ(v.Type), v.At}, c.Sym(v.Sym)}
	}
	return MapPat(p, c.mapper())
}

func (c *Copier) def(d *Def, sym *Symbol) *Def {
	out := MapDef(d, c.mapper())
	out.Sym = sym
	out.Ret = c.ret(d.Ret)
	if d.Entry != nil {
		out.Entry = c.entry(d.Entry)
	}
	for i, p := range d.Params {
		out.Params[i].Sizes = c.symList(p.Sizes)
	}
	out.TypeParams = c.typeParams(d.TypeParams)
	return out
}

// typeParams copies size parameters; a type parameter is the same in the copy.
func (c *Copier) typeParams(ps []*TypeParam) []*TypeParam {
	if len(ps) == 0 {
		return nil
	}
	out := make([]*TypeParam, len(ps))
	for i, p := range ps {
		out[i] = p
		if p.IsSize() {
			out[i] = &TypeParam{Name: p.Name, Size: c.Sym(p.Size), Lifted: p.Lifted, At: p.At}
		}
	}
	return out
}

// entry copies what an entry point shows; it keeps abstract types, whose names the outside sees.
func (c *Copier) entry(e *Entry) *Entry {
	out := *e
	out.Params = make([]EntryParam, len(e.Params))
	for i, p := range e.Params {
		p.Type = c.typ(p.Type)
		out.Params[i] = p
	}
	out.Result.Type = c.typ(e.Result.Type)
	return &out
}

func (c *Copier) exp(e Exp) Exp {
	if ref, ok := e.(*Ref); ok {
		return c.ref(ref)
	}
	out := MapExp(e, c.mapper())
	base := out.Base()
	base.Ext = c.symList(base.Ext)
	switch out := out.(type) {
	case *Let:
		out.Sizes = c.symList(out.Sizes)
	case *Loop:
		out.Sizes = c.symList(out.Sizes)
		if f, ok := out.Form.(*For); ok {
			f.Sym = c.Sym(f.Sym)
		}
	case *Lambda:
		out.Ret = c.ret(e.(*Lambda).Ret)
		for i, p := range e.(*Lambda).Params {
			out.Params[i].Sizes = c.symList(p.Sizes)
		}
	default:
	}
	return out
}

func (c *Copier) ref(e *Ref) Exp {
	if to, ok := c.syms[e.Sym]; ok {
		out := MapExp(e, c.mapper()).(*Ref)
		out.Sym = to
		return out
	}
	if to, ok := c.Subst.Sizes[e.Sym]; ok && len(e.Args) == 0 {
		return SizeToExp(to, e.At)
	}
	return MapExp(e, c.mapper())
}

// Binders returns every symbol bound inside d, its own symbol excepted: size parameters, parameters, result sizes, and all
// that its body binds.
func Binders(d *Def) []*Symbol { return append(headBinders(d), ExpBinders(d.Body)...) }

func headBinders(d *Def) []*Symbol {
	var syms []*Symbol
	for _, p := range d.TypeParams {
		if p.IsSize() {
			syms = append(syms, p.Size)
		}
	}
	syms = append(syms, paramBinders(d.Params)...)
	return append(syms, d.Ret.Ext...)
}

func paramBinders(ps []*Param) []*Symbol {
	var syms []*Symbol
	for _, p := range ps {
		syms = append(syms, p.Sizes...)
		syms = append(syms, PatSymbols(p.Pat)...)
	}
	return syms
}

// ExpBinders returns every symbol that e or an expression below it binds.
func ExpBinders(e Exp) []*Symbol {
	var syms []*Symbol
	Walk(e, func(e Exp) bool {
		syms = append(syms, BoundHere(e)...)
		if f, ok := e.(*LetFun); ok {
			syms = append(syms, headBinders(f.Def)...)
		}
		return true
	})
	return syms
}

func formBinders(f LoopForm) []*Symbol {
	switch f := f.(type) {
	case *For:
		return []*Symbol{f.Sym}
	case *ForIn:
		return PatSymbols(f.Pat)
	case *While:
		return nil
	default:
		panic(fmt.Sprintf("types.ExpBinders: %T", f))
	}
}
