package lsp

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"skald/frontend/check"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

// typed is what precedes the cursor: modules or a record with dots behind them, and the beginning of a name.
var typed = regexp.MustCompile(`((?:[A-Za-z_][A-Za-z0-9_']*\.)*)([A-Za-z_][A-Za-z0-9_']*)?$`)

// typedImport is the beginning of the name of a file.
var typedImport = regexp.MustCompile(`import\s+"([^"\n]*)$`)

// itemData says what a completion is, to describe it when it is looked at.
type itemData struct {
	Document protocol.DocumentURI `json:"document"`
	Offset   int                  `json:"offset"`
	Module   string               `json:"module"`
}

func (s *server) completion(p *protocol.CompletionParams) (any, error) {
	d, err := s.open(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	offset := offsetOf(d.file, p.Position)
	start := d.file.Offset(source.Position{Line: int(p.Position.Line) + 1, Column: 1})
	line := d.file.Text()[start:offset]
	list := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	if m := typedImport.FindStringSubmatch(line); m != nil {
		list.Items = d.importable(m[1])
		return list, nil
	}
	m := typed.FindStringSubmatch(line)
	module := strings.TrimSuffix(m[1], ".")
	c := &completer{doc: d, offset: offset, module: module, prefix: m[2], seen: map[string]bool{}}
	if module == "" {
		c.locals()
	}
	part := d.scopeAt(offset)
	for _, name := range part.Names(module) {
		c.add(name, protocol.CompletionItemKindFunction)
	}
	if module == "" {
		c.words()
	} else if len(c.items) == 0 {
		c.fields()
	}
	list.Items = append(list.Items, c.items...)
	return list, nil
}

// completer collects completions.
type completer struct {
	doc            *document
	offset         int
	module, prefix string
	seen           map[string]bool
	items          []protocol.CompletionItem
}

// add offers a name that begins with what was typed. Operators and what only the compiler mentions are none.
func (c *completer) add(name string, kind protocol.CompletionItemKind) {
	if c.seen[name] || !strings.HasPrefix(name, c.prefix) || name == "" || !isLetter(name[0]) {
		return
	}
	c.seen[name] = true
	c.items = append(c.items, protocol.CompletionItem{
		Label: name, Kind: kind, Data: itemData{Document: c.doc.address, Offset: c.offset, Module: c.module},
	})
}

func isLetter(b byte) bool { return b == '_' || 'a' <= b|0x20 && b|0x20 <= 'z' }

// locals offers the names in the declaration that is being typed, which need not be right yet.
func (c *completer) locals() {
	start := 0
	for _, e := range syntax.IndexFile(c.doc.file) {
		if int(e.At.Start) <= c.offset {
			start = int(e.At.Start)
		}
	}
	tokens, _ := syntax.LexRange(c.doc.file, start, c.offset)
	for _, t := range tokens {
		if t.Kind == syntax.Ident && int(t.End) < c.offset {
			if name := c.doc.file.Span(int(t.Start), int(t.End)).Text(); !strings.Contains(name, ".") {
				c.add(name, protocol.CompletionItemKindVariable)
			}
		}
	}
}

// words offers the language's own words.
func (c *completer) words() {
	for _, w := range syntax.Keywords() {
		c.add(w, protocol.CompletionItemKindKeyword)
	}
}

// fields offers those of a record that is mentioned before a dot, as far as it is known from the last time that the declaration was right.
func (c *completer) fields() {
	names := strings.Split(c.module, ".")
	for _, p := range c.doc.check.Last(c.offset) {
		for _, m := range p.Mentions {
			if m.Kind != check.ValueName || m.Name != names[0] || m.Sym == nil || m.Sym.Type == nil {
				continue
			}
			if r := record(m.Sym.Type, names[1:]); r != nil {
				for _, f := range r.Fields {
					c.add(f.Name, protocol.CompletionItemKindField)
				}
				return
			}
		}
	}
}

// record is the record type at the end of a path of fields, or nil.
func record(t types.Type, path []string) *types.Record {
	r, ok := types.Force(t).(*types.Record)
	if !ok {
		return nil
	}
	if len(path) == 0 {
		return r
	}
	if f := r.Field(path[0]); f != nil {
		return record(f, path[1:])
	}
	return nil
}

// scopeAt is the part whose scope a byte of the present text has.
func (d *document) scopeAt(offset int) *check.Part {
	for _, p := range d.parts {
		if offset <= p.Start+int(p.At.End-p.At.Start) {
			return p
		}
	}
	return d.check.After()
}

// importable offers the files that an import can name.
func (d *document) importable(begun string) []protocol.CompletionItem {
	out := []protocol.CompletionItem{}
	dir, _ := filepath.Split(begun)
	paths, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.FromSlash(d.path)), dir, "*"))
	if err != nil {
		return out
	}
	for _, p := range paths {
		name, isProgram := strings.CutSuffix(filepath.Base(p), ".fut")
		if isProgram && filepath.ToSlash(p) != d.path {
			out = append(out, protocol.CompletionItem{Label: name, Kind: protocol.CompletionItemKindFile})
		} else if entries, err := filepath.Glob(filepath.Join(p, "*")); err == nil && len(entries) > 0 {
			out = append(out, protocol.CompletionItem{Label: name + "/", Kind: protocol.CompletionItemKindFolder})
		}
	}
	return slices.DeleteFunc(out, func(i protocol.CompletionItem) bool { return strings.HasPrefix(i.Label, ".") })
}

// completionItem is what comes back of a completion.
type completionItem struct {
	protocol.CompletionItem
	Data *itemData `json:"data,omitempty"`
}

func (s *server) resolve(item *completionItem) (any, error) {
	if item.Data == nil {
		return item, nil
	}
	d, err := s.open(item.Data.Document)
	if err != nil || item.Kind == protocol.CompletionItemKindKeyword {
		return item, nil //nolint:nilerr // a document that was closed meanwhile says nothing of its names
	}
	text, at := d.scopeAt(item.Data.Offset).Lookup(item.Data.Module, item.Label)
	item.Detail = text
	if doc := docAt(at); doc != "" {
		item.Documentation = protocol.MarkupContent{Kind: protocol.Markdown, Value: doc}
	}
	return item, nil
}
