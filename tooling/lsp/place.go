package lsp

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"skald/frontend/check"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

// site is a name in a present text, with where it is bound: nowhere for what is built in.
type site struct {
	at, target source.Span
	mention    check.Mention
	part       *check.Part
}

// spot is a place that can be compared: two readings of a file are files of their own.
type spot struct {
	path  string
	start int32
}

func spotOf(s source.Span) spot {
	if !s.Valid() {
		return spot{}
	}
	return spot{s.File.Name(), s.Start}
}

// present is a place in the document's present text: that of a part that was checked in an earlier version has moved with it. What is
// not there any more is nowhere; places in other files stay as they are.
func (d *document) present(s source.Span) source.Span {
	if !s.Valid() || s.File.Name() != d.path {
		return s
	}
	if p := d.partChecked(s); p != nil {
		return d.moved(p, s)
	}
	if s.File == d.file {
		return s
	}
	return source.Span{}
}

// moved is where a place of a part is now.
func (d *document) moved(p *check.Part, s source.Span) source.Span {
	shift := p.Start - int(p.At.Start)
	return d.file.Span(int(s.Start)+shift, int(s.End)+shift)
}

// partChecked is the part that was checked where a place is.
func (d *document) partChecked(s source.Span) *check.Part {
	if d.byFile == nil {
		d.byFile = map[*source.File][]*check.Part{}
		for _, p := range d.parts {
			d.byFile[p.At.File] = append(d.byFile[p.At.File], p)
		}
		for _, list := range d.byFile {
			slices.SortFunc(list, func(a, b *check.Part) int { return cmp.Compare(a.At.Start, b.At.Start) })
		}
	}
	list := d.byFile[s.File]
	i, _ := slices.BinarySearchFunc(list, s.Start, func(p *check.Part, start int32) int { return cmp.Compare(p.At.End, start+1) })
	if i < len(list) && list[i].At.Start <= s.Start {
		return list[i]
	}
	return nil
}

// partAt is the part that a byte of the present text is in, or behind the last word of.
func (d *document) partAt(offset int) *check.Part {
	for _, p := range d.parts {
		if p.Start <= offset && offset <= p.Start+int(p.At.End-p.At.Start) {
			return p
		}
	}
	return nil
}

// site makes a site of a mention in a part.
func (d *document) site(p *check.Part, m check.Mention) site {
	at, target := m.At, m.Defined
	if m.Sym != nil && m.Sym.At.Valid() {
		target = m.Sym.At
	}
	if at.File == p.At.File {
		at = d.moved(p, at)
	}
	return site{at: at, target: d.present(target), mention: m, part: p}
}

// siteAt is the name at a byte of the present text, or just before it.
func (d *document) siteAt(offset int) (found site, ok bool) {
	for _, p := range d.parts {
		if offset < p.Start || offset > p.Start+int(p.At.End-p.At.Start) {
			continue
		}
		was := int32(offset-p.Start) + p.At.Start
		for _, m := range p.Mentions {
			if m.At.File != p.At.File || was < m.At.Start || was > m.At.End {
				continue
			}
			// Of two names that touch, the one that begins here counts.
			if !ok || m.At.Start == was {
				found, ok = d.site(p, m), true
			}
		}
	}
	return found, ok
}

// sites are all names of the document and of the files that it imports, each once, in order.
func (d *document) sites() []site {
	var out []site
	seen := map[spot]bool{}
	for _, p := range d.parts {
		for _, m := range p.Mentions {
			s := d.site(p, m)
			if at := spotOf(s.at); !seen[at] {
				seen[at] = true
				out = append(out, s)
			}
		}
	}
	return out
}

// location is a place as the protocol has it. Files of the prelude are written to a folder of their own, so that editors can show them.
func (s *server) location(at source.Span) protocol.Location {
	path := at.File.Name()
	if strings.HasPrefix(path, "/prelude/") {
		path = s.preludeFile(at.File)
	}
	return protocol.Location{URI: addressOf(path), Range: rangeOf(at)}
}

// preludeFile writes a file of the prelude to where an editor can read it.
func (s *server) preludeFile(f *source.File) string {
	if s.prelude == "" {
		dir, err := os.MkdirTemp("", "skald-prelude-")
		if err != nil {
			return f.Name()
		}
		s.prelude = dir
	}
	path := filepath.Join(s.prelude, filepath.Base(f.Name()))
	if _, err := os.Stat(path); err != nil {
		_ = os.WriteFile(path, []byte(f.Text()), 0o444) // the editor says that it cannot read it
	}
	return path
}

func (s *server) removePrelude() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.prelude != "" {
		_ = os.RemoveAll(s.prelude) // a folder of temporary files
	}
}

// docAt is the documentation comment of the declaration at a place, without comment marks.
func docAt(at source.Span) string {
	if !at.Valid() {
		return ""
	}
	entries := syntax.IndexFile(at.File)
	for {
		var inner []syntax.IndexEntry
		for _, e := range entries {
			if !e.At.Contains(at) {
				continue
			}
			if e.Body.Valid() && e.Body.Contains(at) {
				inner = e.Decs
				break
			}
			name, _, _ := strings.Cut(at.Text(), " ")
			if e.Name != name || !e.Doc.Valid() {
				return ""
			}
			return docText(e.Doc.Text())
		}
		if inner == nil {
			return ""
		}
		entries = inner
	}
}

// docText takes the marks off a documentation comment.
func docText(comment string) string {
	lines := strings.Split(comment, "\n")
	for i, line := range lines {
		line = strings.TrimPrefix(strings.TrimSpace(line), "--")
		if i == 0 {
			line = strings.TrimPrefix(strings.TrimSpace(line), "|")
		}
		lines[i] = strings.TrimPrefix(line, " ")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
