package conformance

import (
	"fmt"
	"os"
	"path/filepath"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/runtime/value"
	"skald/testsuite/script"
	"skald/testsuite/spec"
)

// scriptValue is a value in FutharkScript: one value, or a tuple of several.
type scriptValue struct {
	one   value.Value
	tuple []scriptValue
	many  bool
}

// flat lists the values in v; a tuple as input means several arguments.
func (v scriptValue) flat() []value.Value {
	if !v.many {
		return []value.Value{v.one}
	}
	var out []value.Value
	for _, e := range v.tuple {
		out = append(out, e.flat()...)
	}
	return out
}

// evaluator evaluates scripts by calling entry points of the program.
type evaluator struct {
	r   *caseRunner
	env map[string]scriptValue
}

func (r *caseRunner) script(e script.Exp) ([]value.Value, error) {
	v, err := (&evaluator{r, map[string]scriptValue{}}).eval(e)
	if err != nil {
		return nil, err
	}
	return v.flat(), nil
}

func (r *caseRunner) scriptFile(v *spec.Values) ([]value.Value, error) {
	path := filepath.Join(filepath.Dir(r.t.path), filepath.FromSlash(v.Path))
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := source.NewFile(path, string(text))
	e, d := script.Parse(f.Span(0, len(text)), string(text))
	if d != nil {
		return nil, d
	}
	return r.script(e)
}

func (ev *evaluator) eval(e script.Exp) (scriptValue, error) {
	switch e := e.(type) {
	case *script.Const:
		v, err := value.Parse(e.Text)
		return scriptValue{one: v}, err
	case *script.String:
		return scriptValue{one: value.FromSlice([]byte(e.Value), len(e.Value))}, nil
	case *script.Tuple:
		return ev.tuple(e.Elems)
	case *script.Call:
		return ev.call(e)
	case *script.Let:
		return ev.let(e)
	case *script.Index, *script.Project, *script.Record:
		return scriptValue{}, fmt.Errorf("%s: this form of expression is not supported in scripts", e.Span())
	default:
		return scriptValue{}, fmt.Errorf("%s: unknown expression %T", e.Span(), e)
	}
}

func (ev *evaluator) tuple(es []script.Exp) (scriptValue, error) {
	out := scriptValue{many: true}
	for _, e := range es {
		v, err := ev.eval(e)
		if err != nil {
			return out, err
		}
		out.tuple = append(out.tuple, v)
	}
	return out, nil
}

func (ev *evaluator) call(e *script.Call) (scriptValue, error) {
	if v, ok := ev.env[e.Func]; ok && len(e.Args) == 0 && !e.Builtin {
		return v, nil
	}
	args, err := ev.tuple(e.Args)
	if err != nil {
		return scriptValue{}, err
	}
	if e.Builtin {
		return ev.builtin(e, args.flat())
	}
	vs, err := ev.r.t.o.call(ev.r.loaded, e.Func, coerceAll(ev.r.prog, e.Func, args.flat()))
	if err != nil {
		return scriptValue{}, err
	}
	if len(vs) == 1 {
		return scriptValue{one: vs[0]}, nil
	}
	out := scriptValue{many: true}
	for _, v := range vs {
		out.tuple = append(out.tuple, scriptValue{one: v})
	}
	return out, nil
}

// builtin evaluates the functions that need no program.
func (ev *evaluator) builtin(e *script.Call, args []value.Value) (scriptValue, error) {
	if e.Func != "loaddata" && e.Func != "loadbytes" || len(args) != 1 {
		return scriptValue{}, fmt.Errorf("%s: $%s with %d arguments is not supported in scripts", e.Span(), e.Func, len(args))
	}
	path := filepath.Join(filepath.Dir(ev.r.t.path), filepath.FromSlash(string(args[0].Bytes())))
	if e.Func == "loadbytes" {
		data, err := os.ReadFile(path)
		return scriptValue{one: value.FromSlice(data, len(data))}, err
	}
	vs, err := readFile(path)
	if err != nil {
		return scriptValue{}, err
	}
	if len(vs) == 1 {
		return scriptValue{one: vs[0]}, nil
	}
	out := scriptValue{many: true}
	for _, v := range vs {
		out.tuple = append(out.tuple, scriptValue{one: v})
	}
	return out, nil
}

func (ev *evaluator) let(e *script.Let) (scriptValue, error) {
	v, err := ev.eval(e.Value)
	if err != nil {
		return v, err
	}
	if !e.Tuple {
		ev.env[e.Names[0]] = v
		return ev.eval(e.Body)
	}
	if len(v.tuple) != len(e.Names) {
		return v, diag.New(codeScript, e.Span(), "%d names for %d values", len(e.Names), len(v.tuple))
	}
	for i, name := range e.Names {
		ev.env[name] = v.tuple[i]
	}
	return ev.eval(e.Body)
}

var codeScript = diag.Declare(diag.Code{
	ID:  "script-failed",
	Doc: "An expression in FutharkScript has no value.",
})
