package cpu

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"skald/runtime/device"
)

// block is memory that buffers are made of.
type block struct{ bytes []byte }

// makeBlock makes a block of size bytes, aligned for atomic access to words of
// eight.
func makeBlock(size int64) (*block, error) {
	if !fits(size) {
		return nil, &device.Error{
			Fault: device.OutOfMemory, Op: fmt.Sprintf("allocate %d bytes", size), Hint: "use smaller arrays",
		}
	}
	words := make([]uint64, (size+7)/8)
	return &block{unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), size)}, nil
}

// maxAlloc is a size that no machine has.
const maxAlloc = 1 << 40

// available is how many bytes the machine can still give, as far as it says.
// Asking for more ends a Go process, which an error must not.
func available() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return maxAlloc
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) >= 2 && fields[0] == "MemAvailable:" {
			if kib, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
				return kib << 10
			}
		}
	}
	return maxAlloc
}

// plenty is a size that is not worth the asking.
const plenty = 64 << 20

// fits reports whether a buffer of size bytes can be made.
func fits(size int64) bool {
	return size >= 0 && size <= maxAlloc && (size <= plenty || size <= available())
}
