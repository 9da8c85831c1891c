package document

import (
	_ "embed" // for the style sheet and the templates
	"html/template"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/alecthomas/chroma/v2"

	"skald/frontend/source"
	"skald/frontend/syntax"
)

//go:embed style.css
var style string

//go:embed pages.html
var pagesText string

// Page is a page to write.
type Page struct {
	// Path is slash-separated and relative to the folder of all pages.
	Path string
	Text string
}

// Pages makes the pages of some files, the index first, and pages of their sources.
func Pages(files []*syntax.File, facts Facts) []Page {
	s := &site{
		style:     template.CSS(style + codeStyle()),
		templates: template.Must(template.New("").Parse(pagesText)),
		docs:      map[string]string{},
	}
	dir := root(files)
	for _, f := range files {
		if strings.TrimSpace(docText(f.Doc)) == "ignore" {
			continue
		}
		c := &collector{facts: facts, file: f, docs: s.docs}
		p := &page{file: f, path: pagePath(dir, f.Source.Name()), doc: docText(f.Doc), items: c.decs(f.Decs)}
		p.title = strings.TrimSuffix(p.path, ".html")
		s.pages = append(s.pages, p)
	}
	out := []Page{{"index.html", s.index()}}
	for _, p := range s.pages {
		out = append(out, Page{p.path, s.page(p)}, Page{p.source(), s.source(p)})
	}
	return out
}

// site is all pages.
type site struct {
	pages     []*page
	style     template.CSS
	templates *template.Template
	// docs are the comments of declarations, by the places of the names that they declare.
	docs map[string]string
}

// head is what every page begins with.
type head struct {
	Title string
	Style template.CSS
}

// render fills in a template.
func (s *site) render(name string, data any) string {
	var out strings.Builder
	if err := s.templates.ExecuteTemplate(&out, name, data); err != nil {
		panic(err) // the templates and what is put into them are ours
	}
	return out.String()
}

// link finds the address of a name as seen from a page, which is looked at first; from the index if that is nil.
func (s *site) link(from *page, sp space, name string) string {
	i, p := s.find(from, sp, name)
	switch {
	case i == nil:
		return ""
	case p == from:
		return "#" + i.anchor()
	default:
		return relative(from, p.path) + "#" + i.anchor()
	}
}

func (s *site) find(from *page, sp space, name string) (*item, *page) {
	for _, p := range append([]*page{from}, s.pages...) {
		if p == nil {
			continue
		}
		if i := find(p.items, sp, name); i != nil {
			return i, p
		}
	}
	return nil, nil
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

// markdown makes HTML of comments as they are seen from a page.
func (s *site) markdown(from *page) *markdown {
	return newMarkdown(func(sp space, name string) string { return s.link(from, sp, name) })
}

// page writes the page of a file.
func (s *site) page(p *page) string {
	m := s.markdown(p)
	return s.render("page", struct {
		head
		Index, Source string
		Doc           template.HTML
		Items         []shown
	}{head{p.title, s.style}, relative(p, "index.html"), relative(p, p.source()), template.HTML(m.blocks(p.doc)), s.items(m, p, nil, p.items)})
}

// shown is an item as the template takes it.
type shown struct {
	Anchor, Source string
	Code, Doc      template.HTML
	Items          []shown
}

// items makes the items of a page, or of one of its items.
func (s *site) items(m *markdown, p *page, of *item, items []*item) []shown {
	var out []shown
	for _, i := range items {
		doc := i.doc
		if doc == "" {
			doc = s.docs[i.at.String()]
		}
		if doc == "" && of != nil {
			doc = s.docLike(p, of.like, strings.TrimPrefix(i.name, of.name), 0)
		}
		one := shown{Source: s.sourceOf(p, i.at), Code: s.code(p, i), Doc: template.HTML(m.blocks(doc)), Items: s.items(m, p, i, i.items)}
		if i.name != "" {
			one.Anchor = i.anchor()
		}
		out = append(out, one)
	}
	return out
}

// mostLike is how far modules that are like others are followed.
const mostLike = 16

// docLike is the comment of a member of a module in the module type or module that this one is like. The member is .NAME.
func (s *site) docLike(from *page, like, member string, depth int) string {
	if like == "" || depth == mostLike {
		return ""
	}
	model, p := s.find(from, mtype, like)
	if model == nil {
		model, p = s.find(from, term, like)
	}
	if model == nil {
		return ""
	}
	for _, i := range model.items {
		if i.name == model.name+member && i.doc != "" {
			return i.doc
		}
	}
	return s.docLike(p, model.like, member, depth+1)
}

// code highlights a declaration. The names of modules and module types in declarations of these are links, and so is an import.
func (s *site) code(p *page, i *item) template.HTML {
	list := tokens(i.text)
	if to := s.imported(p, i.uses); to != "" {
		return template.HTML("<a href=\"" + template.HTMLEscapeString(to) + "\">" + format(inlineCode, list) + "</a>")
	}
	if !i.modular {
		return template.HTML(format(inlineCode, list))
	}
	var out strings.Builder
	for len(list) > 0 {
		name, n := qualified(list)
		to := ""
		if n > 0 && name != i.name[strings.LastIndexByte(i.name, '.')+1:] {
			to = s.moduleLink(p, name)
		}
		n = max(n, 1)
		text := format(inlineCode, list[:n])
		if to != "" {
			text = "<a href=\"" + template.HTMLEscapeString(to) + "\">" + text + "</a>"
		}
		out.WriteString(text)
		list = list[n:]
	}
	return template.HTML(out.String())
}

// qualified is the name that some tokens begin with, and how many they are; none if they begin with something else.
func qualified(list []chroma.Token) (name string, n int) {
	isName := func(i int) bool { return i < len(list) && list[i].Type.InCategory(chroma.Name) }
	if !isName(0) {
		return "", 0
	}
	name, n = list[0].Value, 1
	for n < len(list) && list[n].Value == "." && isName(n+1) {
		name += "." + list[n+1].Value
		n += 2
	}
	return name, n
}

// moduleLink is the address of the module type or module of a name.
func (s *site) moduleLink(from *page, name string) string {
	if to := s.link(from, mtype, name); to != "" {
		return to
	}
	if i, _ := s.find(from, term, name); i != nil && i.modular {
		return s.link(from, term, name)
	}
	return ""
}

// imported is the address of the page of a file that another imports, or "".
func (s *site) imported(from *page, name string) string {
	if name == "" {
		return ""
	}
	if p := s.pageOf(path.Join(path.Dir(from.file.Source.Name()), name) + ".fut"); p != nil {
		return relative(from, p.path)
	}
	return ""
}

// pageOf is the page of a file, or nil.
func (s *site) pageOf(file string) *page {
	n := slices.IndexFunc(s.pages, func(p *page) bool { return path.Clean(p.file.Source.Name()) == path.Clean(file) })
	if n < 0 {
		return nil
	}
	return s.pages[n]
}

// sourceOf is the address of a place in the sources, or "" if its file has no page.
func (s *site) sourceOf(from *page, at source.Span) string {
	if !at.Valid() {
		return ""
	}
	p := s.pageOf(at.File.Name())
	if p == nil {
		return ""
	}
	return relative(from, p.source()) + "#L" + strconv.Itoa(at.From().Line)
}

// source writes the page with a file's text.
func (s *site) source(p *page) string {
	// It is in the folder src: one further down.
	seen := &page{path: p.source()}
	return s.render("source", struct {
		head
		Index, Page string
		Code        template.HTML
	}{
		head{p.title + ".fut", s.style},
		relative(seen, "index.html"), relative(seen, p.path),
		template.HTML(format(numbered, tokens(p.file.Source.Text()))),
	})
}

// index writes the page that lists files and names.
func (s *site) index() string {
	type file struct {
		To, Title string
		First     template.HTML
	}
	m := s.markdown(nil)
	var files []file
	for _, p := range s.pages {
		files = append(files, file{p.path, p.title, template.HTML(m.first(p.doc))})
	}
	return s.render("index", struct {
		head
		Files []file
		Names []entry
	}{head{"Index", s.style}, files, s.entries()})
}

// entry is a name in the index.
type entry struct {
	Name, Page, To string
	Space          space
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
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}
