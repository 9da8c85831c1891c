package document

import (
	_ "embed" // for the style sheet
	"html"
	"path"
	"sort"
	"strings"

	"skald/frontend/source"
	"skald/frontend/syntax"
)

//go:embed style.css
var style string

// Page is a page to write.
type Page struct {
	// Path is slash-separated and relative to the folder of all pages.
	Path string
	Text string
}

// Pages makes the pages of some files, the index first. typeOf returns the type parameters and the type of the value whose
// name is at a place, as they follow that name in a specification, or "" if it is not known.
func Pages(files []*syntax.File, typeOf func(at source.Span) string) []Page {
	s := &site{}
	dir := root(files)
	for _, f := range files {
		if strings.TrimSpace(docText(f.Doc)) == "ignore" {
			continue
		}
		c := &collector{typeOf: typeOf}
		p := &page{file: f, path: pagePath(dir, f.Source.Name()), doc: docText(f.Doc), items: c.decs(f.Decs)}
		p.title = strings.TrimSuffix(p.path, ".html")
		s.pages = append(s.pages, p)
	}
	out := []Page{{"index.html", s.index()}}
	for _, p := range s.pages {
		out = append(out, Page{p.path, s.page(p)})
	}
	return out
}

// site is all pages.
type site struct{ pages []*page }

// link finds the address of a name as seen from a page, which is looked at first.
func (s *site) link(from *page, sp space, name string) string {
	for _, p := range append([]*page{from}, s.pages...) {
		if p == nil {
			continue
		}
		if i := find(p.items, sp, name); i != nil {
			if p == from {
				return "#" + i.anchor()
			}
			return relative(from, p.path) + "#" + i.anchor()
		}
	}
	return ""
}

func find(items []*item, sp space, name string) *item {
	for _, i := range items {
		if i.space == sp && i.name == name {
			return i
		}
		if found := find(i.items, sp, name); found != nil {
			return found
		}
	}
	return nil
}

// relative is the address of a page as seen from another, or from the index if that is nil.
func relative(from *page, to string) string {
	if from == nil {
		return to
	}
	return strings.Repeat("../", strings.Count(from.path, "/")) + to
}

// head begins a page.
func head(title string) string {
	return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + html.EscapeString(title) +
		"</title>\n<style>\n" + style + "</style>\n</head>\n<body>\n<h1>" + html.EscapeString(title) + "</h1>\n"
}

const tail = "</body>\n</html>\n"

// page writes the page of a file.
func (s *site) page(p *page) string {
	m := &markdown{link: func(sp space, name string) string { return s.link(p, sp, name) }}
	m.write(head(p.title), "<nav><a href=\"", html.EscapeString(relative(p, "index.html")), "\">index</a></nav>\n")
	m.blocks(p.doc)
	s.items(m, p, p.items)
	m.write(tail)
	return m.out.String()
}

func (s *site) items(m *markdown, p *page, items []*item) {
	if len(items) == 0 {
		return
	}
	m.write("<dl>\n")
	for _, i := range items {
		text := html.EscapeString(i.text)
		if to := s.imported(p, i.uses); to != "" {
			text = "<a href=\"" + html.EscapeString(to) + "\">" + text + "</a>"
		}
		if i.name == "" {
			m.write("<dt><pre>", text, "</pre></dt>\n<dd>\n")
		} else {
			m.write("<dt><pre id=\"", html.EscapeString(i.anchor()), "\">", text, "</pre></dt>\n<dd>\n")
		}
		m.blocks(i.doc)
		s.items(m, p, i.items)
		m.write("</dd>\n")
	}
	m.write("</dl>\n")
}

// imported is the address of the page of a file that another imports, or "".
func (s *site) imported(from *page, name string) string {
	if name == "" {
		return ""
	}
	want := path.Join(path.Dir(from.file.Source.Name()), name) + ".fut"
	for _, p := range s.pages {
		if path.Clean(p.file.Source.Name()) == want {
			return relative(from, p.path)
		}
	}
	return ""
}

// index writes the page that lists files and names.
func (s *site) index() string {
	m := &markdown{link: func(sp space, name string) string { return s.link(nil, sp, name) }}
	m.write(head("Index"), "<h2>Files</h2>\n<ul>\n")
	for _, p := range s.pages {
		m.write("<li><a href=\"", html.EscapeString(p.path), "\">", html.EscapeString(p.title), "</a> ")
		first, _, _ := strings.Cut(strings.TrimSpace(p.doc), "\n\n")
		m.inline(first)
		m.write("</li>\n")
	}
	m.write("</ul>\n<h2>Names</h2>\n<ul>\n")
	for _, e := range s.entries() {
		m.write("<li><a href=\"", html.EscapeString(e.to), "\"><code>", html.EscapeString(e.name), "</code></a> ",
			string(e.space), " in ", html.EscapeString(e.page), "</li>\n")
	}
	m.write("</ul>\n", tail)
	return m.out.String()
}

// entry is a name in the index.
type entry struct {
	name, page, to string
	space          space
}

// entries lists all names in order.
func (s *site) entries() []entry {
	var out []entry
	for _, p := range s.pages {
		var add func(items []*item)
		add = func(items []*item) {
			for _, i := range items {
				if i.name != "" {
					out = append(out, entry{i.name, p.title, p.path + "#" + i.anchor(), i.space})
				}
				add(i.items)
			}
		}
		add(p.items)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out
}
