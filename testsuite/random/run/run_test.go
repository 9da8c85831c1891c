package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// The supervisor starts its own executable, which is the test here.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "-worker") {
		main()
	}
	os.Exit(m.Run())
}

func TestWorkersShareThePrograms(t *testing.T) {
	code, err := run(options{backend: "cpu", programs: 12, workers: 3})
	if err != nil || code != 0 {
		t.Errorf("exit code %d, %v", code, err)
	}
}

func TestTimeBoundsARun(t *testing.T) {
	start := time.Now()
	code, err := run(options{backend: "core", workers: 1, limit: 500 * time.Millisecond})
	if err != nil || code != 0 {
		t.Errorf("exit code %d, %v", code, err)
	}
	if time.Since(start) < 500*time.Millisecond {
		t.Error("the run ended before its time")
	}
}

func TestAnUnknownBackendEndsTheRun(t *testing.T) {
	code, err := run(options{backend: "abacus", programs: 12, workers: 2})
	if code != 2 || err == nil || !strings.Contains(err.Error(), "a worker does not start") {
		t.Errorf("exit code %d, %v", code, err)
	}
}

func TestARunIsBounded(t *testing.T) {
	if _, err := run(options{backend: "core"}); err == nil {
		t.Error("a run without an end is accepted")
	}
}
