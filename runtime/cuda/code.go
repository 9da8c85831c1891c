package cuda

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"sync"

	"skald/runtime/cache"
	"skald/runtime/device"
)

// Note [Kept machine code]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// To find, load and, the first time, verify NVRTC takes 0.3 to 0.6 s, and a kernel some 0.1 s. So machine code is kept, in the cache and in
// executables that were built with it, under a hash of all that it depends on but NVRTC itself: the architecture, the options and the
// text. NVRTC is loaded when the first kernel is compiled; where the code of all kernels is kept it need not be there.
//
// An entry of the cache says which file compiled it. Where another NVRTC is found now the entry is not used, so that a new
// one, which may have faults corrected, compiles everything again. What an executable carries is used as it is. Code that the driver does
// not take, because it is older than the NVRTC that made it, is compiled here in its place.

// code is where the machine code of kernels comes from.
type code struct {
	// kept returns what is kept of a kernel for an architecture, the best first; nil for nothing.
	kept func(s *device.KernelSpec, arch string) [][]byte
	// compile makes it.
	compile func(s *device.KernelSpec, arch string) ([]byte, error)
	// compiler says why nothing can be compiled; nil if it can.
	compiler func() error
}

// keptCode is code from an executable, from the cache and from NVRTC.
func keptCode(carried func(name string) []byte) code {
	return code{
		kept: func(s *device.KernelSpec, arch string) (out [][]byte) {
			for _, a := range architectures(arch) {
				if carried == nil {
					break
				}
				if c := carried(CodeName(s, a)); len(c) > 0 {
					out = append(out, c)
				}
			}
			if c := readCode(CodeName(s, arch)); c != nil {
				out = append(out, c)
			}
			return out
		},
		compile: func(s *device.KernelSpec, arch string) ([]byte, error) {
			c, err := OpenCompiler()
			if err != nil {
				return nil, err
			}
			return c.compileAnew(s, arch)
		},
		compiler: FindCompiler,
	}
}

// architectures lists those whose code a GPU of one runs, its own first.
func architectures(arch string) []string {
	var out []string
	for minor := arch[len(arch)-1]; minor >= '0'; minor-- {
		out = append(out, arch[:len(arch)-1]+string(minor))
	}
	return out
}

// CodeName is what the machine code of a kernel for an architecture is kept as.
func CodeName(s *device.KernelSpec, arch string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(options(arch), " ")+"\n"+s.Source)))
}

// codeFolder is the folder of the cache with machine code, and mostCode bounds its bytes.
const (
	codeFolder = "cubin"
	mostCode   = 512 << 20
)

// readCode returns machine code from the cache, nil if it has none that the NVRTC of this machine, if there is one, has made.
func readCode(name string) []byte {
	by, code, ok := bytes.Cut(cache.Read(codeFolder, name), []byte("\n"))
	if now := compilerFile(); !ok || len(code) == 0 || now != "" && now != string(by) {
		return nil
	}
	return code
}

// writeCode puts machine code into the cache. Without it the next run compiles again.
func writeCode(name string, code []byte) {
	entry := append([]byte(compilerFile()+"\n"), code...)
	_ = cache.Keep(entry, mostCode, codeFolder, name)
}

// compilerFile tells the file that is NVRTC from others; "" if there is none, or the system's loader finds it.
var compilerFile = sync.OnceValue(func() string {
	for _, path := range compilerPaths() {
		if info, err := os.Stat(path); err == nil {
			return fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
		}
	}
	return ""
})

// FindCompiler says why nothing can be compiled, if that is known without loading a file that is there: verifying one takes long.
func FindCompiler() error {
	if compilerFile() != "" {
		return nil
	}
	_, err := OpenCompiler()
	return err
}

// Compiler implements device.Keeper.
func (d *Device) Compiler() error { return d.code.compiler() }

// Keeps implements device.Keeper.
func (d *Device) Keeps(s *device.KernelSpec) bool {
	return len(d.code.kept(s, d.facts.Architecture)) > 0
}

// SectionName is the section of an executable that has the machine code of a name.
func SectionName(name string) string { return "cubin/" + name }
