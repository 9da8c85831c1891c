package core

import (
	"math"

	"skald/runtime/prim"
)

// UpperBounds are the largest values that i64 variables can have, for those of which some are known: sizes such as min(n, 64).
type UpperBounds map[Var]int64

// UpperBoundsIn finds them in a function.
func UpperBoundsIn(f *Fun) UpperBounds {
	u := UpperBounds{}
	Walk(f.Body, func(s *Stm) bool {
		if e, ok := s.Exp.(*Bin); ok && e.Type == prim.I64 {
			if n, ok := u.bin(e); ok {
				u[s.Dst[0].Var] = n
			}
		}
		return true
	})
	return u
}

// Of is the largest value of an operand.
func (u UpperBounds) Of(o Operand) (n int64, ok bool) {
	if n, ok := o.ConstInt(); ok {
		return n, true
	}
	n, ok = u[o.Var]
	return n, ok
}

// OfShape is how many elements an array has at most.
func (u UpperBounds) OfShape(shape []Operand) (n int64, ok bool) {
	n = 1
	for _, size := range shape {
		k, ok := u.Of(size)
		if !ok || k > math.MaxInt32 || n > math.MaxInt32 {
			return 0, false
		}
		n *= max(k, 0)
	}
	return n, true
}

func (u UpperBounds) bin(e *Bin) (n int64, ok bool) {
	x, okX := u.Of(e.X)
	y, okY := u.Of(e.Y)
	switch e.Op {
	case prim.Min:
		switch {
		case okX && okY:
			return min(x, y), true
		case okX:
			return x, true
		}
		return y, okY
	case prim.Max:
		return max(x, y), okX && okY
	default:
	}
	return 0, false
}
