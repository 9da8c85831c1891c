package imp_test

import (
	"slices"
	"testing"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// What a statement binds in its bodies is not seen after it: printers declare the rest at the top when a region ends before its last use.
func TestStatementsWithBodiesBindInThemAlone(t *testing.T) {
	for _, c := range []struct {
		stm          imp.Stm
		binds, after []imp.Var
	}{
		{&imp.Let{Var: 1}, []imp.Var{1}, []imp.Var{1}},
		{&imp.LoadVec{Vars: []imp.Var{1, 2}}, []imp.Var{1, 2}, []imp.Var{1, 2}},
		{&imp.Atomic{Old: 1}, []imp.Var{1}, []imp.Var{1}},
		{&imp.Invoke{Dst: []imp.Var{1}}, []imp.Var{1}, []imp.Var{1}},
		{&imp.UniformLoad{Var: 1}, []imp.Var{1}, []imp.Var{1}},
		{&imp.Subgroup{Dst: 1}, []imp.Var{1}, []imp.Var{1}},
		{&imp.For{Var: 1}, []imp.Var{1}, nil},
		{&imp.AtomicUpdate{Old: 1}, []imp.Var{1}, nil},
	} {
		if got := imp.Binds(c.stm); !slices.Equal(got, c.binds) {
			t.Errorf("%T binds %v, want %v", c.stm, got, c.binds)
		}
		if got := imp.BindsAfter(c.stm); !slices.Equal(got, c.after) {
			t.Errorf("%T binds %v for what follows, want %v", c.stm, got, c.after)
		}
	}
}

// Each operation but exchanges and shuffles combines by an operator, which booleans have as well where they have one.
func TestOperationsCombineByOperators(t *testing.T) {
	for op := imp.AtomicAdd; op <= imp.AtomicExchange; op++ {
		bin, ok := op.Operator(prim.I32)
		if _, known := prim.BinWord(bin, prim.I32); ok != (op != imp.AtomicExchange) || ok && !known {
			t.Errorf("atomic %s combines by %s, %v", op, bin, ok)
		}
	}
	for op := imp.SubgroupAdd; op <= imp.ShuffleXor; op++ {
		bin, ok := op.Operator(prim.I32)
		if _, known := prim.BinWord(bin, prim.I32); ok == op.HasLane() || ok && !known {
			t.Errorf("subgroup %s combines by %s, %v", op, bin, ok)
		}
	}
	if bin, _ := imp.AtomicAnd.Operator(prim.Bool); bin != prim.LogAnd {
		t.Errorf("booleans are combined by %s", bin)
	}
	if bin, _ := imp.SubgroupOr.Operator(prim.Bool); bin != prim.LogOr {
		t.Errorf("booleans are combined by %s", bin)
	}
}
