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
	// uses is a file that it imports; then it has no name.
	uses  string
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

// collector gathers the items of one file.
type collector struct {
	// typeOf returns the type of the value whose name is at a place, or "".
	typeOf func(at source.Span) string
	prefix string
}

func docText(d *syntax.Doc) string {
	if d == nil {
		return ""
	}
	return d.Text
}

func (c *collector) item(s space, name, text string, doc *syntax.Doc, items []*item) *item {
	return &item{space: s, name: c.prefix + name, text: text, doc: docText(doc), items: items}
}

// inside collects within a module.
func (c *collector) inside(name string) *collector {
	return &collector{typeOf: c.typeOf, prefix: c.prefix + name + "."}
}

// decs collects what declarations export.
func (c *collector) decs(ds []syntax.Dec) []*item {
	var items []*item
	for _, d := range ds {
		switch d := d.(type) {
		case *syntax.ValDec:
			items = append(items, c.item(term, d.Name.Text, c.value(d), d.Doc, nil))
		case *syntax.TypeDec:
			text := "type" + d.Lift.String() + " " + d.Name.Text + typeParams(d.TypeParams) + " = " + syntax.PrintType(d.Def)
			items = append(items, c.item(typ, d.Name.Text, text, d.Doc, nil))
		case *syntax.ModDec:
			items = append(items, c.module(d))
		case *syntax.ModTypeDec:
			items = append(items, c.item(mtype, d.Name.Text, "module type "+d.Name.Text+modTypeText(" = ", d.Def), d.Doc,
				c.inside(d.Name.Text).modType(d.Def)))
		case *syntax.OpenDec:
			if m, ok := d.Mod.(*syntax.ModImport); ok {
				items = append(items, &item{text: "open import \"" + m.Path + "\"", uses: m.Path, doc: docText(d.Doc)})
				continue
			}
			items = append(items, &item{text: "open " + modText(d.Mod), doc: docText(d.Doc)})
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
		whole = whole && typed(p)
	}
	if d.Result != nil {
		text += " : " + syntax.PrintType(d.Result)
	}
	if t := c.typeOf(d.Name.At); t != "" && !whole {
		return "val " + operator(d.Name.Text) + t
	}
	return text
}

// typed reports whether a parameter says its type.
func typed(p syntax.Pat) bool {
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

// module collects a module: what its type says about it if that is written out, else what is in it.
func (c *collector) module(d *syntax.ModDec) *item {
	text := "module " + d.Name.Text
	for _, p := range d.Params {
		text += " (" + p.Name.Text + modTypeText(": ", p.Type) + ")"
	}
	inner := c.inside(d.Name.Text)
	if d.Sig != nil {
		return c.item(term, d.Name.Text, text+modTypeText(" : ", d.Sig), d.Doc, inner.modType(d.Sig))
	}
	body := d.Body
	for {
		p, ok := body.(*syntax.ModParens)
		if !ok {
			break
		}
		body = p.Body
	}
	switch body := body.(type) { //nolint:gochecksumtype // the others have no contents to show
	case *syntax.ModBody:
		return c.item(term, d.Name.Text, text, d.Doc, inner.decs(body.Decs))
	case *syntax.ModAscript:
		return c.item(term, d.Name.Text, text+modTypeText(" : ", body.Sig), d.Doc, inner.modType(body.Sig))
	case *syntax.ModImport:
		i := c.item(term, d.Name.Text, text+" = "+modText(body), d.Doc, nil)
		i.uses = body.Path
		return i
	default:
		return c.item(term, d.Name.Text, text+" = "+modText(body), d.Doc, nil)
	}
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
			items = append(items, c.item(term, s.Name.Text, text, s.Doc, nil))
		case *syntax.TypeSpec:
			text := "type" + s.Lift.String() + " " + s.Name.Text + typeParams(s.TypeParams)
			if s.Def != nil {
				text += " = " + syntax.PrintType(s.Def)
			}
			items = append(items, c.item(typ, s.Name.Text, text, s.Doc, nil))
		case *syntax.ModSpec:
			items = append(items, c.item(term, s.Name.Text, "module "+s.Name.Text+modTypeText(" : ", s.Type), s.Doc,
				c.inside(s.Name.Text).modType(s.Type)))
		case *syntax.IncludeSpec:
			items = append(items, &item{text: "include" + modTypeText(" ", s.Type), doc: docText(s.Doc)})
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

func modText(m syntax.ModExp) string {
	if _, ok := m.(*syntax.ModBody); ok {
		return "{ ... }"
	}
	return oneLine(syntax.PrintModExp(m))
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
