package main

import (
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skald/compiler"
	"skald/runtime/cpu"
	"skald/runtime/host"
	"skald/targets"
)

// bindingsProfile is the profile of the table of bindings: the devices that bind the fewest buffers.
const bindingsProfile = "portable"

var bindingsHead = []string{"program", "entry", "input", "kernels", "most_arrays", "packed_kernels", "launches", "copied_arrays", "note"}

// printBindings prints a row for each case: how many of its kernels have more arrays than a device of a profile binds, and how many arrays
// were copied so that they could be bound.
func printBindings(out io.Writer, profile, folder, only string) error {
	m, err := findProfile(profile)
	if err != nil {
		return err
	}
	others := slices.Concat(suite, trafficSuite, bindingsSuite)
	return printRows(out, bindingsHead, folder, others, only, func(c *tableCase, root string) [][]string {
		return [][]string{c.bindings(m, root)}
	})
}

// bindings runs a case and returns its row.
func (c *tableCase) bindings(m *targets.Model, root string) []string {
	row := []string{c.program, c.entry, c.size}
	b, err := c.binds(m, root)
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return append(append(row, make([]string, 5)...), first)
	}
	for _, n := range []int64{b.kernels, b.mostArrays, b.packed, b.launches, b.copied} {
		row = append(row, strconv.FormatInt(n, 10))
	}
	return append(row, "")
}

// boundArrays is how many arrays the kernels of a program have, and what a call did to bind them.
type boundArrays struct{ kernels, mostArrays, packed, launches, copied int64 }

// binds runs a case.
func (c *tableCase) binds(m *targets.Model, root string) (out boundArrays, err error) {
	args, err := c.arguments(root)
	if err != nil {
		return out, err
	}
	p, err := compiled(filepath.Join(root, c.program), nil)
	if err != nil {
		return out, err
	}
	low, err := p.Lower(m)
	if err != nil {
		return out, err
	}
	for _, k := range low.Kernels {
		out.kernels++
		out.mostArrays = max(out.mostArrays, int64(k.Globals()))
		if host.Packed(k, m.Facts) != k {
			out.packed++
		}
	}
	dev := m.Evaluated(cpu.Options{Timeout: tableLimit})
	running, err := compiler.LoadLow(low, dev)
	if err != nil {
		return out, err
	}
	defer running.Close()
	_, err = running.Call(c.entry, args)
	out.launches, out.copied = dev.Stats().Launches, running.Gathered()
	return out, err
}
