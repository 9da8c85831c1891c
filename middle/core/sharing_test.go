package core

import (
	"testing"

	"skald/runtime/prim"
)

// Traversals share the scalar expressions that they leave as they are, and make new ones where an operand changes.
func TestTraversalsShareScalarExpressionsThatStay(t *testing.T) {
	x, y, z := V(1), V(2), V(3)
	for _, e := range []Exp{
		&Un{Op: prim.Neg, Type: prim.I32, X: x},
		&Bin{Op: prim.Add, Type: prim.I32, X: y, Y: x},
		&Cmp{Op: prim.Lt, Type: prim.I32, X: x, Y: y},
		&Conv{From: prim.I32, To: prim.I64, X: x},
	} {
		if MapExp(e, Mapper{}) != e || MapExp(e, Mapper{Operand: Subst{3: z}.Operand}) != e {
			t.Errorf("%T is made again though nothing changes", e)
		}
		changed := MapExp(e, Mapper{Operand: Subst{1: z}.Operand})
		if free := FreeInExp(changed); changed == e || !free.Has(3) || free.Has(1) {
			t.Errorf("%T: variable 1 is not replaced: %v", e, free.List())
		}
		if free := FreeInExp(e); !free.Has(1) || free.Has(3) {
			t.Errorf("%T itself is changed: %v", e, free.List())
		}
	}
}

// The answers to two questions for free variables are sets of their own, also where one is asked while the other is looked at.
func TestFreeVariablesAreSetsOfTheirOwn(t *testing.T) {
	first := FreeInExp(&Bin{Op: prim.Add, Type: prim.I32, X: V(1), Y: V(2)})
	second := FreeInBody(&Body{
		Stms: []*Stm{{Dst: []Param{{Var: 1, Type: ScalarType(prim.I32)}}, Exp: &Un{Op: prim.Neg, Type: prim.I32, X: V(3)}}},
		Res:  []Operand{V(1), V(2)},
	})
	third := FreeInExp(&Un{Op: prim.Neg, Type: prim.I32, X: V(1)}) // The body bound it, and this asks again.
	if !first.Has(1) || !first.Has(2) || len(first.List()) != 2 {
		t.Errorf("free in the sum: %v", first.List())
	}
	if second.Has(1) || !second.Has(2) || !second.Has(3) {
		t.Errorf("free in the body: %v", second.List())
	}
	if !third.Has(1) {
		t.Errorf("free in the negation: %v", third.List())
	}
}
