package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"skald/testsuite/depth"
)

// skaldHere makes the compiler, as people have it, once for all tests.
func skaldHere(t testing.TB) string {
	t.Helper()
	exe, err := builtSkald()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// builtFolder holds what builtSkald makes; TestMain removes it.
var builtFolder string

// builtRunner is the runner of that skald, where builtSkald keeps it.
func builtRunner() string { return filepath.Join(builtFolder, "runner") }

var builtSkald = sync.OnceValues(func() (exe string, err error) {
	if builtFolder, err = os.MkdirTemp("", "skald-test-*"); err != nil {
		return "", err
	}
	exe = filepath.Join(builtFolder, "skald")
	cmd := exec.Command("../../scripts/build.sh", exe, builtRunner())
	if runtime.GOOS == "windows" { // The script is for Unix; what go build makes is its own runner.
		exe += ".exe"
		cmd = exec.Command("go", "build", "-ldflags=-s -w", "-o", exe, ".")
	}
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return exe, nil
})

// copyTo copies a file into a folder.
func copyTo(t testing.TB, folder, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, filepath.Base(file)), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// succeed runs a command in a folder.
func succeed(t testing.TB, folder, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func TestLibrariesWorkFromC(t *testing.T) {
	depth.Need(t, depth.Full)
	cc, err := exec.LookPath("cc")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("skipped: there is no C compiler (cc), or libraries are not for this system")
	}
	dir := t.TempDir()
	copyTo(t, dir, "../../bindings/c/testdata/library.fut")
	copyTo(t, dir, "../../bindings/c/testdata/library.c")
	succeed(t, dir, skaldHere(t), "build", "--library", "library.fut", "-o", "library_")
	for _, ext := range []string{".c", ".h", ".json"} { // library.c is the program that calls it
		if err := os.Rename(filepath.Join(dir, "library_"+ext), filepath.Join(dir, map[string]string{
			".c": "prog.c", ".h": "library.h", ".json": "library.json",
		}[ext])); err != nil {
			t.Fatal(err)
		}
	}
	succeed(t, dir, cc, "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-c", "prog.c")
	succeed(t, dir, cc, "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-o", "prog", "library.c", "prog.o", "-lpthread")
	if out := succeed(t, dir, "./prog"); strings.Contains(out, "line") {
		t.Error(out)
	}
	t.Run("nothing is left after a crash", func(t *testing.T) { crashes(t, dir) })
}

// crashes ends a caller by a signal: the process of the program and the files go away.
func crashes(t *testing.T, dir string) {
	temporary := t.TempDir()
	cmd := exec.Command(filepath.Join(dir, "prog"), "crash")
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out // copied until the process of the program, which has them too, has ended
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		if err == nil {
			t.Error("the caller did not crash")
		}
	case <-time.After(30 * time.Second):
		t.Error("the process of the program goes on without its caller")
	}
	left, err := os.ReadDir(temporary)
	if err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}
