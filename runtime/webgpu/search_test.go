package webgpu

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("SKALD_WEBGPU_LIB", "")
	python := touch("home", ".local", "lib", "python3.12", "site-packages", "wgpu", "resources",
		"libwgpu_native-release.so")
	node := touch("project", "node_modules", "bun-webgpu-linux-x64", "libwebgpu_wrapper.so")
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
	check("any", Options{}, native, dawn, node, python)
	check("Dawn", Options{Library: "dawn"}, dawn, node)
	check("wgpu-native", Options{Library: "wgpu-native"}, native, python)
	check("a path", Options{Library: node}, node)
	bundled := ours(FindLibraries(Options{Bundle: []byte("library")}))
	if len(bundled) != 5 || filepath.Base(bundled[0]) != "libwgpu_native-release.so" {
		t.Fatalf("with a bundled library: %v", bundled)
	}
	if data, err := os.ReadFile(bundled[0]); err != nil || string(data) != "library" {
		t.Errorf("the bundled library was unpacked as %q, %v", data, err)
	}
	t.Setenv("SKALD_WEBGPU_LIB", python)
	check("environment", Options{}, python)
	check("flag before environment", Options{Library: node}, node)
}
