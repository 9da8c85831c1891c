package cpu

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestRangesAreEachNumberOnce(t *testing.T) {
	for _, n := range []int64{0, 1, 2, 7, 64, 1000, 100_003} {
		seen := make([]atomic.Int32, n)
		eachRange(n, workersOf(n), func(_ int, first, end int64) {
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
	go work(shares, 0, func(int, int64, int64) { <-hold })
	deadline := time.Now().Add(10 * time.Second)
	for own.Load() < 1001-1000/8 && time.Now().Before(deadline) {
		work(shares, 1, func(_ int, first, end int64) { own.Add(end - first) })
	}
	if n := own.Load(); n != 1001 && n != 1001-1000/8 { // the other one may not have begun
		t.Errorf("the second worker ran %d of 1001", n)
	}
	close(hold)
}

// Launches one behind another and side by side are each done whole, by workers that linger and by new ones.
func TestRangesOfManyLaunches(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var side sync.WaitGroup
	for range 3 {
		side.Go(func() {
			for k := range int64(500) {
				var sum atomic.Int64
				if k%50 == 0 {
					time.Sleep(2 * linger) // All workers have ended.
				}
				eachRange(k+2, workersOf(k+2), func(_ int, first, end int64) {
					for i := first; i < end; i++ {
						sum.Add(i)
					}
				})
				if got, want := sum.Load(), (k+2)*(k+1)/2; got != want {
					t.Errorf("the numbers below %d add up to %d, not %d", k+2, got, want)
				}
			}
		})
	}
	side.Wait()
	for deadline := time.Now().Add(10 * time.Second); ; {
		crew.mu.Lock()
		n := len(crew.idle)
		crew.mu.Unlock()
		if n == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d workers still look for work", n)
		}
		time.Sleep(time.Millisecond)
	}
}

// A worker who comes when a launch is over does nothing, and the caller does not wait for it.
func TestLaunchesDoNotWaitForWorkersThatHaveNotCome(t *testing.T) {
	r := &ranges{shares: make([]share, 2), run: func(int, int64, int64) { t.Error("run after the end") }, left: make(chan struct{}, 1)}
	r.close()
	r.shares[1].word.Store(span(0, 1))
	r.join(1)
}
