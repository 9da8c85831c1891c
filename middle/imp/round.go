package imp

import "slices"

// Round is a round of a loop of host code that reads at its end what kernels computed, in the parts in which it may be recorded before
// that is known: see Note [Rounds ahead].
type Round struct {
	Ahead []Stm         // what may be done before it is known that there is a round
	Rest  []Stm         // what comes up to the readings at the end
	Reads []*ReadScalar // the readings
	Tail  []Stm         // what comes behind, and needs none of them
	Known []Stm         // what comes behind, and needs them, to be done behind Tail
	Kept  []Var         // what Tail sets, and what else Known mentions: with this, Known can be done later
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
			if v, e := assigned(stm); v != 0 && mentions(e, r.unknown) {
				r.unknown[v] = true
			}
		}
	}
	set, needed := map[Var]bool{}, map[Var]bool{}
	for _, stm := range behind {
		v, e := assigned(stm)
		if !r.unknown[v] {
			r.Tail = append(r.Tail, stm)
			if _, ok := stm.(*Set); ok {
				set[v] = true
			}
			continue
		}
		r.Known = append(r.Known, stm)
		WalkExp(e, func(e Exp) {
			if v, ok := e.(*VarExp); ok && !r.unknown[v.Var] {
				needed[v.Var] = true
			}
		})
	}
	for v := range needed {
		if set[v] {
			return Round{}, false // It may have been set behind what mentions it.
		}
		set[v] = true
	}
	for v := range set {
		r.Kept = append(r.Kept, v)
	}
	slices.Sort(r.Kept)
	r.Ahead, r.Rest = s.Body[:s.Ahead], s.Body[s.Ahead:start]
	return r, true
}

func isRead(s Stm) bool {
	_, ok := s.(*ReadScalar)
	return ok
}

// assigned is what a statement binds or sets, and to what; zero if it is neither.
func assigned(s Stm) (Var, Exp) {
	switch s := MatchStm(s).(type) {
	case *Let:
		return s.Var, s.Exp
	case *Set:
		return s.Var, s.Exp
	default:
		return 0, nil
	}
}

// endReads finds the readings at the end of a body behind which it only computes: where they start, and what is among them and behind.
func endReads(body []Stm) (start int, reads []*ReadScalar, behind []Stm) {
	for i, stm := range slices.Backward(body) {
		switch MatchStm(stm).(type) {
		case *ReadScalar:
			start, reads = i, append(reads, nil)
			continue
		case *Let, *Set, *Free, *Comment:
			continue
		default:
		}
		break
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
