package cpu

import (
	"sync/atomic"
	"testing"
	"time"
)

func TestRangesAreEachNumberOnce(t *testing.T) {
	for _, n := range []int64{0, 1, 2, 7, 64, 1000, 100_003} {
		seen := make([]atomic.Int32, n)
		eachRange(n, func(first, end int64) {
			if first >= end {
				t.Errorf("%d: an empty range at %d", n, first)
			}
			for i := first; i < end; i++ {
				seen[i].Add(1)
			}
		})
		for i := range seen {
			if k := seen[i].Load(); k != 1 {
				t.Fatalf("%d of %d was run %d times", i, n, k)
			}
		}
	}
}

// One worker never gets on; others take what it has.
func TestRangesAreStolenFromWhoIsLate(t *testing.T) {
	shares := make([]share, 2)
	shares[0].word.Store(span(0, 1000))
	shares[1].word.Store(span(1000, 1001))
	var own atomic.Int64
	hold := make(chan struct{})
	go work(shares, 0, func(_, _ int64) { <-hold })
	deadline := time.Now().Add(10 * time.Second)
	for own.Load() < 1001-1000/8 && time.Now().Before(deadline) {
		work(shares, 1, func(first, end int64) { own.Add(end - first) })
	}
	if n := own.Load(); n != 1001 && n != 1001-1000/8 { // the other one may not have begun
		t.Errorf("the second worker ran %d of 1001", n)
	}
	close(hold)
}
