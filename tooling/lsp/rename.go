package lsp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"skald/frontend/check"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

// Note [Renaming]
// A name is changed where it is bound and wherever it is used, in all files of the session that may mention it. Whether the programs
// mean the same afterwards is not reasoned about but tried: they are checked with the new names, and every name must be bound where it was
// before. So a new name that is taken, or hides another, or that a module type asks for, is refused with what is wrong.

// renameable is the name at a position, if it may be changed.
func (s *server) renameable(p protocol.TextDocumentPositionParams) (site, error) {
	_, found, err := s.nameAt(p)
	switch {
	case err != nil:
		return site{}, err
	case !found.target.Valid():
		return site{}, refused("there is no name that can be changed here")
	case strings.HasPrefix(found.target.File.Name(), "/prelude/"):
		return site{}, refused("%s is a name of the standard library", found.mention.Name)
	}
	return found, nil
}

func refused(format string, args ...any) error {
	return jsonrpc2.Errorf(jsonrpc2.InvalidRequest, format, args...)
}

func (s *server) prepareRename(p *protocol.PrepareRenameParams) (any, error) {
	found, err := s.renameable(p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	return rangeOf(found.at), nil
}

func (s *server) rename(p *protocol.RenameParams) (any, error) {
	found, err := s.renameable(p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	if err := suits(p.NewName, found.mention.Name); err != nil {
		return nil, err
	}
	programs := s.programs(found.target.File.Name())
	for _, q := range programs {
		if text := q.firstError(); text != "" {
			return nil, refused("cannot rename: %s has an error: %s", q.path, text)
		}
	}
	edits := editsFor(s.uses(found.target, programs), p.NewName)
	if err := s.tryRename(programs, edits); err != nil {
		return nil, err
	}
	return edits.forClient(s), nil
}

// suits refuses a new name that is no name of the kind of the old one.
func suits(name, old string) error {
	kind := func(text string) syntax.Kind {
		tokens, comments := syntax.Lex(source.NewFile("name", text))
		if len(tokens) != 2 || len(comments) > 0 || int(tokens[0].End) != len(text) || strings.Contains(text, ".") {
			return syntax.Bad
		}
		if tokens[0].Kind == syntax.Ident {
			return syntax.Ident
		}
		return syntax.Operator
	}
	if kind(name) != kind(old) || kind(name) == syntax.Bad || name == "" {
		return refused("%q cannot be a name in place of %q", name, old)
	}
	return nil
}

// firstError is the first error of a document, or "".
func (d *document) firstError() string {
	for _, m := range d.messages() {
		if m.IsError() {
			text, _, _ := strings.Cut(m.Message, "\n")
			if m.Span.Valid() {
				text = fmt.Sprintf("line %d: %s", m.Span.From().Line, text)
			}
			return text
		}
	}
	return ""
}

// edit replaces a name; its new name begins so many bytes into the new text.
type edit struct {
	at    source.Span
	text  string
	inset int
}

// edits are the changes by file, in order.
type edits map[string][]edit

// editsFor changes names. One that is also the name of a field, as in {x}, becomes {x = NAME}.
func editsFor(sites []site, name string) edits {
	out := edits{}
	for _, s := range sites {
		e := edit{at: s.at, text: name}
		if alsoField(s.at) {
			e.text = s.at.Text() + " = " + name
			e.inset = len(e.text) - len(name)
		}
		out[s.at.File.Name()] = append(out[s.at.File.Name()], e)
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b edit) int { return cmp.Compare(a.at.Start, b.at.Start) })
	}
	return out
}

// alsoField reports whether a name is by itself in the braces of a record, and so is a field of its own name.
func alsoField(at source.Span) bool {
	text := at.File.Text()
	before := strings.TrimRight(text[:at.Start], " \t\r\n")
	behind := strings.TrimLeft(text[at.End:], " \t\r\n")
	if before == "" || behind == "" || !strings.ContainsAny(before[len(before)-1:], "{,") || !strings.ContainsAny(behind[:1], "},") {
		return false
	}
	tokens, _ := syntax.LexRange(at.File, 0, int(at.Start))
	var open []syntax.Kind
	for _, t := range tokens {
		switch t.Kind {
		case syntax.LeftParen, syntax.LeftBracket, syntax.IndexBracket, syntax.LeftBrace, syntax.HashBracket:
			open = append(open, t.Kind)
		case syntax.RightParen, syntax.RightBracket, syntax.RightBrace:
			open = open[:max(len(open)-1, 0)]
		default:
		}
	}
	return len(open) > 0 && open[len(open)-1] == syntax.LeftBrace
}

// apply is a file with its changes.
func (e edits) apply(f *source.File) *source.File {
	var out strings.Builder
	at := 0
	for _, c := range e[f.Name()] {
		out.WriteString(f.Text()[at:c.at.Start] + c.text)
		at = int(c.at.End)
	}
	return source.NewFile(f.Name(), out.String()+f.Text()[at:])
}

// after is where a place is when the changes have been made.
func (e edits) after(s spot) spot {
	shift := int32(0)
	for _, c := range e[s.path] {
		switch {
		case c.at.Start < s.start:
			shift += int32(len(c.text)) - (c.at.End - c.at.Start)
		case c.at.Start == s.start:
			shift += int32(c.inset)
		}
	}
	return spot{s.path, s.start + shift}
}

// tryRename checks programs with their changes, and that every name is bound where it was.
func (s *server) tryRename(programs []*document, changes edits) error {
	changed := &server{conn: s.conn, docs: map[string]*document{}, folders: s.folders}
	for path, d := range s.docs {
		changed.docs[path] = &document{server: changed, path: path, address: d.address, file: changes.apply(d.file)}
	}
	for path, list := range changes {
		if changed.docs[path] == nil {
			changed.docs[path] = &document{server: changed, path: path, address: addressOf(path), file: changes.apply(list[0].at.File)}
		}
	}
	for _, before := range programs {
		now := changed.program(before.path)
		if now == nil {
			return refused("cannot rename: %s cannot be read", before.path)
		}
		if now.check == nil {
			now.recheck(0)
		}
		if text := now.firstError(); text != "" {
			return refused("cannot rename: then %s has an error: %s", before.path, text)
		}
		bound := map[spot]spot{}
		for _, site := range now.sites() {
			bound[spotOf(site.at)] = spotOf(site.target)
		}
		for _, site := range before.sites() {
			if site.mention.Kind == check.ValueName && !site.target.Valid() {
				continue
			}
			if got, ok := bound[changes.after(spotOf(site.at))]; !ok || got != changes.after(spotOf(site.target)) {
				return refused("cannot rename: then %q in line %d of %s would mean something else", site.mention.Name,
					site.at.From().Line, site.at.File.Name())
			}
		}
	}
	return nil
}

// forClient is the changes as the protocol has them.
func (e edits) forClient(s *server) *protocol.WorkspaceEdit {
	out := &protocol.WorkspaceEdit{Changes: map[protocol.DocumentURI][]protocol.TextEdit{}}
	for path, list := range e {
		address := addressOf(path)
		if d := s.docs[path]; d != nil {
			address = d.address
		}
		for _, c := range list {
			out.Changes[address] = append(out.Changes[address], protocol.TextEdit{Range: rangeOf(c.at), NewText: c.text})
		}
	}
	return out
}
