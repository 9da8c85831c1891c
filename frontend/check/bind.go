package check

import (
	"fmt"

	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

func (in *infer) lambda(s *scope, e *syntax.Lambda) types.Exp {
	params, inner := in.params(s, nil, e.Params)
	ret := in.declaredResult(inner, e.Result, e.At)
	body := in.exp(inner, e.Body)
	in.checkResult(ret, body)
	out := &types.Lambda{Info: types.Info{At: e.At}, Params: params, Ret: ret, Body: body}
	out.Type = arrowType(params, body.Base().Type)
	return out
}

// params elaborates parameters; each sees the names of those before it. sizes are the size parameters beside them.
func (in *infer) params(s *scope, sizes []*types.TypeParam, ps []syntax.Pat) ([]*types.Param, *scope) {
	out := make([]*types.Param, len(ps))
	seen := map[string]source.Span{}
	for _, p := range sizes {
		if p.IsSize() {
			seen[p.Name] = p.At
		}
	}
	for i, p := range ps {
		scope := &patScope{scope: s, seen: seen}
		out[i] = &types.Param{Pat: in.pat(scope, s, p)}
		in.mustMatch(out[i].Pat)
		s = scope.scope
	}
	return out, s
}

// declaredResult reads the declared type of the result of the function at a place, if it has one.
func (in *infer) declaredResult(s *scope, te syntax.TypeExp, at source.Span) types.RetType {
	if te == nil {
		return types.RetType{}
	}
	if in.declared == nil {
		in.declared = map[source.Span]bool{}
	}
	in.declared[at] = true
	t, ext := in.typeExp(s, te)
	return types.RetType{Ext: ext, Type: t}
}

// checkResult makes the declared type of a result that of the body.
func (in *infer) checkResult(ret types.RetType, body types.Exp) {
	if ret.Type == nil {
		return
	}
	in.equate(body.Base().At, strip(ret.Type), body.Base().Type, func() string {
		return "Function body does not have expected type.\n" + expected(ret.Type, body.Base().Type)
	})
}

// arrowType is the type of a function, up to sizes. Parameters keep their names, since sizes may turn out to mention
// them.
func arrowType(params []*types.Param, ret types.Type) types.Type {
	for i := len(params) - 1; i >= 0; i-- {
		p := params[i].Pat
		ret = &types.Arrow{Name: types.Variable(p), Param: patType(p), Ret: types.RetType{Type: ret}}
	}
	return ret
}

func (in *infer) letPat(s *scope, e *syntax.LetPat) types.Exp {
	value := in.exp(s, e.Value)
	inner := s
	var sizes []*types.Symbol
	for _, n := range e.Sizes {
		sym := in.newSymbol(n.Text, types.SizeParam, types.I64, n.At)
		sizes = append(sizes, sym)
		inner = in.bind(inner, n, &binding{sym: sym, at: n.At})
	}
	ps := &patScope{scope: inner, seen: map[string]source.Span{}}
	for _, n := range e.Sizes {
		ps.seen[n.Text] = n.At
	}
	pat := in.pat(ps, inner, e.Pat)
	inner = ps.scope
	in.equate(e.Pat.Span(), patType(pat), value.Base().Type, func() string {
		return fmt.Sprintf("Invalid pattern\n  %s\nIt cannot match value of type\n  %s", e.Pat.Span().Brief(),
			show(value.Base().Type))
	})
	in.mustMatch(pat)
	if len(types.PatSymbols(pat)) == 0 {
		value = in.withoutAsserts(value)
	}
	body := in.exp(inner.mergedUpTo(s), e.Body)
	return &types.Let{
		Info: types.Info{Type: body.Base().Type, At: e.At}, Sizes: sizes, Pat: pat, Exp: value,
		Body: body,
	}
}

// withoutAsserts leaves out the assertions whose values are the value of e, which no name is bound to: the language says that
// an assertion may go where nothing uses what it guards, and programs rely on it.
func (in *infer) withoutAsserts(e types.Exp) types.Exp {
	switch e := e.(type) {
	case *types.Assert:
		in.warn(e.At, "unused-assertion", "This assertion is left out: nothing uses the value that it guards.")
		return in.withoutAsserts(e.Body)
	case *types.If:
		e.Then, e.Else = in.withoutAsserts(e.Then), in.withoutAsserts(e.Else)
	case *types.Match:
		for i, c := range e.Cases {
			e.Cases[i].Body = in.withoutAsserts(c.Body)
		}
	case *types.Let:
		e.Body = in.withoutAsserts(e.Body)
	case *types.LetFun:
		e.Body = in.withoutAsserts(e.Body)
	case *types.Attributed:
		e.Exp = in.withoutAsserts(e.Exp)
	default:
	}
	return e
}

func (in *infer) letFun(s *scope, e *syntax.LetFun) types.Exp {
	typeParams, inner := in.typeParams(s, e.TypeParams)
	in.level++
	for _, p := range typeParams {
		if !p.IsSize() {
			if in.paramLevels == nil {
				in.paramLevels = map[*types.TypeParam]int{}
			}
			in.paramLevels[p] = in.level
		}
	}
	params, inner := in.params(inner, typeParams, e.Params)
	ret := in.declaredResult(inner, e.Result, e.At)
	value := in.exp(inner, e.Value)
	in.level--
	in.checkResult(ret, value)
	sym := in.newSymbol(e.Name.Text, types.Local, arrowType(params, value.Base().Type), e.Name.At)
	sym.Params = typeParams
	def := &types.Def{Sym: sym, TypeParams: typeParams, Params: params, Ret: ret, Body: value, At: e.At}
	bound := in.bind(s, e.Name, &binding{sym: sym, at: e.Name.At})
	in.noteLocal(bound.one, e.Name)
	body := in.exp(bound, e.Body)
	return &types.LetFun{Info: types.Info{Type: body.Base().Type, At: e.At}, Def: def, Body: body}
}

// typeParams binds type and size parameters.
func (in *infer) typeParams(s *scope, ps []*syntax.TypeParam) ([]*types.TypeParam, *scope) {
	if len(ps) == 0 {
		return nil, s
	}
	inner := newScope(s)
	out := make([]*types.TypeParam, len(ps))
	seen := map[string]source.Span{}
	for i, p := range ps {
		key := p.Name.Text
		if p.Size {
			key = "[" + key + "]"
		}
		if prev, ok := seen[key]; ok {
			in.failNote(p.At, "duplicate-name", prev, "Two type parameters are called \"%s\".", p.Name.Text)
		}
		seen[key] = p.At
		out[i] = &types.TypeParam{Name: p.Name.Text, At: p.At, Lifted: liftedness(p.Lift)}
		if p.Size {
			out[i].Size = in.newSymbol(p.Name.Text, types.SizeParam, types.I64, p.Name.At)
			size := &binding{sym: out[i].Size, at: p.Name.At, used: true}
			inner.setVal(p.Name.Text, size)
			in.mentionValue(p.Name, size)
		} else {
			t := &typeBinding{typ: &types.Var{Param: out[i]}, lifted: out[i].Lifted, at: p.Name.At}
			inner.setType(p.Name.Text, t)
			in.mentionType(p.Name, t)
		}
	}
	return out, inner
}

func liftedness(l syntax.Liftedness) types.Liftedness {
	return [...]types.Liftedness{types.Unlifted, types.SizeLifted, types.FullLifted}[l]
}

func (in *infer) letWith(s *scope, e *syntax.LetWith) types.Exp {
	src := in.variable(s, syntax.QualName{Name: e.Name})
	value := in.update(src, s, e.Path, e.Value, e.At)
	ps := &patScope{scope: s, seen: map[string]source.Span{}}
	pat := in.bindName(ps, e.Name, value.Base().Type)
	body := in.exp(ps.scope, e.Body)
	return &types.Let{Info: types.Info{Type: body.Base().Type, At: e.At}, Pat: pat, Exp: value, Body: body}
}

func (in *infer) ifExp(s *scope, e *syntax.If) types.Exp {
	cond := in.want(s, e.Cond, types.Bool, "The condition of an if must be a bool.")
	then, els := in.exp(s, e.Then), in.exp(s, e.Else)
	in.equate(e.Else.Span(), then.Base().Type, els.Base().Type, func() string {
		return fmt.Sprintf("Branches do not have the same type:\n  %s\nand\n  %s", show(then.Base().Type),
			show(els.Base().Type))
	})
	out := &types.If{Info: types.Info{Type: then.Base().Type, At: e.At}, Cond: cond, Then: then, Else: els}
	in.firstOrder(out.Type, e.At, "The branches of this `if` are of type\n  %s\nA result of `if` may "+
		"not be of function type, or contain one.")
	return out
}

// firstOrder rejects a result that may contain functions where none may.
func (in *infer) firstOrder(t types.Type, at source.Span, format string) {
	lower(t, types.SizeLifted)
	in.later(func() {
		if _, l := mostLifted(t); isFunctional(t) || l == types.FullLifted {
			in.fail(at, "functional-result", format, t)
		}
	})
}

func (in *infer) match(s *scope, e *syntax.Match) types.Exp {
	x := in.exp(s, e.Exp)
	out := &types.Match{Info: types.Info{At: e.At}, Exp: x}
	for _, c := range e.Cases {
		pat, inner := in.pattern(s, c.Pat)
		in.equate(c.Pat.Span(), x.Base().Type, patType(pat), func() string {
			return fmt.Sprintf("Pattern\n  %s\ncannot match value of type\n  %s", c.Pat.Span().Brief(),
				show(x.Base().Type))
		})
		body := in.exp(inner, c.Body)
		if out.Type == nil {
			out.Type = body.Base().Type
		} else {
			first := out.Type
			in.equate(c.Body.Span(), first, body.Base().Type, func() string {
				return fmt.Sprintf("Branches do not have the same type:\n  %s\nand\n  %s", show(first),
					show(body.Base().Type))
			})
		}
		out.Cases = append(out.Cases, types.Case{Pat: pat, Body: body, At: c.At})
	}
	in.firstOrder(out.Type, e.At, "The cases of this `match` are of type\n  %s\nA result of `match` "+
		"may not be of function type, or contain one.")
	in.later(func() { in.checkExhaustive(out) })
	return out
}

func (in *infer) loop(s *scope, e *syntax.Loop) types.Exp {
	out := &types.Loop{Info: types.Info{At: e.At}}
	if e.Init != nil {
		out.Init = in.exp(s, e.Init)
	} else {
		out.Init = in.exp(s, patAsExp(e.Pat))
	}
	t := out.Init.Base().Type
	inner := s
	switch f := e.Form.(type) {
	case *syntax.For:
		bt := in.primType(f.At, anyInt)
		bound := in.want(s, f.Bound, bt, "The bound of a loop must be an integer.")
		sym := in.newSymbol(f.Var.Text, types.Local, bt, f.Var.At)
		inner = in.bind(inner, f.Var, &binding{sym: sym, at: f.Var.At, used: true})
		out.Form = &types.For{Sym: sym, Bound: bound}
	case *syntax.ForIn:
		elem := in.elemType(f.At)
		array := in.want(s, f.Array, in.array(1, elem), "A for-in loop goes through an array.")
		var pat types.Pat
		pat, inner = in.pattern(inner, f.Pat)
		in.equate(f.Pat.Span(), patType(pat), elem, func() string {
			return "The pattern does not match the array's elements.\n" + expected(elem, patType(pat))
		})
		in.mustMatch(pat)
		out.Form = &types.ForIn{Pat: pat, Array: array}
	case *syntax.While:
	default:
		panic(fmt.Sprintf("check.loop: %T", f))
	}
	formScope := inner
	pat, inner := in.pattern(formScope, e.Pat)
	in.equate(e.Pat.Span(), patType(pat), t, func() string {
		return "Loop pattern cannot match the initial value of type\n  " + show(t)
	})
	in.mustMatch(pat)
	if f, ok := e.Form.(*syntax.While); ok {
		out.Form = &types.While{Cond: in.want(inner, f.Cond, types.Bool, "What a `while` tests must be a bool.")}
	}
	out.Pat = pat
	out.Body = in.exp(inner, e.Body)
	in.equate(e.Body.Span(), t, out.Body.Base().Type, func() string {
		return "Loop body does not have expected type.\n" + expected(t, out.Body.Base().Type)
	})
	out.Type = t
	in.firstOrder(t, e.At, "This loop carries a value of type\n  %s\nWhat a loop carries may not be of "+
		"function type, or contain one.")
	return out
}

// patAsExp is the expression that a loop's pattern stands for when no initial value is written.
func patAsExp(p syntax.Pat) syntax.Exp {
	node := syntax.Node{At: p.Span()}
	switch p := p.(type) {
	case *syntax.PatParens:
		return patAsExp(p.Body)
	case *syntax.PatAscript:
		return patAsExp(p.Pat)
	case *syntax.PatAttr:
		return patAsExp(p.Pat)
	case *syntax.PatName:
		return &syntax.Var{Node: node, Name: syntax.QualName{Name: p.Name}}
	case *syntax.PatTuple:
		elems := make([]syntax.Exp, len(p.Elems))
		for i, e := range p.Elems {
			elems[i] = patAsExp(e)
		}
		return &syntax.TupleLit{Node: node, Elems: elems}
	case *syntax.PatRecord:
		out := &syntax.RecordLit{Node: node}
		for _, f := range p.Fields {
			out.Fields = append(out.Fields, &syntax.RecordField{Node: f.Node, Name: f.Name, Value: patAsExp(f.Pat)})
		}
		return out
	case *syntax.PatLit:
		return p.Lit
	case *syntax.PatConstr:
		out := &syntax.Constr{Node: node, Name: p.Name}
		for _, a := range p.Args {
			out.Args = append(out.Args, patAsExp(a))
		}
		return out
	default:
		return &syntax.Hole{Node: node}
	}
}
