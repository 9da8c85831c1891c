//go:build unix

package cache

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// useFile has a cache file for one test.
func useFile(t *testing.T, path string) {
	t.Helper()
	if err := UseFile(path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cacheFile.path, cacheFile.entries = "", nil })
}

func TestACacheSaysWhyItKeepsNothing(t *testing.T) {
	writable := newCache(t)
	if err := Refused("cubin"); err != nil {
		t.Errorf("a new folder: %v", err)
	}
	if left, err := os.ReadDir(filepath.Join(writable, "cubin")); err != nil || len(left) != 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
	if err := os.Chmod(writable, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Refused("cubin"); err == nil || !strings.Contains(err.Error(), "others may write it") {
		t.Errorf("a folder of all: %v", err)
	}
	t.Setenv("SKALD_CACHE", "/dev/null/no")
	if err := Refused("cubin"); err == nil || !strings.Contains(err.Error(), "/dev/null") {
		t.Errorf("no folder: %v", err)
	}
	useFile(t, filepath.Join(t.TempDir(), "prog.cache"))
	if err := Refused("cubin"); err != nil {
		t.Errorf("a file in use: %v", err)
	}
}

// A limit of the size of files does what a full disk does: a file can be made, but not written.
func TestAFullDiskKeepsNothing(t *testing.T) {
	if os.Getenv("SKALD_FULL_DISK") != "" {
		if err := Refused("cubin"); err == nil || !strings.Contains(err.Error(), "too large") {
			t.Errorf("a full disk: %v", err)
		}
		return
	}
	dir := newCache(t)
	child := exec.Command("sh", "-c", `ulimit -f 16 && exec "$0" -test.run='^TestAFullDiskKeepsNothing$'`, os.Args[0])
	child.Env = append(os.Environ(), "SKALD_FULL_DISK=1")
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "cubin")); err != nil || len(left) != 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
}

func TestACacheFileHasWhatAProgramNeeds(t *testing.T) {
	t.Setenv("SKALD_CACHE", t.TempDir())
	if err := Write([]byte("before"), "cubin", "b"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "prog.cache")
	useFile(t, path)
	if err := Write([]byte("one\n"), "cubin", "a"); err != nil {
		t.Fatal(err)
	}
	if got := Read("cubin", "b"); string(got) != "before" {
		t.Errorf("an entry of the folder: %q", got)
	}
	// Elsewhere there is only the file, and no folder that can be made.
	t.Setenv("SKALD_CACHE", "/dev/null/no")
	useFile(t, path)
	for key, want := range map[string]string{"a": "one\n", "b": "before"} {
		if got := Read("cubin", key); string(got) != want {
			t.Errorf("%s: %q", key, got)
		}
	}
	if Read("cpu", "a") != nil {
		t.Error("an entry has another name")
	}
}

func TestWhatIsNoWholeEntryIsCutOff(t *testing.T) {
	t.Setenv("SKALD_CACHE", t.TempDir())
	path := filepath.Join(t.TempDir(), "prog.cache")
	useFile(t, path)
	for _, name := range []string{"a", "b"} {
		if err := Write(bytes.Repeat([]byte(name), 1000), "cubin", name); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("SKALD_CACHE", t.TempDir())
	for n := len(whole) - 1; n >= 0; n -= 7 {
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		useFile(t, path)
		first := len(fileMagic) + (len(whole)-len(fileMagic))/2
		if has := Read("cubin", "a") != nil; has != (n >= first) || Read("cubin", "b") != nil {
			t.Fatalf("of %d bytes: a is there: %v", n, has)
		}
		useFile(t, path)
	}
	damaged := bytes.Replace(whole, []byte("bbb"), []byte("bxb"), 1)
	if err := os.WriteFile(path, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	useFile(t, path)
	if Read("cubin", "a") == nil || Read("cubin", "b") != nil {
		t.Error("an entry whose bytes have changed is used")
	}
}

func TestOtherFilesStayAsTheyAre(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(path, []byte("1i32 is what a user keeps"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := UseFile(path); err == nil || !strings.Contains(err.Error(), "no cache file") {
		t.Errorf("another file: %v", err)
	}
	if got, _ := os.ReadFile(path); !strings.HasPrefix(string(got), "1i32") {
		t.Errorf("it has %q now", got)
	}
	if err := os.WriteFile(path, []byte(fileMagic), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := UseFile(path); err == nil || !strings.Contains(err.Error(), "others may write it") {
		t.Errorf("a file that all may write: %v", err)
	}
	if err := UseFile(t.TempDir()); err == nil {
		t.Error("a folder is taken")
	}
}
