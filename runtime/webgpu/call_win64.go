//go:build windows && amd64

package webgpu

import (
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// callStruct calls fn(regs..., the struct of these words by value). Windows on
// x64 passes every struct whose size is not 1, 2, 4 or 8 as the address of a copy.
//
//go:uintptrescapes
func callStruct(fn uintptr, words []uintptr, regs ...uintptr) uintptr {
	c := append([]uintptr(nil), words...)
	r, _, _ := purego.SyscallN(fn, append(append([]uintptr(nil), regs...), uintptr(unsafe.Pointer(&c[0])))...)
	runtime.KeepAlive(c)
	return r
}

// callPair calls fn(a struct of two words by value): an address here, too.
//
//go:uintptrescapes
func callPair(fn uintptr, lo, hi uintptr) { callStruct(fn, []uintptr{lo, hi}) }
