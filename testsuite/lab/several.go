package main

import (
	"fmt"
	"math"

	"skald/runtime/device"
)

// Note [Several results of one launch]
//
// Reductions, scans and maps that read the same array are one kernel. Words of several reductions are one element whose
// operator works word by word. A map's output is written by the launch that reads the input anyhow. A scan in two passes
// reduces all words with its first launch, so that reductions beside it cost their arithmetic alone; its last launch
// computes what only reductions needed, and leaves it unused.

// reduceMapped is three reductions and two maps of one array.
var reduceMapped = &reduction{
	op: &Operator{
		Name: "several-mapped", Fields: opSeveral.Fields, Zero: opSeveral.Zero, Join: opSeveral.Join,
		Reference: opSeveral.Reference, neutralInNumber: opSeveral.neutralInNumber,
	},
	lift: reduceSeveral.lift, element: reduceSeveral.element, commutes: true,
	maps: []string{" return x * 3u + i; ", " return x ^ (i >> 3u); "},
	mapped: func(j int, x, i uint32) uint32 {
		if j == 0 {
			return x*3 + i
		}
		return x ^ i>>3
	},
}

// opScanMapped is a scan, two reductions and a map of one array: the scan's word comes first.
var opScanMapped = &Operator{
	Name: "sum-max-max-map", Fields: opSeveral.Fields, Zero: opSeveral.Zero, Join: opSeveral.Join,
	Pre: " return E(x * x + 7u, i32(x), f32(x & 1023u)); ", Post: " return e.f0; ", Beside: " return x * 5u + 1u; ",
	Mapped:    func(x uint32) uint32 { return x*5 + 1 },
	Reference: opSeveral.Reference, neutralInNumber: opSeveral.neutralInNumber,
	First: func(x uint32, e []uint32) { e[0], e[1], e[2] = x*x+7, x, math.Float32bits(float32(x&1023)) },
	Last:  func(p []uint32) uint32 { return p[0] },
}

// scanMappedCase is a scan with reductions and a map in its first launch: see Note [Several results of one launch].
func scanMappedCase(n int) Case {
	op := opScanMapped
	return Case{
		Name: fmt.Sprintf("several/scan-reduce-map/%d", n), Bytes: 16 * int64(n),
		Plan: func(f *device.Facts) (*Plan, string) {
			in := op.data(n)
			p := twiceOf(op, in, plainTwice, f)
			first, last := p.Steps[0].Buffers, p.Steps[2].Buffers
			mapped, totals, result := first[len(first)-1], p.Steps[1].Buffers[0], last[len(last)-1]
			p.Check = func(read func(int) []uint32) error {
				want := op.monoid().total(n, op.elements(in))
				all := read(totals)
				got := all[len(all)-op.width():]
				if err := same("reductions", got, func(j int) uint32 { return want[j] }); err != nil {
					return err
				}
				if err := sameInAnyOrder("map", read(mapped), func(i int) uint32 { return op.Mapped(in[0][i]) }); err != nil {
					return err
				}
				return op.check(in, result)(read)
			}
			return p, ""
		},
	}
}
