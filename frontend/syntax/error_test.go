package syntax_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

// TestErrorsSayWhatIsWrong parses the files of testdata/errors: each archive
// holds pairs of a program NAME.fut and its diagnostics NAME.out, one a line.
func TestErrorsSayWhatIsWrong(t *testing.T) {
	paths, err := filepath.Glob("testdata/errors/*.txtar")
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
			_, sink := parse(files[i].Name, string(files[i].Data))
			var got strings.Builder
			if err := diag.Lines(&got, sink.Sorted()); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(files[i+1].Data), got.String()); d != "" {
				t.Errorf("%s: %s:\n%s", path, files[i].Name, d)
			}
		}
	}
}

func TestCodesHaveExamplesThatGiveThem(t *testing.T) {
	for _, id := range []string{
		"syntax", "invalid-text", "unclosed-string", "invalid-escape", "misplaced-doc", "top-level-pattern",
		"missing-in", "two-dots", "separate-indices", "local-open", "bang-infix", "qualified-binding",
	} {
		code := diag.Lookup(id)
		if code == nil {
			t.Errorf("no code %s", id)
			continue
		}
		_, sink := parse("example.fut", code.Example)
		if sink.Len() != 1 || sink.All()[0].Code != code {
			t.Errorf("the example of %s reports %v", id, sink.All())
		}
	}
}

func TestNestingIsBounded(t *testing.T) {
	deep := func(open, middle, end string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"parentheses":         {"def x = " + deep("(", "1", ")", 900), true},
		"too many":            {"def x = " + deep("(", "1", ")", 20_000), false},
		"unclosed":            {"def x = " + strings.Repeat("(", 20_000), false},
		"brackets of types":   {"def x (y: " + deep("[", "n", "]t", 20_000) + ") = y", false},
		"open dimensions":     {"def x (y: " + strings.Repeat("[]", 20_000) + "t) = y", false},
		"negations":           {"def x = " + strings.Repeat("- ", 20_000) + "1", false},
		"lambdas":             {"def x = " + strings.Repeat(`\x -> `, 20_000) + "1", false},
		"arrows":              {"def x (y: " + strings.Repeat("a -> ", 20_000) + "b) = y", false},
		"stars":               {"def x (y: " + strings.Repeat("* ", 20_000) + "b) = y", false},
		"attributes":          {"def x = " + strings.Repeat("#[a] ", 20_000) + "b", false},
		"attribute arguments": {"def x = #[" + deep("a(", "b", ")", 20_000) + "] b", false},
		"pipes to the left":   {"def x = " + strings.Repeat("f <| ", 20_000) + "b", false},
		"ranges":              {"def x = " + strings.Repeat("f ... ", 20_000) + "b", false},
		"modules":             {deep("module m = {", "", "}", 20_000), false},
		"module parentheses":  {"module m = " + deep("(", "n", ")", 20_000), false},
		"locals":              {strings.Repeat("local ", 120_000) + "def x = 1", false},
		"module lambdas":      {"module m = " + strings.Repeat(`\(p: s) -> `, 20_000) + "n", true},
		"module type arrows":  {"module type m = " + strings.Repeat("a -> ", 20_000) + "n", true},
		"sums":                {"def x = " + strings.Repeat("1 + ", 20_000) + "1", true},
		"too many sums":       {"def x = " + strings.Repeat("1 + ", 120_000) + "1", false},
		"lets":                {"def x = " + strings.Repeat("let y = 1 ", 20_000) + "in y", true},
		"alternatives":        {"def x = " + strings.Repeat("if a then b else ", 20_000) + "c", true},
		"projections":         {"def x = (y)" + strings.Repeat(".a", 20_000), true},
		"qualified names":     {"def x = y" + strings.Repeat(".a", 20_000), true},
		"nested matches":      {"def x = " + strings.Repeat("match a case b -> ", 20_000) + "c", false},
	} {
		_, sink := parse(name, c.text)
		switch {
		case c.ok && sink.HasErrors():
			t.Errorf("%s: %v", name, sink.All()[0])
		case !c.ok && !sink.HasErrors():
			t.Errorf("%s: accepted", name)
		case !c.ok && name != "unclosed" && sink.All()[0].Code.ID != "too-deep":
			t.Errorf("%s: %v", name, sink.All()[0])
		}
	}
}

func TestTextThatIsNotUTF8IsRejected(t *testing.T) {
	_, sink := parse("a.fut", "def x = 1 -- \xff\n")
	if sink.Len() != 1 || sink.All()[0].Code.ID != "not-utf8" {
		t.Errorf("got %v", sink.All())
	}
}

func TestPartsReportWhatIsLeftOver(t *testing.T) {
	var sink diag.Sink
	if e := syntax.ParseExp(source.NewFile("e", "1 + 2 )"), &sink); e != nil || sink.Len() != 1 {
		t.Errorf("got %v, %v", e, sink.All())
	}
	if m := syntax.ParseModExp(source.NewFile("m", `f { def x = 1 } : S`), &diag.Sink{}); m == nil {
		t.Error("a module expression does not parse")
	}
	if d := syntax.ParseDec(source.NewFile("d", "def x = 1 def y = 2").All(), &sink); d != nil || sink.Len() != 2 {
		t.Errorf("got %v, %v", d, sink.All())
	}
}

func TestAByteOrderMarkIsNamed(t *testing.T) {
	_, sink := parse("marked.fut", "\ufeffdef main = 1i32\n")
	if sink.Len() == 0 || !strings.Contains(sink.All()[0].Message, "byte order mark") {
		t.Errorf("reported: %v", sink.All())
	}
}
