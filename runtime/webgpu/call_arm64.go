//go:build arm64

package webgpu

import (
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// callStruct calls fn(regs..., the struct of these words by value). AAPCS64 and
// Windows on arm64 pass a struct over 16 bytes as the address of a copy.
//
//go:uintptrescapes
func callStruct(fn uintptr, words []uintptr, regs ...uintptr) uintptr {
	c := append([]uintptr(nil), words...)
	r, _, _ := purego.SyscallN(fn, append(append([]uintptr(nil), regs...), uintptr(unsafe.Pointer(&c[0])))...)
	runtime.KeepAlive(c)
	return r
}

// callPair calls fn(a struct of two words by value), which takes two registers.
//
//go:uintptrescapes
func callPair(fn uintptr, lo, hi uintptr) { purego.SyscallN(fn, lo, hi) }
