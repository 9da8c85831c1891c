package syntax

// typeExp parses a type:
//
//	TypeExp ::= "(" name ":" TypeExp ")" "->" TypeExp | TypeTerm ["->" TypeExp]
//	          | "?" {"[" name "]"} "." TypeExp
func (p *parser) typeExp() TypeExp {
	p.enter()
	defer p.leave()
	start := p.start()
	switch {
	case p.kind() == Question:
		return p.typeExists()
	case p.kind() == LeftParen && p.peek(1) == Ident && p.peek(2) == Colon:
		p.pos++
		param := p.name("a parameter")
		p.pos++
		from := p.typeExp()
		p.expect(RightParen, "after the type of a parameter")
		p.expect(Arrow, "after a named parameter of a function type")
		to := p.typeExp()
		return &TypeArrow{Node: p.from(start), Param: param, From: from, To: to}
	}
	from := p.typeTerm()
	if !p.got(Arrow) {
		return from
	}
	to := p.typeExp()
	return &TypeArrow{Node: p.from(start), From: from, To: to}
}

// typeExists parses existential sizes and the type after them.
func (p *parser) typeExists() TypeExp {
	start := p.start()
	p.pos++
	var sizes []Name
	for p.kind() == LeftBracket || p.kind() == IndexBracket {
		p.pos++
		sizes = append(sizes, p.name("the name of a size"))
		p.expect(RightBracket, "after the name of a size")
	}
	if len(sizes) == 0 {
		p.unexpected("'[' and the name of a size")
	}
	p.expect(Dot, "after existential sizes")
	body := p.typeExp()
	return &TypeExists{Node: p.from(start), Sizes: sizes, Body: body}
}

// typeTerm parses a type without arrows at the top:
//
//	TypeTerm ::= "*" TypeTerm | Clause {"|" Clause} | TypeAtom {TypeArg}
func (p *parser) typeTerm() TypeExp {
	p.enter()
	defer p.leave()
	start := p.start()
	switch p.kind() {
	case Star:
		p.pos++
		elem := p.typeTerm()
		return &TypeUnique{Node: p.from(start), Elem: elem}
	case Constructor:
		return p.typeSum()
	default:
	}
	return p.typeApply()
}

// typeSum parses the clauses of a sum type.
func (p *parser) typeSum() TypeExp {
	start := p.start()
	var clauses []*TypeClause
	for {
		at := p.start()
		name := p.constructor()
		var payload []TypeExp
		for p.startsTypeAtom() {
			payload = append(payload, p.typeAtom())
		}
		clauses = append(clauses, &TypeClause{Node: p.from(at), Name: name, Payload: payload})
		if !p.got(Pipe) {
			return &TypeSum{Node: p.from(start), Clauses: clauses}
		}
	}
}

// constructor parses #name and returns the name without #.
func (p *parser) constructor() Name {
	if p.kind() != Constructor {
		p.unexpected("a constructor")
	}
	t := p.next()
	return Name{Text: p.str(t)[1:], At: p.at(t)}
}

// typeApply parses a type constructor with its arguments. Once there is a
// constructor, brackets are a size argument and not an array type.
func (p *parser) typeApply() TypeExp {
	start := p.start()
	fun := p.typeAtom()
	var args []TypeArg
	for {
		switch {
		case p.kind() == LeftBracket || p.kind() == IndexBracket:
			args = append(args, TypeArg{Size: p.size()})
		case p.startsTypeAtom():
			args = append(args, TypeArg{Type: p.typeAtom()})
		case args == nil:
			return fun
		default:
			return &TypeApply{Node: p.from(start), Fun: fun, Args: args}
		}
	}
}

// startsTypeAtom reports whether an atomic type begins here.
func (p *parser) startsTypeAtom() bool {
	switch p.kind() {
	case Ident, LeftParen, LeftBrace, LeftBracket, IndexBracket:
		return true
	default:
		return false
	}
}

// typeAtom parses an atomic type:
//
//	TypeAtom ::= name | "(" [TypeExp {"," TypeExp}] ")" | "{" {field ":" TypeExp} "}" | Size TypeTerm
func (p *parser) typeAtom() TypeExp {
	start := p.start()
	switch p.kind() {
	case Ident:
		name := p.qualName("a type")
		return &TypeVar{Node: p.from(start), Name: name}
	case LeftBracket, IndexBracket:
		size := p.size()
		elem := p.typeTerm()
		return &TypeArray{Node: p.from(start), Size: size, Elem: elem}
	case LeftParen:
		return p.typeParens()
	case LeftBrace:
		return p.typeRecord()
	default:
		p.unexpected("a type")
		return nil
	}
}

// size parses a size in brackets.
func (p *parser) size() *SizeExp {
	start := p.start()
	p.pos++
	var e Exp
	if p.kind() != RightBracket {
		e = p.exp()
	}
	p.expect(RightBracket, "after a size")
	return &SizeExp{Node: p.from(start), Exp: e}
}

// typeParens parses a type in parentheses, or a tuple.
func (p *parser) typeParens() TypeExp {
	start := p.start()
	p.pos++
	var elems []TypeExp
	tuple := p.kind() == RightParen
	for p.kind() != RightParen {
		elems = append(elems, p.typeExp())
		if !p.got(Comma) {
			break
		}
		tuple = true
	}
	p.expect(RightParen, "or ',' in a type")
	if !tuple {
		return &TypeParens{Node: p.from(start), Body: elems[0]}
	}
	p.oneTuple(start, len(elems))
	return &TypeTuple{Node: p.from(start), Elems: elems}
}

// oneTuple fails if what was parsed from start on is a tuple of one element.
func (p *parser) oneTuple(start int32, elems int) {
	if elems == 1 {
		p.fail(codeUnexpected, p.from(start).At, "a tuple has no or several elements: expected another one after ','")
	}
}

// typeRecord parses a record type.
func (p *parser) typeRecord() TypeExp {
	start := p.start()
	p.pos++
	var fields []*TypeField
	for p.kind() != RightBrace {
		at := p.start()
		name := p.field()
		p.expect(Colon, "after the name of a field")
		t := p.typeExp()
		fields = append(fields, &TypeField{Node: p.from(at), Name: name, Type: t})
		if !p.got(Comma) {
			break
		}
	}
	p.expect(RightBrace, "or ',' in a record type")
	return &TypeRecord{Node: p.from(start), Fields: fields}
}

// typeParams parses any number of size and type parameters.
func (p *parser) typeParams() []*TypeParam {
	var params []*TypeParam
	for {
		start := p.start()
		t := &TypeParam{}
		switch p.kind() {
		case LeftBracket, IndexBracket:
			p.pos++
			t.Size = true
			t.Name = p.name("the name of a size")
			p.expect(RightBracket, "after the name of a size")
		case Quote, QuoteTilde, QuoteHat:
			t.Lift = map[Kind]Liftedness{Quote: Unlifted, QuoteTilde: SizeLifted, QuoteHat: Lifted}[p.next().Kind]
			t.Name = p.name("the name of a type")
		default:
			return params
		}
		t.Node = p.from(start)
		params = append(params, t)
	}
}
