//go:build !runner

package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// paint makes text stand out at a terminal, and nowhere else.
type paint struct{ on bool }

// paintFor paints what is written to w: at a terminal, unless NO_COLOR is set to anything (no-color.org) or the terminal can do nothing.
func paintFor(w io.Writer) paint {
	file, ok := terminalOf(w)
	return paint{ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(file.Fd()))}
}

// in puts text between a control sequence and the one that ends it.
func (p paint) in(code, text string) string {
	if !p.on {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (p paint) bold(text string) string    { return p.in("1", text) }
func (p paint) bad(text string) string     { return p.in("31", text) }
func (p paint) good(text string) string    { return p.in("32", text) }
func (p paint) warning(text string) string { return p.in("33", text) }
