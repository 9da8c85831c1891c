package eval

import (
	"skald/middle/imp"
	"skald/runtime/prim"
)

// splitter returns the active lanes for which a condition holds, and the others.
type splitter func(b *block) (yes, no active)

// condition compiles a condition.
func (c *compiler) condition(e imp.Exp) splitter {
	if c.classes.uniform(e) {
		f := c.exp(e)
		return func(b *block) (yes, no active) {
			if f(&b.thread) != 0 {
				return b.active, active{}
			}
			return active{}, b.active
		}
	}
	out, level := c.out, c.level
	c.out = nil
	cond := c.value(e, 0)
	run := allLanes(c.out)
	c.out, c.level = out, level
	split := func(b *block) (yes, no active) {
		run(b)
		return b.split(b.words(cond.register))
	}
	if cmp, ok := e.(*imp.Cmp); ok && cmp.Type == imp.Idx {
		return c.ranges(cmp, split)
	}
	return split
}

// ranges splits the active lanes at one of them where numbers that follow one another are compared with one number. If not
// all lanes from the first to the last are active, otherwise does it.
func (c *compiler) ranges(e *imp.Cmp, otherwise splitter) splitter {
	op, x, y := e.Op, e.X, e.Y
	if c.classes.consecutive(y) {
		op, x, y = op.Swap(), y, x
	}
	if !c.classes.consecutive(x) || !c.classes.uniform(y) || op == prim.Eq || op == prim.Ne {
		return otherwise
	}
	first, bound := c.exp(x), c.exp(y)
	// The lanes below the bound, or the bound and one, come first.
	past, below := int64(0), op == prim.Lt || op == prim.Le
	if op == prim.Le || op == prim.Gt {
		past = 1
	}
	return func(b *block) (yes, no active) {
		a := b.active
		if a.list != nil {
			return otherwise(b)
		}
		b.pick(a.lo)
		n := int64(bound(&b.thread)) - int64(first(&b.thread)) + past
		at := a.lo + int(max(0, min(n, int64(a.hi-a.lo))))
		yes, no = active{lo: a.lo, hi: at}, active{lo: at, hi: a.hi}
		if !below {
			yes, no = no, yes
		}
		return yes, no
	}
}
