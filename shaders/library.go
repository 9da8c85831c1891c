package shaders

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Func describes a function of the library.
type Func struct {
	Name   string
	Doc    string   // The comment above it, without comment marks.
	Params []string // Types as the source spells them, such as "I64".
	Result string   // Likewise; empty for a procedure.
}

// unit is one declaration of a source file. Most kernels use few, so what a declaration says is read when it is asked for.
type unit struct {
	name   string
	doc    string // The comment above it.
	source string
	typ    string // What FLOAT stands for, if it is for both f32 and f64.

	read sync.Once
	fn   Func
	text string // Without comments.
	uses []string
}

// index holds the declarations of one dialect.
type index struct {
	units map[string]*unit
	order []string // Names in the order of the files.
	err   error
}

var indexes sync.Map // Dialect -> func() *index

func (d Dialect) index() *index {
	d = d.normal()
	load, _ := indexes.LoadOrStore(d, sync.OnceValue(func() *index { return readIndex(d) }))
	return load.(func() *index)()
}

// Library returns the text of the named functions and of everything they use, each once, a declaration after those that
// it uses; in CUDA and C, definitions of the types come first. An unknown name is an error.
func Library(d Dialect, names []string) (string, error) {
	if len(names) == 0 {
		return preludes[d.Language], nil
	}
	ix := d.index()
	if ix.err != nil {
		return "", ix.err
	}
	var out strings.Builder
	out.WriteString(preludes[d.Language])
	done := map[string]bool{}
	var add func(string)
	add = func(name string) {
		if done[name] {
			return
		}
		done[name] = true
		u := ix.unit(name)
		for _, use := range u.uses {
			add(use)
		}
		out.WriteString(u.text)
	}
	names = slices.Sorted(slices.Values(names))
	for _, name := range names {
		if ix.units[name] == nil {
			return "", fmt.Errorf("shaders: there is no function %q in this dialect", name)
		}
		add(name)
	}
	return out.String(), nil
}

// Lookup finds a function of the dialect.
func Lookup(d Dialect, name string) (Func, bool) {
	u := d.index().unit(name)
	if u == nil || u.fn.Params == nil {
		return Func{}, false
	}
	return u.fn, true
}

// Names lists the functions of the dialect in the order of the source files.
func Names(d Dialect) []string {
	ix := d.index()
	return slices.DeleteFunc(slices.Clone(ix.order), func(n string) bool { return ix.unit(n).fn.Params == nil })
}

func readIndex(d Dialect) *index {
	ix := &index{units: map[string]*unit{}}
	for _, folder := range d.folders() {
		entries, err := sources.ReadDir(folder)
		if err != nil {
			ix.err = fmt.Errorf("shaders: %w", err)
			return ix
		}
		for _, e := range entries {
			if e.IsDir() {
				continue
			}
			name := path.Join(folder, e.Name())
			text, err := sources.ReadFile(name)
			if err == nil {
				err = ix.readFile(name, string(text))
			}
			if err != nil {
				ix.err = fmt.Errorf("shaders: %w", err)
				return ix
			}
		}
	}
	return ix
}

// declared returns the name that a line declares, or "" if it begins no declaration: the last word before a type, parameters or a value.
func declared(line string) string {
	if keyword, _, _ := strings.Cut(line, " "); !slices.Contains(keywords, keyword) {
		return ""
	}
	if i := strings.IndexAny(line, "(:={["); i >= 0 {
		line = line[:i]
	}
	words := strings.Fields(line)
	return words[len(words)-1]
}

// keywords begin the declarations of WGSL; in C our macro does.
var keywords = []string{"fn", "const", "alias", "struct", "SKALD_FN"}

// readFile splits a file into its declarations, of which it reads the names alone.
func (ix *index) readFile(name, text string) error {
	doc, line := "", 1
	for rest := text; rest != ""; {
		first, after := cutLine(rest)
		switch {
		case strings.HasPrefix(first, "//"):
			if doc == "" {
				doc = rest
			}
			rest, line = after, line+1
			continue
		case strings.TrimSpace(first) == "":
			rest, line, doc = after, line+1, ""
			continue
		}
		u := &unit{name: declared(first), doc: strings.TrimSuffix(doc, rest)}
		if u.name == "" {
			return fmt.Errorf("%s:%d: not a declaration: %s", name, line, first)
		}
		lines := 1
		for last := first; !closes(last, lines); lines++ {
			if after == "" {
				return fmt.Errorf("%s:%d: %s does not end", name, line, u.name)
			}
			last, after = cutLine(after)
		}
		u.source = strings.TrimSuffix(rest, after)
		for _, u := range instances(u) {
			if ix.units[u.name] != nil {
				return fmt.Errorf("%s:%d: %s is declared twice", name, line, u.name)
			}
			ix.units[u.name] = u
			ix.order = append(ix.order, u.name)
		}
		rest, line, doc = after, line+lines, ""
	}
	return nil
}

// cutLine returns the first line of a text, and what is behind it.
func cutLine(text string) (line, after string) {
	line, after, _ = strings.Cut(text, "\n")
	return line, after
}

// floatType is where a declaration for both f32 and f64 has the type: alone, or in a name.
var floatType = regexp.MustCompile(`(\b|_)FLOAT(\b|_)`)

// instances are the declaration for each of the types that it is for.
func instances(u *unit) []*unit {
	if !strings.Contains(u.name, "FLOAT") {
		return []*unit{u}
	}
	var out []*unit
	for _, t := range []string{"f32", "f64"} {
		i := &unit{doc: u.doc, source: u.source, typ: t}
		i.name = i.of(u.name)
		out = append(out, i)
	}
	return out
}

// of is text of a declaration for the unit's type.
func (u *unit) of(text string) string {
	if u.typ == "" {
		return text
	}
	return floatType.ReplaceAllString(text, "${1}"+u.typ+"${2}")
}

// unit returns a declaration with what it says, or nil if there is none.
func (ix *index) unit(name string) *unit {
	u := ix.units[name]
	if u == nil {
		return nil
	}
	u.read.Do(func() {
		var doc []string
		for line := range strings.Lines(u.doc) {
			doc = append(doc, strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "//"), " "))
		}
		u.fn = Func{Name: u.name, Doc: u.of(strings.Join(doc, "\n"))}
		u.text = u.of(stripComments(u.source))
		u.readSignature()
		u.findUses(ix)
	})
	return u
}

// closes reports whether a line is the end of a declaration of so many lines.
func closes(last string, lines int) bool {
	if lines > 1 {
		return strings.HasPrefix(last, "}") || strings.HasPrefix(last, ")")
	}
	return strings.HasSuffix(last, ";") || strings.HasSuffix(last, "}")
}

func stripComments(source string) string {
	var out strings.Builder
	for line := range strings.Lines(source) {
		code, _, commented := strings.Cut(strings.TrimSuffix(line, "\n"), "//")
		if commented {
			code = strings.TrimRight(code, " ")
		}
		if strings.TrimSpace(code) != "" {
			out.WriteString(code)
			out.WriteByte('\n')
		}
	}
	return out.String()
}

// findUses records which other units the text mentions, each once, in order of appearance.
func (u *unit) findUses(ix *index) {
	seen := map[string]bool{u.name: true}
	for _, id := range strings.FieldsFunc(u.text, func(r rune) bool { return !inIdentifier(r) }) {
		if !seen[id] && ix.units[id] != nil {
			seen[id] = true
			u.uses = append(u.uses, id)
		}
	}
}

func inIdentifier(r rune) bool {
	return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// readSignature fills in parameter and result types of a function.
func (u *unit) readSignature() {
	open, end := strings.IndexByte(u.text, '('), strings.IndexByte(u.text, ')')
	isWGSL := strings.HasPrefix(u.text, "fn ")
	if !isWGSL && !strings.HasPrefix(u.text, "SKALD_FN") || open < 0 || end < open {
		return
	}
	u.fn.Params = []string{}
	for _, p := range strings.Split(u.text[open+1:end], ",") {
		p = strings.TrimSpace(p)
		switch {
		case p == "" || p == "void":
		case isWGSL:
			_, typ, _ := strings.Cut(p, ":")
			u.fn.Params = append(u.fn.Params, strings.TrimSpace(typ))
		default:
			u.fn.Params = append(u.fn.Params, strings.TrimSpace(p[:strings.LastIndexByte(p, ' ')]))
		}
	}
	if isWGSL {
		_, rest, ok := strings.Cut(u.text[end:], "->")
		if ok {
			u.fn.Result = strings.TrimSpace(rest[:strings.IndexByte(rest, '{')])
		}
		return
	}
	head := strings.Fields(strings.TrimPrefix(u.text[:open], "SKALD_FN"))
	u.fn.Result = strings.Join(head[:len(head)-1], " ")
}
