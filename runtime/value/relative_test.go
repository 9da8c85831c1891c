package value

import (
	"math"
	"testing"
)

func TestTheRelativeErrorIsThatOfTheWholeArray(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		got, want []float64
		error     float64
	}{
		{[]float64{3, 4}, []float64{3, 4}, 0},
		{[]float64{0, 4}, []float64{3, 4}, 0.6}, // the 4 that is right counts
		{[]float64{inf, nan, 1}, []float64{inf, nan, 1}, 0},
		{[]float64{inf}, []float64{1}, inf},
		{[]float64{1}, []float64{nan}, inf},
		{[]float64{0}, []float64{0}, 0},
		{[]float64{1, 2}, []float64{1}, inf},
	} {
		if e := RelativeError(FromSlice(c.got, len(c.got)), FromSlice(c.want, len(c.want))); e != c.error {
			t.Errorf("%v for %v: %v, not %v", c.got, c.want, e, c.error)
		}
	}
}
