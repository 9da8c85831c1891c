package cpu

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"skald/runtime/device"
	"skald/runtime/limits"
)

// linear is the memory of WebAssembly modules, in which all buffers of a device are: addresses have 32 bits. The system provides it memory
// where it is touched.
type linear struct {
	mu    sync.Mutex
	bytes []byte   // nil before the first block
	first int64    // the lowest address of a block
	most  int64    // how large it may be
	free  []extent // what is free, by address; no two are neighbours
}

// extent is a range of addresses.
type extent struct{ at, size int64 }

// leastLinear is the smallest memory that is worth having, where the system has no 4 GiB of addresses.
const leastLinear = 256 << 20

// reserve makes the memory, of half the size as long as the system refuses. The lock is held.
func (l *linear) reserve() error {
	if l.bytes != nil {
		return nil
	}
	err := errors.New("the limit of the address space is too low")
	for size := min(l.most, mostAddresses()) / pageBytes * pageBytes; size >= leastLinear; size = size / 2 / pageBytes * pageBytes {
		if l.bytes, err = reserveMemory(size); err == nil {
			l.free = []extent{{l.first, size - l.first - pageBytes}} // Vectors may read a little behind a block.
			return nil
		}
	}
	return fmt.Errorf("no addresses for the memory of WebAssembly: %w", err)
}

// pageBytes is WebAssembly's page.
const pageBytes = 1 << 16

// make makes a block of size bytes.
func (l *linear) make(size int64) (*block, error) {
	op := fmt.Sprintf("allocate %d bytes", size)
	if err := limits.Check(size); err != nil {
		return nil, &device.Error{Fault: device.OutOfMemory, Op: op, Err: err}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.reserve(); err != nil {
		return nil, &device.Error{Fault: device.OutOfMemory, Op: op, Err: err}
	}
	need := (max(size, 1) + lineBytes - 1) / lineBytes * lineBytes
	for i := range l.free {
		s := &l.free[i]
		if s.size < need {
			continue
		}
		at := s.at
		s.at, s.size = s.at+need, s.size-need
		if s.size == 0 {
			l.free = slices.Delete(l.free, i, i+1)
		}
		if err := commitMemory(l.bytes[at : at+need]); err != nil {
			l.giveBack(extent{at, need})
			return nil, &device.Error{Fault: device.OutOfMemory, Op: op, Err: err}
		}
		return &block{l.bytes[at : at+size : at+size], uint32(at)}, nil
	}
	return nil, &device.Error{
		Fault: device.OutOfMemory, Op: op, Detail: fmt.Sprintf("kernels run as WebAssembly, whose memory has at most %d MiB", len(l.bytes)>>20),
		Hint: "use smaller arrays, or install gcc or clang",
	}
}

// drop takes a block back, and returns its pages to the system.
func (l *linear) drop(b *block) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bytes == nil {
		return
	}
	s := extent{int64(b.at), (max(int64(len(b.bytes)), 1) + lineBytes - 1) / lineBytes * lineBytes}
	releaseMemory(l.bytes[s.at : s.at+s.size])
	l.giveBack(s)
}

// giveBack makes a range free, together with its neighbours. The lock is held.
func (l *linear) giveBack(s extent) {
	i, _ := slices.BinarySearchFunc(l.free, s.at, func(f extent, at int64) int { return int(f.at - at) })
	l.free = slices.Insert(l.free, i, s)
	if i+1 < len(l.free) && l.free[i].at+l.free[i].size == l.free[i+1].at {
		l.free[i].size += l.free[i+1].size
		l.free = slices.Delete(l.free, i+1, i+2)
	}
	if i > 0 && l.free[i-1].at+l.free[i-1].size == l.free[i].at {
		l.free[i-1].size += l.free[i].size
		l.free = slices.Delete(l.free, i, i+1)
	}
}

// whole returns the memory, made if it is not there.
func (l *linear) whole() ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.reserve()
	return l.bytes, err
}

// close releases all. No block may be used any more.
func (l *linear) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bytes != nil {
		unreserveMemory(l.bytes)
		l.bytes, l.free = nil, nil
	}
}

// wholePages is the part of a range that is pages of the system.
func wholePages(b []byte, page int) []byte {
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) % uintptr(page))
	if skip >= len(b) {
		return nil
	}
	return b[skip : len(b)-(len(b)-skip)%page]
}
