package golang

import (
	"fmt"
	"go/format"
	"go/token"
	"strconv"
	"strings"
	"unicode"

	"skald/runtime/manifest"
)

// Package is what a package is made of.
type Package struct {
	Program *manifest.Program
	// Name is the package's, File that of the file beside it with the program, and Source that of the program's source.
	Name, File, Source string
}

// Generate returns the text of the package.
func Generate(p Package) ([]byte, error) {
	g := &generator{Package: p, names: map[string]string{}, taken: map[string]bool{"Program": true, "Open": true}, ranks: map[int]bool{}}
	var entries strings.Builder
	for _, e := range p.Program.Entries {
		entries.WriteString(g.entry(&e))
	}
	var out strings.Builder
	fmt.Fprintf(&out, startText, p.Name, p.Source, p.File)
	for _, rank := range []int{2, 3, 4, 5, 6, 7, 8} {
		if g.ranks[rank] {
			fmt.Fprintf(&out, arrayText, rank)
		}
	}
	out.WriteString(g.types.String() + entries.String())
	return format.Source([]byte(out.String()))
}

// generator collects the types.
type generator struct {
	Package
	types strings.Builder
	names map[string]string // of types in Go
	taken map[string]bool
	ranks map[int]bool
}

var scalars = map[string]string{
	"i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
	"f16": "value.Half", "f32": "float32", "f64": "float64", "bool": "bool",
}

// typ returns a type in Go, and declares it if need be.
func (g *generator) typ(t *manifest.Type) string {
	switch {
	case t.Kind == manifest.Primitive:
		return scalars[t.Name]
	case t.IsTransparent() && t.Rank == 1:
		return "[]" + scalars[t.Elem]
	case t.IsTransparent():
		g.ranks[t.Rank] = true
		return fmt.Sprintf("Array%d[%s]", t.Rank, scalars[t.Elem])
	}
	name, ok := g.names[t.Name]
	if !ok {
		name = g.unique(g.typeName(t))
		g.names[t.Name] = name
		g.declare(t, name)
	}
	return name
}

// typeName returns the name of a type that is declared.
func (g *generator) typeName(t *manifest.Type) string {
	if t.Kind == manifest.Array {
		return fmt.Sprintf("%sArray%d", g.typeName(g.Program.Type(t.Elem)), t.Rank)
	}
	if manifest.IsCName(t.Name) {
		return exported(t.Name)
	}
	switch {
	case t.IsTuple():
		return "Tuple"
	case t.Kind == manifest.Record:
		return "Record"
	}
	return "Value"
}

func (g *generator) unique(name string) string {
	out := name
	for n := 2; g.taken[out]; n++ {
		out = name + strconv.Itoa(n)
	}
	g.taken[out] = true
	return out
}

// exported returns a name that begins with a capital, in the spelling that Go has.
func exported(name string) string {
	var b strings.Builder
	up := true
	for _, c := range name {
		switch {
		case c == '_':
			up = true
		case c == '\'':
			b.WriteString("Prime")
		case up:
			b.WriteRune(unicode.ToUpper(c))
			up = false
		default:
			b.WriteRune(c)
		}
	}
	out := b.String()
	if out == "" || !unicode.IsUpper(rune(out[0])) {
		out = "X" + out
	}
	return out
}

// fieldNames returns the names of the fields of a struct.
func fieldNames(t *manifest.Type) []string {
	var out []string
	seen := map[string]bool{}
	for _, f := range t.Fields {
		name := exported(f.Name)
		for seen[name] {
			name += "_"
		}
		seen[name] = true
		out = append(out, name)
	}
	return out
}

// declare declares a type with the two functions that take it apart and put it together.
func (g *generator) declare(t *manifest.Type, name string) {
	if len(t.Fields) == 0 {
		fmt.Fprintf(&g.types, "\n// %s is a value of type %s, which entry points make and take.\n", name, t.Name)
		fmt.Fprintf(&g.types, "type %s struct{ held []value.Value }\n", name)
		fmt.Fprintf(&g.types, "\nfunc (x %s) parts(to []value.Value) ([]value.Value, error) {\n", name)
		fmt.Fprintf(&g.types, "\tif len(x.held) != %d {\n\t\treturn nil, errors.New(\"a value of type %s is empty\")\n\t}\n", len(t.Parts), name)
		g.types.WriteString("\treturn append(to, x.held...), nil\n}\n")
		fmt.Fprintf(&g.types, "\nfunc take%[1]s(from *[]value.Value) %[1]s { return %[1]s{next(from, %[2]d)} }\n", name, len(t.Parts))
		return
	}
	names := fieldNames(t)
	var fields, parts, take strings.Builder
	for i, f := range t.Fields {
		ft := g.Program.Type(f.Type)
		fmt.Fprintf(&fields, "\t%s %s\n", names[i], g.typ(ft))
		parts.WriteString(g.parts(ft, "x."+names[i]))
		fmt.Fprintf(&take, "\tx.%s = %s\n", names[i], g.take(ft))
	}
	what := "a value of type"
	if t.Kind == manifest.Array {
		what = "the fields of the elements of an array, of type"
	}
	fmt.Fprintf(&g.types, "\n// %[1]s is %[2]s %[3]s.\ntype %[1]s struct {\n%[4]s}\n", name, what, t.Name, fields.String())
	fmt.Fprintf(&g.types, "\nfunc (x %s) parts(to []value.Value) (_ []value.Value, err error) {\n", name)
	g.types.WriteString(parts.String() + "\treturn to, nil\n}\n")
	fmt.Fprintf(&g.types, "\nfunc take%[1]s(from *[]value.Value) (x %[1]s) {\n%[2]s\treturn x\n}\n", name, take.String())
}

// parts returns statements that append the parts of x to a list called to.
func (g *generator) parts(t *manifest.Type, x string) string {
	switch {
	case t.Kind == manifest.Primitive:
		return fmt.Sprintf("\tto = append(to, scalar(%s))\n", x)
	case t.IsTransparent() && t.Rank == 1:
		return fmt.Sprintf("\tto = append(to, value.FromSlice(%s))\n", x)
	}
	return fmt.Sprintf("\tif to, err = %s.parts(to); err != nil {\n\t\treturn nil, err\n\t}\n", x)
}

// take returns an expression that takes a value from a list called from.
func (g *generator) take(t *manifest.Type) string {
	switch {
	case t.Kind == manifest.Primitive:
		return fmt.Sprintf("value.Slice[%s](next(from, 1)[0])[0]", scalars[t.Name])
	case t.IsTransparent() && t.Rank == 1:
		return fmt.Sprintf("value.Slice[%s](next(from, 1)[0])", scalars[t.Elem])
	case t.IsTransparent():
		return fmt.Sprintf("takeArray%d[%s](from)", t.Rank, scalars[t.Elem])
	}
	return "take" + g.typ(t) + "(from)"
}

// entry returns the method of an entry point. A result that is a tuple is several.
func (g *generator) entry(e *manifest.Entry) string {
	results := []*manifest.Type{g.Program.Type(e.Output.Type)}
	if results[0].IsTuple() {
		fields := results[0].Fields
		results = nil
		for _, f := range fields {
			results = append(results, g.Program.Type(f.Type))
		}
	}
	var params, parts, outs, take strings.Builder
	used := map[string]bool{"p": true, "ctx": true, "to": true, "from": true, "err": true, "out": true, "value": true, "context": true}
	for i, in := range e.Inputs {
		t := g.Program.Type(in.Type)
		name := in.Name
		if !token.IsIdentifier(name) || name == "_" || used[name] || scalars[name] != "" || g.taken[name] {
			name = fmt.Sprintf("in%d", i)
		}
		used[name] = true
		fmt.Fprintf(&params, ", %s %s", name, g.typ(t))
		parts.WriteString(g.parts(t, name))
	}
	for i, t := range results {
		fmt.Fprintf(&outs, "out%d %s, ", i, g.typ(t))
		fmt.Fprintf(&take, "\tout%d = %s\n", i, g.take(t))
	}
	name := exported(e.Name)
	if name == "Close" {
		name = "CloseEntry"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n// %s calls the entry point %s.\n", name, e.Name)
	for line := range strings.Lines(strings.TrimSpace(e.Doc)) {
		b.WriteString("// " + strings.TrimSpace(line) + "\n")
	}
	fmt.Fprintf(&b, "func (p *Program) %s(ctx context.Context%s) (%serr error) {\n", name, params.String(), outs.String())
	body := strings.ReplaceAll(parts.String(), "return nil, err", "return")
	fmt.Fprintf(&b, "\tvar to []value.Value\n%s\tgot, err := p.loaded.Call(ctx, %q, to...)\n", body, e.Name)
	b.WriteString("\tif err != nil {\n\t\treturn\n\t}\n")
	if len(results) > 0 {
		fmt.Fprintf(&b, "\tfrom := &got\n%s\treturn\n}\n", take.String())
	} else {
		b.WriteString("\t_ = got\n\treturn\n}\n")
	}
	return b.String()
}
