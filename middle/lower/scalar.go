package lower

import (
	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// scalar returns the value of an expression that computes one scalar of scalars.
func (c *code) scalar(e core.Scalar) value {
	switch e := e.(type) {
	case *core.Un:
		return c.un(e)
	case *core.Bin:
		return c.binary(e)
	case *core.Cmp:
		return c.cmp(e)
	case *core.Conv:
		return c.conv(e)
	case *core.CallFunc:
		args := make([]imp.Exp, len(e.Args))
		for i, a := range e.Args {
			args[i] = asPrim(c.operand(a))
		}
		t := imp.Of(e.Func.Result(e.Type))
		return unknown(&imp.CallFunc{Func: e.Func, Type: e.Type, Args: args}, t)
	case *core.Tune:
		return c.tune(e)
	case *core.Fact:
		return c.fact(e)
	}
	panic(unknownNode)
}

// fact is what is known of the device. Where kernels are tasks it is no constant: see Note [Tasks].
func (c *code) fact(e *core.Fact) value {
	v := constant(prim.MakeI64(c.l.facts.Value(e.Name)))
	if c.l.facts.Tasks > 0 && !c.narrows() {
		v.exp = use(c.letVar(e.Name, imp.I64, v.exp))
	}
	return v
}

func (c *code) un(e *core.Un) value {
	x := c.operand(e.X)
	if x.typ == imp.Idx && e.Op == prim.Neg {
		return c.bin(prim.Sub, constant(prim.MakeI64(0)), x)
	}
	t := imp.Of(e.Type)
	return unknown(&imp.Un{Op: e.Op, Type: t, X: asPrim(x)}, t)
}

// binary applies a binary operator. What it knows of rings it keeps.
func (c *code) binary(e *core.Bin) value {
	x, y := c.operand(e.X), c.operand(e.Y)
	if v, ok := c.around(e, x); ok {
		return v
	}
	v := c.bin(e.Op, x, y)
	if v.typ != imp.Idx {
		return v
	}
	switch a, b := constBounds(x), constBounds(y); {
	case e.Op == prim.Add && x.ring != nil && x.ring.size == e.Y:
		v.ring = &ring{x.ring.size, x.ring.off, x.ring.base, true}
	case e.Op == prim.Add && y.ring != nil && y.ring.size == e.X:
		v.ring = &ring{y.ring.size, y.ring.off, y.ring.base, true}
	case e.Op == prim.Add && b:
		v.ring = x.ring.moved(y.lo)
	case e.Op == prim.Add && a:
		v.ring = y.ring.moved(x.lo)
	case e.Op == prim.Sub && b:
		v.ring = x.ring.moved(-y.lo)
	}
	return v
}

func constBounds(v value) bool { return v.lo == v.hi }

// around is the remainder of a value by the size of its ring.
func (c *code) around(e *core.Bin, x value) (value, bool) {
	if x.ring == nil || x.ring.size != e.Y || e.Op != prim.Mod && (e.Op != prim.Rem || x.ring.off < 0 && !x.ring.turned) {
		return value{}, false
	}
	n, at := c.index(e.Y), x.exp
	if x.ring.turned {
		at = add(imp.Idx, x.ring.base, idx(x.ring.off))
	}
	if c.inner != nil && c.inner.id == x.ring.base && x.ring.off != 0 {
		c.inner.used = true
		return below(at, e.Y), true
	}
	switch x.ring.off {
	case 1:
		at = &imp.Select{Type: imp.Idx, Cond: same(at, n), Then: idx(0), Else: at}
	case -1:
		at = &imp.Select{Type: imp.Idx, Cond: less(imp.Idx, at, idx(0)), Then: sub(imp.Idx, n, idx(1)), Else: at}
	}
	return below(at, e.Y), true
}

// bin applies an operator to two values of one source type.
func (c *code) bin(op prim.BinOp, x, y value) value {
	if x.typ != imp.Idx && x.typ != imp.I64 {
		if e := c.shifted(op, x.typ, x.exp, y.exp); e != nil {
			return unknown(e, x.typ)
		}
		by, n := byPower(op, x.typ, anySign, y.exp)
		return c.smallBin(op, x, y, unknown(&imp.Bin{Op: by, Type: x.typ, X: x.exp, Y: n}, x.typ))
	}
	lo, hi := opBounds(op, x, y)
	if !c.narrows() || !fits32(x.lo, x.hi) || !fits32(y.lo, y.hi) || !fits32(lo, hi) || lo > hi {
		if e := c.shifted(op, imp.I64, asPrim(x), asPrim(y)); e != nil {
			return unknown(e, imp.I64)
		}
		by, n := byPower(op, imp.I64, x.lo >= 0, asPrim(y))
		e := bin(by, imp.I64, asPrim(x), n)
		v := unknown(e, imp.I64)
		if fits32(x.lo, x.hi) && fits32(y.lo, y.hi) && lo <= hi {
			v.lo, v.hi = lo, hi
		}
		if fits32(lo, hi) && c.narrows() && lo <= hi {
			// The operands are wide but the result is not: the remainder by a size.
			v = value{exp: convert(e, imp.I64, imp.Idx), typ: imp.Idx, lo: lo, hi: hi}
		}
		return v
	}
	if x.lo >= 0 && y.lo >= 0 {
		switch op { // rounding does not matter
		case prim.Div:
			op = prim.Quot
		case prim.Mod:
			op = prim.Rem
		default:
		}
	}
	if op == prim.Rem && (x.lo < 0 || y.lo < 0) {
		// Remainders of index arithmetic are of numbers that are not negative: not all devices have others.
		at, n := c.let("x", imp.Idx, c.asIndex(x)), c.asIndex(y)
		return value{exp: sub(imp.Idx, at, mul(imp.Idx, quot(imp.Idx, at, n), n)), typ: imp.Idx, lo: lo, hi: hi}
	}
	by, n := byPower(op, imp.Idx, anySign, c.asIndex(y))
	e := c.strided.divided(by, c.asIndex(x), n)
	if e == nil {
		e = bin(by, imp.Idx, c.asIndex(x), n)
	}
	return value{exp: e, typ: imp.Idx, lo: lo, hi: hi}
}

func (c *code) cmp(e *core.Cmp) value {
	x, y := c.operand(e.X), c.operand(e.Y)
	t := imp.Of(e.Type)
	if (x.typ == imp.Idx || y.typ == imp.Idx) && fits32(x.lo, x.hi) && fits32(y.lo, y.hi) {
		return unknown(&imp.Cmp{Op: e.Op, Type: imp.Idx, X: c.asIndex(x), Y: c.asIndex(y)}, imp.Bool)
	}
	if a, b, ok := smallPair(x, y); ok {
		return unknown(&imp.Cmp{Op: e.Op, Type: imp.Idx, X: a, Y: b}, imp.Bool)
	}
	return unknown(&imp.Cmp{Op: e.Op, Type: t, X: asPrim(x), Y: asPrim(y)}, imp.Bool)
}

func (c *code) conv(e *core.Conv) value {
	x := c.operand(e.X)
	from, to := imp.Of(e.From), imp.Of(e.To)
	switch {
	case from == to:
		return x
	case x.index != nil && to == imp.I64:
		c.small.used = true
		return value{exp: x.index, typ: imp.Idx, lo: x.lo, hi: x.hi}
	case c.narrows() && to == imp.I64 && from.IsInt() && fits32(x.lo, x.hi):
		return value{exp: convert(x.exp, x.typ, imp.Idx), typ: imp.Idx, lo: x.lo, hi: x.hi}
	case x.typ == imp.Idx:
		return c.smallConv(x, unknown(convert(x.exp, imp.Idx, to), to))
	}
	return c.smallConv(x, unknown(&imp.Conv{From: from, To: to, X: x.exp}, to))
}

// body generates a body's statements and returns its results.
func (c *code) body(b *core.Body) []value {
	c.stms(b.Stms)
	return c.results(b)
}

func (c *code) stms(stms []*core.Stm) {
	c.level.ahead(stms)
	for _, s := range stms {
		saved := c.where
		if s.Aux.Where != nil {
			c.where = s.Aux.Where
		}
		c.stm(s)
		c.where = saved
	}
}

// results are the values of a body's scalar results; those of other kinds
// have none.
func (c *code) results(b *core.Body) []value {
	out := make([]value, len(b.Res))
	for i, r := range b.Res {
		if r.IsConst() || c.l.typeOf(r.Var).IsScalar() {
			out[i] = c.operand(r)
		}
	}
	return out
}
