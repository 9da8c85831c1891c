package conformance

import (
	"fmt"
	"os"
	"path/filepath"

	"skald/frontend/diag"
	"skald/frontend/interp"
	"skald/frontend/source"
	"skald/frontend/types"
	"skald/runtime/value"
	"skald/tooling/script"
	"skald/tooling/spec"
)

// scriptValue is a value in FutharkScript: the plain values that entry points take and give for a value of type typ, in the
// canonical order of fields.
type scriptValue struct {
	typ   types.Type
	plain []value.Value
}

// oneValue is a plain value as a scriptValue.
func oneValue(v value.Value) scriptValue {
	var t types.Type = &types.Prim{Kind: v.Elem()}
	for range v.Rank() {
		t = &types.Array{Size: &types.AnySize{}, Elem: t}
	}
	return scriptValue{t, []value.Value{v}}
}

// record joins values to a record; fields names them.
func record(fields []string, vs []scriptValue) scriptValue {
	parts := map[string]scriptValue{}
	t := &types.Record{}
	for i, name := range fields {
		parts[name] = vs[i]
		t.Fields = append(t.Fields, types.Field{Name: name, Type: vs[i].typ})
	}
	types.SortFields(t.Fields)
	out := scriptValue{typ: t}
	for _, f := range t.Fields {
		out.plain = append(out.plain, parts[f.Name].plain...)
	}
	return out
}

// tuple joins values to a tuple; one value alone is itself.
func tuple(vs []scriptValue) scriptValue {
	if len(vs) == 1 {
		return vs[0]
	}
	names := make([]string, len(vs))
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	return record(names, vs)
}

// fields lists the fields of a record; ok is false if v is none.
func (v scriptValue) fields() (names []string, parts []scriptValue, ok bool) {
	t, ok := types.Represent(v.typ).(*types.Record)
	if !ok {
		return nil, nil, false
	}
	rest := v.plain
	for _, f := range t.Fields {
		plain, ok := interp.PlainTypes(f.Type)
		if !ok || len(plain) > len(rest) {
			return nil, nil, false
		}
		names = append(names, f.Name)
		parts = append(parts, scriptValue{f.Type, rest[:len(plain)]})
		rest = rest[len(plain):]
	}
	return names, parts, true
}

// evaluator evaluates scripts by calling entry points of the program.
type evaluator struct {
	r   *caseRunner
	env map[string]scriptValue
}

func (r *caseRunner) script(e script.Exp) ([]value.Value, error) {
	v, err := (&evaluator{r, map[string]scriptValue{}}).eval(e)
	return v.plain, err
}

func (r *caseRunner) scriptFile(v *spec.Values) ([]value.Value, error) {
	path := filepath.Join(filepath.Dir(r.t.path), filepath.FromSlash(v.Path))
	text, err := source.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := source.NewFile(path, text)
	e, d := script.Parse(f.Span(0, len(text)), text)
	if d != nil {
		return nil, d
	}
	return r.script(e)
}

var codeScript = diag.Declare(diag.Code{
	ID:  "script-failed",
	Doc: "An expression in FutharkScript has no value.",
})

// fail is an error at an expression.
func fail(e script.Exp, format string, args ...any) (scriptValue, error) {
	return scriptValue{}, diag.New(codeScript, e.Span(), format, args...)
}

func (ev *evaluator) eval(e script.Exp) (scriptValue, error) {
	switch e := e.(type) {
	case *script.Const:
		v, err := value.Parse(e.Text)
		if err != nil {
			return fail(e, "%v", err)
		}
		return oneValue(v), nil
	case *script.String:
		return oneValue(value.FromSlice([]byte(e.Value), len(e.Value))), nil
	case *script.Tuple:
		vs, err := ev.all(e.Elems)
		return tuple(vs), err
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
		panic(fmt.Sprintf("conformance: expression %T", e))
	}
}

func (ev *evaluator) all(es []script.Exp) ([]scriptValue, error) {
	out := make([]scriptValue, len(es))
	for i, e := range es {
		var err error
		if out[i], err = ev.eval(e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (ev *evaluator) record(e *script.Record) (scriptValue, error) {
	names := make([]string, len(e.Fields))
	values := make([]script.Exp, len(e.Fields))
	for i, f := range e.Fields {
		names[i], values[i] = f.Name, f.Value
	}
	vs, err := ev.all(values)
	if err != nil {
		return scriptValue{}, err
	}
	return record(names, vs), nil
}

func (ev *evaluator) project(e *script.Project) (scriptValue, error) {
	v, err := ev.eval(e.Exp)
	if err != nil {
		return v, err
	}
	names, parts, ok := v.fields()
	if !ok {
		return fail(e, "a value of type %s has no fields", v.typ)
	}
	for i, name := range names {
		if name == e.Field {
			return parts[i], nil
		}
	}
	return fail(e, "there is no field %s in a value of type %s", e.Field, v.typ)
}

// index takes an element or a row of an array; an array of records is an array for each field.
func (ev *evaluator) index(e *script.Index) (scriptValue, error) {
	v, err := ev.eval(e.Array)
	if err != nil {
		return v, err
	}
	indices, err := ev.all(e.Indices)
	if err != nil {
		return v, err
	}
	out := scriptValue{types.Represent(v.typ), append([]value.Value(nil), v.plain...)}
	for n, i := range indices {
		array, ok := out.typ.(*types.Array)
		if !ok {
			return fail(e, "%d indices are too many for a value of type %s", len(indices), v.typ)
		}
		if len(i.plain) != 1 || !i.plain[0].IsScalar() || !i.plain[0].Elem().IsInt() {
			return fail(e.Indices[n], "an index must be an integer, not a value of type %s", i.typ)
		}
		at := i.plain[0].Scalar().Int()
		for k, p := range out.plain {
			if size := p.Shape()[0]; at < 0 || at >= int64(size) {
				return fail(e, "index [%d] is out of bounds for an array of size %d", at, size)
			}
			out.plain[k] = p.Row(int(at))
		}
		out.typ = array.Elem
	}
	return out, nil
}

func (ev *evaluator) call(e *script.Call) (scriptValue, error) {
	if v, ok := ev.env[e.Func]; ok && len(e.Args) == 0 && !e.Builtin {
		return v, nil
	}
	parts, err := ev.all(e.Args)
	if err != nil {
		return scriptValue{}, err
	}
	var args []value.Value
	for _, a := range parts {
		args = append(args, a.plain...)
	}
	if e.Builtin {
		return ev.builtin(e, args)
	}
	vs, err := ev.r.t.o.call(ev.r.loaded, e.Func, coerceAll(ev.r.prog.Prog, e.Func, args))
	if err != nil {
		return scriptValue{}, err
	}
	for _, d := range ev.r.prog.Entries() {
		if d.Entry.Name == e.Func {
			return scriptValue{d.Entry.Result.Type, vs}, nil
		}
	}
	return fail(e, "there is no entry point %q", e.Func)
}

// builtin evaluates the functions that need no program.
func (ev *evaluator) builtin(e *script.Call, args []value.Value) (scriptValue, error) {
	if e.Func != "loaddata" && e.Func != "loadbytes" || len(args) != 1 {
		return fail(e, "$%s with %d arguments is not supported in scripts", e.Func, len(args))
	}
	path := filepath.Join(filepath.Dir(ev.r.t.path), filepath.FromSlash(string(args[0].Bytes())))
	if e.Func == "loadbytes" {
		data, err := os.ReadFile(path)
		return oneValue(value.FromSlice(data, len(data))), err
	}
	vs, err := readFile(path)
	if err != nil {
		return scriptValue{}, err
	}
	parts := make([]scriptValue, len(vs))
	for i, v := range vs {
		parts[i] = oneValue(v)
	}
	return tuple(parts), nil
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
	_, parts, ok := v.fields()
	if !ok || len(parts) != len(e.Names) {
		return fail(e, "%d names do not fit a value of type %s", len(e.Names), v.typ)
	}
	for i, name := range e.Names {
		ev.env[name] = parts[i]
	}
	return ev.eval(e.Body)
}
