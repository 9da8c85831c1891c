package syntax

import "skald/frontend/diag"

// pat parses a pattern:
//
//	Pat ::= Attr Pat | constructor InnerPat {InnerPat} | InnerPat [":" TypeExp]
func (p *parser) pat() Pat {
	p.enter()
	defer p.leave()
	start := p.start()
	switch p.kind() {
	case HashBracket:
		attr := p.attr()
		body := p.pat()
		return &PatAttr{Node: p.from(start), Attr: attr, Pat: body}
	case Constructor:
		name := p.constructor()
		var args []Pat
		for p.startsInnerPat() {
			args = append(args, p.innerPat())
		}
		inner := &PatConstr{Node: p.from(start), Name: name, Args: args}
		if len(args) > 0 {
			return inner
		}
		return p.ascribed(inner)
	default:
		return p.ascribed(p.innerPat())
	}
}

// ascribed parses the type that may follow a pattern.
func (p *parser) ascribed(inner Pat) Pat {
	if !p.got(Colon) {
		return inner
	}
	t := p.typeExp()
	return &PatAscript{Node: p.from(inner.Span().Start), Pat: inner, Type: t}
}

// startsParam reports whether a parameter begins here.
func (p *parser) startsParam() bool {
	switch p.kind() {
	case Ident, Underscore, LeftParen, LeftBrace, Constructor,
		NatLit, IntNumber, FloatNumber, CharText, wordTrue, wordFalse:
		return true
	default:
		return false
	}
}

// startsInnerPat reports whether a pattern without type begins here.
func (p *parser) startsInnerPat() bool { return p.startsParam() || p.kind() == Minus }

// innerPat parses a pattern among others: a parameter, or a
// negative literal.
func (p *parser) innerPat() Pat {
	if p.kind() != Minus {
		return p.param()
	}
	start := p.start()
	p.pos++
	switch p.kind() {
	case NatLit, IntNumber, FloatNumber:
		lit := p.literal()
		return &PatLit{Node: p.from(start), Neg: true, Lit: lit}
	default:
		p.unexpected("a number")
		return nil
	}
}

// param parses a parameter:
//
//	Param ::= name | "(" operator ")" | "_" | "(" [Pat {"," Pat}] ")" | "{" Fields "}" | literal | constructor
func (p *parser) param() Pat {
	start := p.start()
	switch p.kind() {
	case Ident:
		name := p.name("a name")
		return &PatName{Node: Node{name.At}, Name: name}
	case Underscore:
		p.pos++
		return &PatWild{Node: p.from(start)}
	case LeftParen:
		if p.operatorInParens() {
			p.pos++
			op := p.bindingOperator()
			p.expect(RightParen, "after an operator")
			return &PatName{Node: p.from(start), Name: op}
		}
		return p.patParens()
	case LeftBrace:
		return p.patRecord()
	case NatLit, IntNumber, FloatNumber, CharText, wordTrue, wordFalse:
		lit := p.literal()
		return &PatLit{Node: p.from(start), Lit: lit}
	case Constructor:
		name := p.constructor()
		return &PatConstr{Node: p.from(start), Name: name}
	default:
		p.unexpected("a pattern")
		return nil
	}
}

// params parses parameters up to what is none.
func (p *parser) params() []Pat {
	var params []Pat
	for p.startsParam() {
		params = append(params, p.param())
	}
	return params
}

// operatorInParens reports whether an operator in parentheses is here.
func (p *parser) operatorInParens() bool {
	if p.kind() != LeftParen {
		return false
	}
	switch p.peek(1) {
	case Operator, Minus, Star, Less, Hat, Pipe, Bang:
		return p.peek(2) == RightParen
	case Backtick:
		return true
	default:
		return false
	}
}

// bindingOperator parses the name of an operator that is being defined.
func (p *parser) bindingOperator() Name {
	if p.kind() == Bang {
		p.fail(codeBangInfix, p.here(), "'!' precedes its operand and cannot be used as infix operator")
	}
	op, _ := p.infixName()
	if len(op.Quals) > 0 {
		p.raise(diag.New(codeQualifiedBinding, op.Span(), "a qualified name cannot be defined").
			Hintf("define %s inside the module", quoteText(op.Name.Text)))
	}
	return op.Name
}

// patParens parses a pattern in parentheses, or a tuple.
func (p *parser) patParens() Pat {
	start := p.start()
	p.pos++
	var elems []Pat
	tuple := p.kind() == RightParen
	for p.kind() != RightParen {
		elems = append(elems, p.pat())
		if !p.got(Comma) {
			break
		}
		tuple = true
	}
	p.expect(RightParen, "or ',' in a pattern")
	if !tuple {
		return &PatParens{Node: p.from(start), Body: elems[0]}
	}
	p.oneTuple(start, len(elems))
	return &PatTuple{Node: p.from(start), Elems: elems}
}

// patRecord parses a record pattern.
func (p *parser) patRecord() Pat {
	start := p.start()
	p.pos++
	var fields []*RecordPatField
	for p.kind() != RightBrace {
		fields = append(fields, p.patField())
		if !p.got(Comma) {
			break
		}
	}
	p.expect(RightBrace, "or ',' in a record pattern")
	return &PatRecord{Node: p.from(start), Fields: fields}
}

// patField parses a field of a record pattern.
func (p *parser) patField() *RecordPatField {
	start := p.start()
	f := &RecordPatField{Name: p.field()}
	if p.got(Equals) {
		f.Pat = p.pat()
	} else {
		f.Punned = true
		f.Pat = p.ascribed(&PatName{Node: Node{f.Name.At}, Name: f.Name})
	}
	f.Node = p.from(start)
	return f
}

// attr parses an attribute with its brackets.
func (p *parser) attr() *Attr {
	start := p.start()
	p.expect(HashBracket, "before an attribute")
	a := p.attrInfo()
	p.expect(RightBracket, "after an attribute")
	a.Node = p.from(start)
	return a
}

// attrInfo parses what is in an attribute's brackets.
func (p *parser) attrInfo() *Attr {
	p.enter()
	defer p.leave()
	start := p.start()
	a := &Attr{}
	switch p.kind() {
	case NatLit, IntNumber:
		lit, ok := p.literal().(*IntLit)
		if !ok || lit.Suffix != "" {
			p.pos--
			p.unexpected("an integer without suffix")
		}
		a.Int = lit
	default:
		a.Name = p.name("an attribute")
		if p.got(LeftParen) {
			a.Call = true
			for p.kind() != RightParen {
				a.Args = append(a.Args, p.attrInfo())
				if !p.got(Comma) {
					break
				}
			}
			p.expect(RightParen, "or ',' in an attribute")
		}
	}
	a.Node = p.from(start)
	return a
}
