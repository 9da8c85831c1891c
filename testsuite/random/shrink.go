package random

import (
	"cmp"
	"slices"
)

// Shrink looks for a small case that still fails. It replaces the decisions that made one expression by the simplest one, or by those
// that made an expression of the same type within it, as long as the case that comes of that fails, too. tries bounds how
// often fails is asked.
func (c *Case) Shrink(tries int, fails func(*Case) bool) *Case {
	for {
		smaller := c.smaller(&tries, fails)
		if smaller == nil {
			return c
		}
		c = smaller
	}
}

// smaller is a case with a shorter text that fails, or nil if none is found.
func (c *Case) smaller(tries *int, fails func(*Case) bool) *Case {
	for _, decisions := range c.candidates() {
		if *tries == 0 {
			return nil
		}
		d := generate(c.Seed, &choices{replay: decisions})
		if !d.simplerThan(c) {
			continue
		}
		*tries--
		if fails(d) {
			return d
		}
	}
	return nil
}

// simplerThan compares texts first and arguments then.
func (c *Case) simplerThan(d *Case) bool {
	return cmp.Or(cmp.Compare(len(c.Text), len(d.Text)), cmp.Compare(c.argumentBytes(), d.argumentBytes())) < 0
}

func (c *Case) argumentBytes() (n int) {
	for _, a := range c.Args {
		n += len(a.Bytes())
	}
	return n
}

// candidates are sequences of decisions that may make smaller cases, those that leave out most first.
func (c *Case) candidates() [][]uint32 {
	type cut struct{ from, to, keepFrom, keepTo int }
	var cuts []cut
	for i, s := range c.spans {
		cuts = append(cuts, cut{from: s.from, to: s.to})
		for _, inner := range c.spans[i+1:] {
			if inner.from >= s.to {
				break
			}
			if inner.typ == s.typ {
				cuts = append(cuts, cut{s.from, s.to, inner.from, inner.to})
			}
		}
	}
	slices.SortStableFunc(cuts, func(a, b cut) int {
		return cmp.Compare(b.to-b.from-(b.keepTo-b.keepFrom), a.to-a.from-(a.keepTo-a.keepFrom))
	})
	var out [][]uint32
	for _, k := range cuts {
		kept := c.taken[k.keepFrom:k.keepTo]
		if k.keepTo == 0 {
			kept = []uint32{0}
		}
		out = append(out, slices.Concat(c.taken[:k.from], kept, c.taken[k.to:]))
	}
	// Decisions one by one: sizes, types, helpers, and which variable it is.
	for i, d := range c.taken {
		if d > 0 {
			simpler := slices.Clone(c.taken)
			simpler[i] = 0
			out = append(out, simpler)
		}
	}
	return out
}
