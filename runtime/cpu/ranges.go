package cpu

import (
	"runtime"
	"sync/atomic"
)

// Note [Stealing]
//
// The workgroups of a launch are numbers from 0 on. Each worker has a range of them, of which it takes the first part, again and
// again, smaller and smaller ones, so that little is under way when others run out of work. Who has nothing left takes the
// second half of what another one has. A range is one word, its first number and its end, so taking and stealing are one
// compare-and-swap.

// share is the range that a worker has left, in a line of the cache of its own.
type share struct {
	word atomic.Uint64
	_    [7]uint64
}

func span(first, end uint64) uint64 { return first<<32 | end }

// take takes the first part of what is left: an eighth.
func (s *share) take() (first, end uint64, ok bool) {
	for {
		w := s.word.Load()
		first, end = w>>32, w&0xffffffff
		if first >= end {
			return 0, 0, false
		}
		n := first + (end-first+7)/8
		if s.word.CompareAndSwap(w, span(n, end)) {
			return first, n, true
		}
	}
}

// steal takes the second half of what is left, all of it if that is one.
func (s *share) steal() (first, end uint64, ok bool) {
	for {
		w := s.word.Load()
		first, end = w>>32, w&0xffffffff
		if first >= end {
			return 0, 0, false
		}
		half := first + (end-first)/2
		if s.word.CompareAndSwap(w, span(first, half)) {
			return half, end, true
		}
	}
}

// runner runs a range of numbers for worker number me, who runs one at a time.
type runner func(me int, first, end int64)

// workersOf is how many workers there are for n numbers: as many as there are processors.
func workersOf(n int64) int { return int(min(int64(runtime.GOMAXPROCS(0)), n)) }

// eachRange calls run on ranges that together are the numbers from 0 below n, which fits 32 bits, by some workers.
func eachRange(n int64, workers int, run runner) {
	if workers <= 1 {
		if n > 0 {
			run(0, 0, n)
		}
		return
	}
	r := &ranges{shares: make([]share, workers), run: run, left: make(chan struct{}, 1)}
	for i := range r.shares {
		r.shares[i].word.Store(span(uint64(n*int64(i)/int64(workers)), uint64(n*int64(i+1)/int64(workers))))
	}
	for i := 1; i < len(r.shares); i++ {
		crew.help(&part{r, i})
	}
	work(r.shares, 0, run)
	r.close()
}

// work is what worker number me does.
func work(shares []share, me int, run runner) {
	for {
		for {
			first, end, ok := shares[me].take()
			if !ok {
				break
			}
			run(me, int64(first), int64(end))
		}
		if !refill(shares, me) {
			return
		}
	}
}

// refill steals for worker number me, and reports whether there was anything.
func refill(shares []share, me int) bool {
	for i := 1; i < len(shares); i++ {
		if first, end, ok := shares[(me+i)%len(shares)].steal(); ok {
			shares[me].word.Store(span(first, end)) // It is empty, and nobody steals from nothing.
			return true
		}
	}
	return false
}
