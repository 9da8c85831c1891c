package lower

import (
	"math"
	"math/bits"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// value is a scalar in generated code. An i64 of the source that is known to
// lie in 32 bits is kept as an Idx: see Note [Narrow integers].
type value struct {
	exp    imp.Exp
	typ    imp.Type
	lo, hi int64 // bounds of an integer of at most 64 bits, both inclusive
	ring   *ring // nil where nothing is known
	// index is the same number as an Idx, of an integer of another type; nil where none is known: see Note [Small indices].
	index imp.Exp
}

// ring says that an Idx is within 0..size-1 but for off, which is -1, 0 or 1. A remainder by size, as on a torus, then needs no
// division.
type ring struct {
	size core.Operand
	off  int64
	base imp.Exp // what it is off from
	// turned says that the size itself has been added.
	turned bool
}

// moved is the ring of a value that is n more.
func (r *ring) moved(n int64) *ring {
	if r == nil || r.off+n < -1 || r.off+n > 1 {
		return nil
	}
	return &ring{r.size, r.off + n, r.base, r.turned}
}

// Note [Narrow integers]
//
// Sizes and indices of the source are i64, which shaders have to emulate. A
// value that comes from a thread's id, a size or a loop counter is below
// maxSize: the host checks that at launch. Intervals of values are carried
// through arithmetic, and a value whose interval lies in 32 bits is computed as
// an Idx. What is not known to be narrow is computed as i64; when it becomes an
// index it has been checked, and its low bits are taken.

// maxSize bounds what a launch may address with 32-bit indices: imp.Launch.Fits.
const maxSize = 1 << 30

func fits32(lo, hi int64) bool { return lo >= math.MinInt32 && hi <= math.MaxInt32 }

// bounds are the least and greatest values of an integer type.
func bounds(t prim.Type) (lo, hi int64) {
	switch {
	case !t.IsInt() || t == prim.U64:
		return math.MinInt64, math.MaxInt64
	case t.IsSigned():
		return math.MinInt64 >> (64 - t.Bits()), math.MaxInt64 >> (64 - t.Bits())
	}
	return 0, 1<<t.Bits() - 1
}

// unknown is a value of which only the type is known.
func unknown(e imp.Exp, t imp.Type) value {
	if t == imp.Idx {
		return value{exp: e, typ: t, lo: math.MinInt32, hi: math.MaxInt32}
	}
	lo, hi := bounds(t.Prim())
	return value{exp: e, typ: t, lo: lo, hi: hi}
}

// index is an Idx between 0 and hi.
func index(e imp.Exp, hi int64) value { return value{exp: e, typ: imp.Idx, hi: hi} }

// below is an Idx that is at least 0 and less than a size.
func below(e imp.Exp, size core.Operand) value {
	return value{exp: e, typ: imp.Idx, hi: maxSize - 1, ring: &ring{size: size, base: e}}
}

func constant(v prim.Value) value {
	out := value{exp: &imp.Const{Type: imp.Of(v.Type()), Value: v}, typ: imp.Of(v.Type())}
	out.lo, out.hi = v.Int(), v.Int()
	if !v.Type().IsInt() {
		out.lo, out.hi = math.MinInt64, math.MaxInt64
	}
	return out
}

func idx(n int64) imp.Exp { return &imp.Const{Type: imp.Idx, Value: prim.MakeI64(n)} }

func i64(n int64) imp.Exp { return &imp.Const{Type: imp.I64, Value: prim.MakeI64(n)} }

func use(v imp.Var) imp.Exp { return &imp.VarExp{Var: v} }

func id(k imp.IdKind) imp.Exp { return &imp.Id{Kind: k} }

// intConst returns the value of an integer constant.
func intConst(e imp.Exp) (int64, bool) {
	c, ok := e.(*imp.Const)
	if !ok || !c.Type.IsInt() {
		return 0, false
	}
	return c.Value.Int(), true
}

// bin applies an operator to integers of type t, Idx or i64; constants fold.
func bin(op prim.BinOp, t imp.Type, x, y imp.Exp) imp.Exp {
	a, xc := intConst(x)
	b, yc := intConst(y)
	if xc && yc {
		if v, err := prim.EvalBin(op, prim.MakeI64(a), prim.MakeI64(b)); err == nil {
			return &imp.Const{Type: t, Value: v}
		}
	}
	switch {
	case op == prim.Add && xc && a == 0, op == prim.Mul && xc && a == 1:
		return y
	case (op == prim.Add || op == prim.Sub) && yc && b == 0, (op == prim.Mul || op == prim.Quot) && yc && b == 1:
		return x
	case op == prim.Mul && (xc && a == 0 || yc && b == 0), op == prim.Rem && yc && b == 1:
		return &imp.Const{Type: t, Value: prim.MakeI64(0)}
	}
	return &imp.Bin{Op: op, Type: t, X: x, Y: y}
}

// anySign is what byPower is told of a division that rounds down, or may have to round negative numbers.
const anySign = false

// byPower makes a division of integers by a power of two that rounds down, or its remainder, a shift or mask, which round negative
// numbers alike. Languages of kernels have divisions that round towards zero, which a remainder and two comparisons then correct, and some
// have none of 64 bits. Where no number is negative rounding does not matter. Compilers do as much for unsigned numbers of 32 bits.
func byPower(op prim.BinOp, t imp.Type, natural bool, y imp.Exp) (prim.BinOp, imp.Exp) {
	n, ok := intConst(y)
	unsigned := t != imp.Idx && !t.Prim().IsSigned()
	if !ok || n <= 0 || n&(n-1) != 0 || unsigned && t.Prim().Size() < 8 {
		return op, y
	}
	if natural || unsigned {
		switch op { //nolint:exhaustive // the others do not round
		case prim.Quot:
			op = prim.Div
		case prim.Rem:
			op = prim.Mod
		}
	}
	number := func(n int) imp.Exp {
		v := prim.MakeI64(int64(n))
		if t != imp.Idx {
			v = prim.Convert(t.Prim(), v)
		}
		return &imp.Const{Type: t, Value: v}
	}
	switch op { //nolint:exhaustive // the others stay as they are
	case prim.Div:
		return prim.Shr, number(bits.TrailingZeros64(uint64(n)))
	case prim.Mod:
		return prim.And, number(int(n - 1))
	}
	return op, y
}

func add(t imp.Type, x, y imp.Exp) imp.Exp  { return bin(prim.Add, t, x, y) }
func sub(t imp.Type, x, y imp.Exp) imp.Exp  { return bin(prim.Sub, t, x, y) }
func mul(t imp.Type, x, y imp.Exp) imp.Exp  { return bin(prim.Mul, t, x, y) }
func quot(t imp.Type, x, y imp.Exp) imp.Exp { return bin(prim.Quot, t, x, y) }
func rem(t imp.Type, x, y imp.Exp) imp.Exp  { return bin(prim.Rem, t, x, y) }

// padded is where element at lies if one is unused behind every so many, a power of two.
func padded(at imp.Exp, every int) imp.Exp {
	op, by := byPower(prim.Div, imp.Idx, anySign, idx(int64(every)))
	return add(imp.Idx, at, bin(op, imp.Idx, at, by))
}

// ceilDiv is x / y rounded up, for x >= 0 and y > 0.
func ceilDiv(t imp.Type, x, y imp.Exp) imp.Exp {
	return quot(t, add(t, x, sub(t, y, &imp.Const{Type: t, Value: prim.MakeI64(1)})), y)
}

// roundUp is the least multiple of y that is not below x, for x >= 0 and y > 0.
func roundUp(t imp.Type, x, y imp.Exp) imp.Exp { return mul(t, ceilDiv(t, x, y), y) }

func minOf(t imp.Type, x, y imp.Exp) imp.Exp { return bin(prim.Min, t, x, y) }
func maxOf(t imp.Type, x, y imp.Exp) imp.Exp { return bin(prim.Max, t, x, y) }

// atLeastOne is x, or 1 where that is less.
func atLeastOne(x imp.Exp) imp.Exp {
	if n, ok := intConst(x); ok {
		return i64(max(n, 1))
	}
	return maxOf(imp.I64, x, i64(1))
}

func less(t imp.Type, x, y imp.Exp) imp.Exp   { return &imp.Cmp{Op: prim.Lt, Type: t, X: x, Y: y} }
func lessEq(t imp.Type, x, y imp.Exp) imp.Exp { return &imp.Cmp{Op: prim.Le, Type: t, X: x, Y: y} }
func differ(t imp.Type, x, y imp.Exp) imp.Exp { return &imp.Cmp{Op: prim.Ne, Type: t, X: x, Y: y} }

// same says that two indices are equal.
func same(x, y imp.Exp) imp.Exp { return &imp.Cmp{Op: prim.Eq, Type: imp.Idx, X: x, Y: y} }

func and(x, y imp.Exp) imp.Exp { return &imp.Bin{Op: prim.LogAnd, Type: imp.Bool, X: x, Y: y} }
func or(x, y imp.Exp) imp.Exp  { return &imp.Bin{Op: prim.LogOr, Type: imp.Bool, X: x, Y: y} }

// mulBounds is the interval of products, or everything when it overflows.
func mulBounds(x, y value) (lo, hi int64) {
	lo, hi = math.MaxInt64, math.MinInt64
	for _, a := range []int64{x.lo, x.hi} {
		for _, b := range []int64{y.lo, y.hi} {
			if a > 1<<31 || a < -1<<31 || b > 1<<31 || b < -1<<31 {
				return math.MinInt64, math.MaxInt64
			}
			lo, hi = min(lo, a*b), max(hi, a*b)
		}
	}
	return lo, hi
}

// opBounds is the interval of an operator's results on i64, or everything.
func opBounds(op prim.BinOp, x, y value) (lo, hi int64) {
	far := func(v value) bool { return v.lo < -1<<62 || v.hi > 1<<62-1 }
	all := func() (int64, int64) { return math.MinInt64, math.MaxInt64 }
	switch op {
	case prim.Add:
		if !far(x) && !far(y) {
			return x.lo + y.lo, x.hi + y.hi
		}
	case prim.Sub:
		if !far(x) && !far(y) {
			return x.lo - y.hi, x.hi - y.lo
		}
	case prim.Mul:
		return mulBounds(x, y)
	case prim.Div, prim.Quot:
		if x.lo >= 0 && y.lo >= 0 {
			return 0, x.hi
		}
		if y.lo > 0 {
			return min(x.lo, 0), max(x.hi, 0)
		}
	case prim.Mod, prim.Rem:
		switch {
		case x.lo >= 0 && y.lo >= 0:
			return 0, max(0, min(x.hi, y.hi-1))
		case op == prim.Mod && y.lo >= 0:
			return 0, max(0, y.hi-1)
		}
	case prim.Min:
		return min(x.lo, y.lo), min(x.hi, y.hi)
	case prim.Max:
		return max(x.lo, y.lo), max(x.hi, y.hi)
	case prim.And:
		if x.lo >= 0 {
			return 0, x.hi
		}
		if y.lo >= 0 {
			return 0, y.hi
		}
	default:
	}
	return all()
}
