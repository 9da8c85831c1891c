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

// record is what the file of results holds.
type record struct {
	Date    string            `json:"date"`
	Runs    int               `json:"runs"`
	Devices map[string]string `json:"devices"` // What each says of itself.
	Results []Result          `json:"results"`
}

// save writes the results to the files that are named.
func (s *session) save() error {
	if s.json != "" {
		data, err := json.MarshalIndent(record{today(), s.runs, s.devices, s.results}, "", "  ")
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

func today() string { return time.Now().UTC().Format(time.DateOnly) }

// column is one of the table's, with the device whose times stand in it.
type column struct{ title, device string }

// columns are those of the table.
var columns = []column{
	{"WGSL native", "webgpu"},
	{"CUDA", "cuda"},
	{"WGSL portable", "portable"},
	{"Dawn", "dawn"},
	{"guaranteed limits", "guaranteed"},
	{"CUB", "cub"},
}

// table prints the results as Markdown: what was wanted, then a row a case, and those with guaranteed limits apart, as
// their sizes differ. Times that miss what is wanted are in italics.
func (s *session) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d runs after 3 to warm up.", today(), s.runs)
	for _, d := range slices.Sorted(maps.Keys(s.devices)) {
		fmt.Fprintf(&b, " %s: %s.", d, s.devices[d])
	}
	b.WriteString("\n\n" + wantedTable(s.results))
	isGuaranteed := func(r Result) bool { return r.Device == "guaranteed" }
	b.WriteString(casesTable(slices.DeleteFunc(slices.Clone(s.results), isGuaranteed)))
	if i := slices.IndexFunc(s.results, isGuaranteed); i >= 0 {
		b.WriteString("\n" + casesTable(slices.DeleteFunc(slices.Clone(s.results), func(r Result) bool { return !isGuaranteed(r) })))
	}
	return b.String()
}

// casesTable prints results, a row a case.
func casesTable(results []Result) string {
	by := map[string]map[string]*Result{}
	var names []string
	present := map[string]bool{}
	slices.SortStableFunc(results, func(a, b Result) int { // What stands beside gives rows only where nothing else does.
		return cmp.Compare(strings.Index(a.Device, "cub"), strings.Index(b.Device, "cub"))
	})
	for i := range results {
		r := &results[i]
		if by[r.Case] == nil {
			by[r.Case] = map[string]*Result{}
			names = append(names, r.Case)
		}
		by[r.Case][r.Device] = r
		present[r.Device] = true
	}
	shown := slices.DeleteFunc(slices.Clone(columns), func(c column) bool { return !present[c.device] })
	var b strings.Builder
	b.WriteString("| case | floor |")
	for _, c := range shown {
		b.WriteString(" " + c.title + " |")
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(shown)) + "\n")
	for _, n := range names {
		floor := ""
		for _, r := range by[n] {
			if r.Floor > 0 {
				floor = fmt.Sprintf("%.0f", r.Floor)
			}
		}
		fmt.Fprintf(&b, "| %s | %s |", n, floor)
		for _, c := range shown {
			b.WriteString(" " + cell(by[n][c.device], by[n]["webgpu"], by[uniformTwin(n)][c.device]) + " |")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// cell is a result in the table: median, minimum and maximum, and the time that was wanted. Portable times
// are wanted within portableMost of native ones, those of histograms within uniformMost of that with uniform keys.
func cell(r, native, uniform *Result) string {
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
		if ratio := r.Median() / native.Median(); ratio > portableMost {
			text += fmt.Sprintf(", *%.1f of native*", ratio)
		}
	case r.Target > 0 && r.Median() <= r.Target:
		text += fmt.Sprintf(", **%.0f**", r.Target)
	case r.Target > 0:
		text += fmt.Sprintf(", *missed %.0f*", r.Target)
	}
	if uniform != nil && uniform.Median() > 0 {
		if ratio := r.Median() / uniform.Median(); ratio > uniformMost {
			text += fmt.Sprintf(", *%.1f of uniform*", ratio)
		}
	}
	return text
}
