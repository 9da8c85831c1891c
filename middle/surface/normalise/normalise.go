package normalise

import (
	"slices"

	"skald/frontend/types"
	"skald/middle/pass"
)

// Pass is the pass: a checked program to one in which Lets bind all existential sizes.
var Pass = pass.Pass[*types.Prog, *types.Prog]{
	Name: "normalise",
	Doc:  "bind existential sizes by lets, and flatten nested lets",
	Run:  func(_ *pass.Context, p *types.Prog) *types.Prog { return Run(p) },
}

// Run normalises p.
func Run(p *types.Prog) *types.Prog {
	n := &normaliser{supply: types.NewSupply(p)}
	out := &types.Prog{Defs: make([]*types.Def, len(p.Defs))}
	for i, d := range p.Defs {
		out.Defs[i] = n.def(d)
	}
	out.NumSymbols = n.supply.NumSymbols()
	return out
}

// normaliser is the state of one run. Its pending bindings are those of the innermost block that is being rewritten.
type normaliser struct {
	supply  *types.Supply
	pending []binding
	// attrs are the attributes around the expression that is being rewritten: what floats out of them keeps them.
	attrs []types.Attr
}

// binding is a Let or LetFun without its body.
type binding struct {
	let *types.Let
	fun *types.LetFun
}

func (n *normaliser) def(d *types.Def) *types.Def {
	out := *d
	out.Body = n.block(d.Body)
	return &out
}

// block rewrites an expression with a scope of its own.
func (n *normaliser) block(e types.Exp) types.Exp {
	pending, attrs := n.pending, n.attrs
	n.pending, n.attrs = nil, nil
	body := n.exp(e)
	for i := len(n.pending) - 1; i >= 0; i-- {
		body = n.pending[i].around(body)
	}
	n.pending, n.attrs = pending, attrs
	return body
}

func (b binding) around(body types.Exp) types.Exp {
	info := types.Info{Type: body.Base().Type, At: body.Base().At}
	if b.fun != nil {
		return &types.LetFun{Info: info, Def: b.fun.Def, Body: body}
	}
	return &types.Let{Info: info, Sizes: b.let.Sizes, Pat: b.let.Pat, Exp: b.let.Exp, Body: body}
}

// emit binds a value in the current block.
func (n *normaliser) emit(sizes []*types.Symbol, pat types.Pat, e types.Exp) {
	for i := len(n.attrs) - 1; i >= 0; i-- {
		e = &types.Attributed{Info: noExt(e.Base()), Attr: n.attrs[i], Exp: e}
	}
	n.pending = append(n.pending, binding{let: &types.Let{Sizes: sizes, Pat: pat, Exp: e}})
}

func noExt(i *types.Info) types.Info { return types.Info{Type: i.Type, At: i.At} }

// exp rewrites an expression into one without Ext, whose Lets are in the current block.
func (n *normaliser) exp(e types.Exp) types.Exp {
	out, ext := n.naked(e)
	if len(ext) == 0 {
		return out
	}
	sym := n.supply.Local("t", e.Base().Type, e.Base().At)
	n.emit(ext, &types.VarPat{PatInfo: types.PatInfo{Type: sym.Type, At: sym.At}, Sym: sym}, out)
	return &types.Ref{Info: types.Info{Type: sym.Type, At: sym.At}, Sym: sym}
}

// naked rewrites an expression, and returns the sizes that it makes and that the caller has to bind.
func (n *normaliser) naked(e types.Exp) (types.Exp, []*types.Symbol) {
	ext := e.Base().Ext
	out := n.parts(e)
	if len(ext) > 0 && len(out.Base().Ext) > 0 {
		out.Base().Ext = nil
	}
	return out, ext
}

// parts rewrites what e consists of.
func (n *normaliser) parts(e types.Exp) types.Exp {
	switch e := e.(type) {
	case *types.Let:
		bound, ext := n.naked(e.Exp)
		n.emit(append(ext[:len(ext):len(ext)], e.Sizes...), e.Pat, bound)
		return n.exp(e.Body)
	case *types.LetFun:
		n.pending = append(n.pending, binding{fun: &types.LetFun{Def: n.def(e.Def)}})
		return n.exp(e.Body)
	case *types.Assert:
		return n.assert(e)
	case *types.Attributed:
		if e.Attr.Name == "trace" { // It asks for the value, and not for what is computed on the way.
			return &types.Attributed{Info: e.Info, Attr: e.Attr, Exp: n.exp(e.Exp)}
		}
		n.attrs = append(n.attrs, e.Attr)
		inner := n.exp(e.Exp)
		n.attrs = n.attrs[:len(n.attrs)-1]
		return &types.Attributed{Info: e.Info, Attr: e.Attr, Exp: inner}
	case *types.If:
		return &types.If{Info: e.Info, Cond: n.exp(e.Cond), Then: n.block(e.Then), Else: n.block(e.Else)}
	case *types.Lambda:
		return &types.Lambda{Info: e.Info, Params: e.Params, Ret: e.Ret, Body: n.block(e.Body)}
	case *types.Match:
		cases := make([]types.Case, len(e.Cases))
		scrutinee := n.exp(e.Exp)
		for i, c := range e.Cases {
			cases[i] = types.Case{Pat: c.Pat, Body: n.block(c.Body), At: c.At}
		}
		return &types.Match{Info: e.Info, Exp: scrutinee, Cases: cases}
	case *types.Loop:
		return n.loop(e)
	case *types.Apply:
		args := n.arguments(e.Args)
		return &types.Apply{Info: e.Info, Fun: n.exp(e.Fun), Args: args}
	case *types.Ref:
		return n.ref(e)
	case *types.Coerce:
		info := e.Info
		inner := n.exp(e.Exp)
		info.Type = types.MapSizes(info.Type, n.size)
		return &types.Coerce{Info: info, Exp: inner}
	case *types.Builtin:
		return &types.Builtin{Info: e.Info, Fn: e.Fn, TypeArgs: e.TypeArgs, Args: n.arguments(e.Args)}
	default:
		return types.MapExp(e, types.Mapper{Exp: n.exp})
	}
}

// arguments rewrites arguments from the last to the first: see Note [Order of evaluation] in package types.
func (n *normaliser) arguments(args []types.Exp) []types.Exp {
	out := make([]types.Exp, len(args))
	for i := len(args) - 1; i >= 0; i-- {
		out[i] = n.exp(args[i])
	}
	return out
}

// ref rewrites the sizes that a polymorphic function is given.
func (n *normaliser) ref(e *types.Ref) types.Exp {
	makesSizes := func(a types.TypeArg) bool { return a.Size != nil && types.MakesSizes(a.Size) }
	if !slices.ContainsFunc(e.Args, makesSizes) {
		return e
	}
	out := &types.Ref{Info: e.Info, Sym: e.Sym, Args: slices.Clone(e.Args)}
	for i, a := range e.Args {
		if makesSizes(a) {
			out.Args[i].Size = n.size(a.Size)
		}
	}
	return out
}

// size rewrites a size that is going to be computed: what makes sizes in it is bound by lets, too. The same expression may be in other
// types, so this is a copy of it.
func (n *normaliser) size(d types.Size) types.Size {
	if !types.MakesSizes(d) {
		return d
	}
	c := types.Copier{Fresh: n.supply.Like}
	return types.ExpToSize(n.exp(c.Exp(d.(*types.SizeExp).Exp)))
}

// assert binds the check before what it guards, so that what floats out of the body stays behind the check.
func (n *normaliser) assert(e *types.Assert) types.Exp {
	unit := &types.RecordLit{Info: types.Info{Type: types.Unit, At: e.At}}
	check := &types.Assert{Info: types.Info{Type: types.Unit, At: e.At}, Cond: n.exp(e.Cond), Body: unit, Text: e.Text}
	ok := n.supply.Local("ok", types.Unit, e.At) // With a name, since checkers leave out assertions whose value has none.
	n.emit(nil, &types.VarPat{PatInfo: types.PatInfo{Type: types.Unit, At: e.At}, Sym: ok}, check)
	return n.exp(e.Body)
}

func (n *normaliser) loop(e *types.Loop) types.Exp {
	out := &types.Loop{Info: e.Info, Sizes: e.Sizes, Pat: e.Pat, Init: n.exp(e.Init)}
	switch f := e.Form.(type) {
	case *types.For:
		out.Form = &types.For{Sym: f.Sym, Bound: n.exp(f.Bound)}
	case *types.ForIn:
		out.Form = &types.ForIn{Pat: f.Pat, Array: n.exp(f.Array)}
	case *types.While:
		out.Form = &types.While{Cond: n.block(f.Cond)}
	default:
		panic("normalise: unknown form of loop")
	}
	out.Body = n.block(e.Body)
	return out
}
