package simplify

import (
	"slices"

	"skald/middle/core"
)

// Note [Parts of a body]
//
// A body that does several things side by side, as that of maps which were joined (Note [One function of several arrays] in middle/fuse),
// has parts: results that need no result of a parallel statement, or of a loop with one, in common. A part is the body without what only
// the others need. Numbers that several need are computed in each, and so are the checks that it relies on. A body has no parts if they
// would come to more work than the whole, as with a histogram that returns several arrays, or if a check were in none.

// Part is results of a body, by their numbers, and what of the body they need.
type Part struct {
	Results []int
	Body    *core.Body
}

// Parts divides a body of a function that has no segmented operations yet: all parts in the order of their first results, none of a body
// that cannot be divided.
func Parts(f *core.Fun, b *core.Body) []Part {
	w := newSweeper(f, core.StageSOACS)
	w.parts = true
	of := partOf(w, b)
	var parts []Part
	for first := range of {
		if of[first] != first {
			continue
		}
		p := Part{}
		var res []core.Operand
		for i, r := range b.Res {
			if of[i] == first {
				p.Results, res = append(p.Results, i), append(res, r)
			}
		}
		p.Body = neededFor(w, b, res)
		parts = append(parts, p)
	}
	work := 0
	checks := bound(b, core.MayFail)
	for _, p := range parts {
		work += len(bound(p.Body, core.Parallel))
		own := bound(p.Body, core.MayFail)
		checks = slices.DeleteFunc(checks, func(v core.Var) bool { return slices.Contains(own, v) })
	}
	if len(parts) < 2 || work > len(bound(b, core.Parallel)) || len(checks) > 0 {
		return nil
	}
	return parts
}

// partOf says for each result of a body which one is the first of its part. Results that take no work are of the first part.
func partOf(w *sweeper, b *core.Body) []int {
	of := make([]int, len(b.Res))
	first := map[core.Var]int{} // by what takes work, the first result that needs it
	for i, r := range b.Res {
		of[i] = i
		works := bound(neededFor(w, b, []core.Operand{r}), core.Parallel)
		if len(works) == 0 {
			of[i] = 0
		}
		for _, v := range works {
			other, ok := first[v]
			if !ok {
				first[v] = i
				continue
			}
			// The two parts become one, which is that of the result before.
			from, to := max(of[i], of[other]), min(of[i], of[other])
			for k := range of[:i+1] {
				if of[k] == from {
					of[k] = to
				}
			}
		}
	}
	return of
}

// neededFor is what of a body some of its results need, by a sweeper that has been of use for others.
func neededFor(w *sweeper, b *core.Body, res []core.Operand) *core.Body {
	clear(w.live)
	return w.body(&core.Body{Stms: b.Stms, Res: res})
}

// bound are the results of statements in a body of which a node, theirs or one in them, is such as is asks.
func bound(b *core.Body, is func(core.Exp) bool) []core.Var {
	var vs []core.Var
	core.Walk(b, func(s *core.Stm) bool {
		found := s.Any(is)
		if found {
			vs = append(vs, core.ParamVars(s.Dst)...)
		}
		return found
	})
	return vs
}
