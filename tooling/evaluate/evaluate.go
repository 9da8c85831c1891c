package evaluate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"skald/frontend/diag"
	"skald/frontend/types"
	"skald/runtime/value"
	"skald/tooling/script"
)

// Program is the program that expressions are about.
type Program struct {
	// Types has its entry points.
	Types *types.Prog
	// Dir is the folder that files are relative to.
	Dir string
	// Call runs an entry point.
	Call func(entry string, args []value.Value) ([]value.Value, error)
	// MayStore allows expressions to write files: $store.
	MayStore bool
}

// evaluator evaluates an expression; env are the variables in scope.
type evaluator struct {
	*Program
	env map[string]Value
}

// Eval evaluates an expression.
func (p *Program) Eval(e script.Exp) (Value, error) {
	return (&evaluator{p, map[string]Value{}}).eval(e)
}

var codeScript = diag.Declare(diag.Code{
	ID:  "script-failed",
	Doc: "An expression in FutharkScript has no value.",
})

// fail is an error at an expression.
func fail(e script.Exp, format string, args ...any) (Value, error) {
	return Value{}, diag.New(codeScript, e.Span(), format, args...)
}

func (ev *evaluator) eval(e script.Exp) (Value, error) {
	switch e := e.(type) {
	case *script.Const:
		v, err := value.Parse(e.Text)
		if err != nil {
			return fail(e, "%v", err)
		}
		return Plain(v), nil
	case *script.String:
		return Plain(value.FromSlice([]byte(e.Value), len(e.Value))), nil
	case *script.Tuple:
		vs, err := ev.all(e.Elems)
		return Tuple(vs...), err
	case *script.Record:
		return ev.record(e)
	case *script.Call:
		return ev.call(e)
	case *script.Let:
		return ev.let(e)
	case *script.Project:
		return ev.project(e)
	case *script.Index:
		return ev.index(e)
	default:
		panic(fmt.Sprintf("evaluate: expression %T", e))
	}
}

func (ev *evaluator) all(es []script.Exp) ([]Value, error) {
	out := make([]Value, len(es))
	for i, e := range es {
		var err error
		if out[i], err = ev.eval(e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (ev *evaluator) record(e *script.Record) (Value, error) {
	names := make([]string, len(e.Fields))
	values := make([]script.Exp, len(e.Fields))
	for i, f := range e.Fields {
		names[i], values[i] = f.Name, f.Value
	}
	vs, err := ev.all(values)
	if err != nil {
		return Value{}, err
	}
	return record(names, vs), nil
}

func (ev *evaluator) project(e *script.Project) (Value, error) {
	v, err := ev.eval(e.Exp)
	if err != nil {
		return v, err
	}
	names, parts, ok := v.Fields()
	if !ok {
		return fail(e, "a value of type %s has no fields", v.Describe())
	}
	for i, name := range names {
		if name == e.Field {
			return parts[i], nil
		}
	}
	return fail(e, "there is no field %s in a value of type %s", e.Field, v.Describe())
}

// index takes an element or a row of an array; an array of records is an array for each field.
func (ev *evaluator) index(e *script.Index) (Value, error) {
	v, err := ev.eval(e.Array)
	if err != nil {
		return v, err
	}
	indices, err := ev.all(e.Indices)
	if err != nil {
		return v, err
	}
	if v.Type == nil {
		return fail(e, "a value of type %s is no array", v.Describe())
	}
	out := Value{Type: types.Represent(v.Type), Parts: append([]value.Value(nil), v.Parts...)}
	for n, i := range indices {
		array, ok := out.Type.(*types.Array)
		if !ok {
			return fail(e, "%d indices are too many for a value of type %s", len(indices), v.Describe())
		}
		if len(i.Parts) != 1 || !i.Parts[0].IsScalar() || !i.Parts[0].Elem().IsInt() {
			return fail(e.Indices[n], "an index must be an integer, not a value of type %s", i.Describe())
		}
		at := i.Parts[0].Scalar().Int()
		for k, p := range out.Parts {
			if size := p.Shape()[0]; at < 0 || at >= int64(size) {
				return fail(e, "index [%d] is out of bounds for an array of size %d", at, size)
			}
			out.Parts[k] = p.Row(int(at))
		}
		out.Type = array.Elem
	}
	return out, nil
}

func (ev *evaluator) call(e *script.Call) (Value, error) {
	bound, isBound := ev.env[e.Func]
	isBound = isBound && !e.Builtin
	if isBound && len(e.Args) == 0 {
		return bound, nil
	}
	args, err := ev.all(e.Args)
	if err != nil {
		return Value{}, err
	}
	if e.Builtin {
		return ev.builtin(e, args)
	}
	f := Value{Fun: e.Func}
	if isBound {
		f = bound
	}
	v, err := ev.Apply(f, args...)
	if err != nil {
		return v, ev.at(e, err)
	}
	return v, nil
}

// at adds the place of an expression to an error without a place. What the program itself says has its own.
func (ev *evaluator) at(e script.Exp, err error) error {
	var misuse misuseError
	if errors.As(err, &misuse) {
		return diag.New(codeScript, e.Span(), "%v", err)
	}
	return err
}

// misuseError says that an expression is wrong, not the program that it calls.
type misuseError string

func (m misuseError) Error() string { return string(m) }

func misuse(format string, args ...any) (Value, error) {
	return Value{}, misuseError(fmt.Sprintf(format, args...))
}

// Apply calls an entry point. With fewer arguments than it has parameters the result is a function of the others; a tuple alone may stand
// for all arguments.
func (p *Program) Apply(f Value, args ...Value) (Value, error) {
	if !f.IsFunction() {
		return misuse("a value of type %s is not a function", f.Describe())
	}
	entry := p.entry(f.Fun)
	if entry == nil {
		return p.unknown(f.Fun)
	}
	args = slices.Concat(f.Args, args)
	if names, parts, ok := onlyTuple(args); ok && len(names) == len(entry.Params) && len(names) > 1 {
		args = parts
	}
	switch n := len(entry.Params); {
	case len(args) < n:
		return Value{Fun: f.Fun, Args: args}, nil
	case len(args) > n:
		return misuse("%s takes %d arguments, not %d", f.Fun, n, len(args))
	}
	var plain []value.Value
	for i, a := range args {
		if a.IsFunction() {
			return misuse("argument %d of %s is a function; entry points take values", i+1, f.Fun)
		}
		plain = append(plain, a.Parts...)
	}
	vs, err := p.Call(f.Fun, coerceAll(entry, plain))
	return Value{Type: entry.Result.Type, Text: entry.Result.Text, Parts: vs}, err
}

// onlyTuple returns the elements of an argument that is alone and a tuple.
func onlyTuple(args []Value) (names []string, parts []Value, ok bool) {
	if len(args) != 1 || args[0].IsFunction() {
		return nil, nil, false
	}
	return args[0].Fields()
}

func (p *Program) entry(name string) *types.Entry {
	for _, d := range p.Types.Entries() {
		if d.Entry.Name == name {
			return d.Entry
		}
	}
	return nil
}

// unknown says that there is no entry point of a name, and which there are.
func (p *Program) unknown(name string) (Value, error) {
	var names []string
	for _, d := range p.Types.Entries() {
		names = append(names, d.Entry.Name)
	}
	if len(names) == 0 {
		return misuse("there is no entry point %q; the program has none", name)
	}
	return misuse("there is no entry point %q; there are: %s", name, strings.Join(names, ", "))
}

func (ev *evaluator) let(e *script.Let) (Value, error) {
	v, err := ev.eval(e.Value)
	if err != nil {
		return v, err
	}
	if !e.Tuple {
		ev.env[e.Names[0]] = v
		return ev.eval(e.Body)
	}
	_, parts, ok := v.Fields()
	if !ok || len(parts) != len(e.Names) {
		return fail(e, "%d names do not fit a value of type %s", len(e.Names), v.Describe())
	}
	for i, name := range e.Names {
		ev.env[name] = parts[i]
	}
	return ev.eval(e.Body)
}
