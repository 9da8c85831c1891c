package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"skald/frontend/source"
	"skald/runtime/host"
	"skald/targets"
)

// printParams lists the tuning parameters, each with what sort it is.
func printParams(w io.Writer, p *host.Program) {
	for _, t := range p.Tunes() {
		fmt.Fprintf(w, "%s (%s)\n", t.Name, t.Class)
	}
}

// Arguments of tuning.add: whether another compiler may have written the file.
const (
	foreignFile = true
	ownFile     = false
)

// tuning is what files and options say of tuning parameters: sizes, which a device is opened with (Note [Sizes as parameters] in package
// targets), and those of the program, which are set when it is loaded. beside are the sizes of a file that lies beside the program.
type tuning struct {
	sizes, beside targets.Sizes
	texts         []tuningText
	params        []string // of --param
}

// tuningText is a text of assignments of a program's parameters, and where it is from.
type tuningText struct {
	where, text string
	foreign     bool
}

// addFile adds the assignments of a file.
func (t *tuning) addFile(name string, foreign bool) error {
	text, err := source.ReadFile(name)
	if err != nil {
		return fmt.Errorf("cannot read the tuning file: %w", err)
	}
	sizes := &t.sizes
	if foreign {
		sizes = &t.beside
	}
	rest, err := sizes.Take(text)
	if err != nil {
		return fmt.Errorf("%s:%w", name, err)
	}
	t.texts = append(t.texts, tuningText{name, rest, foreign})
	return nil
}

// open says what a device is to be opened with. Options of sizes win over parameters.
func (t *tuning) open(o *targets.Options) {
	o.Sizes, o.Tuned = o.Sizes.Or(t.sizes), t.beside
}

// tunable is a program whose tuning parameters can be set.
type tunable interface {
	Tune(assignment string) error
	TuneAll(text string, foreign bool) error
}

// set sets a program's parameters.
func (t *tuning) set(p tunable) error {
	for _, text := range t.texts {
		if err := p.TuneAll(text.text, text.foreign); err != nil {
			return fmt.Errorf("%s:%w", text.where, err)
		}
	}
	for _, s := range t.params {
		if err := p.Tune(s); err != nil {
			return fmt.Errorf("--param: %w", err)
		}
	}
	return nil
}

// besideMe is the tuning file that lies beside the executable, or "": for prog that is prog.fut.tuning, named after the program's source,
// or prog.tuning. It may have been written for another compiler.
func besideMe() string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	self = strings.TrimSuffix(self, ".exe")
	for _, name := range []string{self + ".fut.tuning", self + ".tuning"} {
		if _, err := os.Stat(name); err == nil {
			return name
		}
	}
	return ""
}

// given adds the tuning parameters that options give: from the file of --tuning first and then from --param.
func (f *programFlags) given(t *tuning) error {
	if f.tuning != "" {
		if err := t.addFile(f.tuning, ownFile); err != nil {
			return err
		}
	}
	for _, s := range f.params {
		switch ok, err := t.sizes.Set(s); {
		case err != nil:
			return fmt.Errorf("--param: %w", err)
		case !ok:
			t.params = append(t.params, s)
		}
	}
	return nil
}

// readTuning adds all tuning parameters of an executable: from a file, that of --tuning or one beside it, and then those of the options.
func (f *programFlags) readTuning(t *tuning) error {
	if beside := besideMe(); f.tuning == "" && beside != "" {
		if err := t.addFile(beside, foreignFile); err != nil {
			return err
		}
		f.note("tuning parameters: %s", beside)
	}
	return f.given(t)
}
