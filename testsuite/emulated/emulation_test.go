package emulated

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"skald/runtime/cache"
)

// folderVariable names the folder of the emulation, for its compiler and for the process that runs programs there.
const folderVariable = "SKALD_EMULATION"

// emulation is the emulated driver and compiler, with an assembled skald.
type emulation struct {
	dir      string // with the driver, as the system's loader finds it, and the kernels that were compiled
	compiler string // a file
	skald    string // a file
}

var (
	once   sync.Once
	shared emulation
	failed error
)

// emulate builds the emulation, once for all tests.
func emulate(t *testing.T) emulation {
	t.Helper()
	for _, tool := range []string{"c++", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: %v", err)
		}
	}
	once.Do(func() { failed = build() })
	if failed != nil {
		t.Fatal(failed)
	}
	return shared
}

// mostKernels is how many compiled kernels are kept: those of programs that have changed since are among them.
const mostKernels = 2000

// build finds the emulation in the cache, or makes it, and builds skald. Kernels that were compiled stay with the emulation.
func build() error {
	temp, err := os.MkdirTemp("", "skald-emulation-*")
	if err != nil {
		return err
	}
	name, err := version()
	if err != nil {
		return err
	}
	all := filepath.Join(cache.Dir(), "emulated")
	dir := filepath.Join(all, name)
	shared = emulation{dir, filepath.Join(dir, "libnvrtc.so"), filepath.Join(temp, "skald")}
	if kernels, _ := filepath.Glob(filepath.Join(dir, "kernel_*")); len(kernels) > mostKernels {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if _, err := os.Stat(dir); err != nil {
		if err := os.RemoveAll(all); err != nil { // that of other sources
			return err
		}
		if err := compile(dir); err != nil {
			return err
		}
	}
	return command("go", "build", "-ldflags=-s -w", "-o", shared.skald, "../../cmd/skald")
}

// version is a hash of what the emulation is made of and by.
func version() (string, error) {
	hash := sha256.New()
	files, err := filepath.Glob("emulation/*")
	if err != nil {
		return "", err
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(hash, "%s %d\n%s", f, len(text), text)
	}
	by, err := exec.Command("c++", "--version").Output()
	hash.Write(by)
	return fmt.Sprintf("%x", hash.Sum(nil)[:8]), err
}

// compile makes the folder of the emulation, which is there when it is complete.
func compile(dir string) error {
	making := fmt.Sprintf("%s-%d", dir, os.Getpid())
	if err := os.MkdirAll(making, 0o700); err != nil {
		return err
	}
	if err := os.CopyFS(making, os.DirFS("emulation")); err != nil {
		return err
	}
	in := func(name string) string { return filepath.Join(making, name) }
	library := []string{"c++", "-O1", "-std=c++17", "-shared", "-fPIC", "-o"}
	for _, args := range [][]string{
		append(library, in("libcuda.so.1"), "-Wl,-soname,libcuda.so.1", in("driver.cpp"), "-lpthread", "-ldl"),
		append(library, in("libnvrtc.so"), in("compiler.cpp")),
		// The header of all kernels, in advance and with their flags: reading it is two thirds of what the compiler does for one.
		{"c++", "@" + in("flags"), "-x", "c++-header", in("device.h"), "-o", in("device.h.gch")},
	} {
		if err := command(args...); err != nil {
			return err
		}
	}
	return os.Rename(making, dir)
}

// command runs a command; its error has what it prints.
func command(args ...string) error {
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// env is the environment of a process that finds the driver, and this file as NVRTC.
func (e emulation) env(compiler string) []string {
	return append(os.Environ(), "LD_LIBRARY_PATH="+e.dir, "SKALD_NVRTC_LIB="+compiler, folderVariable+"="+e.dir)
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.skald != "" {
		_ = os.RemoveAll(filepath.Dir(shared.skald)) // What is left lies in the system's folder for such files.
	}
	os.Exit(code)
}
