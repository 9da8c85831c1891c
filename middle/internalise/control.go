package internalise

import (
	"skald/frontend/types"
	"skald/middle/core"
	"skald/runtime/prim"
)

// Branches and loops may give arrays whose sizes are known only afterwards. Such a size is a result of its own in front of the components;
// the statement that binds the results binds it too.

// joined is the destination of a statement with several ways to a value of one type.
type joined struct {
	t     types.Type
	sizes []*types.Symbol
	dst   []core.Param
	ts    []core.Type // of the components, in terms of the sizes of dst
}

// join makes a destination for values of type t.
func (s *scope) join(t types.Type) joined {
	t, _ = nameOpen(t)
	j := joined{t: t, sizes: s.unknown(t)}
	inner := s.nest()
	for _, size := range j.sizes {
		p := s.b.Param(size.Name, core.I64)
		j.dst = append(j.dst, p)
		inner.set(size, core.V(p.Var))
	}
	j.ts = inner.coreTypes(t)
	for _, ct := range j.ts {
		j.dst = append(j.dst, s.b.Param("r", ct))
	}
	return j
}

// values returns what one way leads to: the sizes, then the components with their types in terms of those.
func (s *scope) values(j joined, xs []core.Operand) []core.Operand {
	sizes := s.sizesOf(j.sizes, j.t, xs)
	named := core.Subst{}
	for i, size := range sizes {
		named[j.dst[i].Var] = size
	}
	out := sizes
	for i, x := range xs {
		out = append(out, s.ensure(x, named.Type(j.ts[i])))
	}
	return out
}

func (j joined) results() []core.Operand {
	return core.Vars(core.ParamVars(j.dst[len(j.sizes):]))
}

func (s *scope) ifExp(e *types.If) []core.Operand {
	cond := s.scalar(e.Cond)
	if cond.IsConst() {
		if cond.Const.Bool() {
			return s.exp(e.Then)
		}
		return s.exp(e.Else)
	}
	j := s.join(e.Type)
	branch := func(e types.Exp) *core.Body {
		return s.build(func(in *scope) []core.Operand { return in.values(j, in.exp(e)) })
	}
	then, els := branch(e.Then), branch(e.Else)
	s.b.Bind(j.dst, &core.If{Cond: cond, Then: then, Else: els})
	return j.results()
}

// matchExp translates a match into a chain of conditionals. The last case needs no test: one of them fits.
func (s *scope) matchExp(e *types.Match) []core.Operand {
	return s.cases(e, s.exp(e.Exp), e.Cases)
}

func (s *scope) cases(e *types.Match, xs []core.Operand, cases []types.Case) []core.Operand {
	c := cases[0]
	cond := core.Bool(true)
	if len(cases) > 1 {
		cond = s.fits(c.Pat, xs)
	}
	if cond == core.Bool(true) {
		s.bind(c.Pat, xs)
		return s.exp(c.Body)
	}
	j := s.join(e.Type)
	then := s.build(func(in *scope) []core.Operand {
		in.bind(c.Pat, xs)
		return in.values(j, in.exp(c.Body))
	})
	els := s.build(func(in *scope) []core.Operand { return in.values(j, in.cases(e, xs, cases[1:])) })
	s.b.Bind(j.dst, &core.If{Cond: cond, Then: then, Else: els})
	return j.results()
}

// fits returns the condition under which a pattern takes the value with components xs.
func (s *scope) fits(p types.Pat, xs []core.Operand) core.Operand {
	switch p := p.(type) {
	case *types.VarPat, *types.WildPat:
		return core.Bool(true)
	case *types.AttrPat:
		return s.fits(p.Pat, xs)
	case *types.LitPat:
		return s.b.Cmp(prim.Eq, xs[0], core.C(p.Value))
	case *types.RecordPat:
		all := core.Bool(true)
		for _, f := range p.Fields {
			n := width(f.Pat.Base().Type)
			all = s.and(all, s.fits(f.Pat, xs[:n]))
			xs = xs[n:]
		}
		return all
	case *types.CtorPat:
		sum := types.Force(p.Type).(*types.Sum)
		_, tag := sum.Ctor(p.Ctor)
		all := s.b.Cmp(prim.Eq, xs[0], core.C(intValue(tagType(sum), int64(tag))))
		for i, payload := range s.payload(p, xs) {
			all = s.and(all, s.fits(p.Args[i], payload))
		}
		return all
	default:
		s.ctx.Bug(p.Base().At, "pattern %T", p)
		return core.Operand{}
	}
}

// loop translates a loop. Its core parameters are the sizes that vary, then the components of the pattern.
func (s *scope) loop(e *types.Loop) []core.Operand {
	init := s.exp(e.Init)
	e = closedLoop(e)
	t := e.Pat.Base().Type
	// The type of a loop's value is unknown where its own sizes are, whatever else has been bound to them before.
	for _, size := range e.Sizes {
		s.env.unbind(size)
	}
	start := s.sizesOf(e.Sizes, t, init)
	in := s.nest()
	var ps []core.Param
	for _, size := range e.Sizes {
		p := s.b.Param(size.Name, core.I64)
		ps = append(ps, p)
		in.set(size, core.V(p.Var))
	}
	ts := in.coreTypes(t)
	named := core.Subst{}
	for i := range e.Sizes {
		named[ps[i].Var] = start[i]
	}
	values := start
	base := patName(e.Pat)
	for i, ct := range ts {
		ps = append(ps, s.b.Param(base, ct))
		values = append(values, s.ensure(init[i], named.Type(ct)))
	}
	l := &core.Loop{Params: ps, Init: values}
	in.bind(e.Pat, core.Vars(core.ParamVars(ps[len(e.Sizes):])))
	switch f := e.Form.(type) {
	case *types.For:
		s.forLoop(l, in, e, f)
	case *types.ForIn:
		s.forIn(l, in, e, f)
	case *types.While:
		s.while(l, in, e, f)
	}
	markConsumed(l)
	dst := core.FreshParams(s.b.Fun, l.Params)
	for i := range dst {
		dst[i].Unique = false
	}
	s.b.Bind(dst, l)
	if !l.IsFor() {
		dst = dst[1:]
	}
	return core.Vars(core.ParamVars(dst[len(e.Sizes):]))
}

// closedLoop names the open sizes of a loop's value: they vary as the sizes do that the loop lists.
func closedLoop(e *types.Loop) *types.Loop {
	out := *e
	out.Sizes = e.Sizes[:len(e.Sizes):len(e.Sizes)]
	out.Pat = retype(e.Pat, func(t types.Type) types.Type {
		t, sizes := nameOpen(t)
		out.Sizes = append(out.Sizes, sizes...)
		return t
	})
	return &out
}

// nest is s with an environment of its own, for symbols that are bound again in each iteration.
func (s *scope) nest() *scope {
	out := *s
	out.env = newEnv(s.env)
	return &out
}

// next translates the body of a loop in scope in: the values of the parameters for the next iteration. Their types are those of
// the parameters, with the next sizes.
func (s *scope) next(l *core.Loop, e *types.Loop, in *scope) []core.Operand {
	xs := in.exp(e.Body)
	sizes := in.sizesOf(e.Sizes, e.Pat.Base().Type, xs)
	named := core.Subst{}
	for i, size := range sizes {
		named[l.Params[i].Var] = size
	}
	var ts []core.Type
	for _, p := range l.Params[len(sizes):] {
		ts = append(ts, named.Type(p.Type))
	}
	return append(sizes, in.ensureAll(xs, ts)...)
}

func (s *scope) forLoop(l *core.Loop, in *scope, e *types.Loop, f *types.For) {
	l.Bound = s.scalar(f.Bound)
	elem := types.Force(f.Bound.Base().Type).(*types.Prim).Kind
	l.Index = s.b.Param(f.Sym.Name, core.ScalarType(elem))
	in.set(f.Sym, core.V(l.Index.Var))
	l.Body = in.build(func(in *scope) []core.Operand { return s.next(l, e, in) })
}

func (s *scope) forIn(l *core.Loop, in *scope, e *types.Loop, f *types.ForIn) {
	arrays := s.exp(f.Array)
	l.Bound = s.outerSize(arrays)
	l.Index = s.b.Param("i", core.I64)
	l.Body = in.build(func(in *scope) []core.Operand {
		elems := make([]core.Operand, len(arrays))
		for i, a := range arrays {
			elems[i] = in.b.Index("x", a.Var, core.V(l.Index.Var))
		}
		in.bind(f.Pat, elems)
		return s.next(l, e, in)
	})
}

// while translates a while loop: its condition is a parameter, computed before the loop and at the end of each iteration.
func (s *scope) while(l *core.Loop, in *scope, e *types.Loop, f *types.While) {
	before := s.nest()
	n := len(e.Sizes)
	for i, size := range e.Sizes {
		before.set(size, l.Init[i])
	}
	before.bind(e.Pat, l.Init[n:])
	first := before.scalar(f.Cond)
	cond := s.b.Param("continue", core.BoolType)
	l.While = cond.Var
	l.Body = in.build(func(in *scope) []core.Operand {
		next := s.next(l, e, in)
		after := in.nest()
		for i, size := range e.Sizes {
			after.set(size, next[i])
		}
		after.bind(e.Pat, next[n:])
		return append([]core.Operand{after.scalar(f.Cond)}, next...)
	})
	l.Params = append([]core.Param{cond}, l.Params...)
	l.Init = append([]core.Operand{first}, l.Init...)
}
