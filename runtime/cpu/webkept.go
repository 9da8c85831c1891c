package cpu

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tetratelabs/wazero"

	"skald/runtime/cache"
)

// Note [Kept WebAssembly]
//
// wazero keeps machine code in a folder, one file a module, and finds it by the module and the processor's features; but it trusts the
// files. So its folder is one in which only the user may look, and which is there only while a module is compiled; what is kept is an
// entry of skald's cache, by the module, wazero's version and the processor's features: it is verified, bounded and replaced as a whole
// like others (package cache). Its first line is what wazero calls the file, which is put into the folder for wazero to find.

// webFolder is the folder that wazero keeps machine code in, which is there while a module is compiled.
type webFolder struct {
	cache wazero.CompilationCache
	root  string
	below string // the folder in root that has the files
}

// newWebFolder makes the folder. It is nil where code cannot be kept, which costs the next run its time.
func newWebFolder() *webFolder {
	if !cache.Present() {
		return nil
	}
	root, err := scratch()
	if err != nil {
		return nil
	}
	defer os.RemoveAll(root) //nolint:errcheck // what is left behind is in the folder for such files
	c, err := wazero.NewCompilationCacheWithDir(root)
	if err != nil {
		return nil
	}
	return &webFolder{cache: c, root: root, below: otherFile(root, "")}
}

// wazeroVersion is the version of wazero that go.mod has: wazero itself does not always know it.
const wazeroVersion = "v1.12.0"

// name is what the code of a module is kept by.
func (f *webFolder) name(module []byte) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s\n", wazeroVersion, features())
	sum.Write(module)
	return fmt.Sprintf("%x.wasm", sum.Sum(nil))
}

// compile compiles a module by what is kept of it, or keeps what the compiler makes.
func (f *webFolder) compile(module []byte, compile func() (wazero.CompiledModule, error)) (wazero.CompiledModule, error) {
	dir := filepath.Join(f.root, f.below)
	switch err := os.Mkdir(f.root, 0o700); {
	case err == nil:
		defer os.RemoveAll(f.root) //nolint:errcheck // what is left behind is in the folder for such files
		_ = os.Mkdir(dir, 0o700)
	case os.IsExist(err): // Whoever made it could have put code there.
		return nil, fmt.Errorf("somebody else made the folder %s", f.root)
	}
	name := f.name(module)
	put := putFile(dir, cache.Read(cacheFolder, name))
	compiled, err := compile()
	if err != nil && put != "" {
		_ = os.Remove(filepath.Join(dir, put))
		put = ""
		compiled, err = compile()
	}
	if err != nil {
		return compile() // That nothing can be kept is no error: what was compiled is still there.
	}
	if made := otherFile(dir, put); made != "" {
		if code, err := os.ReadFile(filepath.Join(dir, made)); err == nil {
			keepCode(name, append([]byte(made+"\n"), code...))
		}
	}
	return compiled, nil
}

// putFile puts what was kept into a folder, and returns what the file is called; nothing if there is none.
func putFile(dir string, kept []byte) string {
	file, code, ok := bytes.Cut(kept, []byte{'\n'})
	if name := string(file); ok && name != "" && filepath.Base(name) == name && os.WriteFile(filepath.Join(dir, name), code, 0o600) == nil {
		return name
	}
	return ""
}

// otherFile is a file of a folder that is not called name; nothing if there is none.
func otherFile(dir, name string) string {
	all, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	for _, f := range all {
		if f.Name() != name {
			return f.Name()
		}
	}
	return ""
}
