package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// wanted is a row of what is wanted: cases that must all reach a time, or a rate.
type wanted struct {
	name  string
	cases *regexp.Regexp
	rate  [2]float64 // TFLOP/s, instead of times, in WGSL and CUDA.
	cub   [2]float64 // Multiples of what CUB takes for the same case.
}

// wantedRows are the rows that the lab is judged by. The times are those of the cases.
var wantedRows = []wanted{
	{name: "reduce + 10^8", cases: regexp.MustCompile(`^reduce/add/100000000$`)},
	{name: "mssp 10^8", cases: regexp.MustCompile(`^reduce/mssp/100000000$`)},
	{name: "scan + 10^8 in one pass", cases: regexp.MustCompile(`^scan/once/add/100000000$`)},
	{name: "scan + 10^8, reduce-then-scan", cases: regexp.MustCompile(`^scan/twice/add/100000000$`)},
	{name: "count, to 4,096 bins, any distribution", cases: regexp.MustCompile(`^count/(16|256|2048|4096)/[a-z0-9]+/20000000$`)},
	{name: "count, 65,536 bins, uniform and one key", cases: regexp.MustCompile(`^count/65536/(uniform|one)/20000000$`)},
	{name: "saturating add, to 4,096 bins, any distribution", cases: regexp.MustCompile(`^saturate/(16|256|2048|4096)/[a-z0-9]+/20000000$`)},
	{name: "saturating add, 65,536 bins, uniform and one key", cases: regexp.MustCompile(`^saturate/65536/(uniform|one)/20000000$`)},
	{name: "argmax, to 4,096 bins, any distribution", cases: regexp.MustCompile(`^argmax/(16|256|2048|4096)/[a-z0-9]+/20000000$`)},
	{name: "argmax, 65,536 bins, uniform and one key", cases: regexp.MustCompile(`^argmax/65536/(uniform|one)/20000000$`)},
	{name: "sums of f32 and i64, 4,096 bins, any distribution", cases: regexp.MustCompile(`^sum-(f32|i64)/4096/[a-z]+/20000000$`)},
	{name: "reduce and scan rows of 1,024", cases: regexp.MustCompile(`^rows/(reduce|scan)/131072x1024$`)},
	{name: "transposition 10^4 x 10^4", cases: regexp.MustCompile(`^transpose/10000x10000$`)},
	{name: "radix sort 2^26 u32", cases: regexp.MustCompile(`^sort/keys/67108864$`), cub: [2]float64{2, 1.3}},
	{name: "matrix product 4096^3 f32", cases: regexp.MustCompile(`^matmul/4096$`), rate: [2]float64{28, 40}},
}

// judgement is how a row does on a device: the case that is furthest from what is wanted.
type judgement struct {
	cases        int // How many there are, 0 if none was run.
	worst        string
	median, want float64
	wrong        bool
}

func (j *judgement) met() bool { return !j.wrong && j.median <= j.want }

// judge finds how a row does on the webgpu or cuda device.
func (w *wanted) judge(results []Result, device string) judgement {
	var j judgement
	for i := range results {
		r := &results[i]
		if r.Device != device || !w.cases.MatchString(r.Case) || r.Skip != "" {
			continue
		}
		want := w.time(r, results)
		if want == 0 {
			continue
		}
		j.cases++
		if r.Error != "" || r.Median() == 0 {
			j.wrong, j.worst = true, r.Case
		}
		if !j.wrong && (j.want == 0 || r.Median()/want > j.median/j.want) {
			j.worst, j.median, j.want = r.Case, r.Median(), want
		}
	}
	return j
}

// time is what is wanted of a result.
func (w *wanted) time(r *Result, results []Result) float64 {
	which := 0
	if r.Device == "cuda" {
		which = 1
	}
	switch {
	case w.rate[which] > 0:
		return r.Flops / w.rate[which] / 1e6
	case w.cub[which] > 0:
		beside := slices.IndexFunc(results, func(o Result) bool { return o.Device == "cub" && o.Case == r.Case })
		if beside < 0 {
			return 0
		}
		return w.cub[which] * results[beside].Median()
	}
	return r.Target
}

// summary says of each row that was run whether it is met, of histograms which need more than twice the time of uniform
// keys, and which portable times are more than 1.3 of native ones.
func (s *session) summary() string {
	var b strings.Builder
	for _, d := range []struct{ device, title string }{{"webgpu", "WGSL"}, {"cuda", "CUDA"}} {
		met, run := 0, 0
		for i := range wantedRows {
			w := &wantedRows[i]
			j := w.judge(s.results, d.device)
			if j.cases == 0 {
				continue
			}
			run++
			verdict := "missed"
			if j.met() {
				verdict = "met"
				met++
			}
			fmt.Fprintf(&b, "%-6s %-6s %-52s %8.1f of %8.1f  %s\n", d.title, verdict, w.name, j.median, j.want, j.worst)
		}
		if run > 0 {
			fmt.Fprintf(&b, "%-6s %d of %d rows met\n", d.title, met, run)
		}
	}
	for _, over := range slices.Concat(overUniform(s.results), overNative(s.results)) {
		fmt.Fprintln(&b, over)
	}
	return b.String()
}

// medians are the times of a device's right results by case.
func medians(results []Result, device string) map[string]float64 {
	by := map[string]float64{}
	for i := range results {
		if r := &results[i]; r.Device == device && r.Error == "" && r.Median() > 0 {
			by[r.Case] = r.Median()
		}
	}
	return by
}

// uneven are the distributions of keys that are held against uniform ones.
var uneven = regexp.MustCompile(`^(one|two|hot|zipf|sorted|normal\d+)$`)

// uniformTwin is the name that a histogram's case has with uniform keys, empty where a name has no other distribution in it.
func uniformTwin(name string) string {
	parts := strings.Split(name, "/")
	for i := len(parts) - 1; i > 0; i-- { // The first part is the shape.
		if uneven.MatchString(parts[i]) {
			parts[i] = "uniform"
			return strings.Join(parts, "/")
		}
	}
	return ""
}

// uniformMost is how much of the time of uniform keys any other distribution may need.
const uniformMost = 2

// overUniform names the histograms that need more than that.
func overUniform(results []Result) []string {
	var over []string
	times := map[string]map[string]float64{}
	held := 0
	for i := range results {
		r := &results[i]
		if times[r.Device] == nil {
			times[r.Device] = medians(results, r.Device)
		}
		uniform := times[r.Device][uniformTwin(r.Case)]
		if uniform == 0 || r.Median() == 0 {
			continue
		}
		held++
		if ratio := r.Median() / uniform; ratio > uniformMost {
			over = append(over, fmt.Sprintf("%s on %s: %.2f of uniform", r.Case, r.Device, ratio))
		}
	}
	if held > 0 {
		over = append(over, fmt.Sprintf("histograms within %d of uniform keys: all but %d of %d times", uniformMost, len(over), held))
	}
	return over
}

// portableMost is how much of a native time a portable one may be.
const portableMost = 1.3

// overNative names the cases whose portable time is more than that.
func overNative(results []Result) []string {
	var over []string
	native, portable := medians(results, "webgpu"), medians(results, "portable")
	for i := range results {
		if name := results[i].Case; results[i].Device == "portable" && native[name] > 0 && portable[name] > portableMost*native[name] {
			over = append(over, fmt.Sprintf("%s: portable %.2f of native", name, portable[name]/native[name]))
		}
	}
	if len(portable) > 0 {
		over = append(over, fmt.Sprintf("portable within %.1f of native: all but %d of %d cases", portableMost, len(over), len(portable)))
	}
	return over
}
