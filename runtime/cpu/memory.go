package cpu

import (
	"fmt"
	"unsafe"

	"skald/runtime/device"
	"skald/runtime/limits"
)

// block is memory that buffers are made of.
type block struct {
	bytes []byte
	at    uint32 // its address in the memory of WebAssembly, if it is there
}

// maxAlloc is a size that no machine has.
const maxAlloc = 1 << 40

// lineBytes is a line of the cache, and the longest vector that a processor loads.
const lineBytes = 64

// makeBlock makes a block of size bytes, aligned for access by the longest vectors.
func makeBlock(size int64) (*block, error) {
	if size < 0 || size > maxAlloc {
		return nil, &device.Error{
			Fault: device.OutOfMemory, Op: fmt.Sprintf("allocate %d bytes", size), Hint: "use smaller arrays",
		}
	}
	if err := limits.Check(size); err != nil {
		return nil, &device.Error{Fault: device.OutOfMemory, Op: fmt.Sprintf("allocate %d bytes", size), Err: err}
	}
	bytes := make([]byte, size+lineBytes)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(bytes))) % lineBytes
	return &block{bytes: bytes[skip : skip+uintptr(size) : skip+uintptr(size)]}, nil
}
