package value

import (
	"math"
	"slices"
)

// RelativeError is the L2 norm of the difference of two arrays over that of the one that is wanted. It is infinite if they have other
// types or shapes, or if a number is wanted where there is none: infinities and NaNs are right only where they are wanted.
func RelativeError(got, want Value) float64 {
	if got.Elem() != want.Elem() || !slices.Equal(got.Shape(), want.Shape()) {
		return math.Inf(1)
	}
	var diff, norm float64
	for i := range want.Len() {
		g, w := got.At(i).Float(), want.At(i).Float()
		finite := !math.IsInf(w, 0) && !math.IsNaN(w)
		if finite {
			norm += w * w
		}
		switch {
		case g == w || math.IsNaN(g) && math.IsNaN(w):
		case !finite || math.IsInf(g, 0) || math.IsNaN(g):
			return math.Inf(1)
		default:
			diff += (g - w) * (g - w)
		}
	}
	return math.Sqrt(diff / max(norm, math.SmallestNonzeroFloat64))
}
