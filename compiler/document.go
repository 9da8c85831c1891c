package compiler

import (
	"slices"

	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/document"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

// Document makes HTML pages of the documentation comments in some programs, with all that they import. The programs must be valid.
func Document(roots []string, loader check.Loader) (pages []document.Page, sink *diag.Sink, ok bool) {
	sink = &diag.Sink{}
	// The two readings of a file are files of their own, so places are compared as text.
	types := map[string]string{}
	var files []*syntax.File
	for _, root := range roots {
		prog, said, ok := Check(root, CheckOptions{Loader: loader})
		sink = said
		if !ok {
			return nil, sink, false
		}
		for _, d := range prog.Defs {
			if d.Sym.At.Valid() {
				types[d.Sym.At.String()] = specText(d)
			}
		}
		more, said, ok := Sources(root, loader)
		if !ok {
			return nil, said, false
		}
		for _, f := range more {
			if !slices.ContainsFunc(files, func(g *syntax.File) bool { return g.Source.Name() == f.Source.Name() }) {
				files = append(files, f)
			}
		}
	}
	return document.Pages(files, func(at source.Span) string { return types[at.String()] }), sink, true
}
