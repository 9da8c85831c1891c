package lsp

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"skald/frontend/source"
)

// offsetOf is the byte at a position of the protocol, which counts units of UTF-16.
func offsetOf(f *source.File, p protocol.Position) int {
	start := f.Offset(source.Position{Line: int(p.Line) + 1, Column: 1})
	text := f.Text()
	at := start
	for units := int(p.Character); units > 0 && at < len(text) && text[at] != '\n'; {
		r, n := utf8.DecodeRuneInString(text[at:])
		units -= max(utf16.RuneLen(r), 1)
		at += n
	}
	return at
}

// positionOf is the position of a byte.
func positionOf(f *source.File, offset int) protocol.Position {
	offset = min(max(offset, 0), f.Size())
	line := f.Position(offset).Line
	start := f.Offset(source.Position{Line: line, Column: 1})
	return protocol.Position{Line: uint32(line - 1), Character: uint32(units(f.Text()[start:offset]))}
}

// units is the length of a text in UTF-16.
func units(text string) int {
	n := 0
	for _, r := range text {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// rangeOf is the range of a place.
func rangeOf(s source.Span) protocol.Range {
	return protocol.Range{Start: positionOf(s.File, int(s.Start)), End: positionOf(s.File, int(s.End))}
}

// pathOf is the slash-separated path by which a document is known. One that is not in the file system, such as a new one that was
// never saved, is known by its address, and imports are relative to the folder of the server.
func pathOf(u protocol.DocumentURI) string {
	parsed, err := url.Parse(string(u))
	if err != nil || parsed.Scheme != "file" {
		return string(u)
	}
	path := parsed.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.ToSlash(filepath.Clean(path))
}

// addressOf is the address of a path.
func addressOf(path string) protocol.DocumentURI {
	if !filepath.IsAbs(filepath.FromSlash(path)) {
		if strings.Contains(path, ":") {
			return protocol.DocumentURI(path)
		}
		if whole, err := filepath.Abs(path); err == nil {
			path = whole
		}
	}
	return uri.File(filepath.FromSlash(path))
}
