package value

import (
	"fmt"
	"math"
	"slices"

	"skald/runtime/prim"
)

// DefaultTolerance is the tolerance with which tests compare floats.
const DefaultTolerance = 0.002

// Note [Tolerance]
//
// Two floats agree if they differ by at most the tolerance of their array: the given tolerance, or that times the
// array's greatest expected finite element if that is more. NaN agrees with NaN, an infinity with the same infinity.
// Everything else must be equal.

// Difference is one disagreement between two values.
type Difference struct {
	Index []int      // of the element; nil if types or shapes differ
	Got   prim.Value // the elements there
	Want  prim.Value
	Types [2]Type // of both values (got, want), if Index is nil
}

// String describes the difference in a line.
func (d *Difference) String() string {
	switch {
	case d.Index == nil:
		return fmt.Sprintf("expected a value of type %s, got %s", d.Types[1], d.Types[0])
	case len(d.Index) == 0:
		return fmt.Sprintf("expected %s, got %s", d.Want, d.Got)
	default:
		return fmt.Sprintf("at index %v: expected %s, got %s", d.Index, d.Want, d.Got)
	}
}

// Compare returns the first difference between a value and the expected one, or nil if they agree within the tolerance
// (see DefaultTolerance). See Note [Tolerance].
func Compare(got, want Value, tolerance float64) *Difference {
	ds := Differences(got, want, tolerance, 1)
	if len(ds) == 0 {
		return nil
	}
	return ds[0]
}

// Differences returns the first differences between a value and the expected one, in row-major order, at most limit.
func Differences(got, want Value, tolerance float64, limit int) []*Difference {
	if got.elem != want.elem || !slices.Equal(got.shape, want.shape) {
		return []*Difference{{Types: [2]Type{got.Type(), want.Type()}}}
	}
	if Equal(got, want) {
		return nil
	}
	agree := func(g, w uint64) bool { return g == w }
	if want.elem.IsFloat() {
		agree = agreeFloats(want, tolerance)
	}
	var ds []*Difference
	for i := range want.Len() {
		if g, w := got.Word(i), want.Word(i); !agree(g, w) {
			if len(ds) == limit {
				break
			}
			ds = append(ds, &Difference{Index: unflatten(i, want.shape), Got: got.At(i), Want: want.At(i)})
		}
	}
	return ds
}

// agreeFloats returns the test for two words of want's element type, with want's tolerance: see Note [Tolerance].
func agreeFloats(want Value, tolerance float64) func(g, w uint64) bool {
	load := prim.ConvertWord(want.elem, prim.F64)
	limit := tolerance
	for i := range want.Len() {
		if f := math.Float64frombits(load(want.Word(i))); !math.IsInf(f, 0) && tolerance*f > limit {
			limit = tolerance * f
		}
	}
	return func(g, w uint64) bool {
		x, y := math.Float64frombits(load(g)), math.Float64frombits(load(w))
		switch {
		case x == y:
			return true
		case math.IsNaN(x) || math.IsNaN(y):
			return math.IsNaN(x) && math.IsNaN(y)
		case math.IsInf(x, 0) || math.IsInf(y, 0):
			return false
		default:
			return math.Abs(x-y) <= limit
		}
	}
}

// unflatten returns the index of the element with a flat index; it is never nil.
func unflatten(i int, shape []int) []int {
	index := make([]int, len(shape))
	for k, d := range slices.Backward(shape) {
		index[k] = i % d
		i /= d
	}
	return index
}
