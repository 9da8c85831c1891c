package syntax

import (
	"skald/frontend/diag"
	"skald/frontend/source"
)

// atom parses a primary expression and the fields and indices that follow it.
func (p *parser) atom() Exp {
	e := p.primary()
	for {
		start := e.Span().Start
		switch {
		case p.kind() == IndexBracket:
			p.link()
			indices := p.indices()
			e = &Index{Node: p.from(start), Array: e, Indices: indices}
		case p.kind() == Dot && p.peek(1) == LeftParen:
			e = p.openIn(e)
		case p.kind() == Dot:
			p.link()
			p.pos++
			e = p.project(e)
		default:
			return e
		}
	}
}

// project parses a field's name after a dot. Behind a name it makes a longer
// name.
func (p *parser) project(e Exp) Exp {
	f := p.field()
	n := p.from(e.Span().Start)
	if v, ok := e.(*Var); ok && p.tokens[p.pos-1].Kind == Ident {
		return &Var{Node: n, Name: QualName{Quals: append(v.Name.Quals, v.Name.Name), Name: f}}
	}
	return &Project{Node: n, Exp: e, Field: f}
}

// openIn parses an expression in parentheses after a module and a dot.
func (p *parser) openIn(module Exp) Exp {
	v, ok := module.(*Var)
	if !ok {
		p.fail(codeLocalOpen, module.Span(), "only a module can be opened for an expression")
	}
	p.pos += 2
	body := p.exp()
	p.expect(RightParen, "after an expression")
	return &OpenIn{Node: p.from(v.At.Start), Module: v.Name, Body: body}
}

// primary parses an expression that is no operand list.
func (p *parser) primary() Exp {
	switch p.kind() {
	case Ident:
		t := p.next()
		at := p.at(t)
		return &Var{Node: Node{at}, Name: QualName{Name: Name{Text: p.str(t), At: at}}}
	case NatLit, IntNumber, FloatNumber, CharText, StringText, wordTrue, wordFalse:
		return p.literal()
	case Constructor:
		name := p.constructor()
		return &Constr{Node: Node{name.At}, Name: name}
	case HoleText:
		return &Hole{Node{p.at(p.next())}}
	case LeftParen:
		return p.parens()
	case LeftBracket:
		return p.array()
	case LeftBrace:
		return p.record()
	case wordDef, wordEntry, wordType, wordModule:
		p.raise(p.unexpectedAt(p.pos, "an expression").
			Hintf("the declaration before it is not complete"))
		return nil
	default:
		p.unexpected("an expression")
		return nil
	}
}

// parens parses what begins with a parenthesis: an expression, a tuple, or a
// section.
func (p *parser) parens() Exp {
	start := p.start()
	p.pos++
	switch p.kind() {
	case Dot:
		return p.pathSection(start)
	case Minus:
		if p.peek(1) == RightParen {
			return p.rightSection(start)
		}
	case Operator, Star, Less, Hat, Pipe, Backtick:
		return p.rightSection(start)
	case RightParen:
		p.pos++
		return &TupleLit{Node: p.from(start)}
	default:
	}
	first := p.exp()
	switch p.kind() {
	case RightParen:
		p.pos++
		return &Parens{Node: p.from(start), Body: first}
	case Comma:
		return p.tuple(start, first)
	case Operator, Minus, Star, Less, Hat, Pipe, Backtick:
		op, backtick := p.infixName()
		p.expect(RightParen, "after a section")
		return &LeftSection{Node: p.from(start), Left: first, Op: op, Backtick: backtick}
	default:
		p.unexpected("an operator, ',' or ')'")
		return nil
	}
}

// tuple parses the elements of a tuple after the first.
func (p *parser) tuple(start int32, first Exp) Exp {
	elems := []Exp{first}
	for p.got(Comma) && p.kind() != RightParen {
		elems = append(elems, p.exp())
	}
	p.expect(RightParen, "or ',' in a tuple")
	p.oneTuple(start, len(elems))
	return &TupleLit{Node: p.from(start), Elems: elems}
}

// rightSection parses an operator in parentheses and perhaps its right operand.
func (p *parser) rightSection(start int32) Exp {
	op, backtick := p.infixName()
	if p.got(RightParen) {
		return &Section{Node: p.from(start), Op: op, Backtick: backtick}
	}
	p.enter()
	right := p.binary(fixRange)
	p.leave()
	p.expect(RightParen, "after a section")
	return &RightSection{Node: p.from(start), Op: op, Backtick: backtick, Right: right}
}

// pathSection parses a section of fields and indices: (.a.b[i]), (.[i].a).
func (p *parser) pathSection(start int32) Exp {
	var path []Step
	for p.kind() != RightParen {
		at := p.start()
		if p.kind() != IndexBracket || path == nil {
			p.expect(Dot, "or ')' in a section")
			if p.kind() != LeftBracket || path != nil {
				f := p.field()
				path = append(path, &StepField{Node: p.from(at), Field: f})
				continue
			}
		}
		path = append(path, p.stepIndex())
	}
	p.pos++
	return &PathSection{Node: p.from(start), Path: path}
}

// stepIndex parses indices in brackets as a step of a path.
func (p *parser) stepIndex() Step {
	start := p.start()
	indices := p.indices()
	return &StepIndex{Node: p.from(start), Indices: indices}
}

// indices parses indices and slices in brackets.
func (p *parser) indices() []*DimIndex {
	p.enter()
	defer p.leave()
	p.pos++
	var list []*DimIndex
	for p.kind() != RightBracket {
		list = append(list, p.dimIndex())
		if !p.got(Comma) {
			break
		}
	}
	p.expect(RightBracket, "or ',' in an index")
	return list
}

// dimIndex parses the index of one dimension.
func (p *parser) dimIndex() *DimIndex {
	start := p.start()
	d := &DimIndex{}
	first := p.slicePart()
	if !p.got(Colon) {
		if first == nil {
			p.unexpected("an index")
		}
		d.Fix = first
	} else {
		d.Start, d.End = first, p.slicePart()
		if p.got(Colon) {
			if d.Stride = p.slicePart(); d.Stride == nil {
				p.unexpected("a stride")
			}
		}
	}
	d.Node = p.from(start)
	return d
}

// slicePart parses a part of a slice if there is one.
func (p *parser) slicePart() Exp {
	switch p.kind() {
	case Colon, Comma, RightBracket:
		return nil
	default:
		return p.binary(fixRange)
	}
}

// record parses a record.
func (p *parser) record() Exp {
	start := p.start()
	p.pos++
	var fields []*RecordField
	for p.kind() != RightBrace {
		at := p.start()
		f := &RecordField{}
		if p.kind() == NatLit || p.peek(1) == Equals {
			f.Name = p.field()
			p.expect(Equals, "after the name of a field")
			f.Value = p.exp()
		} else {
			f.Name, f.Punned = p.name("the name of a field"), true
			f.Value = &Var{Node: Node{f.Name.At}, Name: QualName{Name: f.Name}}
		}
		f.Node = p.from(at)
		fields = append(fields, f)
		if !p.got(Comma) {
			break
		}
	}
	p.expect(RightBrace, "or ',' in a record")
	return &RecordLit{Node: p.from(start), Fields: fields}
}

// array parses an array. Most large ones are tables of numbers, which plain
// reads without going through the levels of the grammar.
func (p *parser) array() Exp {
	start := p.start()
	p.pos++
	a := &ArrayLit{Elems: p.plain()}
	for p.kind() != RightBracket {
		a.Elems = append(a.Elems, p.exp())
		if !p.got(Comma) {
			break
		}
	}
	p.expect(RightBracket, "or ',' in an array")
	a.Uniform = uniform(a.Elems)
	a.Node = p.from(start)
	return a
}

// plain parses the unsigned numbers without suffix of one kind that an array
// begins with, as far as each is followed by a comma or the closing bracket.
func (p *parser) plain() []Exp {
	kind := p.kind()
	if kind != NatLit && kind != FloatNumber {
		return nil
	}
	n := 0
	for i := p.pos; p.tokens[i].Kind == kind && p.followed(i); i += 2 {
		n++
		if p.tokens[i+1].Kind == RightBracket {
			break
		}
	}
	if n < 8 {
		return nil
	}
	elems := make([]Exp, 0, n)
	ints, floats := []IntLit(nil), []FloatLit(nil)
	if kind == NatLit {
		ints = make([]IntLit, n)
	} else {
		floats = make([]FloatLit, n)
	}
	for i := range n {
		t := p.next()
		if kind == NatLit {
			ints[i] = IntLit{Node: Node{p.at(t)}, Text: p.str(t)}
			elems = append(elems, &ints[i])
		} else {
			text, suffix := splitSuffix(p.str(t))
			floats[i] = FloatLit{Node: Node{p.at(t)}, Text: text, Suffix: suffix}
			elems = append(elems, &floats[i])
		}
		p.got(Comma)
	}
	return elems
}

// followed reports whether a comma or closing bracket follows the i-th token.
func (p *parser) followed(i int) bool {
	switch p.tokens[i+1].Kind {
	case Comma, RightBracket:
		return true
	default:
		return false
	}
}

// uniform reports whether there are elements and all are literals of the same
// kind and suffix.
func uniform(elems []Exp) bool {
	if len(elems) == 0 {
		return false
	}
	first := literalOf(elems[0])
	for _, e := range elems {
		if l := literalOf(e); l.kind == EOF || l != first {
			return false
		}
	}
	return true
}

// A literalClass is the kind and suffix of a numeric or truth literal; of what
// is none, the kind is EOF.
type literalClass struct {
	kind   Kind
	suffix string
}

// literalOf classifies an expression.
func literalOf(e Exp) literalClass {
	switch e := e.(type) {
	case *IntLit:
		return literalClass{IntNumber, e.Suffix}
	case *FloatLit:
		return literalClass{FloatNumber, e.Suffix}
	case *BoolLit:
		return literalClass{wordTrue, ""}
	default:
		return literalClass{}
	}
}

// twoDots describes a range that is written with two dots only.
func (p *parser) twoDots(dots Token) *diag.Diagnostic {
	return diag.New(codeTwoDots, p.at(dots), "two dots do not end a range").
		Hintf("write '...' before the last element, or '..<' before the first that is not in the range")
}

// multiIndex describes an array that is indexed twice.
func (p *parser) multiIndex(at source.Span, index *Index, arg *ArrayLit) *diag.Diagnostic {
	d := diag.New(codeMultiIndex, at, "an element of an array cannot be applied to an array")
	open, end := index.Indices, arg.At
	if len(open) == 0 || len(arg.Elems) == 0 {
		return d
	}
	inner := p.text[end.Start+1 : end.End-1]
	all := p.text[index.At.Start:index.At.End-1] + ", " + inner + "]"
	d.Hintf("to index several dimensions, write %s", all).Replace(at, all)
	if len(d.Hint) > 200 {
		d.Hint = "to index several dimensions, write all indices in one pair of brackets"
	}
	return d
}
