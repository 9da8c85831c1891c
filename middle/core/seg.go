package core

import (
	"math"
	"slices"
)

// Level says which hardware parallelism runs a segmented operation.
type Level uint8

const (
	// LevelGrid gives each point of the space a thread of the grid.
	LevelGrid Level = iota
	// LevelGroup gives each point of the space a whole workgroup; the body
	// then holds operations of LevelInGroup.
	LevelGroup
	// LevelInGroup shares the points among the threads of one workgroup.
	LevelInGroup
)

// Space is the index space of a segmented operation, outermost first. Ids are
// bound, as i64, in its body.
//
// A SegMap whose points share memory has Slot, which is bound as well: at most
// Slots points run side by side, and those have different numbers below Slots
// for their Slot. Elsewhere Slot is zero.
type Space struct {
	Ids   []Var
	Sizes []Operand
	Slot  Var
	Slots Operand
}

// Binds are the variables that a space binds.
func (s Space) Binds() []Var {
	if s.Slot == 0 {
		return s.Ids
	}
	return append(slices.Clip(s.Ids), s.Slot)
}

// SegMap runs Body at each point of Space. Body's results have types Ret; a
// result of array type is an accumulator-free value that the point writes. The
// results of SegMap have Space's sizes in front of Ret; accumulators, which
// Body may return, are themselves the result.
type SegMap struct {
	Level Level
	Space Space
	Body  *Body
	Ret   []Type
}

// SegRed reduces along the innermost dimension of Space, for each point of
// the other dimensions (a segment). Body's first results are the inputs of Ops;
// the rest are kept. Results: for each segment what Ops give, then for each
// point what is kept.
type SegRed struct {
	Level Level
	Space Space
	Ops   []Operator
	Body  *Body
	Ret   []Type
}

// SegScan is the inclusive scan along the innermost dimension of Space for
// each segment. Body's first results are the inputs of Ops; the rest are kept.
// Results, all with Space's sizes in front: the scanned values, what is kept.
type SegScan struct {
	Level Level
	Space Space
	Ops   []Operator
	Body  *Body
	Ret   []Type
}

// SegHist updates, for each segment (all dimensions of Space but the
// innermost), histograms of its own: Dests have the segments' sizes in front of
// Shape. Body's results are as those of Hist.Bucket.
type SegHist struct {
	Level Level
	Space Space
	Ops   []HistOp
	Body  *Body
	Ret   []Type
}

// Tune is a number, an i64, that autotuning may set: the threshold called Name. Class
// says what it bounds (such as "threshold").
type Tune struct{ Name, Class string }

// ClassParam is the class of the tuning parameters that a program has itself, #[param(NAME)] X: they are TuneUnset, and then X is taken,
// unless somebody sets them.
const (
	ClassParam = "param"
	TuneUnset  = math.MinInt64
)

// Fact is an i64 known when the device is: what Name says, such as
// "workgroup_memory".
type Fact struct{ Name string }

func (*SegMap) isExp()  {}
func (*SegRed) isExp()  {}
func (*SegScan) isExp() {}
func (*SegHist) isExp() {}
func (*Tune) isExp()    {}
func (*Fact) isExp()    {}
