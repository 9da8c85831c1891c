//go:build !runner

package compiler

import (
	"slices"

	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/document"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

// Document makes HTML pages of the documentation comments in some programs, with all that they import. The programs must be valid. The
// runner of executables is built without it, and so without the libraries for Markdown and highlighting.
func Document(roots []string, loader check.Loader) (pages []document.Page, sink *diag.Sink, ok bool) {
	sink = &diag.Sink{}
	known := &documented{types: map[string]string{}, envs: map[string]*check.Env{}}
	var files []*syntax.File
	for _, root := range roots {
		said, ok := known.check(root, loader)
		sink = said
		if !ok {
			return nil, sink, false
		}
		more, said, ok := Sources(root, loader)
		if !ok {
			return nil, said, false
		}
		for _, f := range more {
			name := f.Source.Name()
			if slices.ContainsFunc(files, func(g *syntax.File) bool { return g.Source.Name() == name }) {
				continue
			}
			files = append(files, f)
			if _, ok := known.check(name, loader); !ok {
				known.envs[name] = check.NewEnv(loader, name)
			}
		}
	}
	return document.Pages(files, known), sink, true
}

// documented is what the checker knows of files. It reads them again, so places are compared as text.
type documented struct {
	types map[string]string
	envs  map[string]*check.Env
}

// check checks a file, as a program, once.
func (d *documented) check(file string, loader check.Loader) (sink *diag.Sink, ok bool) {
	sink = &diag.Sink{}
	if d.envs[file] != nil {
		return sink, true
	}
	if loader == nil {
		loader = check.OS{}
	}
	env, ok := check.Load(loader, file, sink, check.Options{})
	if !ok {
		return sink, false
	}
	d.envs[file] = env
	for _, def := range env.Prog().Defs {
		if def.Sym.At.Valid() {
			d.types[def.Sym.At.String()] = specText(def)
		}
	}
	return sink, true
}

// TypeOf is what follows a value's name in a specification.
func (d *documented) TypeOf(at source.Span) string { return d.types[at.String()] }

// Members are what a module exports.
func (d *documented) Members(file *syntax.File, module string) []document.Member {
	members, _ := d.envs[file.Source.Name()].Members(module)
	return membersOf(members)
}

func membersOf(ms []check.Member) []document.Member {
	var out []document.Member
	for _, m := range ms {
		out = append(out, document.Member{
			Type: m.Kind == check.TypeName, Module: m.Kind == check.ModuleName,
			Name: m.Name, Text: m.Text, At: m.At, Members: membersOf(m.Members),
		})
	}
	return out
}
