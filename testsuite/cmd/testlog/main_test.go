package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const events = `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"A"}
{"Action":"output","Package":"p","Test":"A","Output":"=== RUN A\n"}
{"Action":"pass","Package":"p","Test":"A"}
{"Action":"output","Package":"p","Test":"B","Output":"=== RUN B\n"}
{"Action":"output","Package":"p","Test":"B","Output":"    b_test.go:1: no driver\n"}
{"Action":"output","Package":"p","Test":"B","Output":"--- SKIP: B\n"}
{"Action":"skip","Package":"p","Test":"B"}
{"Action":"output","Package":"p","Test":"C","Output":"    c_test.go:1: 1 is not 2\n"}
{"Action":"fail","Package":"p","Test":"C"}
{"Action":"output","Package":"p","Output":"FAIL\n"}
{"Action":"fail","Package":"p"}
`

// A line that is no event, such as what a crashing test binary prints, is passed over.
func TestReadCountsAndKeepsReasons(t *testing.T) {
	got := read(strings.NewReader(events + "not an event\n"))
	if got.passed != 1 || got.failed != 1 || got.skipped != 1 {
		t.Errorf("passed %d, failed %d, skipped %d; want one of each", got.passed, got.failed, got.skipped)
	}
	if diff := cmp.Diff([]string{"p B: b_test.go:1: no driver"}, got.skips); diff != "" {
		t.Errorf("skips (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"    c_test.go:1: 1 is not 2\n", "FAIL\n"}, got.failures); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
}

func TestReadKeepsWhatTheCompilerSays(t *testing.T) {
	got := read(strings.NewReader(`{"ImportPath":"p","Action":"build-output","Output":"p/x.go:1: undefined: y\n"}`))
	if diff := cmp.Diff([]string{"p/x.go:1: undefined: y\n"}, got.failures); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
}

func TestSkipWithoutReasonIsTold(t *testing.T) {
	if got := reason([]string{"=== RUN A\n", "--- SKIP: A\n"}); got != "no reason given" {
		t.Errorf("reason = %q", got)
	}
}
