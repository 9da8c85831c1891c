package emulated

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// folderVariable names the folder of the emulation, for its compiler and for the process that runs programs there.
const folderVariable = "SKALD_EMULATION"

// emulation is the emulated driver and compiler, with an assembled skald.
type emulation struct {
	dir      string // with the driver, as the system's loader finds it
	compiler string // a file
	skald    string // a file
}

var (
	once   sync.Once
	shared emulation
	failed string
)

// emulate builds the emulation, once for all tests.
func emulate(t *testing.T) emulation {
	t.Helper()
	for _, tool := range []string{"c++", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: %v", err)
		}
	}
	once.Do(build)
	if failed != "" {
		t.Fatal(failed)
	}
	return shared
}

func build() {
	dir, err := os.MkdirTemp("", "skald-emulation-*")
	if err != nil {
		failed = err.Error()
		return
	}
	shared = emulation{dir, filepath.Join(dir, "libnvrtc.so"), filepath.Join(dir, "skald")}
	if err := os.CopyFS(dir, os.DirFS("emulation")); err != nil {
		failed = err.Error()
		return
	}
	library := []string{"c++", "-O1", "-std=c++17", "-shared", "-fPIC", "-o"}
	for _, args := range [][]string{
		append(library, filepath.Join(dir, "libcuda.so.1"), "-Wl,-soname,libcuda.so.1", filepath.Join(dir, "driver.cpp"), "-lpthread", "-ldl"),
		append(library, shared.compiler, filepath.Join(dir, "compiler.cpp")),
		// The header of all kernels, in advance and with their flags: reading it is two thirds of what the compiler does for one.
		{"c++", "@" + filepath.Join(dir, "flags"), "-x", "c++-header", filepath.Join(dir, "device.h"), "-o", filepath.Join(dir, "device.h.gch")},
		{"go", "build", "-ldflags=-s -w", "-o", shared.skald, "../../cmd/skald"},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			failed = err.Error() + "\n" + string(out)
			return
		}
	}
}

// env is the environment of a process that finds the driver, and this file as NVRTC.
func (e emulation) env(compiler string) []string {
	return append(os.Environ(), "LD_LIBRARY_PATH="+e.dir, "SKALD_NVRTC_LIB="+compiler, folderVariable+"="+e.dir)
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.dir != "" {
		_ = os.RemoveAll(shared.dir) // What is left lies in the system's folder for such files.
	}
	os.Exit(code)
}
