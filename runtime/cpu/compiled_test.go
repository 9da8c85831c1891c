package cpu

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"skald/middle/imp"
	"skald/middle/imp/imptest"
	"skald/runtime/device"
	"skald/runtime/device/devicetest"
)

// filling is a kernel that stores its parameter 12 times, but for two threads that fail.
const filling = `kernel fill(x_1: i32, write @xs_0: i32) group 4 {
  assert lt.idx(thread_id, 10:idx) site 3 (thread_id)
  @xs_0[thread_id] = x_1
}
`

// fillText is filling in C, with what stands for x.
func fillText(x string) string {
	return `#include <stdint.h>
volatile int32_t stop;
struct params { int32_t x; uint32_t groups; };
void fill(void *const *arrays, const struct params *p, uint32_t *failure, int64_t first, int64_t end) {
  for (int64_t i = 4 * first; i < 4 * end; i++) {
    if (i >= 10) { failure[0] = 4; failure[2] = (uint32_t)i; failure[3] = 0; return; }
    ((int32_t *)arrays[0])[i] = ` + x + `;
  }
}
`
}

// printAs prints any kernels as a text.
func printAs(text string) Printer {
	return func(ks []*imp.Kernel) (string, []string, []error, error) {
		return text, []string{"fill"}, make([]error, len(ks)), nil
	}
}

// opened is a device that compiles filling as a text, what it warns of, and a launch of three workgroups.
func opened(t *testing.T, o Options) (d *Device, warned *[]string, run func() (first, failed int32, err error)) {
	t.Helper()
	warned = &[]string{}
	o.StopName, o.Warn = "stop", func(s string) { *warned = append(*warned, s) }
	d = Open(o)
	t.Cleanup(func() { _ = d.Close() })
	return d, warned, func() (int32, int32, error) {
		decl := imptest.Kernel(t, filling)
		c := &imp.Code{Wide: true}
		c.Layout(decl)
		ks, err := d.Compile([]device.KernelSpec{{
			Name: "fill", Source: filling, Entry: "fill", Buffers: 2, Params: c.Bytes, Workgroup: [3]uint32{4, 1, 1},
		}})
		if err != nil {
			t.Fatal(err)
		}
		xs, err1 := d.Alloc(48)
		failure, err2 := d.Alloc(4 * imp.FailureWords)
		data, words := make([]byte, 4), make([]byte, 4)
		err = errors.Join(err1, err2, d.Fill(xs, 0, 48, 0), d.Fill(failure, 0, 4*imp.FailureWords, 0), d.Launch(device.Launch{
			Kernel: ks[0], Groups: [3]uint32{3, 1, 1}, Params: c.Pack(decl, []uint64{7}, 3),
			Buffers: []device.Binding{{Buffer: xs}, {Buffer: failure}},
		}))
		if err == nil {
			err = d.Download(device.Region{Buffer: xs, Data: data}, device.Region{Buffer: failure, Data: words})
		}
		return int32(binary.LittleEndian.Uint32(data)), int32(binary.LittleEndian.Uint32(words)), err
	}
}

// needCompiler skips the test where there is none, and sets up a cache of its own.
func needCompiler(t *testing.T) {
	t.Helper()
	if _, err := findCompiler(""); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	t.Setenv("SKALD_CACHE", t.TempDir())
}

// script is a program that stands for a compiler.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cc")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// The text stores twice what the evaluator does, which tells them apart.
func TestCompiledCodeRunsAndNotesFailures(t *testing.T) {
	needCompiler(t)
	d, warned, run := opened(t, Options{Print: printAs(fillText("2 * p->x"))})
	if !d.Facts().Compiled {
		t.Error("the device does not say that it compiles")
	}
	if x, failed, err := run(); x != 14 || failed != 4 || err != nil || len(*warned) > 0 {
		t.Errorf("%d, failure %d, %v, %q", x, failed, err, *warned)
	}
}

func TestCompiledDeviceKeepsTheContract(t *testing.T) {
	needCompiler(t)
	d := Open(Options{Print: printAs(fillText("p->x")), StopName: "stop"})
	defer d.Close() //nolint:errcheck // it has nothing to report
	devicetest.Run(t, d, "")
}

// Code that is kept is used as long as it is what was written.
func TestCodeIsKeptAndVerified(t *testing.T) {
	needCompiler(t)
	c, err := findCompiler("")
	if err != nil {
		t.Fatal(err)
	}
	first, err := c.code(fillText("1"))
	if err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(filepath.Join(os.Getenv("SKALD_CACHE"), cacheFolder, "*.so"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v %v", kept, err)
	}
	real := c.path
	c.path = script(t, "exit 1")
	if again, err := c.code(fillText("1")); err != nil || string(again) != string(first) {
		t.Errorf("kept code is not used: %v", err)
	}
	data, err := os.ReadFile(kept[0])
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1] ^= 1
	if err := os.WriteFile(kept[0], data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := c.code(fillText("1")); err == nil {
		t.Error("damaged code is used")
	}
	c.path, c.version = real, c.version+" newer"
	if _, err := c.code(fillText("1")); err != nil {
		t.Error(err)
	}
	if kept, _ := filepath.Glob(filepath.Join(os.Getenv("SKALD_CACHE"), cacheFolder, "*.so")); len(kept) != 2 {
		t.Errorf("another compiler's code has the name of this one's: %v", kept)
	}
}

// Whatever a compiler does, kernels run, and one line says why they are slow.
func TestWithoutCodeKernelsAreEvaluated(t *testing.T) {
	good := printAs(fillText("2 * p->x"))
	for name, c := range map[string]struct {
		compiler string
		print    Printer
		want     string
	}{
		"no compiler":      {"/nowhere/cc", good, "no C compiler is found (/nowhere/cc)"},
		"it fails":         {script(t, "echo ill >&2; echo 'x: error: worse' >&2; exit 3"), good, "exit status 3: x: error: worse"},
		"it is killed":     {script(t, "kill -9 $$"), good, "signal: killed"},
		"it does nothing":  {script(t, "exit 0"), good, "left no library"},
		"no library":       {script(t, `while [ "$1" != -o ]; do shift; done; echo junk > "$2"`), good, "cannot be loaded"},
		"no such kernel":   {"", printAs("volatile int stop;\n"), "is not complete"},
		"no stop variable": {"", printAs("void fill(void) {}\n"), "is not complete"},
		"a printer's limit": {"", func([]*imp.Kernel) (string, []string, []error, error) {
			return "volatile int stop;", []string{""}, []error{errors.New("kernel fill: no")}, nil
		}, "kernel fill: no"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.compiler == "" {
				needCompiler(t)
			}
			t.Setenv("SKALD_CACHE", t.TempDir())
			_, warned, run := opened(t, Options{Print: c.print, Compiler: c.compiler})
			for range 2 {
				if x, failed, err := run(); x != 7 || failed != 4 || err != nil {
					t.Errorf("%d, failure %d, %v", x, failed, err)
				}
			}
			if len(*warned) != 1 || !strings.Contains((*warned)[0], c.want) || strings.Contains((*warned)[0], "\n\n") ||
				strings.HasSuffix((*warned)[0], ":") || strings.HasSuffix((*warned)[0], " ") {
				t.Errorf("warnings %q", *warned)
			}
		})
	}
}

func TestNoCompilerIsNoWarningWhenAskedFor(t *testing.T) {
	d, warned, run := opened(t, Options{Print: printAs(""), Compiler: NoCompiler})
	if x, failed, err := run(); x != 7 || failed != 4 || err != nil || len(*warned) > 0 || d.Facts().Compiled {
		t.Errorf("%d, failure %d, %v, %q", x, failed, err, *warned)
	}
}

func TestCompilerThatHangsIsEnded(t *testing.T) {
	c := &compiler{path: script(t, "sleep 60 & wait"), timeout: 200 * time.Millisecond}
	start := time.Now()
	if _, err := c.compile("x"); err == nil || !strings.Contains(err.Error(), "did not end within 200ms") {
		t.Error(err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}

// A process that is killed while it compiles leaves its folder, which a later one removes; those that may be in use stay.
func TestFoldersOfKilledProcessesAreRemoved(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	old, recent, other := filepath.Join(temp, scratchName+"1"), filepath.Join(temp, scratchName+"2"), filepath.Join(temp, "other-1")
	for _, dir := range []string{old, recent, other} {
		if err := os.MkdirAll(filepath.Join(dir, "below"), 0o700); err != nil {
			t.Fatal(err)
		}
		age := leftAfter + time.Second
		if dir == recent {
			age = leftAfter / 2
		}
		if err := os.Chtimes(dir, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	listed := filepath.Join(t.TempDir(), "listed")
	c := &compiler{path: script(t, `echo "$TMPDIR" > `+listed+"; exit 1"), timeout: time.Minute}
	if _, err := c.compile("x"); err == nil {
		t.Error("the compiler did not fail")
	}
	at, err := os.ReadFile(listed)
	if err != nil || !strings.HasPrefix(string(at), filepath.Join(temp, scratchName)) {
		t.Errorf("the compiler's own files are in %q, %v", at, err)
	}
	left, err := filepath.Glob(filepath.Join(temp, "*"))
	if want := []string{other, recent}; err != nil || !slices.Equal(left, want) {
		t.Errorf("there is %q, not %q: %v", left, want, err)
	}
}

// Kept code goes by the version of wazero that is used.
func TestWazerosVersionIsThatOfTheModule(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil || !strings.Contains(string(mod), "github.com/tetratelabs/wazero "+wazeroVersion+"\n") {
		t.Errorf("go.mod has another version of wazero than %s: %v", wazeroVersion, err)
	}
}

// A compiler that did not end once is not waited for again, one that failed is asked for the next kernels.
func TestOnlyACompilerThatHangsIsGivenUp(t *testing.T) {
	spec := func(x string) []device.KernelSpec {
		return []device.KernelSpec{{Name: "fill", Source: strings.ReplaceAll(filling, "x_1", x)}}
	}
	for text, wantAgain := range map[string]bool{"echo $$ >> %s; exit 1": true, "echo $$ >> %s; sleep 60 & wait": false} {
		t.Setenv("SKALD_CACHE", t.TempDir())
		asked := filepath.Join(t.TempDir(), "asked")
		d := Open(Options{Print: printAs(fillText("p->x")), StopName: "stop", Compiler: script(t, strings.ReplaceAll(text, "%s", asked))})
		d.modules.compiler.timeout = time.Second
		for _, x := range []string{"x_1", "y_1"} {
			left, why := d.modules.add(spec(x))
			if len(left.kernels) != 1 || why == nil || strings.Contains(why.Error(), "did not end within 1s") == wantAgain {
				t.Errorf("%s: %d kernels are left, %v", text, len(left.kernels), why)
			}
		}
		if data, err := os.ReadFile(asked); err != nil || (strings.Count(string(data), "\n") == 2) != wantAgain {
			t.Errorf("%s: asked %q, %v", text, data, err)
		}
	}
}

// A cache that cannot be written costs the next run its time, and nothing else.
func TestUnwritableCacheIsNoFailure(t *testing.T) {
	needCompiler(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SKALD_CACHE", filepath.Join(file, "below"))
	_, warned, run := opened(t, Options{Print: printAs(fillText("2 * p->x"))})
	if x, _, err := run(); x != 14 || err != nil || len(*warned) > 0 {
		t.Errorf("%d, %v, %q", x, err, *warned)
	}
}

func TestEndlessCodeIsStopped(t *testing.T) {
	needCompiler(t)
	endless := strings.Replace(fillText("p->x"), "  for (", "  while (!stop) {}\n  for (", 1)
	_, _, run := opened(t, Options{Print: printAs(endless), Timeout: 100 * time.Millisecond})
	if _, _, err := run(); !errors.Is(err, device.Timeout) {
		t.Error(err)
	}
}
