package cpu

import (
	"fmt"
	"unsafe"

	"skald/runtime/device"
	"skald/runtime/limits"
)

// block is memory that buffers are made of.
type block struct{ bytes []byte }

// maxAlloc is a size that no machine has.
const maxAlloc = 1 << 40

// makeBlock makes a block of size bytes, aligned for atomic access to words of
// eight.
func makeBlock(size int64) (*block, error) {
	if size < 0 || size > maxAlloc {
		return nil, &device.Error{
			Fault: device.OutOfMemory, Op: fmt.Sprintf("allocate %d bytes", size), Hint: "use smaller arrays",
		}
	}
	if err := limits.Check(size); err != nil {
		return nil, &device.Error{Fault: device.OutOfMemory, Op: fmt.Sprintf("allocate %d bytes", size), Err: err}
	}
	words := make([]uint64, (size+7)/8)
	return &block{unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), size)}, nil
}
