package compiler_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/compiler"
)

// onHost are the programs of ours in which a SOAC runs as a loop on the host, and how many do: each calls a recursive
// function, which kernels cannot. Whoever adds to them has found something to fix.
var onHost = map[string]int{
	// Maps call recursive functions.
	"testsuite/programs/functions/recursion-parallel.fut": 4,
	"testsuite/programs/failures/recursion.fut":           1,
}

// TestFewSOACsRunAsLoopsOnTheHost compiles all programs of ours.
func TestFewSOACsRunAsLoopsOnTheHost(t *testing.T) {
	got := map[string]int{}
	for _, root := range []string{"testsuite/programs", "examples"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".fut" || strings.Contains(path, "rejected") {
				return err
			}
			if n := hostLoops(t, path); n > 0 {
				got[filepath.ToSlash(path)] = n
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(onHost, got); d != "" {
		t.Errorf("other loops on the host than expected (-want +got):\n%s", d)
	}
}

// hostLoops counts the notes on loops on the host that a program gets; programs that do not compile have none.
func hostLoops(t *testing.T, path string) int {
	prog, _, ok := compiler.Check(path, compiler.CheckOptions{})
	if !ok {
		return 0
	}
	p, d := compiler.Compile(prog, compiler.CompileOptions{DumpDir: t.TempDir()})
	if d != nil {
		return 0
	}
	n := 0
	for _, w := range p.Warnings() {
		if w.Code.ID == "host-loop" {
			n++
		}
	}
	return n
}
