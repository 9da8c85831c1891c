package core

import "testing"

func TestPolynomialsHaveOneForm(t *testing.T) {
	n, m := PolyVar(1), PolyVar(2)
	two := PolyConst(2)
	// (n + m) * (n + m) = n*n + 2*m*n + m*m, however it is written.
	square := n.Add(m).Mul(m.Add(n))
	sum := n.Mul(n).Add(m.Mul(m)).Add(m.Mul(n).Mul(two))
	if !square.Equal(sum) {
		t.Errorf("%v and %v differ", square, sum)
	}
	if zero := square.Sub(sum); !zero.Equal(Poly{}) {
		t.Errorf("difference is %v", zero)
	}
	if c, ok := square.Subst(func(v Var) Poly { return PolyConst(int64(v)) }).Const(); !ok || c != 9 {
		t.Errorf("value at n=1, m=2 is %d, %v", c, ok)
	}
}

func TestRowMajorLayouts(t *testing.T) {
	shape := []Operand{V(1), V(2), Int(3)}
	l := RowMajor(9, shape)
	if !l.IsRowMajor(shape) {
		t.Error("row-major layout not recognised")
	}
	if want := PolyVar(2).Mul(PolyConst(3)); !l.Strides[0].Equal(want) {
		t.Errorf("outer stride is %v, want %v", l.Strides[0], want)
	}
	if l.IsRowMajor([]Operand{V(2), V(1), Int(3)}) {
		t.Error("row-major for another shape")
	}
}
