package format

import (
	"fmt"

	"skald/frontend/syntax"
)

// typ writes a type.
func (p *printer) typ(t syntax.TypeExp) {
	switch t := t.(type) {
	case *syntax.TypeVar:
		p.qualName(t.Name)
	case *syntax.TypeParens:
		p.want("(")
		p.align(func() { p.typ(t.Body) })
		p.want(")")
	case *syntax.TypeTuple:
		p.list("(", ")", len(t.Elems), p.broken(t), func(i int) { p.typ(t.Elems[i]) })
	case *syntax.TypeRecord:
		p.list("{", "}", len(t.Fields), p.broken(t), func(i int) {
			p.tok()
			p.want(":")
			p.spaced()
			p.align(func() { p.typ(t.Fields[i].Type) })
		})
	case *syntax.TypeArray:
		p.size(t.Size)
		p.typ(t.Elem)
	case *syntax.TypeSum:
		p.sum(t)
	case *syntax.TypeArrow:
		p.arrow(t)
	case *syntax.TypeUnique:
		p.want("*")
		p.typ(t.Elem)
	case *syntax.TypeApply:
		p.typ(t.Fun)
		for _, a := range t.Args {
			p.spaced()
			if a.Size != nil {
				p.size(a.Size)
			} else {
				p.typ(a.Type)
			}
		}
	case *syntax.TypeExists:
		p.want("?")
		for range t.Sizes {
			p.want("[")
			p.tok()
			p.want("]")
		}
		p.want(".")
		p.typ(t.Body)
	default:
		panic(fmt.Sprintf("format: type %T", t))
	}
}

// size writes a size in brackets.
func (p *printer) size(s *syntax.SizeExp) {
	p.want("[")
	if s.Exp != nil {
		p.align(func() { p.exp(s.Exp) })
	}
	p.want("]")
}

// sum writes a sum type; broken, each constructor has its line, and the bars
// stand in front.
func (p *printer) sum(t *syntax.TypeSum) {
	broken := p.broken(t)
	clause := func(c *syntax.TypeClause) {
		p.tok()
		for _, payload := range c.Payload {
			p.spaced()
			p.typ(payload)
		}
	}
	p.align(func() {
		if broken {
			p.nest(func() {
				if !p.brk {
					p.spaced()
				}
				clause(t.Clauses[0])
			})
		} else {
			clause(t.Clauses[0])
		}
		for _, c := range t.Clauses[1:] {
			p.line(broken)
			p.want("|")
			p.spaced()
			clause(c)
		}
	})
}

// arrow writes a function type.
func (p *printer) arrow(t *syntax.TypeArrow) {
	if t.Param.Text != "" {
		p.want("(")
		p.tok()
		p.want(":")
		p.spaced()
		p.align(func() { p.typ(t.From) })
		p.want(")")
	} else {
		p.typ(t.From)
	}
	p.line(p.broken(t))
	p.want("->")
	p.spaced()
	if _, ok := t.To.(*syntax.TypeArrow); ok {
		p.typ(t.To)
		return
	}
	p.align(func() { p.typ(t.To) })
}

// typeParam writes a size or type parameter.
func (p *printer) typeParam(t *syntax.TypeParam) {
	p.tok()
	p.tok()
	if t.Size {
		p.want("]")
	}
}

// pat writes a pattern.
func (p *printer) pat(pat syntax.Pat) {
	switch pat := pat.(type) {
	case *syntax.PatName:
		p.bound(pat)
	case *syntax.PatWild:
		p.tok()
	case *syntax.PatParens:
		p.want("(")
		p.align(func() { p.pat(pat.Body) })
		p.want(")")
	case *syntax.PatTuple:
		p.list("(", ")", len(pat.Elems), p.broken(pat), func(i int) { p.pat(pat.Elems[i]) })
	case *syntax.PatRecord:
		p.list("{", "}", len(pat.Fields), p.broken(pat), func(i int) { p.patField(pat.Fields[i]) })
	case *syntax.PatLit:
		if pat.Neg {
			p.want("-")
		}
		p.tok()
	case *syntax.PatConstr:
		p.tok()
		p.spaced()
		p.align(func() { p.pats(pat.Args, p.broken(pat)) })
	case *syntax.PatAscript:
		p.pat(pat.Pat)
		p.want(":")
		p.spaced()
		p.align(func() { p.typ(pat.Type) })
	case *syntax.PatAttr:
		p.attr(pat.Attr)
		p.spaced()
		p.pat(pat.Pat)
	default:
		panic(fmt.Sprintf("format: pattern %T", pat))
	}
}

// bound writes the name that a pattern binds, perhaps an operator in
// parentheses.
func (p *printer) bound(pat *syntax.PatName) {
	if p.is("(") {
		p.tok()
		p.operator()
		p.want(")")
		return
	}
	p.tok()
}

// operator writes an operator, or a name in backticks.
func (p *printer) operator() {
	if !p.is("`") {
		p.tok()
		return
	}
	p.tok()
	for !p.is("`") {
		p.tok()
	}
	p.tok()
}

// patField writes a field of a record pattern.
func (p *printer) patField(f *syntax.RecordPatField) {
	if f.Punned {
		p.pat(f.Pat)
		return
	}
	p.tok()
	p.spaced()
	p.want("=")
	p.nestLine(p.broken(f), func() { p.pat(f.Pat) })
}

// pats writes patterns, on lines of their own when broken.
func (p *printer) pats(pats []syntax.Pat, broken bool) {
	for i, pat := range pats {
		if i > 0 {
			p.line(broken)
		}
		p.pat(pat)
	}
}
