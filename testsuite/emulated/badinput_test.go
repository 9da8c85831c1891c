package emulated

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const sumSource = "def main (xs: []i32) : i32 = i32.sum (map (* 2) xs)\n"

// program is an executable, and its runs.
type program struct {
	e     emulation
	path  string
	cache string
	input string
}

// newProgram builds an executable of sumSource with these arguments, where the emulated NVRTC is found.
func newProgram(t *testing.T, args ...string) program {
	t.Helper()
	return buildProgram(t, sumSource, "[1, 2, 3]", args...)
}

// buildProgram builds an executable of a text, which will get this input.
func buildProgram(t *testing.T, text, input string, args ...string) program {
	t.Helper()
	e := emulate(t)
	dir := t.TempDir()
	source := filepath.Join(dir, "program.fut")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := program{e, filepath.Join(dir, "program"), t.TempDir(), input}
	cmd := exec.Command(e.skald, append([]string{"build", source, "-o", p.path}, args...)...)
	cmd.Env = append(e.env(e.compiler), "SKALD_CACHE="+p.cache)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p.cache = t.TempDir() // Nothing is kept of building it.
	return p
}

// outcome is what a run of an executable came to.
type outcome struct {
	out, err string
	code     int
}

// patience is how long a run may take before it hangs.
const patience = time.Minute

// run runs the executable with these variables, those of its own last, and these arguments.
func (p program) run(t *testing.T, env, args []string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.path, args...)
	cmd.Env = append(append(p.e.env(p.e.compiler), "SKALD_CACHE="+p.cache), env...)
	cmd.Stdin = strings.NewReader(p.input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil || cmd.ProcessState.ExitCode() < 0 {
		t.Fatalf("%v %v: %v\n%s", env, args, err, errs.String())
	}
	return outcome{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// right fails the test unless the run printed the sum.
func (o outcome) right(t *testing.T, what string) {
	t.Helper()
	if o.code != 0 || o.out != "12i32\n" {
		t.Errorf("%s: exit code %d, %q\n%s", what, o.code, o.out, o.err)
	}
}

// oldDriver makes a driver that lacks most calls, and returns its folder.
func oldDriver(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "old.c")
	if err := os.WriteFile(source, []byte("int cuInit(unsigned x) { return x != 0; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	library := filepath.Join(dir, "libcuda.so.1")
	if out, err := exec.Command("c++", "-x", "c", "-shared", "-fPIC", "-o", library, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// noNVRTC is a variable with which NVRTC is not found.
const noNVRTC = "SKALD_NVRTC_LIB=/nowhere/libnvrtc.so"

// TestWhatIsWrongIsAnErrorOrTheNextDeviceWithALine makes one thing after the other wrong: where CUDA is asked for that is an error, else
// the program runs elsewhere and says why.
func TestWhatIsWrongIsAnErrorOrTheNextDeviceWithALine(t *testing.T) {
	p := newProgram(t)
	old := oldDriver(t)
	for _, c := range []struct {
		what string
		env  []string
		want string // in the error
		line string // on standard error where the program runs elsewhere; "" if nothing is said
	}{
		{"no driver", []string{"LD_LIBRARY_PATH="}, "look for NVIDIA's driver", ""},
		{"too old a driver", []string{"LD_LIBRARY_PATH=" + old}, "it has no cu.*update NVIDIA's driver", ""},
		{"no GPU", []string{"SKALD_EMULATED_FAILURES=Init=100"}, "no device: start NVIDIA's driver", ""},
		{"no NVRTC", []string{noNVRTC}, "load /nowhere/libnvrtc.so", "no device through cuda: .*NVRTC"},
		{
			"a GPU in use",
			[]string{"SKALD_EMULATED_FAILURES=DevicePrimaryCtxRetain=46"},
			"open the GPU.*nvidia-smi",
			"no device through cuda: no device: open the GPU",
		},
		{
			"no memory for a context",
			[]string{"SKALD_EMULATED_FAILURES=DevicePrimaryCtxRetain=2"},
			"out of device memory: open the GPU",
			"no device through cuda: out of device memory",
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			o := p.run(t, c.env, []string{"--device", "cuda"})
			wantError(t, o, c.want)
			o = p.run(t, c.env, []string{"--cpu-compiler", "none"})
			o.right(t, "auto")
			if c.line != "" && !matches(t, c.line, o.err) {
				t.Errorf("the line is missing: %s", o.err)
			}
		})
	}
}

// TestWhatFailsLaterIsAnError makes things wrong that show when the program runs.
func TestWhatFailsLaterIsAnError(t *testing.T) {
	p := newProgram(t)
	for _, c := range []struct {
		what string
		env  []string
		args []string
		want string
		code int
	}{
		{"a compiler that fails", []string{"SKALD_EMULATED_MISTAKE=1"}, nil, "kernel does not compile", 1},
		{"a GPU whose memory is full", []string{"SKALD_EMULATED_FAILURES=MemAlloc=2"}, nil, "out of device memory: .*smaller inputs", 1},
		{"code for another processor", []string{"SKALD_EMULATED_FAILURES=ModuleLoadData=209"}, nil, "unusable device library: load kernel", 1},
		{"an endless kernel", []string{"SKALD_EMULATED_BUSY=1"}, []string{"--timeout", "1s"}, "did not end within --timeout 1s", 124},
		{"a GPU that is not there", nil, []string{"--device", "cuda:3"}, "open GPU 3: CUDA sees 1", 1},
	} {
		t.Run(c.what, func(t *testing.T) {
			args := c.args
			if len(args) == 0 || args[0] != "--device" {
				args = append([]string{"--device", "cuda"}, args...)
			}
			o := p.run(t, c.env, args)
			wantError(t, o, c.want)
			if o.code != c.code {
				t.Errorf("exit code %d, want %d", o.code, c.code)
			}
		})
	}
}

// TestAnUnwritableCacheIsNoError runs twice without a folder to keep anything in.
func TestAnUnwritableCacheIsNoError(t *testing.T) {
	p := newProgram(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		p.run(t, []string{"SKALD_CACHE=" + file}, []string{"--device", "cuda"}).right(t, "without a cache")
	}
}
