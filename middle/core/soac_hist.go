package core

// Hist is several generalised histograms over the same input. For each index
// below Size, Bucket maps the elements of Arrays to, first, the bin indices of
// all Ops (as many i64 as each has sizes in Shape), then the values for all
// Ops. A value is combined into its bin by the operator; one whose index is
// outside Shape is dropped. Dests are consumed; the results are they, updated.
type Hist struct {
	Size   Operand
	Arrays []Var
	Ops    []HistOp
	Bucket *Lambda
}

// HistOp is one histogram: an associative and commutative operator, and
// destinations that have Shape in front of the type of their elements.
type HistOp struct {
	Shape   []Operand
	Dests   []Var
	Neutral []Operand
	Lambda  *Lambda
}

func (*Hist) isExp() {}
