package pkg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"skald/tooling/artifact"
)

// Project is a folder with a manifest and what it requires in lib/.
type Project struct {
	Dir   string
	Repos *Repositories
	// Out hears what was done.
	Out io.Writer
}

func (p *Project) path(name string) string { return filepath.Join(p.Dir, name) }

func (p *Project) say(format string, args ...any) { fmt.Fprintf(p.Out, format+"\n", args...) }

// read reads the manifest. Without a file it is empty.
func (p *Project) read() (*Manifest, error) {
	text, err := os.ReadFile(p.path(ManifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return &Manifest{}, nil
	}
	if err != nil {
		return nil, err
	}
	return ParseManifest(ManifestName, string(text))
}

func (p *Project) write(m *Manifest) error {
	return artifact.WriteText(p.path(ManifestName), m.String())
}

// Init makes a manifest for a package and a folder for its files.
func (p *Project) Init(name string) error {
	name, err := PackagePath(name)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(p.path(ManifestName)); err == nil {
		return fmt.Errorf("%s is there already", ManifestName)
	}
	folder := filepath.Join("lib", filepath.FromSlash(name))
	if err := os.MkdirAll(p.path(folder), 0o755); err != nil {
		return err
	}
	if err := p.write(&Manifest{Path: name}); err != nil {
		return err
	}
	p.say("made %s and the folder %s", ManifestName, filepath.ToSlash(folder))
	return nil
}

// Format writes the manifest as it is printed; its comments stay.
func (p *Project) Format() error {
	if _, err := os.Stat(p.path(ManifestName)); err != nil {
		return err
	}
	m, err := p.read()
	if err != nil {
		return err
	}
	return p.write(m)
}

// Add requires a package of at least some version, the newest if that is empty.
func (p *Project) Add(ctx context.Context, name string, v Version) error {
	name, err := PackagePath(name)
	if err != nil {
		return err
	}
	m, err := p.read()
	if err != nil {
		return err
	}
	if v == "" {
		if v, err = p.Repos.Newest(ctx, name); err != nil {
			return err
		}
	}
	commit, err := p.Repos.Commit(ctx, name, v)
	if err != nil {
		return err
	}
	r := Requirement{Path: name, Version: v, Hash: commit}
	if v.commit() != "" {
		r.Hash = "" // the version says it
	}
	at, was := m.Find(name), Version("")
	if at < 0 {
		m.Require = append(m.Require, Line{Requirement: r})
	} else {
		was = m.Require[at].Version
		m.Require[at].Requirement = r
	}
	if _, err := Solve(ctx, p.Repos, m.Requirements()); err != nil {
		return err
	}
	if err := p.write(m); err != nil {
		return err
	}
	switch was {
	case v:
		p.say("%s is required as %s already", name, v)
	case "":
		p.say("requires %s %s; `skald pkg sync` fetches it", name, v)
	default:
		p.say("requires %s %s, no longer %s; `skald pkg sync` fetches it", name, v, was)
	}
	return nil
}

// Remove requires a package no longer.
func (p *Project) Remove(name string) error {
	m, err := p.read()
	if err != nil {
		return err
	}
	at := m.Find(name)
	if at < 0 {
		return fmt.Errorf("%s does not require %s", ManifestName, name)
	}
	v := m.Require[at].Version
	m.Require = append(m.Require[:at:at], m.Require[at+1:]...)
	if err := p.write(m); err != nil {
		return err
	}
	p.say("%s %s is required no longer; `skald pkg sync` removes its files", name, v)
	return nil
}

// Upgrade requires the newest version of each package.
func (p *Project) Upgrade(ctx context.Context) error {
	m, err := p.read()
	if err != nil {
		return err
	}
	changed := false
	for i, l := range m.Require {
		if l.Comment != "" {
			continue
		}
		v, err := p.Repos.Newest(ctx, l.Path)
		if err != nil {
			return err
		}
		if !l.Version.Less(v) {
			continue
		}
		commit, err := p.Repos.Commit(ctx, l.Path, v)
		if err != nil {
			return err
		}
		if v.commit() != "" {
			commit = ""
		}
		m.Require[i].Requirement = Requirement{Path: l.Path, Version: v, Hash: commit}
		p.say("%s %s => %s", l.Path, l.Version, v)
		changed = true
	}
	if !changed {
		p.say("all packages are the newest")
		return nil
	}
	if _, err := Solve(ctx, p.Repos, m.Requirements()); err != nil {
		return err
	}
	return p.write(m)
}

// Versions lists the versions of a package.
func (p *Project) Versions(ctx context.Context, name string) error {
	name, err := PackagePath(name)
	if err != nil {
		return err
	}
	list, err := p.Repos.Versions(ctx, name)
	for _, v := range list {
		p.say("%s", v)
	}
	return err
}

// Check tells which versions sync would fetch, and whether the package's own files are where they belong.
func (p *Project) Check(ctx context.Context) error {
	m, err := p.read()
	if err != nil {
		return err
	}
	list, err := Solve(ctx, p.Repos, m.Requirements())
	if err != nil {
		return err
	}
	for _, path := range sorted(list) {
		p.say("%s => %s", path, list[path])
	}
	if m.Path == "" {
		return nil
	}
	folder := p.path(filepath.Join("lib", filepath.FromSlash(m.Path)))
	programs := 0
	err = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".fut") {
			programs++
		}
		return err
	})
	switch {
	case err != nil:
		return fmt.Errorf("the package's own folder cannot be read: %w", err)
	case programs == 0:
		return fmt.Errorf("the package's own folder lib/%s has no .fut files", m.Path)
	}
	return nil
}

// Sync makes lib/ what the manifest says: the package's own files as they are, and those of the packages that it requires. All else
// there goes. Until everything has been fetched lib/ stays as it is.
func (p *Project) Sync(ctx context.Context) (err error) {
	m, err := p.read()
	if err != nil {
		return err
	}
	lib, next, last := p.path("lib"), p.path("lib~new"), p.path("lib~old")
	if err := p.recover(lib, last); err != nil {
		return err
	}
	list, err := Solve(ctx, p.Repos, m.Requirements())
	if err != nil {
		return err
	}
	if err := os.RemoveAll(next); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(next)) }()
	if err := os.Mkdir(next, 0o755); err != nil {
		return err
	}
	for _, path := range sorted(list) {
		if path == m.Path {
			continue // it requires itself through others; its own files are the newest
		}
		if err := p.Repos.Extract(ctx, path, list[path], filepath.Join(next, filepath.FromSlash(path))); err != nil {
			return err
		}
		p.say("%s %s", path, list[path])
	}
	return p.replace(m.Path, lib, next, last)
}

// recover puts lib/ back where an earlier run was cut off while it exchanged it.
func (p *Project) recover(lib, last string) error {
	if _, err := os.Stat(last); err != nil {
		return nil //nolint:nilerr // nothing was cut off
	}
	if _, err := os.Stat(lib); err == nil {
		return fmt.Errorf("%s is there from a run that was cut off, beside %s: remove one of them", last, lib)
	}
	return os.Rename(last, lib)
}

// replace exchanges lib/ for a new one, into which the package's own folder goes.
func (p *Project) replace(own, lib, next, last string) error {
	if _, err := os.Stat(lib); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(next, lib)
	}
	if own != "" {
		from, to := filepath.Join(lib, filepath.FromSlash(own)), filepath.Join(next, filepath.FromSlash(own))
		if _, err := os.Stat(from); err == nil {
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				return err
			}
			if err := os.CopyFS(to, os.DirFS(from)); err != nil {
				return err
			}
		}
	}
	if err := os.Rename(lib, last); err != nil {
		return err
	}
	if err := os.Rename(next, lib); err != nil {
		return errors.Join(err, os.Rename(last, lib))
	}
	return os.RemoveAll(last)
}
