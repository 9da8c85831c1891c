package format_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"skald/frontend/diag"
	"skald/frontend/format"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

// meaning is a program as the parser sees it, with "def" for "let".
func meaning(t *testing.T, name, text string) string {
	t.Helper()
	var sink diag.Sink
	tree := syntax.Parse(source.NewFile(name, text), &sink)
	if sink.HasErrors() {
		t.Errorf("%s: %v", name, sink.All()[0])
	}
	definitions(tree.Decs)
	return syntax.Print(tree)
}

// definitions changes the keyword of old-style declarations.
func definitions(decs []syntax.Dec) {
	for _, d := range decs {
		for {
			l, ok := d.(*syntax.LocalDec)
			if !ok {
				break
			}
			d = l.Dec
		}
		switch d := d.(type) {
		case *syntax.ValDec:
			if d.Keyword == syntax.KeywordLet {
				d.Keyword = syntax.KeywordDef
			}
		case *syntax.ModDec:
			modDefinitions(d.Body)
		case *syntax.OpenDec:
			modDefinitions(d.Mod)
		default:
		}
	}
}

func modDefinitions(m syntax.ModExp) {
	switch m := m.(type) {
	case *syntax.ModBody:
		definitions(m.Decs)
	case *syntax.ModParens:
		modDefinitions(m.Body)
	case *syntax.ModApply:
		modDefinitions(m.Fun)
		modDefinitions(m.Arg)
	case *syntax.ModAscript:
		modDefinitions(m.Mod)
	case *syntax.ModLambda:
		modDefinitions(m.Body)
	default:
	}
}

// check formats a program, and checks that this keeps its meaning and that
// formatting again changes nothing.
func check(t *testing.T, name, text string) string {
	t.Helper()
	var sink diag.Sink
	out, ok := format.Source(source.NewFile(name, text), &sink)
	if !ok {
		if sink.All()[0].Severity == diag.Internal {
			t.Errorf("%s: %v", name, sink.All()[0])
		}
		return ""
	}
	if d := cmp.Diff(meaning(t, name, text), meaning(t, name, out)); d != "" {
		t.Errorf("%s: the meaning changes:\n%s", name, d)
	}
	again, _ := format.Source(source.NewFile(name, out), &sink)
	if d := cmp.Diff(out, again); d != "" {
		t.Errorf("%s: formatting again changes:\n%s", name, d)
	}
	for i, line := range strings.Split(out, "\n") {
		if strings.TrimRight(line, " ") != line {
			t.Errorf("%s:%d: space at the end of the line", name, i+1)
		}
	}
	return out
}

func TestProgramsAreLaidOut(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no test data: %v", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files := txtar.Parse(data).Files
		for i := 0; i+1 < len(files); i += 2 {
			got := check(t, files[i].Name, string(files[i].Data))
			if d := cmp.Diff(string(files[i+1].Data), got); d != "" {
				t.Errorf("%s: %s:\n%s", path, files[i].Name, d)
			}
		}
	}
}

// TestPeerExamples compares with what the reference's formatter makes of its
// own examples; SKALD_PEER names a checkout of Futhark.
func TestPeerExamples(t *testing.T) {
	root := os.Getenv("SKALD_PEER")
	if root == "" {
		t.Skip("SKALD_PEER does not name a checkout of Futhark")
	}
	paths, err := filepath.Glob(filepath.Join(root, "tests_fmt", "expected", "*.fut"))
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	for _, path := range paths {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(root, "tests_fmt", filepath.Base(path)))
		if err != nil {
			text = want
		}
		got := check(t, path, string(text))
		if d := cmp.Diff(string(want), got); d == "" {
			same++
		} else {
			t.Logf("%s differs:\n%s", filepath.Base(path), d)
		}
	}
	t.Logf("%d of %d as the reference has them", same, len(paths))
}

// TestPeerProgramsKeepTheirMeaning formats all programs of a Futhark checkout.
func TestPeerProgramsKeepTheirMeaning(t *testing.T) {
	root := os.Getenv("SKALD_PEER")
	if root == "" {
		t.Skip("SKALD_PEER does not name a checkout of Futhark")
	}
	for _, folder := range []string{"tests", "prelude"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".fut") {
				return err
			}
			text, err := os.ReadFile(path)
			if err == nil {
				check(t, path, string(text))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzFormat(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			f.Add(string(file.Data))
		}
	}
	f.Fuzz(func(t *testing.T, text string) { check(t, "fuzz", text) })
}
