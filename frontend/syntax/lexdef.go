package syntax

import (
	"io"

	"github.com/alecthomas/participle/v2/lexer"

	"skald/frontend/source"
)

// Definition is the lexer in the form in which participle takes one. Its token
// types are our kinds, and tokens carry only byte offsets as positions.
type Definition struct{}

var (
	_ lexer.Definition       = Definition{}
	_ lexer.StringDefinition = Definition{}
)

// Symbols names the token types that a grammar refers to by name; all others
// are written there as text.
func (Definition) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF":     lexer.EOF,
		"Doc":     lexer.TokenType(DocComment),
		"Ident":   lexer.TokenType(Ident),
		"String":  lexer.TokenType(StringText),
		"Val":     lexer.TokenType(kindVal),
		"ValSpec": lexer.TokenType(kindValSpec),
	}
}

// Lex reads all of r and splits it into tokens.
func (d Definition) Lex(filename string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return d.LexString(filename, string(text))
}

// LexString splits a text into tokens.
func (Definition) LexString(filename, text string) (lexer.Lexer, error) {
	f := source.NewFile(filename, text)
	tokens, _ := Lex(f)
	list := make(tokenList, len(tokens))
	for i, t := range tokens {
		list[i] = streamToken(text, t)
	}
	return &list, nil
}

// streamToken makes a token of participle's of one of ours.
func streamToken(text string, t Token) lexer.Token {
	out := lexer.Token{Type: lexer.TokenType(t.Kind), Pos: lexer.Position{Offset: int(t.Start)}}
	if t.Kind == EOF {
		out.Type = lexer.EOF
	} else {
		out.Value = text[t.Start:t.End]
	}
	return out
}

// A tokenList is a lexer that returns tokens that are already there; the last
// one is the end of the file, and is given again and again.
type tokenList []lexer.Token

// Next implements lexer.Lexer.
func (l *tokenList) Next() (lexer.Token, error) {
	t := (*l)[0]
	if len(*l) > 1 {
		*l = (*l)[1:]
	}
	return t, nil
}
