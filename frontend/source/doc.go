// Package source holds source files and byte ranges in them.
//
// It is a leaf: every layer may import it, and it imports nothing of ours.
// A [File] is immutable once made. A [Span] is a half-open byte range of one
// file and is small enough to stand in every node of every tree; lines and
// columns are computed only when a message is printed.
//
//	f := source.NewFile("a.fut", "def x = 1\n")
//	s := f.Span(4, 5)
//	s.Text()   // "x"
//	s.String() // "a.fut:1:5-5"
//
// Lines and columns count from one, and a column counts characters, not bytes,
// so that editors and people agree with what is printed.
package source
