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

// TestFewSOACsRunAsLoopsOnTheHost looks at all programs of ours.
func TestFewSOACsRunAsLoopsOnTheHost(t *testing.T) {
	got := map[string]int{}
	for _, file := range programs(t, []string{"../programs", "../../examples"}) {
		p := compile(t, file)
		if p == nil {
			continue
		}
		if n := hostLoops(p); n > 0 {
			got[filepath.ToSlash(file)] = n
		}
	}
	if d := cmp.Diff(onHost, got); d != "" {
		t.Errorf("other loops on the host than expected (-want +got):\n%s", d)
	}
}

// hostLoops counts the notes on loops on the host that a program gets.
func hostLoops(p *compiler.Program) int {
	n := 0
	for _, w := range p.Warnings() {
		if w.Code.ID == "host-loop" {
			n++
		}
	}
	return n
}
