//go:build unix

package cpu

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"skald/runtime/device"
	"skald/runtime/limits"
)

// Note [Sanitizers]
//
// Compiled kernels can be checked by gcc's sanitizers: what they access must be memory that is there, and nothing may be undefined. The
// address sanitizer has to be the first library of the process (LD_PRELOAD), and knows the ends of what its malloc returns, so blocks come
// from there. It is a tool for testing us: testsuite/cmd/sanitize runs programs so.

// sanitizerFlags are those of the compiler. The code goes on after a report, so that one run finds all.
var sanitizerFlags = []string{
	"-O1", "-g1", "-fsanitize=address,undefined,float-cast-overflow", "-fsanitize-recover=all", "-fno-omit-frame-pointer",
}

// allocator is the C library's.
var allocator = sync.OnceValue(func() (a struct {
	malloc func(uintptr) unsafe.Pointer
	free   func(unsafe.Pointer)
},
) {
	purego.RegisterLibFunc(&a.malloc, purego.RTLD_DEFAULT, "malloc")
	purego.RegisterLibFunc(&a.free, purego.RTLD_DEFAULT, "free")
	return a
})

// makeSanitized makes a block of size bytes by malloc.
func makeSanitized(size int64) (*block, error) {
	op := fmt.Sprintf("allocate %d bytes", size)
	if err := limits.Check(size); err != nil {
		return nil, &device.Error{Fault: device.OutOfMemory, Op: op, Err: err}
	}
	p := allocator().malloc(uintptr(max(size, 1)))
	if p == nil {
		return nil, &device.Error{Fault: device.OutOfMemory, Op: op}
	}
	b := &block{bytes: unsafe.Slice((*byte)(p), max(size, 1))[:size]}
	clear(b.bytes)
	return b, nil
}

func dropSanitized(b *block) { allocator().free(unsafe.Pointer(unsafe.SliceData(b.bytes))) }
