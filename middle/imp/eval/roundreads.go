package eval

import (
	"slices"

	"skald/middle/imp"
)

// Note [Reading for several rounds]
//
// What counting loops read in each round, and no round changes (Note [Readings of several rounds] in package imp), a run reads for the
// rounds to come, too, as far as the blocks have the elements: a check or a branch may see to it that a round does not read behind them.
// Then these rounds wait for nothing. A failure of a kernel is noticed when something is read from the device again.

// Sizer is a Host that can tell which elements blocks have.
type Sizer interface {
	Has(p Place) bool
}

// mostTogether is how many elements are read for several rounds together: devices copy each by itself.
const mostTogether = 64

// roundReads is a loop that reads for several rounds.
type roundReads struct {
	reads   map[*imp.ReadScalar]bool
	counter imp.Var
	slots   []int // of the windows of its readings
}

// window is what was read for the rounds of a loop to come.
type window struct {
	end    int64 // of the counter
	places []Place
	words  []uint64
}

// roundReads is what a loop reads for several rounds; nil if that is nothing.
func (c *compiler) roundReads(s *imp.For) *roundReads {
	reads := s.RoundReads(c.blockClasses())
	if len(reads) == 0 {
		return nil
	}
	return &roundReads{reads: reads, counter: s.Var}
}

// forRounds reports whether readings that follow one another are all done for several rounds of the loop at hand.
func (c *compiler) forRounds(reads []*imp.ReadScalar) bool {
	return c.rounds != nil && !slices.ContainsFunc(reads, func(r *imp.ReadScalar) bool { return !c.rounds.reads[r] })
}

// readForRounds compiles readings of a round of a loop.
func (c *compiler) readForRounds(ss []*imp.ReadScalar) stm {
	places, counter, slot := c.places(ss), c.rounds.counter, c.ending.fun.windows
	c.rounds.slots = append(c.rounds.slots, slot)
	c.ending.fun.windows++
	return func(t *thread) bool {
		w, now := &t.windows[slot], places(t)
		t.fetched = fetched{}
		if len(w.places) == 0 || !slices.Equal(w.places[:len(ss)], now) {
			w.places, w.words = t.ahead(counter, w.end, now, places), nil
			words, err := t.host.Read(w.places)
			must(err)
			w.words = slices.Clone(words)
		}
		for i, s := range ss {
			t.regs[s.Var] = w.words[i]
		}
		w.places, w.words = w.places[len(ss):], w.words[len(ss):]
		return !t.host.Failure().Failed()
	}
}

// ahead are the places that are read in this round of a loop and in those that follow, if there is no doubt that they are there.
func (t *thread) ahead(counter imp.Var, end int64, now []Place, places func(*thread) []Place) []Place {
	host, ok := t.host.(Sizer)
	if !ok {
		return now
	}
	round := t.regs[counter]
	defer func() { t.regs[counter] = round }()
	for len(now) < mostTogether && int64(t.regs[counter])+1 < end {
		t.regs[counter]++
		next := places(t)
		if slices.ContainsFunc(next, func(p Place) bool { return !host.Has(p) }) {
			break
		}
		now = append(now, next...)
	}
	return now
}

// countForRounds is a loop that reads for several rounds, whose body is given.
func (c *compiler) countForRounds(s *imp.For, l *roundReads, body stm) stm {
	bound, run := c.exp(s.Bound), c.count(s, body)
	return func(t *thread) bool {
		for _, slot := range l.slots {
			t.windows[slot] = window{end: int64(bound(t))}
		}
		return run(t)
	}
}
