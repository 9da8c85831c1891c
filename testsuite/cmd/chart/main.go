// Command chart draws the programs of futhark-benchmarks beside Futhark: how many times as long each takes.
//
//	go run ./testsuite/cmd/chart [-csv benchmarks/suite.csv] [-svg docs/suite.svg]
//
// The CSV file has a header and a row a case: program, entry point, input, µs of Futhark, µs of skald on WebGPU and on CUDA (not a
// number where there is no right result), µs on WebGPU at an earlier commit, and how the results agree. It also prints the lines for
// BENCHMARKS.md.
package main

import (
	"cmp"
	"encoding/csv"
	"flag"
	"fmt"
	"html"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

func main() {
	from := flag.String("csv", "benchmarks/suite.csv", "the measurements")
	to := flag.String("svg", "docs/suite.svg", "the file for the chart")
	flag.Parse()
	if err := run(*from, *to); err != nil {
		fmt.Fprintln(os.Stderr, "chart:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // it is only read
	cases, err := read(in)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if err := os.WriteFile(to, []byte(draw(cases)), 0o644); err != nil {
		return err
	}
	for t := range targets {
		fmt.Println(summary(cases, t))
	}
	return nil
}

// targets are what the columns after Futhark's are of, with their colours where they are slower and where they are not.
var targets = [...]struct{ name, slower, faster string }{
	{"WebGPU", "#c60", "#282"},
	{"CUDA", "#e9b36a", "#8c8"},
}

// timing is one case: a program on an input.
type timing struct {
	name string
	// peer and ours are µs, ours by target; ours is not a number where there is no right result, and failed says what there is.
	peer   float64
	ours   [len(targets)]float64
	failed string
}

// ratio is how many times as long as Futhark's the program takes on a target.
func (t *timing) ratio(target int) float64 { return t.ours[target] / t.peer }

// read reads the cases, the slowest beside Futhark first, then those without a result.
func read(r io.Reader) ([]timing, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, err
	}
	var cases []timing
	for i, row := range rows[min(1, len(rows)):] {
		if len(row) != 8 {
			return nil, fmt.Errorf("row %d has %d fields, not 8", i+2, len(row))
		}
		t := timing{name: label(row[0], row[1], row[2])}
		var err1, err2, err3 error
		t.peer, err1 = strconv.ParseFloat(row[3], 64)
		t.ours[0], err2 = strconv.ParseFloat(row[4], 64)
		t.ours[1], err3 = strconv.ParseFloat(row[5], 64)
		if err := cmp.Or(err1, err2, err3); err != nil {
			return nil, fmt.Errorf("row %d: %w", i+2, err)
		}
		if t.peer <= 0 {
			return nil, fmt.Errorf("row %d: %g µs", i+2, t.peer)
		}
		if math.IsNaN(t.ours[0]) || math.IsNaN(t.ours[1]) || strings.HasPrefix(row[7], "WRONG") {
			t.failed = row[7]
		}
		cases = append(cases, t)
	}
	slices.SortStableFunc(cases, func(a, b timing) int {
		if a, b := a.failed != "", b.failed != ""; a != b {
			if a {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.ratio(0), b.ratio(0))
	})
	return cases, nil
}

// label names a case by the last part of the program's path.
func label(program, entry, input string) string {
	name := program[strings.LastIndexByte(program, '/')+1:]
	if entry != "main" {
		name += ":" + entry
	}
	return name + " " + input
}

// summary says how the cases with right results compare on a target: geometric mean, best, worst, and how many have none.
func summary(cases []timing, target int) string {
	var right []timing
	product := 0.0
	for _, t := range cases {
		if t.failed == "" {
			right = append(right, t)
			product += math.Log(t.ratio(target))
		}
	}
	if len(right) == 0 {
		return fmt.Sprintf("%s: %d cases, none with a right result", targets[target].name, len(cases))
	}
	byRatio := func(a, b timing) int { return cmp.Compare(a.ratio(target), b.ratio(target)) }
	best, worst := slices.MinFunc(right, byRatio), slices.MaxFunc(right, byRatio)
	return fmt.Sprintf("%s: %d of %d cases have a right result; geometric mean %.2f of Futhark's time, best %.2f (%s), worst %.1f (%s)",
		targets[target].name, len(right), len(cases), math.Exp(product/float64(len(right))), best.ratio(target), best.name,
		worst.ratio(target), worst.name)
}

// The measures of the chart, in pixels.
const (
	rowHeight = 17
	labels    = 250
	bars      = 520
	margin    = 60
	top       = 48
)

// The ends of the logarithmic scale.
const least, most = 0.125, 32.0

// at is where a ratio lies on the scale.
func at(ratio float64) float64 {
	x := math.Log(ratio/least) / math.Log(most/least)
	return labels + bars*min(max(x, 0), 1)
}

const title = "Time of skald over Futhark's (CUDA) on one NVIDIA H200: WebGPU above, CUDA below; left of 1 is faster"

// draw makes the chart as SVG: a bar a case and target from 1, which is Futhark's time.
func draw(cases []timing) string {
	var b strings.Builder
	height := top + rowHeight*len(cases) + 12
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">
<rect width="100%%" height="100%%" fill="white"/>
<text x="8" y="16" font-size="13">%s</text>
`, labels+bars+margin, height, title)
	for _, r := range []float64{0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32} {
		color := "#ddd"
		if r == 1 {
			color = "#444"
		}
		fmt.Fprintf(&b, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="%s"/><text x="%.1f" y="%d" text-anchor="middle">%g</text>
`, at(r), at(r), top-6, height-8, color, at(r), top-12, r)
	}
	for i, t := range cases {
		y := top + rowHeight*i
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text>`, labels-8, y+10, html.EscapeString(t.name))
		if t.failed != "" {
			fmt.Fprintf(&b, `<text x="%.1f" y="%d" fill="#a00">%s</text>
`, at(1)+4, y+10, html.EscapeString(t.failed))
			continue
		}
		for k, target := range targets {
			color := target.slower
			if t.ratio(k) <= 1 {
				color = target.faster
			}
			from, to := min(at(1), at(t.ratio(k))), max(at(1), at(t.ratio(k)))
			fmt.Fprintf(&b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`, from, y+1+7*k, max(to-from, 1), 6, color)
		}
		end := max(at(1), at(t.ratio(0)), at(t.ratio(1)))
		fmt.Fprintf(&b, `<text x="%.1f" y="%d">%.2g, %.2g</text>
`, end+4, y+11, t.ratio(0), t.ratio(1))
	}
	b.WriteString("</svg>\n")
	return b.String()
}
