package literate_test

import (
	"fmt"
	"strings"
	"testing"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/tooling/literate"
	"skald/tooling/script"
)

func show(blocks []literate.Block) string {
	var b strings.Builder
	for _, x := range blocks {
		switch x := x.(type) {
		case *literate.Text:
			fmt.Fprintf(&b, "text %q\n", x.Text)
		case *literate.Code:
			fmt.Fprintf(&b, "code %q\n", x.Text)
		case *literate.Directive:
			fmt.Fprintf(&b, "%q covert=%v brief=%v %s %q at %v\n", x.Kind, x.Covert, x.Brief, script.Format(x.Exp), x.Params, x.At)
		}
	}
	return b.String()
}

func TestProgramsAreSplitIntoTextCodeAndDirectives(t *testing.T) {
	text := "-- One\n-- > no directive here\n--\n-- > f 1\n--   (g 2)\n\ndef a = 1\n\n-- | Doc.\ndef b = 2 -- > not this\n" +
		"-- > :covert :img h;\n-- file: x.png\n-- ==\n-- input { 1 }\n\n--  indented\n"
	var sink diag.Sink
	got := show(literate.Parse(source.NewFile("a.fut", text), &sink))
	want := `text "One\n> no directive here"
"" covert=false brief=false f 1 (g 2) [] at a.fut:4:1-5:10
code "def a = 1\n\n-- | Doc.\ndef b = 2 -- > not this"
"img" covert=true brief=false h ["file: x.png"] at a.fut:11:1-12:14
text " indented"
`
	if sink.HasErrors() || got != want {
		t.Errorf("got\n%s\nwant\n%s\n%v", got, want, sink.Sorted())
	}
}

func FuzzParse(f *testing.F) {
	f.Add("-- > :img f;\n-- file: a\n")
	f.Add("--\n-- >;\n-- > :covert")
	f.Fuzz(func(_ *testing.T, text string) {
		var sink diag.Sink
		literate.Parse(source.NewFile("a.fut", text), &sink)
	})
}
