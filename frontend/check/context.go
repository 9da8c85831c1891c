package check

import (
	"strings"

	"skald/frontend/check/sizes"
	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

// Env is a context in which expressions and declarations are checked one after the other, as in an interactive
// session. What is declared stays in scope, and Prog grows. The zero value is not ready; see NewEnv.
type Env struct {
	c *checker
	b *body
}

// NewEnv makes a context with nothing but the prelude. Imports are relative to the file at path from.
func NewEnv(loader Loader, from string) *Env {
	c := newChecker(loader, nil)
	return &Env{c: c, b: newBody(c.prelude, from)}
}

// Load checks a program and makes a context of what its root file knows, local names included.
func Load(loader Loader, root string, sink *diag.Sink, opts Options) (env *Env, ok bool) {
	c := newChecker(loader, sink)
	c.entries, c.mentioned = opts.Entries, opts.Mentioned
	before := sink.Errors()
	b := c.checkRoot(root)
	if b == nil {
		b = newBody(c.prelude, root)
	}
	c.prog.NumSymbols = c.nextID
	if ok = sink.Errors() == before; ok {
		c.unreachedAttributes()
	}
	return &Env{c: c, b: b}, ok
}

// Prog is the program so far: definitions are added at its end.
func (e *Env) Prog() *types.Prog { return e.c.prog }

// run checks something, with its messages going to sink.
func (e *Env) run(sink *diag.Sink, f func()) (ok bool) {
	before := sink.Errors()
	e.c.sink = sink
	// A session may define a name again.
	e.b.defined = map[string]source.Span{}
	e.b.root = false
	ok = e.c.attempt(f)
	e.c.sink = nil
	e.c.prog.NumSymbols = e.c.nextID
	return ok && sink.Errors() == before
}

// Dec checks a declaration and brings it into scope.
func (e *Env) Dec(d syntax.Dec, sink *diag.Sink) (ok bool) {
	return e.run(sink, func() { e.c.dec(e.b, d) })
}

// Exp checks an expression. It returns a definition of it under the given name, which is not part of Prog: a value
// without parameters, and with type parameters if the expression is polymorphic.
func (e *Env) Exp(x syntax.Exp, name string, sink *diag.Sink) (def *types.Def, ok bool) {
	dec := &syntax.ValDec{Name: syntax.Name{Text: name, At: x.Span()}, Body: x}
	dec.At = x.Span()
	ok = e.run(sink, func() {
		in := &infer{checker: e.c, quiet: true}
		def = in.define(e.b.scope, dec, e.c.newSymbol(name, types.Global, nil, x.Span()))
	})
	return def, ok
}

// With makes a context in which some variables are in scope as well, the last of those with the same name. It shares
// everything else with e.
func (e *Env) With(vars []*types.Symbol) *Env {
	inner := *e.b
	for _, sym := range vars {
		inner.scope = inner.scope.with(sym.Name, &binding{sym: sym, at: sym.At, used: true})
	}
	return &Env{c: e.c, b: &inner}
}

// Module describes what a module exports, one specification a line.
func (e *Env) Module(m syntax.ModExp, sink *diag.Sink) (text string, ok bool) {
	ok = e.run(sink, func() {
		e.c.dry++
		defer func() { e.c.dry-- }()
		mod := e.c.modExp(e.b.scope, e.b.path, m)
		if mod.functor != nil {
			text = "a parametric module of (" + mod.functor.param + ": " + mod.functor.from.Span().Text() + ")"
			return
		}
		var lines []string
		for _, member := range mod.members(m.Span().Text()) {
			lines = append(lines, member.Text)
		}
		text = strings.Join(lines, "\n")
	})
	return text, ok
}

// Names lists the values and modules in scope, for completion; with module, the ones in that module.
func (e *Env) Names(module string) []string {
	s, outer := e.b.scope, true
	if module != "" {
		if s, outer = e.module(module), false; s == nil {
			return nil
		}
	}
	var names []string
	for i, name := range s.visible(outer) {
		if i == 0 || name != names[len(names)-1] {
			names = append(names, name)
		}
	}
	return names
}

// module finds the contents of a module that is in scope, whose name may be qualified; nil if there is none.
func (e *Env) module(name string) *scope {
	s := e.b.scope
	for i, part := range strings.Split(name, ".") {
		var b *binding
		if i == 0 {
			b = s.val(part)
		} else {
			b = s.ownVal(part)
		}
		if b == nil || b.mod == nil || b.mod.functor != nil {
			return nil
		}
		s = b.mod.scope
	}
	return s
}

// define runs both halves of checking on a declaration.
func (in *infer) define(s *scope, d *syntax.ValDec, sym *types.Symbol) *types.Def {
	def := in.elaborate(s, d, sym)
	def, err := sizes.Def(in, def)
	if err != nil {
		in.failSizes(err)
	}
	in.afterSizes(d, def)
	return def
}
