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
		c, ok := s.(*closure)
		if !ok {
			f.ctx.Limit(a.Base().At, "the function passed to %s would have to be chosen at run time", e.Fn)
			continue
		}
		if _, isRef := fun.(*types.Ref); !isRef && len(c.args) > 0 {
			let := f.bindClosure(fun, c)
			lets = append(lets, let)
			sym := let.Pat.(*types.VarPat).Sym
			fun = &types.Ref{Info: types.Info{Type: sym.Type, At: a.Base().At}, Sym: sym}
		}
		out.Args[i] = f.lambda(fun, c, arrow, e.Fn.FunctionArity(i))
	}
	var whole types.Exp = out
	for i := len(lets) - 1; i >= 0; i-- {
		lets[i].Info = types.Info{Type: out.Type, At: e.At}
		lets[i].Body = whole
		whole = lets[i]
	}
	return whole
}

func (f *defun) bindClosure(fun types.Exp, c *closure) *types.Let {
	at := fun.Base().At
	sym := f.fresh(&types.Symbol{Name: "closure", At: at}, c.typ(nil))
	return bindSizes(&types.Let{Pat: &types.VarPat{PatInfo: types.PatInfo{Type: sym.Type, At: at}, Sym: sym}, Exp: fun})
}

// lambda makes `\x y ... -> c x y ...` with arity parameters, whose types are the arrow's.
func (f *defun) lambda(fun types.Exp, c *closure, arrow *types.Arrow, arity int) types.Exp {
	at := fun.Base().At
	var params []*types.Param
	var args []arg
	ret := types.RetType{Type: arrow}
	subst := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
	for range arity {
		a := types.Force(ret.Type).(*types.Arrow)
		sym := f.fresh(&types.Symbol{Name: "x", At: at}, subst.Type(a.Param))
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
		ext[i] = f.fresh(s, s.Type)
		inner.Sizes[s] = &types.SizeName{Sym: ext[i]}
	}
	result := subst.Type(ret.Type)
	body, _ := f.callClosure(fun, c, args, types.Info{Type: inner.Type(result), Ext: ext, At: at})
	whole := types.Info{Type: subst.Type(arrow), At: at}
	return &types.Lambda{Info: whole, Params: params, Ret: types.RetType{Ext: ret.Ext, Type: result}, Body: body}
}
