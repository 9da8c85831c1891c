package document

import (
	"fmt"
	"path"
	"strings"

	"skald/frontend/source"
	"skald/frontend/syntax"
)

// space is one of the spaces that names live in.
type space string

// The spaces of names, as links in comments call them. Modules are terms.
const (
	term  space = "term"
	typ   space = "type"
	mtype space = "mtype"
)

// item is something that a page documents.
type item struct {
	space space
	// name is qualified by the modules around it.
	name string
	// text is how it is declared.
	text string
	doc  string
	// at is where its name is declared, or what it is if it has none.
	at source.Span
	// uses is a file that it imports.
	uses string
	// modular tells modules, module types, and what brings their contents somewhere.
	modular bool
	// like is the module type or module that this one gets its members from, whose comments hold for it; or "".
	like  string
	items []*item
}

// anchor is the item's name within its page.
func (i *item) anchor() string { return string(i.space) + "-" + i.name }

// page is what is documented of a file.
type page struct {
	file  *syntax.File
	path  string // of the page
	title string
	doc   string
	items []*item
}

// source is the path of the page with the file's text.
func (p *page) source() string { return "src/" + p.path }

// Facts are what the checker knows of the files.
type Facts interface {
	// TypeOf is the type parameters and the type of the value whose name is at a place, as they follow that name in a specification,
	// or "" if it is not known.
	TypeOf(at source.Span) string
	// Members are what a module of a file exports, whose name is qualified by the modules around it; none of parametric modules.
	Members(file *syntax.File, module string) []Member
}

// Member is something that a module exports.
type Member struct {
	// Type and Module tell types and modules; others are values.
	Type, Module bool
	Name         string
	// Text is its specification.
	Text string
	// At is where it was declared, or nowhere.
	At      source.Span
	Members []Member
}

// collector gathers the items of one file.
type collector struct {
	facts  Facts
	file   *syntax.File
	prefix string
	// docs gets the comments of declarations, by the places of the names that they declare.
	docs map[string]string
}

func docText(d *syntax.Doc) string {
	if d == nil {
		return ""
	}
	return d.Text
}

func (c *collector) item(s space, name syntax.Name, text string, doc *syntax.Doc, items []*item) *item {
	if doc != nil {
		c.docs[name.At.String()] = doc.Text
	}
	modular := strings.HasPrefix(text, "module ")
	return &item{space: s, name: c.prefix + name.Text, text: text, doc: docText(doc), at: name.At, modular: modular, items: items}
}

// inside collects within a module.
func (c *collector) inside(name string) *collector {
	return &collector{facts: c.facts, file: c.file, prefix: c.prefix + name + ".", docs: c.docs}
}

// decs collects what declarations export.
func (c *collector) decs(ds []syntax.Dec) []*item {
	var items []*item
	for _, d := range ds {
		switch d := d.(type) {
		case *syntax.ValDec:
			items = append(items, c.item(term, d.Name, c.value(d), d.Doc, nil))
		case *syntax.TypeDec:
			text := "type" + d.Lift.String() + " " + d.Name.Text + typeParams(d.TypeParams) + " = " + syntax.PrintType(d.Def)
			items = append(items, c.item(typ, d.Name, text, d.Doc, nil))
		case *syntax.ModDec:
			items = append(items, c.module(d))
		case *syntax.ModTypeDec:
			items = append(items, c.item(mtype, d.Name, "module type "+d.Name.Text+modTypeText(" = ", d.Def), d.Doc,
				c.inside(d.Name.Text).modType(d.Def)))
		case *syntax.OpenDec:
			if m, ok := d.Mod.(*syntax.ModImport); ok {
				items = append(items, &item{text: "open import \"" + m.Path + "\"", uses: m.Path, doc: docText(d.Doc), at: d.At})
				continue
			}
			items = append(items, &item{text: "open " + modText(d.Mod), doc: docText(d.Doc), at: d.At, modular: true})
		case *syntax.ImportDec, *syntax.LocalDec:
			// They export nothing.
		default:
			panic(fmt.Sprintf("document.decs: %T", d))
		}
	}
	return items
}

// value is how a value is declared: as it was written if that says all types, else with the type that the checker found.
func (c *collector) value(d *syntax.ValDec) string {
	text := "def " + operator(d.Name.Text) + typeParams(d.TypeParams)
	whole := d.Result != nil
	for _, p := range d.Params {
		text += " " + syntax.PrintPat(p)
		whole = whole && saysType(p)
	}
	if d.Result != nil {
		text += " : " + syntax.PrintType(d.Result)
	}
	if t := c.facts.TypeOf(d.Name.At); t != "" && !whole {
		return "val " + operator(d.Name.Text) + t
	}
	return text
}

// saysType reports whether a parameter says its type.
func saysType(p syntax.Pat) bool {
	for {
		parens, ok := p.(*syntax.PatParens)
		if !ok {
			break
		}
		p = parens.Body
	}
	_, ok := p.(*syntax.PatAscript)
	return ok
}

// module collects a module: what its type says about it if that is written out, else what is in it; what the checker knows of it if
// neither is written out.
func (c *collector) module(d *syntax.ModDec) *item {
	text := "module " + d.Name.Text
	for _, p := range d.Params {
		text += " (" + p.Name.Text + modTypeText(": ", p.Type) + ")"
	}
	inner := c.inside(d.Name.Text)
	if d.Sig != nil {
		return c.item(term, d.Name, text+modTypeText(" : ", d.Sig), d.Doc, c.typed(d.Name.Text, d.Sig)).as(nameOfType(d.Sig))
	}
	body := d.Body
	for p, ok := body.(*syntax.ModParens); ok; p, ok = body.(*syntax.ModParens) {
		body = p.Body
	}
	switch body := body.(type) { //nolint:gochecksumtype // the others have no contents to show
	case *syntax.ModBody:
		return c.item(term, d.Name, text, d.Doc, inner.decs(body.Decs))
	case *syntax.ModAscript:
		return c.item(term, d.Name, text+modTypeText(" : ", body.Sig), d.Doc, c.typed(d.Name.Text, body.Sig)).as(nameOfType(body.Sig))
	case *syntax.ModImport:
		i := c.item(term, d.Name, text+" = "+modText(body), d.Doc, nil)
		i.uses = body.Path
		return i
	default:
		return c.item(term, d.Name, text+" = "+modText(body), d.Doc, c.known(d.Name.Text)).as(nameOf(body))
	}
}

// as says what an item is like.
func (i *item) as(like string) *item {
	i.like = like
	return i
}

// nameOf is the name of a module, or of what is applied there; "" if it has none.
func nameOf(m syntax.ModExp) string {
	switch m := m.(type) { //nolint:gochecksumtype // the others have no name
	case *syntax.ModVar:
		return m.Name.Span().Text()
	case *syntax.ModParens:
		return nameOf(m.Body)
	case *syntax.ModApply:
		return nameOf(m.Fun)
	default:
		return ""
	}
}

// nameOfType is the name of a module type; "" if it has none.
func nameOfType(m syntax.ModTypeExp) string {
	switch m := m.(type) { //nolint:gochecksumtype // the others have no name
	case *syntax.ModTypeVar:
		return m.Name.Span().Text()
	case *syntax.ModTypeParens:
		return nameOfType(m.Body)
	case *syntax.ModTypeWith:
		return nameOfType(m.Base)
	default:
		return ""
	}
}

// typed collects what a module type says of a module.
func (c *collector) typed(name string, sig syntax.ModTypeExp) []*item {
	if items := c.inside(name).modType(sig); items != nil {
		return items
	}
	return c.known(name)
}

// known collects what the checker knows of a module.
func (c *collector) known(name string) []*item {
	return c.inside(name).members(c.facts.Members(c.file, c.prefix+name))
}

func (c *collector) members(ms []Member) []*item {
	var items []*item
	for _, m := range ms {
		i := &item{space: term, name: c.prefix + m.Name, text: m.Text, at: m.At, modular: m.Module}
		if m.Type {
			i.space = typ
		}
		i.items = c.inside(m.Name).members(m.Members)
		items = append(items, i)
	}
	return items
}

// modType collects the specifications of a module type that is written out.
func (c *collector) modType(m syntax.ModTypeExp) []*item {
	switch m := m.(type) { //nolint:gochecksumtype // the others refer to specifications elsewhere
	case *syntax.ModTypeParens:
		return c.modType(m.Body)
	case *syntax.ModTypeWith:
		return c.modType(m.Base)
	case *syntax.ModTypeSpecs:
		return c.specs(m.Specs)
	default:
		return nil
	}
}

func (c *collector) specs(ss []syntax.Spec) []*item {
	var items []*item
	for _, s := range ss {
		switch s := s.(type) {
		case *syntax.ValSpec:
			text := "val " + operator(s.Name.Text) + typeParams(s.TypeParams) + " : " + syntax.PrintType(s.Type)
			items = append(items, c.item(term, s.Name, text, s.Doc, nil))
		case *syntax.TypeSpec:
			text := "type" + s.Lift.String() + " " + s.Name.Text + typeParams(s.TypeParams)
			if s.Def != nil {
				text += " = " + syntax.PrintType(s.Def)
			}
			items = append(items, c.item(typ, s.Name, text, s.Doc, nil))
		case *syntax.ModSpec:
			items = append(items, c.item(term, s.Name, "module "+s.Name.Text+modTypeText(" : ", s.Type), s.Doc,
				c.inside(s.Name.Text).modType(s.Type)))
		case *syntax.IncludeSpec:
			items = append(items, &item{text: "include" + modTypeText(" ", s.Type), doc: docText(s.Doc), at: s.At, modular: true})
			items = append(items, c.modType(s.Type)...)
		default:
			panic(fmt.Sprintf("document.specs: %T", s))
		}
	}
	return items
}

// operator puts operators into parentheses.
func operator(name string) string {
	c := name[0]
	if c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
		return name
	}
	return "(" + name + ")"
}

func typeParams(ps []*syntax.TypeParam) string {
	var text strings.Builder
	for _, p := range ps {
		if p.Size {
			text.WriteString(" [" + p.Name.Text + "]")
		} else {
			text.WriteString(" '" + p.Lift.String() + p.Name.Text)
		}
	}
	return text.String()
}

// modTypeText prints a module type after something, unless its specifications are listed anyway.
func modTypeText(lead string, m syntax.ModTypeExp) string {
	if _, ok := m.(*syntax.ModTypeSpecs); ok {
		return lead + "{ ... }"
	}
	return lead + oneLine(syntax.PrintModType(m))
}

// modText prints a module expression on one line, with what is written out left out.
func modText(m syntax.ModExp) string {
	switch m := m.(type) { //nolint:gochecksumtype // the others are printed as they are
	case *syntax.ModBody:
		return "{ ... }"
	case *syntax.ModParens:
		return "(" + modText(m.Body) + ")"
	case *syntax.ModApply:
		return modText(m.Fun) + " " + modText(m.Arg)
	default:
		return oneLine(syntax.PrintModExp(m))
	}
}

// oneLine makes one line of several.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// root is the folder that all files are in; their pages are named after their paths below it.
func root(files []*syntax.File) string {
	dir := ""
	for i, f := range files {
		d := path.Dir(path.Clean(f.Source.Name()))
		if i == 0 {
			dir = d
			continue
		}
		for d != dir && !strings.HasPrefix(d+"/", dir+"/") && dir != "." && dir != "/" {
			dir = path.Dir(dir)
		}
	}
	return dir
}

// pagePath is the path of a file's page below the folder of pages.
func pagePath(dir, name string) string {
	name = strings.TrimSuffix(path.Clean(name), ".fut")
	if dir != "." {
		name = strings.TrimPrefix(name, strings.TrimSuffix(dir, "/")+"/")
	}
	return strings.ReplaceAll(name, "../", "") + ".html"
}
