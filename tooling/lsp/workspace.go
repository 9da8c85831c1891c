package lsp

import (
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"skald/frontend/check"
	"skald/frontend/source"
)

// maxFiles is how many files of the folders of a session are looked at.
const maxFiles = 10_000

// files are the programs in the folders of the session and those that are open, in order.
func (s *server) files() []string {
	seen := map[string]bool{}
	for p := range s.docs {
		seen[p] = true
	}
	for _, folder := range s.folders {
		_ = filepath.WalkDir(filepath.FromSlash(folder), func(p string, e fs.DirEntry, err error) error {
			switch {
			case err != nil || len(seen) >= maxFiles:
				return nil //nolint:nilerr // what cannot be read is passed over
			case e.IsDir() && strings.HasPrefix(e.Name(), ".") && p != filepath.FromSlash(folder):
				return filepath.SkipDir
			case !e.IsDir() && strings.HasSuffix(p, ".fut"):
				seen[filepath.ToSlash(p)] = true
			}
			return nil
		})
	}
	out := make([]string, 0, len(seen))
	for p := range seen {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// text is a file as it is now, in the editor or else on disk; nil if it cannot be read.
func (s *server) text(path string) *source.File {
	if d := s.docs[path]; d != nil {
		return d.file
	}
	f, err := check.OS{}.Load(path)
	if err != nil {
		return nil
	}
	return f
}

// importing is how a file says that it needs another; comments may say so, too, which costs time alone.
var importing = regexp.MustCompile(`import\s+"([^"\n]+)"`)

// programs are the documents of all files that may mention what is bound in a file: itself and those that import it, directly or
// through others.
func (s *server) programs(target string) []*document {
	users := map[string][]string{}
	for _, p := range s.files() {
		f := s.text(p)
		if f == nil {
			continue
		}
		for _, m := range importing.FindAllStringSubmatch(f.Text(), -1) {
			users[resolve(p, m[1])] = append(users[resolve(p, m[1])], p)
		}
	}
	seen := map[string]bool{target: true}
	order := []string{target}
	for i := 0; i < len(order); i++ {
		for _, p := range users[order[i]] {
			if !seen[p] {
				seen[p] = true
				order = append(order, p)
			}
		}
	}
	if strings.HasPrefix(target, "/prelude/") {
		order = s.files()
	}
	var out []*document
	for _, p := range order {
		if d := s.program(p); d != nil {
			out = append(out, d)
		}
	}
	return out
}

// program is a checked document, whether it is open or not; nil if it cannot be read.
func (s *server) program(path string) *document {
	if d := s.docs[path]; d != nil {
		d.finish()
		return d
	}
	f := s.text(path)
	if f == nil {
		return nil
	}
	d := &document{server: s, path: path, address: addressOf(path), file: f}
	d.recheck(0)
	return d
}

// resolve is the path of a file that another imports.
func resolve(from, name string) string {
	if strings.HasPrefix(name, "/") {
		return path.Clean(name) + ".fut"
	}
	return path.Join(path.Dir(from), name) + ".fut"
}

// importAt is the path of the file whose import is at a byte of the present text.
func (d *document) importAt(offset int) (path string, ok bool) {
	for _, m := range importing.FindAllStringSubmatchIndex(d.file.Text(), -1) {
		if m[2] <= offset && offset <= m[3] {
			path := resolve(d.path, d.file.Text()[m[2]:m[3]])
			return path, d.server.text(path) != nil
		}
	}
	return "", false
}
