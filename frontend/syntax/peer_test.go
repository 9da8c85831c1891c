package syntax_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

// TestPeerProgramsParse parses all programs of a Futhark checkout, named by
// SKALD_PEER: each must parse unless it is a test of a syntax error.
func TestPeerProgramsParse(t *testing.T) {
	root := os.Getenv("SKALD_PEER")
	if root == "" {
		t.Skip("SKALD_PEER does not name a checkout of Futhark")
	}
	files, rejected := 0, 0
	err := filepath.WalkDir(filepath.Join(root, "tests"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".fut") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		var sink diag.Sink
		syntax.Parse(source.NewFile(path, string(text)), &sink)
		if !sink.HasErrors() {
			return nil
		}
		rejected++
		if strings.Contains(string(text), "-- error:") {
			t.Logf("rejected as expected: %v", sink.Sorted()[0])
		} else {
			t.Errorf("%v", sink.Sorted()[0])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %d rejected", files, rejected)
}
