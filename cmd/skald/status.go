//go:build !runner

package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// status is a line at the terminal that says what is being done, and goes away when there is something to say. It is not shown elsewhere.
type status struct {
	w     io.Writer
	last  time.Time
	shown bool
}

// newStatus makes a status line where w leads to a terminal.
func newStatus(w io.Writer) *status {
	if file, ok := terminalOf(w); !ok || !term.IsTerminal(int(file.Fd())) || os.Getenv("TERM") == "dumb" {
		return &status{}
	}
	return &status{w: w}
}

// refresh is how often the line changes at most.
const refresh = 100 * time.Millisecond

// set shows a line in place of the last one.
func (s *status) set(format string, args ...any) {
	if s.w == nil || time.Since(s.last) < refresh {
		return
	}
	s.last, s.shown = time.Now(), true
	fmt.Fprint(s.w, "\r\033[K"+oneRow(fmt.Sprintf(format, args...)))
}

// clear removes the line.
func (s *status) clear() {
	if s.shown {
		fmt.Fprint(s.w, "\r\033[K")
		s.shown = false
	}
}

// bar draws how much is done.
func bar(done float64) string {
	const width = 20
	n := int(min(max(done, 0), 1) * width)
	return "[" + strings.Repeat("=", n) + strings.Repeat(" ", width-n) + "]"
}
