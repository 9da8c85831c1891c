package host_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"skald/runtime/host"
)

// Whoever keeps what was printed is told once: of the kernels that the first call needs, or of none when there is no call.
func TestWhatTheFirstCallNeedsIsTold(t *testing.T) {
	for _, c := range []struct {
		calls []int64
		want  string
	}{
		{nil, ""},
		{[]int64{7}, "few first"},
		{[]int64{20, 7}, "first many"},
	} {
		p := loadNarrow(t, newCompiling(), guarded)
		var told []string
		p.WhenPrinted(func(codes map[string]host.Printed) {
			names := slices.DeleteFunc(slices.Sorted(maps.Keys(codes)), func(name string) bool {
				return name == "both" || codes[name][""].Source == ""
			})
			told = append(told, strings.Join(names, " "))
		})
		for _, n := range c.calls {
			if err := callGuarded(p, n); err != nil {
				t.Fatal(err)
			}
		}
		p.Close()
		if len(told) != 1 || told[0] != c.want {
			t.Errorf("calls of %v: told %q", c.calls, told)
		}
	}
}
