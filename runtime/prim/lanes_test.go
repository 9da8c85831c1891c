package prim_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/runtime/prim"
)

// laneWords are canonical words of a type with its special cases, in an order that pairs them in many ways.
func laneWords(t prim.Type, offset int) []uint64 {
	words := []uint64{
		0, 1, 2, 3, 7, 100, 1 << 31, 1<<31 - 1, 1 << 63, ^uint64(0), 0x7fc00000, 0x3f800000, 0xff800000,
		0x3ff8000000000000, 0x7ff8000000000001, 0xc008000000000000, 0x7e00, 0x3c00, 63, 64,
	}
	var out []uint64
	for i := range 61 {
		out = append(out, prim.FromWord(t, words[(i*offset+i/20)%len(words)]).Word())
	}
	return out
}

// operandForms are two operands over lanes with either of them single, or none.
func operandForms(t prim.Type) [][2][]uint64 {
	x, y := laneWords(t, 3), laneWords(t, 7)
	return [][2][]uint64{{x, y}, {x, y[5:6]}, {x[5:6], y}, {x[4:5], y[4:5]}}
}

func TestLanesComputeWhatWordFunctionsDo(t *testing.T) {
	at := func(x []uint64, i int) uint64 { return x[min(i, len(x)-1)] }
	check := func(name string, typ prim.Type, lanes func(dst, x, y []uint64), word func(x, y uint64) uint64) {
		for _, o := range operandForms(typ) {
			got := make([]uint64, max(len(o[0]), len(o[1])))
			want := make([]uint64, len(got))
			lanes(got, o[0], o[1])
			for i := range want {
				want[i] = word(at(o[0], i), at(o[1], i))
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s at %s with %d and %d words: %s", name, typ, len(o[0]), len(o[1]), d)
			}
		}
	}
	for _, typ := range prim.AllTypes() {
		for op := range prim.BinOp(prim.NumBinOps) {
			if f, ok := prim.BinWord(op, typ); ok {
				check(op.String(), typ, prim.BinLanes(op, typ), f)
			}
		}
		for op := range prim.CmpOp(prim.NumCmpOps) {
			f := prim.CmpWord(op, typ)
			check(op.String(), typ, prim.CmpLanes(op, typ), func(x, y uint64) uint64 {
				if f(x, y) {
					return 1
				}
				return 0
			})
		}
		for op := range prim.UnOp(prim.NumUnOps) {
			if f, ok := prim.UnWord(op, typ); ok {
				lanes := prim.UnLanes(op, typ)
				check(op.String(), typ, func(dst, x, _ []uint64) { lanes(dst, x) }, func(x, _ uint64) uint64 { return f(x) })
			}
		}
		for _, to := range prim.AllTypes() {
			lanes, f := prim.ConvertLanes(typ, to), prim.ConvertWord(typ, to)
			check("conversion to "+to.String(), typ, func(dst, x, _ []uint64) { lanes(dst, x) },
				func(x, _ uint64) uint64 { return f(x) })
		}
	}
}
