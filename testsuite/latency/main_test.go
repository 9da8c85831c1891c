package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"skald/compiler"
)

func TestEveryCaseHasALine(t *testing.T) {
	out, err := os.Create(filepath.Join(t.TempDir(), "table"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	o := options{device: compiler.DeviceOptions{Name: "cpu"}, runs: 2, only: regexp.MustCompile(""), small: true}
	if err := run(o, out); err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Count(string(table), "\n"), 2+len(floors)+len(cases(true)); got != want {
		t.Errorf("%d lines, want %d:\n%s", got, want, table)
	}
}
