package host

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"skald/middle/imp"
)

// Tunes lists the tuning parameters.
func (p *Program) Tunes() []imp.Tune { return p.prog.Tunes }

// WatchTunes tells f of each comparison of a tuning parameter with a number, in the order of the runs' host code; nil tells nobody. f
// is called while host code runs, and must not call the program.
func (p *Program) WatchTunes(f func(tune string, with int64)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.compared = f
}

// ErrNoTune says that a program has no tuning parameter of a name.
var ErrNoTune = errors.New("there is no tuning parameter")

// SetTune sets a tuning parameter. The error is ErrNoTune if there is none of the name.
func (p *Program) SetTune(name string, v int64) error {
	for i, t := range p.prog.Tunes {
		if t.Name == name {
			p.mu.Lock()
			p.tunes = slices.Clone(p.tunes) // calls that are under way keep theirs
			p.tunes[i] = v
			p.mu.Unlock()
			return nil
		}
	}
	if len(p.prog.Tunes) == 0 {
		return fmt.Errorf("%w %q: the program has none", ErrNoTune, name)
	}
	names := make([]string, len(p.prog.Tunes))
	for i, t := range p.prog.Tunes {
		names[i] = t.Name
	}
	return fmt.Errorf("%w %q; there are: %s", ErrNoTune, name, strings.Join(names, ", "))
}

// Tune carries out one assignment of a tuning parameter, NAME=INT.
func (p *Program) Tune(assignment string) error {
	name, text, ok := strings.Cut(assignment, "=")
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if !ok || err != nil {
		return fmt.Errorf("%q does not set a tuning parameter: NAME=INT is wanted", assignment)
	}
	return p.SetTune(strings.TrimSpace(name), n)
}

// TuneAll carries out the assignments of a tuning file, NAME=INT a line; lines may be empty. An error begins with its line's number.
// A foreign file may have been written for another compiler: names that the program does not have are passed over.
func (p *Program) TuneAll(text string, foreign bool) error {
	number := 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := p.Tune(line); err != nil && !(foreign && errors.Is(err, ErrNoTune)) {
			return fmt.Errorf("%d: %w", number, err)
		}
	}
	return nil
}
