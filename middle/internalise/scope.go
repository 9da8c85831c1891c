package internalise

import (
	"fmt"
	"slices"

	"skald/frontend/source"
	"skald/frontend/types"
	"skald/middle/core"
	"skald/middle/pass"
	"skald/runtime/prim"
)

// scope is where code is being made: a builder, and what the variables of the source stand for. Sizes are variables of type i64. Symbols
// are unique in a program, so that one environment serves most of a function.
type scope struct {
	*module
	b   *core.Builder
	env *env
	// acc is the type of the accumulator in scope, if there is one.
	acc core.Type
	// unsafe says that no checks are wanted here: attribute #[unsafe].
	unsafe bool
}

// module is what all functions of a program share.
type module struct {
	ctx  *pass.Context
	defs map[*types.Symbol]*types.Def
	// withAccs are the definitions that take accumulators.
	withAccs map[*types.Symbol]bool
	// funs are the core functions made so far, constants the place of each constant's components.
	funs   map[*types.Symbol]*core.Fun
	consts map[*types.Symbol]constant
	// exported lists the variables of the constants' function that are its results, constVars has their places.
	exported  []core.Var
	constVars map[core.Var]int
	constFun  *core.Fun
	constBody *scope
	prog      *core.Prog
}

// in is s with another builder.
func (s *scope) in(b *core.Builder) *scope {
	out := *s
	out.b = b
	return &out
}

// build makes a body by f in a nested scope.
func (s *scope) build(f func(s *scope) []core.Operand) *core.Body {
	return s.b.Build(func(b *core.Builder) []core.Operand { return f(s.in(b)) })
}

// at moves the builder to a place in the source, so that the statements made next carry it.
func (s *scope) at(span source.Span) {
	if span.Valid() {
		s.b.Where = &core.Site{Loc: span.String()}
	}
}

// set says what a variable stands for.
func (s *scope) set(sym *types.Symbol, xs ...core.Operand) { s.env.set(sym, xs) }

// size returns the operand for a size.
func (s *scope) size(d types.Size) core.Operand {
	switch d := d.(type) {
	case *types.SizeConst:
		return core.Int(d.N)
	case *types.SizeName:
		return s.lookup(d.Sym, source.Span{})[0]
	case *types.SizeExp:
		return s.exp(d.Exp)[0]
	case *types.AnySize:
		panic("internalise: a size that is not known: " + d.String())
	default:
		panic(fmt.Sprintf("internalise: %T", d))
	}
}

// known reports whether a size can be computed here: whether all that it mentions is bound.
func (s *scope) known(d types.Size) bool {
	switch d := d.(type) {
	case *types.AnySize:
		return false
	case *types.SizeName:
		_, constant := s.consts[d.Sym]
		return constant || s.env.get(d.Sym) != nil
	default:
		return true
	}
}

// unknown lists the size variables that t mentions and that are not bound, each once.
func (s *scope) unknown(t types.Type) []*types.Symbol {
	var out []*types.Symbol
	seen := map[*types.Symbol]bool{}
	for _, d := range types.SizesIn(t) {
		if name, ok := d.(*types.SizeName); ok && !s.known(d) && !seen[name.Sym] {
			seen[name.Sym] = true
			out = append(out, name.Sym)
		}
	}
	return out
}

// bindSizes binds those of syms that the shape of a value of type t shows; xs are the value's components. A size that t does
// not mention has another name there, from a pattern, and nothing refers to it.
func (s *scope) bindSizes(syms []*types.Symbol, t types.Type, xs []core.Operand) {
	for _, sym := range s.bindShown(syms, t, xs) {
		if !mentions(t, sym) {
			continue
		}
		s.ctx.Bug(sym.At, "the size %s is in no component of a value of type %s", sym.Name, t)
	}
}

// mentions reports whether a size in t is sym.
func mentions(t types.Type, sym *types.Symbol) bool {
	return slices.ContainsFunc(types.SizesIn(t), func(d types.Size) bool {
		name, ok := d.(*types.SizeName)
		return ok && name.Sym == sym
	})
}

// bindShown is bindSizes that returns those of syms that the type does not mention as the size of a component.
func (s *scope) bindShown(syms []*types.Symbol, t types.Type, xs []core.Operand) []*types.Symbol {
	if len(syms) == 0 {
		return nil
	}
	syms = slices.Clone(syms)
	for i, c := range components(t) {
		shape := s.b.TypeOf(xs[i]).Shape
		for j, d := range c.dims {
			name, ok := d.(*types.SizeName)
			if !ok {
				continue
			}
			if k := slices.Index(syms, name.Sym); k >= 0 {
				s.set(name.Sym, shape[j])
				syms = slices.Delete(syms, k, k+1)
			}
		}
	}
	return syms
}

// sizesOf is bindSizes without binding: the operands of syms, in order.
func (s *scope) sizesOf(syms []*types.Symbol, t types.Type, xs []core.Operand) []core.Operand {
	inner := *s
	inner.env = newEnv(nil)
	inner.bindSizes(syms, t, xs)
	out := make([]core.Operand, len(syms))
	for i, sym := range syms {
		out[i] = inner.env.get(sym)[0]
	}
	return out
}

// bind binds the variables of a pattern, which takes any value of its type, to the components of a value.
func (s *scope) bind(p types.Pat, xs []core.Operand) {
	switch p := p.(type) {
	case *types.VarPat:
		s.set(p.Sym, xs...)
	case *types.WildPat, *types.LitPat:
	case *types.AttrPat:
		s.bind(p.Pat, xs)
	case *types.RecordPat:
		for _, f := range p.Fields {
			n := width(f.Pat.Base().Type)
			s.bind(f.Pat, xs[:n])
			xs = xs[n:]
		}
	case *types.CtorPat:
		for i, payload := range s.payload(p, xs) {
			s.bind(p.Args[i], payload)
		}
	default:
		s.ctx.Bug(p.Base().At, "pattern %T", p)
	}
}

// payload returns the components of each argument of a constructor that xs was made by.
func (s *scope) payload(p *types.CtorPat, xs []core.Operand) [][]core.Operand {
	sum := types.Force(p.Type).(*types.Sum)
	ctor, i := sum.Ctor(p.Ctor)
	slots := sumLayout(sum).payload[i]
	out := make([][]core.Operand, len(ctor.Args))
	for j, a := range ctor.Args {
		n := width(a)
		for _, slot := range slots[:n] {
			out[j] = append(out[j], xs[slot])
		}
		slots = slots[n:]
	}
	return out
}

// int64Of is x, a scalar of any integer type, as an i64.
func (s *scope) int64Of(x core.Operand) core.Operand { return s.b.Conv(x, prim.I64) }

// lookup returns the components of a variable.
func (s *scope) lookup(sym *types.Symbol, at source.Span) []core.Operand {
	if xs := s.env.get(sym); xs != nil {
		return xs
	}
	if c, ok := s.consts[sym]; ok {
		return s.global(sym, c)
	}
	s.ctx.Bug(at, "variable %s is not bound", sym.Name)
	return nil
}
