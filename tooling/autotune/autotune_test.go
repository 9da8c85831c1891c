package autotune

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"skald/tooling/bench"
)

func TestTheIntervalOfAChange(t *testing.T) {
	equal := make([]float64, 20)
	before, after := make([]float64, 20), make([]float64, 20)
	for i := range before {
		equal[i], before[i], after[i] = 100, 100, float64(101+i)
	}
	for _, c := range []struct {
		before, after []float64
		want          Change
	}{
		{equal, equal, Change{1, 1, 1}},
		// Of 20 throws fewer than 6 are heads in 21,700 of 2^20 cases, fewer than 7 in 60,460: so the interval is from the 6th to the 15th.
		{before, after, Change{1.11, 1.06, 1.15}},
		// Of six pairs the interval is that of all.
		{before[:6], after[:6], Change{1.04, 1.01, 1.06}},
	} {
		if got := changeOf(c.before, c.after); got != c.want {
			t.Errorf("changeOf(%v, %v) = %v, not %v", c.before, c.after, got, c.want)
		}
	}
}

func TestWhatIsGivenBack(t *testing.T) {
	same, faster, slower := Change{1, 0.9, 1.1}, Change{0.5, 0.4, 0.6}, Change{1.5, 1.1, 2}
	never := Change{math.Inf(1), math.Inf(1), math.Inf(1)}
	for _, c := range []struct {
		what string
		sets []Change
		met  []string
		want string
	}{
		{"a win is kept", []Change{faster}, []string{"a b"}, "a b"},
		{"what wins nothing is not", []Change{same, faster}, []string{"a", "b"}, "b"},
		{"what makes one slower is not, though another is faster", []Change{faster, slower}, []string{"a b", "b c"}, "a"},
		{"what fails is slower", []Change{faster, never}, []string{"a", "a"}, ""},
		{"a set that meets none decides nothing", []Change{faster, slower}, []string{"a", ""}, "a"},
	} {
		tuned := map[string]int64{"a": 1, "b": 2, "c": 3}
		var sets []Dataset
		var met []map[string]bool
		for i, change := range c.sets {
			sets = append(sets, Dataset{Change: change})
			met = append(met, map[string]bool{})
			for _, name := range strings.Fields(c.met[i]) {
				met[i][name] = true
			}
		}
		giveBack(tuned, sets, met)
		if got := strings.Join(slices.Sorted(maps.Keys(tuned)), " "); got != c.want {
			t.Errorf("%s: %q is left, not %q", c.what, got, c.want)
		}
	}
}

// load is a program of nested parallelism on the processor.
func load(t *testing.T) *bench.Loaded {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "p.fut")
	must(os.WriteFile(file, []byte(`-- ==
-- random input { [4][1000]f64 }
-- random input { [1000][4]f64 }
def main (xss: [][]f64): []f64 = map (\xs -> f64.sum (scan (+) 0 xs)) xss
`), 0o600))
	p, err := bench.Read(file, bench.Selection{})
	must(err)
	o, err := bench.Options("cpu", nil)
	must(err)
	m, _, err := bench.Open("cpu", o)
	must(err)
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	l, err := m.Load(p)
	must(err)
	t.Cleanup(l.Host.Close)
	return l
}

func TestASearchEndsWithNothingSlower(t *testing.T) {
	l := load(t)
	var said []string
	say := func(format string, _ ...any) { said = append(said, format) }
	out, err := Tune(t.Context(), l, l.Cases, Options{Runs: 2, Timeout: time.Minute, Say: say})
	if err != nil {
		t.Fatal(err)
	}
	if out.Met == 0 || len(out.Datasets) != 2 || !slices.Contains(said, "%s with %s=%d: %.0f µs") {
		t.Fatalf("nothing was searched: %+v, %q", out, said)
	}
	faster := false
	for _, d := range out.Datasets {
		faster = faster || d.Change.Faster()
		if len(out.Values) > 0 && d.Change.Slower() {
			t.Errorf("%s is slower with what was found: %+v", d.Name, d)
		}
	}
	if len(out.Values) > 0 && !faster {
		t.Errorf("values are set that win nothing: %+v", out)
	}
	if err := l.Host.TuneAll(out.File(), false); err != nil {
		t.Errorf("the file is not one that programs read: %v", err)
	}
}

func TestASearchWithoutBudgetKeepsDefaults(t *testing.T) {
	l := load(t)
	out, err := Tune(t.Context(), l, l.Cases, Options{Runs: 1, Timeout: time.Minute, Budget: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Values) != 0 || out.File() != "" || len(out.Datasets) != 2 {
		t.Errorf("%+v", out)
	}
}
