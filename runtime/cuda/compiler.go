package cuda

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"skald/runtime/cache"
	"skald/runtime/device"
	"skald/runtime/dynlib"
)

// Compiler is NVRTC. It may be used from many goroutines.
type Compiler struct {
	path    string
	version string
	sym     nvrtcSymbols
}

// nvrtcSymbols are NVRTC's entry points.
type nvrtcSymbols struct {
	Version, GetErrorString, CreateProgram, CompileProgram, DestroyProgram,
	GetProgramLogSize, GetProgramLog, GetCUBINSize, GetCUBIN uintptr
}

var (
	compilerOnce sync.Once
	theCompiler  *Compiler
	compilerErr  error
)

// compilerVariable names a file that is NVRTC.
const compilerVariable = "SKALD_NVRTC_LIB"

// OpenCompiler finds and loads NVRTC, once: $SKALD_NVRTC_LIB, beside the executable,
// skald's cache, the CUDA toolkit under /usr/local, then wherever the loader is set
// up to look.
func OpenCompiler() (*Compiler, error) {
	compilerOnce.Do(func() { theCompiler, compilerErr = openCompiler() })
	return theCompiler, compilerErr
}

func openCompiler() (*Compiler, error) {
	named := os.Getenv(compilerVariable) != ""
	var refused error
	for _, path := range compilerPaths() {
		err := error(nil)
		if !named {
			err = vet(path)
		}
		if err != nil {
			refused = errors.Join(refused, err)
			continue
		}
		lib, err := dynlib.Open(path, dynlib.Private)
		if err == nil {
			return bindCompiler(path, lib)
		}
		if named { // Who names a library wants that or an error.
			return nil, &device.Error{
				Fault: device.BadLibrary, Op: "load " + path, Err: err, Hint: "SKALD_NVRTC_LIB must name NVRTC 11.2 or newer",
			}
		}
	}
	if refused != nil {
		return nil, refused
	}
	return nil, &device.Error{
		Fault: device.NoLibrary, Op: "look for NVRTC",
		Hint: "run scripts/fetch-nvrtc.sh, install the CUDA toolkit, or name the library with SKALD_NVRTC_LIB",
	}
}

// vet says why an NVRTC that the search found must not be loaded, if it must not. A bare name is the loader's to find.
func vet(path string) error {
	hint := "correct its owner and mode, or name NVRTC with SKALD_NVRTC_LIB"
	var err error
	switch {
	case filepath.Base(path) == path:
	case cache.Contains(path):
		err = cache.VerifyFolder(filepath.Dir(path)) // NVRTC loads a library beside it.
		hint = "remove its folder and run scripts/fetch-nvrtc.sh, or name NVRTC with SKALD_NVRTC_LIB"
	default:
		err = cache.Trusted(path)
	}
	if err != nil {
		return &device.Error{Fault: device.BadLibrary, Op: "load " + path, Err: err, Hint: hint}
	}
	return nil
}

// bindCompiler finds NVRTC's entry points.
func bindCompiler(path string, lib dynlib.Library) (*Compiler, error) {
	c := &Compiler{path: path}
	if missing := lib.Bind("nvrtc", &c.sym); len(missing) > 0 {
		return nil, &device.Error{
			Fault: device.BadLibrary, Op: "load " + path, Detail: "it has no " + missing[0],
			Hint: "NVRTC 11.2 or newer is needed",
		}
	}
	v := &[2]int32{}
	call(c.sym.Version, uintptr(unsafe.Pointer(&v[0])), uintptr(unsafe.Pointer(&v[1])))
	c.version = fmt.Sprintf("%d.%d", v[0], v[1])
	return c, nil
}

// compilerPaths lists files that may be NVRTC, and names for the system to find.
func compilerPaths() []string {
	if p := os.Getenv(compilerVariable); p != "" {
		return []string{p}
	}
	if runtime.GOOS == "windows" {
		return []string{"nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll"}
	}
	var dirs []string
	if exe, err := os.Executable(); err == nil {
		dirs = append(dirs, filepath.Dir(exe))
	}
	if dir := cache.Dir(); dir != "" {
		dirs = append(dirs, filepath.Join(dir, "nvrtc", "*"))
	}
	dirs = append(dirs, "/usr/local/cuda*/lib64", "/usr/local/cuda*/targets/*/lib")
	dirs = append(dirs, dynlib.SystemFolders()...)
	var out []string
	for _, dir := range dirs {
		found, _ := filepath.Glob(filepath.Join(dir, "libnvrtc.so*")) // Only a bad pattern fails.
		for i := len(found) - 1; i >= 0; i-- {
			if !strings.Contains(found[i], "static") && !strings.Contains(found[i], ".alt.") {
				out = append(out, found[i])
			}
		}
	}
	return append(out, "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so")
}

// options are given to every compilation: arithmetic is IEEE's, not contracted.
func options(arch string) []string {
	return []string{
		"--gpu-architecture=" + arch, "--std=c++17", "--fmad=false",
		"--ftz=false", "--prec-div=true", "--prec-sqrt=true",
	}
}

// Compile makes machine code for an architecture such as "sm_90" of a kernel, or
// takes it from the cache on disk.
func (c *Compiler) Compile(s *device.KernelSpec, arch string) ([]byte, error) {
	if code := readCode(CodeName(s, arch)); code != nil {
		return code, nil
	}
	return c.compileAnew(s, arch)
}

// compileAnew makes machine code and puts it into the cache.
func (c *Compiler) compileAnew(s *device.KernelSpec, arch string) ([]byte, error) {
	code, err := c.compile(s, options(arch))
	if err != nil {
		return nil, err
	}
	writeCode(CodeName(s, arch), code)
	return code, nil
}

// compile runs NVRTC on a kernel's source.
func (c *Compiler) compile(s *device.KernelSpec, options []string) ([]byte, error) {
	source, name := cString(s.Source), cString(s.Name+".cu")
	var pin runtime.Pinner // The array of options holds pointers.
	defer pin.Unpin()
	list := make([]*byte, len(options))
	for i, o := range options {
		list[i] = cString(o)
		pin.Pin(list[i])
	}
	program := new(uintptr)
	status := call(c.sym.CreateProgram, uintptr(unsafe.Pointer(program)), uintptr(unsafe.Pointer(source)),
		uintptr(unsafe.Pointer(name)), 0, 0, 0)
	if status != 0 {
		return nil, c.failure(s, "create a program", status)
	}
	defer call(c.sym.DestroyProgram, uintptr(unsafe.Pointer(program)))
	status = call(c.sym.CompileProgram, *program, uintptr(len(list)), uintptr(unsafe.Pointer(&list[0])))
	if status != 0 {
		if log := c.text(c.sym.GetProgramLogSize, c.sym.GetProgramLog, *program); len(log) > 1 {
			return nil, compileError(s, string(log[:len(log)-1]))
		}
		return nil, c.failure(s, "compile", status)
	}
	code := c.text(c.sym.GetCUBINSize, c.sym.GetCUBIN, *program)
	if len(code) == 0 {
		return nil, c.failure(s, "get machine code", 0)
	}
	return code, nil
}

// text calls a pair of functions that tell a size and fill a buffer of it.
func (c *Compiler) text(size, get, program uintptr) []byte {
	n := new(uintptr)
	if call(size, program, uintptr(unsafe.Pointer(n))) != 0 || *n == 0 {
		return nil
	}
	b := make([]byte, *n)
	if call(get, program, uintptr(unsafe.Pointer(&b[0]))) != 0 {
		return nil
	}
	return b
}

// failure is an error of NVRTC itself.
func (c *Compiler) failure(s *device.KernelSpec, op string, status uint32) error {
	text, _, _ := purego.SyscallN(c.sym.GetErrorString, uintptr(status))
	e := &device.Error{
		Fault: device.Internal, Op: "compile kernel " + s.Name + ": " + op,
		Detail: goString(text),
	}
	const outOfMemory, invalidOption = 1, 5
	switch status {
	case outOfMemory:
		e.Fault = device.OutOfMemory
	case invalidOption:
		e.Hint = "this NVRTC (" + c.version + ") may be too old for the GPU, or too new"
	}
	return e
}

var errorPlace = regexp.MustCompile(`(?m)\((\d+)\): (?:catastrophic )?error:? *(.*)$`)

// compileError finds the place in NVRTC's log.
func compileError(s *device.KernelSpec, log string) error {
	line, message := 0, log
	if m := errorPlace.FindStringSubmatch(log); m != nil {
		line, _ = strconv.Atoi(m[1]) // The pattern matches digits only.
		message = m[2]
	}
	return &device.Error{
		Fault: device.CompileFailed, Op: "compile kernel " + s.Name, Detail: log, Hint: device.FixKernel,
		Shader: device.NewShaderError(s, line, errorColumn(log), message),
	}
}

// errorColumn is where the caret of a log points, from 1; 0 if there is none.
func errorColumn(log string) int {
	for line := range strings.Lines(log) {
		if t := strings.TrimRight(line, "\r\n "); strings.TrimSpace(t) == "^" {
			return max(len(t)-4, 1) // NVRTC indents the source line by four.
		}
	}
	return 0
}

// call calls a C function with word-sized arguments and returns its status, 0 for
// success. Pointers must be converted in the argument list itself: the directive
// then keeps what they point to alive and in place for the time of the call.
//
//go:uintptrescapes
func call(fn uintptr, args ...uintptr) uint32 {
	r, _, _ := purego.SyscallN(fn, args...)
	return uint32(r)
}

// cString copies a string to memory that ends in a zero byte.
func cString(s string) *byte { return &append([]byte(s), 0)[0] }

// goString copies text that ends in a zero byte from C's memory.
func goString(p uintptr) string {
	if p == 0 {
		return ""
	}
	start := *(*unsafe.Pointer)(unsafe.Pointer(&p))
	n := 0
	for *(*byte)(unsafe.Add(start, n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(start), n))
}
