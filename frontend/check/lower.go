package check

import (
	"skald/frontend/source"
	"skald/frontend/types"
)

// lowerIntrinsics makes Op and Builtin nodes of the applications of intrinsics in d; see Note [Intrinsics].
func (in *infer) lowerIntrinsics(d *types.Def) {
	l := &lowerer{in}
	if len(in.aliases) == 0 {
		d.Body = l.exp(d.Body)
		return
	}
	// Sizes may mention aliases, too.
	out := l.def(d)
	d.Params, d.Ret, d.Body = out.Params, out.Ret, out.Body
	d.Sym.Type = l.typ(d.Sym.Type)
}

type lowerer struct{ *infer }

func (l *lowerer) mapper() types.Mapper {
	if len(l.aliases) == 0 {
		return types.Mapper{Exp: l.exp, Def: l.def}
	}
	m := types.Mapper{Type: l.typ}
	m.Pat = func(p types.Pat) types.Pat { return types.MapPat(p, m) }
	return types.Mapper{Exp: l.exp, Def: l.def, Type: l.typ, Size: l.size, Pat: m.Pat}
}

func (l *lowerer) def(d *types.Def) *types.Def { return types.MapDef(d, l.mapper()) }

// typ replaces aliases in the size expressions of a type.
func (l *lowerer) typ(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return types.MapSizes(t, l.size)
}

func (l *lowerer) size(d types.Size) types.Size {
	switch d := d.(type) {
	case *types.SizeExp:
		return types.ExpToSize(l.exp(d.Exp))
	case *types.SizeName:
		if a := l.aliases[d.Sym]; a != nil {
			return l.size(&types.SizeName{Sym: a.sym})
		}
	default:
	}
	return d
}

// unalias replaces a symbol that stands for another; see Note [Values through module types]. What is left is a Ref, or a lambda
// that finds hidden sizes.
func (l *lowerer) unalias(ref *types.Ref) types.Exp {
	for {
		a := l.aliases[ref.Sym]
		if a == nil {
			return ref
		}
		subst := types.Bind(ref.Sym.Params, ref.Args)
		if len(a.hidden) > 0 {
			return l.findHidden(a, ref, subst)
		}
		ref = &types.Ref{Info: ref.Info, Sym: a.sym, Args: substArgs(subst, a.args)}
	}
}

func substArgs(subst types.Subst, args []types.TypeArg) []types.TypeArg {
	out := make([]types.TypeArg, len(args))
	for i, a := range args {
		out[i] = subst.Arg(a)
	}
	return out
}

// findHidden makes a function that reads the sizes which an abstract type hides off its arguments and passes them on.
func (l *lowerer) findHidden(a *alias, ref *types.Ref, subst types.Subst) types.Exp {
	hidden := map[*types.Symbol]*types.Symbol{}
	for _, k := range a.hidden {
		hidden[k] = l.newSymbol(k.Name, types.SizeParam, types.I64, k.At)
		subst.Sizes[k] = &types.SizeName{Sym: hidden[k]}
	}
	var params []*types.Param
	var args []types.Exp
	ret := types.RetType{Type: a.typ}
	for {
		arrow, ok := types.Force(ret.Type).(*types.Arrow)
		if !ok {
			break
		}
		p, x := l.localVar("x", subst.Type(arrow.Param), ref.At)
		for _, k := range a.hidden {
			if hidden[k] != nil && shownSize(arrow.Param, k) {
				p.Sizes = append(p.Sizes, hidden[k])
				hidden[k] = nil
			}
		}
		params, args = append(params, p), append(args, x)
		if arrow.Name != nil {
			subst.Sizes[arrow.Name] = &types.SizeName{Sym: x.(*types.Ref).Sym}
		}
		ret = arrow.Ret
	}
	ret = subst.RetType(ret)
	info := types.Info{At: ref.At}
	fresh := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
	for _, k := range ret.Ext {
		sym := l.newSymbol(k.Name, types.ExtSize, types.I64, k.At)
		info.Ext = append(info.Ext, sym)
		fresh.Sizes[k] = &types.SizeName{Sym: sym}
	}
	info.Type = fresh.Type(types.WithUnique(ret.Type, types.NotUnique))
	inner := &types.Ref{Sym: a.sym, Args: substArgs(subst, a.args)}
	inner.Info = types.Info{Type: types.Bind(a.sym.Params, inner.Args).Type(a.sym.Type), At: ref.At}
	body := l.exp(&types.Apply{Info: info, Fun: inner, Args: args})
	return &types.Lambda{Info: ref.Info, Params: params, Ret: ret, Body: body}
}

func (l *lowerer) exp(e types.Exp) types.Exp {
	switch x := e.(type) {
	case *types.Apply:
		ref, ok := x.Fun.(*types.Ref)
		if !ok {
			break
		}
		ref, ok = l.unalias(ref).(*types.Ref)
		if !ok {
			break
		}
		if in := l.intrinsics[ref.Sym]; in != nil {
			args := make([]types.Exp, len(x.Args))
			for i, a := range x.Args {
				args[i] = l.exp(a)
			}
			return l.apply(in, ref, args, x.Info)
		}
	case *types.Ref:
		found := l.unalias(x)
		ref, ok := found.(*types.Ref)
		if !ok {
			return found
		}
		if in := l.intrinsics[ref.Sym]; in != nil {
			return l.eta(in, ref, nil, ref.Info)
		}
		e = ref
	default:
	}
	return types.MapExp(e, l.mapper())
}

// apply makes the node for an intrinsic with at least one argument.
func (l *lowerer) apply(in *intrinsic, ref *types.Ref, args []types.Exp, info types.Info) types.Exp {
	switch {
	case len(args) < in.arity:
		return l.eta(in, ref, args, info)
	case len(args) == in.arity:
		return node(in, ref, args, info)
	default:
		t := ref.Type
		for range in.arity {
			t = types.Force(t).(*types.Arrow).Ret.Type
		}
		fun := node(in, ref, args[:in.arity], types.Info{Type: t, At: info.At})
		return &types.Apply{Info: info, Fun: fun, Args: args[in.arity:]}
	}
}

func node(in *intrinsic, ref *types.Ref, args []types.Exp, info types.Info) types.Exp {
	if in.fn == types.NoIntrinsic {
		return &types.Op{Info: info, Op: in.op, Args: args}
	}
	return &types.Builtin{Info: info, Fn: in.fn, TypeArgs: ref.Args, Args: args}
}

// eta makes a lambda for the arguments that are missing; those given are evaluated first, once.
func (l *lowerer) eta(in *intrinsic, ref *types.Ref, given []types.Exp, info types.Info) types.Exp {
	args := make([]types.Exp, len(given), in.arity)
	var lets []*types.Let
	for i, a := range given {
		args[i] = a
		if _, isLambda := a.(*types.Lambda); isLambda || isAtom(a) {
			continue
		}
		p, x := l.localVar("a", a.Base().Type, a.Base().At)
		lets = append(lets, &types.Let{Pat: p.Pat, Exp: a})
		args[i] = x
	}
	var params []*types.Param
	ret := types.RetType{Type: info.Type}
	subst := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
	for len(args) < in.arity {
		arrow := types.Force(ret.Type).(*types.Arrow)
		p, x := l.localVar("x", subst.Type(arrow.Param), info.At)
		params = append(params, p)
		args = append(args, x)
		if arrow.Name != nil {
			subst.Sizes[arrow.Name] = &types.SizeName{Sym: x.(*types.Ref).Sym}
		}
		ret = arrow.Ret
	}
	body := l.etaBody(in, ref, args, subst.RetType(ret), info.At)
	var out types.Exp = &types.Lambda{
		Info: types.Info{Type: info.Type, At: info.At}, Params: params, Ret: subst.RetType(ret), Body: body,
	}
	for i := len(lets) - 1; i >= 0; i-- {
		lets[i].Info = types.Info{Type: info.Type, At: info.At}
		lets[i].Body = out
		out = lets[i]
	}
	return out
}

// etaBody is the saturated intrinsic, with existential sizes of its own.
func (l *lowerer) etaBody(in *intrinsic, ref *types.Ref, args []types.Exp, ret types.RetType,
	at source.Span,
) types.Exp {
	fresh := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
	info := types.Info{At: at}
	for _, k := range ret.Ext {
		sym := l.newSymbol(k.Name, types.ExtSize, types.I64, k.At)
		info.Ext = append(info.Ext, sym)
		fresh.Sizes[k] = &types.SizeName{Sym: sym}
	}
	info.Type = fresh.Type(types.WithUnique(ret.Type, types.NotUnique))
	return node(in, ref, args, info)
}
