package eval

import (
	"fmt"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// exp compiles an expression.
func (c *compiler) exp(e imp.Exp) exp {
	switch e := e.(type) {
	case *imp.Const:
		w := e.Value.Word()
		return func(*thread) uint64 { return w }
	case *imp.VarExp:
		if c.agreed(e.Var) {
			v := e.Var
			return func(t *thread) uint64 { return t.same[v] }
		}
		r := c.reg(e.Var)
		return func(t *thread) uint64 { return t.regs[r] }
	case *imp.Un:
		f, ok := prim.UnWord(e.Op, e.Type.Prim())
		c.defined(ok, e.Op, e.Type)
		x := c.exp(e.X)
		return func(t *thread) uint64 { return f(x(t)) }
	case *imp.Bin:
		return c.bin(e)
	case *imp.Cmp:
		return c.watched(e)
	case *imp.Conv:
		return c.conv(e)
	case *imp.CallFunc:
		return c.call(e)
	case *imp.Select:
		cond, then, other := c.exp(e.Cond), c.exp(e.Then), c.exp(e.Else)
		return func(t *thread) uint64 {
			if cond(t) != 0 {
				return then(t)
			}
			return other(t)
		}
	case *imp.Load:
		a := c.array(e.Mem)
		if e.Maybe {
			return c.watchExp(a, loadMaybe(a, c.exp(e.Index)))
		}
		return c.watchExp(a, load(a, c.tracked(a, reads, c.exp(e.Index))))
	case *imp.Id:
		return c.id(e.Kind)
	}
	panic(fmt.Sprintf("eval: unknown expression %T", e))
}

func (c *compiler) defined(ok bool, op fmt.Stringer, t imp.Type) {
	if !ok {
		panic(fmt.Sprintf("eval: %s uses %s at %s", c.name, op, t))
	}
}

// operands are two compiled operands, and what they are when they are plain: registers, a constant on the right, a product of two
// registers on the left.
type operands struct {
	x, y    exp
	xv, yv  int // 0 if it is no register
	yc      uint64
	vv, vc  bool // both are registers; a register and a constant
	a, b    int
	product bool
}

func (c *compiler) operands(x, y imp.Exp) operands {
	o := operands{x: c.exp(x), y: c.exp(y)}
	o.xv, o.yv = c.plain(x), c.plain(y)
	if x, ok := x.(*imp.Bin); ok && x.Op == prim.Mul && x.Type.Prim() == prim.I64 {
		o.a, o.b = c.plain(x.X), c.plain(x.Y)
		o.product = o.a != 0 && o.b != 0
	}
	o.vv = o.xv != 0 && o.yv != 0
	if y, ok := y.(*imp.Const); ok {
		o.yc, o.vc = y.Value.Word(), o.xv != 0
	}
	return o
}

// plain is the register that e reads, or 0.
func (c *compiler) plain(e imp.Exp) int {
	if v, ok := e.(*imp.VarExp); ok && !c.agreed(v.Var) {
		return c.reg(v.Var)
	}
	return 0
}

func (c *compiler) bin(e *imp.Bin) exp {
	o := c.operands(e.X, e.Y)
	x, y := o.x, o.y
	switch e.Op {
	case prim.LogAnd:
		return func(t *thread) uint64 {
			if x(t) == 0 {
				return 0
			}
			return y(t)
		}
	case prim.LogOr:
		return func(t *thread) uint64 {
			if x(t) != 0 {
				return 1
			}
			return y(t)
		}
	default:
	}
	switch e.Type.Prim() {
	case prim.I64, prim.U64:
		if f := o.arith64(e.Op); f != nil {
			return f
		}
	case prim.I32:
		if f := o.arith32(e.Op); f != nil {
			return f
		}
	case prim.F32:
		if f := o.arithF32(e.Op); f != nil {
			return f
		}
	case prim.F64:
		if f := o.arithF64(e.Op); f != nil {
			return f
		}
	default:
	}
	f, ok := prim.BinWord(e.Op, e.Type.Prim())
	c.defined(ok, e.Op, e.Type)
	return func(t *thread) uint64 { return f(x(t), y(t)) }
}

// watched compiles a comparison of host code. One of a tuning parameter with a number is told to a Watcher, unless it asks whether they
// are equal: whether the parameter is set.
func (c *compiler) watched(e *imp.Cmp) exp {
	if e.Op == prim.Eq || e.Op == prim.Ne {
		return c.cmp(e)
	}
	for _, side := range [][2]imp.Exp{{e.X, e.Y}, {e.Y, e.X}} {
		v, ok := side[0].(*imp.VarExp)
		tune, isTune := 0, false
		if ok {
			tune, isTune = c.tunes[v.Var]
		}
		if !isTune {
			continue
		}
		compare, other := c.cmp(e), c.exp(side[1])
		return func(t *thread) uint64 {
			if w, ok := t.host.(Watcher); ok {
				w.Compared(tune, int64(other(t)))
			}
			return compare(t)
		}
	}
	return c.cmp(e)
}

func (c *compiler) cmp(e *imp.Cmp) exp {
	o := c.operands(e.X, e.Y)
	x, y, xv, yv := o.x, o.y, o.xv, o.yv
	p := e.Type.Prim()
	if p.IsSigned() {
		switch {
		case e.Op == prim.Lt && o.vv:
			return func(t *thread) uint64 { return word(int64(t.regs[xv]) < int64(t.regs[yv])) }
		case e.Op == prim.Lt:
			return func(t *thread) uint64 { return word(int64(x(t)) < int64(y(t))) }
		case e.Op == prim.Le:
			return func(t *thread) uint64 { return word(int64(x(t)) <= int64(y(t))) }
		}
	}
	if p.IsInt() {
		switch e.Op {
		case prim.Eq:
			return func(t *thread) uint64 { return word(x(t) == y(t)) }
		case prim.Ne:
			return func(t *thread) uint64 { return word(x(t) != y(t)) }
		default:
		}
	}
	f := prim.CmpWord(e.Op, p)
	return func(t *thread) uint64 { return word(f(x(t), y(t))) }
}

func word(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (c *compiler) conv(e *imp.Conv) exp {
	x := c.exp(e.X)
	from, to := e.From.Prim(), e.To.Prim()
	if from == to {
		return x
	}
	f := prim.ConvertWord(from, to)
	return func(t *thread) uint64 { return f(x(t)) }
}

func (c *compiler) call(e *imp.CallFunc) exp {
	args := c.exps(e.Args)
	switch len(args) {
	case 1:
		f, ok := prim.FuncWord1(e.Func, e.Type)
		c.defined(ok, e.Func, imp.Of(e.Type))
		return func(t *thread) uint64 { return f(args[0](t)) }
	case 2:
		f, ok := prim.FuncWord2(e.Func, e.Type)
		c.defined(ok, e.Func, imp.Of(e.Type))
		return func(t *thread) uint64 { return f(args[0](t), args[1](t)) }
	}
	f, ok := prim.FuncWord3(e.Func, e.Type)
	c.defined(ok, e.Func, imp.Of(e.Type))
	return func(t *thread) uint64 { return f(args[0](t), args[1](t), args[2](t)) }
}

func (c *compiler) id(k imp.IdKind) exp {
	size := c.groupSize
	switch k {
	case imp.ThreadID:
		return func(t *thread) uint64 { return uint64(t.id) }
	case imp.LocalID:
		if size&(size-1) == 0 {
			return func(t *thread) uint64 { return uint64(t.id & (size - 1)) }
		}
		return func(t *thread) uint64 { return uint64(t.id % size) }
	case imp.GroupID:
		return func(t *thread) uint64 { return uint64(t.id / size) }
	case imp.GroupSize:
		return func(*thread) uint64 { return uint64(size) }
	case imp.NumGroups:
		return func(t *thread) uint64 { return uint64(t.group.count) }
	case imp.Lane:
		return func(t *thread) uint64 { return uint64(t.id % size % t.group.subgroup) }
	case imp.SubgroupID:
		return func(t *thread) uint64 { return uint64(t.id % size / t.group.subgroup) }
	default:
	}
	return func(t *thread) uint64 { return uint64(t.group.subgroup) }
}

// subgroupCombine is the function that a subgroup operation folds with.
func subgroupCombine(op imp.SubgroupOp, t imp.Type) func(x, y uint64) uint64 {
	bin, combines := op.Operator(t.Prim())
	f, ok := prim.BinWord(bin, t.Prim())
	if !combines || !ok {
		panic(fmt.Sprintf("eval: subgroup %s at %s", op, t))
	}
	return f
}
