package lower_test

import (
	"testing"

	"skald/middle/imp"
	"skald/middle/lower"
	"skald/middle/pass"
)

// Loops are unrolled on devices that have the arithmetic in them, and are not processors.
func TestLoopsAreUnrolledWhereTheDeviceHasTheirArithmetic(t *testing.T) {
	const text = `kernel k(read @xs_0: f64, write @ys_1: f64) group 32 {
  private @own_2: f64[4]
  for i_1: idx < 4:idx {
    @own_2[i_1] = add.f64(@xs_0[i_1], @xs_0[i_1])
  }
  @ys_1[thread_id] = @own_2[0:idx]
}`
	p, err := imp.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		facts    lower.Facts
		unrolled bool
	}{
		{lower.Facts{}, true},
		{lower.Facts{NoI64: true}, true},
		{lower.Facts{NoF64: true}, false},
		{lower.Facts{Software: true}, false},
		{lower.Facts{Tasks: 2}, false},
	} {
		out := lower.Registers(c.facts).Run(&pass.Context{}, p)
		if unrolled := imp.Print(out) != imp.Print(p); unrolled != c.unrolled {
			t.Errorf("%+v: unrolled is %v", c.facts, unrolled)
		}
	}
}
