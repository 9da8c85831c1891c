package consume

import (
	"fmt"

	"skald/frontend/source"
	"skald/frontend/types"
)

// Error is a violation.
type Error struct {
	At   source.Span
	Code string
	Msg  string
	// Note, if it is somewhere, is where the value was consumed.
	Note source.Span
}

// entry is what is known of a variable in scope.
type entry struct {
	als        *value
	consumable bool
	depth      int
}

// consumption is a list of the variables consumed so far, the last first.
type consumption struct {
	sym  *types.Symbol
	at   source.Span
	next *consumption
}

// Facts is what the definition's source says beyond its typed form.
type Facts struct {
	// Declared says whether the result type of the function at a place was declared.
	Declared func(source.Span) bool
	// Ascribed says whether the pattern that binds a variable has a declared type.
	Ascribed func(*types.Symbol) bool
	// Infix says whether an application was written infix, and whether the function came first.
	Infix func(source.Span) (infix, funFirst bool)
}

type checker struct {
	vars     map[*types.Symbol]*entry
	consumed *consumption
	errors   []*Error
	// depth counts enclosing functions and loops; what was bound outside of the innermost one cannot be consumed.
	depth int
	facts Facts
	// results describes symbols that stand for results of applications and loops.
	results map[*types.Symbol]string
}

// Def checks a definition at top level. Result types that were not declared are made unique where possible, in place.
func Def(d *types.Def, facts Facts) []*Error {
	c := &checker{vars: map[*types.Symbol]*entry{}, facts: facts, results: map[*types.Symbol]string{}}
	c.function(d.Params, d.Body, d.At, &d.Ret)
	if len(d.Params) == 0 && facts.Declared(d.At) && types.IsUnique(d.Ret.Type) {
		c.fail(d.At, "unique-constant", "A constant at top level is for all to use and has no unique type.")
	}
	d.Sym.Type = withResult(d.Sym.Type, len(d.Params), d.Ret.Type)
	return c.errors
}

// withResult replaces the type of the result of a function of n parameters.
func withResult(t types.Type, n int, ret types.Type) types.Type {
	if n == 0 {
		return ret
	}
	a := types.Force(t).(*types.Arrow)
	return &types.Arrow{Name: a.Name, Param: a.Param, Ret: types.RetType{
		Ext:  a.Ret.Ext,
		Type: withResult(a.Ret.Type, n-1, ret),
	}}
}

func (c *checker) fail(at source.Span, code, format string, args ...any) *Error {
	e := &Error{At: at, Code: code, Msg: fmt.Sprintf(format, args...)}
	c.errors = append(c.errors, e)
	return e
}

// describe names what a symbol stands for.
func (c *checker) describe(sym *types.Symbol) string {
	if r, ok := c.results[sym]; ok {
		return r
	}
	return fmt.Sprintf("variable \"%s\"", sym.Name)
}

// inside runs f in a context in which nothing bound so far can be consumed.
func (c *checker) inside(f func()) {
	c.depth++
	f()
	c.depth--
}

// Whether a variable may be consumed.
const (
	mayBeConsumed = true
	notConsumable = false
)

func (c *checker) bind(sym *types.Symbol, v *value, consumable bool) {
	c.vars[sym] = &entry{v, consumable, c.depth}
}

// bindPat binds the variables of a pattern to the parts of v.
func (c *checker) bindPat(p types.Pat, v *value) {
	switch p := p.(type) {
	case *types.VarPat:
		c.bind(p.Sym, self(p.Sym, v.retypeLike(p.Type)), mayBeConsumed)
	case *types.RecordPat:
		for i, f := range p.Fields {
			if len(v.fields) == len(p.Fields) {
				c.bindPat(f.Pat, v.fields[i])
			} else {
				c.bindPat(f.Pat, withAliases(f.Pat.Base().Type, v.all()))
			}
		}
	case *types.CtorPat:
		sum := types.Force(p.Type).(*types.Sum)
		_, n := sum.Ctor(p.Ctor)
		for i, a := range p.Args {
			if len(v.ctors) == len(sum.Ctors) {
				c.bindPat(a, v.ctors[n][i])
			} else {
				c.bindPat(a, withAliases(a.Base().Type, v.all()))
			}
		}
	case *types.AttrPat:
		c.bindPat(p.Pat, v)
	case *types.WildPat, *types.LitPat:
	default:
		panic(fmt.Sprintf("consume.bindPat: %T", p))
	}
}

// retypeLike keeps the type that v has, since it knows more of functions, unless there is none.
func (v *value) retypeLike(t types.Type) *value {
	if v.typ == nil {
		return v.retype(t)
	}
	return v
}

// bindParam binds the variables of a parameter: those of unique type can be consumed.
func (c *checker) bindParam(p types.Pat) {
	for _, v := range varPats(p) {
		c.bind(v.Sym, self(v.Sym, noAliases(v.Type)), types.IsUnique(v.Type))
	}
}

func varPats(p types.Pat) []*types.VarPat {
	switch p := p.(type) {
	case *types.VarPat:
		return []*types.VarPat{p}
	case *types.RecordPat:
		var out []*types.VarPat
		for _, f := range p.Fields {
			out = append(out, varPats(f.Pat)...)
		}
		return out
	case *types.CtorPat:
		var out []*types.VarPat
		for _, a := range p.Args {
			out = append(out, varPats(a)...)
		}
		return out
	case *types.AttrPat:
		return varPats(p.Pat)
	default:
		return nil
	}
}

// unscope makes aliases of variables that leave their scope free.
func unscope(v *value, syms []*types.Symbol) *value {
	if len(syms) == 0 {
		return v
	}
	return v.mapSets(func(s set) set {
		out := make(set, len(s))
		for a := range s {
			for _, sym := range syms {
				a.free = a.free || a.sym == sym
			}
			out[a] = true
		}
		return out
	})
}

// whenConsumed finds where sym was consumed.
func (c *checker) whenConsumed(sym *types.Symbol) (source.Span, bool) {
	for n := c.consumed; n != nil; n = n.next {
		if n.sym == sym {
			return n.at, true
		}
	}
	return source.Span{}, false
}

func (c *checker) checkUse(at source.Span, als set) {
	if c.consumed == nil {
		return
	}
	reported := map[*types.Symbol]bool{}
	for _, a := range als.sorted() {
		if where, ok := c.whenConsumed(a.sym); ok && !reported[a.sym] {
			reported[a.sym] = true
			e := c.fail(at, "use-after-consume", "Using %s, but this was consumed at %s. (Possibly through aliases.)",
				c.describe(a.sym), where)
			e.Note = where
		}
	}
}

// consume consumes everything in als.
func (c *checker) consume(at source.Span, als set) {
	for _, a := range als.sorted() {
		if a.free {
			continue
		}
		e := c.vars[a.sym]
		if e == nil || !e.consumable || e.depth < c.depth {
			c.fail(at, "not-consumable", "Consuming %s, which is not consumable.", c.describe(a.sym))
		}
	}
	c.checkUse(at, als)
	for _, a := range als.sorted() {
		c.consumed = &consumption{a.sym, at, c.consumed}
	}
}

// contain runs f and returns what it consumed, which is then forgotten.
func (c *checker) contain(f func()) *consumption {
	before := c.consumed
	f()
	after := c.consumed
	c.consumed = before
	if after == before {
		return nil
	}
	// The list ends where the old one begins. Each variable is in the new one once, by the last that consumes it: arms of a long
	// chain may all consume the same.
	var out *consumption
	for n := after; n != before; n = n.next {
		if !out.has(n.sym) {
			out = &consumption{n.sym, n.at, out}
		}
	}
	return out
}

func (c *checker) addConsumed(n *consumption) {
	for ; n != nil; n = n.next {
		c.consumed = &consumption{n.sym, n.at, c.consumed}
	}
}

func (n *consumption) has(sym *types.Symbol) bool {
	for ; n != nil; n = n.next {
		if n.sym == sym {
			return true
		}
	}
	return false
}
