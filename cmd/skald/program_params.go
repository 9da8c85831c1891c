package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"skald/frontend/source"
	"skald/runtime/host"
)

// printParams lists the tuning parameters, each with what sort it is.
func printParams(w io.Writer, p *host.Program) {
	for _, t := range p.Tunes() {
		fmt.Fprintf(w, "%s (%s)\n", t.Name, t.Class)
	}
}

// Arguments of TuneAll: whether another compiler may have written the file.
const (
	foreignFile = true
	ownFile     = false
)

// tuneBeside sets the tuning parameters from the file that lies beside the executable, if there is one: for prog that is prog.fut.tuning,
// named after the program's source, or prog.tuning. It may have been written for another compiler.
func (f *programFlags) tuneBeside(p *host.Program) error {
	self, err := os.Executable()
	if err != nil {
		return nil //nolint:nilerr // then nobody knows what lies beside it
	}
	self = strings.TrimSuffix(self, ".exe")
	for _, name := range []string{self + ".fut.tuning", self + ".tuning"} {
		if _, err := os.Stat(name); err != nil {
			continue
		}
		text, err := source.ReadFile(name)
		if err != nil {
			return fmt.Errorf("cannot read the tuning file: %w", err)
		}
		if err := p.TuneAll(text, foreignFile); err != nil {
			return fmt.Errorf("%s:%w", name, err)
		}
		f.note("tuning parameters: %s", name)
		return nil
	}
	return nil
}

// setParams sets the tuning parameters: from a file, and then those of the options.
func (f *programFlags) setParams(p *host.Program) error {
	if f.tuning == "" {
		if err := f.tuneBeside(p); err != nil {
			return err
		}
	}
	return f.setGiven(p)
}

// tunable is a program whose tuning parameters can be set.
type tunable interface {
	Tune(assignment string) error
	TuneAll(text string, foreign bool) error
}

// setGiven sets the tuning parameters that options give: from the file of --tuning first and then from --param.
func (f *programFlags) setGiven(p tunable) error {
	if f.tuning != "" {
		text, err := source.ReadFile(f.tuning)
		if err != nil {
			return fmt.Errorf("cannot read the tuning file: %w", err)
		}
		if err := p.TuneAll(text, ownFile); err != nil {
			return fmt.Errorf("%s:%w", f.tuning, err)
		}
	}
	for _, s := range f.params {
		if err := p.Tune(s); err != nil {
			return fmt.Errorf("--param: %w", err)
		}
	}
	return nil
}
