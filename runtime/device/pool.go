package device

import (
	"errors"
	"math/bits"
	"sync"
)

// Pool keeps freed buffers of a device for later requests, as every device does
// its caching. B is the driver's handle. The zero Pool is not usable: set Make
// and Drop.
//
// Sizes are rounded up to classes, eight for each power of two, so a buffer is at
// most an eighth larger than asked for, and a freed one serves any request of
// its class.
type Pool[B any] struct {
	// Make asks the driver for a buffer. It may fail with OutOfMemory; then the
	// pool drops all that it keeps and asks once more.
	Make func(class int64) (B, error)
	// Drop gives a buffer back to the driver.
	Drop func(B)

	mu    sync.Mutex
	free  map[int64][]B
	stats Stats
}

const (
	smallestClass = 256
	// A pool keeps this much whatever is in use; more only while it is less than
	// what is in use.
	alwaysKept = 256 << 20
)

// Class is the size that a request is rounded up to.
func Class(size int64) int64 {
	if size <= smallestClass {
		return smallestClass
	}
	step := int64(1) << max(bits.Len64(uint64(size-1))-4, 8)
	return (size + step - 1) / step * step
}

// Get returns a buffer of the class of size, and that class.
func (p *Pool[B]) Get(size int64) (B, int64, error) {
	class := Class(size)
	p.mu.Lock()
	defer p.mu.Unlock()
	if list := p.free[class]; len(list) > 0 {
		b := list[len(list)-1]
		p.free[class] = list[:len(list)-1]
		p.stats.Cached -= class
		p.stats.Reused++
		p.use(class)
		return b, class, nil
	}
	if p.stats.Cached > max(alwaysKept, p.stats.InUse) {
		p.trim()
	}
	b, err := p.Make(class)
	if errors.Is(err, OutOfMemory) && p.stats.Cached > 0 {
		p.trim()
		b, err = p.Make(class)
	}
	if err != nil {
		return b, 0, err
	}
	p.stats.Allocs++
	p.stats.Allocated += class
	p.use(class)
	return b, class, nil
}

// use counts a buffer that goes out. The lock is held.
func (p *Pool[B]) use(class int64) {
	p.stats.InUse += class
	p.stats.Peak = max(p.stats.Peak, p.stats.InUse)
}

// Put takes back a buffer that Get returned with this class.
func (p *Pool[B]) Put(b B, class int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.free == nil {
		p.free = map[int64][]B{}
	}
	p.free[class] = append(p.free[class], b)
	p.stats.InUse -= class
	p.stats.Cached += class
}

// Trim gives everything that is kept back to the driver.
func (p *Pool[B]) Trim() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trim()
}

func (p *Pool[B]) trim() {
	for _, list := range p.free {
		for _, b := range list {
			p.Drop(b)
		}
	}
	p.free = nil
	p.stats.Cached = 0
}

// Count fills in the fields of s that the pool keeps.
func (p *Pool[B]) Count(s *Stats) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.Allocs, s.Allocated, s.Reused = p.stats.Allocs, p.stats.Allocated, p.stats.Reused
	s.InUse, s.Peak, s.Cached = p.stats.InUse, p.stats.Peak, p.stats.Cached
}
