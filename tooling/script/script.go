package script

import (
	"fmt"
	"slices"
	"strings"

	"skald/frontend/source"
)

// An Exp is an expression.
//
//	Exp ::= Call | Const | String | Tuple | Record | Project | Index | Let
//
//sumtype:decl
type Exp interface {
	Span() source.Span
	isExp()
}

// node is embedded in all expressions.
type node struct{ At source.Span }

// Span is where the expression was written.
func (n *node) Span() source.Span { return n.At }

// Call applies an entry point or, with Builtin, a function of the evaluator,
// which is written with a dollar sign. Without arguments and Builtin it may
// also be a variable that a Let binds.
type Call struct {
	node
	Func    string
	Builtin bool
	Args    []Exp
}

// Const is a constant in the notation for values, as text.
type Const struct {
	node
	Text string
}

// String is a string in quotation marks, as it is after escapes.
type String struct {
	node
	Value string
}

// Tuple has no or several elements.
type Tuple struct {
	node
	Elems []Exp
}

// Record has named fields.
type Record struct {
	node
	Fields []Field
}

// A Field is a field of a Record.
type Field struct {
	Name  string
	Value Exp
}

// Project takes a field, or by its number an element of a tuple.
type Project struct {
	node
	Exp   Exp
	Field string
}

// Index takes an element or a row of an array.
type Index struct {
	node
	Array   *Call
	Indices []Exp
}

// Let binds a name, or the elements of a tuple when Tuple is set.
type Let struct {
	node
	Names []string
	Tuple bool
	Value Exp
	Body  Exp
}

func (*Call) isExp()    {}
func (*Const) isExp()   {}
func (*String) isExp()  {}
func (*Tuple) isExp()   {}
func (*Record) isExp()  {}
func (*Project) isExp() {}
func (*Index) isExp()   {}
func (*Let) isExp()     {}

// Calls lists the names that an expression calls, which are entry points or variables; builtins are not among them.
func Calls(e Exp) []string {
	var names []string
	walk(e, func(e Exp) {
		if c, ok := e.(*Call); ok && !c.Builtin && !slices.Contains(names, c.Func) {
			names = append(names, c.Func)
		}
	})
	return names
}

// Files lists the literal file names that an expression passes to functions of the evaluator.
func Files(e Exp) []string {
	var names []string
	walk(e, func(e Exp) {
		c, ok := e.(*Call)
		if !ok || !c.Builtin {
			return
		}
		for _, a := range c.Args {
			if s, ok := a.(*String); ok {
				names = append(names, s.Value)
			}
		}
	})
	return names
}

// walk calls f for an expression and all within it.
func walk(e Exp, f func(Exp)) {
	f(e)
	switch e := e.(type) {
	case *Call:
		walkAll(e.Args, f)
	case *Tuple:
		walkAll(e.Elems, f)
	case *Record:
		for _, field := range e.Fields {
			walk(field.Value, f)
		}
	case *Project:
		walk(e.Exp, f)
	case *Index:
		walk(e.Array, f)
		walkAll(e.Indices, f)
	case *Let:
		walk(e.Value, f)
		walk(e.Body, f)
	case *Const, *String:
	}
}

func walkAll(es []Exp, f func(Exp)) {
	for _, e := range es {
		walk(e, f)
	}
}

// Format returns an expression as text on one line.
func Format(e Exp) string {
	var b strings.Builder
	format(&b, e, alone)
	return b.String()
}

// Where an expression is written.
const asArgument, alone = true, false

// format writes an expression, in parentheses if it is an argument and needs
// them.
func format(b *strings.Builder, e Exp, argument bool) {
	switch e := e.(type) {
	case *Call:
		if e.Builtin {
			e = &Call{Func: "$" + e.Func, Args: e.Args}
		}
		open(b, argument && len(e.Args) > 0, func() {
			b.WriteString(e.Func)
			for _, a := range e.Args {
				b.WriteByte(' ')
				format(b, a, asArgument)
			}
		})
	case *Const:
		b.WriteString(strings.Join(strings.Fields(e.Text), " "))
	case *String:
		b.WriteString(quote(e.Value))
	case *Tuple:
		b.WriteByte('(')
		list(b, e.Elems)
		b.WriteByte(')')
	case *Record:
		b.WriteByte('{')
		for i, f := range e.Fields {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(f.Name + "=")
			format(b, f.Value, alone)
		}
		b.WriteByte('}')
	case *Project:
		format(b, e.Exp, asArgument)
		if _, ok := e.Exp.(*Const); ok {
			b.WriteByte(' ') // or the point would belong to the number
		}
		b.WriteString("." + e.Field)
	case *Index:
		format(b, e.Array, asArgument)
		b.WriteByte('[')
		list(b, e.Indices)
		b.WriteByte(']')
	case *Let:
		names := strings.Join(e.Names, ", ")
		if e.Tuple {
			names = "(" + names + ")"
		}
		open(b, argument, func() {
			b.WriteString("let " + names + " = ")
			format(b, e.Value, alone)
			b.WriteString(" in ")
			format(b, e.Body, alone)
		})
	default:
		panic(fmt.Sprintf("script: expression %T", e))
	}
}

// list writes expressions with commas between.
func list(b *strings.Builder, elems []Exp) {
	for i, e := range elems {
		if i > 0 {
			b.WriteString(", ")
		}
		format(b, e, alone)
	}
}

// open writes something, in parentheses if needed.
func open(b *strings.Builder, parens bool, write func()) {
	if parens {
		b.WriteByte('(')
	}
	write()
	if parens {
		b.WriteByte(')')
	}
}

// quote is a string literal for s.
func quote(s string) string {
	s = strings.ReplaceAll(s, `\`, `\\`)
	s = strings.ReplaceAll(s, `"`, `\"`)
	return `"` + strings.ReplaceAll(s, "\n", `\n`) + `"`
}
