package evaluate

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"skald/frontend/source"
	"skald/frontend/types"
	"skald/runtime/prim"
	"skald/runtime/value"
	"skald/runtime/value/random"
	"skald/tooling/script"
	"skald/tooling/spec"
)

// Values returns the values that a test block describes.
func (p *Program) Values(v *spec.Values) ([]value.Value, error) {
	switch v.Kind {
	case spec.InText:
		return v.Read()
	case spec.InFile:
		return ReadFile(p.path(v.Path))
	case spec.InRandom:
		return randomValues(v.Random)
	case spec.InScript:
		out, err := p.Eval(v.Script)
		return out.Parts, err
	case spec.InScriptFile:
		out, err := p.EvalFile(p.path(v.Path))
		return out.Parts, err
	default:
		return nil, fmt.Errorf("values of kind %d", v.Kind)
	}
}

// New makes a Program without functions, for values that need none. file is the program's.
func New(file string) *Program {
	return &Program{Types: &types.Prog{}, Dir: filepath.Dir(file)}
}

// path is where a file is that the program names.
func (p *Program) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.Dir, filepath.FromSlash(name))
}

// EvalFile evaluates the expression in a file.
func (p *Program) EvalFile(path string) (Value, error) {
	text, err := source.ReadFile(path)
	if err != nil {
		return Value{}, err
	}
	return p.EvalText(path, text)
}

// EvalText evaluates an expression; name stands for its place in messages.
func (p *Program) EvalText(name, text string) (Value, error) {
	f := source.NewFile(name, text)
	e, d := script.Parse(f.Span(0, len(text)), text)
	if d != nil {
		return Value{}, d
	}
	return p.Eval(e)
}

// ReadFile reads the values in a file, which may be compressed.
func ReadFile(path string) ([]value.Value, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var in io.Reader = bytes.NewReader(data)
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(in); err != nil {
			return nil, err
		}
	}
	return value.ReadAll(in)
}

// randomValues returns the values that a block has generated.
func randomValues(rs []spec.Random) ([]value.Value, error) {
	out := make([]value.Value, len(rs))
	for i, r := range rs {
		if r.Const != "" {
			v, err := value.Parse(r.Const)
			if err != nil {
				return nil, err
			}
			out[i] = v
			continue
		}
		elem, ok := prim.ParseType(r.Elem)
		if !ok {
			return nil, fmt.Errorf("unknown type %s", r.Elem)
		}
		dims := make([]int, len(r.Shape))
		for j, n := range r.Shape {
			dims[j] = int(n)
		}
		out[i] = random.Make(random.DefaultBounds(), value.Type{Elem: elem, Dims: dims}, 1)
	}
	return out, nil
}
