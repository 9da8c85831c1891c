package flatmap_test

import (
	"strings"
	"testing"

	"skald/middle/core"
	"skald/middle/flatmap"
	"skald/middle/passtest"
)

func TestGolden(t *testing.T) { passtest.Golden(t, "testdata/*.txtar", flatmap.Pass) }

// What the function of a flat map computes for the lengths is not computed again for the elements, if an array over all points can hold it.
func TestFunctionsOfFlatMapsRunOnce(t *testing.T) {
	for _, c := range []struct {
		name, operation string
		times           int
	}{
		{"filter", "mod.i32", 1},      // the flags
		{"overwritten", "mod.i64", 1}, // the loop that counts
		{"own-sizes", "scans", 3},     // the function's scan, twice, as its rows have sizes of the points' own, and that of the lengths
	} {
		prog := passtest.Input(t, "testdata/"+c.name+".txtar")
		out := core.Print(passtest.Apply(t, flatmap.Pass, prog))
		if got := strings.Count(out, c.operation); got != c.times {
			t.Errorf("%s: %s %d times, not %d:\n%s", c.name, c.operation, got, c.times, out)
		}
	}
}
