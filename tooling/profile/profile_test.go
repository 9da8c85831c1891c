package profile_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"skald/tooling/bench"
	"skald/tooling/profile"
)

var sample = &bench.Profile{
	Total:  100,
	Memory: map[string]int64{"device": 4096},
	Events: []bench.Event{
		{Name: "map_1", Duration: 10, Provenance: "a.fut:9:3-20->b.fut:2:5-9"},
		{Name: "map_1", Duration: 20, Provenance: "a.fut:9:3-20->b.fut:2:5-9"},
		{Name: "reduce<2>", Duration: 40, Provenance: "a.fut:9:3-20->/prelude/soacs.fut:10:1-5", Details: map[string]any{"kernel": "x"}},
		{Name: "fill", Duration: 5, Provenance: "unknown"},
	},
}

// Times add up: by kernel, by line, and what is left of the run is not attributed.
func TestTimesAddUp(t *testing.T) {
	var b strings.Builder
	if err := profile.Summary(&b, sample); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Most memory in use (device): 4096 bytes\n",
		"Time of the run: 100.0 µs, of it in events 75.0 µs (75.0 %), not attributed 25.0 µs (25.0 %)\n",
		"        40.0   40.0%        1        40.00  reduce<2>\n        30.0   30.0%        2        15.00  map_1\n",
		"        40.0   40.0%        1        40.00  a.fut:9\n        30.0   30.0%        2        15.00  b.fut:2\n" +
			"         5.0    5.0%        1         5.00  unknown\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestTheTimelineKeepsOrderAndDetails(t *testing.T) {
	var b strings.Builder
	if err := profile.Timeline(&b, sample); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "reduce<2>\n  duration: 40.000 µs\n  at: a.fut:9:3-20->/prelude/soacs.fut:10:1-5\n  kernel: x\nfill\n") {
		t.Error(b.String())
	}
}

// The flame graph is XML; bars of the same stack are one, and their widths are shares of the run.
func TestTheFlameGraphHasABarForEachStack(t *testing.T) {
	var b strings.Builder
	if err := profile.Flame(&b, "run <1>", sample); err != nil {
		t.Fatal(err)
	}
	widths := map[string]string{}
	d, title := xml.NewDecoder(strings.NewReader(b.String())), ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.CharData:
			if strings.Contains(string(x), "µs") {
				title = string(x)
			}
		case xml.StartElement:
			for _, a := range x.Attr {
				if x.Name.Local == "rect" && a.Name.Local == "width" {
					widths[title] = a.Value
				}
			}
		}
	}
	for title, want := range map[string]string{
		"run <1>: 100.0 µs (100.0 %)": "1200.00", "a.fut:9:3-20: 70.0 µs (70.0 %)": "840.00", "b.fut:2:5-9: 30.0 µs (30.0 %)": "360.00",
		"reduce<2>: 40.0 µs (40.0 %)": "480.00", "not attributed: 25.0 µs (25.0 %)": "300.00", "fill: 5.0 µs (5.0 %)": "60.00",
	} {
		if widths[title] != want {
			t.Errorf("%q is %s wide, not %s", title, widths[title], want)
		}
	}
}
