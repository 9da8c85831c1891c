package interp

import (
	"context"
	"fmt"
	"strings"

	"skald/frontend/source"
	"skald/frontend/types"
)

// eval is a compiled expression.
type eval func(f *frame) Value

// frame holds the variables of one activation of a function. The arguments come first.
type frame struct {
	slots []Value
	m     *machine
}

// code is a compiled function. Its arguments are the type and size arguments, and then those that the program shows.
type code struct {
	arity int
	// captures are the slots that take the values of function.caps at each call; self, if not negative, takes the
	// function itself.
	captures []int
	self     int
	// compile makes entry and body; it runs at the first call.
	compile func()
	// entry takes arguments apart whose parameters are patterns; nil if there is nothing to do.
	entry func(f *frame)
	// element is in place of entry where the only argument is an element of an array and its parameter is a pattern; nil
	// where there is no such thing.
	element elementBinder
	body    eval
	// levels is how deep Go's stack becomes while the body is evaluated: Note [Stack].
	levels int
	nslots int
	// pool keeps frames for the next calls.
	pool []*frame
}

// machine is the state of an interpreter.
type machine struct {
	globals     map[*types.Symbol]*global
	globalSizes map[*types.Symbol]*globalSize
	opts        Options
	ctx         context.Context
	// calls are the places of the calls that are being evaluated, the innermost last.
	calls []*site
	// levels is the depth of Go's stack, as far as the program is responsible for it: Note [Stack].
	levels int
	// fuel counts down to the next look at the context.
	fuel int
	ad   differentiation
}

// site is a place in the program that run-time errors mention.
type site struct {
	at source.Span
}

// fuelPeriod is how many calls and iterations go by between looks at the context.
const fuelPeriod = 1 << 14

// tick is called at each call and iteration.
func (m *machine) tick() {
	if m.fuel--; m.fuel < 0 {
		m.fuel = fuelPeriod
		if err := m.ctx.Err(); err != nil {
			panic(&Error{Message: "interrupted", Cause: err, Trace: m.trace(source.Span{})})
		}
	}
}

// frame prepares a call of c.
func (m *machine) frame(c *code) *frame {
	if c.compile != nil {
		c.compile()
		c.compile = nil
	}
	if n := len(c.pool); n > 0 {
		f := c.pool[n-1]
		c.pool = c.pool[:n-1]
		return f
	}
	return &frame{make([]Value, c.nslots), m}
}

// Note [Stack]
//
// Evaluation nests as calls and expressions do, on the stack of Go, whose overflow would end the process. Calls are
// therefore counted, and so are the levels of the expressions around them: each function knows how deep its body is.

// maxLevels keeps the stack far below what Go allows.
const maxLevels = 1_500_000

// levelsPerCall is what a call takes besides the expressions around it.
const levelsPerCall = 10

// depthOfExp is the number of levels of e, less those of functions in it, which are called on their own.
func depthOfExp(e types.Exp) int {
	if _, ok := e.(*types.Lambda); ok {
		return 1
	}
	deepest := 0
	types.Children(e, func(c types.Exp) { deepest = max(deepest, depthOfExp(c)) })
	return deepest + 1
}

// push enters a call of c.
func (m *machine) push(c *code, s *site) {
	if len(m.calls) >= m.opts.MaxDepth || m.levels > maxLevels {
		m.fail(s.at, "Stack overflow: %d calls are nested.", len(m.calls))
	}
	m.levels += c.levels
	m.calls = append(m.calls, s)
	m.tick()
}

// pop leaves a call of c.
func (m *machine) pop(c *code) {
	m.levels -= c.levels
	m.calls = m.calls[:len(m.calls)-1]
}

// run evaluates the body of c in f, whose arguments and captured variables are in place, and returns f to its pool.
func (m *machine) run(c *code, f *frame, s *site) Value {
	m.push(c, s)
	if c.entry != nil {
		c.entry(f)
	}
	v := c.body(f)
	m.pop(c)
	clear(f.slots)
	c.pool = append(c.pool, f)
	return v
}

// install puts the captured variables and earlier arguments of fn in place.
func (fn *function) install(f *frame) {
	copy(f.slots, fn.args)
	for i, slot := range fn.code.captures {
		f.slots[slot] = fn.caps[i]
	}
	if fn.code.self >= 0 {
		f.slots[fn.code.self] = Value{ref: &function{code: fn.code, caps: fn.caps}}
	}
}

// apply applies fn to arguments, perhaps too few or more than it takes.
func (m *machine) apply(fn *function, args []Value, s *site) Value {
	for {
		missing := fn.code.arity - len(fn.args)
		if len(args) < missing {
			all := make([]Value, 0, len(fn.args)+len(args))
			return Value{ref: &function{fn.code, fn.caps, append(append(all, fn.args...), args...)}}
		}
		f := m.frame(fn.code)
		fn.install(f)
		copy(f.slots[len(fn.args):], args[:missing])
		v := m.run(fn.code, f, s)
		if len(args) == missing {
			return v
		}
		fn, args = v.function(), args[missing:]
	}
}

// caller calls one function many times with the same number of arguments. If that is the number the function takes, all
// calls share a frame: nothing that outlives a call keeps it.
type caller struct {
	fn   *function
	m    *machine
	s    *site
	f    *frame // nil if each call must go through apply
	args []Value
	base int
}

// newCaller prepares calls of fn with n arguments.
func (m *machine) newCaller(fn Value, n int, s *site) *caller {
	c := &caller{fn: fn.function(), m: m, s: s}
	c.base = len(c.fn.args)
	if c.fn.code.arity-c.base == n {
		c.f = m.frame(c.fn.code)
		c.fn.install(c.f)
	} else {
		c.args = make([]Value, n)
	}
	return c
}

// call1 calls the function with one argument.
func (c *caller) call1(x Value) Value {
	if c.f == nil {
		c.args[0] = x
		return c.m.apply(c.fn, c.args, c.s)
	}
	c.f.slots[c.base] = x
	return c.enter()
}

// call2 calls the function with two arguments.
func (c *caller) call2(x, y Value) Value {
	if c.f == nil {
		c.args[0], c.args[1] = x, y
		return c.m.apply(c.fn, c.args, c.s)
	}
	c.f.slots[c.base], c.f.slots[c.base+1] = x, y
	return c.enter()
}

// element calls the function with the element at i of an array.
func (c *caller) element(a *array, i int) Value {
	if c.f == nil || c.fn.code.element == nil || len(a.shape) > 1 {
		return c.call1(a.at(i))
	}
	m := c.m
	m.push(c.fn.code, c.s)
	c.fn.code.element(c.f, a, i)
	v := c.fn.code.body(c.f)
	m.pop(c.fn.code)
	return v
}

func (c *caller) enter() Value {
	m, code := c.m, c.fn.code
	m.push(c.fn.code, c.s)
	if code.entry != nil {
		code.entry(c.f)
	}
	v := code.body(c.f)
	m.pop(code)
	return v
}

// done returns the frame to its pool.
func (c *caller) done() {
	if c.f != nil {
		clear(c.f.slots)
		c.fn.code.pool = append(c.fn.code.pool, c.f)
		c.f = nil
	}
}

// Error is a run-time error of the program.
type Error struct {
	// Message says what went wrong.
	Message string
	// Trace are the places where it did, the innermost first.
	Trace []source.Span
	// Cause is set if the program was interrupted from outside.
	Cause error
	// Arguments says that the arguments of the entry point are at fault: their sizes disagree.
	Arguments bool
}

// Error returns the message and the trace on lines of their own.
func (e *Error) Error() string {
	text := e.Message
	if len(e.Trace) == 0 {
		return text
	}
	text = fmt.Sprintf("Error at %s: %s\n\nCalled from, innermost first:", e.Trace[0], text)
	for _, at := range e.Trace {
		text += "\n  " + at.String()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// fail stops the program with an error at a place.
func (m *machine) fail(at source.Span, format string, args ...any) {
	panic(&Error{Message: fmt.Sprintf(format, args...), Trace: m.trace(at)})
}

// maxTrace bounds the number of places in an error.
const maxTrace = 64

// trace lists the places of the calls that are being evaluated, at first. Places in the prelude say nothing to the
// reader and are left out, unless nothing else is known.
func (m *machine) trace(at source.Span) []source.Span {
	var ours, theirs []source.Span
	add := func(s source.Span) {
		list := &theirs
		if s.Valid() && strings.HasPrefix(s.File.Name(), "/prelude/") {
			list = &ours
		}
		if s.Valid() && len(*list) < maxTrace && (len(*list) == 0 || (*list)[len(*list)-1] != s) {
			*list = append(*list, s)
		}
	}
	add(at)
	for i := len(m.calls) - 1; i >= 0; i-- {
		add(m.calls[i].at)
	}
	if theirs == nil {
		return ours
	}
	return theirs
}
