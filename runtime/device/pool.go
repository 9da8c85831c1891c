package device

import (
	"errors"
	"math/bits"
	"sync"
)

// Pool keeps freed blocks of a device's memory for later requests, as every device
// does its caching. B is the driver's handle of a block. The zero Pool is not
// usable: set Make and Drop.
//
// Sizes are rounded up to classes, eight for each power of two, so a new block is at
// most an eighth larger than asked for, and a freed one serves any request of
// its class. Where there is none, one of the next classes does: arrays that shrink from
// round to round would else ask the driver for most of their blocks. It is less than
// twice as large as asked for, and no large one, whose rest would be missed.
//
// Note [What a pool keeps]
//
// A call that is made again asks for the same blocks again, and a driver takes milliseconds for a gigabyte. So a pool keeps twice as
// much as has ever been in use at one time, by which a call finds its blocks again even when those of its steps have different classes.
// When it must ask the driver for more it drops first what was freed longest ago. All it keeps goes when the driver has no more.
type Pool[B comparable] struct {
	// Make asks the driver for a block. It may fail with OutOfMemory; then the
	// pool drops all that it keeps and asks once more.
	Make func(class int64) (B, error)
	// Drop returns a block to the driver.
	Drop func(B)
	// Exact makes blocks of the sizes that are asked for and keeps none, for tools that watch where blocks end.
	Exact bool

	mu    sync.Mutex
	free  map[int64][]kept[B] // By class, the most recently freed last.
	frees uint64              // How many blocks were freed.
	out   map[B]int64         // The class of each block that is in use.
	stats Stats
}

// kept is a freed block, and how many were freed before it.
type kept[B comparable] struct {
	block B
	when  uint64
}

const (
	smallestClass = 256
	// A pool keeps this much however little was ever in use.
	alwaysKept = 256 << 20
	// Blocks below this serve requests of smaller classes.
	largestSpare = 64 << 20
)

// Class is the size that a request is rounded up to.
func Class(size int64) int64 {
	if size <= smallestClass {
		return smallestClass
	}
	step := int64(1) << max(bits.Len64(uint64(size-1))-4, 8)
	return (size + step - 1) / step * step
}

// Get returns a block of the class of size.
func (p *Pool[B]) Get(size int64) (B, error) {
	class := Class(size)
	if p.Exact {
		class = size
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := class; c == class || c < min(2*class, largestSpare); c = Class(c + 1) {
		if list := p.free[c]; len(list) > 0 {
			b := list[len(list)-1].block
			p.free[c] = list[:len(list)-1]
			p.stats.Cached -= c
			p.stats.Reused++
			p.use(b, c)
			return b, nil
		}
	}
	p.shrink(max(alwaysKept, 2*p.stats.Peak))
	b, err := p.Make(class)
	if errors.Is(err, OutOfMemory) && p.stats.Cached > 0 {
		p.trim()
		b, err = p.Make(class)
	}
	if err != nil {
		return b, err
	}
	p.stats.Allocs++
	p.stats.Allocated += class
	p.use(b, class)
	return b, nil
}

// use notes a block that goes out. The lock is held.
func (p *Pool[B]) use(b B, class int64) {
	if p.out == nil {
		p.out = map[B]int64{}
	}
	p.out[b] = class
	p.stats.InUse += class
	p.stats.Peak = max(p.stats.Peak, p.stats.InUse)
}

// Put takes back a block that Get returned. It ignores others: see Note [What a pool keeps].
func (p *Pool[B]) Put(b B) {
	p.mu.Lock()
	defer p.mu.Unlock()
	class, ok := p.takeBack(b)
	if ok && p.Exact {
		p.Drop(b)
	}
	if !ok || p.Exact {
		return
	}
	if p.free == nil {
		p.free = map[int64][]kept[B]{}
	}
	p.free[class] = append(p.free[class], kept[B]{b, p.frees})
	p.frees++
	p.stats.Cached += class
}

// Discard returns a block of Get to the driver, for one in a state
// in which it cannot be used again.
func (p *Pool[B]) Discard(b B) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.takeBack(b); ok {
		p.Drop(b)
	}
}

// takeBack notes that a block is no longer out. The lock is held.
func (p *Pool[B]) takeBack(b B) (class int64, ok bool) {
	class, ok = p.out[b]
	delete(p.out, b)
	p.stats.InUse -= class
	return class, ok
}

// Release returns all blocks to the driver, those that are in use too: the
// device is about to be closed.
func (p *Pool[B]) Release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trim()
	for b := range p.out { // In any order: nobody sees it.
		p.Drop(b)
	}
	p.out = nil
	p.stats.InUse = 0
}

// EachInUse returns to the driver what is kept, and calls f for each block that is in use until one fails: for a device whose blocks move.
func (p *Pool[B]) EachInUse(f func(B) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trim()
	for b := range p.out { // In any order: nobody sees it.
		if err := f(b); err != nil {
			return err
		}
	}
	return nil
}

// shrink returns kept blocks to the driver, those first that were freed first, until no more than limit bytes are left. The
// lock is held. See Note [What a pool keeps].
func (p *Pool[B]) shrink(limit int64) {
	for p.stats.Cached > limit {
		var oldest int64
		for class, list := range p.free { // In any order: no two were freed at once.
			if len(list) > 0 && (oldest == 0 || list[0].when < p.free[oldest][0].when) {
				oldest = class
			}
		}
		list := p.free[oldest]
		p.Drop(list[0].block)
		p.free[oldest] = list[1:]
		p.stats.Cached -= oldest
	}
}

// trim returns the kept blocks to the driver. The lock is held.
func (p *Pool[B]) trim() {
	for _, list := range p.free { // In any order: nobody sees it.
		for _, k := range list {
			p.Drop(k.block)
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
