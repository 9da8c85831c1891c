//go:build amd64 && !windows

package webgpu

import "github.com/ebitengine/purego"

// callStruct calls fn(regs..., the struct of these words by value). In the System
// V convention a struct over 16 bytes lies in the argument area of the stack and
// takes no register; SyscallN fills six registers first, so the unused ones get
// zeros and the words follow.
//
//go:uintptrescapes
func callStruct(fn uintptr, words []uintptr, regs ...uintptr) uintptr {
	var a [32]uintptr
	copy(a[:6], regs)
	n := 6 + copy(a[6:], words)
	r, _, _ := purego.SyscallN(fn, a[:n]...)
	return r
}

// callPair calls fn(a struct of two words by value), which takes two registers.
//
//go:uintptrescapes
func callPair(fn uintptr, lo, hi uintptr) { purego.SyscallN(fn, lo, hi) }
