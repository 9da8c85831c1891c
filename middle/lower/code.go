package lower

import (
	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// code generates statements: what host functions and kernels have in common, by the names that both have for it. A hostBuilder and a
// kernelBuilder each contain one; what they do differently is their level.
type code struct {
	level
	l     *lowerer
	out   *[]imp.Stm // where statements go
	vals  map[core.Var]value
	where *core.Site
	inner *inner // nil but where an index is known to have neighbours on both sides
	small *small // nil but where the bounds of narrow integers are known to hold
	// strided is the loop over points whose body is generated, nil outside of such.
	strided *strided
	counted *counted // the loop whose body is generated, nil where that carries nothing
}

// inner is an index that is neither the first nor the last of its dimension, and whether anything depends on that.
type inner struct {
	id   imp.Exp
	used bool
}

// level is what host code and the code of kernels do each in their own way.
type level interface {
	// integer is the type of index arithmetic: i64 on the host, Idx in kernels.
	integer() imp.Type
	fresh(name string, t imp.Type) imp.Var
	scope() imp.Scope

	// variable is the value of a scalar variable.
	variable(v core.Var) value
	// tune is the value of a tuning parameter.
	tune(e *core.Tune) value
	// renameScalar makes dst another name for the value of a scalar.
	renameScalar(dst core.Param, x core.Operand)
	// indexScalar reads one element of an array.
	indexScalar(dst core.Var, e *core.Index)
	// write stores a scalar at an element of an array of type t laid out as l.
	write(l *core.Layout, t core.Type, is []imp.Exp, x imp.Exp)
	// copyArray copies an array of type src to the place of one of type dst, which is another.
	copyArray(dst, src core.Type)
	// arrayLit writes the elements of an array literal to the place of type t.
	arrayLit(t core.Type, e *core.ArrayLit)
	// trace prints a value.
	trace(e *core.Trace)

	// alloc makes a block of memory, and rename another name for one.
	alloc(dst core.Var, e *core.Alloc)
	rename(dst, src core.Var)
	// joinBlock declares the block dst that several bodies give; each ends by setJoinedBlock with its result.
	joinBlock(dst core.Var) imp.Var
	setJoinedBlock(j joined, res core.Var)
	// loopBlock declares the block of a loop's parameter; nextBlock is what it is set to at the end of the body, nil for nothing;
	// leaveLoop makes its last value known as dst.
	loopBlock(p core.Var, init core.Var) imp.Var
	nextBlock(js []joined, i int, b *core.Body) imp.Exp
	leaveLoop(dst core.Var, j joined)

	// placed is where element at of a block of memory lies in the array that the block is part of.
	placed(mem core.Var, at imp.Exp) imp.Exp
	// bound notes that a variable has its only value.
	bound(v imp.Var, e imp.Exp)
	// own generates a statement that the level has a way of its own for, and reports whether it has.
	own(s *core.Stm) bool
	// ahead looks at statements before code is generated for the first of them.
	ahead(stms []*core.Stm)

	// These generate what one level has and the other has not, or in another way.
	call(s *core.Stm, e *core.Call)
	withAcc(s *core.Stm, e *core.WithAcc)
	updateAcc(e *core.UpdateAcc)
	seg(s *core.Stm, e core.Seg)
}

// narrows reports whether integers that are known to lie in 32 bits are computed as Idx: see Note [Narrow integers].
func (c *code) narrows() bool { return c.integer() == imp.Idx }

func (c *code) num(n int64) imp.Exp {
	return &imp.Const{Type: c.integer(), Value: prim.MakeI64(n)}
}

func (c *code) emit(s imp.Stm) { *c.out = append(*c.out, s) }

// let binds e to a new variable unless it is a constant or variable already.
func (c *code) let(name string, t imp.Type, e imp.Exp) imp.Exp {
	switch imp.Match(e).(type) {
	case *imp.Const, *imp.VarExp:
		return e
	default:
	}
	v := c.letVar(name, t, e)
	c.bound(v, e)
	return use(v)
}

// letVar binds e to a new variable, which may be set again.
func (c *code) letVar(name string, t imp.Type, e imp.Exp) imp.Var {
	v := c.fresh(name, t)
	c.emit(&imp.Let{Var: v, Exp: e})
	return v
}

func (c *code) set(v imp.Var, e imp.Exp) { c.emit(&imp.Set{Var: v, Exp: e}) }

// within collects the statements that f generates.
func (c *code) within(f func()) []imp.Stm {
	var body []imp.Stm
	saved := c.out
	c.out = &body
	f()
	c.out = saved
	return body
}

// ifThen runs f's statements when cond holds.
func (c *code) ifThen(cond imp.Exp, f func()) {
	c.emit(&imp.If{Cond: cond, Then: c.within(f)})
}

// forLoop counts a variable from 0 below bound.
func (c *code) forLoop(name string, bound imp.Exp, f func(i imp.Exp)) {
	if n, ok := intConst(bound); ok && n == 1 {
		f(c.num(0))
		return
	}
	v := c.fresh(name, c.integer())
	body := c.within(func() { f(use(v)) })
	c.emit(&imp.For{Var: v, Bound: bound, Body: body})
}

// operand is the value of a core operand.
func (c *code) operand(o core.Operand) value {
	if o.IsConst() {
		return constant(o.Const)
	}
	return c.variable(o.Var)
}

// asIndex is the value as an operand of index arithmetic here.
func (c *code) asIndex(v value) imp.Exp { return convert(v.exp, v.typ, c.integer()) }

// asPrim is the value in the representation of its source type.
func asPrim(v value) imp.Exp {
	if v.typ == imp.Idx {
		return convert(v.exp, imp.Idx, imp.I64)
	}
	return v.exp
}

// convert changes between Idx and i64; constants fold.
func convert(e imp.Exp, from, to imp.Type) imp.Exp {
	if from == to {
		return e
	}
	if n, ok := intConst(e); ok && (to == imp.Idx || to == imp.I64) {
		return &imp.Const{Type: to, Value: prim.MakeI64(n)}
	}
	return &imp.Conv{From: from, To: to, X: e}
}

// index is an i64 operand as an index here.
func (c *code) index(o core.Operand) imp.Exp { return c.asIndex(c.operand(o)) }

// bind sets a scalar variable to its value, under its own name when that is
// more than a constant or another variable.
func (c *code) bind(v core.Var, val value) {
	e := val.exp
	val.exp = c.let(c.l.fun.Base(v), val.typ, e)
	c.counted.named(e, val.exp)
	if val.index != nil {
		val.index = c.let(c.l.fun.Base(v), imp.Idx, val.index)
	}
	c.vals[v] = val
}

// poly is a polynomial over i64 variables as an index expression.
func (c *code) poly(p core.Poly) imp.Exp {
	t := c.integer()
	sum := c.num(0)
	for _, term := range p.Terms {
		prod := imp.Exp(nil)
		for _, v := range term.Vars {
			x := c.asIndex(c.variable(v))
			if prod == nil {
				prod = x
			} else {
				prod = mul(t, prod, x)
			}
		}
		switch {
		case prod == nil:
			prod = c.num(term.Coef)
		case term.Coef == -1 && len(p.Terms) > 1:
			sum = sub(t, sum, prod)
			continue
		default:
			prod = mul(t, c.num(term.Coef), prod)
		}
		sum = add(t, sum, prod)
	}
	return sum
}

// place is where the element at is of an array with layout l lies.
func (c *code) place(l *core.Layout, is []imp.Exp) imp.Exp {
	at := c.poly(l.Offset)
	for k, i := range is {
		at = add(c.integer(), at, mul(c.integer(), i, c.poly(l.Strides[k])))
	}
	return c.placed(l.Mem, at)
}
