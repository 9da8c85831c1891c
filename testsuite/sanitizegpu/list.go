package sanitizegpu

import (
	"fmt"
	"io/fs"
	"strings"
)

// ListFile is the list's name in this folder.
const ListFile = "programs.txt"

// Line is a shape, and a program that has a kernel of it, as a path in the repository.
type Line struct{ Program, Shape string }

// Read reads the list.
func Read(folder fs.FS) ([]Line, error) {
	text, err := fs.ReadFile(folder, ListFile)
	if err != nil {
		return nil, err
	}
	var out []Line
	for line := range strings.Lines(string(text)) {
		program, shape, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			return nil, fmt.Errorf("%s: %q is no line PROGRAM: SHAPE", ListFile, line)
		}
		out = append(out, Line{program, shape})
	}
	return out, nil
}
