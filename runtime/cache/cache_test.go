package cache

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// newCache points the cache at a new folder.
func newCache(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "cache")
	t.Setenv("SKALD_CACHE", dir)
	return dir
}

func write(t *testing.T, data string, path ...string) string {
	t.Helper()
	file := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// fetched makes a folder as the fetching scripts leave it, with one library.
func fetched(t *testing.T, dir, content string) string {
	t.Helper()
	lib := write(t, content, dir, "webgpu", "native", "lib.so")
	write(t, fmt.Sprintf("%x  lib.so\n", sha256.Sum256([]byte(content))), dir, "webgpu", "native", "SHA256SUMS")
	return lib
}

func TestAnEntryIsReadAsItWasWritten(t *testing.T) {
	dir := newCache(t)
	if got := Read("cubin", "a"); got != nil {
		t.Errorf("an empty cache has %q", got)
	}
	if err := Write([]byte("machine code"), "cubin", "a"); err != nil {
		t.Fatal(err)
	}
	if got := Read("cubin", "a"); string(got) != "machine code" {
		t.Errorf("read %q", got)
	}
	if err := os.Rename(filepath.Join(dir, "cubin", "a"), filepath.Join(dir, "cubin", "b")); err != nil {
		t.Fatal(err)
	}
	if got := Read("cubin", "b"); got != nil {
		t.Errorf("an entry was taken for another: %q", got)
	}
}

func TestADamagedEntryIsNotThere(t *testing.T) {
	dir := newCache(t)
	if err := Write([]byte("machine code"), "cubin", "a"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "cubin", "a")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		damaged := append([]byte(nil), whole...)
		damaged[i] ^= 0x40
		write(t, string(damaged), path)
		if got := Read("cubin", "a"); got != nil {
			t.Fatalf("byte %d changed: read %q", i, got)
		}
		write(t, string(whole[:i]), path)
		if got := Read("cubin", "a"); got != nil {
			t.Fatalf("cut off at %d: read %q", i, got)
		}
	}
}

func TestAPlacedFileHasItsBytesAgain(t *testing.T) {
	newCache(t)
	path, err := Place([]byte("library"), "bundle", "lib.so")
	if err != nil {
		t.Fatal(err)
	}
	write(t, "LIBRARY", path) // Of the same length.
	if again, err := Place([]byte("library"), "bundle", "lib.so"); err != nil || again != path {
		t.Fatalf("placed at %s, then %s: %v", path, again, err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "library" {
		t.Errorf("the file has %q, %v", got, err)
	}
}

func TestAFetchedFileIsVerifiedByItsSum(t *testing.T) {
	dir := newCache(t)
	lib := fetched(t, dir, "library")
	if err := Verify(lib); err != nil {
		t.Errorf("a good file: %v", err)
	}
	if err := VerifyFolder(filepath.Dir(lib)); err != nil {
		t.Errorf("a good folder: %v", err)
	}
	write(t, "LIBRARY", lib)
	for _, err := range []error{Verify(lib), VerifyFolder(filepath.Dir(lib))} {
		if err == nil || !strings.Contains(err.Error(), "SHA-256") {
			t.Errorf("another file of the same length: %v", err)
		}
	}
	other := write(t, "library", dir, "webgpu", "native", "other.so")
	if err := Verify(other); err == nil || !strings.Contains(err.Error(), "not listed") {
		t.Errorf("a file without a sum: %v", err)
	}
	if err := Verify(write(t, "library", dir, "webgpu", "none", "lib.so")); err == nil {
		t.Error("a folder without sums is verified")
	}
	if err := Verify(write(t, "library", t.TempDir(), "lib.so")); err == nil {
		t.Error("a file outside of the cache is verified")
	}
}

// What is remembered of a file takes the place of reading it as long as nobody changes the file.
func TestAVerifiedFileIsReadAgainWhenItHasChanged(t *testing.T) {
	dir := newCache(t)
	lib := fetched(t, dir, "library")
	remembered := func() int { return len(Glob(verifiedFolder, "*")) }
	if err := Verify(lib); err != nil || remembered() != 0 {
		t.Errorf("%d files are remembered that were changed just now, %v", remembered(), err)
	}
	defer func(d time.Duration) { settled = d }(settled)
	settled = -time.Hour
	if err := Verify(lib); err != nil || remembered() != 1 {
		t.Fatalf("%d files are remembered, %v", remembered(), err)
	}
	entry := Glob(verifiedFolder, "*")[0]
	good, err := os.ReadFile(entry)
	if err != nil {
		t.Fatal(err)
	}
	change := func(content string) {
		time.Sleep(50 * time.Millisecond) // The clock of a file system has coarse ticks.
		write(t, content, lib)
	}
	change("LIBRARY")
	if err := Verify(lib); err == nil {
		t.Error("a changed file is taken for the one that was verified")
	}
	change("library")
	if err := Verify(lib); err != nil {
		t.Error(err)
	}
	if again, err := os.ReadFile(entry); err != nil || bytes.Equal(again, good) {
		t.Errorf("the file that took its place is not remembered, %v", err)
	}

	// That nothing is read shows where the wrong thing is remembered.
	change("LIBRARY")
	state, _, err := stateOf(lib)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%x %s", sha256.Sum256([]byte("library")), state)
	if err := toFolder([]byte(want), []string{verifiedFolder, filepath.Base(entry)}); err != nil {
		t.Fatal(err)
	}
	if err := Verify(lib); err != nil {
		t.Errorf("a remembered file is read: %v", err)
	}
	if err := os.Chmod(filepath.Dir(entry), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Verify(lib); err == nil && runtime.GOOS != "windows" {
		t.Error("what others may have written is taken for remembered")
	}
}

func TestWhatOthersMayWriteIsNotUsed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: files have no mode")
	}
	dir := newCache(t)
	lib := fetched(t, dir, "library")
	if err := Write([]byte("code"), "webgpu", "native", "entry"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{lib, filepath.Dir(lib), dir, filepath.Join(filepath.Dir(lib), "SHA256SUMS")} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, open := range []os.FileMode{0o020, 0o002} {
			if err := os.Chmod(path, info.Mode().Perm()|open); err != nil {
				t.Fatal(err)
			}
			if err := Verify(lib); err == nil || !strings.Contains(err.Error(), "others may write") {
				t.Errorf("%s with mode %o more: %v", path, open, err)
			}
			if info.IsDir() && Read("webgpu", "native", "entry") != nil {
				t.Errorf("%s with mode %o more: an entry below it is used", path, open)
			}
		}
		if err := os.Chmod(path, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can change owners of files")
	}
	if err := os.Lchown(lib, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if err := Verify(lib); err == nil || !strings.Contains(err.Error(), "another user") {
		t.Errorf("a file of another user: %v", err)
	}
}

func TestContainsKnowsTheCachesPaths(t *testing.T) {
	dir := newCache(t)
	for path, want := range map[string]bool{
		filepath.Join(dir, "webgpu", "lib.so"): true, dir + "2": false, filepath.Join(dir, "..", "lib.so"): false, "lib.so": false,
	} {
		if Contains(path) != want {
			t.Errorf("Contains(%q) is not %v", path, want)
		}
	}
}
