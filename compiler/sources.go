package compiler

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

// Sources parses the program whose root file is at root: that file and all that it imports, directly or through others, but not the
// prelude. A file comes after those that it imports. Nothing is checked but the syntax; ok says that it is right and that all files
// could be read.
func Sources(root string, loader check.Loader) (files []*syntax.File, sink *diag.Sink, ok bool) {
	if loader == nil {
		loader = check.OS{}
	}
	sink = &diag.Sink{}
	l := &sourceLoader{loader: loader, sink: sink, seen: map[string]bool{}}
	l.load(root, source.Span{})
	return l.files, sink, !sink.HasErrors()
}

// Hash returns a number for the program whose root file is at root: the same for the same files with the same names,
// wherever they are, and for the same version of skald.
func Hash(root string, loader check.Loader) (sum string, sink *diag.Sink, ok bool) {
	files, sink, ok := Sources(root, loader)
	if !ok {
		return "", sink, false
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", Version)
	for _, f := range files {
		name := f.Source.Name()
		if rel, err := filepath.Rel(path.Dir(root), name); err == nil {
			name = filepath.ToSlash(rel)
		}
		fmt.Fprintf(h, "%q %d\n%s", name, f.Source.Size(), f.Source.Text())
	}
	return hex.EncodeToString(h.Sum(nil)), sink, true
}

var codeSource = diag.Declare(diag.Code{
	ID:   "cannot-open",
	Doc:  "A file of the program could not be read.",
	Hint: "name a file that is there and may be read",
})

// sourceLoader reads files once each.
type sourceLoader struct {
	loader check.Loader
	sink   *diag.Sink
	seen   map[string]bool
	files  []*syntax.File
}

// load reads and parses a file, after those that it imports. Cycles are the checker's business.
func (l *sourceLoader) load(name string, at source.Span) {
	if l.seen[name] {
		return
	}
	l.seen[name] = true
	f, err := l.loader.Load(name)
	if err != nil {
		l.sink.Errorf(codeSource, at, "cannot read %q: %v", name, err)
		return
	}
	tree := syntax.Parse(f, l.sink)
	for _, i := range syntax.Imports(tree) {
		switch {
		case strings.HasPrefix(i.Path, "/prelude/"):
		case strings.HasPrefix(i.Path, "/"):
			l.load(path.Clean(i.Path)+".fut", i.At)
		default:
			l.load(path.Join(path.Dir(name), i.Path)+".fut", i.At)
		}
	}
	l.files = append(l.files, tree)
}
