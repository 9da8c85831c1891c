package fuse

import (
	"slices"

	"skald/middle/core"
)

// related finds statements of a body that have to do with each other.
type related struct {
	added int
	stms  []*core.Stm // those added
	// first has, by statement, the number of the first one added that uses what it binds; 0 if none does.
	first []int
	heads [][]int            // by statement, those of which it is the first user
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
	r.stms = append(r.stms, s)
}

// addUses is add that also remembers first users.
func (r *related) addUses(f *fuser, s *core.Stm) {
	var heads []int
	for _, v := range f.freeIn(s).List() {
		if i, ok := r.made[v]; ok && r.first[i] == 0 {
			r.first[i] = r.added
			heads = append(heads, i)
		}
	}
	r.add(s)
	r.first, r.heads = append(r.first, 0), append(r.heads, heads)
}

// cut takes back what was added by addUses after the first n statements.
func (r *related) cut(n int) {
	for i := r.added - 1; i >= n; i-- {
		s := r.stms[i]
		for _, h := range r.heads[i] {
			r.first[h] = 0
		}
		for _, k := range r.histMakers(s) {
			r.hists[k] = r.hists[k][:len(r.hists[k])-1]
		}
		for _, a := range inputs(s.Exp) {
			if is := r.reads[a]; len(is) > 0 && is[len(is)-1] == i {
				r.reads[a] = is[:len(is)-1]
			}
		}
		for _, p := range s.Dst {
			delete(r.made, p.Var)
		}
	}
	r.added, r.stms, r.first, r.heads = n, r.stms[:n], r.first[:n], r.heads[:n]
}

// lastMade is the number of the last statement added that binds what s uses, -1 if there is none.
func (r *related) lastMade(f *fuser, s *core.Stm) int {
	last := -1
	for _, v := range f.freeIn(s).List() {
		if i, ok := r.made[v]; ok {
			last = max(last, i)
		}
	}
	return last
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
