package source

import (
	"fmt"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// MaxSize is the largest number of bytes a source file may have: offsets are
// 32-bit, and nothing that people write comes near this.
const MaxSize = 1 << 30

// A File is the name and the text of one source file. Files are compared by
// identity; make them with [NewFile].
type File struct {
	name string
	text string

	once  sync.Once
	lines []int32 // byte offset at which each line begins

	count  sync.Once
	before []int32 // characters before each block of countBlock bytes
}

// countBlock is how many bytes are counted at most to find a column, so that positions in one very long line cost no more than
// others.
const countBlock = 1024

// NewFile returns a file with that name, as messages show it, and that text.
// The text should be valid UTF-8; see [CheckUTF8].
func NewFile(name, text string) *File {
	return &File{name: name, text: text}
}

// Name is the file's name as messages show it.
func (f *File) Name() string {
	if f == nil {
		return ""
	}
	return f.name
}

// Text is the whole text.
func (f *File) Text() string {
	if f == nil {
		return ""
	}
	return f.text
}

// Size is the length of the text in bytes.
func (f *File) Size() int { return len(f.Text()) }

// Span returns the range from byte start up to, but without, byte end. Bounds
// outside of the text are clamped to it.
func (f *File) Span(start, end int) Span {
	n := f.Size()
	start = min(max(start, 0), n)
	end = min(max(end, start), n)
	return Span{File: f, Start: int32(start), End: int32(end)}
}

// All is the range of the whole text.
func (f *File) All() Span { return f.Span(0, f.Size()) }

// lineTable computes the line beginnings on first use.
func (f *File) lineTable() []int32 {
	f.once.Do(func() {
		f.lines = make([]int32, 1, 1+strings.Count(f.text, "\n"))
		for i := 0; ; {
			j := strings.IndexByte(f.text[i:], '\n')
			if j < 0 {
				return
			}
			i += j + 1
			f.lines = append(f.lines, int32(i))
		}
	})
	return f.lines
}

// Line returns the text of a line, counted from one, without its line ending.
// A line that does not exist is empty.
func (f *File) Line(line int) string {
	table := f.lineTable()
	if line < 1 || line > len(table) {
		return ""
	}
	end := len(f.text)
	if line < len(table) {
		end = int(table[line]) - 1
	}
	return strings.TrimSuffix(f.text[table[line-1]:end], "\r")
}

// Position returns the line and column of a byte offset.
func (f *File) Position(offset int) Position {
	table := f.lineTable()
	offset = min(max(offset, 0), len(f.text))
	line := sort.Search(len(table), func(i int) bool { return int(table[i]) > offset })
	start := int(table[line-1])
	if offset-start <= countBlock {
		return Position{Line: line, Column: utf8.RuneCountInString(f.text[start:offset]) + 1}
	}
	return Position{Line: line, Column: f.charactersBefore(offset) - f.charactersBefore(start) + 1}
}

// charactersBefore counts the characters that begin before a byte offset.
func (f *File) charactersBefore(offset int) int {
	f.count.Do(func() {
		total := int32(0)
		for at := 0; at <= len(f.text); at += countBlock {
			f.before = append(f.before, total)
			total += int32(characters(f.text[at:min(at+countBlock, len(f.text))]))
		}
	})
	block := offset / countBlock
	return int(f.before[block]) + characters(f.text[block*countBlock:offset])
}

// characters counts the bytes that begin a character of UTF-8; text may begin and end inside of one.
func characters(text string) int {
	n := 0
	for i := range len(text) {
		if text[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// Offset returns the byte offset of a position, clamped to its line and to the
// file. It is the inverse of [File.Position].
func (f *File) Offset(p Position) int {
	table := f.lineTable()
	if p.Line < 1 {
		return 0
	}
	if p.Line > len(table) {
		return len(f.text)
	}
	offset := int(table[p.Line-1])
	for range p.Column - 1 {
		if offset >= len(f.text) || f.text[offset] == '\n' {
			break
		}
		_, n := utf8.DecodeRuneInString(f.text[offset:])
		offset += n
	}
	return offset
}

// CheckUTF8 returns the range of the first byte that is not valid UTF-8.
func (f *File) CheckUTF8() (bad Span, ok bool) {
	if utf8.ValidString(f.text) {
		return Span{}, true
	}
	for i, r := range f.text {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(f.text[i:]); n <= 1 {
				return f.Span(i, i+1), false
			}
		}
	}
	return Span{}, true
}

// A Position is a line and a column, both counted from one; the column counts
// characters. The zero value means "unknown".
type Position struct{ Line, Column int }

// String prints the position as LINE:COLUMN.
func (p Position) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }
