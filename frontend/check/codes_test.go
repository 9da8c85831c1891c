package check_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"skald/frontend/check"
	"skald/frontend/diag"
)

// documented lists the codes of this package: those that are declared when it and what it imports are linked.
func documented() []*diag.Code { return diag.Codes() }

func TestEveryExampleGetsItsDiagnostic(t *testing.T) {
	for _, code := range documented() {
		if code.Example == "" {
			continue
		}
		t.Run(code.ID, func(t *testing.T) {
			var sink diag.Sink
			check.Check(check.Files{"a.fut": code.Example + "\n"}, "a.fut", &sink, check.Options{})
			for _, d := range sink.All() {
				if d.Code != code {
					continue
				}
				if d.IsError() && d.Hint == "" {
					t.Errorf("nothing says how to fix\n%s", code.Example)
				}
				return
			}
			t.Errorf("program\n%s\ngets", code.Example)
			for _, d := range sink.All() {
				t.Errorf("  %s", d.Error())
			}
		})
	}
}

func TestEveryCodeUsedIsDocumented(t *testing.T) {
	used := regexp.MustCompile(`(?:fail|failMatch|mismatch|failNote|warn|Warn|report|firstOrder)\([^"\n]*"([a-z]+(?:-[a-z]+)+)"`)
	for _, dir := range []string{".", "sizes", "../consume"} {
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range used.FindAllStringSubmatch(string(text), -1) {
				if diag.Lookup(m[1]) == nil {
					t.Errorf("%s: code %q is not in the tables", name, m[1])
				}
			}
		}
	}
}
