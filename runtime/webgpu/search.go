package webgpu

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"skald/runtime/device"
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
// bundled one, those beside the executable, in skald's cache, in node_modules, in
// Python's packages.
func FindLibraries(o Options) []string {
	native, dawn := libraryNames()
	names := append(slices.Clone(native), dawn...)
	switch o.Library {
	case "":
	case wgpuNative.name:
		names = native
	case "dawn":
		names = dawn
	default:
		return []string{o.Library}
	}
	if p := os.Getenv("SKALD_WEBGPU_LIB"); p != "" && o.Library == "" {
		return []string{p} // Who names a library wants that or an error.
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

// libraryPlaces lists the folders to look in, as glob patterns.
func libraryPlaces() []string {
	var places []string
	if exe, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		places = append(places, filepath.Dir(exe))
	}
	if cache := device.CacheDir(); cache != "" {
		places = append(places, filepath.Join(cache, "webgpu", "*"))
	}
	if dir, err := os.Getwd(); err == nil {
		for ; ; dir = filepath.Dir(dir) {
			places = append(places, filepath.Join(dir, "node_modules", "bun-webgpu-*"))
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	return append(places, pythonPlaces()...)
}

// pythonPlaces lists where the wheel of wgpu-native lies once pip has installed
// it: in the active environment, and in the usual places of users and systems.
func pythonPlaces() []string {
	var roots []string
	if env := os.Getenv("VIRTUAL_ENV"); env != "" {
		roots = append(roots, env)
	}
	if home, err := os.UserHomeDir(); err == nil {
		roots = append(roots, filepath.Join(home, ".local"), filepath.Join(home, ".pyenv", "versions", "*"))
	}
	roots = append(roots, "/usr/local", "/usr", "/opt/homebrew")
	var places []string
	for _, r := range roots {
		places = append(places,
			filepath.Join(r, "lib", "python3*", "site-packages", "wgpu", "resources"),
			filepath.Join(r, "lib", "python3*", "dist-packages", "wgpu", "resources"),
			filepath.Join(r, "lib", "python3", "dist-packages", "wgpu", "resources"),
			filepath.Join(r, "Lib", "site-packages", "wgpu", "resources"))
	}
	return places
}

// unpacked holds where libraries that travel inside the executable lie for this process alone, by digest. librariesMu guards it.
var unpacked = map[string]string{}

// unpackBundle writes a library that travels inside the executable to the cache, under its digest, or where the cache cannot be written
// to a temporary folder, which removeUnpacked removes.
func unpackBundle(bytes []byte, name string) (string, error) {
	digest := fmt.Sprintf("%x", sha256.Sum256(bytes))[:32]
	if len(device.ReadCached("bundle", digest, name)) == len(bytes) {
		return filepath.Join(device.CacheDir(), "bundle", digest, name), nil
	}
	if p, err := device.WriteCached(bytes, "bundle", digest, name); err == nil {
		return p, nil
	}
	librariesMu.Lock()
	defer librariesMu.Unlock()
	if p := unpacked[digest]; p != "" {
		return p, nil
	}
	dir, err := os.MkdirTemp("", "skald-*")
	if err != nil {
		return "", fmt.Errorf("unpack the bundled WebGPU library: %w", err)
	}
	p := filepath.Join(dir, name)
	if err := os.WriteFile(p, bytes, 0o755); err != nil {
		return "", errors.Join(fmt.Errorf("unpack the bundled WebGPU library: %w", err), os.RemoveAll(dir))
	}
	unpacked[digest] = p
	return p, nil
}

// removeUnpacked removes the temporary folder of a library that is loaded; it stays in use without its file. Windows keeps the file of
// a library that is in use, and so leaves it behind.
func removeUnpacked(path string) {
	librariesMu.Lock()
	defer librariesMu.Unlock()
	for _, p := range unpacked {
		if p == path {
			_ = os.RemoveAll(filepath.Dir(p))
		}
	}
}

// CheckLibrary says why a file cannot be used as the WebGPU library, if it cannot.
func CheckLibrary(path string) error {
	_, err := load(path)
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
		l, err := load(path)
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
	cache := ""
	if dir := device.CacheDir(); dir != "" {
		cache = "in " + filepath.Join(dir, "webgpu") + ", "
	}
	return fmt.Sprintf("no %s beside the executable, %sin node_modules or in Python's packages", what, cache)
}
