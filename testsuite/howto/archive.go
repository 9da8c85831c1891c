package howto

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/tools/txtar"
)

// example is a worked example of a page.
type example struct {
	name  string
	files []file
	// sessions are commands with what they print, in order.
	sessions []session
	without  []without
}

// file is a new file, or a change of one.
type file struct {
	path, text string
	edit       bool
}

type session struct{ command, output string }

// without is a file that the example needs: what fails without it, and what is said then.
type without struct{ path, command, says string }

var withoutLine = regexp.MustCompile(`^without (\S+): (.+?)(?: => (.*))?$`)

// parse reads an archive.
func parse(ar *txtar.Archive) (*example, error) {
	e := &example{}
	for _, f := range ar.Files {
		path, edit := strings.CutSuffix(f.Name, " (edit)")
		e.files = append(e.files, file{path, strings.ReplaceAll("\n"+string(f.Data), "\n\\-- ", "\n-- ")[1:], edit})
	}
	printing := false
	for line := range strings.Lines(string(ar.Comment)) {
		line = strings.TrimSuffix(line, "\n")
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case isCommand:
			e.sessions, printing = append(e.sessions, session{command: command}), true
		case strings.HasPrefix(line, "without "):
			m := withoutLine.FindStringSubmatch(line)
			if m == nil {
				return nil, fmt.Errorf("%q is not `without FILE: COMMAND => TEXT`", line)
			}
			e.without, printing = append(e.without, without{m[1], m[2], m[3]}), false
		case line == "":
			printing = false
		case printing:
			e.sessions[len(e.sessions)-1].output += line + "\n"
		}
	}
	return e, nil
}

// apply changes the text of a file as f says. Each part of a change must fit at one place.
func (f file) apply(text string) (string, error) {
	if !f.edit {
		return f.text, nil
	}
	for part := range strings.SplitSeq(f.text, "@@\n") {
		if part == "" {
			continue
		}
		var old, changed strings.Builder
		for line := range strings.Lines(part) {
			if line[0] != '+' {
				old.WriteString(line[1:])
			}
			if line[0] != '-' {
				changed.WriteString(line[1:])
			}
		}
		if n := strings.Count(text, old.String()); n != 1 {
			return "", fmt.Errorf("%s: the example is out of date: a part of its change fits at %d places:\n%s", f.path, n, old.String())
		}
		text = strings.Replace(text, old.String(), changed.String(), 1)
	}
	return text, nil
}
