package cpu

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Note [Workers that linger]
//
// To wake a thread takes 5 to 50 us, and Go's scheduler wakes one after another, so that 16 were at work after 100 to 250 us, when a
// launch may be over. So a worker that finds no more work looks for the next launch for as long as linger says, and only then ends; and
// a launch is over when nothing is left and nobody is at work: it does not wait for workers that have not come. Its caller, too, looks for
// the end for a while before it sleeps.

// linger is how long a worker looks for work: longer than the host takes between launches of a loop.
const linger = 100 * time.Microsecond

// ranges is one call of eachRange.
type ranges struct {
	shares []share
	run    runner
	inside atomic.Int64  // how many workers are at work, beside the caller; and closed
	left   chan struct{} // has a value when the last one has left
}

// closed is added to how many are inside when there is no work for those who come.
const closed = -1 << 32

// join is what a worker does who comes, as number me.
func (r *ranges) join(me int) {
	if r.inside.Add(1) > 0 {
		work(r.shares, me, r.run)
	}
	if r.inside.Add(-1) == closed {
		select {
		case r.left <- struct{}{}:
		default: // somebody came late, after all had left
		}
	}
}

// close waits until nobody is inside; nobody begins any more.
func (r *ranges) close() {
	if r.inside.Add(closed) == closed || lookFor(func() bool { return r.inside.Load() == closed }) {
		return
	}
	<-r.left
}

// part is what a worker is asked for.
type part struct {
	of *ranges
	me int
}

// worker is a goroutine that takes part in launches.
type worker struct {
	next atomic.Pointer[part]
	_    [7]uint64
}

// workers are those that look for work.
type workers struct {
	mu   sync.Mutex
	idle []*worker
}

// crew is shared by all devices of the process, as the processors are.
var crew workers

// help has p done by a worker that looks for work, or by a new one.
func (c *workers) help(p *part) {
	c.mu.Lock()
	last := len(c.idle) - 1
	if last < 0 {
		c.mu.Unlock()
		go c.serve(p)
		return
	}
	w := c.idle[last]
	c.idle = c.idle[:last]
	c.mu.Unlock()
	w.next.Store(p)
}

// serve is what a worker does, from its first part on.
func (c *workers) serve(p *part) {
	w := new(worker)
	for {
		p.of.join(p.me)
		p = nil
		c.mu.Lock()
		c.idle = append(c.idle, w)
		c.mu.Unlock()
		next := func() bool { p = w.next.Load(); return p != nil }
		if !lookFor(next) && c.dismiss(w) {
			return
		}
		for p == nil { // It is on its way.
			next()
		}
		w.next.Store(nil)
	}
}

// dismiss takes a worker from those that look for work, and reports whether it was there: if not, it has been asked.
func (c *workers) dismiss(w *worker) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.idle, w)
	if i >= 0 {
		c.idle = slices.Delete(c.idle, i, i+1)
	}
	return i >= 0
}

// lookFor calls found until it reports true, or for as long as linger says, and reports whether it did.
func lookFor(found func() bool) bool {
	const looks = 64 // between two looks at the clock
	for start := time.Now(); time.Since(start) < linger; {
		for range looks {
			if found() {
				return true
			}
		}
	}
	return false
}
