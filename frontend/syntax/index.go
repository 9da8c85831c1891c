package syntax

import (
	"skald/frontend/source"
)

// An IndexKind is the kind of a declaration in an index.
type IndexKind uint8

// The kinds of declarations.
const (
	IndexVal IndexKind = iota
	IndexType
	IndexModule
	IndexModuleType
	IndexOpen
	IndexImport
)

// An IndexEntry names one declaration and says where it is.
type IndexEntry struct {
	Kind IndexKind
	// Name is what is declared: an identifier or an operator; empty for open
	// and import.
	Name string
	// Local and Entry tell "local" and "entry" declarations.
	Local, Entry bool
	// At is the declaration with its attributes, but without documentation.
	At source.Span
	// Doc is the documentation comment before it, or nowhere.
	Doc source.Span
	// Body is the inside of the braces of a module that is written out, and
	// Decs are the declarations there; Body is nowhere for other modules.
	Body source.Span
	Decs []IndexEntry
}

// Note [Index]
//
// A file of library declarations need not be parsed to know what it declares:
// at the level of declarations, and outside of brackets, the words def, entry,
// type, module, open and import, and the word local, only begin declarations
// (but for "module type", for import as a module expression, and for type in
// module types, which is in braces). So one pass over the tokens finds where
// each declaration begins; it ends where the next one begins. Each is then
// parsed when it is first needed.
//
// The word let begins old-style declarations as well as local definitions. The
// pass takes it for a declaration only when it is the first word on its line
// and not indented further than the declaration before it. Where a file is
// written so that this is wrong, its parts do not parse; the prelude, which is
// what is indexed, has no such declarations.

// IndexFile finds a file's declarations without parsing them. It reports nothing:
// errors show when the parts are parsed. See Note [Index].
func IndexFile(f *source.File) []IndexEntry {
	tokens, _ := Lex(f)
	p := &parser{}
	p.reset(f, tokens)
	return p.indexDecs(EOF)
}

// indexDecs indexes declarations up to a closing token, which it leaves.
func (p *parser) indexDecs(end Kind) []IndexEntry {
	var entries []IndexEntry
	for p.kind() != end && p.kind() != EOF {
		var doc source.Span
		for p.kind() == DocComment {
			doc = p.at(p.next())
		}
		if p.kind() == end || p.kind() == EOF {
			break
		}
		e := IndexEntry{Doc: doc}
		p.indexDec(&e)
		entries = append(entries, e)
	}
	return entries
}

// indexDec indexes the declaration at the current token.
func (p *parser) indexDec(e *IndexEntry) {
	start := p.start()
	column := p.columnOf(p.pos)
	for p.kind() == HashBracket || p.kind() == wordLocal || p.kind() == DocComment {
		if p.kind() == wordLocal {
			e.Local = true
		}
		if p.next().Kind == HashBracket {
			p.skipBrackets(1)
		}
	}
	switch t := p.next(); t.Kind {
	case wordDef, wordEntry, wordLet:
		e.Kind, e.Entry = IndexVal, t.Kind == wordEntry
		e.Name = p.indexValName()
	case wordType:
		e.Kind = IndexType
		if p.kind() == Tilde || p.kind() == Hat {
			p.pos++
		}
		e.Name = p.str(p.next())
	case wordModule:
		e.Kind = IndexModule
		if p.got(wordType) {
			e.Kind = IndexModuleType
		}
		e.Name = p.str(p.next())
	case wordOpen:
		e.Kind = IndexOpen
		p.got(wordImport)
	case wordImport:
		e.Kind = IndexImport
	default:
	}
	p.indexRest(e, column)
	e.At = p.from(start).At
}

// indexValName finds the name of a value: the operator of an infix definition,
// the operator in parentheses, or the identifier.
func (p *parser) indexValName() string {
	if p.operatorInParens() {
		name := p.tokens[p.pos+1]
		if name.Kind == Backtick {
			name = p.tokens[min(p.pos+2, len(p.tokens)-1)]
		}
		return p.str(name)
	}
	first := p.next()
	switch first.Kind {
	case LeftParen, LeftBrace:
		p.skipBrackets(1)
	default:
	}
	switch p.kind() {
	case Operator, Minus, Star, Less, Hat, Pipe, Bang:
		return p.str(p.tokens[p.pos])
	case Backtick:
		return p.str(p.tokens[min(p.pos+1, len(p.tokens)-1)])
	default:
		return p.str(first)
	}
}

// indexRest passes what is left of a declaration, and indexes the body of a
// module that is written out.
func (p *parser) indexRest(e *IndexEntry, column int) {
	for {
		switch k := p.kind(); {
		case k == EOF || k == RightBrace || k == DocComment && p.declares(p.pos+1):
			return
		case p.declares(p.pos) && !p.operandNext() || k == wordLet && p.firstOnLine(p.pos) && p.columnOf(p.pos) <= column:
			return
		case k == LeftBrace && e.Kind == IndexModule && p.tokens[p.pos-1].Kind == Equals && !e.Body.Valid():
			open := p.next()
			e.Decs = p.indexDecs(RightBrace)
			e.Body = p.file.Span(int(open.End), int(p.start()))
			p.got(RightBrace)
		case k == LeftParen || k == LeftBracket || k == IndexBracket || k == LeftBrace || k == HashBracket:
			p.pos++
			p.skipBrackets(1)
		default:
			p.pos++
		}
	}
}

// declares reports whether the i-th token begins a declaration: it is one of
// the keywords, after any attributes.
func (p *parser) declares(i int) bool {
	for p.tokens[min(i, len(p.tokens)-1)].Kind == HashBracket {
		depth := 1
		for i++; depth > 0 && p.tokens[i].Kind != EOF; i++ {
			switch p.tokens[i].Kind {
			case LeftBracket, IndexBracket, HashBracket:
				depth++
			case RightBracket:
				depth--
			default:
			}
		}
	}
	switch k := p.tokens[min(i, len(p.tokens)-1)].Kind; k {
	case wordImport, DocComment:
		return true
	default:
		return startsDec(k)
	}
}

// operandNext reports whether the token before the current one cannot end a
// declaration, so that an operand is here: an import in a module
// expression, an attribute in an expression.
func (p *parser) operandNext() bool {
	switch p.tokens[p.pos-1].Kind {
	case Equals, Arrow, wordThen, wordElse, wordIn, wordDo, Colon, Operator, Minus, Star, Less, Hat, Pipe, Bang:
		return true
	default:
		return false
	}
}

// skipBrackets passes tokens until that many open brackets are closed.
func (p *parser) skipBrackets(depth int) {
	for depth > 0 && p.kind() != EOF {
		switch p.next().Kind {
		case LeftParen, LeftBracket, IndexBracket, LeftBrace, HashBracket:
			depth++
		case RightParen, RightBracket, RightBrace:
			depth--
		default:
		}
	}
}
