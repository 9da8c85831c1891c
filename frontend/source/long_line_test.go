package source

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestColumnsOfALongLineCountCharacters(t *testing.T) {
	line := strings.Repeat("aé€😀", 700) // characters of one to four bytes, so that some lie across the blocks that are counted
	text := "first\n" + line + "\nlast"
	f := NewFile("long.fut", text)
	column := 1
	for offset := len("first\n"); offset <= len("first\n")+len(line); offset++ {
		if offset == len(text) || utf8.RuneStart(text[offset]) {
			if got, want := f.Position(offset), (Position{Line: 2, Column: column}); got != want {
				t.Fatalf("byte %d is at %v, want %v", offset, got, want)
			}
			column++
		}
	}
	if got, want := f.Position(len(text)), (Position{Line: 3, Column: 5}); got != want {
		t.Errorf("the end is at %v, want %v", got, want)
	}
}
