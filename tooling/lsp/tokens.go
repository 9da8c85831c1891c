package lsp

import (
	"cmp"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"skald/frontend/check"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

// tokenTypes are the kinds of tokens, in the order by which answers number them.
var tokenTypes = []protocol.SemanticTokenTypes{
	protocol.SemanticTokenNamespace, protocol.SemanticTokenType, protocol.SemanticTokenInterface, protocol.SemanticTokenFunction,
	protocol.SemanticTokenVariable, protocol.SemanticTokenEnumMember, protocol.SemanticTokenKeyword, protocol.SemanticTokenComment,
	protocol.SemanticTokenString, protocol.SemanticTokenNumber, protocol.SemanticTokenOperator,
}

// tokensOptions are what the client is told of the tokens. The library's type lacks all but the last.
func tokensOptions() any {
	return map[string]any{
		"legend": protocol.SemanticTokensLegend{TokenTypes: tokenTypes, TokenModifiers: []protocol.SemanticTokenModifiers{}},
		"full":   true,
	}
}

// token is a piece of the text with its kind.
type token struct {
	start, end int
	kind       protocol.SemanticTokenTypes
}

func (s *server) semanticTokens(p *protocol.SemanticTokensParams) (any, error) {
	d, err := s.open(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return &protocol.SemanticTokens{Data: encode(d.file, d.tokens())}, nil
}

// tokens are all tokens that have a kind. Names have one where their meaning is known.
func (d *document) tokens() []token {
	names := map[int]protocol.SemanticTokenTypes{}
	for _, p := range d.parts {
		for _, m := range p.Mentions {
			if m.At.File == p.At.File {
				names[int(m.At.Start)-int(p.At.Start)+p.Start] = meaningOf(m)
			}
		}
	}
	list, comments := syntax.Lex(d.file)
	var out []token
	for _, c := range comments {
		out = append(out, token{int(c.At.Start), int(c.At.End), protocol.SemanticTokenComment})
	}
	for _, t := range list {
		start, end := int(t.Start), int(t.End)
		kind := names[start]
		if k, ok := lexical[t.Kind]; ok {
			kind = k
		} else if t.Kind.IsKeyword() {
			kind = protocol.SemanticTokenKeyword
		}
		if t.Kind == syntax.DocComment {
			out = append(out, linesOf(d.file, start, end)...)
		} else if kind != "" {
			out = append(out, token{start, end, kind})
		}
	}
	slices.SortFunc(out, func(a, b token) int { return cmp.Compare(a.start, b.start) })
	return out
}

// lexical are the kinds that a token has wherever it is.
var lexical = func() map[syntax.Kind]protocol.SemanticTokenTypes {
	out := map[syntax.Kind]protocol.SemanticTokenTypes{syntax.Constructor: protocol.SemanticTokenEnumMember}
	for kind, list := range map[protocol.SemanticTokenTypes][]syntax.Kind{
		protocol.SemanticTokenNumber: {syntax.NatLit, syntax.IntNumber, syntax.FloatNumber},
		protocol.SemanticTokenString: {syntax.CharText, syntax.StringText},
		protocol.SemanticTokenOperator: {
			syntax.Operator, syntax.Minus, syntax.Star, syntax.Less, syntax.Hat, syntax.Pipe, syntax.Bang, syntax.Arrow, syntax.Backslash,
		},
	} {
		for _, k := range list {
			out[k] = kind
		}
	}
	return out
}()

// meaningOf is the kind of a name.
func meaningOf(m check.Mention) protocol.SemanticTokenTypes {
	switch m.Kind {
	case check.TypeName:
		return protocol.SemanticTokenType
	case check.ModuleName:
		return protocol.SemanticTokenNamespace
	case check.ModTypeName:
		return protocol.SemanticTokenInterface
	default:
	}
	if m.Sym != nil && m.Sym.Type != nil {
		if _, ok := types.Force(m.Sym.Type).(*types.Arrow); ok {
			return protocol.SemanticTokenFunction
		}
	}
	return protocol.SemanticTokenVariable
}

// linesOf is a comment of several lines as one token a line, as the protocol wants it.
func linesOf(f *source.File, start, end int) []token {
	var out []token
	for _, line := range strings.SplitAfter(f.Text()[start:end], "\n") {
		text := strings.TrimSpace(line)
		at := start + strings.Index(line, text)
		if text != "" {
			out = append(out, token{at, at + len(text), protocol.SemanticTokenComment})
		}
		start += len(line)
	}
	return out
}

// encode writes tokens as the protocol has them: five numbers each, places relative to the token before.
func encode(f *source.File, tokens []token) []uint32 {
	number := map[protocol.SemanticTokenTypes]uint32{}
	for i, t := range tokenTypes {
		number[t] = uint32(i)
	}
	data := make([]uint32, 0, 5*len(tokens))
	var last protocol.Position
	for _, t := range tokens {
		at := positionOf(f, t.start)
		column := at.Character
		if at.Line == last.Line {
			column -= last.Character
		}
		data = append(data, at.Line-last.Line, column, uint32(units(f.Text()[t.start:t.end])), number[t.kind], 0)
		last = at
	}
	return data
}
