package webgpu

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"skald/runtime/cache"
	"skald/runtime/device"
	"skald/runtime/dynlib"
)

// libraryNames are the file names of the two libraries on this system, those of
// wgpu-native first.
func libraryNames() (native, dawn []string) {
	switch runtime.GOOS {
	case "windows":
		return []string{"wgpu_native-release.dll", "wgpu_native.dll"}, []string{"webgpu_wrapper.dll", "webgpu_dawn.dll"}
	case "darwin":
		return []string{"libwgpu_native-release.dylib", "libwgpu_native.dylib"},
			[]string{"libwebgpu_wrapper.dylib", "libwebgpu_dawn.dylib"}
	}
	return []string{"libwgpu_native-release.so", "libwgpu_native.so"},
		[]string{"libwebgpu_wrapper.so", "libwebgpu_dawn.so"}
}

// FindLibraries lists the WebGPU libraries that are present, in the order in which
// Open tries them: the one that o names, or that $SKALD_WEBGPU_LIB names; else the
// bundled one, those beside the executable, in skald's cache, in the system's folders.
func FindLibraries(o Options) []string {
	if p := o.namedFile(); p != "" {
		return []string{p} // Who names a library wants that or an error.
	}
	native, dawn := libraryNames()
	names := append(slices.Clone(native), dawn...)
	switch o.Library {
	case wgpuNative.name:
		names = native
	case "dawn":
		names = dawn
	}
	var found []string
	if o.Bundle != nil && o.Library == "" {
		if p, err := unpackBundle(o.Bundle, native[0]); err == nil {
			found = append(found, p)
		}
	}
	for _, pattern := range libraryPlaces() {
		for _, name := range names {
			matches, _ := filepath.Glob(filepath.Join(pattern, name)) // The only error is a bad pattern.
			for _, m := range matches {
				if !slices.Contains(found, m) {
					found = append(found, m)
				}
			}
		}
	}
	return found
}

// namedFile is the file of the library that the user names, if it is a file that is named.
func (o Options) namedFile() string {
	path := o.Library
	switch path {
	case "":
		path = os.Getenv("SKALD_WEBGPU_LIB")
	case wgpuNative.name, "dawn":
		return ""
	}
	if full, err := filepath.Abs(path); err == nil && path != "" && filepath.Base(path) != path {
		return full // Some loaders take relative paths to be below folders of theirs.
	}
	return path
}

// libraryPlaces lists the folders to look in, as glob patterns: the executable's, skald's cache, and folders that only root writes. None
// depends on the current directory, where anybody's files may lie.
func libraryPlaces() []string {
	var places []string
	if exe, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		places = append(places, filepath.Dir(exe))
	}
	if dir := cache.Dir(); dir != "" {
		places = append(places, filepath.Join(dir, "webgpu", "*"))
	}
	return append(places, dynlib.SystemFolders()...)
}

// vet says why a library that the search found must not be loaded, if it must not.
func vet(path string) error {
	err := cache.Trusted(path)
	hint := "correct its owner and mode, or name a library with SKALD_WEBGPU_LIB"
	if cache.Contains(path) && !isUnpacked(path) {
		err = cache.Verify(path)
		hint = "remove its folder and run scripts/fetch-webgpu.sh, or name a library with SKALD_WEBGPU_LIB"
	}
	if err != nil {
		return &device.Error{Fault: device.BadLibrary, Op: "load " + path, Err: err, Hint: hint}
	}
	return nil
}

// loadFound loads a library of FindLibraries. Those that the user does not name are vetted first.
func loadFound(path string, o Options) (*library, error) {
	if o.namedFile() == "" {
		if err := vet(path); err != nil {
			return nil, err
		}
	}
	return load(path)
}

// unpacked holds where libraries that travel inside the executable lie, by digest. librariesMu guards it.
var unpacked = map[string]string{}

// unpackBundle writes a library that travels inside the executable to the cache, under its digest, or where the cache cannot be written
// to a temporary folder, which removeUnpacked removes.
func unpackBundle(bytes []byte, name string) (string, error) {
	digest := fmt.Sprintf("%x", sha256.Sum256(bytes))
	librariesMu.Lock()
	defer librariesMu.Unlock()
	if p := unpacked[digest]; p != "" {
		return p, nil
	}
	p, err := cache.Place(bytes, "bundle", digest, name)
	if err != nil {
		dir, err := os.MkdirTemp("", "skald-*")
		if err != nil {
			return "", fmt.Errorf("unpack the bundled WebGPU library: %w", err)
		}
		p = filepath.Join(dir, name)
		if err := os.WriteFile(p, bytes, 0o700); err != nil {
			return "", errors.Join(fmt.Errorf("unpack the bundled WebGPU library: %w", err), os.RemoveAll(dir))
		}
	}
	unpacked[digest] = p
	return p, nil
}

// isUnpacked reports whether this process has compared a file with the library that its executable carries.
func isUnpacked(path string) bool {
	librariesMu.Lock()
	defer librariesMu.Unlock()
	for _, p := range unpacked {
		if p == path {
			return true
		}
	}
	return false
}

// removeUnpacked removes the temporary folder of a library that is loaded; it stays in use without its file. Windows keeps the file of
// a library that is in use, and so leaves it behind.
func removeUnpacked(path string) {
	librariesMu.Lock()
	defer librariesMu.Unlock()
	for _, p := range unpacked {
		if p == path && !cache.Contains(p) {
			_ = os.RemoveAll(filepath.Dir(p))
		}
	}
}

// CheckLibrary says why a file of FindLibraries cannot be used as the WebGPU library, if it cannot.
func CheckLibrary(path string, o Options) error {
	_, err := loadFound(path, o)
	return err
}

// Named reports whether the user has said which library to use, or which driver.
func (o Options) Named() bool {
	return o.Library != "" || o.Driver != "" || os.Getenv("SKALD_WEBGPU_LIB") != ""
}

// loadFirst loads the first library of the search that can be loaded.
func loadFirst(o Options) (*library, error) {
	found := FindLibraries(o)
	var first error
	for _, path := range found {
		l, err := loadFound(path, o)
		removeUnpacked(path)
		if err == nil {
			return l, nil
		}
		if first == nil {
			first = err
		}
	}
	if first != nil {
		return nil, first
	}
	return nil, &device.Error{
		Fault: device.NoLibrary, Op: "look for a WebGPU library", Detail: searched(o),
		Hint: "run scripts/fetch-webgpu.sh, or name a library with SKALD_WEBGPU_LIB",
	}
}

// searched says in one phrase what was looked for.
func searched(o Options) string {
	native, dawn := libraryNames()
	what := native[0] + " or " + dawn[0]
	if o.Library != "" {
		what = o.Library
	}
	folder := ""
	if dir := cache.Dir(); dir != "" {
		folder = ", in " + filepath.Join(dir, "webgpu")
	}
	return fmt.Sprintf("no %s beside the executable%s or in %s", what, folder, strings.Join(dynlib.SystemFolders(), ", "))
}
