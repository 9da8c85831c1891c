package device

import (
	"errors"
	"math/bits"
	"slices"
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
//
// Note [Which block a pool takes]
//
// Of the blocks that serve a request the pool takes the one that was made first, so that each round of a loop, and a call that is made
// again, gets the blocks that it got before: what a device keeps for launches with the same blocks (groups of bindings, which take
// longer to make than a launch) serves again. Small blocks serve requests down to half their size as well as those of their class, as
// arrays of later rounds are a little smaller; of larger ones the best class is asked first.
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
	made  map[B]int64         // The number of each block, in the order in which they were made.
	stats Stats
}

// kept is a freed block, how many were freed before it, and its number among those that were made.
type kept[B comparable] struct {
	block B
	when  uint64
	made  int64
}

const (
	smallestClass = 256
	// A pool keeps this much however little was ever in use.
	alwaysKept = 256 << 20
	// Of blocks up to this one of a larger class serves as well.
	smallBlock = 16 << 20
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
	if b, ok := p.reuse(class); ok {
		return b, nil
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
	if p.made == nil {
		p.made = map[B]int64{}
	}
	p.made[b] = p.stats.Allocs
	p.use(b, class)
	return b, nil
}

// reuse takes a kept block for a request of a class: see Note [Which block a pool takes]. The lock is held.
func (p *Pool[B]) reuse(class int64) (b B, ok bool) {
	var from int64
	at := -1
	for c := class; c == class || c < min(2*class, largestSpare); c = Class(c + 1) {
		for i, k := range p.free[c] {
			if at < 0 || k.made < p.free[from][at].made {
				from, at = c, i
			}
		}
		if at >= 0 && class > smallBlock {
			break
		}
	}
	if at < 0 {
		return b, false
	}
	b = p.free[from][at].block
	p.free[from] = slices.Delete(p.free[from], at, at+1)
	p.stats.Cached -= from
	p.stats.Reused++
	p.use(b, from)
	return b, true
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
		p.drop(b)
	}
	if !ok || p.Exact {
		return
	}
	if p.free == nil {
		p.free = map[int64][]kept[B]{}
	}
	p.free[class] = append(p.free[class], kept[B]{b, p.frees, p.made[b]})
	p.frees++
	p.stats.Cached += class
}

// Discard returns a block of Get to the driver, for one in a state
// in which it cannot be used again.
func (p *Pool[B]) Discard(b B) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.takeBack(b); ok {
		p.drop(b)
	}
}

// takeBack notes that a block is no longer out. The lock is held.
func (p *Pool[B]) takeBack(b B) (class int64, ok bool) {
	class, ok = p.out[b]
	delete(p.out, b)
	p.stats.InUse -= class
	return class, ok
}

// drop returns a block to the driver. The lock is held.
func (p *Pool[B]) drop(b B) {
	delete(p.made, b)
	p.Drop(b)
}

// Release returns all blocks to the driver, those that are in use too: the
// device is about to be closed.
func (p *Pool[B]) Release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trim()
	for b := range p.out { // In any order: nobody sees it.
		p.drop(b)
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
		p.drop(list[0].block)
		p.free[oldest] = list[1:]
		p.stats.Cached -= oldest
	}
}

// trim returns the kept blocks to the driver. The lock is held.
func (p *Pool[B]) trim() {
	for _, list := range p.free { // In any order: nobody sees it.
		for _, k := range list {
			p.drop(k.block)
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
