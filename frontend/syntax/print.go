package syntax

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Print returns a file's declarations as text: a declaration a line, without
// layout. Parsing the text returns the same tree. (Package format is what lays
// programs out for people.)
func Print(f *File) string {
	p := &printer{}
	if f.Doc != nil {
		p.doc(f.Doc)
		p.str("\n")
	}
	for _, d := range f.Decs {
		p.dec(d)
		p.str("\n")
	}
	return p.String()
}

// PrintExp returns an expression as text on one line.
func PrintExp(e Exp) string { return printed(func(p *printer) { p.exp(e) }) }

// PrintType returns a type as text on one line.
func PrintType(t TypeExp) string { return printed(func(p *printer) { p.typ(t) }) }

// PrintPat returns a pattern as text on one line.
func PrintPat(pat Pat) string { return printed(func(p *printer) { p.pat(pat) }) }

// PrintModExp returns a module expression as text.
func PrintModExp(m ModExp) string { return printed(func(p *printer) { p.mod(m) }) }

// PrintModType returns a module type as text.
func PrintModType(t ModTypeExp) string { return printed(func(p *printer) { p.modType(t) }) }

// printed returns what a function prints.
func printed(f func(*printer)) string {
	p := &printer{}
	f(p)
	return p.String()
}

// A printer collects text.
type printer struct{ strings.Builder }

// str appends text.
func (p *printer) str(parts ...string) {
	for _, s := range parts {
		p.WriteString(s)
	}
}

// doc prints a documentation comment.
func (p *printer) doc(d *Doc) {
	for i, line := range strings.Split(d.Text, "\n") {
		lead := "--"
		if i == 0 {
			lead = "-- |"
		}
		if line != "" || i == 0 {
			lead += " "
		}
		p.str(lead, line, "\n")
	}
}

// header prints what precedes a declaration or specification.
func (p *printer) header(h *DecHeader) {
	if h.Doc != nil {
		p.doc(h.Doc)
	}
	for _, a := range h.Attrs {
		p.attr(a)
		p.str(" ")
	}
}

// attr prints an attribute with its brackets.
func (p *printer) attr(a *Attr) {
	p.str("#[")
	p.attrInfo(a)
	p.str("]")
}

// attrInfo prints what is in an attribute's brackets.
func (p *printer) attrInfo(a *Attr) {
	if a.Int != nil {
		p.str(a.Int.Text)
		return
	}
	p.str(a.Name.Text)
	if a.Call {
		p.str("(")
		each(p, a.Args, ", ", p.attrInfo)
		p.str(")")
	}
}

// each prints a list with something between the elements.
func each[T any](p *printer, list []T, between string, print func(T)) {
	for i, x := range list {
		if i > 0 {
			p.str(between)
		}
		print(x)
	}
}

// binder prints a name that is being bound: operators in parentheses.
func (p *printer) binder(n Name) {
	if isOperator(n.Text) {
		p.str("(", n.Text, ")")
		return
	}
	p.str(n.Text)
}

// isOperator reports whether a name is an operator.
func isOperator(name string) bool { return name != "" && class[name[0]]&classOper != 0 }

// dec prints a declaration.
func (p *printer) dec(d Dec) {
	p.header(d.Header())
	switch d := d.(type) {
	case *ValDec:
		p.valDec(d)
	case *TypeDec:
		p.str("type", d.Lift.String(), " ", d.Name.Text)
		p.typeParams(d.TypeParams)
		p.str(" = ")
		p.typ(d.Def)
	case *ModDec:
		p.str("module ", d.Name.Text)
		for _, param := range d.Params {
			p.str(" ")
			p.modParam(param)
		}
		if d.Sig != nil {
			p.str(" : ")
			p.modType(d.Sig)
		}
		p.str(" = ")
		p.mod(d.Body)
	case *ModTypeDec:
		p.str("module type ", d.Name.Text, " = ")
		p.modType(d.Def)
	case *OpenDec:
		p.str("open ")
		p.mod(d.Mod)
	case *ImportDec:
		p.str("import ", quoteString(d.Path))
	case *LocalDec:
		p.str("local ")
		if d.Dec.Header().Doc != nil {
			p.str("\n")
		}
		p.dec(d.Dec)
	default:
		panic(fmt.Sprintf("syntax: declaration %T", d))
	}
}

// valDec prints a value or function.
func (p *printer) valDec(d *ValDec) {
	p.str(d.Keyword.String(), " ")
	if d.Infix {
		p.pat(d.Params[0])
		if isOperator(d.Name.Text) {
			p.str(" ", d.Name.Text, " ")
		} else {
			p.str(" `", d.Name.Text, "` ")
		}
		p.pat(d.Params[1])
	} else {
		p.binder(d.Name)
		p.typeParams(d.TypeParams)
		p.params(d.Params)
	}
	p.result(d.Result)
	p.str(" = ")
	p.exp(d.Body)
}

// params prints parameters, each after a space.
func (p *printer) params(params []Pat) {
	for _, param := range params {
		p.str(" ")
		p.pat(param)
	}
}

// result prints a function's result type, if it is stated.
func (p *printer) result(t TypeExp) {
	if t != nil {
		p.str(" : ")
		p.typ(t)
	}
}

// typeParams prints type parameters, each after a space.
func (p *printer) typeParams(params []*TypeParam) {
	for _, t := range params {
		if t.Size {
			p.str(" [", t.Name.Text, "]")
		} else {
			p.str(" '", t.Lift.String(), t.Name.Text)
		}
	}
}

// modParam prints a parameter of a module.
func (p *printer) modParam(m *ModParam) {
	p.str("(", m.Name.Text, " : ")
	p.modType(m.Type)
	p.str(")")
}

// mod prints a module expression.
func (p *printer) mod(m ModExp) {
	switch m := m.(type) {
	case *ModVar:
		p.str(m.Name.String())
	case *ModParens:
		p.str("(")
		p.mod(m.Body)
		p.str(")")
	case *ModBody:
		p.str("{\n")
		for _, d := range m.Decs {
			p.dec(d)
			p.str("\n")
		}
		p.str("}")
	case *ModImport:
		p.str("import ", quoteString(m.Path))
	case *ModApply:
		p.mod(m.Fun)
		p.str(" ")
		p.mod(m.Arg)
	case *ModAscript:
		p.mod(m.Mod)
		p.str(" : ")
		p.modType(m.Sig)
	case *ModLambda:
		p.str("\\")
		p.modParam(m.Param)
		if m.Sig != nil {
			p.str(" : ")
			p.modType(m.Sig)
		}
		p.str(" -> ")
		p.mod(m.Body)
	default:
		panic(fmt.Sprintf("syntax: module expression %T", m))
	}
}

// modType prints a module type.
func (p *printer) modType(t ModTypeExp) {
	switch t := t.(type) {
	case *ModTypeVar:
		p.str(t.Name.String())
	case *ModTypeParens:
		p.str("(")
		p.modType(t.Body)
		p.str(")")
	case *ModTypeSpecs:
		p.str("{\n")
		for _, s := range t.Specs {
			p.spec(s)
			p.str("\n")
		}
		p.str("}")
	case *ModTypeWith:
		p.modType(t.Base)
		p.str(" with ", t.Name.String())
		p.typeParams(t.TypeParams)
		p.str(" = ")
		p.typ(t.Def)
	case *ModTypeArrow:
		if t.Param.Text != "" {
			p.str("(", t.Param.Text, " : ")
			p.modType(t.From)
			p.str(")")
		} else {
			p.modType(t.From)
		}
		p.str(" -> ")
		p.modType(t.To)
	default:
		panic(fmt.Sprintf("syntax: module type %T", t))
	}
}

// spec prints a specification.
func (p *printer) spec(s Spec) {
	p.header(s.Header())
	switch s := s.(type) {
	case *ValSpec:
		p.str("val ")
		p.binder(s.Name)
		p.typeParams(s.TypeParams)
		p.str(" : ")
		p.typ(s.Type)
	case *TypeSpec:
		p.str("type", s.Lift.String(), " ", s.Name.Text)
		p.typeParams(s.TypeParams)
		if s.Def != nil {
			p.str(" = ")
			p.typ(s.Def)
		}
	case *ModSpec:
		p.str("module ", s.Name.Text, " : ")
		p.modType(s.Type)
	case *IncludeSpec:
		p.str("include ")
		p.modType(s.Type)
	default:
		panic(fmt.Sprintf("syntax: specification %T", s))
	}
}

// quoteString is a string literal that stands for s.
func quoteString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString("\\" + string(r))
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString("\\" + strconv.Itoa(int(r)))
			if next := i + utf8.RuneLen(r); next < len(s) && class[s[next]]&classDigit != 0 {
				b.WriteString("\\&")
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}

// quoteChar is a character literal that stands for r.
func quoteChar(r rune) string {
	switch {
	case r == '\'' || r == '\\':
		return "'\\" + string(r) + "'"
	case unicode.IsPrint(r):
		return "'" + string(r) + "'"
	default:
		return "'\\" + strconv.Itoa(int(r)) + "'"
	}
}
