package wasm

import (
	"fmt"
	"strings"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// linear is an index as a sum: constant + rest + v * (each + by), where v counts the iterations of a loop. rest and by have one value in
// all iterations; they are nil for zero.
type linear struct {
	constant, each int64
	rest, by       imp.Exp
}

// moves reports whether it changes from one iteration to the next.
func (l linear) moves() bool { return l.each != 0 || l.by != nil }

// step is by how much it changes from one iteration to the next.
func (l linear) step() imp.Exp {
	if l.each == 0 && l.by != nil {
		return l.by
	}
	return plus(l.by, number(l.each))
}

// scope is what the terms of an index are told apart by.
type scope struct {
	loop     *imp.For            // whose variable counts; nil for none
	changing map[imp.Var]bool    // what is bound or set in it
	defs     map[imp.Var]imp.Exp // what is bound once in it, and not set
	fixed    map[imp.Var]int64   // variables that are constants
}

// scopeOf is about a loop.
func scopeOf(s *imp.For, fixed map[imp.Var]int64) *scope {
	out := &scope{loop: s, changing: map[imp.Var]bool{s.Var: true}, defs: map[imp.Var]imp.Exp{}, fixed: fixed}
	set := map[imp.Var]bool{}
	imp.Walk(s.Body, func(s imp.Stm) bool {
		for _, v := range imp.Binds(s) {
			out.changing[v] = true
		}
		switch s := imp.MatchStm(s).(type) {
		case *imp.Let:
			out.defs[s.Var] = s.Exp
		case *imp.Set:
			out.changing[s.Var], set[s.Var] = true, true
		default:
		}
		return true
	})
	for v := range set { // In any order: they are removed.
		delete(out.defs, v)
	}
	return out
}

// mostNodes bounds the expressions that are computed before a loop: definitions may double in size where they are put together.
const mostNodes = 64

// linear takes an index apart. It fails where a part changes in another way, or cannot be computed before the loop.
func (c *scope) linear(e imp.Exp) (out linear, ok bool) {
	nodes := 0
	out, ok = c.sum(e, &nodes)
	return out, ok && nodes <= mostNodes
}

func (c *scope) sum(e imp.Exp, nodes *int) (out linear, ok bool) {
	if *nodes++; *nodes > mostNodes {
		return out, false
	}
	switch e := imp.Match(e).(type) {
	case *imp.Const:
		return linear{constant: e.Value.Int()}, true
	case *imp.VarExp:
		n, fixed := c.fixed[e.Var]
		def := c.defs[e.Var]
		switch {
		case fixed:
			return linear{constant: n}, true
		case c.loop != nil && e.Var == c.loop.Var:
			return linear{each: 1}, true
		case def != nil:
			return c.sum(def, nodes)
		}
		return linear{rest: e}, !c.changing[e.Var]
	case *imp.Conv:
		if isLong(e.From) && isLong(e.To) {
			return c.sum(e.X, nodes)
		}
	case *imp.Bin:
		if isLong(e.Type) && (e.Op == prim.Add || e.Op == prim.Sub || e.Op == prim.Mul) {
			return c.bin(e, nodes)
		}
	default:
	}
	if c.loop == nil {
		return linear{rest: e}, true
	}
	rest, ok := c.constant(e, nodes)
	return linear{rest: rest}, ok
}

func (c *scope) bin(e *imp.Bin, nodes *int) (out linear, ok bool) {
	x, xok := c.sum(e.X, nodes)
	y, yok := c.sum(e.Y, nodes)
	if !xok || !yok {
		return out, false
	}
	switch {
	case e.Op == prim.Mul && y.rest == nil && !y.moves():
		return x.times(y.constant), true
	case e.Op == prim.Mul && x.rest == nil && !x.moves():
		return y.times(x.constant), true
	case e.Op == prim.Mul && x.moves() && y.moves():
		return out, false
	case e.Op == prim.Mul && x.moves():
		return x.product(y.whole()), true
	case e.Op == prim.Mul:
		return y.product(x.whole()), true
	case e.Op == prim.Sub:
		y = y.times(-1)
	}
	return linear{x.constant + y.constant, x.each + y.each, plus(x.rest, y.rest), plus(x.by, y.by)}, true
}

// whole is what does not move, as an expression.
func (l linear) whole() imp.Exp {
	if l.constant == 0 && l.rest != nil {
		return l.rest
	}
	return plus(l.rest, number(l.constant))
}

// times multiplies by a constant.
func (l linear) times(n int64) linear {
	return linear{l.constant * n, l.each * n, product2(l.rest, n), product2(l.by, n)}
}

// product multiplies by what does not move.
func (l linear) product(e imp.Exp) (out linear) {
	if l.constant != 0 || l.rest != nil {
		out.rest = longBin(prim.Mul, l.whole(), e)
	}
	switch {
	case l.by != nil:
		out.by = longBin(prim.Mul, l.step(), e)
	case l.each == 1:
		out.by = e
	default:
		out.by = product2(e, l.each)
	}
	return out
}

func number(n int64) imp.Exp { return &imp.Const{Type: imp.Idx, Value: prim.MakeInt(prim.I64, n)} }

func longBin(op prim.BinOp, x, y imp.Exp) imp.Exp { return &imp.Bin{Op: op, Type: imp.Idx, X: x, Y: y} }

// plus adds expressions, of which nil is zero.
func plus(x, y imp.Exp) imp.Exp {
	if x == nil {
		return y
	}
	if y == nil {
		return x
	}
	return longBin(prim.Add, x, y)
}

// product2 multiplies an expression by a constant; nil is zero.
func product2(x imp.Exp, n int64) imp.Exp {
	if x == nil || n == 0 {
		return nil
	}
	if n == 1 {
		return x
	}
	return longBin(prim.Mul, x, number(n))
}

// isLong reports whether a type is one of integers of 64 bits.
func isLong(t imp.Type) bool { return t.IsInt() && primOf(t).Bits() == 64 }

// constant is an expression that has one value in all iterations, in which nothing is left that the loop binds. It fails for what must not
// be computed where the loop does not.
func (c *scope) constant(e imp.Exp, nodes *int) (out imp.Exp, ok bool) {
	if *nodes++; *nodes > mostNodes {
		return nil, false
	}
	if lazily(e) {
		return nil, false
	}
	inner := func(x imp.Exp) imp.Exp {
		y, fine := c.constant(x, nodes)
		ok = ok && fine
		return y
	}
	ok = true
	whole := e
	switch e := imp.Match(e).(type) {
	case *imp.VarExp:
		switch n, fixed := c.fixed[e.Var]; {
		case fixed:
			return number(n), true
		case c.defs[e.Var] != nil:
			return c.constant(c.defs[e.Var], nodes)
		}
		return e, !c.changing[e.Var]
	case *imp.Const, *imp.Id:
		return whole, true
	case *imp.Un:
		return &imp.Un{Op: e.Op, Type: e.Type, X: inner(e.X)}, ok
	case *imp.Bin:
		return &imp.Bin{Op: e.Op, Type: e.Type, X: inner(e.X), Y: inner(e.Y)}, ok
	case *imp.Cmp:
		return &imp.Cmp{Op: e.Op, Type: e.Type, X: inner(e.X), Y: inner(e.Y)}, ok
	case *imp.Conv:
		return &imp.Conv{From: e.From, To: e.To, X: inner(e.X)}, ok
	case *imp.Select:
		return &imp.Select{Type: e.Type, Cond: inner(e.Cond), Then: inner(e.Then), Else: inner(e.Else)}, ok
	default:
		return nil, false
	}
}

// apart takes an index into what has one value in all iterations and the rest; either may be nil.
func (c *scope) apart(e imp.Exp) (constant, rest imp.Exp) {
	nodes := 0
	if out, ok := c.constant(e, &nodes); ok {
		return out, nil
	}
	switch e := imp.Match(e).(type) {
	case *imp.VarExp:
		if b, ok := c.defs[e.Var].(*imp.Bin); ok {
			if constant, rest := c.apart(b); constant != nil {
				return constant, rest
			}
		}
	case *imp.Bin:
		if isLong(e.Type) && e.Op == prim.Add {
			c1, r1 := c.apart(e.X)
			c2, r2 := c.apart(e.Y)
			return plus(c1, c2), plus(r1, r2)
		}
	default:
	}
	return nil, e
}

// keyOf says what an expression is; equal ones have equal keys.
func keyOf(e imp.Exp) string {
	if e == nil {
		return ""
	}
	var parts []string
	for _, x := range imp.Children(e) {
		parts = append(parts, keyOf(x))
	}
	inner := strings.Join(parts, ",")
	switch e := imp.Match(e).(type) {
	case *imp.Const:
		return e.Value.String()
	case *imp.VarExp:
		return fmt.Sprintf("v%d", e.Var)
	case *imp.Bin:
		return fmt.Sprintf("b%d.%v(%s)", e.Op, e.Type, inner)
	case *imp.Cmp:
		return fmt.Sprintf("c%d.%v(%s)", e.Op, e.Type, inner)
	case *imp.Un:
		return fmt.Sprintf("u%d.%v(%s)", e.Op, e.Type, inner)
	case *imp.Conv:
		return fmt.Sprintf("to%v.%v(%s)", e.From, e.To, inner)
	case *imp.Select:
		return fmt.Sprintf("s(%s)", inner)
	default:
		return fmt.Sprintf("%p", e)
	}
}
