package syntax

import "skald/frontend/diag"

// valDec parses a value declaration without what may precede it:
//
//	ValDec ::= ("def" | "let" | "entry") Head [":" TypeExp] "=" Exp
func (p *parser) valDec() *ValDec {
	p.depth, p.chain = 0, 0
	start := p.start()
	keyword := p.next()
	d := p.valHead()
	switch keyword.Kind {
	case wordLet:
		d.Keyword = KeywordLet
	case wordEntry:
		d.Keyword = KeywordEntry
	default:
	}
	if p.got(Colon) {
		d.Result = p.typeExp()
	}
	p.expect(Equals, "in a definition")
	d.Body = p.exp()
	d.Node = p.from(start)
	return d
}

// valHead parses the name, type parameters and parameters of a value
// declaration:
//
//	Head ::= Param operator Param | (name | "(" operator ")") TypeParams Params
func (p *parser) valHead() *ValDec {
	d := &ValDec{}
	first := p.valName()
	if p.kind() == Operator || p.kind() == Backtick || p.kind() >= Minus && p.kind() <= Bang {
		d.Infix = true
		d.Name = p.bindingOperator()
		if !p.startsParam() {
			p.unexpected("the right operand")
		}
		d.Params = []Pat{first, p.param()}
		return d
	}
	switch first := first.(type) {
	case *PatName:
		d.Name = first.Name
	case *PatTuple:
		p.raise(diag.New(codeTopPattern, first.Span(), "a declaration cannot bind a pattern").
			Hintf("bind one name, and take it apart where it is used"))
	default:
		p.unexpected("an operator after its left operand")
	}
	d.TypeParams = p.typeParams()
	d.Params = p.params()
	return d
}

// valName parses what follows the keyword of a value declaration.
func (p *parser) valName() Pat {
	if !p.startsParam() {
		p.unexpected("the name of what is defined")
	}
	return p.param()
}

// valSpec parses the specification of a value without what may precede it:
//
//	ValSpec ::= "val" (name | operator | "(" operator ")") TypeParams ":" TypeExp
func (p *parser) valSpec() *ValSpec {
	p.depth, p.chain = 0, 0
	start := p.start()
	p.pos++
	v := &ValSpec{}
	switch {
	case p.kind() == Ident:
		v.Name = p.name("a name")
	case p.got(LeftParen):
		v.Name = p.bindingOperator()
		p.expect(RightParen, "after an operator")
	default:
		v.Name = p.bindingOperator()
	}
	v.TypeParams = p.typeParams()
	p.expect(Colon, "before the type of a value")
	v.Type = p.typeExp()
	v.Node = p.from(start)
	return v
}
