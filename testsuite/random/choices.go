package random

import "math/rand/v2"

// choices is the sequence of decisions that make a program. Decisions come from a recorded sequence as long as it lasts, then from a
// random generator, and without one they are 0. The generator of programs takes the simplest form at 0, so that a sequence that
// is cut short makes a smaller program: see Case.Shrink.
type choices struct {
	replay []uint32
	rng    *rand.Rand
	taken  []uint32
	spans  []span
}

// span is the part of the sequence that made one expression.
type span struct {
	from, to int
	// typ is the type of the expression. A part may be replaced by any other that made an expression of this type.
	typ string
}

// IntN makes a decision between n alternatives.
func (c *choices) IntN(n int) int {
	v := uint32(0)
	switch at := len(c.taken); {
	case at < len(c.replay):
		v = c.replay[at] % uint32(n)
	case c.rng != nil:
		v = c.rng.Uint32N(uint32(n))
	}
	c.taken = append(c.taken, v)
	return int(v)
}

// oneIn is true for one of n alternatives, and never at the simplest decision.
func (c *choices) oneIn(n int) bool { return c.IntN(n) == n-1 }

// begin starts a span, which the function that it returns ends.
func (c *choices) begin(typ string) (end func()) {
	i := len(c.spans)
	c.spans = append(c.spans, span{from: len(c.taken), typ: typ})
	return func() { c.spans[i].to = len(c.taken) }
}

func pick[T any](c *choices, xs ...T) T { return xs[c.IntN(len(xs))] }
