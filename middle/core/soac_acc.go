package core

// WithAcc makes arrays write-only inside Lambda: it has one parameter of
// accumulator type for each of Inputs, and its first results are those
// accumulators after all updates. The results of WithAcc are the arrays of all
// Inputs, updated, then the other results of Lambda. The arrays are consumed.
//
// Without an operator an update overwrites (scatter); indices outside Shape
// are ignored, and what remains of two updates of one index is unspecified.
type WithAcc struct {
	Inputs []AccInput
	Lambda *Lambda
}

// AccInput is what becomes one accumulator: Arrays have Shape in front of the
// type of their elements.
type AccInput struct {
	Shape  []Operand
	Arrays []Var
	// Op combines an update with what is there; nil overwrites. It has two
	// parameters for each array: all old values, then all new ones.
	Op      *Lambda
	Neutral []Operand
}

// UpdateAcc updates the element at Index of each array of an accumulator, and
// gives the accumulator after that.
type UpdateAcc struct {
	Acc    Var
	Index  []Operand
	Values []Operand
}

func (*WithAcc) isExp()   {}
func (*UpdateAcc) isExp() {}
