package syntax_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPeerProgramsParse parses all programs of a Futhark checkout, named by
// SKALD_PEER: each must parse unless it is a test of a syntax error.
func TestPeerProgramsParse(t *testing.T) {
	root := os.Getenv("SKALD_PEER")
	if root == "" {
		t.Skip("SKALD_PEER does not name a checkout of Futhark")
	}
	files, rejected := 0, 0
	walkFut(t, filepath.Join(root, "tests"), func(path, text string) {
		files++
		_, sink := parse(path, text)
		if !sink.HasErrors() {
			return
		}
		rejected++
		if strings.Contains(text, "-- error:") {
			t.Logf("rejected as expected: %v", sink.Sorted()[0])
		} else {
			t.Errorf("%v", sink.Sorted()[0])
		}
	})
	t.Logf("%d files, %d rejected", files, rejected)
}
