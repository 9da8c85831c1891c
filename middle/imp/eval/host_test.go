package eval

import (
	"math"
	"testing"
)

// Numbers of elements are products of sizes: too large ones are refused, and those with a negative size, which a check refuses later, are
// what the program's own product is, as its kernels fill as many elements before.
func TestNumbersOfElementsAreProductsOfSizes(t *testing.T) {
	for _, c := range []struct{ x, y, want int64 }{
		{3, 4, 12},
		{0, -2, 0},
		{-2, -3, 6},
		{-2, 3, -6},
		{0, overflowed, 0},
		{2, overflowed, overflowed},
		{1 << 32, 1 << 31, overflowed},
		{math.MaxInt64, 1, math.MaxInt64},
	} {
		if got := product(c.x, c.y); got != c.want {
			t.Errorf("%d times %d is %d, and not %d", c.x, c.y, got, c.want)
		}
	}
}
