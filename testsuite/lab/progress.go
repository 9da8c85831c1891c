package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// progress shows on a terminal what is being run and how long the rest may take. Elsewhere it shows nothing.
type progress struct {
	file  *os.File // nil if it is no terminal.
	began time.Time
	total int
	done  int
}

// newProgress shows progress in a file if it is a terminal; it may be nil.
func newProgress(f *os.File) *progress {
	if f != nil && !term.IsTerminal(int(f.Fd())) {
		f = nil
	}
	return &progress{file: f, began: time.Now()}
}

// at shows what begins.
func (p *progress) at(name, device string) {
	p.done++
	if p.file == nil {
		return
	}
	fmt.Fprint(p.file, "\r\x1b[K", p.line(name, device, time.Since(p.began)))
}

// line is a bar, how much is done, what begins, and how long it has taken and may take.
func (p *progress) line(name, device string, took time.Duration) string {
	const width = 20
	before := p.done - 1
	full := width * before / max(1, p.total)
	text := fmt.Sprintf("[%s%s] %d of %d  %s on %s  %s", strings.Repeat("#", full), strings.Repeat(".", width-full), p.done,
		p.total, name, device, took.Round(time.Second))
	if before > 0 {
		rest := took * time.Duration(p.total-before) / time.Duration(before)
		text += fmt.Sprintf(", %s left", rest.Round(time.Second))
	}
	return text
}

// clear takes the line away, so that something else can be printed.
func (p *progress) clear() {
	if p.file != nil {
		fmt.Fprint(p.file, "\r\x1b[K")
	}
}
