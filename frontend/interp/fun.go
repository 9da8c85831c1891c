package interp

import (
	"skald/frontend/source"
	"skald/frontend/types"
)

// global is a top-level definition.
type global struct {
	def  *types.Def
	code *code
	// fn is the definition as a function without arguments.
	fn *function
	// done says that result is what the definition of a value without type parameters evaluates to.
	done   bool
	result Value
}

// define adds a definition, to be compiled when it is first used.
func (m *machine) define(d *types.Def) {
	g := &global{def: d}
	g.code = &code{arity: len(d.TypeParams) + len(d.Params), self: -1}
	g.code.compile = func() { m.compileDef(m.newScope(nil), g.code, d) }
	g.fn = &function{code: g.code}
	m.globals[d.Sym] = g
	if len(d.Params) == 0 {
		t := types.Represent(d.Ret.Type)
		for _, k := range d.Ret.Ext {
			m.globalSizes[k] = &globalSize{g, readersOf(t, k)}
		}
	}
}

// value is the value of a definition without parameters.
func (g *global) value(m *machine) Value {
	if g.code.arity > 0 {
		return Value{ref: g.fn}
	}
	if !g.done {
		s := &site{g.def.At}
		g.result = m.run(g.code, m.frame(g.code), s)
		g.done = true
	}
	return g.result
}

// compileDef compiles a definition with its type parameters as the first arguments.
func (m *machine) compileDef(s *scope, c *code, d *types.Def) {
	for _, p := range d.TypeParams {
		i := s.slot()
		s.params[p] = i
		if p.IsSize() {
			s.setSlot(p.Size, i)
		}
	}
	s.finish(c, d.Params, d.Body)
	if sizes := s.missingSizes(d); sizes != nil {
		entry := c.entry
		c.entry = func(f *frame) {
			sizes(f)
			if entry != nil {
				entry(f)
			}
		}
	}
}

// missingSizes reads off the arguments those size arguments that the caller did not know: an abstract type may hide the
// only place that shows a size. It is nil if d has none that its parameters show.
func (s *scope) missingSizes(d *types.Def) func(f *frame) {
	var actions []func(f *frame)
	for _, p := range d.TypeParams {
		if !p.IsSize() {
			continue
		}
		slot := s.slots[p.Size]
		for i, param := range d.Params {
			readers := readersOf(types.Represent(param.Pat.Base().Type), p.Size)
			if len(readers) == 0 {
				continue
			}
			arg := len(d.TypeParams) + i
			actions = append(actions, func(f *frame) {
				if f.slots[slot].int() >= 0 {
					return
				}
				if n, ok := readers[0](f.slots[arg], 0); ok {
					f.slots[slot] = intValue(int64(n))
				}
			})
			break
		}
	}
	return sequence(actions)
}

// finish compiles parameters and body into c.
func (s *scope) finish(c *code, params []*types.Param, body types.Exp) {
	c.entry = s.compileParams(params)
	if len(params) == 1 && len(params[0].Sizes) == 0 && c.entry != nil {
		c.element = s.element(params[0].Pat)
	}
	c.body = s.exp(body)
	c.captures = s.captured
	c.levels = levelsPerCall + depthOfExp(body)
	c.nslots = s.n
}

// compileParams assigns the next slots to the parameters, and returns what takes them apart.
func (s *scope) compileParams(params []*types.Param) func(f *frame) {
	var entry []func(f *frame)
	slots := make([]int, len(params))
	for i, p := range params {
		slots[i] = s.slot()
		if v := types.Variable(p.Pat); v != nil {
			s.setSlot(v, slots[i])
		}
	}
	for i, p := range params {
		slot := slots[i]
		if sizes := s.bindSizes(p.Sizes, p.Pat.Base().Type); sizes != nil {
			entry = append(entry, func(f *frame) { sizes(f, f.slots[slot]) })
		}
		if types.Variable(p.Pat) == nil {
			if bind := s.pat(p.Pat); bind != nil {
				entry = append(entry, func(f *frame) { bind(f, f.slots[slot]) })
			}
		}
	}
	return sequence(entry)
}

// sequence runs actions one after the other; it is nil for none.
func sequence(actions []func(f *frame)) func(f *frame) {
	switch len(actions) {
	case 0:
		return nil
	case 1:
		return actions[0]
	default:
		return func(f *frame) {
			for _, a := range actions {
				a(f)
			}
		}
	}
}

// lambda compiles an anonymous function to what makes the closure.
func (s *scope) lambda(e *types.Lambda) eval {
	c := &code{arity: len(e.Params), self: -1}
	inner := s.m.newScope(s)
	inner.finish(c, e.Params, e.Body)
	return closure(c, inner.captures)
}

// closure makes a function of code, capturing slots.
func closure(c *code, captures []int) eval {
	if len(captures) == 0 {
		fn := Value{ref: &function{code: c}}
		return func(*frame) Value { return fn }
	}
	return func(f *frame) Value {
		caps := make([]Value, len(captures))
		for i, slot := range captures {
			caps[i] = f.slots[slot]
		}
		return Value{ref: &function{code: c, caps: caps}}
	}
}

// letFun compiles a local function.
func (s *scope) letFun(e *types.LetFun) eval {
	d := e.Def
	slot := s.bind(d.Sym)
	c := &code{arity: len(d.TypeParams) + len(d.Params), self: -1}
	if c.arity == 0 {
		value, body := s.exp(d.Body), s.exp(e.Body)
		return func(f *frame) Value {
			f.slots[slot] = value(f)
			return body(f)
		}
	}
	inner := s.m.newScope(s)
	if d.Recursive {
		inner.self, inner.code = d.Sym, c
	}
	s.m.compileDef(inner, c, d)
	fun, body := closure(c, inner.captures), s.exp(e.Body)
	return func(f *frame) Value {
		f.slots[slot] = fun(f)
		return body(f)
	}
}

// ref compiles an occurrence of a variable.
func (s *scope) ref(e *types.Ref) eval {
	args := s.typeArgs(e.Args)
	st := s.site(e.At)
	if g := s.m.globals[e.Sym]; g != nil {
		switch {
		case g.code.arity == 0:
			return func(f *frame) Value { return g.value(f.m) }
		case len(args) == 0:
			v := Value{ref: g.fn}
			return func(*frame) Value { return v }
		default:
			return func(f *frame) Value { return f.m.apply(g.fn, evalAll(f, args), st) }
		}
	}
	slot, ok := s.find(e.Sym)
	if !ok {
		if size := s.globalSize(e.Sym); size != nil {
			return func(f *frame) Value { return intValue(int64(size(f))) }
		}
		panic("interp: variable " + e.Sym.Name + " is not in scope, at " + e.At.String())
	}
	if len(args) == 0 {
		return s.reading(func(f *frame) Value { return f.slots[slot] }, e.At, e.Sym.Name)
	}
	return func(f *frame) Value { return f.m.apply(f.slots[slot].function(), evalAll(f, args), st) }
}

// typeArgs compiles type and size arguments to arguments of a call.
func (s *scope) typeArgs(args []types.TypeArg) []eval {
	evals := make([]eval, len(args))
	for i, a := range args {
		if a.Size != nil {
			size := s.size(a.Size)
			evals[i] = func(f *frame) Value { return intValue(int64(size(f))) }
			continue
		}
		t, known := s.typeOf(a.Type)
		if known != nil {
			v := Value{ref: &typeArg{known}}
			evals[i] = func(*frame) Value { return v }
		} else {
			evals[i] = func(f *frame) Value { return Value{ref: &typeArg{t(f)}} }
		}
	}
	return evals
}

// Note [Arguments before functions]
//
// The function of an application is evaluated after the arguments, and these from right to left: a size born in an
// argument may be mentioned by the types of what is to its left, as in `length (filter p xs)`, where length is
// given the size of the filter's result. Expressions are compiled in the same order, since a size gets its slot where
// it is born.

// evalAll evaluates expressions from right to left.
func evalAll(f *frame, evals []eval) []Value {
	vs := make([]Value, len(evals))
	for i := len(evals) - 1; i >= 0; i-- {
		vs[i] = evals[i](f)
	}
	return vs
}

// exps compiles expressions from right to left.
func (s *scope) exps(es []types.Exp) []eval {
	evals := make([]eval, len(es))
	for i := len(es) - 1; i >= 0; i-- {
		evals[i] = s.exp(es[i])
	}
	return evals
}

// applyExp compiles an application: see Note [Arguments before functions].
func (s *scope) applyExp(e *types.Apply) eval {
	fun, args := e.Fun, e.Args
	for {
		inner, ok := fun.(*types.Apply)
		if !ok || len(inner.Ext) > 0 {
			break
		}
		fun, args = inner.Fun, append(append([]types.Exp(nil), inner.Args...), args...)
	}
	st := s.site(e.At)
	if ref, ok := fun.(*types.Ref); ok {
		if g := s.m.globals[ref.Sym]; g != nil && g.code.arity > 0 {
			if n := g.code.arity; len(ref.Args)+len(args) == n && len(args) > 0 {
				vs := s.exps(args)
				return directCall(g.code, append(s.typeArgs(ref.Args), vs...), st)
			}
		}
	}
	vs := s.exps(args)
	return call(s.exp(fun), vs, st)
}

// call applies the function that fun evaluates to.
func call(fun eval, args []eval, st *site) eval {
	if len(args) == 1 {
		arg := args[0]
		return func(f *frame) Value {
			x := arg(f)
			fn := fun(f).function()
			if fn.code.arity-len(fn.args) != 1 {
				return f.m.apply(fn, []Value{x}, st)
			}
			callee := f.m.frame(fn.code)
			callee.slots[len(fn.args)] = x
			fn.install(callee)
			return f.m.run(fn.code, callee, st)
		}
	}
	if len(args) == 2 {
		first, second := args[0], args[1]
		return func(f *frame) Value {
			y := second(f)
			x := first(f)
			fn := fun(f).function()
			if fn.code.arity-len(fn.args) != 2 {
				return f.m.apply(fn, []Value{x, y}, st)
			}
			callee := f.m.frame(fn.code)
			callee.slots[len(fn.args)], callee.slots[len(fn.args)+1] = x, y
			fn.install(callee)
			return f.m.run(fn.code, callee, st)
		}
	}
	return func(f *frame) Value {
		vs := evalAll(f, args)
		return f.m.apply(fun(f).function(), vs, st)
	}
}

// directCall calls code that captures nothing with all of its arguments: see Note [Arguments before functions].
func directCall(c *code, args []eval, st *site) eval {
	if len(args) == 1 {
		arg := args[0]
		return func(f *frame) Value {
			callee := f.m.frame(c)
			callee.slots[0] = arg(f)
			return f.m.run(c, callee, st)
		}
	}
	return func(f *frame) Value {
		callee := f.m.frame(c)
		for i := len(args) - 1; i >= 0; i-- {
			callee.slots[i] = args[i](f)
		}
		return f.m.run(c, callee, st)
	}
}

// call is an application of a value from Go.
func (m *machine) call(fn Value, at source.Span, args ...Value) Value {
	return m.apply(fn.function(), args, &site{at})
}
