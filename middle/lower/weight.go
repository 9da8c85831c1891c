package lower

import (
	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Weights]
//
// Code is repeated where that saves work: bodies for the elements of a vector, operators for the steps of a tree. What is
// repeated must be small, as drivers take long to compile large kernels: arithmetic that the device lacks is calls of
// functions, which drivers put in their callers' places, at each mention. So code has a weight, the number of operations
// that it becomes, roughly.

//
// Worse are kernels with barriers: software devices turn those into coroutines, and take time that grows faster than
// the code. So where operators and body together have much emulated arithmetic, threads work alone: each has a share of the
// input, and their results are combined by later launches.

// The bounds on what is repeated, and on what stands in kernels with barriers.
const (
	heavyOperator = 8   // the most weight of an operator in an unrolled tree
	maxUnrolled   = 200 // the most weight of a body together with its repetitions
	softUnrolled  = 32  // that on software devices
	maxEmulated   = 120 // the most weight of emulated operations in a kernel with barriers
)

// The weights of operations that are functions of the support library.
const (
	longSimple   = 4  // addition, comparison of emulated 64-bit integers
	longProduct  = 12 // their multiplication
	longQuotient = 60 // their division
	realSimple   = 40 // arithmetic of emulated f64
	realFunction = 200
	function     = 20 // a function of native types
	special      = 60 // a long one
)

// weight is the weight of a body and of all bodies in it.
func (l *lowerer) weight(b *core.Body) int {
	w := 0
	core.Walk(b, func(s *core.Stm) bool {
		w += l.weightOf(s.Exp)
		return true
	})
	return w
}

// heavy reports whether the operators are too large to be repeated.
func (l *lowerer) heavy(o operators) bool { return l.operatorWeight(o) > heavyOperator }

// operatorWeight is the weight of applying all operators once.
func (l *lowerer) operatorWeight(o operators) int {
	w := 0
	for _, op := range o.ops {
		w += l.weight(op.Lambda.Body)
	}
	return w
}

// alone reports whether a reduction or scan is to be done by threads that work alone.
func (l *lowerer) alone(body *core.Body, o operators) bool {
	w := l.emulation(body)
	for _, op := range o.ops {
		w += l.emulation(op.Lambda.Body)
	}
	return w > maxEmulated
}

// emulation is the weight of the long emulated operations in a body; those on integers are short but for division.
func (l *lowerer) emulation(b *core.Body) int {
	w := 0
	core.Walk(b, func(s *core.Stm) bool {
		if c, ok := s.Exp.(*core.Call); ok {
			w += l.routines[c.Fun].emulation
		} else if n := l.weightOf(s.Exp); n >= realSimple && l.emulates(s.Exp) {
			w += n
		}
		return true
	})
	return w
}

// emulates reports whether an expression is an operation on a type that the device lacks.
func (l *lowerer) emulates(e core.Exp) bool {
	switch e := core.Match(e).(type) {
	case *core.Bin:
		return l.emulated(e.Type)
	case *core.Un:
		return l.emulated(e.Type)
	case *core.CallFunc:
		return l.emulated(e.Type)
	default:
		return false
	}
}

// weightOf is the weight of an expression without the bodies in it.
func (l *lowerer) weightOf(e core.Exp) int {
	switch e := core.Match(e).(type) {
	case *core.Call:
		return l.routines[e.Fun].weight
	case *core.Bin:
		return l.weightBin(e.Op, e.Type)
	case *core.Un:
		return l.weightBin(prim.Add, e.Type)
	case *core.Cmp:
		return l.weightBin(prim.Add, e.Type) / 2
	case *core.Conv:
		return max(l.weightBin(prim.Add, e.From), l.weightBin(prim.Add, e.To)) / 2
	case *core.CallFunc:
		for _, t := range e.Func.Params(e.Type) {
			if l.emulated(t) && t.IsFloat() {
				return realFunction
			}
		}
		switch e.Func { //nolint:exhaustive // the others are short
		case prim.Gamma, prim.LGamma, prim.Erf, prim.Erfc:
			return special
		default:
			return function
		}
	default:
		return 1
	}
}

func (l *lowerer) weightBin(op prim.BinOp, t prim.Type) int {
	quotient := op == prim.Div || op == prim.Mod || op == prim.Quot || op == prim.Rem || op == prim.Pow
	switch {
	case l.emulated(t) && t.IsFloat() && quotient:
		return realFunction
	case l.emulated(t) && t.IsFloat():
		return realSimple
	case l.emulated(t) && quotient:
		return longQuotient
	case l.emulated(t) && op == prim.Mul:
		return longProduct
	case l.emulated(t):
		return longSimple
	case t.IsFloat() && op == prim.Pow:
		return function
	}
	return 1
}

// emulated reports whether the device lacks a type.
func (l *lowerer) emulated(t prim.Type) bool {
	return t.Bits() == 64 && (t.IsFloat() && l.facts.NoF64 || t.IsInt() && l.facts.NoI64)
}
