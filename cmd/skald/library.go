//go:build !runner

package main

import (
	"errors"
	"os"
	"path/filepath"

	"skald/bindings/c"
	"skald/compiler"
	"skald/targets"
)

// writeLibrary writes a C library: its source, its header and its description. None of them appears before all are complete.
func (f *buildFlags) writeLibrary(p *compiler.Program, stem string) error {
	f.server = true
	carried, err := f.sections(p)
	if err != nil {
		return err
	}
	runner, err := f.reading()
	if err != nil {
		return err
	}
	exe, err := p.Executable(runner, carried...)
	if err != nil {
		return fail(exitUser, "cannot make the executable that the library holds: %v", err)
	}
	m, err := p.Describe()
	if err != nil {
		return fail(exitInternal, "%v", err)
	}
	source, header, err := c.Generate(c.Library{
		Program: m, Executable: exe, Sizes: targets.SizeNames(), Backend: f.backendName(), Version: compiler.Version,
	})
	if err != nil {
		return fail(exitInternal, "%v", err)
	}
	description, err := m.JSON(f.backendName(), compiler.Version)
	if err != nil {
		return fail(exitInternal, "%v", err)
	}
	return uninterrupted(func() error {
		return writeFiles([]newFile{{stem + ".c", source}, {stem + ".h", header}, {stem + ".json", description}})
	})
}

// writeFiles writes files that belong together. If one cannot be written, none is.
func writeFiles(files []newFile) (err error) {
	var made []string
	defer func() {
		for _, path := range made {
			_ = os.Remove(path)
		}
	}()
	for _, f := range files {
		t, err := os.CreateTemp(filepath.Dir(f.path), ".skald-*")
		if err != nil {
			return fail(exitUser, "cannot write %s: %v", f.path, err)
		}
		made = append(made, t.Name())
		_, err = t.Write(f.data)
		if err = errors.Join(err, t.Chmod(0o644), t.Close()); err != nil {
			return fail(exitUser, "cannot write %s: %v", f.path, err)
		}
	}
	for i, f := range files {
		if err := os.Rename(made[i], f.path); err != nil {
			for _, f := range files[:i] {
				made = append(made, f.path)
			}
			return fail(exitUser, "cannot write %s: %v", f.path, err)
		}
	}
	made = nil
	return nil
}

// newFile is a file that is to be written.
type newFile struct {
	path string
	data []byte
}
