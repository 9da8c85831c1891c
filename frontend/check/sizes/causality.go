package sizes

import (
	"skald/frontend/source"
	"skald/frontend/types"
)

// causality checks that no expression needs a size before it is computed: an argument is evaluated before its
// function, later arguments before earlier ones, the left operand of an operator before the right, what Let binds
// before its body. Other parts of an expression have no order, and do not see the sizes that arise in each other.
type causality struct {
	*solver
	known map[*types.Symbol]bool
}

func (s *solver) checkCausality(e types.Exp) {
	c := &causality{s, map[*types.Symbol]bool{}}
	c.exp(e)
}

// need rejects an expression whose type mentions a size that is not known yet.
func (c *causality) need(what string, t types.Type, at source.Span) {
	for _, sym := range freeSymbols(t) {
		v := c.vars[sym]
		if v != nil && v.kind == unknown && !c.known[sym] {
			c.fail(at, "causality-check",
				"The size \"%s\", which the type of %s needs, is computed only later:\n  %s\n"+
					"Hint: bind the expression that produces \"%s\" with 'let' beforehand.",
				sym.Name, what, t, sym.Name)
		}
	}
}

// inOrder checks parts that are evaluated one after the other.
func (c *causality) inOrder(parts ...func() []*types.Symbol) []*types.Symbol {
	var all []*types.Symbol
	for _, part := range parts {
		for _, k := range part() {
			if !c.known[k] {
				c.known[k] = true
				all = append(all, k)
			}
		}
	}
	for _, k := range all {
		delete(c.known, k)
	}
	return all
}

func (c *causality) later(e types.Exp) func() []*types.Symbol {
	return func() []*types.Symbol { return c.exp(e) }
}

// exp checks e and returns the sizes that are known after it.
func (c *causality) exp(e types.Exp) []*types.Symbol {
	ext := e.Base().Ext
	t, at := e.Base().Type, e.Base().At
	switch e := e.(type) {
	case *types.Ref:
		c.need("\""+e.Sym.Name+"\"", t, at)
	case *types.ArrayLit:
		if len(e.Elems) == 0 {
			c.need("empty array", t, at)
		}
	case *types.Hole:
		c.need("hole", t, at)
	case *types.Lambda:
		for _, p := range e.Params {
			c.need("parameter", p.Pat.Base().Type, p.Pat.Base().At)
		}
		c.exp(e.Body)
		return nil
	case *types.LetFun:
		c.exp(e.Def.Body)
		return append(c.exp(e.Body), ext...)
	case *types.Let:
		// A variable that names an argument is as good as a size.
		names := func() (names []*types.Symbol) {
			for _, sym := range types.PatSymbols(e.Pat) {
				if v := c.vars[sym]; v != nil && v.kind == unknown {
					names = append(names, sym)
				}
			}
			return names
		}
		return append(c.inOrder(c.later(e.Exp), names, c.later(e.Body)), ext...)
	case *types.Match:
		return append(c.match(e), ext...)
	case *types.Apply:
		return append(c.apply(e), ext...)
	case *types.Op:
		return c.sequence(e.Args)
	case *types.Equal:
		return c.sequence([]types.Exp{e.X, e.Y})
	case *types.Construct:
		parts := c.parts(e.Args)
		return c.inOrder(append(parts, func() []*types.Symbol {
			c.need("\"#"+e.Ctor+"\"", t, at)
			return nil
		})...)
	default:
	}
	var all []*types.Symbol
	types.Children(e, func(x types.Exp) { all = append(all, c.exp(x)...) })
	return append(all, ext...)
}

func (c *causality) parts(es []types.Exp) []func() []*types.Symbol {
	parts := make([]func() []*types.Symbol, len(es))
	for i, e := range es {
		parts[i] = c.later(e)
	}
	return parts
}

func (c *causality) sequence(es []types.Exp) []*types.Symbol { return c.inOrder(c.parts(es)...) }

func (c *causality) apply(e *types.Apply) []*types.Symbol {
	switch infix, funFirst := c.host.Infix(e.At); {
	case funFirst:
		return c.sequence(append([]types.Exp{e.Fun}, e.Args...))
	case infix:
		return c.sequence(append(append([]types.Exp{}, e.Args...), e.Fun))
	}
	var order []types.Exp
	for i := len(e.Args) - 1; i >= 0; i-- {
		order = append(order, e.Args[i])
	}
	return c.sequence(append(order, e.Fun))
}

// match keeps what arises in the cases from what follows: the match as a whole names the sizes of its result.
func (c *causality) match(e *types.Match) []*types.Symbol {
	var cases []func() []*types.Symbol
	for _, k := range e.Cases {
		cases = append(cases, func() []*types.Symbol { c.exp(k.Body); return nil })
	}
	return c.inOrder(append([]func() []*types.Symbol{c.later(e.Exp)}, cases...)...)
}
