package document

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"

	"skald/frontend/source"
	"skald/frontend/syntax"
)

// Note [Highlighting]
//
// Code is highlighted by chroma from tokens of our own lexer: chroma has none for Futhark, and a second description of the language
// would differ from the first. Its package of styles is not used: it parses seventy files when a program starts.

// light and dark are the colours of code. A page has both, and the browser chooses.
var (
	light = chroma.MustNewStyle("skald-light", chroma.StyleEntries{
		chroma.Comment: "#666666", chroma.Keyword: "#8a3a8a", chroma.Literal: "#2a6a2a", chroma.LiteralNumber: "#1a5a9a",
		chroma.NameConstant: "#a05000", chroma.NameDecorator: "#a05000", chroma.Operator: "#804000",
		chroma.LineNumbers: "#999999", chroma.Background: "#222222",
	})
	dark = chroma.MustNewStyle("skald-dark", chroma.StyleEntries{
		chroma.Comment: "#999999", chroma.Keyword: "#d09ad0", chroma.Literal: "#9aca9a", chroma.LiteralNumber: "#8abae0",
		chroma.NameConstant: "#e0a060", chroma.NameDecorator: "#e0a060", chroma.Operator: "#d0a080",
		chroma.LineNumbers: "#777777", chroma.LineHighlight: "bg:#444444", chroma.Background: "#dddddd",
	})
)

var (
	inlineCode = chromahtml.New(chromahtml.WithClasses(true), chromahtml.InlineCode(true), chromahtml.PreventSurroundingPre(true))
	blockCode  = chromahtml.New(chromahtml.WithClasses(true))
	// numbered is for sources, whose lines are the targets of links: L1 is the first.
	numbered = chromahtml.New(chromahtml.WithClasses(true), chromahtml.WithLineNumbers(true), chromahtml.WithLinkableLineNumbers(true, "L"),
		chromahtml.WithCSSComments(false))
)

// format writes code as HTML with classes.
func format(f *chromahtml.Formatter, tokens []chroma.Token) string {
	var out strings.Builder
	if err := f.Format(&out, light, chroma.Literator(tokens...)); err != nil {
		panic(err) // a builder takes everything
	}
	return out.String()
}

// codeStyle is the style sheet of code.
func codeStyle() string {
	var out strings.Builder
	css := func(s *chroma.Style) {
		if err := numbered.WriteCSS(&out, s); err != nil {
			panic(err)
		}
	}
	css(light)
	out.WriteString("@media (prefers-color-scheme: dark) {\n")
	css(dark)
	out.WriteString("}\n")
	return out.String()
}

// tokens splits a text into tokens with kinds, with comments and space, so that they are the whole text together.
func tokens(text string) []chroma.Token {
	list, comments := syntax.Lex(source.NewFile("", text))
	var out []chroma.Token
	at := 0
	add := func(kind chroma.TokenType, start, end int) {
		if start > at {
			out = append(out, chroma.Token{Type: chroma.TextWhitespace, Value: text[at:start]})
		}
		if end > start {
			out = append(out, chroma.Token{Type: kind, Value: text[start:end]})
		}
		at = end
	}
	for i, t := range list {
		for len(comments) > 0 && comments[0].At.Start < t.Start {
			add(chroma.CommentSingle, int(comments[0].At.Start), int(comments[0].At.End))
			comments = comments[1:]
		}
		kind := kindOf(t.Kind)
		if t.Kind == syntax.Ident && isDefined(list[:i]) {
			kind = chroma.NameFunction
		}
		add(kind, int(t.Start), int(t.End))
	}
	add(chroma.TextWhitespace, len(text), len(text))
	return out
}

// isDefined reports whether what comes behind some tokens is the name that a definition defines.
func isDefined(before []syntax.Token) bool {
	if len(before) == 0 {
		return false
	}
	switch before[len(before)-1].Kind.String() {
	case "def", "val", "entry", "type", "module":
		return true
	default:
		return false
	}
}

// kindOf is the kind of a token wherever it is.
func kindOf(k syntax.Kind) chroma.TokenType {
	switch k { //nolint:exhaustive // all others are punctuation
	case syntax.Ident:
		return chroma.Name
	case syntax.DocComment:
		return chroma.CommentSpecial
	case syntax.Constructor:
		return chroma.NameConstant
	case syntax.NatLit, syntax.IntNumber, syntax.FloatNumber:
		return chroma.LiteralNumber
	case syntax.CharText, syntax.StringText:
		return chroma.LiteralString
	case syntax.HashBracket:
		return chroma.NameDecorator
	case syntax.Operator, syntax.Minus, syntax.Star, syntax.Less, syntax.Hat, syntax.Pipe, syntax.Bang, syntax.Equals, syntax.Arrow:
		return chroma.Operator
	case syntax.Bad:
		return chroma.Text
	default:
		if k.IsKeyword() {
			return chroma.Keyword
		}
		return chroma.Punctuation
	}
}
