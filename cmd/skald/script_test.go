package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"skald/runtime/bundle"
	"skald/runtime/cache"
	"skald/testsuite/depth"
)

// TestMain makes the test binary a skald for the scripts. What that builds is a copy of the runner in full tests, as what people build is,
// and otherwise of the test binary, which is three times as large: scripts write, hash, compress and start many.
func TestMain(m *testing.M) {
	if self, err := os.Executable(); err == nil {
		if _, err := openSelf(self); bundle.Expected() || !errors.Is(err, bundle.ErrNone) {
			main()
		}
	}
	testscript.Main(cleaning{m}, map[string]func(){"skald": func() {
		if path := os.Getenv(runnerOfScripts); path != "" {
			ownRunner = func() ([]byte, error) { return os.ReadFile(path) }
		}
		main()
	}})
}

// runnerOfScripts is the variable that names the runner for what scripts build; without it that is the test binary.
const runnerOfScripts = "SKALD_TEST_RUNNER"

// cleaning are the tests, after which what they built together is removed.
type cleaning struct{ *testing.M }

// Run runs them.
func (c cleaning) Run() int {
	code := c.M.Run()
	if builtFolder != "" {
		_ = os.RemoveAll(builtFolder) // What is left is in the system's folder for such files.
	}
	return code
}

// TestScripts runs the command line as processes, as people do. `exits CODE COMMAND ARGUMENTS` asserts a command's exit code; `damage FILE`
// changes a byte of the program behind an executable, `shorten FILE` cuts its end off.
func TestScripts(t *testing.T) { runScripts(t, "testdata/script") }

// subcommands are Futhark's.
const subcommands = "autotune bench benchcmp c check check-syntax cuda datacmp dataget dataset defs dev doc eval fmt hash hip imports " +
	"ispc literate lsp multicore opencl pkg profile pyopencl python query repl run script test thanks tokens wasm wasm-multicore"

// Each of Futhark's subcommands has a row in docs/futhark.md and a script that tries it on real files.
func TestFutharksSubcommands(t *testing.T) {
	page, err := os.ReadFile("../../docs/futhark.md")
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(subcommands)
	for _, name := range names {
		if n := strings.Count(string(page), "\n| `"+name+"` |"); n != 1 {
			t.Errorf("docs/futhark.md has %d rows for %s", n, name)
		}
		if _, err := os.Stat("testdata/subcommands/" + name + ".txtar"); err != nil {
			t.Error(err)
		}
	}
	if len(names) != 36 {
		t.Errorf("%d subcommands", len(names))
	}
	runScripts(t, "testdata/subcommands")
}

// runScripts runs the scripts of a folder.
func runScripts(t *testing.T, dir string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":   exits,
			"damage":  damage,
			"shorten": shorten,
		},
		Setup: func(env *testscript.Env) error {
			for name, path := range softwareDevices() {
				env.Setenv(name, path)
			}
			env.Setenv("ROOT", root)
			if depth.Of() >= depth.Full && runtime.GOOS != "windows" {
				if _, err := builtSkald(); err != nil {
					return err
				}
				env.Setenv(runnerOfScripts, builtRunner())
			}
			// For scripts that change PATH.
			if skald, err := exec.LookPath("skald"); err == nil {
				env.Setenv("SKALD_BINARY", skald)
			}
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "webgpu" {
				return false, fmt.Errorf("no condition is called %s", name)
			}
			for _, path := range softwareDevices() {
				if _, err := os.Stat(path); err != nil {
					return false, nil
				}
			}
			return runtime.GOOS == "linux", nil
		},
	})
}

// softwareDevices returns the libraries and drivers that make test fetches, by the names that scripts have for them.
func softwareDevices() map[string]string {
	cache := cache.Dir()
	return map[string]string{
		"CACHE":       cache,
		"NATIVE":      filepath.Join(cache, "webgpu", "wgpu-native-29", "libwgpu_native-release.so"),
		"NATIVE_SUMS": filepath.Join(cache, "webgpu", "wgpu-native-29", "SHA256SUMS"),
		"DAWN":        filepath.Join(cache, "webgpu", "dawn-2025-06", "libwebgpu_wrapper.so"),
		"DRIVERS":     filepath.Join(cache, "drivers"),
		"LAVAPIPE":    filepath.Join(cache, "drivers", "lavapipe", "lvp_icd.json"),
		"SWIFTSHADER": filepath.Join(cache, "drivers", "swiftshader", "swiftshader_icd.json"),
	}
}

func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: damage FILE")
	}
	data := []byte(ts.ReadFile(args[0]))
	data[len(data)-100] ^= 1
	// A process that another script starts now would keep the file open for writing, so that it could not be run.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o600))
	ts.Check(os.Chmod(ts.MkAbs(args[0]), 0o700))
}

func shorten(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: shorten FILE")
	}
	path := ts.MkAbs(args[0])
	info, err := os.Stat(path)
	ts.Check(err)
	ts.Check(os.Truncate(path, info.Size()-50))
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGUMENTS]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var status *exec.ExitError
		if !errors.As(err, &status) {
			ts.Fatalf("%v", err)
		}
		got = status.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d is wanted, got %d", want, got)
	}
}

// BenchmarkProcess measures whole processes. The limits that we set ourselves: an empty file is checked in 40 ms, a small program in
// 50 ms and one of 1,000 lines in 100 ms; a small one is built in 150 ms.
func BenchmarkProcess(b *testing.B) {
	dir := b.TempDir()
	skald := filepath.Join(dir, "skald")
	if out, err := exec.Command("go", "build", "-o", skald, ".").CombinedOutput(); err != nil {
		b.Skipf("skipped: skald cannot be built: %v\n%s", err, out)
	}
	small := "def main [n] (xs: [n]i32) (ys: [n]i32) : i32 = reduce (+) 0 (map2 (*) xs ys)\n"
	for _, c := range []struct{ name, command, text string }{
		{"check/empty", "check", ""},
		{"check/small", "check", small},
		{"check/1000 lines", "check", longProgram(1000)},
		{"build/small", "build", small},
	} {
		file := filepath.Join(dir, "a.fut")
		b.Run(c.name, func(b *testing.B) {
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if out, err := exec.Command(skald, c.command, file).CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
			}
		})
	}
}

// BenchmarkStart measures the start of an executable: it reads its program, lowers it for a device, and ends.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	skald, prog := filepath.Join(dir, "skald"), filepath.Join(dir, "prog")
	for _, command := range [][]string{
		{"go", "build", "-o", skald, "."},
		{skald, "build", "../../examples/histogram.fut", "-o", prog},
	} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	for b.Loop() {
		if out, err := exec.Command(prog, "--device", "cpu", "--print-params").CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
}

// longProgram makes a program of at least so many lines.
func longProgram(lines int) string {
	var text strings.Builder
	for i := 0; strings.Count(text.String(), "\n") < lines; i++ {
		fmt.Fprintf(&text, `
type t%[1]d = {a: i32, b: [4]f64, c: #left i32 | #right f32}
def match%[1]d (r: t%[1]d) : f64 =
  match r.c
  case #left x -> f64.i32 (x + r.a)
  case #right y -> f64.f32 y * r.b[0]
def dot%[1]d [n] (xs: [n]f32) (ys: [n]f32) : f32 =
  reduce (+) 0 (map2 (\x y -> x * y) xs ys)
def swap%[1]d 'a [n] (k: a) (xs: [n](a, i64)) : [n](i64, a) =
  map (\(a, b) -> (b, a)) xs with [0] = (0, k)
def loop%[1]d (n: i64) : []i64 =
  loop acc = iota n for i < 10 do
    scan (+) 0 (filter (\x -> x %% 2 == 0) (map (+ i) acc))
`, i)
	}
	return text.String()
}
