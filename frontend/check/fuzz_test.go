package check_test

import (
	"testing"

	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/types"
)

// FuzzCheck looks for source texts that make the checker panic, or that it accepts with a typed program that breaks the invariants.
func FuzzCheck(f *testing.F) {
	for _, name := range []string{"testdata/types.txtar", "testdata/reject.txtar"} {
		for _, file := range archiveFiles(name) {
			f.Add(string(file.Data))
		}
	}
	for _, code := range diag.Codes() {
		f.Add(code.Example)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4000 {
			return
		}
		var sink diag.Sink
		prog, ok := check.Check(check.Files{"a.fut": text}, "a.fut", &sink, check.Options{})
		if !ok {
			return
		}
		if err := types.Verify(prog); err != nil {
			t.Error(err)
		}
	})
}
