package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// measured are results of which one row is met and one missed, of one histogram much slower than uniform keys, and of
// one portable time over what is wanted.
var measured = []Result{
	{Case: "sort/keys/67108864", Device: "cub", Times: []float64{100}},
	{Case: "sort/keys/67108864", Device: "cuda", Times: []float64{129}},
	{Case: "sort/keys/67108864", Device: "webgpu", Times: []float64{150}},
	{Case: "count/4096/uniform/20000000", Device: "webgpu", Bytes: 80, Times: []float64{50}, Target: 60, Floor: 40},
	{Case: "count/4096/one/20000000", Device: "webgpu", Bytes: 80, Times: []float64{101}, Target: 60, Floor: 40},
	{Case: "count/4096/one/20000000", Device: "portable", Bytes: 80, Times: []float64{132}, Floor: 40},
	{Case: "count/4096/one/1000", Device: "webgpu", Bytes: 80, Times: []float64{1000}, Target: 60, Floor: 40},
}

func TestSummaryJudgesRowsByTheirWorstCase(t *testing.T) {
	s := session{options: &options{}, results: measured}
	want := `WGSL   missed count, to 4,096 bins, any distribution                  101.0 of     60.0  count/4096/one/20000000
WGSL   met    radix sort 2^26 u32                                     150.0 of    200.0  sort/keys/67108864
WGSL   1 of 2 rows met
CUDA   met    radix sort 2^26 u32                                     129.0 of    130.0  sort/keys/67108864
CUDA   1 of 1 rows met
count/4096/one/20000000 on webgpu: 2.02 of uniform
histograms within 2 of uniform keys: all but 1 of 1 times
count/4096/one/20000000: portable 1.31 of native
portable within 1.3 of native: all but 1 of 1 cases
`
	if diff := cmp.Diff(want, s.summary()); diff != "" {
		t.Error(diff)
	}
}

func TestARowWithAWrongResultIsMissed(t *testing.T) {
	w := wantedRows[0]
	j := w.judge([]Result{{Case: "reduce/add/100000000", Device: "cuda", Times: []float64{1}, Target: 102, Error: "wrong"}}, "cuda")
	if j.cases != 1 || j.met() {
		t.Errorf("a wrong result is judged %+v", j)
	}
}

func TestEveryWantedRowHasCasesWithATime(t *testing.T) {
	all := cases(fullSizes, families)
	for _, w := range wantedRows {
		found := false
		for _, c := range all {
			found = found || w.cases.MatchString(c.Name) && (c.Target[0]+w.rate[0]+w.cub[0] > 0)
		}
		if !found {
			t.Errorf("no case with a time is in the row %q", w.name)
		}
	}
}

func TestPictureIsXMLWithABarForEachResultThatHasAFloor(t *testing.T) {
	d := xml.NewDecoder(strings.NewReader(svg(measured)))
	bars := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "title" {
			bars++
		}
	}
	if bars != 4 {
		t.Errorf("the picture has %d bars, want 4", bars)
	}
}

func TestProgressSaysWhatIsLeft(t *testing.T) {
	p := progress{total: 4, done: 2}
	want := "[#####...............] 2 of 4  scan on cuda  10s, 30s left"
	if got := p.line("scan", "cuda", 10*time.Second); got != want {
		t.Errorf("the line is %q, want %q", got, want)
	}
}

// TestEveryHistogramIsTimedWithEveryDistribution looks for the twins that uniform keys are held against.
func TestEveryHistogramIsTimedWithEveryDistribution(t *testing.T) {
	for _, of := range []sizes{guaranteedSizes, fullSizes} {
		kinds := map[string][]string{}
		for _, c := range cases(of, []func(sizes) []Case{histogramCases, shapeCases}) {
			name := uniformTwin(c.Name)
			if name == "" {
				kinds[c.Name] = append(kinds[c.Name], "uniform")
				continue
			}
			kinds[name] = append(kinds[name], c.Name)
		}
		for name, found := range kinds {
			most := len(everyDistribution)
			if strings.Contains(name, fmt.Sprintf("/%d/", normalBins)) { // The benchmarks have four other kinds of keys there.
				most = 5
			}
			if len(found) < most || !slices.Contains(found, "uniform") {
				t.Errorf("%s is timed with %v", name, found)
			}
		}
	}
}

func TestTwinOfACaseHasUniformKeys(t *testing.T) {
	for name, want := range map[string]string{
		"sorted/argmax-read/4096/sorted/20000000":           "sorted/argmax-read/4096/uniform/20000000",
		"sorted/argmax-read/4096/uniform/20000000":          "",
		"segmented/count/regular/20000of1000/64/hot/team64": "segmented/count/regular/20000of1000/64/uniform/team64",
		"count/2048/normal512/20000000":                     "count/2048/uniform/20000000",
		"scan/once/add/100000000":                           "",
	} {
		if got := uniformTwin(name); got != want {
			t.Errorf("the twin of %s is %q, want %q", name, got, want)
		}
	}
}
