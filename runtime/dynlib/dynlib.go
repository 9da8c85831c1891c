package dynlib

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
)

// Scope says who sees a library's symbols.
type Scope uint8

// The scopes.
const (
	Private Scope = iota // Only who asks this library.
	Shared               // Libraries loaded later, too, and by its name they find it loaded.
)

// Library is a loaded library. It stays loaded for the life of the process.
type Library struct{ handle uintptr }

// Open loads a library by path or name. A path must be that of an ordinary file: the loader would wait for ever for one end of a pipe.
func Open(path string, scope Scope) (Library, error) {
	if info, err := os.Stat(path); err == nil && filepath.Base(path) != path && !info.Mode().IsRegular() {
		return Library{}, fmt.Errorf("%s is not an ordinary file", path)
	}
	h, err := open(path, scope)
	return Library{h}, err
}

// Symbol returns the address of a symbol, 0 if there is none.
func (l Library) Symbol(name string) uintptr {
	p, err := symbol(l.handle, name)
	if err != nil {
		return 0
	}
	return p
}

// Bind sets each field of the struct of uintptr that table points to, to the
// address of prefix followed by the field's name, or by its tag `symbol`. It
// returns the names that the library lacks; their fields are 0.
func (l Library) Bind(prefix string, table any) (missing []string) {
	v := reflect.ValueOf(table).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name := f.Tag.Get("symbol")
		if name == "" {
			name = f.Name
		}
		address := l.Symbol(prefix + name)
		if address == 0 {
			missing = append(missing, prefix+name)
		}
		v.Field(i).SetUint(uint64(address))
	}
	return missing
}
