package webgpu

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// kept lists the entries that a library has stored.
func kept(t *testing.T, cache string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(cache, blobFolder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// opensWithCache compiles a kernel with Dawn on a device of its own, and says how many entries were asked for and found.
func opensWithCache(t *testing.T, library string) (found int) {
	t.Helper()
	d, err := Open(Options{Library: library, Driver: "swiftshader"})
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	defer d.Close()
	build(t, d, scaleKernel)
	return int(d.blobs.found.Load())
}

// dawnAlone returns the path of Dawn and makes an empty cache, in which the drivers are found nonetheless.
func dawnAlone(t *testing.T) (library, dir string) {
	t.Helper()
	paths := FindLibraries(Options{Library: "dawn"})
	if len(paths) == 0 {
		t.Skip("SKIPPED: Dawn is not there")
	}
	drivers, err := filepath.Abs(filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(paths[0]))), "drivers"))
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "drivers"), os.DirFS(drivers)); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	t.Setenv("SKALD_CACHE", dir)
	return paths[0], dir
}

func TestPipelinesAreKeptOnDisk(t *testing.T) {
	library, dir := dawnAlone(t)
	if n := opensWithCache(t, library); n != 0 {
		t.Errorf("%d entries are found in an empty cache", n)
	}
	files := kept(t, dir)
	if len(files) == 0 {
		t.Fatal("nothing is kept")
	}
	if n := opensWithCache(t, library); n == 0 {
		t.Error("what is kept is not used")
	}
	for _, f := range files { // A damaged entry is made again.
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)-1] ^= 1
		if err := os.WriteFile(f, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n := opensWithCache(t, library); n != 0 {
		t.Errorf("%d damaged entries are used", n)
	}
	if n := opensWithCache(t, library); n == 0 {
		t.Error("damaged entries are not made again")
	}
}

func TestEntriesBelongToOneLibrary(t *testing.T) {
	t.Setenv("SKALD_CACHE", t.TempDir())
	key, value := []byte("key"), []byte("value")
	one, other := blobStore("/lib/one.so"), blobStore("/lib/other.so")
	one.store(key, value)
	if n := other.load(key, nil); n != 0 {
		t.Errorf("another library gets %d bytes", n)
	}
	got := make([]byte, one.load(key, nil))
	if n := one.load(key, got); n != len(value) || !bytes.Equal(got, value) {
		t.Errorf("%d bytes, %q", n, got)
	}
	one.store([]byte("large"), make([]byte, mostBlob+1))
	if n := one.load([]byte("large"), nil); n != 0 {
		t.Error("an entry that is too large is kept")
	}
}
