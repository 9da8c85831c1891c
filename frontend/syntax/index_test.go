package syntax_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/frontend/diag"
	"skald/frontend/prelude"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

const indexed = `-- | About the file.

-- | About x.
def x: i32 = let y = 1
  let z = 2 in y + z
#[inline] entry main [n] (xs: [n]i32) = map (\x -> #[unsafe] x) xs
def (a: i32) <+> (b: i32) = a + b
def (<->) a b = a b
local def f x = x
type~ t 'a = {a: a}
module type S = { type t val x: t }
module m (p: S) : { type t } with t = i32 = {
  -- | Inner.
  def inner = 1
  module deep = { def x = (1, 2) }
  open deep
}
module i = import "a/b"
open import "c"
import "d"
module app = m { type t = i32 def x = 1 }
let old (x) = x
let older = let q = 1 in q
def last = 0
`

// entryLines lists an index with indentation.
func entryLines(entries []syntax.IndexEntry, indent string) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(indent)
		b.WriteString([]string{"val", "type", "module", "module type", "open", "import"}[e.Kind])
		if e.Name != "" {
			b.WriteString(" " + e.Name)
		}
		if e.Local {
			b.WriteString(" local")
		}
		if e.Entry {
			b.WriteString(" entry")
		}
		if e.Doc.Valid() {
			b.WriteString(" doc")
		}
		b.WriteString("\n")
		b.WriteString(entryLines(e.Decs, indent+"  "))
	}
	return b.String()
}

func TestIndexFindsDeclarations(t *testing.T) {
	want := `val x doc
val main entry
val <+>
val <->
val f local
type t
module type S
module m
  val inner doc
  module deep
    val x
  open
module i
open
import
module app
val old
val older
val last
`
	f := source.NewFile("a.fut", indexed)
	if d := cmp.Diff(want, entryLines(syntax.IndexFile(f), "")); d != "" {
		t.Error(d)
	}
	checkIndex(t, f)
}

// checkIndex checks that parsing the parts of an index returns what parsing the
// file returns, at the same places.
func checkIndex(t *testing.T, f *source.File) {
	t.Helper()
	var sink diag.Sink
	tree := syntax.Parse(f, &sink)
	if sink.HasErrors() {
		return
	}
	checkEntries(t, tree.Decs, syntax.IndexFile(f))
}

func checkEntries(t *testing.T, decs []syntax.Dec, entries []syntax.IndexEntry) {
	t.Helper()
	if len(decs) != len(entries) {
		t.Errorf("%d entries for %d declarations", len(entries), len(decs))
		return
	}
	for i, e := range entries {
		var sink diag.Sink
		part := syntax.ParseDec(e.At, &sink)
		if sink.HasErrors() {
			t.Errorf("part does not parse: %v", sink.All()[0])
			continue
		}
		if part.Span() != decs[i].Span() || e.At != decs[i].Span() {
			t.Errorf("part is at %v, declaration at %v, entry at %v", part.Span(), decs[i].Span(), e.At)
		}
		if m, ok := decs[i].(*syntax.ModDec); ok && e.Body.Valid() {
			checkEntries(t, m.Body.(*syntax.ModBody).Decs, e.Decs)
		}
	}
}

func TestPreludeIsIndexed(t *testing.T) {
	for _, file := range prelude.Files() {
		f := source.NewFile(file.Name, file.Text)
		var sink diag.Sink
		if syntax.Parse(f, &sink); sink.HasErrors() {
			t.Errorf("%v", sink.All()[0])
		}
		checkIndex(t, f)
	}
}

// TestPeerPreludeIsIndexed checks the index of all library files of a Futhark
// checkout.
func TestPeerPreludeIsIndexed(t *testing.T) {
	root := os.Getenv("SKALD_PEER")
	if root == "" {
		t.Skip("SKALD_PEER does not name a checkout of Futhark")
	}
	files, err := filepath.Glob(filepath.Join(root, "prelude", "*.fut"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no prelude: %v", err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		checkIndex(t, source.NewFile(path, string(text)))
	}
}
