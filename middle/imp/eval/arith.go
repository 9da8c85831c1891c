package eval

import (
	"math"

	"skald/runtime/prim"
)

// Note [Common operations]
//
// A closure costs a call, so what inner loops consist of has closures of its own, for threads that run alone: operators whose
// operands are variables, the address of an element of a matrix, and operators that are one instruction of the machine. The rest
// goes through package prim's tables, which say what every operator means.

// arith64 is the commonest arithmetic without a call through a table: see Note [Common operations].
func (o operands) arith64(op prim.BinOp) exp {
	x, y, xv, yv, yc := o.x, o.y, o.xv, o.yv, o.yc
	switch op {
	case prim.Add:
		switch {
		case o.vv:
			return func(t *thread) uint64 { return t.regs[xv] + t.regs[yv] }
		case o.vc:
			return func(t *thread) uint64 { return t.regs[xv] + yc }
		case o.product && o.yv != 0:
			a, b := o.a, o.b
			return func(t *thread) uint64 { return t.regs[a]*t.regs[b] + t.regs[yv] }
		}
		return func(t *thread) uint64 { return x(t) + y(t) }
	case prim.Sub:
		return func(t *thread) uint64 { return x(t) - y(t) }
	case prim.Mul:
		switch {
		case o.vv:
			return func(t *thread) uint64 { return t.regs[xv] * t.regs[yv] }
		case o.vc:
			return func(t *thread) uint64 { return t.regs[xv] * yc }
		}
		return func(t *thread) uint64 { return x(t) * y(t) }
	default:
	}
	return nil
}

func (o operands) arith32(op prim.BinOp) exp {
	x, y := o.x, o.y
	switch op {
	case prim.Add:
		return func(t *thread) uint64 { return enc(int32(x(t)) + int32(y(t))) }
	case prim.Sub:
		return func(t *thread) uint64 { return enc(int32(x(t)) - int32(y(t))) }
	case prim.Mul:
		return func(t *thread) uint64 { return enc(int32(x(t)) * int32(y(t))) }
	default:
	}
	return nil
}

func single(w uint64) float32 { return math.Float32frombits(uint32(w)) }

func singleWord(x float32) uint64 { return uint64(math.Float32bits(x)) }

func (o operands) arithF32(op prim.BinOp) exp {
	x, y, xv, yv := o.x, o.y, o.xv, o.yv
	switch {
	case op == prim.Add && o.vv:
		return func(t *thread) uint64 { return singleWord(single(t.regs[xv]) + single(t.regs[yv])) }
	case op == prim.Add:
		return func(t *thread) uint64 { return singleWord(single(x(t)) + single(y(t))) }
	case op == prim.Sub:
		return func(t *thread) uint64 { return singleWord(single(x(t)) - single(y(t))) }
	case op == prim.Mul && o.vv:
		return func(t *thread) uint64 { return singleWord(single(t.regs[xv]) * single(t.regs[yv])) }
	case op == prim.Mul:
		return func(t *thread) uint64 { return singleWord(single(x(t)) * single(y(t))) }
	}
	return nil
}

func double(w uint64) float64 { return math.Float64frombits(w) }

func (o operands) arithF64(op prim.BinOp) exp {
	x, y, xv, yv := o.x, o.y, o.xv, o.yv
	switch {
	case op == prim.Add && o.vv:
		return func(t *thread) uint64 { return math.Float64bits(double(t.regs[xv]) + double(t.regs[yv])) }
	case op == prim.Add:
		return func(t *thread) uint64 { return math.Float64bits(double(x(t)) + double(y(t))) }
	case op == prim.Sub:
		return func(t *thread) uint64 { return math.Float64bits(double(x(t)) - double(y(t))) }
	case op == prim.Mul && o.vv:
		return func(t *thread) uint64 { return math.Float64bits(double(t.regs[xv]) * double(t.regs[yv])) }
	case op == prim.Mul:
		return func(t *thread) uint64 { return math.Float64bits(double(x(t)) * double(y(t))) }
	}
	return nil
}
