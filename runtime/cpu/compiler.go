package cpu

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"skald/runtime/cache"
	"skald/runtime/device"
)

// compiler is a C compiler on this machine.
type compiler struct {
	path    string
	version string // what tells it from others: the name of its file, its size, and when it was written
	timeout time.Duration
	modules int      // that kernels are compiled as, at most
	gone    error    // why it can compile nothing any more: see Note [Kept code without a compiler]
	flags   []string // beside Flags
	machine string   // the flag that says which processors the code is for; empty for this one
}

// compileTimeout is how long a compiler may take for a module.
const compileTimeout = time.Minute

// Flags are what modules are compiled with. Signed numbers wrap around, types do not say what may alias, nothing is contracted or
// reordered; that nobody looks at errno and at floating-point traps changes no result, but lets square roots and branches be vectorised.
func Flags() []string {
	if runtime.GOARCH == "arm64" {
		return flagsFor("-mcpu=native")
	}
	return flagsFor("-march=native")
}

// flagsFor are Flags for processors that a flag names.
func flagsFor(machine string) []string {
	return []string{
		"-O3", machine, "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing", "-fno-math-errno", "-fno-trapping-math", "-std=gnu11",
		"-fopenmp-simd", "-shared", "-fPIC", "-w", "-x", "c",
	}
}

// errEndless says that a compiler did not end in time.
var errEndless = errors.New("did not end")

// NoCompiler is the name of no compiler: none is to be used.
const NoCompiler = "none"

// findCompiler finds the compiler called name, or gcc, clang or cc.
func findCompiler(name string) (*compiler, error) {
	names := []string{"gcc", "clang", "cc"}
	switch {
	case runtime.GOOS == "windows":
		return nil, errors.New("compiled code is not supported on Windows")
	case name == NoCompiler:
		return nil, errors.New("no compiler is to be used")
	case name != "":
		names = []string{name}
	}
	for _, n := range names {
		path, err := exec.LookPath(n)
		if err != nil {
			continue
		}
		if path, err = filepath.Abs(path); err != nil {
			continue
		}
		info, err := os.Stat(path) // of what links lead to
		if err != nil {
			continue
		}
		version := fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
		return &compiler{path: path, version: version, timeout: compileTimeout, modules: runtime.GOMAXPROCS(0)}, nil
	}
	return nil, fmt.Errorf("no C compiler is found (%s)", strings.Join(names, ", "))
}

// code returns the machine code of a module, a shared library: what is kept, or what the compiler makes of its text. The processor's
// features are part of the name that it is kept by, so that code for another processor is never loaded.
func (c *compiler) code(text string) ([]byte, error) {
	name := fmt.Sprintf("%x.so", sha256.Sum256([]byte(c.key()+"\n"+text)))
	if code := cache.Read(cacheFolder, name); len(code) > 0 {
		return code, nil
	}
	code, err := c.compile(text)
	if err != nil {
		return nil, err
	}
	keepCode(name, code)
	return code, nil
}

// key is what code depends on beside its text.
func (c *compiler) key() string {
	return strings.Join(c.allFlags(), " ") + "\n" + c.version + "\n" + features()
}

// keepCode keeps code for the next run, which without it compiles again.
func keepCode(name string, code []byte) {
	_ = cache.Keep(code, mostKept, cacheFolder, name)
}

func (c *compiler) allFlags() []string {
	if c.machine != "" {
		return append(flagsFor(c.machine), c.flags...)
	}
	return append(Flags(), c.flags...)
}

// cacheFolder is where code is kept, at most mostKept bytes of it.
const (
	cacheFolder = "cpu"
	mostKept    = 256 << 20
)

// compile runs the compiler.
func (c *compiler) compile(text string) ([]byte, error) {
	if c.gone != nil {
		return nil, c.gone
	}
	dir, err := scratch()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what is left behind is in the folder for such files
	source, library := filepath.Join(dir, "module.c"), filepath.Join(dir, "module.so")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.path, append(c.allFlags(), "-o", library, source, "-lm")...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.Env = append(os.Environ(), "TMPDIR="+dir) // for its own files, which it leaves if it is killed
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := runCompiler(cmd); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s %w within %v", c.path, errEndless, c.timeout)
		}
		if said.Len() == 0 {
			return nil, fmt.Errorf("%s: %w", c.path, err)
		}
		return nil, fmt.Errorf("%s: %w: %s", c.path, err, firstLine(said.String()))
	}
	code, err := os.ReadFile(library)
	if err == nil && len(code) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("%s left no library: %w", c.path, err)
	}
	return code, nil
}

// scratchName begins the names of folders that scratch makes.
const scratchName = "skald-cpu-"

// scratch makes a folder that only the user may enter: where such files belong, or else in skald's cache. Processes that were killed left
// theirs, which are removed.
func scratch() (string, error) {
	dir, err := scratchIn(os.TempDir())
	if at := cache.Dir(); err != nil && at != "" {
		if err := os.MkdirAll(at, 0o755); err != nil {
			return "", err
		}
		return scratchIn(at)
	}
	return dir, err
}

func scratchIn(at string) (string, error) {
	removeLeft(at)
	return os.MkdirTemp(at, scratchName)
}

// leftAfter is how old a folder is that nobody uses any more: no compiler takes so long, and what is loaded is read at once.
const leftAfter = 2 * compileTimeout

// removeLeft removes folders of scratch that are so old. Those of other users stay, as the system does not let them be removed.
func removeLeft(at string) {
	left, err := filepath.Glob(filepath.Join(at, scratchName+"*"))
	if err != nil {
		return
	}
	for _, dir := range left {
		if info, err := os.Lstat(dir); err == nil && time.Since(info.ModTime()) > leftAfter {
			_ = os.RemoveAll(dir)
		}
	}
}

// firstLine is the first line of what a compiler said that names an error, or else the first.
func firstLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, l := range lines {
		if strings.Contains(l, "error") {
			return l
		}
	}
	return lines[0]
}

// compileError says that a kernel cannot be compiled.
func compileError(name string, err error) error {
	return &device.Error{Fault: device.CompileFailed, Op: "compile kernel " + name, Err: err, Hint: device.FixKernel}
}
