package defunctionalise

import (
	"skald/frontend/types"
)

// builtin rewrites a use of an intrinsic. Its function arguments become lambdas that call the definition; a closure's record is
// bound in front of the intrinsic, so that it is made once.
func (f *defun) builtin(e *types.Builtin) types.Exp {
	out := &types.Builtin{Info: f.info(e.Info, nil), Fn: e.Fn, TypeArgs: e.TypeArgs, Args: make([]types.Exp, len(e.Args))}
	var lets []*types.Let
	for i, a := range e.Args {
		arrow, ok := types.Force(a.Base().Type).(*types.Arrow)
		if !ok {
			out.Args[i] = f.first(a)
			continue
		}
		fun, s := f.exp(a)
		fun, let := f.named(fun)
		if let != nil {
			lets = append(lets, let)
		}
		out.Args[i] = f.lambda(fun, s, arrow, e.Fn.FunctionArity(i))
	}
	var whole types.Exp = out
	for i := len(lets) - 1; i >= 0; i-- {
		whole = in(lets[i], whole)
	}
	return whole
}

// named returns a variable for the value of e, and the Let, still without its body, that binds it; none is needed where e is a variable
// or an empty record.
func (f *defun) named(e types.Exp) (types.Exp, *types.Let) {
	switch e := e.(type) {
	case *types.Ref:
		return e, nil
	case *types.RecordLit:
		if len(e.Fields) == 0 {
			return e, nil
		}
	default:
	}
	at := e.Base().At
	sym := f.supply.Local("closure", e.Base().Type, at)
	let := bindSizes(&types.Let{Pat: &types.VarPat{PatInfo: types.PatInfo{Type: sym.Type, At: at}, Sym: sym}, Exp: e})
	return &types.Ref{Info: types.Info{Type: sym.Type, At: at}, Sym: sym}, let
}

// in completes a Let that named has made; nil stands for none.
func in(let *types.Let, body types.Exp) types.Exp {
	if let == nil {
		return body
	}
	let.Info, let.Body = types.Info{Type: body.Base().Type, At: body.Base().At}, body
	return let
}

// lambda makes `\x y ... -> fun x y ...` with arity parameters, whose types are the arrow's; s is what is known of fun.
func (f *defun) lambda(fun types.Exp, s static, arrow *types.Arrow, arity int) types.Exp {
	at := fun.Base().At
	var params []*types.Param
	var args []arg
	ret := types.RetType{Type: arrow}
	subst := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
	for range arity {
		a := types.Force(ret.Type).(*types.Arrow)
		sym := f.supply.Like(&types.Symbol{Name: "x", At: at}, subst.Type(a.Param))
		if a.Name != nil {
			sym.Name = a.Name.Name
			subst.Sizes[a.Name] = &types.SizeName{Sym: sym}
		}
		info := types.PatInfo{Type: sym.Type, At: at}
		params = append(params, &types.Param{Pat: &types.VarPat{PatInfo: info, Sym: sym}})
		args = append(args, arg{&types.Ref{Info: types.Info{Type: sym.Type, At: at}, Sym: sym}, nil})
		ret = a.Ret
	}
	ext := make([]*types.Symbol, len(ret.Ext))
	inner := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
	for i, s := range ret.Ext {
		ext[i] = f.supply.Like(s, s.Type)
		inner.Sizes[s] = &types.SizeName{Sym: ext[i]}
	}
	result := subst.Type(ret.Type)
	body, _ := f.applyTo(fun, s, args, types.Info{Type: inner.Type(result), Ext: ext, At: at})
	whole := types.Info{Type: subst.Type(arrow), At: at}
	return &types.Lambda{Info: whole, Params: params, Ret: types.RetType{Ext: ret.Ext, Type: result}, Body: body}
}
