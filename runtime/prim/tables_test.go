package prim

import "testing"

func TestPropertyTablesAreComplete(t *testing.T) {
	for i, info := range typeTable {
		if info.name == "" || info.bits == 0 {
			t.Errorf("type %d has an empty entry", i)
		}
	}
	for kind, table := range map[string][]opInfo{"un": unTable[:], "bin": binTable[:], "cmp": cmpTable[:]} {
		for i, info := range table {
			if info.name == "" || info.types == 0 {
				t.Errorf("%s operator %d has an empty entry", kind, i)
			}
			if info.commutative&^info.types|info.fails&^info.types != 0 {
				t.Errorf("%s has a property at a type that it does not accept", info.name)
			}
		}
	}
	for i, info := range funcTable {
		if info.name == "" || info.types == 0 || info.shape == shapeNone {
			t.Errorf("function %d has an empty entry", i)
		}
	}
}

func TestEveryOperatorHasAWordFunctionWhereItIsDefined(t *testing.T) {
	for _, typ := range AllTypes() {
		for op := range UnOp(NumUnOps) {
			if _, ok := UnWord(op, typ); ok != op.Accepts(typ) {
				t.Errorf("%s at %s: word function %v, accepted %v", op, typ, ok, op.Accepts(typ))
			}
		}
		for op := range BinOp(NumBinOps) {
			if _, ok := BinWord(op, typ); ok != op.Accepts(typ) {
				t.Errorf("%s at %s: word function %v, accepted %v", op, typ, ok, op.Accepts(typ))
			}
		}
		for op := range CmpOp(NumCmpOps) {
			if f := CmpWord(op, typ); f == nil {
				t.Errorf("%s at %s: no word function", op, typ)
			}
		}
		for f := range Func(NumFuncs) {
			found := [4]bool{1: fun1[typ][f] != nil, 2: fun2[typ][f] != nil, 3: fun3[typ][f] != nil}
			for arity, have := range found {
				if want := f.Accepts(typ) && f.Arity() == arity; have != want {
					t.Errorf("%s at %s: word function of %d parameters: %v, want %v", f, typ, arity, have, want)
				}
			}
		}
	}
}

func TestNamesReadBack(t *testing.T) {
	for _, typ := range AllTypes() {
		if got, ok := ParseType(typ.String()); !ok || got != typ {
			t.Errorf("type %s does not read back", typ)
		}
	}
	for op := range UnOp(NumUnOps) {
		if got, ok := ParseUnOp(op.String()); !ok || got != op {
			t.Errorf("%s does not read back", op)
		}
	}
	for op := range BinOp(NumBinOps) {
		if got, ok := ParseBinOp(op.String()); !ok || got != op {
			t.Errorf("%s does not read back", op)
		}
	}
	for op := range CmpOp(NumCmpOps) {
		if got, ok := ParseCmpOp(op.String()); !ok || got != op {
			t.Errorf("%s does not read back", op)
		}
	}
	for f := range Func(NumFuncs) {
		if got, ok := ParseFunc(f.String()); !ok || got != f {
			t.Errorf("%s does not read back", f)
		}
	}
}
