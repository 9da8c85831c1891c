package main

import "fmt"

// opPositive counts the elements that a filter keeps.
var opPositive = &Operator{
	Name: "positive", Fields: []string{"u32"}, Zero: []string{"0u"}, Join: " return p + q; ", Add: true,
	Pre: " return select(0u, 1u, i32(x) > 0); ",
	First: func(x uint32) []uint32 {
		if int32(x) > 0 {
			return []uint32{1}
		}
		return []uint32{0}
	},
}

// compactCheck compares with the elements that the operator's map gives 1, in order, and after the last place how many.
func compactCheck(op *Operator, in []uint32, out int) func(func(int) []uint32) error {
	return func(read func(int) []uint32) error {
		got := read(out)
		kept := 0
		for _, x := range in {
			if op.First(x)[0] == 1 {
				if got[kept] != x {
					return fmt.Errorf("compaction: word %d is %d, want %d", kept, int32(got[kept]), int32(x))
				}
				kept++
			}
		}
		if got[len(in)] != uint32(kept) {
			return fmt.Errorf("compaction: %d kept, want %d", got[len(in)], kept)
		}
		return nil
	}
}

// partitionCheck compares with the elements that the operator's map gives 1, then the others, each in order.
func partitionCheck(op *Operator, in []uint32, out int) func(func(int) []uint32) error {
	return func(read func(int) []uint32) error {
		var kept, others []uint32
		for _, x := range in {
			if op.First(x)[0] == 1 {
				kept = append(kept, x)
			} else {
				others = append(others, x)
			}
		}
		want := append(kept, others...)
		return sameInAnyOrder("partition", read(out), func(i int) uint32 { return want[i] })
	}
}
