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

	mu     sync.Mutex
	blocks map[B]*pooled[B] // All that were made.
	free   [classes][]*pooled[B]
	frees  uint64 // How many blocks were freed.
	stats  Stats
}

// pooled is a block that was made.
type pooled[B comparable] struct {
	block B
	class int64
	made  int64  // How many were made before it.
	out   bool   // It is in use.
	when  uint64 // How many were freed before it was last.
}

const (
	smallestClass = 256
	// A pool keeps this much however little was ever in use.
	alwaysKept = 256 << 20
	// Of blocks up to this one of a larger class serves as well.
	smallBlock = 16 << 20
	// Blocks below this serve requests of smaller classes.
	largestSpare = 64 << 20
	// Numbers of classes are below this: see number.
	classes = 8*(maxStep-minStep) + 16
	// Steps from one class to the next are powers of two from 2^minStep to 2^maxStep.
	minStep, maxStep = 8, 60
)

// step is the logarithm, to base two, of what classes around a size differ by.
func step(size int64) int { return max(bits.Len64(uint64(size-1))-4, minStep) }

// Class is the size that a request is rounded up to.
func Class(size int64) int64 {
	if size <= smallestClass {
		return smallestClass
	}
	by := int64(1) << step(size)
	return (size + by - 1) / by * by
}

// number is which of all classes one is, from 0 on: up to 2^(minStep+4) they are a step apart, above there are eight for each power of two.
func number(class int64) int {
	n := step(class)
	return int((class-1)>>n) + 8*(n-minStep)
}

// Get returns a block of the class of size.
func (p *Pool[B]) Get(size int64) (B, error) {
	class := Class(size)
	if p.Exact {
		class = size
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.Exact {
		if k := p.reuse(class); k != nil {
			return k.block, nil
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
	if p.blocks == nil {
		p.blocks = map[B]*pooled[B]{}
	}
	k := &pooled[B]{block: b, class: class, made: p.stats.Allocs}
	p.blocks[b] = k
	p.stats.Allocs++
	p.stats.Allocated += class
	p.use(k)
	return b, nil
}

// reuse takes a kept block for a request of a class, nil if none serves: see Note [Which block a pool takes]. The lock is held.
func (p *Pool[B]) reuse(class int64) *pooled[B] {
	first := number(class)
	beyond := first + 1
	if class < largestSpare {
		beyond = number(min(2*class, largestSpare))
	}
	var best *pooled[B]
	from, at := 0, 0
	for c := first; c < beyond && (best == nil || class <= smallBlock); c++ {
		for i, k := range p.free[c] {
			if best == nil || k.made < best.made {
				best, from, at = k, c, i
			}
		}
	}
	if best != nil {
		p.free[from] = slices.Delete(p.free[from], at, at+1)
		p.stats.Cached -= best.class
		p.stats.Reused++
		p.use(best)
	}
	return best
}

// use notes a block that goes out. The lock is held.
func (p *Pool[B]) use(k *pooled[B]) {
	k.out = true
	p.stats.InUse += k.class
	p.stats.Peak = max(p.stats.Peak, p.stats.InUse)
}

// Put takes back a block that Get returned. It ignores others: see Note [What a pool keeps].
func (p *Pool[B]) Put(b B) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.takeBack(b)
	switch {
	case k == nil:
	case p.Exact:
		p.drop(k)
	default:
		k.when = p.frees
		p.frees++
		p.free[number(k.class)] = append(p.free[number(k.class)], k)
		p.stats.Cached += k.class
	}
}

// Discard returns a block of Get to the driver, for one in a state
// in which it cannot be used again.
func (p *Pool[B]) Discard(b B) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k := p.takeBack(b); k != nil {
		p.drop(k)
	}
}

// takeBack notes that a block is no longer out, and returns nil if it was not. The lock is held.
func (p *Pool[B]) takeBack(b B) *pooled[B] {
	k := p.blocks[b]
	if k == nil || !k.out {
		return nil
	}
	k.out = false
	p.stats.InUse -= k.class
	return k
}

// drop returns a block to the driver. The lock is held.
func (p *Pool[B]) drop(k *pooled[B]) {
	delete(p.blocks, k.block)
	p.Drop(k.block)
}

// Release returns all blocks to the driver, those that are in use too: the
// device is about to be closed.
func (p *Pool[B]) Release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trim()
	for _, k := range p.blocks { // In any order: nobody sees it.
		p.drop(k)
	}
	p.stats.InUse = 0
}

// EachInUse returns to the driver what is kept, and calls f for each block that is in use until one fails: for a device whose blocks move.
func (p *Pool[B]) EachInUse(f func(B) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trim()
	for b := range p.blocks { // In any order: nobody sees it.
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
		var oldest *pooled[B]
		for _, list := range p.free {
			if len(list) > 0 && (oldest == nil || list[0].when < oldest.when) {
				oldest = list[0]
			}
		}
		list := &p.free[number(oldest.class)]
		*list = slices.Delete(*list, 0, 1)
		p.stats.Cached -= oldest.class
		p.drop(oldest)
	}
}

// trim returns the kept blocks to the driver. The lock is held.
func (p *Pool[B]) trim() {
	for c, list := range p.free {
		for _, k := range list {
			p.drop(k)
		}
		p.free[c] = nil
	}
	p.stats.Cached = 0
}

// Count fills in the fields of s that the pool keeps.
func (p *Pool[B]) Count(s *Stats) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.Allocs, s.Allocated, s.Reused = p.stats.Allocs, p.stats.Allocated, p.stats.Reused
	s.InUse, s.Peak, s.Cached = p.stats.InUse, p.stats.Peak, p.stats.Cached
}
