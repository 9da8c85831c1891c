package kernels

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/compiler"
)

// onHost are the programs of ours in which a SOAC runs as a loop on the host, and how many do: each calls a recursive
// function, which kernels cannot. Whoever adds to them has found something to fix.
var onHost = map[string]int{
	// Maps call recursive functions.
	"../programs/functions/recursion-parallel.fut": 4,
	"../programs/failures/recursion.fut":           1,
}

// inFewThreads are those in which something runs in few threads, and how often: each has an operator that combines arrays.
var inFewThreads = map[string]int{
	"../programs/accumulators/rows.fut":      5,
	"../programs/derivatives/adjoints.fut":   4,
	"../programs/nested/map-scan.fut":        1,
	"../programs/soacs/looped_operators.fut": 3,
}

// TestFewSOACsRunAsLoopsOnTheHost looks at all programs of ours.
func TestFewSOACsRunAsLoopsOnTheHost(t *testing.T) {
	got, few := map[string]int{}, map[string]int{}
	for _, file := range programs(t, []string{"../programs", "../../examples"}) {
		p := compile(t, file)
		if p == nil {
			continue
		}
		if n := notes(p, "host-loop"); n > 0 {
			got[filepath.ToSlash(file)] = n
		}
		if n := notes(p, "few-threads"); n > 0 {
			few[filepath.ToSlash(file)] = n
		}
	}
	if d := cmp.Diff(onHost, got); d != "" {
		t.Errorf("other loops on the host than expected (-want +got):\n%s", d)
	}
	if d := cmp.Diff(inFewThreads, few); d != "" {
		t.Errorf("other operations in few threads than expected (-want +got):\n%s", d)
	}
}

// notes counts the notes of a kind that a program gets.
func notes(p *compiler.Program, id string) int {
	n := 0
	for _, w := range p.Warnings() {
		if w.Code.ID == id {
			n++
		}
	}
	return n
}
