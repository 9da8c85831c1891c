package main

import "fmt"

// opPositive counts the elements that a filter keeps.
var opPositive = &Operator{
	Name: "positive", Fields: []string{"u32"}, Zero: []string{"0u"}, Join: " return p + q; ", Add: true,
	Pre:       " return select(0u, 1u, i32(x) > 0); ",
	First:     func(x uint32, e []uint32) { e[0] = bit(int32(x) > 0) },
	Reference: opAdd.Reference, neutralInNumber: []uint32{0},
}

// Arguments of check.
const (
	keptElement = true
	leftElement = false
)

// placed calls check with each element and its place: those that the operator's map takes to 1 come first, in order, then the
// others. It returns the first error, or how many come first.
func placed(op *Operator, in []uint32, check func(x uint32, place int, kept bool) error) (kept int, err error) {
	kind, element := op.monoid(), op.elements([][]uint32{in})
	before := kind.totals(len(in), element)
	kept = int(before[len(before)-1][0])
	return kept, kind.scanFrom(before, len(in), element, func(i int, e, acc []uint32) error {
		if e[0] == 1 {
			return check(in[i], int(acc[0])-1, keptElement)
		}
		return check(in[i], kept+i-int(acc[0]), leftElement)
	})
}

// compactCheck compares with the elements that the operator's map takes to 1, in order, and after the last place how many.
func compactCheck(op *Operator, in []uint32, out int) func(func(int) []uint32) error {
	return func(read func(int) []uint32) error {
		got := read(out)
		kept, err := placed(op, in, func(x uint32, place int, kept bool) error {
			if kept && got[place] != x {
				return differs("compaction", place, got[place], x)
			}
			return nil
		})
		if err == nil && got[len(in)] != uint32(kept) {
			err = fmt.Errorf("compaction: %d kept, want %d", got[len(in)], kept)
		}
		return err
	}
}

// partitionCheck compares with the elements that the operator's map takes to 1, then the others, each in order.
func partitionCheck(op *Operator, in []uint32, out int) func(func(int) []uint32) error {
	return func(read func(int) []uint32) error {
		got := read(out)
		_, err := placed(op, in, func(x uint32, place int, _ bool) error {
			if got[place] != x {
				return differs("partition", place, got[place], x)
			}
			return nil
		})
		return err
	}
}
