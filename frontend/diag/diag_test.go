package diag_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/frontend/diag"
	"skald/frontend/source"
)

var codeTest = diag.Declare(diag.Code{ID: "test-code", Doc: "A code for this test."})

func TestTextUnderlinesPlaceAndNotes(t *testing.T) {
	f := source.NewFile("a.fut", "def y = 1\n\ndef f x =\n\tx + yy\n")
	var sink diag.Sink
	sink.Errorf(codeTest, f.Span(26, 28), "unknown name %q", "yy").
		Note(f.Span(4, 5), "a similar name is bound here").
		Hintf("did you mean %q?", "y")
	want := `error: unknown name "yy" [test-code]
  --> a.fut:4:6-7
  |
4 | 	x + yy
  | 	    ^^
  = note: a similar name is bound here
  --> a.fut:1:5-5
  |
1 | def y = 1
  |     -
  = hint: did you mean "y"?
`
	var b strings.Builder
	if err := diag.Text(&b, sink.Sorted()); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestSpanOverSeveralLinesShowsBothEnds(t *testing.T) {
	f := source.NewFile("a.fut", "def f =\n  1 +\n  2 +\n  3\n")
	var b strings.Builder
	if err := diag.Text(&b, []*diag.Diagnostic{diag.New(codeTest, f.Span(10, 23), "too long")}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, line := range []string{"2 |   1 +", "  |   ^^^", "4 |   3"} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("no line %q in:\n%s", line, got)
		}
	}
}

func TestOneLineAndJSONAgree(t *testing.T) {
	f := source.NewFile("a.fut", "x")
	d := diag.New(codeTest, f.Span(0, 1), "first line\nsecond line")
	d.Severity = diag.Warning
	if got, want := d.Error(), "a.fut:1:1-1: warning: first line [test-code]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var b strings.Builder
	if err := diag.JSON(&b, []*diag.Diagnostic{d}); err != nil {
		t.Fatal(err)
	}
	var back []map[string]any
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil {
		t.Fatal(err)
	}
	if len(back) != 1 || back[0]["code"] != "test-code" || back[0]["severity"] != "warning" {
		t.Errorf("got %v", back)
	}
}

func TestSinkSortsAndForgets(t *testing.T) {
	f := source.NewFile("a.fut", "abc")
	var sink diag.Sink
	sink.Warnf(codeTest, f.Span(2, 3), "late")
	n := sink.Len()
	sink.Errorf(codeTest, f.Span(0, 1), "early")
	sink.Errorf(codeTest, f.Span(0, 1), "early")
	if !sink.HasErrors() {
		t.Error("an error was lost")
	}
	sorted := sink.Sorted()
	if len(sorted) != 2 || sorted[0].Message != "early" || sorted[1].Message != "late" {
		t.Errorf("got %v", sorted)
	}
	sink.Truncate(n)
	if sink.HasErrors() || sink.Len() != 1 {
		t.Error("the error was not forgotten")
	}
}

func TestPlacesOutsideTheTextDoNotPanic(t *testing.T) {
	long := source.NewFile("long.fut", strings.Repeat("x", 1000))
	empty := source.NewFile("empty.fut", "")
	var b strings.Builder
	err := diag.Text(&b, []*diag.Diagnostic{
		diag.New(codeTest, empty.Span(0, 0), "empty"),
		diag.New(codeTest, long.Span(900, 990), "far right"),
		diag.New(codeTest, long.Span(0, 1000), "all"),
		diag.New(codeTest, source.Span{File: empty, Start: 5, End: 9}, "outside"),
		diag.New(codeTest, source.Span{}, "nowhere"),
	})
	if err != nil {
		t.Fatal(err)
	}
}
