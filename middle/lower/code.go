package lower

import (
	"fmt"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// code generates the statements of one host function or one kernel.
type code struct {
	l    *lowerer
	fn   *imp.Fun    // of host code
	k    *imp.Kernel // of a kernel
	host *code       // the host code that launches the kernel; nil on the host
	out  *[]imp.Stm  // where statements go
	vals map[core.Var]value
	mems map[core.Var]imp.Mem // arrays of a kernel, by memory block
	// blocks are a host function's blocks.
	blocks map[core.Var]imp.Var
	ids    []core.Var // of the space that a kernel runs over
	// pending are the scalars of host code that are still on the device.
	pending  map[core.Var]pending
	prologue []imp.Stm   // of a kernel: what it starts with
	launch   *imp.Launch // of a kernel: its arguments grow with what the code needs
	where    *core.Site
	// While a body is repeated over a vector: the elements of this lane.
	vector vector
	loaded map[core.Var]value
}

// integer is the type of index arithmetic here.
func (c *code) integer() imp.Type {
	if c.k == nil {
		return imp.I64
	}
	return imp.Idx
}

func (c *code) num(n int64) imp.Exp {
	return &imp.Const{Type: c.integer(), Value: prim.MakeI64(n)}
}

func (c *code) emit(s imp.Stm) { *c.out = append(*c.out, s) }

func (c *code) fresh(name string, t imp.Type) imp.Var {
	if c.k == nil {
		return c.fn.Fresh(name, t)
	}
	return c.k.Fresh(name, t)
}

// let binds e to a new variable unless it is a constant or variable already.
func (c *code) let(name string, t imp.Type, e imp.Exp) imp.Exp {
	switch imp.Match(e).(type) {
	case *imp.Const, *imp.VarExp:
		return e
	default:
	}
	return use(c.letVar(name, t, e))
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

// variable is the value of a scalar variable. In a kernel, one that is bound
// outside becomes a parameter.
func (c *code) variable(v core.Var) value {
	if val, ok := c.vals[v]; ok {
		return val
	}
	if c.host == nil {
		return c.readPending(v)
	}
	if p, ok := c.host.pending[v]; ok && c.host.vals[v].exp == nil {
		c.vals[v] = c.loadPending(v, p)
		return c.vals[v]
	}
	outer := c.host.variable(v)
	if _, ok := outer.exp.(*imp.Const); ok {
		c.vals[v] = outer
		return outer
	}
	val := c.param(c.l.fun.Base(v), outer, c.l.sizes[v])
	c.vals[v] = val
	return val
}

// pending is a scalar that a kernel has left in the only element of a block,
// and the statements in which it is bound.
type pending struct {
	block imp.Var
	out   *[]imp.Stm
}

// Note [Scalars on the device]
//
// The result of a reduction is read back only where host code computes with
// it; a kernel that uses it reads the block. Host code reads it again when the
// first read stands in a branch or loop.

// readPending reads a pending scalar back.
func (c *code) readPending(v core.Var) value {
	p, ok := c.pending[v]
	if !ok {
		panic(fmt.Sprintf("lower: %s_%d has no value", c.l.fun.Base(v), v))
	}
	elem := c.l.types[v].Elem
	x := c.fresh(c.l.fun.Base(v), imp.Of(elem))
	c.emit(&imp.ReadScalar{Var: x, Elem: elem, Block: p.block, Index: i64(0)})
	val := unknown(use(x), imp.Of(elem))
	if c.out == p.out {
		c.vals[v] = val
	}
	return val
}

// loadPending reads a pending scalar at the start of a kernel.
func (c *code) loadPending(v core.Var, p pending) value {
	elem, name := c.l.types[v].Elem, c.l.fun.Base(v)
	x := c.fresh(name, imp.Of(elem))
	c.prologue = append(c.prologue, &imp.Let{Var: x, Exp: &imp.Load{Mem: c.global(name, elem, p.block), Index: idx(0)}})
	return unknown(use(x), imp.Of(elem))
}

// param makes a parameter of a kernel for a value of its host. One that is a
// size is narrow, which the launch checks.
func (c *code) param(name string, outer value, size bool) value {
	t, arg := outer.typ, outer.exp
	val := unknown(nil, t)
	if t == imp.I64 && size {
		c.launch.Fits = append(c.launch.Fits, arg)
		t, arg = imp.Idx, &imp.Conv{From: imp.I64, To: imp.Idx, X: arg}
		val = value{typ: imp.Idx, lo: 0, hi: maxSize - 1}
	}
	p := c.k.Fresh(name, t)
	c.k.Params = append(c.k.Params, p)
	c.launch.Args = append(c.launch.Args, arg)
	val.exp = use(p)
	return val
}

// hostParam makes a narrow parameter of an i64 expression of host code.
func (c *code) hostParam(name string, e imp.Exp) imp.Exp {
	if n, ok := intConst(e); ok {
		return idx(n)
	}
	return c.param(name, unknown(e, imp.I64), true).exp
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

// bind gives a scalar variable its value, under its own name when that is
// more than a constant or another variable.
func (c *code) bind(v core.Var, val value) {
	val.exp = c.let(c.l.fun.Base(v), val.typ, val.exp)
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
	return at
}

// mem is the kernel's array for a block of memory that its host knows.
func (c *code) mem(v core.Var) imp.Mem {
	if m, ok := c.mems[v]; ok {
		return m
	}
	if c.host == nil {
		panic(fmt.Sprintf("lower: %s_%d is no block here", c.l.fun.Base(v), v))
	}
	m := c.global(c.l.memName(v), c.l.types[v].Elem, c.host.block(v))
	c.mems[v] = m
	return m
}

// global adds a global array to the kernel.
func (c *code) global(name string, elem prim.Type, block imp.Var) imp.Mem {
	c.k.Mems = append(c.k.Mems, imp.MemDecl{Name: name, Elem: elem})
	c.launch.Blocks = append(c.launch.Blocks, block)
	return imp.Mem(len(c.k.Mems) - 1)
}

// block is the host variable of a block of memory.
func (c *code) block(v core.Var) imp.Var {
	b, ok := c.blocks[v]
	if !ok {
		panic(fmt.Sprintf("lower: block %s_%d is not bound", c.l.fun.Base(v), v))
	}
	return b
}

// load reads an element of a kernel's array into a variable.
func (c *code) load(name string, m imp.Mem, at imp.Exp) value {
	t := imp.Of(c.k.Mems[m].Elem)
	return unknown(c.let(name, t, &imp.Load{Mem: m, Index: at}), t)
}

func (c *code) store(m imp.Mem, at, x imp.Exp) {
	if c.k.Mems[m].Access == imp.Read {
		c.k.Mems[m].Access = imp.Write
	}
	c.emit(&imp.Store{Mem: m, Index: at, Value: x})
}
