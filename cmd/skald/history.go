//go:build !runner

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// maxHistory is how many lines of earlier sessions are kept.
const maxHistory = 1000

// history is the lines typed in this session and in earlier ones, kept in a file. It is a source of history for readline. Where the file
// cannot be read or written, lines are remembered for this session alone: nothing fails for want of a history.
type history struct {
	path  string   // empty if no file is kept
	lines []string // the latest last
}

// historyPath is where lines are kept: $SKALD_HISTORY, which may be empty for nowhere, else skald/history among the
// user's files of this kind, as the XDG base directories say.
func historyPath() string {
	if path, ok := os.LookupEnv("SKALD_HISTORY"); ok {
		return path
	}
	if dir := os.Getenv("XDG_STATE_HOME"); dir != "" {
		return filepath.Join(dir, "skald", "history")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "state", "skald", "history")
}

// openHistory reads the latest lines from a file. If it has grown to twice of what is kept, it is written again.
func openHistory(path string) *history {
	h := &history{path: path}
	if path == "" {
		return h
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return h
	}
	h.lines = strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
	if n := len(h.lines) - maxHistory; n > 0 {
		all := len(h.lines)
		h.lines = h.lines[n:]
		if all >= 2*maxHistory {
			_ = os.WriteFile(path, []byte(strings.Join(h.lines, "\n")+"\n"), 0o600) // what is kept is too much, no more
		}
	}
	return h
}

// Write remembers an input, unless it is empty or the same as the one before, and returns how many there are.
func (h *history) Write(line string) (int, error) {
	line = strings.ReplaceAll(line, "\n", lineBreak)
	if n := len(h.lines); strings.TrimSpace(line) == "" || n > 0 && h.lines[n-1] == line {
		return n, nil
	}
	h.lines = append(h.lines, line)
	if h.path == "" || os.MkdirAll(filepath.Dir(h.path), 0o700) != nil {
		return len(h.lines), nil
	}
	f, err := os.OpenFile(h.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return len(h.lines), nil //nolint:nilerr // see the type
	}
	_, _ = f.WriteString(line + "\n") // see the type
	_ = f.Close()
	return len(h.lines), nil
}

// lineBreak is in the file for the line breaks of an input.
const lineBreak = "\u2028"

// Len is how many inputs there are.
func (h *history) Len() int { return len(h.lines) }

// GetLine is an input; 0 is the earliest.
func (h *history) GetLine(i int) (string, error) {
	if i < 0 || i >= len(h.lines) {
		return "", errors.New("there is no such line")
	}
	return strings.ReplaceAll(h.lines[i], lineBreak, "\n"), nil
}

// Dump is not used by the library.
func (h *history) Dump() any { return nil }
