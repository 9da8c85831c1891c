package consume

import (
	"fmt"
	"slices"

	"skald/frontend/source"
	"skald/frontend/types"
)

// loop checks a loop. What its body consumes of the pattern becomes unique there, so that the initial value is
// consumed as well.
func (c *checker) loop(e *types.Loop) *value {
	c.form(e.Form)
	vars := varPats(e.Pat)
	var body *value
	var used *consumption
	c.inside(func() {
		for _, v := range vars {
			c.bind(v.Sym, self(v.Sym, noAliases(v.Type)), !c.facts.Ascribed(v.Sym) || types.IsUnique(v.Type))
		}
		c.bindForm(e.Form)
		if f, ok := e.Form.(*types.While); ok {
			c.exp(f.Cond)
		}
		used = c.contain(func() { body = c.exp(e.Body) })
	})
	consumed := map[*types.Symbol]bool{}
	for n := used; n != nil; n = n.next {
		consumed[n.sym] = true
	}
	c.converge(e, body, consumed)
	declared := e.Pat.Base().Type
	var arg *value
	init := c.contain(func() { arg = c.arg(nil, types.IsUnique(declared) && wholeUnique(e.Pat), e.Init) })
	if types.IsUnique(declared) && !wholeUnique(e.Pat) {
		// Only some parts of the initial value are consumed.
		more := c.contain(func() { c.consumeParts(e.Pat, arg, e.Init.Base().At) })
		init = appendConsumed(init, more)
	}
	c.addConsumed(init)
	c.checkFree("Loop body", e.Body, init, e.At)
	if f, ok := e.Form.(*types.While); ok {
		c.checkFree("Loop condition", f.Cond, init, e.At)
	}
	result := &types.Symbol{Name: "result", ID: -1 - len(c.results)}
	c.results[result] = fmt.Sprintf("result of loop at %s", e.At)
	out := loopResult(set{{sym: result, free: true}: true}, declared, arg)
	bound := types.PatSymbols(e.Pat)
	return unscope(combine(out, body), append(bound, formSymbols(e.Form)...))
}

func appendConsumed(a, b *consumption) *consumption {
	for ; b != nil; b = b.next {
		a = &consumption{b.sym, b.at, a}
	}
	return a
}

// wholeUnique reports whether every part of a pattern that can be consumed is.
func wholeUnique(p types.Pat) bool { return consumable(p.Base().Type) }

func (c *checker) consumeParts(p types.Pat, v *value, at source.Span) {
	switch p := p.(type) {
	case *types.RecordPat:
		for i, f := range p.Fields {
			if len(v.fields) == len(p.Fields) {
				c.consumeParts(f.Pat, v.fields[i], at)
			}
		}
	case *types.AttrPat:
		c.consumeParts(p.Pat, v, at)
	default:
		if types.IsUnique(p.Base().Type) {
			c.noSelfAliases(at, v)
			c.consume(at, v.all())
		}
	}
}

func (c *checker) form(f types.LoopForm) {
	switch f := f.(type) {
	case *types.For:
		c.exp(f.Bound)
	case *types.ForIn:
		c.exp(f.Array)
	case *types.While:
	}
}

func (c *checker) bindForm(f types.LoopForm) {
	switch f := f.(type) {
	case *types.For:
		c.bind(f.Sym, noAliases(f.Sym.Type), notConsumable)
	case *types.ForIn:
		for _, v := range varPats(f.Pat) {
			c.bind(v.Sym, self(v.Sym, noAliases(v.Type)), notConsumable)
		}
	case *types.While:
	}
}

func formSymbols(f types.LoopForm) []*types.Symbol {
	switch f := f.(type) {
	case *types.For:
		return []*types.Symbol{f.Sym}
	case *types.ForIn:
		return types.PatSymbols(f.Pat)
	default:
		return nil
	}
}

// checkFree rejects the use of what the initial value of a loop consumed.
func (c *checker) checkFree(what string, e types.Exp, used *consumption, at source.Span) {
	if used == nil {
		return
	}
	seen := map[*types.Symbol]bool{}
	types.Walk(e, func(x types.Exp) bool {
		ref, ok := x.(*types.Ref)
		if !ok || seen[ref.Sym] || c.vars[ref.Sym] == nil {
			return true
		}
		seen[ref.Sym] = true
		for _, a := range c.vars[ref.Sym].als.all().sorted() {
			if !a.free && used.has(a.sym) {
				c.fail(at, "loop-consumed", "%s uses %s,\nwhich, or an alias of which, was consumed when the loop "+
					"began.",
					what, c.describe(ref.Sym))
				break
			}
		}
		return true
	})
}

// Note [Loop parameters that are declared unique]
//
// A parameter is unique if the body consumes it, or what the body returns for it has to be fresh because the body consumes another
// that may be the same. A declaration `(xs: *[n]t)` makes it so as well, but only for the first round: it does not survive where
// that round has found anything that is consumed beyond what the body's own text consumes. So says Futhark's checker, and programs rely
// on it, as on `loop (xs: *[]t) = ys while ... do let zs = f xs in zs` where ys may not be consumed.

// converge marks the variables of the pattern that are consumed, until no more follow from the ones marked.
func (c *checker) converge(e *types.Loop, body *value, consumed map[*types.Symbol]bool) {
	for first := true; ; first = false {
		before := uniques(e.Pat)
		e.Pat = c.mark(e.Pat, consumed, first)
		m := &merge{checker: c, at: e.At, pattern: types.PatSymbols(e.Pat)}
		m.check(e.Pat, body)
		more := !slices.Equal(before, uniques(e.Pat))
		for a := range m.unique {
			if !consumed[a.sym] {
				consumed[a.sym] = true
				more = true
			}
		}
		if !more || len(m.errors) > 0 {
			c.errors = append(c.errors, m.errors...)
			return
		}
	}
}

// uniques says of each variable of a pattern whether it is unique.
func uniques(p types.Pat) []bool {
	var out []bool
	for _, v := range varPats(p) {
		out = append(out, types.IsUnique(v.Type))
	}
	return out
}

// mark makes the types of the variables that are consumed unique, and those of others not. Declared types stay as they are if that is
// asked for.
func (c *checker) mark(p types.Pat, consumed map[*types.Symbol]bool, declared bool) types.Pat {
	switch p := p.(type) {
	case *types.VarPat:
		t := p.Type
		if !declared || !c.facts.Ascribed(p.Sym) {
			t = types.WithUnique(t, consumed[p.Sym])
		}
		p.Sym.Type = t
		return &types.VarPat{PatInfo: types.PatInfo{Type: t, At: p.At}, Sym: p.Sym}
	case *types.RecordPat:
		fields := make([]types.FieldPat, len(p.Fields))
		ts := make([]types.Field, len(p.Fields))
		for i, f := range p.Fields {
			fields[i] = types.FieldPat{Name: f.Name, Pat: c.mark(f.Pat, consumed, declared)}
			ts[i] = types.Field{Name: f.Name, Type: fields[i].Pat.Base().Type}
		}
		return &types.RecordPat{PatInfo: types.PatInfo{Type: &types.Record{Fields: ts}, At: p.At}, Fields: fields}
	case *types.AttrPat:
		inner := c.mark(p.Pat, consumed, declared)
		return &types.AttrPat{PatInfo: types.PatInfo{Type: inner.Base().Type, At: p.At}, Attr: p.Attr, Pat: inner}
	default:
		return p
	}
}

// merge is the check of what the body of a loop returns against the pattern.
type merge struct {
	*checker
	at       source.Span
	pattern  []*types.Symbol
	unique   set
	observed set
	errors   []*Error
}

func (m *merge) fail(code, format string, args ...any) {
	m.errors = append(m.errors, &Error{At: m.at, Code: code, Msg: fmt.Sprintf(format, args...)})
}

func (m *merge) check(p types.Pat, v *value) {
	switch p := p.(type) {
	case *types.AttrPat:
		m.check(p.Pat, v)
	case *types.RecordPat:
		for i, f := range p.Fields {
			if len(v.fields) == len(p.Fields) {
				m.check(f.Pat, v.fields[i])
			}
		}
	case *types.VarPat:
		m.checkVar(p, v.all())
	default:
	}
}

func (m *merge) checkVar(p *types.VarPat, als set) {
	consumed := types.IsUnique(p.Type)
	if consumed {
		for _, a := range als.sorted() {
			if !a.free && !slices.Contains(m.pattern, a.sym) {
				m.fail("consuming-loop-param-aliases", "What the body returns for \"%s\" aliases \"%s\", but "+
					"the loop consumes it.", p.Sym.Name, a.sym.Name)
			}
		}
	}
	if als.intersects(m.unique) {
		m.fail("loop-parameter-aliases-other", "What the body returns for \"%s\" aliases other consumed loop "+
			"parameter.", p.Sym.Name)
	}
	if consumed && als.intersects(m.unique.union(m.observed)) {
		m.fail("aliases-previously-returned", "What the body returns for \"%s\", which the loop consumes, aliases "+
			"previously returned value.", p.Sym.Name)
	}
	if consumed {
		m.unique = m.unique.union(als)
	} else {
		m.observed = m.observed.union(als)
	}
}

// loopResult is the aliases of a loop: those of the initial value where it is not consumed.
func loopResult(result set, t types.Type, arg *value) *value {
	if r, ok := types.Force(t).(*types.Record); ok && len(arg.fields) == len(r.Fields) {
		out := &value{typ: r}
		for i, f := range r.Fields {
			out.fields = append(out.fields, loopResult(result, f.Type, arg.fields[i]))
		}
		return out
	}
	return resultOf(result, t, types.IsUnique(t), arg)
}
