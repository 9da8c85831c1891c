package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

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
		if err := readTuning(p, f.tuning); err != nil {
			return err
		}
	}
	for _, s := range f.params {
		if err := setParam(p, s); err != nil {
			return fmt.Errorf("--param: %w", err)
		}
	}
	return nil
}

// readTuning sets the parameters that a file names: NAME=INT a line, empty lines aside.
func readTuning(p *host.Program, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("cannot read the tuning file: %w", err)
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := setParam(p, line); err != nil {
			return fmt.Errorf("%s:%d: %w", path, number, err)
		}
	}
	return nil
}

// setParam carries out one assignment of a tuning parameter.
func setParam(p *host.Program, assignment string) error {
	name, text, ok := strings.Cut(assignment, "=")
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if !ok || err != nil {
		return fmt.Errorf("%q does not set a tuning parameter: NAME=INT is wanted", assignment)
	}
	return p.SetTune(strings.TrimSpace(name), n)
}
