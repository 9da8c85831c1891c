package bench

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"skald/compiler"
	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/types"
	"skald/runtime/bundle"
	"skald/tooling/spec"
)

// Program is a program with its cases, compiled.
type Program struct {
	// File is the program's source, as it was named.
	File string
	// Types has its entry points, and Compiled is what runs.
	Types    *types.Prog
	Compiled *compiler.Program
	// Cases are those that can be measured.
	Cases []Case
}

// Case is a data set of an entry point.
type Case struct {
	Entry string
	*spec.Case
}

// Selection says which cases are measured.
type Selection struct {
	// Entry, if not empty, is the only entry point whose cases are taken.
	Entry string
	// Exclude lists tags whose cases are left out.
	Exclude []string
	// SpecFile, if not empty, has the test block, without the signs of a comment.
	SpecFile string
	// Prebuilt takes the program from the executable that lies beside its source, and compiles nothing.
	Prebuilt bool
}

// Read reads a program and its cases, and compiles it if there are any: nil means there are none. A *diag.Diagnostic or a *Rejected is
// an error of the program.
func Read(path string, sel Selection) (*Program, error) {
	cases, err := readCases(path, sel)
	if err != nil || len(cases) == 0 {
		return nil, err
	}
	p, err := Compile(path, compiler.CheckOptions{}, sel.Prebuilt)
	if err == nil {
		p.Cases = cases
	}
	return p, err
}

// Check returns a *Rejected if a program is not valid.
func Check(path string) error {
	if _, sink, ok := compiler.Check(path, compiler.CheckOptions{}); !ok {
		return &Rejected{sink.Sorted()}
	}
	return nil
}

// Compile reads a program without its cases, or takes it from the executable beside it.
func Compile(path string, opts compiler.CheckOptions, takePrebuilt bool) (*Program, error) {
	prog, sink, ok := compiler.Check(path, opts)
	if !ok {
		return nil, &Rejected{sink.Sorted()}
	}
	p := &Program{File: path, Types: prog}
	if takePrebuilt {
		var err error
		p.Compiled, err = prebuilt(path)
		return p, err
	}
	var d *diag.Diagnostic
	if p.Compiled, d = compiler.Compile(prog, compiler.CompileOptions{}); d != nil {
		return nil, d
	}
	return p, nil
}

// Rejected is a program that is not valid.
type Rejected struct{ Messages []*diag.Diagnostic }

// Error shows the messages.
func (r *Rejected) Error() string {
	var b strings.Builder
	_ = diag.Text(&b, r.Messages) // a builder takes all
	return strings.TrimSpace(b.String())
}

// prebuilt reads the program from its executable.
func prebuilt(path string) (*compiler.Program, error) {
	for _, name := range []string{strings.TrimSuffix(path, ".fut"), strings.TrimSuffix(path, ".fut") + ".exe"} {
		if b, err := bundle.Open(name); err == nil {
			return compiler.Load(b)
		}
	}
	return nil, fmt.Errorf("%s is not there, or no executable of skald: `skald build %s` makes it", strings.TrimSuffix(path, ".fut"), path)
}

// Cases reads the cases of a program that have inputs, whatever their tags.
func Cases(path string) ([]Case, error) { return readCases(path, Selection{}) }

// readCases reads the test blocks of a program.
func readCases(path string, sel Selection) ([]Case, error) {
	file, prefix := path, ""
	if sel.SpecFile != "" {
		file, prefix = sel.SpecFile, "-- "
	}
	text, err := source.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if prefix != "" {
		text = prefix + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+prefix) + "\n"
	}
	var sink diag.Sink
	tests := spec.Parse(source.NewFile(file, text), &sink)
	if sink.HasErrors() {
		return nil, &Rejected{sink.Sorted()}
	}
	excluded := func(tags []string) bool {
		return slices.ContainsFunc(tags, func(tag string) bool { return slices.Contains(sel.Exclude, tag) })
	}
	if tests.Rejected != nil || excluded(tests.Tags) {
		return nil, nil
	}
	var cases []Case
	for _, g := range tests.Groups {
		if sel.Entry != "" && g.Entry != sel.Entry {
			continue
		}
		for _, c := range g.Cases {
			if c.Want.Kind != spec.WantError && !excluded(c.Tags) {
				cases = append(cases, Case{g.Entry, c})
			}
		}
	}
	return cases, nil
}

// Name is what reports call the program's entry point.
func (p *Program) Name(entry string) string {
	name := filepath.ToSlash(p.File)
	if entry != "main" {
		name += ":" + entry
	}
	return name
}
