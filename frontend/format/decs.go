package format

import (
	"fmt"

	"skald/frontend/source"
	"skald/frontend/syntax"
)

// program writes a whole program.
func (p *printer) program(f *syntax.File) {
	if f.Doc != nil {
		p.tok()
	}
	p.decs(f.Decs)
	p.brk, p.keep = true, true
	p.flush(int32(len(p.text)) + 1)
	if p.out.Len() > 0 {
		p.out.WriteByte('\n')
	}
	if p.tokens[p.next].Kind != syntax.EOF {
		p.fail("the end of the file")
	}
}

// spanned is what has a place in the source.
type spanned interface{ Span() source.Span }

// decs writes declarations.
func (p *printer) decs(decs []syntax.Dec) {
	for i, d := range decs {
		if i > 0 {
			p.between(decs[i-1], d)
		}
		p.dec(d)
	}
}

// between asks for what comes between two declarations: an empty line, unless
// both are one line and stand on neighbouring lines.
func (p *printer) between(a, b spanned) {
	together := !p.broken(a) && !p.broken(b) && p.breakAfter()
	p.brk, p.keep = true, true
	p.force = !together
}

// header writes the documentation and attributes before a declaration.
func (p *printer) header(h *syntax.DecHeader) {
	if h.Doc != nil {
		p.tok()
	}
	for _, a := range h.Attrs {
		p.attr(a)
		p.line(p.breakAfter())
	}
}

// dec writes a declaration.
func (p *printer) dec(d syntax.Dec) {
	p.header(d.Header())
	switch d := d.(type) {
	case *syntax.ValDec:
		p.valDec(d)
	case *syntax.TypeDec:
		p.typeDec(d.Lift, d.TypeParams, d.Def, p.lines(d.Name.At, d.Def.Span()))
	case *syntax.ModDec:
		p.modDec(d)
	case *syntax.ModTypeDec:
		p.want("module")
		p.spaced()
		p.want("type")
		p.spaced()
		p.tok()
		p.spaced()
		p.want("=")
		_, specs := d.Def.(*syntax.ModTypeSpecs)
		p.nestLineUnless(specs, p.lines(d.Name.At, d.Def.Span()), func() { p.modType(d.Def) })
	case *syntax.OpenDec:
		p.want("open")
		p.spaced()
		p.mod(d.Mod)
	case *syntax.ImportDec:
		p.want("import")
		p.spaced()
		p.tok()
	case *syntax.LocalDec:
		p.want("local")
		p.line(d.Dec.Header().Doc != nil || p.breakAfter())
		p.dec(d.Dec)
	default:
		panic(fmt.Sprintf("format: declaration %T", d))
	}
}

// nestLineUnless is nestLine, but stays on the line when stay is set.
func (p *printer) nestLineUnless(stay, broken bool, f func()) {
	p.nestLine(broken && !stay, f)
}

// valDec writes a value or function.
func (p *printer) valDec(d *syntax.ValDec) {
	if d.Keyword == syntax.KeywordLet {
		p.write("def")
	} else {
		p.tok()
	}
	p.spaced()
	broken := p.lines(d.Name.At, d.Body.Span())
	if d.Infix {
		broken = p.lines(d.Params[0].Span(), d.Body.Span())
		p.pat(d.Params[0])
		p.spaced()
		p.operator()
		p.spaced()
		p.pat(d.Params[1])
	} else {
		p.bound(nil)
		p.params(d.TypeParams, d.Params)
	}
	p.result(d.Result)
	p.spaced()
	p.want("=")
	p.nestLine(broken, func() { p.exp(d.Body) })
}

// typeDec writes a type declaration or specification.
func (p *printer) typeDec(lift syntax.Liftedness, params []*syntax.TypeParam, def syntax.TypeExp, broken bool) {
	p.want("type")
	if lift != syntax.Unlifted {
		p.tok()
	}
	p.spaced()
	p.tok()
	p.params(params, nil)
	if def != nil {
		p.spaced()
		p.want("=")
		p.nestLine(broken, func() { p.typ(def) })
	}
}

// modDec writes a module.
func (p *printer) modDec(d *syntax.ModDec) {
	p.want("module")
	p.spaced()
	p.tok()
	broken := len(d.Params) > 0 && p.lines(d.Name.At, d.Params[len(d.Params)-1].At)
	for _, param := range d.Params {
		p.nestLine(broken, func() { p.modParam(param) })
	}
	if d.Sig != nil {
		p.nestLine(p.lines(d.Name.At, d.Sig.Span()) && !inBraces(d.Sig), func() {
			p.want(":")
			p.spaced()
			p.align(func() { p.modTypeIn(d.Sig) })
		})
	}
	p.spaced()
	p.want("=")
	_, body := d.Body.(*syntax.ModBody)
	p.nestLineUnless(body, p.breakAfter(), func() { p.mod(d.Body) })
}

// inBraces reports whether a module type is written out.
func inBraces(t syntax.ModTypeExp) bool {
	_, ok := t.(*syntax.ModTypeSpecs)
	return ok
}

// modTypeIn writes a module type that is aligned; one that is written out is
// not, so that its contents are indented by two.
func (p *printer) modTypeIn(t syntax.ModTypeExp) {
	if inBraces(t) {
		saved := p.indent
		p.indent = p.lineIndent()
		p.modType(t)
		p.indent = saved
		return
	}
	p.modType(t)
}

// lineIndent is the indentation of the line being written.
func (p *printer) lineIndent() int {
	text := p.out.String()
	n := len(text)
	for n > 0 && text[n-1] != '\n' {
		n--
	}
	indent := 0
	for n+indent < len(text) && text[n+indent] == ' ' {
		indent++
	}
	return indent
}

// modParam writes a parameter of a module.
func (p *printer) modParam(m *syntax.ModParam) {
	p.want("(")
	p.tok()
	p.want(":")
	p.spaced()
	p.modType(m.Type)
	p.want(")")
}

// mod writes a module expression.
func (p *printer) mod(m syntax.ModExp) {
	switch m := m.(type) {
	case *syntax.ModVar:
		p.qualName(m.Name)
	case *syntax.ModParens:
		p.want("(")
		p.align(func() { p.mod(m.Body) })
		p.want(")")
	case *syntax.ModBody:
		p.body(p.broken(m), len(m.Decs), func() { p.decs(m.Decs) })
	case *syntax.ModImport:
		p.want("import")
		p.spaced()
		p.tok()
	case *syntax.ModApply:
		p.mod(m.Fun)
		p.spaced()
		p.mod(m.Arg)
	case *syntax.ModAscript:
		p.mod(m.Mod)
		p.spaced()
		p.want(":")
		p.spaced()
		p.modType(m.Sig)
	case *syntax.ModLambda:
		p.tok()
		p.modParam(m.Param)
		if m.Sig != nil {
			p.spaced()
			p.want(":")
			p.spaced()
			p.modType(m.Sig)
		}
		p.spaced()
		p.want("->")
		_, body := m.Body.(*syntax.ModBody)
		p.nestLineUnless(body, p.breakAfter(), func() { p.mod(m.Body) })
	default:
		panic(fmt.Sprintf("format: module expression %T", m))
	}
}

// body writes declarations or specifications in braces.
func (p *printer) body(broken bool, n int, contents func()) {
	p.want("{")
	switch {
	case broken || n > 1:
		p.nest(func() {
			p.brk = true
			contents()
			p.flush(p.tokens[p.next].Start)
		})
		p.brk, p.force, p.keep = true, n == 0 && p.plain, false
		p.plain = true
	default:
		contents()
	}
	p.want("}")
}

// modType writes a module type.
func (p *printer) modType(t syntax.ModTypeExp) {
	switch t := t.(type) {
	case *syntax.ModTypeVar:
		p.qualName(t.Name)
	case *syntax.ModTypeParens:
		p.want("(")
		p.align(func() { p.modType(t.Body) })
		p.want(")")
	case *syntax.ModTypeSpecs:
		p.body(p.broken(t), len(t.Specs), func() { p.specs(t.Specs) })
	case *syntax.ModTypeWith:
		broken := p.broken(t)
		p.align(func() { p.refined(t, broken) })
	case *syntax.ModTypeArrow:
		if t.Param.Text != "" {
			p.want("(")
			p.tok()
			p.want(":")
			p.spaced()
			p.modType(t.From)
			p.want(")")
		} else {
			p.modType(t.From)
		}
		p.line(p.broken(t))
		p.want("->")
		p.spaced()
		p.modType(t.To)
	default:
		panic(fmt.Sprintf("format: module type %T", t))
	}
}

// refined writes a module type with refinements, each on its line if broken.
func (p *printer) refined(t *syntax.ModTypeWith, broken bool) {
	if inner, ok := t.Base.(*syntax.ModTypeWith); ok {
		p.refined(inner, broken)
	} else {
		p.modType(t.Base)
	}
	p.line(broken)
	p.want("with")
	p.spaced()
	p.qualName(t.Name)
	p.params(t.TypeParams, nil)
	p.spaced()
	p.want("=")
	p.spaced()
	p.align(func() { p.typ(t.Def) })
}

// specs writes specifications.
func (p *printer) specs(specs []syntax.Spec) {
	for i, s := range specs {
		if i > 0 {
			p.between(specs[i-1], s)
		}
		p.spec(s)
	}
}

// spec writes a specification.
func (p *printer) spec(s syntax.Spec) {
	p.header(s.Header())
	switch s := s.(type) {
	case *syntax.ValSpec:
		p.want("val")
		p.spaced()
		if p.is("(") {
			p.bound(nil)
		} else {
			p.operator()
		}
		p.params(s.TypeParams, nil)
		p.spaced()
		p.want(":")
		p.nestLine(p.lines(s.Name.At, s.Type.Span()), func() { p.typ(s.Type) })
	case *syntax.TypeSpec:
		broken := s.Def != nil && p.lines(s.Name.At, s.Def.Span())
		p.typeDec(s.Lift, s.TypeParams, s.Def, broken)
	case *syntax.ModSpec:
		p.want("module")
		p.spaced()
		p.tok()
		p.spaced()
		p.want(":")
		p.spaced()
		p.modType(s.Type)
	case *syntax.IncludeSpec:
		p.want("include")
		p.spaced()
		p.modType(s.Type)
	default:
		panic(fmt.Sprintf("format: specification %T", s))
	}
}
