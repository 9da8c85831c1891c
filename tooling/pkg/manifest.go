package pkg

import (
	"fmt"
	"regexp"
	"strings"
)

// ManifestName is the file's name.
const ManifestName = "futhark.pkg"

// Manifest is the contents of a file futhark.pkg, with its comments.
type Manifest struct {
	// Path names the package; empty for a program that only uses some.
	Path string
	// Before, Between and After are the comments before the name, before what is required, and at the end; each is a line with its dashes.
	Before, Between, After []string
	Require                []Line
}

// Line is a requirement or a comment among them.
type Line struct {
	Comment string
	Requirement
}

// Requirement is a package and the least version of it, and the commit that this version was when it was chosen; empty if it is not known.
type Requirement struct {
	Path    string
	Version Version
	Hash    string
}

// Requirements are the lines that are no comments.
func (m *Manifest) Requirements() []Requirement {
	var out []Requirement
	for _, l := range m.Require {
		if l.Comment == "" {
			out = append(out, l.Requirement)
		}
	}
	return out
}

// Find returns the line of a package, or -1.
func (m *Manifest) Find(path string) int {
	for i, l := range m.Require {
		if l.Comment == "" && l.Path == path {
			return i
		}
	}
	return -1
}

// String is the file's text.
func (m *Manifest) String() string {
	var b strings.Builder
	comments := func(list []string) {
		for _, c := range list {
			b.WriteString(c + "\n")
		}
	}
	comments(m.Before)
	if m.Path != "" {
		b.WriteString("package " + m.Path + "\n\n")
	}
	comments(m.Between)
	b.WriteString("require {\n")
	for _, l := range m.Require {
		switch {
		case l.Comment != "":
			b.WriteString("  " + l.Comment + "\n")
		case l.Hash != "":
			fmt.Fprintf(&b, "  %s %s #%s\n", l.Path, l.Version, l.Hash)
		default:
			fmt.Fprintf(&b, "  %s %s\n", l.Path, l.Version)
		}
	}
	b.WriteString("}\n")
	comments(m.After)
	return b.String()
}

// A piece is a word, a brace, a hash or a comment of a manifest, with its line.
type piece struct {
	text string
	line int
}

var pieces = regexp.MustCompile(`--[^\n]*|[{}]|#[0-9A-Za-z]+|[^\s{}#]+|#|\n`)

// parser reads a manifest.
type parser struct {
	name   string
	pieces []piece
}

// ParseManifest reads the text of a manifest; errors mention name and the line.
func ParseManifest(name, text string) (*Manifest, error) {
	p := &parser{name: name}
	line := 1
	for _, t := range pieces.FindAllString(text, -1) {
		if t == "\n" {
			line++
			continue
		}
		p.pieces = append(p.pieces, piece{strings.TrimRight(t, "\r"), line})
	}
	p.pieces = append(p.pieces, piece{"", line})
	m := &Manifest{}
	m.Before = p.comments()
	if p.got("package") {
		t := p.next()
		path, err := PackagePath(t.text)
		if err != nil {
			return nil, p.errorf(t, "after `package` there must be its name: %v", err)
		}
		m.Path = path
	}
	m.Between = p.comments()
	if p.got("require") {
		if err := p.require(m); err != nil {
			return nil, err
		}
	}
	m.After = p.comments()
	if t := p.next(); t.text != "" {
		return nil, p.errorf(t, "%q is not expected here: a manifest is `package NAME` and `require { … }`, each once", t.text)
	}
	return m, nil
}

func (p *parser) errorf(t piece, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", p.name, t.line, fmt.Sprintf(format, args...))
}

func (p *parser) next() piece {
	t := p.pieces[0]
	if t.text != "" {
		p.pieces = p.pieces[1:]
	}
	return t
}

func (p *parser) got(text string) bool {
	if p.pieces[0].text != text {
		return false
	}
	p.next()
	return true
}

func (p *parser) comments() []string {
	var out []string
	for strings.HasPrefix(p.pieces[0].text, "--") {
		out = append(out, p.next().text)
	}
	return out
}

// require reads what is required.
func (p *parser) require(m *Manifest) error {
	if t := p.next(); t.text != "{" {
		return p.errorf(t, "after `require` there must be {, not %q", t.text)
	}
	for !p.got("}") {
		t := p.next()
		switch {
		case t.text == "":
			return p.errorf(t, "the } after what is required is missing")
		case strings.HasPrefix(t.text, "--"):
			m.Require = append(m.Require, Line{Comment: t.text})
			continue
		}
		path, err := PackagePath(t.text)
		if err != nil {
			return p.errorf(t, "%v", err)
		}
		if m.Find(path) >= 0 {
			return p.errorf(t, "%s is required twice", path)
		}
		r := Requirement{Path: path}
		v := p.pieces[0]
		if v.line != t.line {
			return p.errorf(t, "the version of %s is missing: on the same line, such as 1.0.0", t.text)
		}
		if r.Version, err = ParseVersion(p.next().text); err != nil {
			return p.errorf(v, "%v", err)
		}
		if h := p.pieces[0]; h.line == t.line && strings.HasPrefix(h.text, "#") {
			r.Hash = p.next().text[1:]
			if r.Hash == "" {
				return p.errorf(h, "after # there must be a commit")
			}
		}
		m.Require = append(m.Require, Line{Requirement: r})
	}
	return nil
}

var validPath = regexp.MustCompile(`^[\pL\pN@\-/.:_~]+$`)

// PackagePath is the package that a text names, or says why it cannot name one. Packages in use have a slash at the end of their names
// in futhark.pkg, and are required without it.
func PackagePath(text string) (path string, err error) {
	path = strings.TrimSuffix(text, "/")
	if !validPath.MatchString(path) {
		return "", fmt.Errorf("%q is not the name of a package, such as github.com/diku-dk/sorts", path)
	}
	if strings.HasPrefix(path, "https://") || strings.HasPrefix(path, "http://") {
		return "", fmt.Errorf("%q is an address; a package is named without https://", path)
	}
	for _, part := range strings.Split(path, "/") {
		if part == "" || part == "." || part == ".." || strings.HasPrefix(part, "-") {
			return "", fmt.Errorf("%q is not the name of a package: it has the part %q", path, part)
		}
	}
	return path, nil
}
