//go:build !runner

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/reeflective/readline"
	"golang.org/x/term"

	"skald/compiler"
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
	if os.Getenv("TERM") == "dumb" {
		return &plainLines{in: bufio.NewReader(in), prompt: to}
	}
	return newTerminalLines(to, complete)
}

// terminalOf returns the file that output goes to in the end.
func terminalOf(out io.Writer) (*os.File, bool) {
	if o, ok := out.(*output); ok {
		out = o.w
	}
	file, ok := out.(*os.File)
	return file, ok
}

// plainLines are lines that no person types, or one at a terminal that can do nothing.
type plainLines struct {
	in     *bufio.Reader
	prompt io.Writer // nil if nobody is there to see it
	ended  bool
}

func (p *plainLines) interactive() bool { return p.prompt != nil }

func (p *plainLines) end() { p.ended = true }

func (p *plainLines) read(prompt string) (string, error) {
	if p.ended {
		return "", io.EOF
	}
	if p.prompt != nil {
		fmt.Fprint(p.prompt, prompt)
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
	out    io.Writer
	shell  *readline.Shell
	prompt string
	ended  bool
}

// newTerminalLines sets up the library for lines. Keys are those of readline, and what people's inputrc says.
func newTerminalLines(out io.Writer, complete completer) *terminalLines {
	t := &terminalLines{out: out, shell: readline.NewShell()}
	t.shell.Prompt.Primary(func() string { return t.prompt })
	t.shell.Prompt.Secondary(func() string { return strings.Repeat(" ", max(len(t.prompt)-2, 0)) + "| " })
	t.shell.Completer = func(line []rune, cursor int) readline.Completions {
		return completions(string(line[:cursor]), complete)
	}
	t.shell.AcceptMultiline = func(line []rune) bool { return accepted(string(line)) }
	t.shell.History.Delete()
	t.shell.History.Add("earlier lines", openHistory(historyPath()))
	for name, value := range map[string]any{
		// Our prompts begin a line, so the terminal need not be asked where the cursor is; not all answer.
		"cursor-position-probe": false,
		// Reverse video is no colour (no-color.org), and can be read on any background.
		"completion-selection-style": "\x1b[7m",
	} {
		if err := t.shell.Config.Set(name, value); err != nil {
			panic(fmt.Sprintf("newTerminalLines: %v", err))
		}
	}
	return t
}

func (t *terminalLines) interactive() bool { return true }

func (t *terminalLines) end() { t.ended = true }

func (t *terminalLines) read(prompt string) (string, error) {
	if t.ended {
		return "", io.EOF
	}
	t.prompt = prompt
	for {
		line, err := t.shell.Readline()
		if errors.Is(err, readline.ErrInterrupt) {
			continue // the key clears the line, as in shells
		}
		if errors.Is(err, io.EOF) {
			_, _ = io.WriteString(t.out, "\r\n") // the shell's prompt is to begin on a line of its own
		}
		return line, err
	}
}

// accepted reports whether what was typed is all: a command is, and so is what an empty line ends.
func accepted(text string) bool {
	lines := strings.Split(text, "\n")
	return strings.HasPrefix(strings.TrimSpace(text), ":") || strings.TrimSpace(lines[len(lines)-1]) == "" || !compiler.Incomplete(text)
}

// completions are what may stand in place of the word at the end of a text.
func completions(text string, complete completer) readline.Completions {
	line := text[strings.LastIndexByte(text, '\n')+1:]
	names, length := complete(line)
	before := line[:len(line)-length]
	start := len(before)
	for start > 0 && (isLetterOrDigit(before[start-1]) || strings.IndexByte("_'.:", before[start-1]) >= 0) {
		start--
	}
	word := line[start:]
	if word == "" {
		return readline.Completions{}
	}
	values := make([]readline.Completion, len(names))
	for i, name := range names {
		values[i] = readline.Completion{Value: before[start:] + name, Display: name}
	}
	out := readline.CompleteRaw(values).NoSpace('*')
	out.PREFIX = word
	return out
}

func isLetterOrDigit(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }
