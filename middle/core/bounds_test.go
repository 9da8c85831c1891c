package core_test

import (
	"testing"

	"skald/middle/core"
)

// Sizes are bounded by what they are at most.
func TestUpperBoundsOfSizes(t *testing.T) {
	p, err := core.Parse("stage soacs\nfun f (n_1: i64): (r_5: i64) = {\n let (a_2: i64) = min.i64 n_1 64i64\n" +
		" let (b_3: i64) = max.i64 a_2 70i64\n let (c_4: i64) = add.i64 a_2 1i64\n in (c_4)\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	most := core.UpperBoundsIn(p.Funs[0])
	for v, want := range map[core.Var]int64{2: 64, 3: 70} {
		if n, ok := most.Of(core.V(v)); !ok || n != want {
			t.Errorf("variable %d: %d, %v", v, n, ok)
		}
	}
	if _, ok := most.Of(core.V(4)); ok {
		t.Errorf("a sum may wrap around")
	}
	if n, ok := most.OfShape([]core.Operand{core.V(2), core.V(3)}); !ok || n != 64*70 {
		t.Errorf("%d elements, %v", n, ok)
	}
}
