package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// save writes the results to the files that are named.
func (s *session) save() error {
	if s.json != "" {
		data, err := json.MarshalIndent(s.results, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(s.json, data, 0o644); err != nil {
			return err
		}
	}
	if s.picture != "" {
		if err := os.WriteFile(s.picture, []byte(svg(s.results)), 0o644); err != nil {
			return err
		}
	}
	if s.markdown == "" {
		return nil
	}
	return os.WriteFile(s.markdown, []byte(s.table()), 0o644)
}

// columns are those of the table, with the devices whose times stand in them.
var columns = []struct{ title, device string }{
	{"WGSL native", "webgpu"},
	{"CUDA", "cuda"},
	{"WGSL portable", "portable"},
	{"Dawn", "dawn"},
	{"guaranteed limits", "guaranteed"},
	{"CUB", "cub"},
}

// table prints the results as Markdown, a row a case; times that miss what is wanted are in italics.
func (s *session) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d runs after 3 to warm up.", time.Now().UTC().Format(time.DateOnly), s.runs)
	for _, d := range slices.Sorted(maps.Keys(s.devices)) {
		fmt.Fprintf(&b, " %s: %s.", d, s.devices[d])
	}
	b.WriteString("\n\n| case | floor |")
	rule := "\n|---|---|"
	by := map[string]map[string]*Result{}
	var names []string
	present := map[string]bool{}
	inOrder := slices.Clone(s.results)
	slices.SortStableFunc(inOrder, func(a, b Result) int { // What stands beside gives rows only where nothing else does.
		return cmp.Compare(strings.Index(a.Device, "cub"), strings.Index(b.Device, "cub"))
	})
	for i := range inOrder {
		r := &inOrder[i]
		if by[r.Case] == nil {
			by[r.Case] = map[string]*Result{}
			names = append(names, r.Case)
		}
		by[r.Case][r.Device] = r
		present[r.Device] = true
	}
	for _, c := range columns {
		if present[c.device] {
			fmt.Fprintf(&b, " %s |", c.title)
			rule += "---|"
		}
	}
	b.WriteString(rule + "\n")
	for _, n := range names {
		floor := ""
		for _, r := range by[n] {
			if r.Floor > 0 {
				floor = fmt.Sprintf("%.0f", r.Floor)
			}
		}
		fmt.Fprintf(&b, "| %s | %s |", n, floor)
		for _, c := range columns {
			if present[c.device] {
				b.WriteString(" " + cell(by[n][c.device], by[n]["webgpu"]) + " |")
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// cell is a result in the table: median, minimum and maximum, and the time that was wanted. Portable times
// are wanted within 1.3 of native ones.
func cell(r, native *Result) string {
	switch {
	case r == nil:
		return ""
	case r.Skip != "":
		return "no: " + r.Skip
	case r.Error != "":
		return "WRONG"
	}
	text := fmt.Sprintf("%.1f (%.1f to %.1f)", r.Median(), r.Times[0], r.Times[len(r.Times)-1])
	if r.Flops > 0 {
		text += fmt.Sprintf(", %.1f TFLOP/s", r.Flops/r.Median()/1e6)
	}
	switch {
	case r.Device == "portable" && native != nil && native.Median() > 0:
		if ratio := r.Median() / native.Median(); ratio > 1.3 {
			text += fmt.Sprintf(", *%.1f of native*", ratio)
		}
	case r.Target > 0 && r.Median() <= r.Target:
		text += fmt.Sprintf(", **%.0f**", r.Target)
	case r.Target > 0:
		text += fmt.Sprintf(", *missed %.0f*", r.Target)
	}
	return text
}

// svg draws a bar a result, as a multiple of its floor, up to four.
func svg(results []Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="860" height="%d" font-size="12">`, 20*len(results)+10)
	for i, r := range results {
		ratio := 0.0
		if r.Floor > 0 {
			ratio = r.Median() / r.Floor
		}
		y := 20*i + 15
		fmt.Fprintf(&b, `<text x="4" y="%d">%s, %s</text><rect x="320" y="%d" width="%.0f" height="14" fill="#48c"/>`,
			y, r.Case, r.Device, y-11, 120*min(ratio, 4))
		fmt.Fprintf(&b, `<text x="%.0f" y="%d">%.1f µs, %.2f x floor</text>`, 324+120*min(ratio, 4), y, r.Median(), ratio)
	}
	return b.String() + "</svg>\n"
}
