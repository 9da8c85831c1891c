//go:build !windows

package dynlib

import "github.com/ebitengine/purego"

func open(path string, scope Scope) (uintptr, error) {
	mode := purego.RTLD_NOW | purego.RTLD_LOCAL
	if scope == Shared {
		mode = purego.RTLD_NOW | purego.RTLD_GLOBAL
	}
	return purego.Dlopen(path, mode)
}

func symbol(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }
