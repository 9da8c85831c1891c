package source_test

import (
	"strings"
	"testing"

	"skald/frontend/source"
)

func TestPositionsCountCharactersAndInvert(t *testing.T) {
	f := source.NewFile("a.fut", "def x = 1\n-- ø\ndef é = x")
	for offset, want := range map[int]string{0: "1:1", 4: "1:5", 9: "1:10", 10: "2:1", 15: "2:5", 16: "3:1"} {
		p := f.Position(offset)
		if p.String() != want {
			t.Errorf("offset %d is %v, want %v", offset, p, want)
		}
		if back := f.Offset(p); back != offset {
			t.Errorf("offset %d came back as %d", offset, back)
		}
	}
	if got := f.Line(2); got != "-- ø" {
		t.Errorf("line 2 is %q", got)
	}
	if got := f.Line(4); got != "" {
		t.Errorf("a line that does not exist is %q", got)
	}
}

func TestSpansPrintInclusiveRanges(t *testing.T) {
	f := source.NewFile("a.fut", "abc\ndef\n")
	for _, c := range []struct {
		from, to int
		want     string
	}{{0, 3, "a.fut:1:1-3"}, {1, 6, "a.fut:1:2-2:2"}, {4, 4, "a.fut:2:1-1"}, {-5, 100, "a.fut:1:1-3:1"}} {
		if got := f.Span(c.from, c.to).String(); got != c.want {
			t.Errorf("span %d-%d prints %s, want %s", c.from, c.to, got, c.want)
		}
	}
	if got := f.Span(0, 1).To(f.Span(4, 7)).Text(); got != "abc\ndef" {
		t.Errorf("joined span covers %q", got)
	}
	if got := (source.Span{}).To(f.Span(4, 7)).Text(); got != "def" {
		t.Errorf("joined with nowhere, span covers %q", got)
	}
}

func TestInvalidUTF8IsFound(t *testing.T) {
	bad, ok := source.NewFile("a.fut", "ok \uFFFD then \xff").CheckUTF8()
	if ok || bad.Start != 12 {
		t.Errorf("got %v, %v", bad.Start, ok)
	}
	if _, ok := source.NewFile("a.fut", "fine ø \uFFFD").CheckUTF8(); !ok {
		t.Error("valid text was rejected")
	}
}

func TestMessagesQuoteAPlaceInOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"x + y":                  "x + y",
		"f x\n    (\n  y)":       "f x ( y)",
		strings.Repeat("ab", 40): strings.Repeat("ab", 28) + " ...",
		strings.Repeat("é", 60):  strings.Repeat("é", 60),
	} {
		if got := source.NewFile("a.fut", text).All().Brief(); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
