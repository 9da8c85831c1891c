package literate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"skald/frontend/diag"
	"skald/tooling/artifact"
	"skald/tooling/evaluate"
	"skald/tooling/script"
)

// Note [Kept results of directives]
// ~~~~~~~~~~~~~~~~~~~
// A file that a directive makes has a name that begins with a hash of all that it depends on: the program with what it imports and the
// version of skald (compiler.Hash), the directive, the backend, and the contents of the files that the expression names. If a file of
// that name is there, it is the result, and nothing is run; values that are printed are kept as such files, too. Files with other
// hashes are of earlier pages, and are removed. A directive that names its file itself (`file:`) is always run, since the name says
// nothing about the contents.

// Page is a page that is being made.
type Page struct {
	// Dir is the folder for pictures, and Base its name as the page refers to it.
	Dir, Base string
	// Sources is where the files are that expressions name.
	Sources string
	// Stamp stands for the program and what it runs on.
	Stamp string
	// Program returns the program when a directive is first run.
	Program func() (*evaluate.Program, error)
	// Begin, if set, hears of each directive that is run.
	Begin func(d *Directive)

	ctx    context.Context
	out    strings.Builder
	used   []string
	failed []error
}

// Run makes the Markdown of a page. The errors are those of directives, which the page shows.
func (p *Page) Run(ctx context.Context, blocks []Block) (markdown string, failed []error, err error) {
	p.ctx = ctx
	for _, b := range blocks {
		if p.out.Len() > 0 {
			p.out.WriteString("\n")
		}
		switch b := b.(type) {
		case *Text:
			p.out.WriteString(b.Text + "\n")
		case *Code:
			p.out.WriteString(fenced("futhark", b.Text))
		case *Directive:
			if err := p.directive(b); err != nil {
				return "", nil, err
			}
		}
	}
	return p.out.String(), p.failed, p.removeOld()
}

// fenced is a block of code, between more backticks than it has.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}

// directive shows a directive and its result. An error is one that ends the page: the user's interrupt, or a program that does not
// compile.
func (p *Page) directive(d *Directive) error {
	if !d.Covert {
		text := d.Line
		if len(d.Params) > 0 && !d.Brief {
			text += "\n" + strings.Join(d.Params, "\n")
		} else {
			text = strings.TrimRight(strings.TrimSuffix(text, ";"), " ")
		}
		p.out.WriteString(fenced("", text) + "\n")
	}
	shown, err := p.result(d)
	if p.ctx.Err() != nil {
		return p.ctx.Err()
	}
	var broken brokenError
	if errors.As(err, &broken) {
		return broken.error
	}
	if err != nil {
		var placed *diag.Diagnostic
		if !errors.As(err, &placed) {
			err = fmt.Errorf("%v: %w", d.At, err)
		}
		p.failed = append(p.failed, err)
		p.out.WriteString("**FAILED**\n\n" + fenced("", err.Error()))
		return nil
	}
	p.out.WriteString(shown)
	return nil
}

// brokenError is an error of the whole program.
type brokenError struct{ error }

// eval evaluates the expression of a directive.
func (p *Page) eval(d *Directive) (*evaluate.Program, evaluate.Value, error) {
	if p.Begin != nil {
		p.Begin(d)
	}
	prog, err := p.Program()
	if err != nil {
		return nil, evaluate.Value{}, brokenError{err}
	}
	v, err := prog.Eval(d.Exp)
	return prog, v, err
}

// result returns the Markdown of what a directive shows.
func (p *Page) result(d *Directive) (string, error) {
	switch d.Kind {
	case "":
		return p.value(d)
	case "img":
		return p.image(d)
	case "plot2d":
		return p.plot(d)
	case "gnuplot":
		return p.gnuplot(d)
	case "video":
		return p.video(d)
	case "audio":
		return p.audio(d)
	default:
		return "", fmt.Errorf("there is no directive :%s", d.Kind)
	}
}

// value prints a value.
func (p *Page) value(d *Directive) (string, error) {
	if err := noParams(d); err != nil {
		return "", err
	}
	name := p.name(d, "value.txt")
	text, err := p.kept(name, func(path string) error {
		_, v, err := p.eval(d)
		if err != nil {
			return err
		}
		if v.IsFunction() {
			return fmt.Errorf("the value is a function: %s wants more arguments", v.Fun)
		}
		return artifact.Write(path, v.Write)
	})
	if err != nil {
		return "", err
	}
	return fenced("", string(text)), nil
}

func noParams(d *Directive) error {
	if len(d.Params) > 0 {
		return errors.New("this directive takes no parameters")
	}
	return nil
}

// name is the name of a file that a directive makes. See Note [Kept results of directives].
func (p *Page) name(d *Directive, ending string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%s\n", p.Stamp, d.Kind, script.Format(d.Exp), strings.Join(d.Params, "\n"))
	for _, file := range script.Files(d.Exp) {
		if !filepath.IsAbs(file) {
			file = filepath.Join(p.Sources, filepath.FromSlash(file))
		}
		data, err := os.ReadFile(file)
		sum := sha256.Sum256(data)
		fmt.Fprintf(h, "%x %t\n", sum, err == nil)
	}
	const digits = 16
	return hex.EncodeToString(h.Sum(nil))[:digits] + "-" + ending
}

// madeHere matches the names of files that directives make.
var madeHere = regexp.MustCompile(`^[0-9a-f]{16}-[a-z0-9]+\.[a-z0-9]+$`)

// file returns the name of the file for a directive, which may say it itself.
func (p *Page) file(d *Directive, params map[string]string, ending string) (string, error) {
	name := params["file"]
	if name == "" {
		return p.name(d, ending), nil
	}
	if strings.ContainsAny(name, `/\ `) || name == "." || name == ".." {
		return "", fmt.Errorf("file: %q: a name without folders and spaces is wanted", name)
	}
	return name, nil
}

// made makes a file unless it is kept, and returns its name as the page refers to it.
func (p *Page) made(name string, make func(path string) error) (string, error) {
	if err := os.MkdirAll(p.Dir, 0o755); err != nil {
		return "", err
	}
	p.used = append(p.used, name)
	path := filepath.Join(p.Dir, name)
	if _, err := os.Stat(path); err != nil || !madeHere.MatchString(name) {
		if err := make(path); err != nil {
			return "", err
		}
	}
	return p.Base + "/" + name, nil
}

// kept is made, and reads the file.
func (p *Page) kept(name string, make func(path string) error) ([]byte, error) {
	if _, err := p.made(name, make); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(p.Dir, name))
}

// removeOld removes what earlier pages had.
func (p *Page) removeOld() error {
	entries, err := os.ReadDir(p.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if madeHere.MatchString(e.Name()) && !slices.Contains(p.used, e.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(p.Dir, e.Name())))
		}
	}
	return err
}

// Write writes Markdown as a page for browsers, or as it is, by the name of the file.
func Write(path, title, markdown string) error {
	if ext := filepath.Ext(path); ext == ".html" || ext == ".htm" {
		page, err := HTML(title, markdown)
		if err != nil {
			return err
		}
		markdown = page
	}
	return artifact.Write(path, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader([]byte(markdown)))
		return err
	})
}
