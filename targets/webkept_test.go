package targets_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"skald/runtime/cache"
)

// runWeb opens the processor for WebAssembly and checks what a kernel computes.
func runWeb(t *testing.T) {
	t.Helper()
	a := newAdder(t, "wasm")
	a.add(1, 10)
	a.want(11)
	if len(a.warned) > 0 {
		t.Errorf("warnings %q", a.warned)
	}
}

// keptWeb lists the entries of kept WebAssembly, with the times that they were written.
func keptWeb(t *testing.T, dir string) map[string]time.Time {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "cpu", "*.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]time.Time{}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		out[f] = info.ModTime()
	}
	return out
}

// Machine code of WebAssembly is kept, and what is kept is used as long as it is what was written and nobody else may write it.
func TestMachineCodeOfWebAssemblyIsKept(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("SKIPPED: wazero interprets here")
	}
	dir := filepath.Join(t.TempDir(), "cache")
	t.Setenv("SKALD_CACHE", dir)
	t.Setenv("TMPDIR", t.TempDir())
	runWeb(t)
	first := keptWeb(t, dir)
	if len(first) != 2 { // That of the kernel, and that of the memory.
		t.Fatalf("kept: %v", first)
	}
	// again runs after something was done to the entries, which must then be written again, or not.
	again := func(what string, written bool, do func(path string)) {
		t.Helper()
		long := time.Now().Add(-time.Hour)
		for path := range first {
			if err := os.Chtimes(path, long, long); err != nil {
				t.Fatal(err)
			}
			do(path)
		}
		runWeb(t)
		for path, at := range keptWeb(t, dir) {
			if at.After(long.Add(time.Minute)) != written {
				t.Errorf("%s: %s was written at %v", what, path, at)
			}
		}
	}
	again("nothing", false, func(string) {})
	again("a changed byte", true, func(path string) { changeFile(t, path, func(b []byte) []byte { b[len(b)-1] ^= 1; return b }) })
	again("an empty file", true, func(path string) { changeFile(t, path, func([]byte) []byte { return nil }) })
	again("half a file", true, func(path string) { changeFile(t, path, func(b []byte) []byte { return b[:len(b)/2] }) })
	for _, junk := range []string{"", "x\n", "no file", "../x\njunk", strings.Repeat("0", 64) + "\njunk"} { // As if it had been kept so.
		again("junk", true, func(path string) {
			if err := cache.Write([]byte(junk), "cpu", filepath.Base(path)); err != nil {
				t.Fatal(err)
			}
			long := time.Now().Add(-time.Hour)
			if err := os.Chtimes(path, long, long); err != nil {
				t.Fatal(err)
			}
		})
	}
	if runtime.GOOS != "windows" {
		again("others may write it", true, func(path string) {
			if err := os.Chmod(path, 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// changeFile changes what is in a file.
func changeFile(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		long := time.Now().Add(-time.Hour)
		if err = os.WriteFile(path, change(data), 0o600); err == nil {
			err = os.Chtimes(path, long, long)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Devices that compile the same at the same time do not disturb each other, and places where nothing can be kept are no failures.
func TestWebAssemblyIsKeptByManyOrByNobody(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	t.Setenv("SKALD_CACHE", dir)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { runWeb(t) })
	}
	all.Wait()
	runWeb(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SKALD_CACHE", filepath.Join(file, "below"))
	runWeb(t)
	t.Setenv("TMPDIR", filepath.Join(file, "below"))
	runWeb(t)
}
