package syntax

import "skald/frontend/source"

// Note [Expression grammar]
//
//	Exp    ::= Binary {":" TypeExp | ":>" TypeExp}
//	Binary ::= Unary {infix Binary}                      by precedence climbing
//	Unary  ::= "-" Unary | "!" Unary | If | Loop | Let | Match
//	         | "assert" Atom Exp | Attr Exp | Apply
//	Apply  ::= Atom {Atom} [Lambda] | Lambda
//	Atom   ::= Primary {"." field | "." "(" Exp ")" | "[" Indices "]"}
//
// The infix constructs, from the loosest to the tightest, are ranges, names in
// backticks, "with", and the operators as [OperatorFixity] orders them. What
// ends in an Exp (If, Loop, Let, Match, Lambda, assert, an attribute) extends
// as far as it can, and so needs no parentheses as a right operand.
//
// Ascription is outside of Binary since a colon in an index separates the
// parts of a slice.

// exp parses an expression: see Note [Expression grammar].
func (p *parser) exp() Exp {
	p.enter()
	defer p.leave()
	e := p.binary(fixRange)
	for {
		start := e.Span().Start
		switch p.kind() {
		case Colon:
			p.link()
			p.pos++
			t := p.typeExp()
			e = &Ascript{Node: p.from(start), Exp: e, Type: t}
		case ColonGreater:
			p.link()
			p.pos++
			t := p.typeExp()
			e = &Coerce{Node: p.from(start), Exp: e, Type: t}
		default:
			return e
		}
	}
}

// infix is the fixity of the infix construct at the current token, none if
// there is none. An operator that a parenthesis follows belongs to a section.
func (p *parser) infix() Fixity {
	switch k := p.kind(); k {
	case Operator, Minus, Star, Less, Hat, Pipe:
		if p.peek(1) == RightParen {
			return fixNone
		}
		return p.tokens[p.pos].Fix
	case Backtick:
		if p.backtickSection() {
			return fixNone
		}
		return fixBacktick
	case wordWith:
		return fixWith
	case DotDot, DotDotDot, DotDotLess, DotDotGreater:
		return fixRange
	default:
		return fixNone
	}
}

// backtickSection reports whether the name in backticks here is followed by a
// closing parenthesis.
func (p *parser) backtickSection() bool {
	for n := 1; ; n++ {
		switch p.peek(n) {
		case Ident, Dot:
		case Backtick:
			return p.peek(n+1) == RightParen
		default:
			return false
		}
	}
}

// binary parses operands joined by infix constructs that bind at least as
// tightly as loosest.
func (p *parser) binary(loosest Fixity) Exp {
	left := p.unary()
	for {
		fix := p.infix()
		if fix == fixNone || fix < loosest {
			return left
		}
		p.link()
		switch fix {
		case fixRange:
			left = p.rangeFrom(left)
		case fixWith:
			left = p.update(left)
		default:
			left = p.infixExp(left, fix)
		}
	}
}

// infixExp parses an operator and its right operand.
func (p *parser) infixExp(left Exp, fix Fixity) Exp {
	op, backtick := p.infixName()
	var right Exp
	if fix == fixPipeLeft {
		p.enter()
		right = p.binary(fix)
		p.leave()
	} else {
		right = p.binary(fix + 1)
	}
	return &BinOp{Node: p.from(left.Span().Start), Op: op, Backtick: backtick, Left: left, Right: right}
}

// infixName parses an operator or a name in backticks.
func (p *parser) infixName() (op QualName, backtick bool) {
	switch p.kind() {
	case Backtick:
		p.pos++
		op = p.qualName("a function's name")
		p.expect(Backtick, "after a function's name")
		return op, true
	case Operator:
		return p.operatorName(p.next()), false
	case Minus, Star, Less, Hat, Pipe:
		t := p.next()
		return QualName{Name: Name{Text: t.Kind.String(), At: p.at(t)}}, false
	default:
		p.unexpected("an operator")
		return QualName{}, false
	}
}

// operatorName splits a token of kind Operator into qualifiers and operator.
func (p *parser) operatorName(t Token) QualName {
	var q QualName
	start := t.Start
	for i := t.Start; i < t.End; i++ {
		switch c := p.text[i]; {
		case class[c]&classWord != 0:
		case c == '.' && i > start && class[p.text[i-1]]&classWord != 0:
			at := source.Span{File: p.file, Start: start, End: i}
			q.Quals = append(q.Quals, Name{Text: p.text[start:i], At: at})
			start = i + 1
		default:
			at := source.Span{File: p.file, Start: start, End: t.End}
			q.Name = Name{Text: p.text[start:t.End], At: at}
			return q
		}
	}
	panic("syntax: operator without operator characters: " + p.str(t))
}

// rangeFrom parses a range after its first element.
func (p *parser) rangeFrom(first Exp) Exp {
	r := &Range{Start: first}
	if p.kind() == DotDot {
		dots := p.next()
		r.Second = p.binary(fixRange + 1)
		if k := p.kind(); k != DotDotDot && k != DotDotLess && k != DotDotGreater {
			p.raise(p.twoDots(dots))
		}
	}
	switch p.next().Kind {
	case DotDotLess:
		r.Kind = RangeUpTo
	case DotDotGreater:
		r.Kind = RangeDownTo
	default:
	}
	p.enter()
	r.End = p.binary(fixRange)
	p.leave()
	r.Node = p.from(first.Span().Start)
	return r
}

// update parses an update after its source.
func (p *parser) update(src Exp) Exp {
	p.pos++
	var path []Step
	for {
		start := p.start()
		switch p.kind() {
		case LeftBracket, IndexBracket:
			path = append(path, p.stepIndex())
		case Ident, NatLit, Dot:
			p.got(Dot)
			f := p.field()
			path = append(path, &StepField{Node: p.from(start), Field: f})
		default:
			if path == nil {
				p.unexpected("an index or a field")
			}
			p.expect(Equals, "after what is updated")
			value := p.binary(fixWith + 1)
			return &Update{Node: p.from(src.Span().Start), Src: src, Path: path, Value: value}
		}
	}
}

// unary parses an operand of infix operators.
func (p *parser) unary() Exp {
	switch p.kind() {
	case Minus, Bang:
		return p.prefix()
	case wordIf:
		return p.ifExp()
	case wordLoop:
		return p.loop()
	case wordLet:
		return p.let()
	case wordMatch:
		return p.match()
	case wordAssert:
		return p.assert()
	case HashBracket:
		start := p.start()
		attr := p.attr()
		body := p.exp()
		return &AttrExp{Node: p.from(start), Attr: attr, Exp: body}
	default:
		return p.apply()
	}
}

// prefix parses a negation.
func (p *parser) prefix() Exp {
	p.enter()
	defer p.leave()
	t := p.next()
	e := p.unary()
	if t.Kind == Minus {
		return &Negate{Node: p.from(t.Start), Exp: e}
	}
	return &Not{Node: p.from(t.Start), Exp: e}
}

// assert parses an assertion and what it guards.
func (p *parser) assert() Exp {
	start := p.start()
	p.pos++
	cond := p.atom()
	body := p.exp()
	return &Assert{Node: p.from(start), Cond: cond, Body: body}
}

// apply parses a function with its arguments, or a constructor with its
// payload.
func (p *parser) apply() Exp {
	if p.kind() == Backslash {
		return p.lambda()
	}
	head := p.atom()
	if !p.startsAtom() && p.kind() != Backslash {
		return head
	}
	var args []Exp
	for p.startsAtom() {
		arg := p.atom()
		if a, ok := arg.(*ArrayLit); ok && len(args) == 0 {
			p.checkIndexing(head, a)
		}
		args = append(args, arg)
	}
	if p.kind() == Backslash {
		args = append(args, p.lambda())
	}
	n := p.from(head.Span().Start)
	if c, ok := head.(*Constr); ok {
		return &Constr{Node: n, Name: c.Name, Args: args}
	}
	return &Apply{Node: n, Fun: head, Args: args}
}

// checkIndexing fails on a[i] [j], where somebody indexes twice; it can only
// be the application of an array's element to an array.
func (p *parser) checkIndexing(head Exp, arg *ArrayLit) {
	index, ok := head.(*Index)
	if !ok {
		return
	}
	at := head.Span().To(arg.At)
	p.raise(p.multiIndex(at, index, arg))
}

// startsAtom reports whether an argument begins here; a lambda does not count.
func (p *parser) startsAtom() bool {
	switch p.kind() {
	case Ident, Constructor, NatLit, IntNumber, FloatNumber, CharText, StringText,
		wordTrue, wordFalse, HoleText, LeftParen, LeftBracket, LeftBrace:
		return true
	default:
		return false
	}
}

// lambda parses a function without a name.
func (p *parser) lambda() Exp {
	start := p.start()
	p.pos++
	params := p.params()
	if len(params) == 0 {
		p.unexpected("a parameter")
	}
	var result TypeExp
	if p.got(Colon) {
		result = p.typeTerm()
	}
	p.expect(Arrow, "before the body of a function")
	body := p.exp()
	return &Lambda{Node: p.from(start), Params: params, Result: result, Body: body}
}
