package lift

import (
	"skald/frontend/types"
	"skald/middle/pass"
)

// Pass is the pass: a typed program with local functions to one without.
var Pass = pass.Pass[*types.Prog, *types.Prog]{
	Name: "lift",
	Doc:  "make lambdas and local functions top-level definitions that take their free variables",
	Run:  func(_ *pass.Context, p *types.Prog) *types.Prog { return Run(p) },
}

// Run lifts all local functions of p.
func Run(p *types.Prog) *types.Prog {
	l := &lifter{supply: types.NewSupply(p), lifted: map[*types.Symbol]lifted{}, global: map[*types.Symbol]bool{}}
	for _, d := range p.Defs {
		if d.IsConstant() {
			for _, size := range d.Ret.Ext {
				l.global[size] = true
			}
		}
		d.Sym.Type = l.typ(d.Sym.Type)
		out := types.MapDef(d, l.mapper())
		for i, param := range d.Params {
			out.Params[i].Sizes = param.Sizes
		}
		if d.Entry != nil {
			out.Entry = d.Entry.MapSizes(l.size)
		}
		l.out = append(l.out, out)
	}
	return &types.Prog{Defs: l.out, NumSymbols: l.supply.NumSymbols()}
}

// lifter is the state of one run.
type lifter struct {
	supply *types.Supply
	out    []*types.Def
	lifted map[*types.Symbol]lifted
	// global holds the existential sizes of constants, which are in scope everywhere.
	global map[*types.Symbol]bool
}

// lifted says what stands for a local function: the top-level symbol, and the variables to apply it to.
type lifted struct {
	sym  *types.Symbol
	free []*types.Symbol
}

func (l *lifter) mapper() types.Mapper {
	return types.Mapper{Exp: l.exp, Type: l.typ, Size: l.size, Pat: l.pat}
}

// pat rewrites the types of a pattern and of the variables that it binds: sizes in them may be expressions with functions inside, among
// them local functions that are lifted by now.
func (l *lifter) pat(p types.Pat) types.Pat {
	if v, ok := p.(*types.VarPat); ok {
		v.Sym.Type = l.typ(v.Sym.Type)
	}
	return types.MapPat(p, l.mapper())
}

func (l *lifter) typ(t types.Type) types.Type { return types.MapSizes(t, l.size) }

func (l *lifter) size(d types.Size) types.Size {
	if e, ok := d.(*types.SizeExp); ok {
		return types.ExpToSize(l.exp(e.Exp))
	}
	return d
}

func (l *lifter) info(i types.Info) types.Info {
	return types.Info{Type: l.typ(i.Type), Ext: i.Ext, At: i.At}
}

func (l *lifter) exp(e types.Exp) types.Exp {
	switch e := e.(type) {
	case *types.Ref:
		if f, ok := l.lifted[e.Sym]; ok {
			return f.use(l.info(e.Info))
		}
		return &types.Ref{Info: l.info(e.Info), Sym: e.Sym, Args: e.Args}
	case *types.Apply:
		return flatten(types.MapExp(e, l.mapper()).(*types.Apply))
	case *types.LetFun:
		d, lets := l.narrowed(e.Def)
		if len(lets) > 0 {
			return l.exp(before(lets, &types.LetFun{Info: e.Info, Def: d, Body: e.Body}))
		}
		l.lifted[d.Sym] = l.lift(d, d.Recursive)
		return l.exp(e.Body)
	case *types.Lambda:
		d := &types.Def{
			Sym:    &types.Symbol{Name: "lambda", Kind: types.Global, Type: e.Type, At: e.At},
			Params: e.Params, Ret: e.Ret, Body: e.Body, At: e.At,
		}
		d, lets := l.narrowed(d)
		return before(lets, l.lift(d, plainDef).use(l.info(e.Info)))
	default:
		return types.MapExp(e, l.mapper())
	}
}

// use is the application that stands for the lifted function.
func (f lifted) use(info types.Info) types.Exp {
	if len(f.free) == 0 {
		return &types.Ref{Info: info, Sym: f.sym}
	}
	args := make([]types.Exp, len(f.free))
	for i, s := range f.free {
		args[i] = &types.Ref{Info: types.Info{Type: s.Type, At: info.At}, Sym: s}
	}
	fun := &types.Ref{Info: types.Info{Type: f.sym.Type, At: info.At}, Sym: f.sym}
	return &types.Apply{Info: info, Fun: fun, Args: args}
}

// flatten joins an application of an application into one.
func flatten(e *types.Apply) types.Exp {
	inner, ok := e.Fun.(*types.Apply)
	if !ok || len(inner.Ext) > 0 {
		return e
	}
	args := append(inner.Args[:len(inner.Args):len(inner.Args)], e.Args...)
	return &types.Apply{Info: e.Info, Fun: inner.Fun, Args: args}
}

// An argument of lift.
const plainDef = false

// lift puts a copy of d that takes its free variables into the output.
func (l *lifter) lift(d *types.Def, recursive bool) lifted {
	free := l.free(d)
	sym := l.supply.Like(d.Sym, nil)
	sym.Kind = types.Global
	f := lifted{sym, free}
	if recursive {
		l.lifted[d.Sym] = f
	}
	body := types.MapDef(d, l.mapper())
	for i, p := range d.Params {
		body.Params[i].Sizes = p.Sizes
	}

	c := types.Copier{Fresh: l.supply.Like}
	c.Bind(free)
	out := c.Def(body, sym)
	params := make([]*types.Param, len(free))
	for i, s := range free {
		to := c.Sym(s)
		to.Type = types.WithUnique(to.Type, types.NotUnique) // no function consumes what it captured
		params[i] = &types.Param{Pat: &types.VarPat{PatInfo: types.PatInfo{Type: to.Type, At: s.At}, Sym: to}}
	}
	sym.Type = typeOver(params, c.Subst.Type(l.typ(d.Sym.Type)))
	out.Params = append(params, out.Params...)
	l.out = append(l.out, out)
	return f
}

// typeOver returns the type of a function that takes params and then is of type t.
func typeOver(params []*types.Param, t types.Type) types.Type {
	for i := len(params) - 1; i >= 0; i-- {
		p := params[i].Pat.(*types.VarPat)
		t = &types.Arrow{Name: p.Sym, Param: p.Type, Ret: types.RetType{Type: t}}
	}
	return t
}
