package eval

import "skald/middle/imp"

// deviceFunction is a compiled device function. Its number says which of a block's frames it works in: one whose lanes are the block's.
type deviceFunction struct {
	number  int
	frame   frame
	params  []int // their registers
	body    code
	results []exp
	// prepare computes what values, the results of the active lanes, need.
	prepare vec
	values  []operand
}

// deviceFunction compiles the code of a device function.
func (c *compiler) deviceFunction(number int) *deviceFunction {
	r := &deviceFunction{number: number, body: c.seq(c.unit.body), results: c.exps(c.unit.results)}
	for _, v := range c.unit.params {
		r.params = append(r.params, c.reg(v))
	}
	if c.lockstep() {
		c.out = nil
		for _, e := range c.unit.results {
			r.values = append(r.values, c.value(e, 0))
		}
		r.prepare = allLanes(c.out)
	}
	r.frame = c.frame()
	return r
}

// invoke calls a device function for one thread.
func (c *compiler) invoke(s *imp.Invoke) stm {
	r, args, dst := c.deviceFunctions[s.DeviceFunction], c.exps(s.Args), c.registersOf(s.Dst)
	return func(t *thread) bool {
		f := t.frames[r.number]
		f.pick(t.lane)
		for i, a := range args {
			f.regs[r.params[i]] = a(t)
		}
		if !r.body.one(&f.thread) {
			return false
		}
		for i, e := range r.results {
			t.regs[dst[i]] = e(&f.thread)
		}
		return true
	}
}

// invokeLanes calls a device function for the active lanes.
func (c *compiler) invokeLanes(s *imp.Invoke) {
	r, dst := c.deviceFunctions[s.DeviceFunction], c.registersOf(s.Dst)
	args := make([]operand, len(s.Args))
	for i, a := range s.Args {
		args[i] = c.value(a, 0)
	}
	c.out = append(c.out, func(b *block) bool {
		f := b.frames[r.number]
		f.start(b.id-int64(b.lane), b.lanes)
		f.active, f.rooms = b.active, f.rooms[:0]
		for i := range args {
			assignWords(f.words(r.params[i]), args[i].words(b, &b.x))
		}
		if r.body.all(f); f.fails > 0 {
			b.each(func(l int) {
				if f.ended[l] {
					b.end(l)
				}
			})
			if !b.bury() {
				return false
			}
		}
		f.active = b.active
		r.prepare(f)
		for i := range r.values {
			assignWords(b.words(dst[i]), r.values[i].words(f, &f.x))
		}
		return true
	})
}

// assignWords makes dst hold src, or its only word.
func assignWords(dst, src []uint64) {
	if len(src) < len(dst) {
		fill(dst, src[0])
		return
	}
	copy(dst, src)
}

func (c *compiler) registersOf(vs []imp.Var) []int {
	out := make([]int, len(vs))
	for i, v := range vs {
		out[i] = c.reg(v)
	}
	return out
}
