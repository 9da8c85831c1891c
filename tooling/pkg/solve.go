package pkg

import (
	"context"
	"fmt"
	"slices"
)

// chosen is a version of a package and what it requires itself.
type chosen struct {
	version Version
	needs   []string
}

// Solve chooses a version for each package that is required, directly or through others: the highest of those asked for. It checks
// that commits are the ones that were expected.
func Solve(ctx context.Context, repos *Repositories, roots []Requirement) (map[string]Version, error) {
	all := map[string]chosen{}
	var add func(r Requirement, by string) error
	add = func(r Requirement, by string) error {
		commit, err := repos.Commit(ctx, r.Path, r.Version)
		if err != nil {
			return fmt.Errorf("%w (required by %s)", err, by)
		}
		if r.Hash != "" && r.Hash != commit {
			return fmt.Errorf("version %s of %s is the commit %s now, but %s expects %s: somebody has changed the version",
				r.Version, r.Path, commit, by, r.Hash)
		}
		if c, ok := all[r.Path]; ok && !c.version.Less(r.Version) {
			return nil
		}
		m, err := repos.Manifest(ctx, r.Path, r.Version, commit)
		if err != nil {
			return err
		}
		c := chosen{version: r.Version}
		for _, need := range m.Requirements() {
			c.needs = append(c.needs, need.Path)
		}
		all[r.Path] = c
		for _, need := range m.Requirements() {
			if err := add(need, r.Path+" "+string(r.Version)); err != nil {
				return err
			}
		}
		return nil
	}
	for _, r := range roots {
		if err := add(r, ManifestName); err != nil {
			return nil, err
		}
	}
	// What only a version required that was not chosen is left out.
	out := map[string]Version{}
	var keep func(path string)
	keep = func(path string) {
		if _, ok := out[path]; ok {
			return
		}
		out[path] = all[path].version
		for _, need := range all[path].needs {
			keep(need)
		}
	}
	for _, r := range roots {
		keep(r.Path)
	}
	return out, nil
}

// sorted lists the packages of a choice in order.
func sorted(list map[string]Version) []string {
	out := make([]string, 0, len(list))
	for path := range list {
		out = append(out, path)
	}
	slices.Sort(out)
	return out
}
