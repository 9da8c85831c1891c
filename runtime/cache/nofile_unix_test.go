//go:build !windows

package cache

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestAnEntryThatIsNoFileIsNotThere(t *testing.T) {
	dir := newCache(t)
	path := filepath.Join(dir, "cubin", "a")
	for what, makeIt := range map[string]func() error{
		"a folder": func() error { return os.MkdirAll(path, 0o755) },
		"a pipe":   func() error { return unix.Mkfifo(path, 0o600) },
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := makeIt(); err != nil {
			t.Fatal(err)
		}
		if got := Read("cubin", "a"); got != nil {
			t.Errorf("%s: read %q", what, got)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}
