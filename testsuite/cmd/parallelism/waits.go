package main

import (
	"encoding/csv"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skald/middle/imp"
	"skald/targets"
)

// waitingLoop is a loop of host code that waits for the device in each round.
type waitingLoop struct {
	fun   string
	kind  string // while or for
	depth int    // in how many other loops it is
	// waits are those of a round on the way that has most of them, but for those of loops inside. What is recorded ahead is counted as the
	// round has it that does so: the condition and what the next round reads first are one.
	waits, launches int
	// start says that the start of a round is recorded ahead, and whole that rounds are, so that several wait once; elements says that it
	// reads elements for several rounds together.
	start, whole, elements bool
	// inside are the most waits of a round of a loop inside.
	inside int
}

// waitingLoops finds the loops of a program that wait, those around others first.
func waitingLoops(p *imp.Prog) []waitingLoop {
	var out []waitingLoop
	w := &waitCounter{prog: p}
	for _, f := range p.Funs {
		w.fun, w.depth, w.class = f.Name, 0, imp.BlockClasses(f)
		w.loops(f.Body, &out)
	}
	return out
}

// waitCounter counts waits of host code.
type waitCounter struct {
	prog  *imp.Prog
	fun   string
	depth int
	class []imp.Var // of blocks
	calls []string  // that are being counted
}

// loops adds the loops in a body that wait, and returns the most waits of a round of one.
func (w *waitCounter) loops(body []imp.Stm, out *[]waitingLoop) (most int) {
	for _, s := range body {
		l := waitingLoop{fun: w.fun, depth: w.depth, launches: w.launches(imp.Bodies(s)...)}
		switch s := imp.MatchStm(s).(type) {
		case *imp.While:
			l.kind, l.waits = "while", w.waits(s.Body)
			if r, ok := s.Round(); ok && s.Ahead > 0 {
				l.whole, l.start = len(r.Rest) == 0, len(r.Rest) > 0
				if l.start {
					l.waits--
				}
			}
		case *imp.For:
			l.kind, l.waits = "for", w.waits(s.Body)
			l.elements = w.onlyFor(s.RoundReads(w.class), s.Body)
		default:
		}
		at := len(*out)
		if l.kind != "" {
			w.depth++
			*out = append(*out, l)
		}
		inside := 0
		for _, b := range imp.Bodies(s) {
			inside = max(inside, w.loops(b, out))
		}
		most = max(most, inside)
		if l.kind == "" {
			continue
		}
		w.depth--
		if (*out)[at].inside = inside; l.waits == 0 {
			*out = slices.Delete(*out, at, at+1)
		}
		most = max(most, l.waits)
	}
	return most
}

// onlyFor reports whether statements, but for loops among them, wait for nothing but some readings.
func (w *waitCounter) onlyFor(reads map[*imp.ReadScalar]bool, body []imp.Stm) bool {
	return !slices.ContainsFunc(body, func(stm imp.Stm) bool {
		switch s := imp.MatchStm(stm).(type) {
		case *imp.ReadScalar:
			return !reads[s]
		case *imp.If:
			return !w.onlyFor(reads, s.Then) || !w.onlyFor(reads, s.Else)
		case *imp.For, *imp.While:
			return false
		default:
			return w.waits([]imp.Stm{stm}) > 0
		}
	})
}

// waits are those of statements, but for those of loops among them.
func (w *waitCounter) waits(body []imp.Stm) (n int) {
	for i := 0; i < len(body); {
		if _, _, k := imp.ReadRun(body[i:]); k > 0 {
			n, i = n+1, i+k
			continue
		}
		switch s := imp.MatchStm(body[i]).(type) {
		case *imp.If:
			n += max(w.waits(s.Then), w.waits(s.Else))
		case *imp.Trace:
			n++
		case *imp.Call:
			n += w.call(s.Fun)
		default:
		}
		i++
	}
	return n
}

// call is how often a function waits that is called, but for calls of itself.
func (w *waitCounter) call(name string) int {
	i := slices.IndexFunc(w.prog.Funs, func(f *imp.Fun) bool { return f.Name == name })
	if i < 0 || slices.Contains(w.calls, name) {
		return 0
	}
	w.calls = append(w.calls, name)
	defer func() { w.calls = w.calls[:len(w.calls)-1] }()
	return w.waits(w.prog.Funs[i].Body)
}

// launches are those of statements, but for those of loops among them, where branches take those that have most.
func (w *waitCounter) launches(bodies ...[]imp.Stm) (n int) {
	for _, body := range bodies {
		for _, s := range body {
			switch s := imp.MatchStm(s).(type) {
			case *imp.If:
				n += max(w.launches(s.Then), w.launches(s.Else))
			case *imp.Launch:
				n++
			default:
			}
		}
	}
	return n
}

var waitsHead = []string{"program", "function", "loop", "inside", "waits", "launches", "most_waits_of_loops_inside", "ahead"}

// printWaits prints a row for each loop of host code that waits: of the examples, and of all programs in a folder if that is named, as code
// for a device of a profile. Packages that programs require are left out.
func printWaits(out io.Writer, profile, folder, only string) error {
	m, err := findProfile(profile)
	if err != nil {
		return err
	}
	w := csv.NewWriter(out)
	if err := w.Write(waitsHead); err != nil {
		return err
	}
	for _, root := range []string{"examples", folder} {
		if root == "" {
			continue
		}
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "lib" {
				return fs.SkipDir // packages, each of which many programs have
			}
			if err != nil || filepath.Ext(path) != ".fut" || !strings.Contains(path, only) {
				return err
			}
			name := path
			if root == folder {
				name, _ = filepath.Rel(folder, path)
			}
			return w.WriteAll(waitRows(m, path, filepath.ToSlash(name)))
		})
		if err != nil {
			return err
		}
	}
	return w.Error()
}

// waitRows are those of a program: none if it has no entry points, or is not accepted.
func waitRows(m *targets.Model, path, name string) (rows [][]string) {
	p, err := compiled(path, nil)
	if err != nil {
		return nil
	}
	low, err := p.Lower(m)
	if err != nil {
		return nil
	}
	for _, l := range waitingLoops(low) {
		ahead := ""
		switch {
		case l.whole:
			ahead = "rounds"
		case l.start:
			ahead = "start"
		case l.elements:
			ahead = "elements"
		}
		rows = append(rows, []string{
			name, l.fun, l.kind, strconv.Itoa(l.depth), strconv.Itoa(l.waits), strconv.Itoa(l.launches), strconv.Itoa(l.inside), ahead,
		})
	}
	return rows
}
