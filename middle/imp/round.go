package imp

import (
	"maps"
	"slices"

	"skald/runtime/prim"
)

// Round is a round of a loop of host code that reads at its end what kernels computed, in the parts in which it may be recorded before
// that is known: see Note [Rounds ahead].
type Round struct {
	Ahead []Stm         // what may be done before it is known that there is a round
	Rest  []Stm         // what comes up to the readings at the end
	Reads []*ReadScalar // the readings
	Tail  []Stm         // what comes behind, and needs none of them
	Known []Stm         // what comes behind, and needs them, to be done behind Tail
	Kept  []Var         // what Tail sets, and what else Known mentions: with this, Known can be done later
	Goes  []Exp         // what must hold behind Tail for another round, of what needs no readings: a bound of rounds, most often
	// unknown are the readings and what depends on them.
	unknown map[Var]bool
}

// Round takes a round of a loop apart, if that can be done.
func (s *While) Round() (Round, bool) {
	start, reads, behind := endReads(s.Body)
	if len(reads) == 0 || slices.ContainsFunc(behind, isRead) || s.Ahead < 0 || s.Ahead > start {
		return Round{}, false
	}
	r := Round{Reads: reads, unknown: map[Var]bool{}}
	for _, read := range reads {
		r.unknown[read.Var] = true
	}
	for before := 0; before < len(r.unknown); {
		before = len(r.unknown)
		for _, stm := range behind {
			if c := computes(stm); slices.ContainsFunc(c.exps, func(e Exp) bool { return mentions(e, r.unknown) }) {
				for v := range c.assigned {
					r.unknown[v] = true
				}
			}
		}
	}
	set, needed := map[Var]bool{}, map[Var]bool{}
	for _, stm := range behind {
		c := computes(stm)
		if !c.assigns(r.unknown) {
			r.Tail = append(r.Tail, stm)
			maps.Copy(set, setIn([]Stm{stm}))
			continue
		}
		r.Known = append(r.Known, stm)
		for _, e := range c.exps {
			WalkExp(e, func(e Exp) {
				if v, ok := e.(*VarExp); ok && !r.unknown[v.Var] && !c.assigned[v.Var] {
					needed[v.Var] = true
				}
			})
		}
	}
	for v := range needed {
		if set[v] {
			return Round{}, false // It may have been set behind what mentions it.
		}
	}
	maps.Copy(set, needed)
	r.Kept = slices.Sorted(maps.Keys(set))
	r.Ahead, r.Rest = s.Body[:s.Ahead], s.Body[s.Ahead:start]
	r.Goes = r.conjuncts(s.Cond, r.definitions())
	return r, true
}

// definitions are what variables are that Known assigns once.
func (r *Round) definitions() map[Var]Exp {
	out, again := map[Var]Exp{}, map[Var]bool{}
	assign := func(v Var, e Exp) {
		again[v] = out[v] != nil || again[v]
		out[v] = e
	}
	for _, stm := range r.Known {
		switch s := MatchStm(stm).(type) {
		case *Let:
			assign(s.Var, s.Exp)
		case *Set:
			assign(s.Var, s.Exp)
		default:
			for v := range setIn([]Stm{stm}) {
				again[v] = true
			}
		}
	}
	maps.DeleteFunc(out, func(v Var, _ Exp) bool { return again[v] })
	return out
}

// canFail reports whether computing an expression fails for some values.
func canFail(e Exp) bool {
	found := false
	WalkExp(e, func(e Exp) {
		if b, ok := e.(*Bin); ok {
			found = found || b.Op.CanFail(b.Type.Prim())
		}
	})
	return found
}

// conjuncts are the conditions that need no readings of those that a condition consists of.
func (r *Round) conjuncts(cond Exp, defs map[Var]Exp) []Exp {
	switch e := Match(cond).(type) {
	case *VarExp:
		if def := defs[e.Var]; def != nil {
			delete(defs, e.Var) // once
			return r.conjuncts(def, defs)
		}
	case *Bin:
		if e.Op == prim.LogAnd {
			return append(r.conjuncts(e.X, defs), r.conjuncts(e.Y, defs)...)
		}
	default:
	}
	if mentions(cond, r.unknown) || canFail(cond) {
		return nil
	}
	return []Exp{cond}
}

func isRead(s Stm) bool {
	_, ok := s.(*ReadScalar)
	return ok
}

// computation is what a statement that only computes assigns, and from what.
type computation struct {
	assigned map[Var]bool
	exps     []Exp
}

// computes says what a statement assigns.
func computes(s Stm) computation {
	c := computation{assigned: changedIn([]Stm{s})}
	Walk([]Stm{s}, func(s Stm) bool {
		c.exps = append(c.exps, s.exps()...)
		return true
	})
	return c
}

// assigns reports whether one of some variables is assigned.
func (c *computation) assigns(vars map[Var]bool) bool {
	for v := range c.assigned {
		if vars[v] {
			return true
		}
	}
	return false
}

// onlyComputes reports whether a statement only computes.
func onlyComputes(s Stm) bool {
	return !Any([]Stm{s}, func(s Stm) bool {
		switch MatchStm(s).(type) {
		case *Let, *Set, *If, *Comment:
			return false
		default:
			return true
		}
	})
}

// endReads finds the readings at the end of a body behind which it only computes: where they start, and what is among them and behind.
func endReads(body []Stm) (start int, reads []*ReadScalar, behind []Stm) {
	for i, stm := range slices.Backward(body) {
		_, free := stm.(*Free)
		if isRead(stm) {
			start, reads = i, append(reads, nil)
		} else if !free && !onlyComputes(stm) {
			break
		}
	}
	if len(reads) == 0 {
		return 0, nil, nil
	}
	reads, later, n := ReadRun(body[start:])
	return start, reads, append(slices.Clone(later), body[start+n:]...)
}

// ReadRun takes the readings at the start of body that can wait together, and what is among them and can come later; n is how many
// statements that is.
func ReadRun(body []Stm) (reads []*ReadScalar, later []Stm, n int) {
	if len(body) == 0 || !isRead(body[0]) {
		return nil, nil, 0
	}
	changed := map[Var]bool{} // by what comes before the statement at hand
	var among []Stm           // since the last reading
	for i, stm := range body {
		switch s := MatchStm(stm).(type) {
		case *Free, *Comment:
			among = append(among, stm)
		case *Let:
			changed[s.Var] = true
			among = append(among, stm)
		case *Set:
			changed[s.Var] = true
			among = append(among, stm)
		case *ReadScalar:
			if changed[s.Block] || mentions(s.Index, changed) {
				return reads, later, n
			}
			changed[s.Var] = true
			reads, later, among, n = append(reads, s), append(later, among...), nil, i+1
		default:
			return reads, later, n
		}
	}
	return reads, later, n
}
