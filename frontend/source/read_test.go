package source

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestOrdinaryFilesAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.fut")
	if err := os.WriteFile(path, []byte("def x = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := ReadFile(path); err != nil || text != "def x = 1\n" {
		t.Errorf("read %q, %v", text, err)
	}
	if _, err := ReadFile(path + "2"); !os.IsNotExist(err) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A sparse file has any size and takes no room.
func TestFilesThatCannotBeProgramsAreRefused(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large.fut")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, MaxBytes+1); err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{large: "is larger than 64 MiB", t.TempDir(): "is a directory"}
	if runtime.GOOS != "windows" {
		cases["/dev/zero"] = "is a device"
	}
	for path, want := range cases {
		if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, not %q", path, err, want)
		}
	}
	if err := os.Truncate(large, MaxBytes); err != nil {
		t.Fatal(err)
	}
	if text, err := ReadFile(large); err != nil || len(text) != MaxBytes {
		t.Errorf("of the largest program %d bytes are read: %v", len(text), err)
	}
}
