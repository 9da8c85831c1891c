package interp

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"skald/frontend/source"
	"skald/frontend/types"
	"skald/runtime/limits"
	"skald/runtime/value"
)

// Options say how a program is run. The zero value is good for everything.
type Options struct {
	// MaxDepth bounds the number of nested calls, which is less if they are deep inside of expressions; 0 means DefaultMaxDepth.
	MaxDepth int
	// CheckConsumption makes reading an array that has been updated in place an error; a checked program has none.
	CheckConsumption bool
	// Trace is called with the value of each expression that has the attribute #[trace]; tag is the attribute's
	// argument.
	Trace func(at source.Span, tag, text string)
	// Break is called before each expression that has the attribute #[break] is evaluated.
	Break func(stop *Stop)
}

// DefaultMaxDepth is how deep calls may be nested: deep enough for recursion over a list of that many elements, and
// shallow enough for the stack of Go.
const DefaultMaxDepth = 50000

// Interpreter runs one program. It is not safe for use by several goroutines at once.
type Interpreter struct {
	m    *machine
	prog *types.Prog
}

// New prepares a program. Constants are evaluated by Init, or when they are first used.
func New(prog *types.Prog, opts Options) *Interpreter {
	if opts.MaxDepth == 0 {
		opts.MaxDepth = DefaultMaxDepth
	}
	m := &machine{
		globals: map[*types.Symbol]*global{}, globalSizes: map[*types.Symbol]*globalSize{},
		opts: opts, ctx: context.Background(),
	}
	in := &Interpreter{m, &types.Prog{}}
	in.Extend(prog)
	return in
}

// Extend adds the definitions of prog to the program; those that are there already stay as they are.
func (in *Interpreter) Extend(prog *types.Prog) {
	for _, d := range prog.Defs {
		if in.m.globals[d.Sym] == nil {
			in.m.define(d)
		}
	}
	in.prog = prog
}

// Init evaluates all constants of the program, as a compiled program does when it starts.
func (in *Interpreter) Init(ctx context.Context) error {
	return in.protect(ctx, func() {
		for _, d := range in.prog.Defs {
			if g := in.m.globals[d.Sym]; g.code.arity == 0 {
				g.value(in.m)
			}
		}
	})
}

// Call calls an entry point. Arguments and results that are records or tuples, or arrays of such, are several values:
// those of their fields, in canonical order.
func (in *Interpreter) Call(ctx context.Context, entry string, args []value.Value) ([]value.Value, error) {
	d := in.Entry(entry)
	if d == nil {
		return nil, fmt.Errorf("unknown entry point %q", entry)
	}
	vs, err := importAll(d, args)
	if err != nil {
		return nil, err
	}
	v, err := in.Apply(ctx, d, vs)
	if err != nil {
		return nil, err
	}
	return exportAll(nil, v, d.Ret.Type)
}

// Entry finds an entry point by its name.
func (in *Interpreter) Entry(name string) *types.Def {
	for _, d := range in.prog.Entries() {
		if d.Entry.Name == name {
			return d
		}
	}
	return nil
}

// Apply calls a definition without type parameters other than sizes; these are found from the shapes of the arguments,
// which are checked against the types of the parameters.
func (in *Interpreter) Apply(ctx context.Context, d *types.Def, args []Value) (result Value, err error) {
	if len(args) != len(d.Params) {
		return Value{}, wrongCount(d, len(args))
	}
	g := in.m.globals[d.Sym]
	if g == nil {
		return Value{}, fmt.Errorf("%q is not part of the program", d.Sym.Name)
	}
	err = in.protect(ctx, func() {
		if g.code.arity == 0 {
			result = g.value(in.m)
			return
		}
		result = in.m.apply(g.fn, in.m.entryArgs(d, args), &site{})
	})
	return result, err
}

// ErrInternal is in the errors that are the interpreter's fault.
var ErrInternal = errors.New("internal error")

// protect runs f, turning a run-time error of the program into an error value.
func (in *Interpreter) protect(ctx context.Context, f func()) (err error) {
	m := in.m
	calls, levels := len(m.calls), m.levels
	before := m.ctx
	m.ctx = ctx
	defer func() {
		r := recover()
		if e, ok := r.(*Error); ok && e.Trace == nil {
			e.Trace = m.trace(source.Span{})
		}
		m.ctx = before
		m.calls, m.levels = m.calls[:calls], levels
		m.ad.reset(calls)
		switch r := r.(type) {
		case nil:
		case *Error:
			err = r
		case *limits.Error:
			err = r
		default:
			// A bug of ours, or an array that Go cannot make: in both cases the program cannot go on.
			err = fmt.Errorf("%w: the interpreter failed: %v\n%s", ErrInternal, r, debug.Stack())
		}
	}()
	f()
	return nil
}

// entryArgs puts the size arguments, as the values show them, in front of the arguments.
func (m *machine) entryArgs(d *types.Def, args []Value) []Value {
	s := m.newScope(nil)
	sizes := make([]*types.Symbol, len(d.TypeParams))
	fields := make([]types.Type, len(d.Params))
	for i, p := range d.TypeParams {
		sizes[i] = p.Size
	}
	for i, p := range d.Params {
		fields[i] = p.Pat.Base().Type
	}
	all := types.Tuple(fields...)
	if len(fields) == 1 {
		all = fields[0]
	}
	bind := s.bindSizes(sizes, all)
	entry := s.compileParams(d.Params)
	checks := make([]typeEval, len(fields))
	for i, t := range fields {
		checks[i], _ = s.typeOf(t)
	}
	f := &frame{make([]Value, s.n), m}
	copy(f.slots[len(sizes):], args)
	if bind != nil && len(args) == 1 {
		bind(f, args[0])
	} else if bind != nil {
		bind(f, tuple(args...))
	}
	if entry != nil {
		entry(f)
	}
	for i, check := range checks {
		if t := check(f); !fits(args[i], 0, t) {
			panic(&Error{Message: fmt.Sprintf("Entry point %q: invalid sizes: argument %d has type %s, but %s is expected.",
				d.Sym.Name, i+1, shapeText(args[i], t), t), Trace: m.trace(d.At), Arguments: true})
		}
	}
	return append(append([]Value(nil), f.slots[:len(sizes)]...), args...)
}
