package syntax

import "skald/frontend/diag"

// ifExp parses a conditional and all that follow as its alternatives, without
// recursion in the chain of else and if.
func (p *parser) ifExp() Exp {
	var chain []*If
	for p.kind() == wordIf {
		p.link()
		start := p.start()
		p.pos++
		cond := p.exp()
		p.expect(wordThen, "after a condition")
		then := p.exp()
		p.expect(wordElse, "after the first alternative")
		chain = append(chain, &If{Node: p.from(start), Cond: cond, Then: then})
	}
	alternative := p.exp()
	for i := len(chain) - 1; i >= 0; i-- {
		chain[i].Else = alternative
		chain[i].At.End = alternative.Span().End
		alternative = chain[i]
	}
	return chain[0]
}

// loop parses a loop.
func (p *parser) loop() Exp {
	start := p.start()
	p.pos++
	l := &Loop{Pat: p.pat()}
	if p.got(Equals) {
		l.Init = p.exp()
	}
	l.Form = p.loopForm()
	p.expect(wordDo, "before the body of a loop")
	l.Body = p.exp()
	l.Node = p.from(start)
	return l
}

// loopForm parses what says how often a loop goes round.
func (p *parser) loopForm() LoopForm {
	start := p.start()
	switch {
	case p.kind() == wordFor && p.peek(1) == Ident && p.peek(2) == Less:
		p.pos++
		name := p.name("a name")
		p.pos++
		bound := p.exp()
		return &For{Node: p.from(start), Var: name, Bound: bound}
	case p.got(wordFor):
		pat := p.pat()
		p.expect(wordIn, "or '<' in a loop")
		array := p.exp()
		return &ForIn{Node: p.from(start), Pat: pat, Array: array}
	case p.got(wordWhile):
		cond := p.exp()
		return &While{Node: p.from(start), Cond: cond}
	default:
		p.unexpected("'for' or 'while'")
		return nil
	}
}

// match parses a choice among patterns.
func (p *parser) match() Exp {
	start := p.start()
	p.pos++
	m := &Match{Exp: p.exp()}
	for p.kind() == wordCase {
		at := p.start()
		p.pos++
		pat := p.pat()
		p.expect(Arrow, "after the pattern of a case")
		body := p.exp()
		m.Cases = append(m.Cases, &Case{Node: p.from(at), Pat: pat, Body: body})
	}
	if len(m.Cases) == 0 {
		p.unexpected("'case'")
	}
	m.Node = p.from(start)
	return m
}

// let parses local definitions and the expression that they are for, without
// recursion from one definition to the next.
func (p *parser) let() Exp {
	var chain []Exp
	for p.kind() == wordLet {
		p.link()
		chain = append(chain, p.binding())
	}
	if p.kind() != wordIn {
		p.missingIn(chain[len(chain)-1])
	}
	p.pos++
	body := p.exp()
	for i := len(chain) - 1; i >= 0; i-- {
		end := body.Span().End
		switch e := chain[i].(type) {
		case *LetPat:
			e.Body, e.At.End = body, end
		case *LetFun:
			e.Body, e.At.End = body, end
		case *LetWith:
			e.Body, e.At.End = body, end
		default:
		}
		body = chain[i]
	}
	return body
}

// missingIn fails at a token that should have been "in".
func (p *parser) missingIn(last Exp) {
	switch p.kind() {
	case wordDef, wordEntry, wordType, wordModule, wordOpen, wordLocal, wordImport, EOF:
		what := "end of file"
		if p.kind() != EOF {
			what = `"` + p.kind().String() + `"`
		}
		msg := "Unexpected %s: the local definition before it has no body, or 'in' is missing"
		p.raise(diag.New(codeMissingIn, p.here(), msg, what).
			Note(last.Span(), "this is the local definition"))
	default:
	}
	p.unexpected("'in' or 'let' after a local definition")
}

// binding parses one local definition, without its body:
//
//	let name ("[" i "]" | "." f) {…} = Exp         an update: the bracket is directly behind
//	let name TypeParams Params [: TypeExp] = Exp   a function
//	let {"[" n "]"} Pat = Exp                      anything else
func (p *parser) binding() Exp {
	start := p.start()
	p.pos++
	if p.kind() == Ident {
		switch p.peek(1) {
		case IndexBracket, Dot:
			return p.letWith(start)
		case Equals, Colon:
		default:
			return p.letFun(start)
		}
	}
	l := &LetPat{}
	for p.kind() == LeftBracket || p.kind() == IndexBracket {
		p.pos++
		l.Sizes = append(l.Sizes, p.name("the name of a size"))
		p.expect(RightBracket, "after the name of a size")
	}
	l.Pat = p.pat()
	p.expect(Equals, "after a pattern")
	l.Value = p.exp()
	l.Node = p.from(start)
	return l
}

// letWith parses an update of a variable after "let".
func (p *parser) letWith(start int32) Exp {
	l := &LetWith{Name: p.name("a name")}
	for p.kind() != Equals {
		at := p.start()
		switch p.kind() {
		case IndexBracket:
			l.Path = append(l.Path, p.stepIndex())
		case Dot:
			p.pos++
			f := p.field()
			l.Path = append(l.Path, &StepField{Node: p.from(at), Field: f})
		default:
			p.unexpected("'=', '[' or '.' in an update")
		}
	}
	p.pos++
	l.Value = p.exp()
	l.Node = p.from(start)
	return l
}

// letFun parses a local function after "let".
func (p *parser) letFun(start int32) Exp {
	l := &LetFun{Name: p.name("a name")}
	l.TypeParams = p.typeParams()
	l.Params = p.params()
	if len(l.Params) == 0 {
		p.unexpected("a parameter, or '=' after a name")
	}
	if p.got(Colon) {
		l.Result = p.typeExp()
	}
	p.expect(Equals, "after the parameters of a function")
	l.Value = p.exp()
	l.Node = p.from(start)
	return l
}
