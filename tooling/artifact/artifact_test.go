package artifact_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skald/tooling/artifact"
)

func TestAFileThatFailsLeavesWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	if err := artifact.WriteText(path, "one"); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := artifact.Write(path, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "one" {
		t.Errorf("the file has %q", text)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("there are other files: %v", entries)
	}
}

func TestErrorsNameTheFileThatWasAskedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "a.json")
	if err := artifact.WriteText(path, ""); err == nil || !strings.Contains(err.Error(), path+": no such file") {
		t.Errorf("got %v", err)
	}
}
