package webgpu

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/runtime/device"
	"skald/runtime/device/devicetest"
)

// TestLibrariesAreFoundInTheOrderPromised makes files with the libraries' names in
// each place.
func TestLibrariesAreFoundInTheOrderPromised(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: the names of the files are Linux's")
	}
	root := t.TempDir()
	touch := func(parts ...string) string {
		path := filepath.Join(append([]string{root}, parts...)...)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Setenv("SKALD_CACHE", filepath.Join(root, "cache"))
	t.Setenv("HOME", filepath.Join(root, "home"))
	t.Setenv("VIRTUAL_ENV", filepath.Join(root, "venv"))
	t.Setenv("SKALD_WEBGPU_LIB", "")
	const resources = "lib/python3.12/site-packages/wgpu/resources/libwgpu_native-release.so"
	python := touch("home", ".local", resources)
	// These are planted: none may be found by walking up, nor by variables that are not skald's.
	touch("venv", resources)
	touch("project", "node_modules", "bun-webgpu-linux-x64", "libwebgpu_wrapper.so")
	node := touch("node_modules", "bun-webgpu-linux-x64", "libwebgpu_wrapper.so")
	touch("project", "libwgpu_native.so")
	dawn := touch("cache", "webgpu", "dawn", "libwebgpu_wrapper.so")
	native := touch("cache", "webgpu", "native", "libwgpu_native-release.so")
	t.Chdir(filepath.Join(root, "project"))

	ours := func(paths []string) (out []string) {
		for _, p := range paths {
			if r, err := filepath.Rel(root, p); err == nil && filepath.IsLocal(r) {
				out = append(out, p)
			}
		}
		return out
	}
	check := func(what string, o Options, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, ours(FindLibraries(o))); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	check("any", Options{}, native, dawn)
	check("Dawn", Options{Library: "dawn"}, dawn)
	check("wgpu-native", Options{Library: "wgpu-native"}, native)
	check("a path", Options{Library: node}, node)
	bundled := ours(FindLibraries(Options{Bundle: []byte("library")}))
	if len(bundled) != 3 || filepath.Base(bundled[0]) != "libwgpu_native-release.so" {
		t.Fatalf("with a bundled library: %v", bundled)
	}
	if data, err := os.ReadFile(bundled[0]); err != nil || string(data) != "library" {
		t.Errorf("the bundled library was unpacked as %q, %v", data, err)
	}
	t.Setenv("SKALD_WEBGPU_LIB", python)
	check("environment", Options{}, python)
	check("flag before environment", Options{Library: node}, node)
}

// TestAChangedLibraryIsNotLoaded has libraries in the cache whose bytes are not those that were fetched: the C library, which would load.
func TestAChangedLibraryIsNotLoaded(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: the names of the files are Linux's")
	}
	found, _ := filepath.Glob("/lib/*-linux-gnu/libc.so.6")
	if len(found) == 0 {
		t.Skip("SKIPPED: the C library lies elsewhere")
	}
	code, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	t.Setenv("SKALD_CACHE", cache)
	t.Setenv("SKALD_WEBGPU_LIB", "")
	dir := filepath.Join(cache, "webgpu", "native")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	lib := filepath.Join(dir, "libwgpu_native.so")
	if err := os.WriteFile(lib, code, 0o755); err != nil {
		t.Fatal(err)
	}
	open := func(sums, want string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(sums), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Open(Options{Library: "wgpu-native"})
		devicetest.WantFault(t, want, err, device.BadLibrary)
		if err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q: %v", want, err)
		}
	}
	open("", "is not listed")
	open(strings.Repeat("0", 64)+"  libwgpu_native.so\n", "has SHA-256")
	open(fmt.Sprintf("%x  libwgpu_native.so\n", sha256.Sum256(code)), "it has no wgpuCreateInstance") // It was loaded.
	if err := os.Chmod(lib, 0o777); err != nil {
		t.Fatal(err)
	}
	open(fmt.Sprintf("%x  libwgpu_native.so\n", sha256.Sum256(code)), "others may write")
}

// TestABundledLibraryIsUnpackedAgainIfTheFileThereDiffers leaves a file of the same length in its place.
func TestABundledLibraryIsUnpackedAgainIfTheFileThereDiffers(t *testing.T) {
	t.Setenv("SKALD_CACHE", t.TempDir())
	clear(unpacked)
	path, err := unpackBundle([]byte("library"), "lib.so")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("LIBRARY"), 0o600); err != nil {
		t.Fatal(err)
	}
	clear(unpacked) // As in another process.
	again, err := unpackBundle([]byte("library"), "lib.so")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(again); err != nil || string(got) != "library" {
		t.Errorf("the library is taken from a file with %q, %v", got, err)
	}
}

// TestAChangedProbeIsMadeAgain writes a probe's result that is not skald's.
func TestAChangedProbeIsMadeAgain(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		if !d.facts.Subgroups {
			t.Skip("SKIPPED: no subgroups, so nothing is probed at the start")
		}
		dir := t.TempDir()
		t.Setenv("SKALD_CACHE", dir)
		want := d.facts.SubgroupSize
		path := filepath.Join(dir, "probes", d.probeName("subgroups", subgroupSource))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(`{"Size": 77, "Linear": true}`), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := d.probeSubgroups(); err != nil || d.facts.SubgroupSize != want {
			t.Errorf("subgroups of %d, not %d: %v", d.facts.SubgroupSize, want, err)
		}
	})
}
