//go:build !runner

package main

import (
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"skald/bindings/golang"
	"skald/compiler"
)

// writeGo writes a package of Go: its text, and the program that it embeds.
func (f *buildFlags) writeGo(p *compiler.Program, source string) error {
	folder, err := filepath.Abs(f.goFolder)
	if err != nil {
		return fail(exitUser, "cannot write the package: %v", err)
	}
	name := strings.ToLower(filepath.Base(folder))
	if !token.IsIdentifier(name) {
		return fail(exitUser, "cannot write the package: %q is no name of a package; --go takes a folder that is called like one", name)
	}
	described, err := p.Manifest()
	if err != nil {
		return fail(exitInternal, "%v", err)
	}
	text, err := golang.Generate(golang.Package{Program: described, Name: name, File: name + ".skald", Source: filepath.Base(source)})
	if err != nil {
		return fail(exitInternal, "%v", err)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fail(exitUser, "cannot write the package: %v", err)
	}
	return uninterrupted(func() error {
		return writeFiles([]newFile{{filepath.Join(folder, name+".go"), text}, {filepath.Join(folder, name+".skald"), p.Bundle().Encode()}})
	})
}
