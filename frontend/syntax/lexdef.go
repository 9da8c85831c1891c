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
		"EOF":    lexer.EOF,
		"Doc":    lexer.TokenType(DocComment),
		"Ident":  lexer.TokenType(Ident),
		"String": lexer.TokenType(StringText),
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
	return &tokenStream{text: f.Text(), tokens: tokens}, nil
}

// A tokenStream gives participle tokens that are already there.
type tokenStream struct {
	text   string
	tokens []Token
	next   int
}

// Next implements lexer.Lexer.
func (s *tokenStream) Next() (lexer.Token, error) {
	t := s.tokens[min(s.next, len(s.tokens)-1)]
	s.next++
	out := lexer.Token{Type: lexer.TokenType(t.Kind), Pos: lexer.Position{Offset: int(t.Start)}}
	if t.Kind == EOF {
		out.Type = lexer.EOF
	} else {
		out.Value = s.text[t.Start:t.End]
	}
	return out, nil
}
