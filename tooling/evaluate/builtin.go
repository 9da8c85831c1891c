package evaluate

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"skald/frontend/types"
	"skald/runtime/prim"
	"skald/runtime/value"
	"skald/tooling/artifact"
	"skald/tooling/media"
	"skald/tooling/script"
)

// builtins are the functions that no program defines, with what they take.
var builtins = map[string]struct {
	args int
	run  func(p *Program, args []Value) (Value, error)
}{
	"loaddata":  {1, func(p *Program, args []Value) (Value, error) { return p.load(args[0]) }},
	"loadbytes": {1, func(p *Program, args []Value) (Value, error) { return p.fromFile(args[0], loadBytes) }},
	"loadimg":   {1, func(p *Program, args []Value) (Value, error) { return p.fromFile(args[0], media.LoadImage) }},
	"loadaudio": {1, func(p *Program, args []Value) (Value, error) { return p.fromFile(args[0], media.LoadAudio) }},
	"restore":   {2, func(p *Program, args []Value) (Value, error) { return p.restore(args[0], args[1]) }},
	"store":     {2, func(p *Program, args []Value) (Value, error) { return p.store(args[0], args[1]) }},
}

// builtin calls a function whose name is written with a dollar sign.
func (ev *evaluator) builtin(e *script.Call, args []Value) (Value, error) {
	b, ok := builtins[e.Func]
	if !ok || e.Func == "store" && !ev.MayStore {
		var names []string
		for name := range builtins {
			if name != "store" || ev.MayStore {
				names = append(names, "$"+name)
			}
		}
		slices.Sort(names)
		return fail(e, "there is no function $%s; there are: %s", e.Func, strings.Join(names, ", "))
	}
	if len(args) != b.args {
		return fail(e, "$%s takes %d arguments, not %d", e.Func, b.args, len(args))
	}
	v, err := b.run(ev.Program, args)
	if err != nil {
		err = ev.at(e, misuseError("$"+e.Func+": "+err.Error()))
	}
	return v, err
}

// text returns an argument that is a string.
func text(v Value) (string, error) {
	if !v.IsPlain() || v.Parts[0].Elem() != prim.U8 || v.Parts[0].Rank() != 1 {
		return "", misuseError("a text in quotation marks is wanted, not a value of type " + v.Describe())
	}
	return string(v.Parts[0].Bytes()), nil
}

// fromFile makes a value of a file.
func (p *Program) fromFile(name Value, load func(path string) (value.Value, error)) (Value, error) {
	file, err := text(name)
	if err != nil {
		return Value{}, err
	}
	v, err := load(p.path(file))
	if err != nil {
		return Value{}, err
	}
	return Plain(v), nil
}

func loadBytes(path string) (value.Value, error) {
	data, err := os.ReadFile(path)
	return value.FromSlice(data, len(data)), err
}

// load reads a file of values: a tuple of them, if there are several.
func (p *Program) load(name Value) (Value, error) {
	file, err := text(name)
	if err != nil {
		return Value{}, err
	}
	vs, err := ReadFile(p.path(file))
	if err != nil {
		return Value{}, err
	}
	parts := make([]Value, len(vs))
	for i, v := range vs {
		parts[i] = Plain(v)
	}
	return Tuple(parts...), nil
}

// store writes the parts of a value in the binary format, one after the other. The file appears when it is complete.
func (p *Program) store(name, v Value) (Value, error) {
	file, err := text(name)
	if err != nil {
		return Value{}, err
	}
	if v.IsFunction() || v.Type == nil {
		return Value{}, misuseError("a value of type " + v.Describe() + " cannot be stored")
	}
	err = artifact.Write(p.path(file), func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for _, part := range v.Parts {
			if err := value.WriteBinary(out, part); err != nil {
				return err
			}
		}
		return out.Flush()
	})
	return Tuple(), err
}

// restore reads what store wrote of a value of a type that the program's entry points mention, or of a plain one.
func (p *Program) restore(typ, name Value) (v Value, err error) {
	want, err := text(typ)
	if err != nil {
		return v, err
	}
	file, err := text(name)
	if err != nil {
		return v, err
	}
	vs, err := ReadFile(p.path(file))
	if err != nil {
		return v, err
	}
	plain, err := value.ParseType(want)
	if err == nil && (len(vs) != 1 || !vs[0].Type().Matches(plain)) {
		var held []string
		for _, x := range vs {
			held = append(held, x.Type().String())
		}
		return v, fmt.Errorf("%s holds %s, not %s", file, strings.Join(held, ", "), want)
	}
	if t, ok := p.namedType(want); ok {
		return Value{Type: t.Type, Text: t.Text, Parts: vs}, nil
	}
	if err != nil {
		return v, misuseError("no entry point of the program has a parameter or a result of type " + want)
	}
	return Plain(vs[0]), nil
}

// namedType finds a type among those of the entry points, as their source writes it or as it is printed.
func (p *Program) namedType(name string) (types.EntryType, bool) {
	for _, d := range p.Types.Entries() {
		all := []types.EntryType{d.Entry.Result}
		for _, param := range d.Entry.Params {
			all = append(all, param.EntryType)
		}
		for _, t := range all {
			if strings.TrimPrefix(t.Text, "*") == name || t.Type.String() == name {
				return t, true
			}
		}
	}
	return types.EntryType{}, false
}
