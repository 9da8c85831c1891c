package spec

import (
	"strings"

	"skald/frontend/source"
)

// separator is the line that makes a comment a test block.
const separator = "-- =="

// A block is the text of a test block after its separator, with the comment
// marks blanked so that offsets in it are offsets in the file.
type block struct {
	file  *source.File
	start int
	text  string
}

// blocks finds the test blocks of a file. A block is the lines after a line
// that begins with the separator, as long as they begin with two dashes.
func blocks(f *source.File) []block {
	var found []block
	text := f.Text()
	for start := 0; start < len(text); {
		end := lineEnd(text, start)
		if !strings.HasPrefix(text[start:end], separator) {
			start = end + 1
			continue
		}
		from := start + len(separator)
		var b strings.Builder
		b.WriteString(text[from:end])
		for end < len(text) && strings.HasPrefix(text[end+1:], "--") {
			next := lineEnd(text, end+1)
			b.WriteString("\n  ")
			b.WriteString(text[end+3 : next])
			end = next
		}
		found = append(found, block{file: f, start: from, text: b.String()})
		start = end + 1
	}
	return found
}

// lineEnd is the offset of the end of the line that begins at start.
func lineEnd(text string, start int) int {
	if n := strings.IndexByte(text[start:], '\n'); n >= 0 {
		return start + n
	}
	return len(text)
}
