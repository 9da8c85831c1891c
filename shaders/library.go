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

// unit is one declaration of a source file.
type unit struct {
	fn   Func   // Only the name is set when the unit is no function.
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
		u := ix.units[name]
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
	u := d.index().units[name]
	if u == nil || u.fn.Params == nil {
		return Func{}, false
	}
	return u.fn, true
}

// Names lists the functions of the dialect in the order of the source files.
func Names(d Dialect) []string {
	ix := d.index()
	return slices.DeleteFunc(slices.Clone(ix.order), func(n string) bool { return ix.units[n].fn.Params == nil })
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
	for _, name := range ix.order {
		ix.units[name].findUses(ix)
	}
	return ix
}

// declaration matches the first line of a declaration and captures its name: WGSL's keywords, or our C macro.
var declaration = regexp.MustCompile(`^(?:fn|const|alias|struct|SKALD_FN\b[^=(]*?)\s+(\w+)\s*(?:[:(={[]|$)`)

// readFile splits a file into its declarations.
func (ix *index) readFile(name, text string) error {
	var doc []string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "//"):
			doc = append(doc, strings.TrimPrefix(strings.TrimPrefix(line, "//"), " "))
			continue
		case strings.TrimSpace(line) == "":
			doc = nil
			continue
		}
		m := declaration.FindStringSubmatch(line)
		if m == nil {
			return fmt.Errorf("%s:%d: not a declaration: %s", name, i+1, line)
		}
		end := i
		for !closes(lines[i:end+1], lines[end]) {
			if end++; end == len(lines) {
				return fmt.Errorf("%s:%d: %s does not end", name, i+1, m[1])
			}
		}
		u := unit{fn: Func{Name: m[1], Doc: strings.Join(doc, "\n")}, text: stripComments(lines[i : end+1])}
		for _, u := range u.instances() {
			if ix.units[u.fn.Name] != nil {
				return fmt.Errorf("%s:%d: %s is declared twice", name, i+1, u.fn.Name)
			}
			u.readSignature()
			ix.units[u.fn.Name] = u
			ix.order = append(ix.order, u.fn.Name)
		}
		i, doc = end, nil
	}
	return nil
}

// floatType is where a declaration for both f32 and f64 has the type: alone, or in a name.
var floatType = regexp.MustCompile(`(\b|_)FLOAT(\b|_)`)

// instances are the declaration for each of the types that it is for.
func (u *unit) instances() []*unit {
	if !floatType.MatchString(u.fn.Name) {
		return []*unit{u}
	}
	var out []*unit
	for _, t := range []string{"f32", "f64"} {
		of := func(text string) string { return floatType.ReplaceAllString(text, "${1}"+t+"${2}") }
		out = append(out, &unit{fn: Func{Name: of(u.fn.Name), Doc: of(u.fn.Doc)}, text: of(u.text)})
	}
	return out
}

// closes reports whether the last line of a declaration is its end.
func closes(lines []string, last string) bool {
	if len(lines) > 1 {
		return strings.HasPrefix(last, "}") || strings.HasPrefix(last, ")")
	}
	return strings.HasSuffix(last, ";") || strings.HasSuffix(last, "}")
}

func stripComments(lines []string) string {
	var out strings.Builder
	for _, line := range lines {
		if i := strings.Index(line, "//"); i >= 0 {
			line = strings.TrimRight(line[:i], " ")
		}
		if strings.TrimSpace(line) != "" {
			out.WriteString(line)
			out.WriteByte('\n')
		}
	}
	return out.String()
}

var identifier = regexp.MustCompile(`\b[A-Za-z_]\w*`)

// findUses records which other units the text mentions, each once, in order of appearance.
func (u *unit) findUses(ix *index) {
	seen := map[string]bool{u.fn.Name: true}
	for _, id := range identifier.FindAllString(u.text, -1) {
		if !seen[id] && ix.units[id] != nil {
			seen[id] = true
			u.uses = append(u.uses, id)
		}
	}
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
