package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"skald/runtime/bundle"
)

// TestMain makes the test binary a skald for the scripts. What that builds is a copy of the test binary with a program behind it,
// and runs the program.
func TestMain(m *testing.M) {
	if self, err := os.Executable(); err == nil {
		if _, err := bundle.Open(self); err == nil {
			main()
		}
	}
	testscript.Main(m, map[string]func(){"skald": main})
}

// TestScripts runs the command line as processes, as people do. `exits CODE COMMAND ARGUMENTS` asserts a command's exit code.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGUMENTS]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var status *exec.ExitError
		if !errors.As(err, &status) {
			ts.Fatalf("%v", err)
		}
		got = status.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d is wanted, got %d", want, got)
	}
}

// BenchmarkCheckProcess measures whole processes, for which the issue of a program's start-up sets limits: 40 ms for an
// empty file, 50 ms for a small program.
func BenchmarkCheckProcess(b *testing.B) {
	dir := b.TempDir()
	skald := filepath.Join(dir, "skald")
	if out, err := exec.Command("go", "build", "-o", skald, ".").CombinedOutput(); err != nil {
		b.Skipf("skipped: skald cannot be built: %v\n%s", err, out)
	}
	for _, c := range []struct{ name, text string }{
		{"empty", ""},
		{"small", "def main [n] (xs: [n]i32) (ys: [n]i32) : i32 = reduce (+) 0 (map2 (*) xs ys)\n"},
	} {
		file := filepath.Join(dir, c.name+".fut")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if out, err := exec.Command(skald, "check", file).CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
			}
		})
	}
}
