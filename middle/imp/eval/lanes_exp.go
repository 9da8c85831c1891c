package eval

import (
	"fmt"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Lockstep]
//
// A kernel runs for a block of threads at a time, its lanes: a statement for all of them, then the next one. So what it
// costs to find out what to do is paid once for a block, and the work itself is a loop over words (see prim's
// Note [Operators on many operands]). A block is part of a workgroup; a kernel in which no thread can tell which workgroup it
// is in, since it shares nothing with others, may have blocks that span several.
//
// Only the active lanes run. A condition that they do not agree on splits them: first those for which it holds run, then
// the others; a loop goes on for those that have not left it. Expressions have no effects and are defined for all
// operands, so they may be computed for lanes in between that are not active; loads and stores are done for active lanes
// only. What all active lanes agree on (classes) is computed once, by a closure.
//
// Each statement is compiled twice: to code for the active lanes, and to closures for one thread. The second runs where
// the first would not pay, since few lanes are active, and what has no form for lanes: atomic updates, vectors,
// expressions whose operands must not be loaded unless a condition holds. Launches of few threads run closures only.

// operand is the value of an expression: a register, or what a closure computes for all lanes.
type operand struct {
	same     exp
	register int
}

// words returns a word for each lane from the first active one to the last, or one for all of them, in buf.
func (o *operand) words(b *block, buf *[1]uint64) []uint64 {
	if o.same != nil {
		buf[0] = o.same(&b.thread)
		return buf[:]
	}
	return b.words(o.register)
}

func (c *compiler) emit(f func(b *block)) {
	c.out = append(c.out, func(b *block) bool {
		f(b)
		return true
	})
}

// temporary is a register that is free until the statement ends, or c.level is lowered.
func (c *compiler) temporary() int {
	c.level++
	c.levels = max(c.levels, c.level)
	return (c.regs.count + c.level - 1) * c.width
}

// value compiles e for the active lanes. If into is not 0, and e is no variable, it is the register for the result.
func (c *compiler) value(e imp.Exp, into int) operand {
	if c.classes.uniform(e) {
		return operand{same: c.exp(e)}
	}
	if v, ok := e.(*imp.VarExp); ok {
		return operand{register: c.reg(v.Var)}
	}
	level := c.level
	run := c.operation(e)
	c.level = level
	if into == 0 {
		into = c.temporary()
	}
	c.emit(func(b *block) { run(b, b.words(into)) })
	return operand{register: into}
}

// operation computes an expression into dst, from operands that are computed before.
type operation func(b *block, dst []uint64)

func (c *compiler) operation(e imp.Exp) operation {
	if c.classes.consecutive(e) {
		first := c.exp(e)
		return func(b *block, dst []uint64) {
			b.pick(b.active.lo)
			w := first(&b.thread)
			for i := range dst {
				dst[i] = w + uint64(i)
			}
		}
	}
	switch e := e.(type) {
	case *imp.Un:
		_, ok := prim.UnWord(e.Op, e.Type.Prim())
		c.defined(ok, e.Op, e.Type)
		return unaryOperation(prim.UnLanes(e.Op, e.Type.Prim()), c.value(e.X, 0))
	case *imp.Bin:
		_, ok := prim.BinWord(e.Op, e.Type.Prim())
		c.defined(ok, e.Op, e.Type)
		if (e.Op == prim.LogAnd || e.Op == prim.LogOr) && loads(e.Y) {
			return c.oneByOne(e)
		}
		return binaryOperation(prim.BinLanes(e.Op, e.Type.Prim()), c.value(e.X, 0), c.value(e.Y, 0))
	case *imp.Cmp:
		return binaryOperation(prim.CmpLanes(e.Op, e.Type.Prim()), c.value(e.X, 0), c.value(e.Y, 0))
	case *imp.Conv:
		return unaryOperation(prim.ConvertLanes(e.From.Prim(), e.To.Prim()), c.value(e.X, 0))
	case *imp.CallFunc:
		return c.callLanes(e)
	case *imp.Select:
		if loads(e.Then) || loads(e.Else) {
			return c.oneByOne(e)
		}
		cond, then, other := c.value(e.Cond, 0), c.value(e.Then, 0), c.value(e.Else, 0)
		return func(b *block, dst []uint64) {
			prim.SelectLanes(dst, cond.words(b, &b.x), then.words(b, &b.y), other.words(b, &b.z))
		}
	case *imp.Load:
		if e.Maybe {
			return c.oneByOne(e)
		}
		return c.loadLanes(e)
	case *imp.Id:
		return c.oneByOne(e)
	case *imp.Const, *imp.VarExp:
	}
	panic(fmt.Sprintf("eval: %T is no operation", e))
}

func unaryOperation(f func(dst, x []uint64), x operand) operation {
	return func(b *block, dst []uint64) { f(dst, x.words(b, &b.x)) }
}

func binaryOperation(f func(dst, x, y []uint64), x, y operand) operation {
	return func(b *block, dst []uint64) { f(dst, x.words(b, &b.x), y.words(b, &b.y)) }
}

func loads(e imp.Exp) bool {
	found := false
	imp.WalkExp(e, func(e imp.Exp) {
		_, ok := e.(*imp.Load)
		found = found || ok
	})
	return found
}

// oneByOne computes an expression by a closure for each active lane.
func (c *compiler) oneByOne(e imp.Exp) operation {
	f := c.exp(e)
	return func(b *block, dst []uint64) {
		lo := b.active.lo
		b.each(func(l int) {
			b.pick(l)
			dst[l-lo] = f(&b.thread)
		})
	}
}

// callLanes calls a function for the active lanes only: it costs more than a call does.
func (c *compiler) callLanes(e *imp.CallFunc) operation {
	args := make([]operand, len(e.Args))
	for i, a := range e.Args {
		args[i] = c.value(a, 0)
	}
	switch len(args) {
	case 1:
		f, ok := prim.FuncWord1(e.Func, e.Type)
		c.defined(ok, e.Func, imp.Of(e.Type))
		return func(b *block, dst []uint64) {
			x := args[0].words(b, &b.x)
			sx, lo := step(x), b.active.lo
			b.each(func(l int) { dst[l-lo] = f(x[(l-lo)*sx]) })
		}
	case 2:
		f, ok := prim.FuncWord2(e.Func, e.Type)
		c.defined(ok, e.Func, imp.Of(e.Type))
		return func(b *block, dst []uint64) {
			x, y := args[0].words(b, &b.x), args[1].words(b, &b.y)
			sx, sy, lo := step(x), step(y), b.active.lo
			b.each(func(l int) { dst[l-lo] = f(x[(l-lo)*sx], y[(l-lo)*sy]) })
		}
	}
	f, ok := prim.FuncWord3(e.Func, e.Type)
	c.defined(ok, e.Func, imp.Of(e.Type))
	return func(b *block, dst []uint64) {
		x, y, z := args[0].words(b, &b.x), args[1].words(b, &b.y), args[2].words(b, &b.z)
		sx, sy, sz, lo := step(x), step(y), step(z), b.active.lo
		b.each(func(l int) { dst[l-lo] = f(x[(l-lo)*sx], y[(l-lo)*sy], z[(l-lo)*sz]) })
	}
}

// step is how far apart the words of two lanes are.
func step(words []uint64) int { return min(len(words)-1, 1) }
