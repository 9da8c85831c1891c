package syntax_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

// ignorePlaces compares trees without regard to where they were written.
var ignorePlaces = cmp.Options{
	cmp.Comparer(func(a, b source.Span) bool { return true }),
	cmp.Comparer(func(a, b *source.File) bool { return true }),
	cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Comments" }, cmp.Ignore()),
}

// parse parses a text and reports whether it could.
func parse(name, text string) (*syntax.File, *diag.Sink) {
	sink := &diag.Sink{}
	return syntax.Parse(source.NewFile(name, text), sink), sink
}

// checkRoundTrip checks that printing and parsing again returns the same tree.
func checkRoundTrip(t *testing.T, name, text string, deep bool) {
	t.Helper()
	tree, sink := parse(name, text)
	if sink.HasErrors() {
		return
	}
	printed := syntax.Print(tree)
	again, sink := parse(name, printed)
	if sink.HasErrors() {
		at := sink.All()[0].Span
		t.Errorf("%s: printed text does not parse: %v\n%s", name, sink.All()[0], at.File.Line(at.From().Line))
		return
	}
	if second := syntax.Print(again); second != printed {
		t.Errorf("%s: printed text changes:\n%s", name, cmp.Diff(printed, second))
	}
	if deep {
		if d := cmp.Diff(tree, again, ignorePlaces); d != "" {
			t.Errorf("%s: tree changes:\n%s", name, d)
		}
	}
}

// walkFut calls f with every Futhark file under a folder.
func walkFut(t *testing.T, root string, f func(path, text string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".fut") {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil {
			f(path, string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPeerProgramsPrintAndParse(t *testing.T) {
	root := os.Getenv("SKALD_PEER")
	if root == "" {
		t.Skip("SKALD_PEER does not name a checkout of Futhark")
	}
	walkFut(t, filepath.Join(root, "tests"), func(path, text string) {
		checkRoundTrip(t, path, text, len(text) < 20_000)
	})
}
