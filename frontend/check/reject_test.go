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
