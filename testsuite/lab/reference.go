package main

import (
	"fmt"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Note [Inputs and references]
//
// A case makes its input when the first device asks for it, and what it expects when the first result is checked; both
// are the same on all devices and go with the case. Making and checking them takes longer than what is timed, so
// that it is spread over all processors: number by number where nothing is remembered from one to the next, and
// otherwise in pieces, whose totals are joined first, as a scan in two passes does it.

// mix is the counter-based generator of the benchmarks.
func mix(x uint32) uint32 {
	x = (x ^ x>>16) * 0x7feb352d
	x = (x ^ x>>15) * 0x846ca68b
	return x ^ x>>16
}

// randoms keeps what random returned, which takes longer to make than to use. Nobody writes to it.
var randoms = map[int][]uint32{}

// random returns n words between -512 and 511.
func random(n int) []uint32 {
	if xs, ok := randoms[n]; ok {
		return xs
	}
	xs := make([]uint32, n)
	inParallel(n, func(i int) { xs[i] = mix(uint32(i))&1023 - 512 })
	randoms[n] = xs
	return xs
}

// forget frees the inputs of earlier cases when they have become many: see Note [Inputs and references].
func forget() {
	if len(randoms) > 4 {
		clear(randoms)
	}
}

// split says into how many pieces the numbers below n are split, all of some length but the last.
func split(n int) (count, length int) {
	length = max(1, min(1<<16, n/(8*runtime.GOMAXPROCS(0))))
	return (n + length - 1) / length, length
}

// inPieces calls f for each piece of the numbers below n, on all processors.
func inPieces(n int, f func(piece, first, last int)) {
	count, length := split(n)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for piece := range count {
		group.Go(func() error {
			f(piece, piece*length, min(n, (piece+1)*length))
			return nil
		})
	}
	_ = group.Wait() // Nothing fails.
}

// inParallel calls f for all numbers below n, on all processors: see Note [Inputs and references].
func inParallel(n int, f func(i int)) {
	inPieces(n, func(_, first, last int) {
		for i := first; i < last; i++ {
			f(i)
		}
	})
}

// firstError is the error of the smallest number that has one; check returns that of a piece, and its number.
func firstError(n int, check func(piece, first, last int) (at int, err error)) error {
	var (
		lock  sync.Mutex
		found = n
		why   error
	)
	inPieces(n, func(piece, first, last int) {
		at, err := check(piece, first, last)
		lock.Lock()
		defer lock.Unlock()
		if err != nil && at < found {
			found, why = at, err
		}
	})
	return why
}

// same compares words with a reference, which is asked in their order, and names the first that differs.
func same(what string, got []uint32, want func(i int) uint32) error {
	for i, g := range got {
		if w := want(i); g != w {
			return differs(what, i, g, w)
		}
	}
	return nil
}

// sameInAnyOrder is same for a reference that remembers nothing.
func sameInAnyOrder(what string, got []uint32, want func(i int) uint32) error {
	return firstError(len(got), func(_, first, last int) (int, error) {
		for i := first; i < last; i++ {
			if w := want(i); got[i] != w {
				return i, differs(what, i, got[i], w)
			}
		}
		return 0, nil
	})
}

func differs(what string, i int, got, want uint32) error {
	return fmt.Errorf("%s: word %d is %d, want %d", what, i, int32(got), int32(want))
}

// sameRows compares rows of some words; row fills what is wanted of one.
func sameRows(what string, got []uint32, length int, row func(r int, want []uint32)) error {
	return firstError(len(got)/max(1, length), func(_, first, last int) (int, error) {
		want := make([]uint32, length)
		for r := first; r < last; r++ {
			row(r, want)
			for i, w := range want {
				if g := got[r*length+i]; g != w {
					return r, differs(what, r*length+i, g, w)
				}
			}
		}
		return 0, nil
	})
}

// monoid is an associative operator on elements of some words.
type monoid struct {
	neutral []uint32
	join    func(p, q []uint32) // p = join(p, q)
}

// totals returns what lies before each piece of n elements, and behind the last the total of all; element fills element i.
func (m *monoid) totals(n int, element func(i int, e []uint32)) [][]uint32 {
	count, _ := split(n)
	before := make([][]uint32, count+1)
	for k := range before {
		before[k] = append([]uint32(nil), m.neutral...)
	}
	inPieces(n, func(piece, first, last int) {
		e := make([]uint32, len(m.neutral))
		for i := first; i < last; i++ {
			element(i, e)
			m.join(before[piece+1], e)
		}
	})
	for k := range count {
		all := append([]uint32(nil), before[k]...)
		m.join(all, before[k+1])
		before[k+1] = all
	}
	return before
}

// total joins n elements.
func (m *monoid) total(n int, element func(i int, e []uint32)) []uint32 {
	before := m.totals(n, element)
	return before[len(before)-1]
}

// scan calls check for all n elements with what the elements up to and with it join to, and returns the first error.
func (m *monoid) scan(n int, element func(i int, e []uint32), check func(i int, e, acc []uint32) error) error {
	return m.scanFrom(m.totals(n, element), n, element, check)
}

// scanFrom does so where the totals are known.
func (m *monoid) scanFrom(before [][]uint32, n int, element func(i int, e []uint32), check func(i int, e, acc []uint32) error) error {
	return firstError(n, func(piece, first, last int) (int, error) {
		acc, e := append([]uint32(nil), before[piece]...), make([]uint32, len(m.neutral))
		for i := first; i < last; i++ {
			element(i, e)
			m.join(acc, e)
			if err := check(i, e, acc); err != nil {
				return i, err
			}
		}
		return 0, nil
	})
}
