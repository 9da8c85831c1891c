package eval

import "skald/middle/imp"

// Note [Results with the last reading]
//
// Where host code reads what kernels computed, it waits for the device, and a run whose results are arrays waits again for these. A
// reading behind which host code only computes is the last wait of the run: no block changes any more. Results that are bound by then,
// and that nothing behind assigns, are told to the Host with it, so that it can read them in the same wait. Lowering reads scalars as
// late as it can, so that a function that returns scalars and arrays ends in such a reading.

// LastReader is a Host that can read results with the last reading of a run. It is told the results of the function that is run, and which
// of them are known. It is Read otherwise.
type LastReader interface {
	ReadLast(places []Place, results []uint64, known []bool) ([]uint64, error)
}

// ending says, while the body of a host function is compiled, what comes behind the statement under way.
type ending struct {
	fun   *fun
	at    int  // the statement of the function's own body
	depth int  // how many bodies it lies in
	quiet bool // the function only computes behind it
}

// within calls compile for the statements from i to end of a body of host code, of which so many at the end are quiet.
func (e *ending) within(body []imp.Stm, i, end, quiet int, compile func()) {
	before := *e
	if e.depth == 0 {
		e.at = i
	}
	e.depth++
	_, counts := body[i].(*imp.For)
	_, loops := body[i].(*imp.While)
	e.quiet = before.quiet && end >= len(body)-quiet && !counts && !loops
	compile()
	*e = before
}

// quietEnd is how many statements at the end of a body do nothing on the device and wait for nothing.
func quietEnd(body []imp.Stm) int {
	n := 0
	for n < len(body) && quiet(body[len(body)-1-n]) {
		n++
	}
	return n
}

// quiet reports whether a statement of host code only computes.
func quiet(s imp.Stm) bool {
	return !imp.Any([]imp.Stm{s}, func(s imp.Stm) bool {
		switch imp.MatchStm(s).(type) {
		case *imp.Let, *imp.Set, *imp.If, *imp.Assert, *imp.Comment, *imp.Free, *imp.GetConst, *imp.GetTune:
			return false
		default:
			return true
		}
	})
}

// known says which results are known at a reading behind which the function only computes; nil if it is no such reading.
func (c *compiler) known() []bool {
	if c.ending == nil || !c.ending.quiet {
		return nil
	}
	f := c.ending.fun.decl
	assigned := map[imp.Var]bool{}
	imp.Walk(f.Body[c.ending.at:], func(s imp.Stm) bool {
		for _, v := range imp.Binds(s) {
			assigned[v] = true
		}
		if set, ok := s.(*imp.Set); ok {
			assigned[set.Var] = true
		}
		return true
	})
	known, any := make([]bool, len(f.Results)), false
	for i, e := range f.Results {
		known[i] = true
		imp.WalkExp(e, func(e imp.Exp) {
			if v, ok := e.(*imp.VarExp); ok && assigned[v.Var] {
				known[i] = false
			}
		})
		any = any || known[i]
	}
	if !any {
		return nil
	}
	return known
}

// read reads elements, with results if it is the last reading of the function that is run.
func (t *thread) read(places []Place, f *fun, known []bool) ([]uint64, error) {
	last, ok := t.host.(LastReader)
	if known == nil || t.calls > 0 || !ok {
		return t.host.Read(places)
	}
	results := make([]uint64, len(known))
	for i, e := range f.results {
		if known[i] {
			results[i] = e(t)
		}
	}
	return last.ReadLast(places, results, known)
}
