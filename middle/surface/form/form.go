package form

import (
	"fmt"

	"skald/frontend/types"
)

// A Form is a set of invariants, those of all forms before it included.
type Form int

// The forms, in the order of the passes.
const (
	// Checked is what the checker returns.
	Checked Form = iota
	// Normal has no existential sizes but those that a Let, a definition or a function type binds (package normalise).
	Normal
	// Monomorphic has no polymorphism and no abstract types (package monomorphise).
	Monomorphic
	// Lifted has no local functions (package lift).
	Lifted
	// FirstOrder has no function values: a function is called with all its arguments, or is a Lambda that is an argument of a
	// Builtin (package defunctionalise).
	FirstOrder
)

// Check returns what keeps p from having form f, or nil.
func Check(f Form, p *types.Prog) error {
	verify := types.Verify
	if f >= Monomorphic {
		verify = types.VerifyMonomorphic
	}
	if err := verify(p); err != nil {
		return err
	}
	for _, d := range p.Defs {
		c := &checker{form: f}
		c.def(d)
		if c.err != nil {
			return fmt.Errorf("in %s: %w", d.Sym.Name, c.err)
		}
	}
	return nil
}

// checker is the state of Check for one definition.
type checker struct {
	form Form
	err  error
}

func (c *checker) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

func (c *checker) def(d *types.Def) {
	if c.form >= FirstOrder {
		for _, p := range d.Params {
			c.noFunction("a parameter", p.Pat.Base().Type)
		}
		c.noFunction("the result", d.Ret.Type)
	}
	c.exp(d.Body)
}

func (c *checker) exp(e types.Exp) {
	if c.form >= Normal && c.form < FirstOrder && len(e.Base().Ext) > 0 {
		c.fail("%T at %s makes sizes that no let binds", e, e.Base().At)
	}
	if c.form >= Lifted {
		c.lifted(e)
	}
	if c.form >= FirstOrder {
		c.firstOrder(e)
		return
	}
	types.Children(e, c.exp)
}

func (c *checker) lifted(e types.Exp) {
	switch e.(type) {
	case *types.LetFun:
		c.fail("a local function is left")
	case *types.Lambda:
		if c.form < FirstOrder {
			c.fail("a local function is left")
		}
	default:
	}
}

// firstOrder checks an expression that is no function argument, and the parts of it.
func (c *checker) firstOrder(e types.Exp) {
	c.noFunction(types.Described{Of: e}, e.Base().Type)
	switch e := e.(type) {
	case *types.Apply:
		c.call(e)
	case *types.Builtin:
		for i, a := range e.Args {
			c.argument(e, i, a)
		}
	default:
		types.Children(e, c.exp)
	}
}

func (c *checker) call(e *types.Apply) {
	ref, ok := e.Fun.(*types.Ref)
	if !ok || ref.Sym.Kind != types.Global {
		c.fail("something other than a definition is called at %s", e.At)
	}
	for _, a := range e.Args {
		c.exp(a)
	}
}

func (c *checker) argument(e *types.Builtin, i int, a types.Exp) {
	if e.Fn.FunctionArity(i) == 0 {
		c.exp(a)
		return
	}
	lam, ok := a.(*types.Lambda)
	if !ok {
		c.fail("argument %d of %s is no lambda, but %T", i+1, e.Fn, a)
		return
	}
	if len(lam.Params) != e.Fn.FunctionArity(i) {
		c.fail("argument %d of %s takes %d parameters", i+1, e.Fn, len(lam.Params))
	}
	c.exp(lam.Body)
}

func (c *checker) noFunction(what any, t types.Type) {
	if types.HasFunctions(t) {
		c.fail("%s has type %s", what, t)
	}
}
