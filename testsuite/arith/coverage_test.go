package main

import (
	"testing"

	"skald/runtime/prim"
	"skald/shaders"
)

// infix reports whether the languages write an operator at a type without our help, in a dialect that lacks the type's
// native form if words is set.
func infix(op prim.BinOp, t prim.Type, words bool) bool {
	switch op {
	case prim.Add, prim.Sub, prim.Mul:
		return !words
	case prim.And, prim.Or, prim.Xor:
		return !words
	case prim.Div:
		return t.IsFloat() && !words
	case prim.LogAnd, prim.LogOr:
		return true
	default:
		return t == prim.Bool
	}
}

func TestEveryOperatorAndFunctionOfFutharkIsThere(t *testing.T) {
	for _, d := range []shaders.Dialect{
		shaders.Portable, shaders.Native,
		{Language: shaders.WGSL, Int64: true},
		{Language: shaders.CUDA},
		{Language: shaders.C},
	} {
		want := func(name string) {
			if _, ok := shaders.Lookup(d, name); !ok {
				t.Errorf("%+v: no %s", d, name)
			}
		}
		for _, typ := range prim.AllTypes() {
			for f := range prim.Func(prim.NumFuncs) {
				if f.Accepts(typ) {
					want(f.String() + "_" + typ.String())
				}
			}
			isWGSL := d.Language == shaders.WGSL
			words := isWGSL && (typ == prim.I64 || typ == prim.U64) && !d.Int64 ||
				isWGSL && typ == prim.F64 && !d.Float64 || typ == prim.F16 && !d.Float16
			for op := range prim.BinOp(prim.NumBinOps) {
				if op.Accepts(typ) && !infix(op, typ, words) {
					want(op.String() + "_" + typ.String())
				}
			}
		}
	}
}
