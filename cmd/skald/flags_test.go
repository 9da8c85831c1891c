package main

import (
	"runtime"
	"strconv"
	"testing"
)

func TestProgramsAreTestedOnAllCores(t *testing.T) {
	if got, want := newTest().Flags().Lookup("concurrency").DefValue, strconv.Itoa(runtime.NumCPU()); got != want {
		t.Errorf("--concurrency is %s unless given, not %s", got, want)
	}
}
