package main

import (
	"cmp"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"skald/middle/imp/eval"
	"skald/runtime/cpu"
	"skald/targets"
)

// trafficUnits is how many compute units the device of the table of traffic claims to have: so few that inputs that the evaluator can take
// saturate it, and the versions run that a GPU runs for large inputs.
const trafficUnits = 1

var trafficHead = []string{
	"program", "entry", "input", "kernel", "array", "launches", "bytes", "bytes_in_sectors", "note",
}

// printTraffic prints, for each case, a row for all of its arrays together, and one for each array of a kernel whose accesses take at least
// twice as many bytes in sectors as they ask for, and at least a hundredth of all.
func printTraffic(out io.Writer, profile, folder, without, only string) error {
	m, err := findProfile(profile)
	if err != nil {
		return err
	}
	facts := *m.Facts
	facts.Units = trafficUnits
	m = m.Target.Model(&facts)
	var left []string
	if without != "" {
		left = []string{without}
	}
	others := slices.Concat(suite, trafficSuite)
	return printRows(out, trafficHead, folder, others, only, func(c *tableCase, root string) [][]string { return c.traffic(m, root, left) })
}

// traffic runs a case and returns its rows.
func (c *tableCase) traffic(m *targets.Model, root string, without []string) [][]string {
	head := []string{c.program, c.entry, c.size}
	args, err := c.arguments(root)
	var r *report
	if err == nil {
		r, err = call(filepath.Join(root, c.program), c.entry, args, without, func(watch func(cpu.Access)) *targets.Device {
			return m.Evaluated(cpu.Options{Watch: watch, Timeout: tableLimit})
		})
	}
	if err != nil {
		return [][]string{append(head, "", "", "", "", "", err.Error())}
	}
	uses := r.arrays()
	var all arrayUse
	for _, u := range uses {
		all.Bytes += u.Bytes
		all.Sectors += u.Sectors
	}
	all.launches = len(r.launches)
	rows := [][]string{append(slices.Clip(head), all.row()...)}
	for _, u := range uses {
		if u.Sectors >= 2*u.Bytes && 100*u.Sectors >= all.Sectors {
			rows = append(rows, append(slices.Clip(head), u.row()...))
		}
	}
	return rows
}

// arrayUse is what all launches of a kernel ask of an array.
type arrayUse struct {
	kernel   string
	launches int
	eval.Traffic
}

func (u arrayUse) row() []string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	return []string{u.kernel, u.Array, strconv.Itoa(u.launches), number(u.Bytes), number(u.Sectors), ""}
}

// arrays adds up the traffic of launches, the most bytes in sectors first.
func (r *report) arrays() []arrayUse {
	var out []arrayUse
	for _, l := range r.launches {
		for _, t := range l.Traffic {
			i := slices.IndexFunc(out, func(u arrayUse) bool { return u.kernel == l.Kernel && u.Array == t.Array })
			if i < 0 {
				i = len(out)
				out = append(out, arrayUse{kernel: l.Kernel, Traffic: eval.Traffic{Array: t.Array}})
			}
			out[i].launches++
			out[i].Bytes += t.Bytes
			out[i].Sectors += t.Sectors
		}
	}
	slices.SortStableFunc(out, func(x, y arrayUse) int { return cmp.Compare(y.Sectors, x.Sectors) })
	return out
}
