package fuse

import (
	"slices"

	"skald/middle/core"
)

// related finds statements of a body that have to do with each other.
type related struct {
	added int
	made  map[core.Var]int   // which statement binds a variable
	reads map[core.Var][]int // which SOACs read an array
	hists map[int][]int      // which histograms read results of a statement
}

// add adds the next statement.
func (r *related) add(s *core.Stm) {
	if r.made == nil {
		r.made, r.reads, r.hists = map[core.Var]int{}, map[core.Var][]int{}, map[int][]int{}
	}
	for _, p := range s.Dst {
		r.made[p.Var] = r.added
	}
	for _, a := range inputs(s.Exp) {
		r.reads[a] = append(r.reads[a], r.added)
	}
	for _, i := range r.histMakers(s) {
		r.hists[i] = append(r.hists[i], r.added)
	}
	r.added++
}

// histMakers are the statements added whose results c reads, if it is a histogram.
func (r *related) histMakers(c *core.Stm) []int {
	var is []int
	if h, ok := c.Exp.(*core.Hist); ok {
		for _, a := range h.Arrays {
			if i, ok := r.made[a]; ok && !slices.Contains(is, i) {
				is = append(is, i)
			}
		}
	}
	return is
}

// sharing are the statements added that read an array that c reads, the last one first. A histogram also shares results of one statement
// with others: they may be equal, and a map that two histograms read is not part of either one.
func (r *related) sharing(c *core.Stm) []int {
	var is []int
	for _, i := range r.histMakers(c) {
		is = append(is, r.hists[i]...)
	}
	return r.lastFirst(is, c)
}

// usedBy are the statements added that bind what c uses, or read an array that c reads, the last one first.
func (r *related) usedBy(f *fuser, c *core.Stm) []int {
	var is []int
	for _, v := range f.freeIn(c).List() {
		if i, ok := r.made[v]; ok {
			is = append(is, i)
		}
	}
	return r.lastFirst(is, c)
}

func (r *related) lastFirst(is []int, c *core.Stm) []int {
	for _, a := range inputs(c.Exp) {
		is = append(is, r.reads[a]...)
	}
	slices.Sort(is)
	is = slices.Compact(is)
	slices.Reverse(is)
	return is
}

// later are statements that go behind others. It is asked of each statement between whether it has to be behind one of these.
type later struct {
	stms    []*core.Stm
	bound   core.VarSet
	writers []*core.Stm // those that overwrite something
}

// add adds the next statement.
func (l *later) add(f *fuser, s *core.Stm) {
	l.stms = append(l.stms, s)
	for _, p := range s.Dst {
		l.bound.Add(p.Var)
	}
	if len(f.overwritten(s).List()) > 0 {
		l.writers = append(l.writers, s)
	}
}

// before reports whether s uses what one of the statements binds, or one of the two overwrites what the other reads.
func (l *later) before(f *fuser, s *core.Stm) bool {
	if slices.ContainsFunc(f.freeIn(s).List(), l.bound.Has) {
		return true
	}
	if len(f.overwritten(s).List()) > 0 && slices.ContainsFunc(l.stms, func(t *core.Stm) bool { return f.overwritesFor(s, t) }) {
		return true
	}
	return slices.ContainsFunc(l.writers, func(t *core.Stm) bool { return f.overwritesFor(t, s) })
}
