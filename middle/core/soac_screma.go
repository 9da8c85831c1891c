package core

// Screma is every combination of map, scans and reductions over arrays of
// one outer size ("scan, reduce, map"). For each index the elements of Arrays
// go through Map, whose results are, in this order: the inputs of Scans, the
// inputs of Reds, and values to keep. What is scanned and what is kept then
// goes, element by element, through Post, or is given as it is when Post is
// nil. Results: the final values of Reds, then the arrays that Post makes.
//
//	map f        Screma{Map: f}
//	reduce op    Screma{Map: id, Reds: op}
//	redomap op f Screma{Map: f, Reds: op}
//	scan op      Screma{Map: id, Scans: op}
type Screma struct {
	Size   Operand
	Arrays []Var
	Map    *Lambda
	Scans  []Operator
	Reds   []Operator
	Post   *Lambda
}

// Operator is an associative operator with its neutral element: Lambda has
// two parameters for each value in Neutral, first all left, then all right.
type Operator struct {
	Lambda  *Lambda
	Neutral []Operand
	// Commutative allows elements to be combined in any order.
	Commutative bool
}

// Width is the number of values that ops combine.
func Width(ops []Operator) int {
	n := 0
	for _, op := range ops {
		n += len(op.Neutral)
	}
	return n
}

// Neutrals lists the neutral elements of ops.
func Neutrals(ops []Operator) []Operand {
	var ns []Operand
	for _, op := range ops {
		ns = append(ns, op.Neutral...)
	}
	return ns
}

func (*Screma) isExp() {}
