package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// programs writes some programs into a folder.
func programs(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestTableIsMadeAndHolds(t *testing.T) {
	dir := programs(t, map[string]string{
		"a.fut": "-- ==\n-- error: nknown\n\ndef main = x\n",
		"b.fut": "-- ==\n-- input { } output { 1 }\n\ndef main : i32 = 1\n",
	})
	table := filepath.Join(t.TempDir(), "table.txt")
	if err := run(os.Stdout, dir, table, true); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(table)
	if err != nil || !strings.HasPrefix(string(text), "a.fut\tunknown-name\t") || strings.Contains(string(text), "b.fut") {
		t.Errorf("table %q, %v", text, err)
	}
	if err := run(os.Stdout, dir, table, false); err != nil {
		t.Error(err)
	}
}

func TestDifferencesFail(t *testing.T) {
	dir := programs(t, map[string]string{
		"accepted.fut": "-- ==\n-- error:\n\ndef main : i32 = 1\n",
		"other.fut":    "-- ==\n-- error:\n\ndef main : i32 = true\n",
	})
	table := filepath.Join(t.TempDir(), "table.txt")
	lines := "accepted.fut\tunknown-name\tUnknown.\ngone.fut\tunknown-name\tUnknown.\nother.fut\tunknown-name\tUnknown.\n"
	if err := os.WriteFile(table, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(&out, dir, table, false); err == nil {
		t.Error("differences are no error")
	}
	for _, want := range []string{
		"+ accepted.fut\tNOT REJECTED", "+ no such negative program", "+ other.fut\ttype-mismatch", "2 negative programs, 3 not",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("output lacks %q:\n%s", want, out.String())
		}
	}
}

// The committed table claims a reason for each program, and never a limit of skald.
func TestCommittedTableHasReasons(t *testing.T) {
	text, err := os.ReadFile("rejected.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 394 {
		t.Errorf("%d programs, want 394", len(lines))
	}
	for _, l := range lines {
		cells := strings.Split(l, "\t")
		if len(cells) != 3 || cells[1] == "" || cells[1] == "NOT REJECTED" || cells[1] == "compiler-limit" || cells[2] == "" {
			t.Errorf("%q is not a file, a code and a reason", l)
		}
	}
}
