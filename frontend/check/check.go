package check

import (
	"errors"
	"os"
	"path"
	"strings"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

// Loader finds source files.
type Loader interface {
	// Load returns the file at a slash-separated path, which ends in ".fut". The error says what went wrong, for a
	// message.
	Load(path string) (*source.File, error)
}

// OS loads files from the file system.
type OS struct{}

// Load reads the file.
func (OS) Load(path string) (*source.File, error) {
	text, err := source.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return source.NewFile(path, text), nil
}

// Files is a loader for texts in memory, by path.
type Files map[string]string

// Load returns the text as a file.
func (f Files) Load(path string) (*source.File, error) {
	text, ok := f[path]
	if !ok {
		return nil, os.ErrNotExist
	}
	return source.NewFile(path, text), nil
}

// Options are what a caller may wish for.
type Options struct {
	// Entries names functions of the root file that are entry points besides those declared so.
	Entries []string
	// Mentioned, if set, hears of the names of types, modules and module types: the typed program no longer has them.
	Mentioned func(Mention)
}

// Check checks the program whose root file is at path root. Errors and warnings go to the sink; ok says that there
// were no errors.
func Check(loader Loader, root string, sink *diag.Sink, opts Options) (prog *types.Prog, ok bool) {
	env, ok := Load(loader, root, sink, opts)
	return env.Prog(), ok
}

func newChecker(loader Loader, sink *diag.Sink) *checker {
	c := &checker{
		sink: sink, prog: &types.Prog{}, loader: loader,
		files: map[string]*loadedFile{}, intrinsics: map[*types.Symbol]*intrinsic{}, aliases: map[*types.Symbol]*alias{},
	}
	c.builtin = newScope(nil)
	for name, op := range overloads {
		c.builtin.setVal(name, &binding{op: op})
	}
	intrinsics := newIntrinsics(c)
	c.internal = intrinsics.scope
	c.builtin.setVal("intrinsics", &binding{mod: intrinsics})
	c.prelude = &scope{outer: c.builtin, source: newPrelude(c)}
	return c
}

// loadedFile is a file that has been checked, or is being checked.
type loadedFile struct {
	mod    *module
	broken bool
	done   bool
}

// checkRoot checks the root file and, by its imports, all others.
func (c *checker) checkRoot(root string) *body {
	file, err := c.loader.Load(root)
	if err != nil {
		c.report(source.Span{}, "cannot-read", "Cannot read \"%s\": %s.", root, reason(err))
		return nil
	}
	c.files[strings.TrimSuffix(root, ".fut")] = &loadedFile{}
	b := newBody(c.prelude, root)
	b.root = true
	c.checkFile(b, file)
	return b
}

func (c *checker) checkFile(b *body, file *source.File) {
	before := c.sink.Errors()
	tree := syntax.Parse(file, c.sink)
	if c.sink.Errors() > before {
		return
	}
	c.decs(b, tree.Decs)
}

// importFile returns the module that a file is; its name is relative to the file at path from.
func (c *checker) importFile(from, name string, at source.Span) *module {
	if m := c.preludeFile(name); m != nil {
		return m
	}
	key := path.Join(path.Dir(from), name)
	if strings.HasPrefix(name, "/") {
		key = path.Clean(name)
	}
	if f := c.files[key]; f != nil {
		if !f.done {
			c.fail(at, "cyclic-import", "Import of \"%s\" is cyclic: the file imports itself, directly or "+
				"through others.", name)
		}
		if f.broken {
			panic(silent{})
		}
		return f.mod
	}
	file, err := c.loader.Load(key + ".fut")
	if err != nil {
		c.files[key] = &loadedFile{done: true, broken: true}
		c.fail(at, "unknown-import", "Could not read file \"%s\", which is imported here: %s.", key+".fut", reason(err))
	}
	f := &loadedFile{}
	c.files[key] = f
	inner := newBody(c.prelude, key+".fut")
	before := c.sink.Errors()
	func() {
		defer c.apart()()
		c.checkFile(inner, file)
	}()
	f.done, f.mod = true, &module{scope: inner.exports}
	f.broken = c.sink.Errors() > before && len(inner.defined) == 0
	return f.mod
}

func reason(err error) string {
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "there is no such file"
	case errors.Is(err, os.ErrPermission):
		return "permission denied"
	default:
		return err.Error()
	}
}
