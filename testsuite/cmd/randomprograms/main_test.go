package main

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"skald/testsuite/depth"
)

// The supervisor starts its own executable, which is the test here.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "-worker") {
		main()
	}
	os.Exit(m.Run())
}

func TestWorkersShareThePrograms(t *testing.T) {
	code, err := run(t.Context(), options{backend: "cpu", programs: 12, workers: 3, patience: time.Minute})
	if err != nil || code != 0 {
		t.Errorf("exit code %d, %v", code, err)
	}
}

// The programs agree on every device that a machine without a GPU has. Each begins at another seed, so that together they try more.
func TestRandomProgramsAgreeOnSoftwareDevices(t *testing.T) {
	depth.Need(t, depth.Full)
	for _, c := range []struct {
		backend    string
		seed       uint64
		full, deep int
	}{
		{"cpu", 1_000_000, 20, 100_000}, // testsuite/random has 120 on this device.
		{"native-lavapipe", 2_000_000, 5, 3_000},
		{"portable-swiftshader", 3_000_100, 5, 2_000}, // SwiftShader's compiler takes 20 s for 3,000,001.
		{"dawn-swiftshader", 4_000_000, 5, 1_000},
	} {
		t.Run(c.backend, func(t *testing.T) {
			o := options{
				backend: c.backend, seed: c.seed, programs: depth.Choose(0, c.full, c.deep), workers: runtime.NumCPU(),
				limit: time.Duration(depth.Choose(0, 30, 180)) * time.Second, shrink: 300, patience: 3 * time.Minute,
			}
			if code, err := run(t.Context(), o); err != nil || code != 0 {
				t.Errorf("exit code %d, %v", code, err)
			}
		})
	}
}

func TestTimeBoundsARun(t *testing.T) {
	start := time.Now()
	code, err := run(t.Context(), options{backend: "core", workers: 1, limit: 500 * time.Millisecond, patience: time.Minute})
	if err != nil || code != 0 {
		t.Errorf("exit code %d, %v", code, err)
	}
	if time.Since(start) < 500*time.Millisecond {
		t.Error("the run ended before its time")
	}
}

func TestAnInterruptedRunEndsAtOnce(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	start := time.Now()
	code, err := run(ctx, options{backend: "core", workers: 2, limit: time.Hour, patience: time.Hour})
	if err != nil || code != interruptedCode || time.Since(start) > time.Minute {
		t.Errorf("exit code %d, %v, after %v", code, err, time.Since(start))
	}
}

func TestAWorkerThatTakesTooLongIsReplaced(t *testing.T) {
	code, err := run(t.Context(), options{backend: "cpu", programs: 3, workers: 1, patience: time.Nanosecond})
	if err != nil || code != 1 {
		t.Errorf("exit code %d, %v", code, err)
	}
}

func TestAnUnknownBackendEndsTheRun(t *testing.T) {
	code, err := run(t.Context(), options{backend: "abacus", programs: 12, workers: 2})
	if code != 2 || err == nil || !strings.Contains(err.Error(), "a worker does not start") {
		t.Errorf("exit code %d, %v", code, err)
	}
}

func TestARunIsBounded(t *testing.T) {
	if _, err := run(t.Context(), options{backend: "core"}); err == nil {
		t.Error("a run without an end is accepted")
	}
}
