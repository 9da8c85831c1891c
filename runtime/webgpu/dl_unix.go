//go:build !windows

package webgpu

import "github.com/ebitengine/purego"

func openLibrary(path string, global bool) (uintptr, error) {
	mode := purego.RTLD_NOW | purego.RTLD_LOCAL
	if global {
		mode = purego.RTLD_NOW | purego.RTLD_GLOBAL
	}
	return purego.Dlopen(path, mode)
}

func findSymbol(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }
