package targets_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"skald/middle/imp"
	"skald/runtime/device"
	"skald/targets"
)

// adding is a kernel that adds a number to 1,000 elements.
const adding = `kernel adding%[1]d(x_1: i32, write @xs_0: i32) group 1 {
  for i_2: idx < 1000:idx {
    @xs_0[i_2] = add.i32(@xs_0[i_2], add.i32(x_1, %[1]d:i32))
  }
}
`

// adder is a device with an array, on which kernels of the text adding work.
type adder struct {
	*testing.T
	dev         *targets.Device
	warned      []string
	xs, failure device.Buffer
}

// newAdder opens the processor with a compiler, and makes the array before there is any kernel: of the numbers from 0.
func newAdder(t *testing.T, compiler string) *adder {
	t.Helper()
	a := &adder{T: t}
	dev, _, err := targets.Open(targets.Options{
		Name: "cpu", Flags: map[string]string{"cpu-compiler": compiler}, Warn: func(s string) { a.warned = append(a.warned, s) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	})
	a.dev = dev
	data := make([]byte, 4000)
	for i := range 1000 {
		binary.LittleEndian.PutUint32(data[4*i:], uint32(i))
	}
	var err1, err2 error
	a.xs, err1 = dev.Alloc(4000)
	a.failure, err2 = dev.Alloc(4 * imp.FailureWords)
	if err := errors.Join(err1, err2, dev.Upload(a.xs, 0, data), dev.Fill(a.failure, 0, 4*imp.FailureWords, 0)); err != nil {
		t.Fatal(err)
	}
	return a
}

// add runs a kernel that adds x and n to all elements.
func (a *adder) add(n int, x uint64) {
	a.Helper()
	p, err := imp.Parse(fmt.Sprintf(adding, n))
	if err != nil {
		a.Fatal(err)
	}
	s, code := spec(a.T, a.dev, p.Kernels[0])
	kernels, err := a.dev.Compile([]device.KernelSpec{s})
	if err != nil {
		a.Fatal(err)
	}
	err = a.dev.Launch(device.Launch{
		Kernel: kernels[0], Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: a.xs}, {Buffer: a.failure}},
		Params: code.Pack(p.Kernels[0], []uint64{x}, 1),
	})
	if err != nil {
		a.Fatal(err)
	}
}

// want fails the test unless so much was added to all elements.
func (a *adder) want(sum int) {
	a.Helper()
	data := make([]byte, 4000)
	if err := a.dev.Download(device.Region{Buffer: a.xs, Data: data}); err != nil {
		a.Fatal(err)
	}
	for i := range 1000 {
		if x := int(binary.LittleEndian.Uint32(data[4*i:])); x != i+sum {
			a.Fatalf("element %d is %d, not %d", i, x, i+sum)
		}
	}
}

// standIn is a program in place of a compiler.
func standIn(t *testing.T, text string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: no code is compiled on Windows")
	}
	path := filepath.Join(t.TempDir(), "cc")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SKALD_CACHE", t.TempDir())
	return path
}

// Whatever a compiler does wrong, kernels run as WebAssembly, on the arrays that there are, and one line says why.
func TestBrokenCompilersLeaveWebAssembly(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"it fails":             {"echo 'x.c: error: no room' >&2; exit 1", "exit status 1: x.c: error: no room"},
		"it does nothing":      {"exit 0", "left no library"},
		"it leaves junk":       {`while [ "$1" != -o ]; do shift; done; echo junk > "$2"`, ""},
		"it dies of a signal":  {"kill -SEGV $$", "segmentation fault"},
		"it cannot be started": {"\x00", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAdder(t, standIn(t, c.text))
			a.add(1, 10)
			a.add(2, 20)
			a.want(33)
			if len(a.warned) != 1 || !strings.HasPrefix(a.warned[0], "running WebAssembly") || !strings.Contains(a.warned[0], c.want) {
				t.Errorf("warnings %q", a.warned)
			}
			if strings.Contains(a.warned[0], "\n") {
				t.Errorf("more than a line: %q", a.warned[0])
			}
		})
	}
}

// A compiler that fails later leaves the code that there is as it is: it works on the same arrays as the WebAssembly of other kernels.
func TestCompiledCodeAndWebAssemblyShareArrays(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("SKIPPED: no gcc")
	}
	broken := filepath.Join(t.TempDir(), "broken")
	a := newAdder(t, standIn(t, fmt.Sprintf("test -e %s && exit 1\nexec %s \"$@\"", broken, gcc)))
	a.add(1, 10)
	if len(a.warned) > 0 {
		t.Fatalf("warnings %q", a.warned)
	}
	if err := os.WriteFile(broken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a.add(2, 20)
	a.add(1, 100)
	a.want(11 + 22 + 101)
	if len(a.warned) != 1 {
		t.Errorf("warnings %q", a.warned)
	}
	b, err := a.dev.Alloc(1 << 20) // Later arrays are where WebAssembly sees them.
	if err != nil {
		t.Fatal(err)
	}
	a.dev.Free(a.xs)
	a.xs = b
	data := make([]byte, 4000)
	for i := range 1000 {
		binary.LittleEndian.PutUint32(data[4*i:], uint32(i))
	}
	if err := a.dev.Upload(b, 0, data); err != nil {
		t.Fatal(err)
	}
	a.add(2, 5)
	a.add(1, 0)
	a.want(8)
}
