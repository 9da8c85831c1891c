package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// The program starts its own executable, which is the test here, as its workers.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "-worker") {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// folder makes a folder with programs, of which one fails.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"programs/good.fut":     "-- ==\n-- input { 2 } output { 3 }\n-- input { 3 } output { 4 }\nentry main (x: i32) = x + 1",
		"programs/wrong.fut":    "-- ==\n-- input { 2 } output { 4 }\nentry main (x: i32) = x + 1",
		"futhark-tests/one.fut": "-- ==\n-- input { [1, 2] } auto output\nentry main (xs: []i32) = map (+ 1) xs",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A run whose time is over writes what it has, and the next goes on with the rest and runs nothing twice.
func TestRunsGoOnWhereTheTimeWasOver(t *testing.T) {
	dir := folder(t)
	o := options{
		folder: dir, out: filepath.Join(dir, "results"), backends: []string{"cpu", "no-such-backend"}, suites: suiteNames,
		workers: 2, timeout: time.Minute, random: 3,
	}
	var said bytes.Buffer
	if _, err := run(&o, &said); !errors.Is(err, errUnfinished) {
		t.Fatalf("without time: %v\n%s", err, &said)
	}
	o.limit = time.Minute
	for range 2 {
		said.Reset()
		failures, err := run(&o, &said)
		if err != nil || failures != 1 {
			t.Fatalf("%d failures, %v\n%s", failures, err, &said)
		}
	}
	for _, want := range []string{
		"cpu: 6 programs before, 0 now", "| cpu | programs | 2 | 3 | 2 | 4 | 4 |", "| cpu | futhark-tests | 1 | 1 | 1 |", "| cpu | random | 3 |",
		"no-such-backend: not run: no backend is called",
	} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("no %q in\n%s", want, &said)
		}
	}
	failures, err := os.ReadFile(filepath.Join(o.out, "failures.csv"))
	if err != nil || !strings.Contains(string(failures), "wrong.fut,main,") || strings.Contains(string(failures), "good.fut") {
		t.Errorf("%v\n%s", err, failures)
	}
}

// A line that was cut off when a run was ended does not count.
func TestACutOffLineIsRunAgain(t *testing.T) {
	dir := folder(t)
	o := options{
		folder: dir, out: dir, backends: []string{"cpu"}, suites: []string{"programs"}, workers: 1, timeout: time.Minute, limit: time.Minute,
	}
	cut := `{"program":"` + filepath.Join(dir, "programs/good.fut") + `","resu`
	if err := os.WriteFile(o.resultsPath("cpu"), []byte(cut), 0o600); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	if _, err := run(&o, &said); err != nil || !strings.Contains(said.String(), "0 programs before, 2 now") {
		t.Errorf("%v\n%s", err, &said)
	}
	if done, err := o.kept("cpu"); err != nil || len(done) != 2 {
		t.Errorf("%d programs are kept, %v", len(done), err)
	}
}

// Each pass is left out on its share of the programs, and the shares have all of them.
func TestPassesAreLeftOutOnTheirShareOfThePrograms(t *testing.T) {
	dir := folder(t)
	o := options{
		folder: dir, out: filepath.Join(dir, "results"), backends: []string{"cpu"}, suites: []string{"programs"}, workers: 1,
		timeout: time.Minute, limit: time.Minute, without: []string{"tile", "layout"}, share: 2,
	}
	var said bytes.Buffer
	failures, err := run(&o, &said)
	if err != nil || failures != 1 {
		t.Fatalf("%d failures, %v\n%s", failures, err, &said)
	}
	for _, want := range []string{"| cpu-without-tile | programs | 1 | 2 | 2 |", "| cpu-without-layout | programs | 1 | 1 | 0 |"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("no %q in\n%s", want, &said)
		}
	}
	o.without, said = []string{"lower"}, bytes.Buffer{}
	if _, err := run(&o, &said); err == nil || !strings.Contains(said.String(), "cpu-without-lower: not run") {
		t.Errorf("a pass that is needed: %v\n%s", err, &said)
	}
	all := optionalPasses()
	for pass, want := range map[string]bool{"tile": true, "contract": true, "inline": false, "flatten": false} {
		if slices.Contains(all, pass) != want {
			t.Errorf("the passes that can be left out are %v: %s", all, pass)
		}
	}
}

func TestAnUnknownSuiteIsAnError(t *testing.T) {
	o := options{folder: t.TempDir(), out: t.TempDir(), suites: []string{"everything"}}
	if _, err := run(&o, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "no suite is called") {
		t.Error(err)
	}
}

func TestRandomProgramsBeginWithTheSeed(t *testing.T) {
	o := options{suites: []string{randomSuite}, random: 2, seed: 70000}
	got, err := o.programs()
	if want := []string{"random/70000", "random/70001"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}
