package lsp

import (
	"strings"

	"go.lsp.dev/protocol"

	"skald/frontend/source"
	"skald/frontend/syntax"
)

func (s *server) documentSymbols(p *protocol.DocumentSymbolParams) (any, error) {
	d, err := s.open(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	return outline(syntax.IndexFile(d.file)), nil
}

// outline is declarations with those in them. It needs no program that is right.
func outline(entries []syntax.IndexEntry) []protocol.DocumentSymbol {
	out := []protocol.DocumentSymbol{}
	for _, e := range entries {
		name := e.Name
		kind, ok := symbolKinds[e.Kind]
		if !ok || name == "" {
			continue
		}
		symbol := protocol.DocumentSymbol{Name: name, Kind: kind, Range: rangeOf(e.At), SelectionRange: rangeOf(nameIn(e)), Detail: detail(e)}
		if len(e.Decs) > 0 {
			symbol.Children = outline(e.Decs)
		}
		out = append(out, symbol)
	}
	return out
}

var symbolKinds = map[syntax.IndexKind]protocol.SymbolKind{
	syntax.IndexVal: protocol.SymbolKindFunction, syntax.IndexType: protocol.SymbolKindStruct,
	syntax.IndexModule: protocol.SymbolKindModule, syntax.IndexModuleType: protocol.SymbolKindInterface,
}

func detail(e syntax.IndexEntry) string {
	if e.Entry {
		return "entry"
	}
	return ""
}

// nameIn is where a declaration has its name: it is the first token that is written so, after the first word.
func nameIn(e syntax.IndexEntry) source.Span {
	tokens, _ := syntax.LexRange(e.At.File, int(e.At.Start), int(e.At.End))
	for _, t := range tokens {
		at := e.At.File.Span(int(t.Start), int(t.End))
		if at.Text() == e.Name && !t.Kind.IsKeyword() {
			return at
		}
	}
	return e.At.File.Span(int(e.At.Start), int(e.At.Start))
}

// maxSymbols is how many names an answer has.
const maxSymbols = 1000

func (s *server) workspaceSymbols(p *protocol.WorkspaceSymbolParams) (any, error) {
	out := []protocol.SymbolInformation{}
	query := strings.ToLower(p.Query)
	var walk func(entries []syntax.IndexEntry, container string)
	walk = func(entries []syntax.IndexEntry, container string) {
		for _, e := range entries {
			kind, ok := symbolKinds[e.Kind]
			if ok && e.Name != "" && len(out) < maxSymbols && strings.Contains(strings.ToLower(e.Name), query) {
				out = append(out, protocol.SymbolInformation{Name: e.Name, Kind: kind, Location: s.location(nameIn(e)), ContainerName: container})
			}
			walk(e.Decs, e.Name)
		}
	}
	for _, path := range s.files() {
		if f := s.text(path); f != nil {
			walk(syntax.IndexFile(f), "")
		}
	}
	return out, nil
}
