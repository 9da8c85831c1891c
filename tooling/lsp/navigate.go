package lsp

import (
	"strings"

	"go.lsp.dev/protocol"

	"skald/compiler"
	"skald/frontend/check"
	"skald/frontend/source"
	"skald/frontend/types"
)

func (s *server) hover(p *protocol.HoverParams) (any, error) {
	d, err := s.open(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	offset := offsetOf(d.file, p.Position)
	if found, ok := d.siteAt(offset); ok {
		if text := d.about(found, offset); text != "" {
			place := rangeOf(found.at)
			return &protocol.Hover{Contents: markdown(text, docAt(found.target)), Range: &place}, nil
		}
	}
	found, at, ok := d.query(offset)
	if !ok || found.Type == nil {
		return nil, nil
	}
	place := rangeOf(at)
	return &protocol.Hover{Contents: markdown(found.Type.String(), ""), Range: &place}, nil
}

// about says what a name is.
func (d *document) about(s site, offset int) string {
	m := s.mention
	switch {
	case m.Kind == check.TypeName && m.Type != nil:
		return "type " + m.Name + " = " + m.Type.String()
	case m.Kind != check.ValueName:
		return string(m.Kind) + " " + m.Name
	case m.Sym == nil || m.Sym.Type == nil:
		return ""
	case m.Sym.Kind != types.Global:
		return m.Name + " : " + m.Sym.Type.String()
	}
	text := check.Describe(m.Sym)
	if found, _, ok := d.query(offset); ok && len(m.Sym.Params) > 0 && found.Name == m.Name && found.Type != nil {
		if here := found.Type.String(); !strings.HasSuffix(text, " : "+here) {
			text += "\n-- here:\n" + m.Name + " : " + here
		}
	}
	return text
}

// query finds the smallest expression around a byte of the present text, with its place.
func (d *document) query(offset int) (found compiler.Found, at source.Span, ok bool) {
	p := d.partAt(offset)
	if p == nil {
		return found, at, false
	}
	was := p.At.File.Position(offset - p.Start + int(p.At.Start))
	found, ok = compiler.Query(&types.Prog{Defs: p.Defs}, p.Mentions, d.path, was)
	if !ok {
		return found, at, false
	}
	return found, d.moved(p, found.At), true
}

// markdown shows code, with an explanation if there is one.
func markdown(code, text string) protocol.MarkupContent {
	value := "```futhark\n" + code + "\n```"
	if text != "" {
		value += "\n\n" + text
	}
	return protocol.MarkupContent{Kind: protocol.Markdown, Value: value}
}

// nameAt is the document that a request is about, and the name at its position. Its target is nowhere if there is none, or if it is not
// known where it is bound.
func (s *server) nameAt(p protocol.TextDocumentPositionParams) (d *document, found site, err error) {
	if d, err = s.open(p.TextDocument.URI); err == nil {
		found, _ = d.siteAt(offsetOf(d.file, p.Position))
	}
	return d, found, err
}

func (s *server) definition(p *protocol.DefinitionParams) (any, error) {
	d, found, err := s.nameAt(p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	if path, ok := d.importAt(offsetOf(d.file, p.Position)); ok {
		return []protocol.Location{{URI: addressOf(path)}}, nil
	}
	if !found.target.Valid() {
		return []protocol.Location{}, nil
	}
	return []protocol.Location{s.location(found.target)}, nil
}

func (s *server) references(p *protocol.ReferenceParams) (any, error) {
	_, found, err := s.nameAt(p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	out := []protocol.Location{}
	if !found.target.Valid() {
		return out, nil
	}
	for _, site := range s.uses(found.target, s.programs(found.target.File.Name())) {
		if spotOf(site.at) == spotOf(found.target) && !p.Context.IncludeDeclaration {
			continue
		}
		out = append(out, s.location(site.at))
	}
	return out, nil
}

// uses are the names in some programs that are bound at a place.
func (s *server) uses(target source.Span, programs []*document) []site {
	var out []site
	seen := map[spot]bool{}
	want := spotOf(target)
	for _, d := range programs {
		for _, site := range d.sites() {
			if at := spotOf(site.at); spotOf(site.target) == want && !seen[at] {
				seen[at] = true
				out = append(out, site)
			}
		}
	}
	return out
}

func (s *server) highlight(p *protocol.DocumentHighlightParams) (any, error) {
	d, found, err := s.nameAt(p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	out := []protocol.DocumentHighlight{}
	if !found.target.Valid() {
		return out, nil
	}
	for _, site := range s.uses(found.target, []*document{d}) {
		if site.at.File == d.file {
			out = append(out, protocol.DocumentHighlight{Range: rangeOf(site.at), Kind: protocol.DocumentHighlightKindText})
		}
	}
	return out, nil
}
