package check_test

import (
	"regexp"
	"strings"
	"testing"

	"skald/frontend/check"
	"skald/frontend/diag"
)

var statedError = regexp.MustCompile(`^--! ([a-z-]+): (.*)\n`)

func TestBadProgramsAreRejectedForTheStatedReason(t *testing.T) {
	for _, f := range archive(t, "reject.txtar") {
		t.Run(f.Name, func(t *testing.T) {
			want := statedError.FindStringSubmatch(string(f.Data))
			if want == nil {
				t.Fatal("the program states no error")
			}
			var sink diag.Sink
			check.Check(check.Files{"a.fut": string(f.Data)}, "a.fut", &sink, check.Options{})
			var all []string
			for _, d := range sink.All() {
				if d.IsError() && d.Code.ID == want[1] && strings.Contains(d.Message, want[2]) {
					return
				}
				all = append(all, d.Error())
			}
			t.Errorf("want [%s] %s, got:\n%s", want[1], want[2], strings.Join(all, "\n"))
		})
	}
}

// The two sizes have one name: notes say which is which.
func TestUnknownSizesOfOneNameAreToldApart(t *testing.T) {
	const program = "def f (xs: []i32) (ys: []i32) = map2 (+) (filter (> 0) xs) (filter (> 1) ys)\n"
	var sink diag.Sink
	check.Check(check.Files{"a.fut": program}, "a.fut", &sink, check.Options{})
	all := sink.All()
	if len(all) != 1 || len(all[0].Notes) != 2 {
		t.Fatalf("want one diagnostic with two notes, got %v", all)
	}
	for i, want := range []string{"(filter (> 0) xs)", "(filter (> 1) ys)"} {
		if got := all[0].Notes[i].Span.Text(); got != want {
			t.Errorf("note %d is about %q, not %q", i+1, got, want)
		}
	}
}
