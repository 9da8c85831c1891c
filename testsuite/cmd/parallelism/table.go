package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"skald/runtime/cpu"
	"skald/runtime/prim"
	"skald/runtime/value"
	"skald/runtime/value/random"
	"skald/targets"
)

// tableProfile is the profile of the table that is kept.
const tableProfile = "h200-wgpu"

// tableLimit is how long the evaluator may take for a row.
const tableLimit = 5 * time.Minute

var tableHead = []string{
	"program", "entry", "input", "instead_of", "kernels", "launches", "waits", "allocations", "peak_bytes", "fewest_threads", "in_kernel",
	"accesses", "sequential_in_the_source", "note",
}

// printTable prints a row for each case, as a device of a profile would run it: those of this repository, and of the suite in a folder if
// that is named, or only those whose names have a part. A program that does not run has a row that says why.
func printTable(out io.Writer, profile, folder, only string, elements int64) error {
	m, err := findProfile(profile)
	if err != nil {
		return err
	}
	return printRows(out, tableHead, folder, suite, only, func(c *tableCase, root string) [][]string {
		return [][]string{c.row(m, root, elements)}
	})
}

// printRows prints a head, and the rows of each case as soon as it has run: those of this repository, and others in a folder if that is
// named. Only is a part of the names of their programs.
func printRows(
	out io.Writer, head []string, folder string, others []tableCase, only string, rows func(c *tableCase, root string) [][]string,
) error {
	w := csv.NewWriter(out)
	if err := w.Write(head); err != nil {
		return err
	}
	printed := func(root string, cases []tableCase) {
		for i := range cases {
			if strings.Contains(cases[i].program, only) {
				_ = w.WriteAll(rows(&cases[i], root)) // The writer keeps the error.
			}
		}
	}
	printed(".", ours)
	if folder != "" {
		printed(folder, others)
	}
	return w.Error()
}

func findProfile(name string) (*targets.Model, error) {
	m := targets.FindProfile(name)
	if m == nil {
		return nil, fmt.Errorf("no profile is called %s; there are %s", name, strings.Join(targets.ProfileNames(), ", "))
	}
	return m, nil
}

// row runs a case.
func (c *tableCase) row(m *targets.Model, root string, elements int64) []string {
	row := []string{c.program, c.entry, c.size, c.full}
	args, err := c.arguments(root)
	var r *report
	if err == nil {
		r, err = call(filepath.Join(root, c.program), c.entry, args, nil, func(watch func(cpu.Access)) *targets.Device {
			return m.Evaluated(cpu.Options{Watch: watch, Timeout: tableLimit})
		})
	}
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return append(append(row, make([]string, 8)...), c.sequential, first)
	}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	s := r.stats
	row = append(row, number(s.Pipelines), number(s.Launches), number(s.Syncs), number(s.Allocs), number(s.Peak))
	if a := r.fewest(elements); a != nil {
		row = append(row, number(a.Threads), a.Kernel, number(a.Elements))
	} else {
		row = append(row, "", "", "")
	}
	return append(row, c.sequential, "")
}

// arguments makes the arguments of a case: the same each time.
func (c *tableCase) arguments(root string) ([]value.Value, error) {
	if c.file != "" {
		in, err := os.Open(filepath.Join(root, c.file))
		if err != nil {
			return nil, err
		}
		args, err := value.ReadAll(in)
		return args, errors.Join(err, in.Close())
	}
	var args []value.Value
	for i, text := range c.args {
		b := random.DefaultBounds()
		spec, bounds, ok := strings.Cut(text, " ")
		if ok {
			t, _ := prim.ParseType(spec[strings.LastIndexByte(spec, ']')+1:])
			if err := b.Set(t, bounds); err != nil {
				return nil, fmt.Errorf("%s: %w", text, err)
			}
		}
		vs, err := random.Generate(b, spec, uint64(i+1))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		args = append(args, vs...)
	}
	return args, nil
}
