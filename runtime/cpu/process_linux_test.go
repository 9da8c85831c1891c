package cpu

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A compiler does not outlive the process that runs it, even if that is killed: this test is both processes.
func TestCompilerEndsWithTheProcess(t *testing.T) {
	const variable = "SKALD_TEST_COMPILER"
	if path := os.Getenv(variable); path != "" {
		_, err := (&compiler{path: path, timeout: time.Minute}).compile("x")
		t.Fatalf("the compiler ended: %v", err)
	}
	started := filepath.Join(t.TempDir(), "started")
	cmd := exec.Command(os.Args[0], "-test.run=^TestCompilerEndsWithTheProcess$")
	cmd.Env = append(os.Environ(), variable+"="+script(t, "echo $$ > "+started+"; exec sleep 60"), "TMPDIR="+t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := 0
	within(t, "the compiler is not started", func() bool {
		text, _ := os.ReadFile(started)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return pid != 0
	})
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // that it was killed
	within(t, "the compiler goes on", func() bool {
		// It may wait, as a zombie, for a parent that never asks.
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return err != nil || bytes.Contains(stat, []byte(") Z "))
	})
}

// within waits for what is to happen soon.
func within(t *testing.T, otherwise string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !happened(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(otherwise)
		}
	}
}
