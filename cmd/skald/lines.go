//go:build !runner

package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// lineReader reads the lines of an interactive session.
type lineReader interface {
	// read shows the prompt, if a person is there to see it, and reads a line. At the end it returns io.EOF.
	read(prompt string) (string, error)
	// interactive says that lines come from a terminal.
	interactive() bool
	// end makes all later reads return io.EOF.
	end()
}

// completer lists what may follow in place of the end of a line, and how many bytes of the line that replaces.
type completer func(line string) (names []string, length int)

// openLines reads lines from a terminal, with editing, history and completion, if that is what input and output are;
// else as they come.
func openLines(in io.Reader, out io.Writer, complete completer) lineReader {
	from, ok := in.(*os.File)
	to, ok2 := terminalOf(out)
	if !ok || !ok2 || !term.IsTerminal(int(from.Fd())) || !term.IsTerminal(int(to.Fd())) {
		return &plainLines{in: bufio.NewReader(in)}
	}
	t := &terminalLines{file: from, out: to, term: term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{clearingLines{from}, to}, ""), complete: complete}
	t.term.AutoCompleteCallback = t.key
	t.term.History = openHistory(historyPath())
	return t
}

// terminalOf gives the file that output goes to in the end.
func terminalOf(out io.Writer) (*os.File, bool) {
	if o, ok := out.(*output); ok {
		out = o.w
	}
	file, ok := out.(*os.File)
	return file, ok
}

// plainLines are lines that no person types.
type plainLines struct {
	in    *bufio.Reader
	ended bool
}

func (p *plainLines) interactive() bool { return false }

func (p *plainLines) end() { p.ended = true }

func (p *plainLines) read(string) (string, error) {
	if p.ended {
		return "", io.EOF
	}
	line, err := p.in.ReadString('\n')
	if errors.Is(err, io.EOF) && line != "" {
		err = nil
	}
	return strings.TrimRight(line, "\r\n"), err
}

// terminalLines are lines that are typed at a terminal. It is in raw mode only while a line is typed, so that the interrupt key
// works while something is evaluated.
type terminalLines struct {
	file     *os.File
	out      io.Writer
	term     *term.Terminal
	complete completer
	ended    bool
}

func (t *terminalLines) interactive() bool { return true }

func (t *terminalLines) end() { t.ended = true }

func (t *terminalLines) read(prompt string) (line string, err error) {
	if t.ended {
		return "", io.EOF
	}
	fd := int(t.file.Fd())
	old, err := term.MakeRaw(fd)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, term.Restore(fd, old)) }()
	if width, height, err := term.GetSize(fd); err == nil && width > 0 {
		_ = t.term.SetSize(width, height) // a terminal too narrow for its prompt only looks bad
	}
	t.term.SetPrompt(prompt)
	line, err = t.term.ReadLine()
	if errors.Is(err, term.ErrPasteIndicator) {
		err = nil
	}
	if errors.Is(err, io.EOF) {
		_, _ = io.WriteString(t.out, "\r\n") // the shell's prompt is to begin on a line of its own
	}
	return line, err
}

// clearingLines makes the interrupt key clear the line that is being typed, as shells do: a Terminal would take it for the end.
type clearingLines struct{ keys io.Reader }

// Keys by their codes.
const (
	keyInterrupt = 0x03
	keyEndOfLine = 0x05
	keyClearLeft = 0x15
)

// Read reads at most half of what p has room for, since an interrupt becomes two keys.
func (c clearingLines) Read(p []byte) (int, error) {
	keys := make([]byte, max(len(p)/2, 1))
	n, err := c.keys.Read(keys)
	out := p[:0]
	for i, key := range keys[:n] {
		if key != keyInterrupt {
			out = append(out, key)
			continue
		}
		if len(p)-len(out) > n-i {
			out = append(out, keyEndOfLine)
		}
		out = append(out, keyClearLeft)
	}
	return len(out), err
}

// key completes what is before the cursor when the tab key is pressed: as far as it is clear, or else by listing what may follow.
func (t *terminalLines) key(line string, pos int, key rune) (newLine string, newPos int, ok bool) {
	if key != '\t' {
		return "", 0, false
	}
	names, length := t.complete(line[:pos])
	if len(names) == 0 {
		return line, pos, true
	}
	rest := commonPrefix(names)[length:]
	if rest == "" && len(names) > 1 {
		t.list(names)
	}
	return line[:pos] + rest + line[pos:], pos + len(rest), true
}

// maxListed is how many completions are shown.
const maxListed = 60

// list shows completions above the line. The terminal is locked while a key is handled, so they are written past it.
func (t *terminalLines) list(names []string) {
	more := ""
	if len(names) > maxListed {
		names, more = names[:maxListed], " ..."
	}
	go func() {
		// Writing waits until the key has been handled.
		_, _ = io.WriteString(t.term, strings.Join(names, "  ")+more+"\n")
	}()
}

// commonPrefix is the longest text that all names begin with; there is at least one.
func commonPrefix(names []string) string {
	prefix := names[0]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	return prefix
}
