package device

import "testing"

// BenchmarkPool takes blocks of three sizes and returns them, as a round of a loop does.
func BenchmarkPool(b *testing.B) {
	next := 0
	p := Pool[*int]{Make: func(int64) (*int, error) { next++; return new(int), nil }, Drop: func(*int) {}}
	b.ReportAllocs()
	for range b.N {
		var out [3]*int
		for i, size := range []int64{1000, 920_000, 4} {
			out[i], _ = p.Get(size)
		}
		for _, o := range out {
			p.Put(o)
		}
	}
}

// The classes are numbered in order, without gaps.
func TestClassesAreNumberedInOrder(t *testing.T) {
	n := 0
	for class := Class(1); class < 1<<50; class = Class(class + 1) {
		if got := number(class); got != n {
			t.Fatalf("class %d has number %d, want %d", class, got, n)
		}
		n++
	}
	if n > classes {
		t.Errorf("there are %d classes, room for %d", n, classes)
	}
}
