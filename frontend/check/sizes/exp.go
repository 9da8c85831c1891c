package sizes

import (
	"fmt"
	"slices"

	"skald/frontend/source"
	"skald/frontend/types"
	"skald/runtime/prim"
)

// exp infers the sizes of e. The types in the result may still mention variables that have been found since; finish
// normalises them.
func (s *solver) exp(e types.Exp) types.Exp {
	info := *e.Base()
	switch e := e.(type) {
	case *types.Const:
		return e
	case *types.ArrayConst:
		elem := info.Type.(*types.Array).Elem
		info.Type = &types.Array{Size: &types.SizeConst{N: int64(len(e.Values))}, Elem: elem}
		return &types.ArrayConst{Info: info, Values: e.Values}
	case *types.Ref:
		return s.ref(e)
	case *types.RecordLit:
		return s.recordLit(e)
	case *types.ArrayLit:
		return s.arrayLit(e)
	case *types.Project:
		x := s.exp(e.Exp)
		info.Type = fieldType(s.typeOf(x), e.Field)
		return &types.Project{Info: info, Exp: x, Field: e.Field}
	case *types.Construct:
		return s.construct(e)
	case *types.Op:
		return &types.Op{Info: info, Op: e.Op, Args: s.exps(e.Args)}
	case *types.Equal:
		return s.equal(e)
	case *types.Assert:
		cond, body := s.exp(e.Cond), s.exp(e.Body)
		info.Type = body.Base().Type
		return &types.Assert{Info: info, Cond: cond, Body: body, Text: e.Text}
	case *types.Attributed:
		return s.attributed(e)
	case *types.Coerce:
		return s.coerce(e)
	case *types.Hole:
		info.Type = s.fresh(info.Type, types.FullLifted, info.At)
		return &types.Hole{Info: info}
	case *types.Apply:
		return s.apply(e)
	case *types.Index:
		return s.index(e)
	case *types.Update:
		return s.update(e)
	case *types.Range:
		return s.rangeExp(e)
	default:
		return s.control(e)
	}
}

// control is exp for functions, binders and control flow.
func (s *solver) control(e types.Exp) types.Exp {
	switch e := e.(type) { //nolint:gochecksumtype // the other variants do not get here, or are handled by the caller
	case *types.Lambda:
		return s.lambda(e)
	case *types.If:
		return s.ifExp(e)
	case *types.Match:
		return s.match(e)
	case *types.Let:
		return s.let(e)
	case *types.LetFun:
		return s.letFun(e)
	case *types.Loop:
		return s.loop(e)
	default:
		panic(fmt.Sprintf("sizes.exp: %T", e))
	}
}

func (s *solver) exps(es []types.Exp) []types.Exp {
	out := make([]types.Exp, len(es))
	for i, e := range es {
		out[i] = s.exp(e)
	}
	return out
}

func (s *solver) ref(e *types.Ref) types.Exp {
	info := e.Info
	if e.Sym == s.self && s.selfOpen {
		// Within a definition whose result is not declared, each call has sizes of its own.
		info.Type = s.fresh(info.Type, types.Unlifted, info.At)
		return &types.Ref{Info: info, Sym: e.Sym, Args: e.Args}
	}
	t, args := s.instantiate(e.Sym, e.Args, info.At)
	info.Type = plain(t)
	return &types.Ref{Info: info, Sym: e.Sym, Args: args}
}

func (s *solver) recordLit(e *types.RecordLit) types.Exp {
	info := e.Info
	fields := make([]types.FieldExp, len(e.Fields))
	ts := make([]types.Field, len(e.Fields))
	for i, f := range e.Fields {
		x := s.exp(f.Exp)
		fields[i] = types.FieldExp{Name: f.Name, Exp: x}
		ts[i] = types.Field{Name: f.Name, Type: x.Base().Type}
	}
	types.SortFields(ts)
	info.Type = &types.Record{Fields: ts}
	return &types.RecordLit{Info: info, Fields: fields}
}

func (s *solver) arrayLit(e *types.ArrayLit) types.Exp {
	info := e.Info
	elem := types.Force(info.Type).(*types.Array).Elem
	if len(e.Elems) == 0 {
		elem = s.fresh(elem, types.Unlifted, info.At)
	}
	elems := make([]types.Exp, len(e.Elems))
	for i, x := range e.Elems {
		elems[i] = s.exp(x)
		if i == 0 {
			elem = elems[0].Base().Type
			continue
		}
		s.explain(func() string { return "All elements of an array are of one type and of the same shape." }, func() {
			s.unify(elems[i].Base().At, s.norm(elem), s.typeOf(elems[i]))
		})
	}
	info.Type = &types.Array{Size: &types.SizeConst{N: int64(len(elems))}, Elem: elem}
	return &types.ArrayLit{Info: info, Elems: elems}
}

// fieldType returns the type of a field of t, which has it.
func fieldType(t types.Type, name string) types.Type {
	return types.Force(t).(*types.Record).Field(name)
}

func (s *solver) construct(e *types.Construct) types.Exp {
	info := e.Info
	sum := s.fresh(info.Type, types.FullLifted, info.At).(*types.Sum)
	info.Type = sum
	args := s.exps(e.Args)
	ctor, _ := sum.Ctor(e.Ctor)
	for i, a := range args {
		s.explain(func() string { return "The payload of \"#" + e.Ctor + "\" does not fit." }, func() {
			s.unify(a.Base().At, s.norm(ctor.Args[i]), s.typeOf(a))
		})
	}
	return &types.Construct{Info: info, Ctor: e.Ctor, Args: args}
}

// equal turns the comparison of scalars into an operator.
func (s *solver) equal(e *types.Equal) types.Exp {
	x, y := s.exp(e.X), s.exp(e.Y)
	s.explain(func() string { return "The operands of a comparison must have the same type." }, func() {
		s.unify(e.At, s.typeOf(x), s.typeOf(y))
	})
	if p, ok := types.Force(x.Base().Type).(*types.Prim); ok {
		op := types.ScalarOp{Kind: types.CompareOp, Type: p.Kind, Cmp: prim.Eq}
		if e.Negate {
			op.Cmp = prim.Ne
		}
		return &types.Op{Info: e.Info, Op: op, Args: []types.Exp{x, y}}
	}
	return &types.Equal{Info: e.Info, X: x, Y: y, Negate: e.Negate}
}

func (s *solver) attributed(e *types.Attributed) types.Exp {
	x := s.exp(e.Exp)
	if e.Attr.Name == Ascription {
		t := s.declared(e.Type, e.At, "explicit type ascription")
		s.explain(func() string {
			return fmt.Sprintf("Expression does not have expected type\n  %s\nthat of its ascription.", s.show(t))
		}, func() { s.unify(e.At, s.norm(t), s.typeOf(x)) })
		return x
	}
	info := e.Info
	info.Type = x.Base().Type
	return &types.Attributed{Info: info, Attr: e.Attr, Exp: x}
}

// coerce keeps the sizes of the value where the type leaves them out.
func (s *solver) coerce(e *types.Coerce) types.Exp {
	info := e.Info
	var anon []*types.Symbol
	x := s.exp(e.Exp)
	have := s.typeOf(x)
	info.Ext = nil
	before := len(s.made)
	info.Type = s.declared(e.Type, e.At, "size coercion")
	for _, sym := range s.made[before:] {
		if v := s.vars[sym]; v.kind == flexible {
			anon = append(anon, sym)
		}
	}
	// A size that the type does state need not be that of the value.
	loose := mapSizes(info.Type, func(d types.Size) types.Size {
		if n, ok := d.(*types.SizeName); ok && slices.Contains(anon, n.Sym) {
			return d
		}
		return nameSize(s.flex("coerce", "size coercion", e.At))
	})
	s.explain(func() string { return "The expression cannot be coerced to type\n  " + s.show(info.Type) }, func() {
		s.unify(e.At, have, loose)
	})
	info.Type = s.norm(info.Type)
	return &types.Coerce{Info: info, Exp: x}
}

func (s *solver) lambda(e *types.Lambda) types.Exp {
	info := e.Info
	level, inner := s.level, 0
	var params []*types.Param
	var body types.Exp
	var ret types.RetType
	s.level++
	s.params(e.Params, func(ps []*types.Param) {
		params, inner = ps, s.level
		var want types.Type
		if e.Ret.Type != nil {
			want = s.declared(e.Ret.Type, info.At, "return type annotation")
		}
		var bodyType types.Type
		body, bodyType = s.body(ps, e.Body, want)
		if want == nil {
			want = bodyType
		} else {
			want = s.norm(want)
		}
		ret = s.lambdaResult(ps, want, inner)
	})
	s.level = level
	s.checkParams("", params)
	ret.Type, ret.Ext = s.rename(ret.Type, ret.Ext, info.At)
	info.Type = funType(params, ret)
	return &types.Lambda{Info: info, Params: params, Ret: ret, Body: body}
}

// lambdaResult hides the unknown sizes that the body computed, unless a parameter's type mentions them.
func (s *solver) lambdaResult(params []*types.Param, t types.Type, inner int) types.RetType {
	visible := map[*types.Symbol]bool{}
	for _, p := range params {
		for _, sym := range freeSymbols(s.norm(p.Pat.Base().Type)) {
			visible[sym] = true
		}
	}
	hidden := func(sym *types.Symbol) bool {
		v := s.vars[sym]
		return v != nil && v.kind == unknown && v.level >= inner && !visible[sym]
	}
	var ext []*types.Symbol
	t = s.spelled(t, hidden)
	for _, sym := range freeSymbols(t) {
		if hidden(sym) {
			ext = append(ext, sym)
		}
	}
	return types.RetType{Ext: ext, Type: t}
}

func (s *solver) ifExp(e *types.If) types.Exp {
	info := e.Info
	cond := s.exp(e.Cond)
	mark := len(s.made)
	then, els := s.exp(e.Then), s.exp(e.Else)
	t := s.branches(info, then.Base().Type, els.Base().Type, mark)
	info.Type, info.Ext = s.escapeBranches(t, info.At, mark)
	return &types.If{Info: info, Cond: cond, Then: then, Else: els}
}

// bornSince tells which symbols are unknown sizes that were made when the list of symbols was mark long or later.
func (s *solver) bornSince(mark int) func(*types.Symbol) bool {
	born := map[*types.Symbol]bool{}
	for _, sym := range s.made[mark:] {
		if v := s.vars[sym]; v != nil && v.kind == unknown {
			born[sym] = true
		}
	}
	return func(sym *types.Symbol) bool { return born[sym] }
}

// escapeBranches is escape for the type of branches, and what was made in them since the list of symbols was mark long.
func (s *solver) escapeBranches(t types.Type, at source.Span, mark int) (types.Type, []*types.Symbol) {
	t, ext := s.escape(t, at, s.bornSince(mark))
	t, long := s.nameLong(t, at)
	return t, append(ext, long...)
}

// branches unifies the types of two branches, which begin with symbol number mark, as far as possible and renames the sizes that differ.
func (s *solver) branches(info types.Info, a, b types.Type, mark int) types.Type {
	a, b = s.spelled(s.norm(a), s.bornSince(mark)), s.spelled(s.norm(b), s.bornSince(mark))
	u := &unifier{s, info.At, (*unifier).equateIfPossible}
	u.types(a, b, wantFirst, nil)
	return s.newWhereDifferent(info, s.norm(a), s.norm(b))
}

// equateIfPossible links sizes that can be, and leaves others alone, among them those that a parameter's type leaves out: `if null xs then
// [1, 2, 3] else xs` asks for no xs of size 3.
func (u *unifier) equateIfPossible(a, b types.Size, bound []*types.Symbol) {
	if types.EqualSize(a, b) {
		return
	}
	if pairs, ok := u.similar(a, b); ok {
		for _, p := range pairs {
			u.equateIfPossible(u.size(p[0]), u.size(p[1]), bound)
		}
		return
	}
	for _, try := range [][2]types.Size{{a, b}, {b, a}} {
		if sym, v := u.open(try[0]); sym != nil && !v.callers && u.canLink(sym, v, try[1], bound) {
			u.link(sym, v, try[1])
			return
		}
	}
}

func (u *unifier) canLink(sym *types.Symbol, v *sizeVar, d types.Size, bound []*types.Symbol) bool {
	for _, other := range sizeSymbols(d) {
		if other == sym || slices.Contains(bound, other) {
			return false
		}
		if w := u.vars[other]; w != nil && (w.level > v.level || w.kind == param && w.level >= v.level) {
			return false
		}
	}
	return true
}

func (s *solver) newWhereDifferent(info types.Info, a, b types.Type) types.Type {
	type mismatch struct{ a, b, d types.Size }
	var seen []mismatch
	return zipSizes(a, b, func(x, y types.Size) types.Size {
		if types.EqualSize(x, y) {
			return x
		}
		for _, m := range seen {
			if types.EqualSize(m.a, x) && types.EqualSize(m.b, y) {
				return m.d
			}
		}
		k := nameSize(s.unknownFrom("differ", info.At,
			fmt.Sprintf("is not the same in branches of types\n  %s\nand\n  %s", s.show(a), s.show(b))))
		seen = append(seen, mismatch{x, y, k})
		return k
	})
}

func (s *solver) match(e *types.Match) types.Exp {
	info := e.Info
	x := s.exp(e.Exp)
	mark := len(s.made)
	cases := make([]types.Case, len(e.Cases))
	ts := make([]types.Type, len(cases))
	for i, c := range e.Cases {
		cases[i].At = c.At
		s.deeper(func() {
			cases[i].Pat = s.bindPat(nil, c.Pat, s.typeOf(x))
			cases[i].Body = s.exp(c.Body)
		})
		ts[i], _ = s.unscope(s.typeOf(cases[i].Body), c.At, types.PatSymbols(cases[i].Pat))
	}
	t := ts[len(ts)-1]
	for i := len(ts) - 2; i >= 0; i-- {
		t = s.branches(info, ts[i], t, mark)
	}
	info.Type, info.Ext = s.escapeBranches(s.norm(t), info.At, mark)
	return &types.Match{Info: info, Exp: x, Cases: cases}
}
