package main

import (
	"fmt"
	"io"

	"skald/frontend/source"
	"skald/runtime/host"
)

// printParams lists the tuning parameters, each with what sort it is.
func printParams(w io.Writer, p *host.Program) {
	for _, t := range p.Tunes() {
		fmt.Fprintf(w, "%s (%s)\n", t.Name, t.Class)
	}
}

// setParams sets the tuning parameters from the file first and then from the options.
func (f *programFlags) setParams(p *host.Program) error {
	if f.tuning != "" {
		text, err := source.ReadFile(f.tuning)
		if err != nil {
			return fmt.Errorf("cannot read the tuning file: %w", err)
		}
		if err := p.TuneAll(text, false); err != nil {
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
