package main

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/reeflective/readline"

	"skald/compiler"
	"skald/frontend/interp"
)

func TestWordsAreCompleted(t *testing.T) {
	r := &repl{session: compiler.NewSession(nil, interp.Options{})}
	for text, want := range map[string]string{
		"iot": "iota", "1 + iot": "iota", "(iot": "iota", "f32.sqr": "f32.sqrt", ":ste": ":step", "x\n  + f64.sqr": "f64.sqrt",
	} {
		c := completions(text, r.completions)
		var got []string
		c.EachValue(func(v readline.Completion) readline.Completion { got = append(got, v.Value); return v })
		if len(got) != 1 || got[0] != want || !strings.HasSuffix(text, c.PREFIX) {
			t.Errorf("%q: %q in place of %q, want %q", text, got, c.PREFIX, want)
		}
	}
}

func TestWhatIsNotAllYetGoesOnInTheNextLine(t *testing.T) {
	for text, want := range map[string]bool{
		"1 + 1": true, "1 +": false, "(1, 2": false, "def f (x: i32) =": false, "def f (x: i32) = x": true, ":type 1 +": true, "1 +\n": true,
		"let x = 1": true, "let x = 1 let y = 2": true, "let x = (": false, "1 + )": true, "": true, "def f =\n  1": true,
		"if true then 1": false, "[1, 2,\n 3]": true,
	} {
		if got := accepted(text); got != want {
			t.Errorf("%q is all: %v, want %v", text, got, want)
		}
	}
}

func TestPlainLinesEndWithTheInput(t *testing.T) {
	lines := openLines(strings.NewReader("a\r\n\nlast"), io.Discard, nil)
	for _, want := range []string{"a", "", "last"} {
		if got, err := lines.read("> "); err != nil || got != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	if _, err := lines.read("> "); !errors.Is(err, io.EOF) {
		t.Errorf("got %v at the end", err)
	}
}
