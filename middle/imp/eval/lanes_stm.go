package eval

import (
	"math"

	"skald/middle/imp"
)

// inLanes compiles a statement without bodies for the active lanes; one runs it for one thread.
func (c *compiler) inLanes(s imp.Stm, one stm) vec {
	out, level := c.out, c.level
	c.out = nil
	switch s := imp.MatchStm(s).(type) {
	case *imp.Let:
		c.assign(s.Var, s.Exp, inAllLanes)
	case *imp.Set:
		c.assign(s.Var, s.Exp, c.classes.atHome(s.Var))
	case *imp.Store:
		c.storeLanes(s)
	case *imp.Assert:
		c.assertLanes(s, one)
	case *imp.Invoke:
		c.invokeLanes(s)
	case *imp.Atomic:
		c.atomicLanes(s)
	default:
		c.out = append(c.out, func(b *block) bool { return b.oneByOne(one) })
	}
	code := c.out
	c.out, c.level = out, level
	return allLanes(code)
}

// allLanes runs code one after the other.
func allLanes(code []vec) vec {
	switch len(code) {
	case 0:
		return func(*block) bool { return true }
	case 1:
		return code[0]
	case 2:
		f, g := code[0], code[1]
		return func(b *block) bool { return f(b) && g(b) }
	}
	return func(b *block) bool {
		for _, f := range code {
			if !f(b) {
				return false
			}
		}
		return true
	}
}

// An argument of assign.
const inAllLanes = true

// assign sets a variable to a value. Where whole says so, no lane that is not active needs what the variable held before.
func (c *compiler) assign(v imp.Var, e imp.Exp, whole bool) {
	if c.agreed(v) {
		f := c.exp(e)
		c.emit(func(b *block) { b.same[v] = f(&b.thread) })
		return
	}
	to, into := c.reg(v), 0
	if whole {
		into = to
	}
	x := c.value(e, into)
	switch {
	case x.same != nil:
		c.emit(func(b *block) {
			w := x.same(&b.thread)
			if whole || b.active.list == nil {
				fill(b.words(to), w)
				return
			}
			for _, l := range b.active.list {
				b.file[to+int(l)] = w
			}
		})
	case x.register != to:
		c.emit(func(b *block) {
			if whole || b.active.list == nil {
				copy(b.words(to), b.words(x.register))
				return
			}
			for _, l := range b.active.list {
				b.file[to+int(l)] = b.file[x.register+int(l)]
			}
		})
	}
}

// assertLanes runs an assertion for the active lanes for which its condition does not hold.
func (c *compiler) assertLanes(s *imp.Assert, one stm) {
	cond := c.value(s.Cond, 0)
	c.out = append(c.out, func(b *block) bool {
		words, lo, fails := cond.words(b, &b.x), b.active.lo, b.fails
		sx := step(words)
		if b.active.list == nil {
			failed := uint64(0)
			for _, w := range words {
				failed |= w ^ 1
			}
			if failed == 0 {
				return true
			}
		}
		b.each(func(l int) {
			if words[(l-lo)*sx] == 0 {
				b.run(one, l)
			}
		})
		return b.fails == fails || b.bury()
	})
}

// ifLanes is an If. Where all lanes agree, they stay as they are.
func (c *compiler) ifLanes(s *imp.If, then, other code) vec {
	cond := c.condition(s.Cond)
	if c.classes.uniform(s.Cond) {
		return func(b *block) bool {
			if yes, _ := cond(b); yes.count() > 0 {
				return then.all(b)
			}
			return other.all(b)
		}
	}
	return func(b *block) bool {
		return b.inside(func() {
			yes, no := cond(b)
			b.enter(yes, then)
			b.enter(no, other)
		})
	}
}

// whileLanes is a While, which one runs to its end for one thread.
func (c *compiler) whileLanes(s *imp.While, one stm, body code) vec {
	cond := c.condition(s.Cond)
	if c.classes.uniform(s.Cond) {
		return func(b *block) bool {
			for {
				if yes, _ := cond(b); yes.count() == 0 {
					return true
				}
				if !body.all(b) || b.stopped() {
					return false
				}
			}
		}
	}
	return func(b *block) bool {
		return b.inside(func() {
			for rooms := len(b.rooms); ; b.settle(rooms) {
				b.active, _ = cond(b)
				switch {
				case b.active.count() == 0:
					return
				case b.active.few():
					b.oneByOne(one)
					return
				case !body.all(b) || b.stopped():
					return
				}
			}
		})
	}
}

// counter sets the variable of a For.
func (c *compiler) counter(v imp.Var) func(b *block, i uint64) {
	if c.agreed(v) {
		return func(b *block, i uint64) { b.same[v] = i }
	}
	r := c.reg(v)
	return func(b *block, i uint64) { fill(b.words(r), i) }
}

func fill(words []uint64, w uint64) {
	for i := range words {
		words[i] = w
	}
}

// forLanes is a For whose lanes agree on the bound.
func (c *compiler) forLanes(s *imp.For, body code) vec {
	bound, set := c.exp(s.Bound), c.counter(s.Var)
	return func(b *block) bool {
		n := int64(bound(&b.thread))
		for i := int64(0); i < n; i++ {
			set(b, uint64(i))
			if !body.all(b) || b.stopped() {
				return false
			}
		}
		return true
	}
}

// bounds computes the lanes' bounds of a For into a register, of which the second result is the number.
func (c *compiler) bounds(s *imp.For) (run vec, register int) {
	out := c.out
	c.out, register = nil, c.temporary()
	if x := c.value(s.Bound, register); x.register != register {
		c.emit(func(b *block) { copy(b.words(register), b.words(x.register)) })
	}
	c.level = (register / c.width) - c.regs.count + 1
	run, c.out = allLanes(c.out), out
	return run, register
}

// forBounds is a For whose lanes have bounds of their own: each leaves the loop when the count reaches its bound.
func (c *compiler) forBounds(s *imp.For, run vec, bounds int, body code) vec {
	set, flags := c.counter(s.Var), c.temporary()
	rest := c.rest(s, bounds, body.one)
	return func(b *block) bool {
		return b.inside(func() {
			run(b)
			least := int64(0) // No active lane has a bound below it
			for i, rooms := int64(0), len(b.rooms); ; i++ {
				if i >= least {
					b.active, _ = b.split(exceeds(b.words(flags), b.words(bounds), i))
					if b.active.count() == 0 {
						return
					}
					if b.active.few() {
						b.oneByOne(rest(i))
						return
					}
					least = math.MaxInt64
					b.each(func(l int) { least = min(least, int64(b.file[bounds+l])) })
				}
				set(b, uint64(i))
				if !body.all(b) || b.stopped() {
					return
				}
				b.settle(rooms)
			}
		})
	}
}

// exceeds sets the words of dst whose bound is greater than i.
func exceeds(dst, bounds []uint64, i int64) []uint64 {
	for l, n := range bounds {
		dst[l] = word(int64(n) > i)
	}
	return dst
}

// rest runs what is left of a For, from i on, for one thread.
func (c *compiler) rest(s *imp.For, bounds int, body stm) func(i int64) stm {
	v, r := s.Var, c.reg(s.Var)
	agreed := c.agreed(v)
	return func(i int64) stm {
		return func(t *thread) bool {
			for j := i; j < int64(t.regs[bounds]); j++ {
				if agreed {
					t.same[v] = uint64(j)
				} else {
					t.regs[r] = uint64(j)
				}
				if !body(t) || t.stopped() {
					return false
				}
			}
			return true
		}
	}
}
