package core

import "slices"

// IsScalarCode reports whether a node is an operation on scalars, a read of one, or a branch.
func IsScalarCode(e Exp) bool {
	switch Match(e).(type) {
	case *Un, *Bin, *Cmp, *Conv, *CallFunc, *Use, *If, *Index:
		return true
	}
	return false
}

// Chooses reports whether an operator returns one of its operands, whole.
func Chooses(f *Lambda) bool {
	return !Any(f.Body, func(e Exp) bool { return MayFail(e) || !IsScalarCode(e) }) && sided(f, f.Body, f.Body.Res)
}

// ChooseSeveral reports whether all operators of a histogram return one of their operands, and one has several values: the number of a
// point then says all that is in a bin.
func ChooseSeveral(ops []HistOp) bool {
	return slices.ContainsFunc(ops, func(op HistOp) bool { return len(op.Neutral) > 1 }) &&
		!slices.ContainsFunc(ops, func(op HistOp) bool { return !Chooses(op.Lambda) })
}

// sided reports whether results of a body are one of the operands of f on each way through branches.
func sided(f *Lambda, b *Body, res []Operand) bool {
	if first, second := Sides(f); slices.Equal(res, first) || slices.Equal(res, second) {
		return true
	}
	s, at := Decider(b, res)
	if s == nil {
		return false
	}
	branch := s.Exp.(*If)
	return sided(f, branch.Then, PickAll(branch.Then.Res, at)) && sided(f, branch.Else, PickAll(branch.Else.Res, at))
}

// Sides are the operands of an operator.
func Sides(f *Lambda) (first, second []Operand) {
	all := Vars(ParamVars(f.Params))
	return all[:len(f.Ret)], all[len(f.Ret):]
}

// Decider is the branch of a body that has all of some results, and where it has each; nil if there is none.
func Decider(b *Body, res []Operand) (*Stm, []int) {
	for _, s := range b.Stms {
		if _, ok := s.Exp.(*If); !ok {
			continue
		}
		at := make([]int, len(res))
		for i, x := range res {
			at[i] = slices.IndexFunc(s.Dst, func(p Param) bool { return x == V(p.Var) })
		}
		if !slices.Contains(at, -1) {
			return s, at
		}
	}
	return nil, nil
}

// PickAll is those of some operands that have the given places.
func PickAll(xs []Operand, at []int) []Operand {
	out := make([]Operand, len(at))
	for i, j := range at {
		out[i] = xs[j]
	}
	return out
}
