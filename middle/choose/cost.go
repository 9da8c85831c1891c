package choose

import (
	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Cost model]
//
// Code is repeated where that saves work: bodies for the elements of a vector, operators for the steps of a tree. What is
// repeated must be small, as drivers take long to compile large kernels: arithmetic that the device lacks is calls of
// functions, which drivers put in their callers' places, at each mention. So code has a cost, the number of operations
// that it becomes, roughly.
//
// Worse are kernels with barriers: software devices turn those into coroutines, and take time that grows faster than
// the code. So where operators and body together have much emulated arithmetic, threads work alone: each has a share of the
// input, and their results are combined by later launches.

// The bounds on what is repeated, and on what is in kernels with barriers.
const (
	costlyOperator = 8   // the highest cost of an operator in an unrolled tree
	maxUnrolled    = 200 // the highest cost of a body together with its repetitions
	histUnrolled   = 600 // that where workgroups bring values together: the more points at a time, the fewer barriers
	foldUnrolled   = 600 // that where the order of elements matters: a thread loads all that it folds before its subgroup joins values
	softUnrolled   = 32  // that on software devices
	maxAhead       = 80  // that inside a workgroup, whose threads often have one element: at 320, nw took 4,459 us and not 3,889
	maxEmulated    = 120 // the highest cost of emulated operations in a kernel with barriers
)

// What code of a tile may cost.
const (
	maxTileCode       = 512 // the points of a thread together
	maxUnrolledPoints = 160 // iterations that are repeated

	maxUnrolledTile = 4096 // all iterations of a tile whose threads have so many points
	manyPoints      = 64
)

// The costs of operations that are functions of the support library.
const (
	longSimple   = 4  // addition, comparison of emulated 64-bit integers
	longProduct  = 12 // their multiplication
	longQuotient = 60 // their division
	realSimple   = 40 // arithmetic of emulated f64
	realFunction = 200
	special      = 60 // a long function of native types
)

// callCost is the cost of a function of native types.
const callCost = 20

// cost is the cost of a body and of all bodies in it.
func (d *Device) cost(b *core.Body) int {
	w := 0
	core.Walk(b, func(s *core.Stm) bool {
		w += d.costOf(s.Exp)
		return true
	})
	return w
}

// costly reports whether the operators are too large to be repeated.
func (d *Device) costly(o operators) bool { return d.operatorCost(o) > costlyOperator }

// operatorCost is the cost of applying all operators once.
func (d *Device) operatorCost(o operators) int {
	w := 0
	for _, op := range o.ops {
		w += d.cost(op.Lambda.Body)
	}
	return w
}

// alone reports whether a reduction or scan is to be done by threads that work alone.
func (d *Device) alone(body *core.Body, o operators) bool {
	w := d.emulation(body)
	for _, op := range o.ops {
		w += d.emulation(op.Lambda.Body)
	}
	return w > maxEmulated
}

// emulation is the cost of the long emulated operations in a body; those on integers are short but for division.
func (d *Device) emulation(b *core.Body) int {
	w := 0
	core.Walk(b, func(s *core.Stm) bool {
		if c, ok := s.Exp.(*core.Call); ok {
			w += d.functions[c.Fun].emulation
		} else if n := d.costOf(s.Exp); n >= realSimple && d.emulates(s.Exp) {
			w += n
		}
		return true
	})
	return w
}

// emulates reports whether an expression is an operation on a type that the device lacks.
func (d *Device) emulates(e core.Exp) bool {
	switch e := core.Match(e).(type) {
	case *core.Bin:
		return d.emulated(e.Type)
	case *core.Un:
		return d.emulated(e.Type)
	case *core.CallFunc:
		return d.emulated(e.Type)
	default:
		return false
	}
}

// costOf is the cost of an expression without the bodies in it.
func (d *Device) costOf(e core.Exp) int {
	switch e := core.Match(e).(type) {
	case *core.Call:
		return d.functions[e.Fun].cost
	case *core.Bin:
		return d.costBin(e.Op, e.Type)
	case *core.Un:
		return d.costBin(prim.Add, e.Type)
	case *core.Cmp:
		return d.costBin(prim.Add, e.Type) / 2
	case *core.Conv:
		return max(d.costBin(prim.Add, e.From), d.costBin(prim.Add, e.To)) / 2
	case *core.CallFunc:
		for _, t := range e.Func.Params(e.Type) {
			if d.emulated(t) && t.IsFloat() {
				return realFunction
			}
		}
		switch e.Func { //nolint:exhaustive // the others are short
		case prim.Gamma, prim.LGamma, prim.Erf, prim.Erfc:
			return special
		default:
			return callCost
		}
	default:
		return 1
	}
}

func (d *Device) costBin(op prim.BinOp, t prim.Type) int {
	quotient := isQuotient(op)
	switch {
	case d.emulated(t) && t.IsFloat() && quotient:
		return realFunction
	case d.emulated(t) && t.IsFloat():
		return realSimple
	case d.emulated(t) && quotient:
		return longQuotient
	case d.emulated(t) && op == prim.Mul:
		return longProduct
	case d.emulated(t):
		return longSimple
	case t.IsFloat() && op == prim.Pow:
		return callCost
	}
	return 1
}

func isQuotient(op prim.BinOp) bool {
	return op == prim.Div || op == prim.Mod || op == prim.Quot || op == prim.Rem || op == prim.Pow
}

// emulated reports whether the device lacks a type.
func (d *Device) emulated(t prim.Type) bool {
	return t.Bits() == 64 && (t.IsFloat() && d.NoF64 || t.IsInt() && d.NoI64)
}
