package eval

import (
	"math/bits"
	"sync/atomic"

	"skald/middle/imp"
)

// Watch counts what the threads of launches do with global arrays.
type Watch struct {
	accesses atomic.Int64
	touched  []uint64 // a bit for each thread of the grid
	arrays   []traffic
}

// NewWatch makes a watch for a launch of so many threads of a kernel.
func NewWatch(k *imp.Kernel, threads int64) *Watch {
	return &Watch{touched: make([]uint64, (threads+63)/64), arrays: make([]traffic, len(k.Mems))}
}

// Accesses is how many elements were loaded, stored or changed, each as often as that happened. What all threads of a block
// load alike counts once for them.
func (w *Watch) Accesses() int64 { return w.accesses.Load() }

// Threads is how many threads did so.
func (w *Watch) Threads() int64 {
	n := 0
	for _, word := range w.touched {
		n += bits.OnesCount64(word)
	}
	return int64(n)
}

func (w *Watch) touch(thread int64) {
	w.accesses.Add(1)
	atomic.OrUint64(&w.touched[thread/64], 1<<(thread%64))
}

// watching says what code does at accesses besides: count them, or look for races.
type watching uint8

const (
	unwatched watching = iota
	watched
	checked
)

// watchExp counts what a load of an element of a does.
func (c *compiler) watchExp(a array, e exp) exp {
	if c.unit == nil || c.unit.watch != watched || a.shared {
		return e
	}
	return func(t *thread) uint64 {
		t.watch(&a, 1)
		return e(t)
	}
}

// watchStm counts an access of a statement to neighbouring elements of a.
func (c *compiler) watchStm(a array, elements int, s stm) stm {
	if c.unit == nil || c.unit.watch != watched || a.shared {
		return s
	}
	return func(t *thread) bool {
		t.watch(&a, elements)
		return s(t)
	}
}

func (t *thread) watch(a *array, elements int) {
	if w := t.group.watch; w != nil {
		w.touch(t.id)
		w.alone(a, elements)
	}
}

// watchLanes counts an access of each active lane.
func (b *block) watchLanes(a *array, index indices) {
	if w := b.group.watch; w != nil {
		first := b.id - int64(b.lane)
		b.each(func(lane int) { w.touch(first + int64(lane)) })
		w.together(a, b, index)
	}
}
