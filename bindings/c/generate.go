package c

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"skald/runtime/manifest"
)

//go:embed text/runtime.c
var runtimeText string

//go:embed text/start.h
var startText string

// Library is what a library is made of.
type Library struct {
	Program *manifest.Program
	// Executable is the program as a server, for the machine that the library is for.
	Executable []byte
	// Sizes are the names of parameters that every program has, which its kernels are made with.
	Sizes []string
	// Backend and Version say what compiled it.
	Backend, Version string
}

// Generate returns the texts of the library and of its header.
func Generate(l Library) (source, header []byte, err error) {
	g := &generator{Library: l}
	for _, t := range l.Program.Types {
		g.typ(t)
	}
	for _, e := range l.Program.Entries {
		g.entry(&e)
	}
	head := g.header()
	program, err := embedded(l.Executable)
	if err != nil {
		return nil, nil, err
	}
	var out bytes.Buffer
	out.WriteString("// A program compiled by " + l.Version + ", which runs in a process of its own. What it shows is at the end.\n\n")
	out.WriteString(startText + "\n" + strings.TrimPrefix(head, "#pragma once\n") + "\n")
	out.WriteString(program)
	out.WriteString(g.tuning())
	out.WriteString(runtimeText)
	out.WriteString("\n// What the program shows.\n" + g.body.String())
	return out.Bytes(), []byte(head), nil
}

// embedded returns the declarations of the executable: compressed, in base64, in lines.
func embedded(exe []byte) (string, error) {
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, 2) // 6 % more than the default makes, in a third of its time
	if err != nil {
		return "", err
	}
	if _, err := w.Write(exe); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	text := base64.StdEncoding.EncodeToString(packed.Bytes())
	var out strings.Builder
	fmt.Fprintf(&out, "#define SKALD_PROGRAM_SIZE ((size_t)%d)\n\nstatic const char skald_program[] =\n", len(exe))
	const line = 120
	for at := 0; at < len(text); at += line {
		out.WriteString(`"` + text[at:min(at+line, len(text))] + "\"\n")
	}
	out.WriteString(";\n\n")
	return out.String(), nil
}

// generator collects declarations and definitions.
type generator struct {
	Library
	structs, decls, body strings.Builder
}

// param is a parameter in C.
type param struct{ typ, name string }

// function adds a function that takes the context and more parameters.
func (g *generator) function(result, name string, params []param, body string) {
	var list []string
	for _, p := range append([]param{{"struct futhark_context *", "ctx"}}, params...) {
		list = append(list, join(p.typ, p.name))
	}
	proto := join(result, name) + "(" + strings.Join(list, ", ") + ")"
	g.decls.WriteString(proto + ";\n")
	g.body.WriteString("\n" + proto + " {\n" + body + "}\n")
}

// join puts a type before a name.
func join(typ, name string) string {
	if strings.HasSuffix(typ, "*") {
		return typ + name
	}
	return typ + " " + name
}

// header returns the header.
func (g *generator) header() string {
	backend := "#define FUTHARK_BACKEND_" + g.Backend + "\n"
	if g.Backend != "skald" {
		backend += "#define FUTHARK_BACKEND_skald\n"
	}
	return fmt.Sprintf(headerText, g.structs.String(), g.decls.String(), backend)
}

// tuning lists the tuning parameters, and the sizes, which are set like them.
func (g *generator) tuning() string {
	var names, classes, sizes strings.Builder
	for _, t := range g.Program.Tuning {
		names.WriteString(strconv.Quote(t.Name) + ", ")
		classes.WriteString(strconv.Quote(t.Class) + ", ")
	}
	for _, s := range g.Sizes {
		sizes.WriteString(strconv.Quote(s) + ", ")
	}
	const text = "static const char *const skald_param_names[] = {%sNULL};\n" +
		"static const char *const skald_param_classes[] = {%sNULL};\n" +
		"static const char *const skald_size_names[] = {%sNULL};\n\n"
	return fmt.Sprintf(text, names.String(), classes.String(), sizes.String())
}

// operation is a command that takes and makes values.
type operation struct {
	program            bool // a failure is one of the program
	head, middle, tail string
	last               bool
	outs               []result
	ins                []operand
	numbers            []string
	numbersFirst       bool
	pre                string // statements before it
	variable           string // the operands, where C knows them as an array
	count              string
}

// operand is a value that a command takes, by what C calls it.
type operand struct {
	typ  *manifest.Type
	name string
}

// result is a place for a value that a command makes.
type result struct {
	typ  *manifest.Type
	name string
}

// operand adds an operand of type t and returns the parameter that holds it.
func (o *operation) operand(t *manifest.Type, name string) param {
	o.ins = append(o.ins, operand{t, name})
	return param{in(t), name}
}

// do returns the body of a function that carries out an operation.
func (o operation) do() string {
	var b strings.Builder
	b.WriteString(o.pre)
	outs, ins, numbers, count := "NULL", "NULL", "NULL", strconv.Itoa(len(o.ins))
	if len(o.outs) > 0 {
		outs = "outs"
		b.WriteString("  struct skald_out outs[] = {")
		for _, r := range o.outs {
			fmt.Fprintf(&b, "{%s, %d, %s}, ", scalarName(r.typ), r.typ.Rank, r.name)
		}
		b.WriteString("};\n")
	}
	if len(o.ins) > 0 {
		ins = "ins"
		b.WriteString("  const struct skald_in ins[] = {")
		for _, x := range o.ins {
			place := x.name
			if x.typ.Kind == manifest.Primitive {
				place = "&" + place
			}
			fmt.Fprintf(&b, "{%s, %s}, ", scalarName(x.typ), place)
		}
		b.WriteString("};\n")
	}
	if o.variable != "" {
		ins, count = o.variable, o.count
	}
	if len(o.numbers) > 0 {
		numbers = "numbers"
		fmt.Fprintf(&b, "  const int64_t numbers[] = {%s};\n", strings.Join(o.numbers, ", "))
	}
	code := "1"
	if o.program {
		code = "FUTHARK_PROGRAM_ERROR"
	}
	call := fmt.Sprintf("skald_do(ctx, (struct skald_do){%s, %s, %s, %s, %d, %s, %d, %s, %s, %s, %d, %d})",
		code, quote(o.head), quote(o.middle), quote(o.tail), number(o.last), outs, len(o.outs), ins, count, numbers, len(o.numbers),
		number(o.numbersFirst))
	if o.variable != "" {
		b.WriteString("  int err = " + call + ";\n  free(" + o.variable + ");\n  return err;\n")
		return b.String()
	}
	b.WriteString("  return " + call + ";\n")
	return b.String()
}

func scalarName(t *manifest.Type) string {
	if t.Kind == manifest.Primitive {
		return quote(t.Name)
	}
	return "NULL"
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// quote returns a string in C. Names of types have no characters that C writes otherwise than Go, but for those beyond ASCII, which stay.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(s) + `"`
}

// word returns a word of a command that may have spaces in it.
func word(s string) string { return `"` + s + `"` }

// in is the type of a parameter that a value is passed as.
func in(t *manifest.Type) string { return "const " + t.CType() }

// out is the type of a parameter that a value is given to.
func out(t *manifest.Type) string { return strings.TrimSuffix(t.CType()+" *", " ") }

// entry adds an entry point.
func (g *generator) entry(e *manifest.Entry) {
	result0 := g.Program.Type(e.Output.Type)
	op := operation{program: true, head: "call " + e.Name, outs: []result{{result0, "out0"}}}
	params := []param{{out(result0), "out0"}}
	for i, v := range e.Inputs {
		params = append(params, op.operand(g.Program.Type(v.Type), fmt.Sprintf("in%d", i)))
	}
	g.function("int", e.CFun(), params, op.do())
}
