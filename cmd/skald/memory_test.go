package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"testing"

	"skald/compiler"
	"skald/frontend/check"
)

// An executable needs little more memory than its arrays have. On the processor, where a device's memory is the process's own, that
// is 1.2 times the arguments and results: neither is in memory a second time.
func TestPeakMemoryIsThatOfTheArrays(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: the peak is read from /proc")
	}
	const bytes = 160 << 20 // of the argument, and of the result
	cmd := exec.Command(executable(t, "def main (xs: []u32) : []u32 = map (+ 1) xs\n"), "--device", "cpu", "--binary-output")
	cmd.Env = append(os.Environ(), "GOGC=", "GOMEMLIMIT=") // scripts/test.sh has other ones.
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer in.Close()
		w := bufio.NewWriterSize(in, 1<<16)
		_, _ = w.Write(binary.LittleEndian.AppendUint64([]byte("b\x02\x01 u32"), bytes/4))
		var word [4]byte
		for i := range uint32(bytes / 4) {
			binary.LittleEndian.PutUint32(word[:], i)
			_, _ = w.Write(word[:]) // A program that ends early shows in what it writes.
		}
		_ = w.Flush()
	}()
	r := bufio.NewReaderSize(out, 1<<16)
	if _, err := r.Discard(15); err != nil {
		t.Fatal(err)
	}
	peak := 0
	var word [4]byte
	for i := range uint32(bytes / 4) {
		if i == (bytes-bytes/8)/4 { // the process still has more to write than a pipe holds
			peak = peakOf(t, cmd.Process.Pid)
		}
		if _, err := io.ReadFull(r, word[:]); err != nil {
			t.Fatal(err)
		}
		if got := binary.LittleEndian.Uint32(word[:]); got != i+1 {
			t.Fatalf("element %d is %d", i, got)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if peak > 2*bytes+bytes/2 { // The process itself has some 50 MiB; a copy would have as much as an array.
		t.Errorf("the peak is %d MiB, the arrays have %d", peak>>20, 2*bytes>>20)
	}
}

// executable builds a program; what runs it is the binary of this test.
func executable(t *testing.T, text string) string {
	t.Helper()
	prog, sink, ok := compiler.Check("a.fut", compiler.CheckOptions{Loader: check.Files{"a.fut": text}})
	if !ok {
		t.Fatal(sink.Sorted()[0].Message)
	}
	compiled, d := compiler.Compile(prog, compiler.CompileOptions{DumpDir: t.TempDir()})
	if d != nil {
		t.Fatal(d.Message)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "prog")
	if err := compiled.WriteExecutable(path, self); err != nil {
		t.Fatal(err)
	}
	return path
}

var highWater = regexp.MustCompile(`VmHWM:\s*(\d+) kB`)

// peakOf is the most memory that a process has had so far, in bytes.
func peakOf(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	m := highWater.FindSubmatch(status)
	if m == nil {
		t.Fatalf("no peak in %s", status)
	}
	kib, _ := strconv.Atoi(string(m[1])) // The pattern matches digits only.
	return kib << 10
}
