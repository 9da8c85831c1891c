// Package render makes the text of the prelude's modules of numbers from templates. It is used by the generator and by
// the test that the generated files are current; no program that runs imports it.
package render

import (
	"embed"
	"fmt"
	"strings"
	"text/template"
)

//go:embed *.tmpl
var templates embed.FS

// module is what a template knows about the type that it makes a module for.
type module struct {
	T        string
	Bits     int
	Prims    []string
	Signed   bool
	Unsigned string // the unsigned type of the same width
	Highest  string
	Lowest   string
	BitsT    string // the type of a float's representation
	Epsilon  string

	Unary, Binary, Ternary []string
	Comparisons            []operator
}

var prims = []string{"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool"}

// Files returns the text of each generated file by its name.
func Files() map[string]string {
	funcs := template.FuncMap{"operators": operators, "convert": convert}
	t := template.Must(template.New("").Funcs(funcs).ParseFS(templates, "*.tmpl"))
	head := "-- Made by gen from its templates: edit those, and run `go generate`.\n"
	ints, floats := head, head
	for _, bits := range []int{8, 16, 32, 64} {
		ints += execute(t, "integral.fut.tmpl", integral(bits, signedType))
	}
	for _, bits := range []int{8, 16, 32, 64} {
		ints += execute(t, "integral.fut.tmpl", integral(bits, unsignedType))
	}
	for _, bits := range []int{16, 32, 64} {
		floats += execute(t, "float.fut.tmpl", float(bits))
	}
	return map[string]string{"integers.fut": ints, "floats.fut": floats}
}

func execute(t *template.Template, name string, data any) string {
	var b strings.Builder
	b.WriteString("\n")
	if err := t.ExecuteTemplate(&b, name, data); err != nil {
		panic(fmt.Sprintf("render: %s: %v", name, err))
	}
	return b.String()
}

// convert is the conversion of x. A signed integer becomes a wider unsigned one by way of the unsigned type of its own
// width: the language fills up with zeroes then, not with the sign.
func convert(from, to string) string {
	if from[0] == 'i' && to[0] == 'u' && len(from[1:]) <= len(to[1:]) && from[1:] != to[1:] {
		own := "u" + from[1:]
		return fmt.Sprintf("intrinsics.%s_to_%s (intrinsics.%s_to_%s x)", own, to, from, own)
	}
	return fmt.Sprintf("intrinsics.%s_to_%s x", from, to)
}

// operator is an operator's symbol, and the name of the intrinsic that it is.
type operator struct{ Symbol, Name string }

// comparisons are in every module of numbers.
const comparisons = "== eq != ne < lt <= le > gt >= ge"

// operators is the argument of the template of the same name: a type, and symbols and names in turn.
func operators(t, list string) map[string]any { return map[string]any{"T": t, "Ops": pairs(list)} }

func pairs(list string) []operator {
	words := strings.Fields(list)
	ops := make([]operator, 0, len(words)/2)
	for i := 0; i < len(words); i += 2 {
		ops = append(ops, operator{words[i], words[i+1]})
	}
	return ops
}

// Arguments of integral.
const (
	signedType   = true
	unsignedType = false
)

func integral(bits int, signed bool) module {
	m := module{
		Bits: bits, Prims: prims, Signed: signed, Unsigned: fmt.Sprintf("u%d", bits),
		Comparisons: pairs(comparisons),
	}
	if signed {
		m.T = fmt.Sprintf("i%d", bits)
		m.Highest = fmt.Sprint(int64(1)<<(bits-1) - 1)
		m.Lowest = "(!" + m.Highest + ")"
	} else {
		m.T = m.Unsigned
		m.Highest = fmt.Sprint(^uint64(0) >> (64 - bits))
		m.Lowest = "0"
	}
	return m
}

func float(bits int) module {
	return module{
		T: fmt.Sprintf("f%d", bits), Bits: bits, BitsT: fmt.Sprintf("u%d", bits), Prims: prims,
		Epsilon: map[int]string{16: "0.0009765625", 32: "1.1920929e-7", 64: "2.220446049250313e-16"}[bits],
		Unary: strings.Fields(`abs sgn sqrt rsqrt cbrt exp log log2 log10 log1p sin cos tan sinpi cospi tanpi
			asin acos atan asinpi acospi atanpi sinh cosh tanh asinh acosh atanh gamma lgamma erf erfc ceil floor round`),
		Binary:      strings.Fields("max min atan2 atan2pi hypot nextafter copysign"),
		Ternary:     strings.Fields("lerp mad fma"),
		Comparisons: pairs(comparisons),
	}
}
