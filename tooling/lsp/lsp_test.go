package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

const program = `-- | Adds up.
def total [n] (xs: [n]i32) : i32 = reduce (+) 0 xs

type point = {x: f32, y: f32}

module m = {
  -- | Half of it.
  def half (p: point) : point = {x = p.x / 2, y = p.y / 2}
}

entry main [n] (xs: [n]i32) (k: i64) =
  let sum = total xs
  let ys: [n]i32 = map (+ sum) xs
  in ys
`

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func messages(list []protocol.Diagnostic) []string {
	out := []string{}
	for _, d := range list {
		first, _, _ := strings.Cut(d.Message, "\n")
		out = append(out, fmt.Sprintf("%d:%d %v %v %s", d.Range.Start.Line+1, d.Range.Start.Character+1, d.Severity, d.Code, first))
	}
	return out
}

func TestDiagnosticsFollowEdits(t *testing.T) {
	dir := t.TempDir()
	d := start(t, dir).open(filepath.Join(dir, "a.fut"), program)
	unused := `11:30 Warning unused-name Unused variable "k".`
	if got := messages(d.said(0)); !slices.Equal(got, []string{unused}) {
		t.Error(got)
	}
	if got := messages(d.edit("total xs", "totl xs")); !slices.Equal(got, []string{`12:13 Error unknown-name Unknown name "totl".`}) {
		t.Error(got)
	}
	if got := messages(d.edit("totl xs", "total xs )")); len(got) != 1 || !strings.Contains(got[0], "Error syntax ") {
		t.Error(got)
	}
	if got := messages(d.edit("total xs )", "total xs + i32.i64 k")); len(got) != 0 {
		t.Error(got)
	}
	// The declarations behind an edit move with it.
	if got := messages(d.edit("-- | Adds up.\n", "-- 😀\n-- | Adds up,\n-- all.\n")); len(got) != 0 {
		t.Error(got)
	}
	unused = `13:30 Warning unused-name Unused variable "k".`
	if got := messages(d.edit("total xs + i32.i64 k", "total xs")); !slices.Equal(got, []string{unused}) {
		t.Error(got)
	}
}

type hover struct {
	Contents protocol.MarkupContent `json:"contents"`
	Range    protocol.Range         `json:"range"`
}

func TestHoverShowsTypesAndComments(t *testing.T) {
	dir := t.TempDir()
	c := start(t, dir)
	d := c.open(filepath.Join(dir, "a.fut"), program)
	d.edit("-- | Adds up.", "-- | Adds\n-- up.") // so that what follows was checked before it moved
	for place, want := range map[string]string{
		"to|tal xs":         "```futhark\nval total [n] : [n]i32 -> i32\n```\n\nAdds\nup.",
		"let su|m":          "```futhark\nsum : i32\n```",
		"(+ su|m)":          "```futhark\nsum : i32\n```",
		"let ys: [|n]i32":   "```futhark\nn : i64\n```",
		"(p: poi|nt) ":      "```futhark\ntype point = {x: f32, y: f32}\n```",
		"p.x / |2,":         "```futhark\nf32\n```",
		"redu|ce (+) 0":     "```futhark\nval reduce",
		"def ha|lf":         "```futhark\nval half : {x: f32, y: f32} -> {x: f32, y: f32}\n```\n\nHalf of it.",
		"mod|ule m = {\n  ": "",
	} {
		var h *hover
		c.call(protocol.MethodTextDocumentHover, d.at(place), &h)
		switch {
		case want == "" && h != nil:
			t.Errorf("%s: %q", place, h.Contents.Value)
		case want != "" && (h == nil || !strings.HasPrefix(h.Contents.Value, want)):
			t.Errorf("%s: got %+v, want %q", place, h, want)
		}
	}
}

func TestDefinitionsAndReferencesGoThroughImportsAndUnsavedTexts(t *testing.T) {
	dir := t.TempDir()
	lib := write(t, dir, "lib/sums.fut", "def total [n] (xs: [n]i32) = reduce (+) 0 xs\n")
	write(t, dir, "b.fut", "import \"lib/sums\"\nentry b (xs: []i32) = total xs\n")
	c := start(t, dir)
	d := c.open(filepath.Join(dir, "a.fut"), "import \"lib/sums\"\ndef twice = total >-> (* 2)\n")
	d.said(0)
	var where []protocol.Location
	c.call(protocol.MethodTextDocumentDefinition, d.at("= to|tal"), &where)
	want := []protocol.Location{{URI: uri.File(lib), Range: protocol.Range{
		Start: protocol.Position{Character: 4}, End: protocol.Position{Character: 9},
	}}}
	if diff := cmp.Diff(want, where); diff != "" {
		t.Error(diff)
	}
	l := c.open(lib, "-- new\ndef total [n] (xs: [n]i32) = reduce (+) 0 xs\n")
	l.said(0)
	for range 100 {
		c.call(protocol.MethodTextDocumentDefinition, d.at("= to|tal"), &where)
		if len(where) == 1 && where[0].Range.Start.Line == 1 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if where[0].Range.Start.Line != 1 {
		t.Errorf("the unsaved text is not seen: %v", where)
	}
	refs := l.at("def to|tal")
	refs["context"] = map[string]any{"includeDeclaration": true}
	c.call(protocol.MethodTextDocumentReferences, refs, &where)
	var got []string
	for _, w := range where {
		got = append(got, fmt.Sprintf("%s:%d", filepath.Base(string(w.URI)), w.Range.Start.Line+1))
	}
	slices.Sort(got)
	if want := []string{"a.fut:2", "b.fut:2", "sums.fut:2"}; !slices.Equal(got, want) {
		t.Errorf("references %v, want %v", got, want)
	}
	c.call(protocol.MethodTextDocumentDefinition, d.at(`import "lib/s|ums"`), &where)
	if len(where) != 1 || where[0].URI != uri.File(lib) {
		t.Errorf("the import leads to %v", where)
	}
	c.call(protocol.MethodTextDocumentDefinition, d.at(`total >-|> (`), &where)
	if len(where) != 1 || !strings.HasSuffix(string(where[0].URI), ".fut") {
		t.Fatalf("a name of the prelude leads to %v", where)
	}
	if _, err := os.Stat(where[0].URI.Filename()); err != nil {
		t.Error(err)
	}
	// An error that an imported text makes is said where the text is imported.
	l.edit("def total", "def totale")
	said := d.await(func(p protocol.PublishDiagnosticsParams) bool { return len(p.Diagnostics) > 0 })
	if len(said) != 1 || said[0].Code != "unknown-name" {
		t.Error(said)
	}
}

func TestRenamingChangesAllFilesOrNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "b.fut", "import \"a\"\ndef q (r: {sum: i32}) = total [r.sum]\n")
	c := start(t, dir)
	d := c.open(filepath.Join(dir, "a.fut"), `def total [n] (xs: [n]i32) : i32 = reduce (+) 0 xs
def main [n] (xs: [n]i32) (ys: [n]i32) =
  let sum = total xs
  let r = {sum, other = sum}
  let zs : [n]i32 = map2 (+) xs ys
  in (r.sum, zs)
module type S = {val x: i32}
module m: S = {def x = 1i32}
def h (a: i32) = let b = a in a + b
`)
	rename := func(place, name string) (map[string]int, error) {
		t.Helper()
		params := d.at(place)
		params["newName"] = name
		var w protocol.WorkspaceEdit
		err := c.try(protocol.MethodTextDocumentRename, params, &w)
		edits := map[string]int{}
		for u, list := range w.Changes {
			for _, e := range list {
				edits[filepath.Base(string(u))+": "+e.NewText]++
			}
		}
		return edits, err
	}
	for _, test := range []struct {
		place, name string
		want        map[string]int
	}{
		{"def to|tal", "add", map[string]int{"a.fut: add": 2, "b.fut: add": 1}},
		{"let s|um", "t", map[string]int{"a.fut: t": 2, "a.fut: sum = t": 1}},
		{"def main [|n]", "k", map[string]int{"a.fut: k": 4}},
	} {
		got, err := rename(test.place, test.name)
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s to %s: %v\n%s", test.place, test.name, err, diff)
		}
	}
	for _, test := range []struct{ place, name, want string }{
		{"let zs : [n]i32 = m|ap2", "m", "standard library"},
		{"let |b =", "a", "would mean something else"},
		{"let s|um", "1x", "cannot be a name"},
		{"val |x", "y", "has an error"},
		{"def total [n] (x|s", "reduce", "error"},
	} {
		if _, err := rename(test.place, test.name); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s to %s: error %v, want %q", test.place, test.name, err, test.want)
		}
	}
}

func TestCompletion(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "lib/a.fut", "def a = 1i32\n")
	c := start(t, dir)
	d := c.open(filepath.Join(dir, "a.fut"), program)
	d.said(0)
	complete := func(place string) map[string]map[string]any {
		t.Helper()
		var list struct {
			Items []map[string]any `json:"items"`
		}
		c.call(protocol.MethodTextDocumentCompletion, d.at(place), &list)
		out := map[string]map[string]any{}
		for _, i := range list.Items {
			out[i["label"].(string)] = i
		}
		return out
	}
	d.edit("total xs", "to")
	items := complete("let sum = to|")
	if items["total"] == nil || items["main"] != nil || items["map"] != nil {
		t.Errorf("to: %v", items)
	}
	var item map[string]any
	c.call(protocol.MethodCompletionItemResolve, items["total"], &item)
	if item["detail"] != "val total [n] : [n]i32 -> i32" || !strings.Contains(fmt.Sprint(item["documentation"]), "Adds up.") {
		t.Errorf("resolved: %v", item)
	}
	d.edit("let sum = to\n", "let sum = f32.ma\n")
	if items := complete("f32.ma|"); items["max"] == nil || items["map"] != nil {
		t.Errorf("f32.ma: %v", items)
	}
	d.edit("f32.ma\n", "m.\n")
	if items := complete("sum = m.|"); items["half"] == nil || len(items) != 1 {
		t.Errorf("m.: %v", items)
	}
	d.edit("sum = m.\n", "sum = total x\n")
	if items := complete("sum = total x|"); items["xs"] == nil {
		t.Errorf("x: %v", items)
	}
	d.edit("p.x / 2,", "p. / 2,")
	if items := complete("p.| / 2,"); items["x"] == nil || items["y"] == nil || len(items) != 2 {
		t.Errorf("p.: %v", items)
	}
	d.edit("-- | Adds up.", "import \"\n-- | Adds up.")
	if items := complete("import \"|"); items["lib/"] == nil {
		t.Errorf("import: %v", items)
	}
}

func TestSymbolsFormattingActionsAndTokens(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "other.fut", "def totally = 1i32\n")
	c := start(t, dir)
	d := c.open(filepath.Join(dir, "a.fut"), program)
	d.said(0)
	var symbols []protocol.DocumentSymbol
	c.call(protocol.MethodTextDocumentDocumentSymbol, d.at("-|- | Adds"), &symbols)
	var names []string
	for _, s := range symbols {
		names = append(names, s.Name+"@"+d.quote(s.SelectionRange))
		for _, in := range s.Children {
			names = append(names, s.Name+"."+in.Name)
		}
	}
	want := []string{
		"total@def <total> [n] (xs: [n]i32) : i32 = reduce (+) 0 xs", "point@type <point> = {x: f32, y: f32}", "m@module <m> = {", "m.half",
		"main@entry <main> [n] (xs: [n]i32) (k: i64) =",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	var found []protocol.SymbolInformation
	c.call(protocol.MethodWorkspaceSymbol, map[string]any{"query": "TOTAL"}, &found)
	if len(found) != 2 {
		t.Errorf("workspace symbols: %v", found)
	}
	var edits []protocol.TextEdit
	d.edit("let sum = total xs", "let sum=total     xs")
	c.call(protocol.MethodTextDocumentFormatting, d.at("-|- | Adds"), &edits)
	if len(edits) != 1 || edits[0].NewText != "  let sum = total xs\n" {
		t.Errorf("formatting: %+v", edits)
	}
	for broken, fixed := range map[string]string{
		"let sum=totl xs":           "let sum=total xs",
		"let sum=total xs + k":      "let sum=total xs + (i32.i64 k)",
		"let (sum, u)=(total xs,1)": "let (sum, _u)=(total xs,1)",
	} {
		before := d.content
		d.edit("let sum=total     xs", broken)
		place := d.at("|" + broken)
		var actions []protocol.CodeAction
		at := place["position"].(protocol.Position)
		c.call(protocol.MethodTextDocumentCodeAction, map[string]any{
			"textDocument": place["textDocument"], "context": map[string]any{"diagnostics": []any{}},
			"range": protocol.Range{Start: at, End: protocol.Position{Line: at.Line, Character: at.Character + uint32(len(broken))}},
		}, &actions)
		var got []string
		for _, a := range actions {
			for _, e := range a.Edit.Changes[d.uri] {
				line := strings.Split(d.content, "\n")[e.Range.Start.Line]
				got = append(got, strings.TrimSpace(line[:e.Range.Start.Character]+e.NewText+line[e.Range.End.Character:]))
			}
		}
		if !slices.Contains(got, fixed) || len(got) != 1 {
			t.Errorf("%s: the actions make %q", broken, got)
		}
		d.edit(broken, "let sum=total     xs")
		if d.content != before {
			t.Fatal("the test is wrong")
		}
	}
	var tokens protocol.SemanticTokens
	c.call(protocol.MethodSemanticTokensFull, d.at("-|- | Adds"), &tokens)
	if len(tokens.Data)%5 != 0 || len(tokens.Data) < 5*40 {
		t.Errorf("%d numbers", len(tokens.Data))
	}
	kinds := strings.Fields("namespace type interface function variable enumMember keyword comment string number operator")
	var line, column uint32
	var first []string
	for i := 0; i < 5*8; i += 5 {
		if tokens.Data[i] > 0 {
			column = 0
		}
		line, column = line+tokens.Data[i], column+tokens.Data[i+1]
		from, to := protocol.Position{Line: line, Character: column}, protocol.Position{Line: line, Character: column + tokens.Data[i+2]}
		r := protocol.Range{Start: from, End: to}
		text := d.quote(r)
		first = append(first, text[strings.Index(text, "<")+1:strings.Index(text, ">")]+" "+kinds[tokens.Data[i+3]])
	}
	if diff := cmp.Diff([]string{
		"-- | Adds up. comment", "def keyword", "total function", "n variable", "xs variable", "n variable", "i32 type", "i32 type",
	}, first); diff != "" {
		t.Error(diff)
	}
}

func TestTheSessionEndsAsTheProtocolSays(t *testing.T) {
	c := start(t, t.TempDir())
	if err := c.try("textDocument/unknown", map[string]any{}, nil); err == nil || !strings.Contains(err.Error(), "no method") {
		t.Errorf("an unknown method: %v", err)
	}
	if err := c.try(protocol.MethodTextDocumentHover, 7, nil); err == nil {
		t.Error("wrong parameters are accepted")
	}
	c.call(protocol.MethodShutdown, nil, nil)
	c.notify(protocol.MethodExit, nil)
	if err := <-c.done; err != nil {
		t.Error(err)
	}
	c = start(t, t.TempDir())
	_ = c.in.Close()
	if err := <-c.done; err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("the client goes away: %v", err)
	}
}

// An edit on which very many declarations depend is answered before all of them are checked; the client hears of the others, too.
func TestTheRestIsCheckedAfterTheAnswer(t *testing.T) {
	const users = 500
	var text strings.Builder
	text.WriteString("def f (x: i32) = x\n")
	for i := range users {
		fmt.Fprintf(&text, "def g%d (x: i32) = f x\n", i)
	}
	dir := t.TempDir()
	d := start(t, dir).open(filepath.Join(dir, "a.fut"), text.String())
	d.said(0)
	d.edit("f (x: i32)", "f (x: i64)")
	d.await(func(p protocol.PublishDiagnosticsParams) bool {
		return int(p.Version) == 1 && len(p.Diagnostics) == users
	})
	d.edit("f (x: i64)", "f (x: i32)")
	d.await(func(p protocol.PublishDiagnosticsParams) bool { return int(p.Version) == 2 && len(p.Diagnostics) == 0 })
}
