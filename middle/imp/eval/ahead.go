package eval

import (
	"slices"
	"time"

	"skald/middle/imp"
)

// Note [Recording ahead]
//
// What a loop may do ahead (Note [Rounds ahead] in package imp) is recorded before its condition is known, in one of two ways:
//
//   - If that is all up to what the round reads at its end, a run records a batch of rounds whose conditions it reads together, and the
//     next batch, with the reading of its conditions, before it waits for them: so a batch is handed to the device as a whole. The loop
//     goes on behind the last round that there is, with the variables as they were then.
//   - If a round reads something on its way, what comes before that is recorded behind the round before, and both are read in one wait.
//
// What is behind the last round was computed in vain, unless the host knows a bound of their number. That must not take longer than
// waiting, so a loop begins with rounds one by one, and goes on with batches, of one round for each three that there were, as long as these
// take no longer than the Host grants.

// Granter is a Host whose device computes while the host waits.
type Granter interface {
	// Grant is how long rounds that are recorded together may take.
	Grant() time.Duration
}

// mostAhead is how many rounds a batch has at most: more save little of the time that waiting takes, and each keeps its arrays.
const mostAhead = 4

// fetched is what was read before its readings come.
type fetched struct {
	places []Place
	words  []uint64
}

// aheadLoop is a loop of host code whose rounds may be recorded ahead.
type aheadLoop struct {
	cond         exp
	round        stm // whole
	first, rest  stm // its parts: see imp.Round
	tail, known  stm
	goes         []exp // what must hold for another round, of what is known before the readings
	reads        []*imp.ReadScalar
	places, next func(*thread) []Place // what reads read, and what rest reads first; nil if there is no rest
	kept, own    []imp.Var             // what rounds must keep, and blocks that are bound in the loop
	isBlock      func(imp.Var) bool
}

// ahead compiles a loop whose rounds may be recorded ahead, given how it runs where they are not.
func (c *compiler) ahead(s *imp.While, plain, round stm) stm {
	r, _ := s.Round()
	l := &aheadLoop{
		cond: c.exp(s.Cond), round: round,
		first: c.hostSeq(r.Ahead), rest: c.hostSeq(r.Rest), tail: c.hostSeq(r.Tail), known: c.hostSeq(r.Known),
		goes: c.exps(r.Goes), reads: r.Reads, places: c.places(r.Reads), kept: r.Kept,
		isBlock: func(v imp.Var) bool { return c.scope.Vars[v].Type == imp.Block },
	}
	imp.Walk(s.Body, func(s imp.Stm) bool {
		for _, v := range imp.Binds(s) {
			if v != 0 && l.isBlock(v) {
				l.own = append(l.own, v)
			}
		}
		return true
	})
	if len(r.Rest) > 0 {
		l.next = c.firstReads(r.Rest)
	}
	return func(t *thread) bool {
		g, ok := t.host.(Granter)
		if !ok || g.Grant() == 0 {
			return plain(t)
		}
		if l.next == nil {
			return l.together(t, g.Grant())
		}
		return l.overlapped(t, g.Grant())
	}
}

// firstReads compiles what a body reads first, perhaps in a branch: nothing, if that is not taken.
func (c *compiler) firstReads(body []imp.Stm) func(*thread) []Place {
	none := func(*thread) []Place { return nil }
	if len(body) == 0 {
		return none
	}
	if s, ok := body[0].(*imp.If); ok {
		cond, yes, no := c.exp(s.Cond), c.firstReads(s.Then), c.firstReads(s.Else)
		return func(t *thread) []Place {
			if cond(t) != 0 {
				return yes(t)
			}
			return no(t)
		}
	}
	if reads, _, _ := imp.ReadRun(body); len(reads) > 0 {
		return c.places(reads)
	}
	return none
}

// together runs a loop of which whole rounds are recorded ahead.
func (l *aheadLoop) together(t *thread, grant time.Duration) bool {
	for quick, done := false, 0; l.cond(t) != 0; {
		if quick {
			var ok bool
			if quick, ok = l.batches(t, grant, &done); !ok {
				return false
			}
			continue
		}
		start := time.Now()
		if !l.round(t) || t.stopped() {
			return false
		}
		quick, done = time.Since(start) <= grant, done+1
	}
	return true
}

// batch is rounds that have been recorded and whose conditions are read together.
type batch struct {
	places []Place
	kept   [][]uint64
	begun  bool // their reading
}

// batches records rounds, and the next ones while it waits for their conditions, until there are no more or they take too long. It reports
// whether the rounds are quick, and whether nothing failed.
func (l *aheadLoop) batches(t *thread, grant time.Duration, done *int) (quick, ok bool) {
	var now, next *batch
	defer func() {
		l.forget(t, now)
		l.forget(t, next)
	}()
	if now = l.record(t, 1); now == nil {
		return false, true // A round that is not ahead says why.
	}
	for quick = true; ; {
		start := time.Now()
		now.begun = now.begun || begin(t, now.places)
		if quick {
			if next = l.record(t, min(*done/3+1, mostAhead)); next != nil && now.begun {
				next.begun = begin(t, next.places)
			}
		}
		words := finish(t, now)
		if t.host.Failure().Failed() {
			return false, false
		}
		for _, regs := range now.kept {
			l.restore(t, regs)
			words = l.arrive(t, words)
			*done++
			if l.cond(t) == 0 {
				l.dropOwn(t)
				return quick, true
			}
		}
		if t.stopped() {
			return false, false
		}
		quick = time.Since(start) <= grant
		if next == nil {
			return quick, true
		}
		l.restore(t, next.kept[len(next.kept)-1])
		l.forget(t, now)
		now, next = next, nil
	}
}

// record records n rounds, or as many as there may be and there is memory for; nil if that is none.
func (l *aheadLoop) record(t *thread, n int) *batch {
	b := &batch{}
	for len(b.kept) < n && l.goesOn(t) && l.tryFirst(t) {
		b.places = append(b.places, retained(t, l.places(t))...)
		l.tail(t)
		b.kept = append(b.kept, l.keep(t))
	}
	if len(b.kept) == 0 {
		return nil
	}
	return b
}

// goesOn reports whether there may be another round, as far as is known before the readings.
func (l *aheadLoop) goesOn(t *thread) bool {
	return !slices.ContainsFunc(l.goes, func(e exp) bool { return e(t) == 0 })
}

// begin begins to read, if the host can.
func begin(t *thread, places []Place) bool {
	r, ok := t.host.(EarlyReader)
	if !ok {
		return false
	}
	begun, err := r.Begin(places)
	must(err)
	return begun
}

// finish returns what is read of a batch.
func finish(t *thread, b *batch) []uint64 {
	if !b.begun {
		words, err := t.host.Read(b.places)
		must(err)
		return words
	}
	b.begun = false
	words, err := t.host.(EarlyReader).Finish()
	must(err)
	return words
}

// overlapped runs a loop of which the start of a round is recorded ahead.
func (l *aheadLoop) overlapped(t *thread, grant time.Duration) bool {
	begun, quick := false, false // the round, and the one before
	for {
		if !begun && l.cond(t) == 0 {
			return true
		}
		start := time.Now()
		if !begun && !quick {
			if !l.round(t) || t.stopped() {
				return false
			}
			quick = time.Since(start) <= grant
			continue
		}
		ok := (begun || l.first(t)) && l.rest(t)
		if !ok || t.stopped() {
			return false
		}
		if begun, ok = l.readAhead(t, quick); !ok {
			return false
		}
		quick = time.Since(start) <= grant
		if begun && l.cond(t) == 0 {
			t.fetched = fetched{}
			l.dropOwn(t)
			return true
		}
	}
}

// readAhead reads what a round reads at its end, with what the next reads first if that shall begin, and can. It reports whether it has
// begun, and whether nothing failed.
func (l *aheadLoop) readAhead(t *thread, begin bool) (begun, ok bool) {
	places := retained(t, l.places(t))
	defer release(t, places)
	l.tail(t)
	var next []Place
	before := l.values(t)
	if begun = begin && l.goesOn(t) && l.tryFirst(t); begun {
		next = l.next(t)
	}
	after := l.values(t) // What is known now depends on what the round has computed, not the next.
	l.set(t, before)
	words, err := t.host.Read(append(slices.Clone(places), next...))
	must(err)
	if t.host.Failure().Failed() {
		return false, false
	}
	words = l.arrive(t, words)
	l.set(t, after)
	t.fetched = fetched{next, slices.Clone(words)}
	return begun, true
}

// tryFirst does what a round does first. If there is no memory for that, it reports so, and nothing has happened.
func (l *aheadLoop) tryFirst(t *thread) (ok bool) {
	defer func() {
		if err := recover(); err != nil {
			if _, is := err.(hostError); !is {
				panic(err)
			}
			l.dropOwn(t)
			ok = false
		}
	}()
	return l.first(t)
}

// arrive sets what a round reads at its end, and what depends on that, and returns the words behind.
func (l *aheadLoop) arrive(t *thread, words []uint64) []uint64 {
	for i, r := range l.reads {
		t.regs[r.Var] = words[i]
	}
	l.known(t)
	return words[len(l.reads):]
}

// values returns the scalars that a round must keep.
func (l *aheadLoop) values(t *thread) []uint64 {
	out := make([]uint64, len(l.kept))
	for i, v := range l.kept {
		out[i] = t.regs[v]
	}
	return out
}

// set sets the scalars that a round must keep.
func (l *aheadLoop) set(t *thread, values []uint64) {
	for i, v := range l.kept {
		if !l.isBlock(v) {
			t.regs[v] = values[i]
		}
	}
}

// keep returns the variables that a round must keep.
func (l *aheadLoop) keep(t *thread) []uint64 {
	out := l.values(t)
	for i, v := range l.kept {
		if l.isBlock(v) && out[i] != 0 {
			t.host.Retain(out[i])
		}
	}
	return out
}

// restore sets the variables that a round has kept.
func (l *aheadLoop) restore(t *thread, kept []uint64) {
	l.set(t, kept)
	for i, v := range l.kept {
		if !l.isBlock(v) {
			continue
		}
		if kept[i] != 0 {
			t.host.Retain(kept[i])
		}
		t.hold(v, kept[i])
	}
}

// forget releases what rounds have kept.
func (l *aheadLoop) forget(t *thread, b *batch) {
	if b == nil {
		return
	}
	if b.begun {
		t.host.(EarlyReader).Drop()
	}
	release(t, b.places)
	for _, kept := range b.kept {
		for i, w := range kept {
			if l.isBlock(l.kept[i]) && w != 0 {
				t.host.Release(w)
			}
		}
	}
}

// dropOwn drops the blocks that variables of the loop's body hold.
func (l *aheadLoop) dropOwn(t *thread) {
	for _, v := range l.own {
		t.drop(v)
	}
}

// retained retains the blocks of places.
func retained(t *thread, places []Place) []Place {
	for _, p := range places {
		t.host.Retain(p.Block)
	}
	return places
}

// release releases the blocks of places.
func release(t *thread, places []Place) {
	for _, p := range places {
		t.host.Release(p.Block)
	}
}
