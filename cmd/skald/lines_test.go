package main

import (
	"errors"
	"io"
	"strings"
	"testing"

	"golang.org/x/term"

	"skald/compiler"
	"skald/frontend/interp"
)

func TestTabCompletesAsFarAsIsClear(t *testing.T) {
	r := &repl{session: compiler.NewSession(nil, interp.Options{})}
	lines := &terminalLines{complete: r.completions, term: term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{strings.NewReader(""), io.Discard}, "")}
	for before, want := range map[string]string{
		"iot|":          "iota|",
		"1 + iot| 3":    "1 + iota| 3",
		"f32.sqr|":      "f32.sqrt|",
		":st|":          ":st|", // step or string
		":ste|":         ":step|",
		"no_such_name|": "no_such_name|",
		"f32.no_such|":  "f32.no_such|",
		"unz|":          "unzip|", // unzip, unzip2, ...
	} {
		text, rest, _ := strings.Cut(before, "|")
		line, pos, ok := lines.key(text+rest, len(text), '\t')
		if got := line[:pos] + "|" + line[pos:]; !ok || got != want {
			t.Errorf("%q: got %q, want %q", before, got, want)
		}
	}
	if _, _, ok := lines.key("iot", 3, 'a'); ok {
		t.Error("keys other than tab are not passed on")
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

func TestInterruptKeyClearsTheLine(t *testing.T) {
	left := "\x1b[D"
	typed := "first" + left + "\x03second\r\x03third\r"
	lines := &terminalLines{term: term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{clearingLines{strings.NewReader(typed)}, io.Discard}, "")}
	for _, want := range []string{"second", "third"} {
		if got, err := lines.term.ReadLine(); got != want || err != nil {
			t.Errorf("got %q (%v), want %q", got, err, want)
		}
	}
	if _, err := lines.term.ReadLine(); !errors.Is(err, io.EOF) {
		t.Errorf("got %v at the end, want EOF", err)
	}
}
