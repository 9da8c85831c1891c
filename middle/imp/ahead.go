package imp

import (
	"maps"
	"slices"
)

// Note [Rounds ahead]
// ~~~~~~~~~~~~~~~~~~~
// A loop of host code whose condition a kernel computes waits for the device once a round. While the host waits and records the next
// round, the device has nothing to do. So a loop says which statements at its start may run before it is known whether there is another
// round, because nothing comes of them if there is none:
//
//	while continue_1 ahead 3 {
//	  alloc sums_2: f32[n_3]                           these three
//	  launch sums<...>(n_3) blocks(xs_4, sums_2)
//	  launch done<...>() blocks(sums_2, done_5)
//	  read done_6: bool = done_5[0]
//	  ...
//
// Such statements write only to blocks that they have allocated, and neither wait nor fail. What they ask of the device, that is sizes of
// blocks, groups and arguments of kernels, is the same in each round, and kernels loop as often as arguments say: so they come to an end,
// and find memory, as in the round before. A run may do them ahead and wait once for the condition and for what the next round reads
// first; if all up to the condition may be done ahead, it may record several rounds and then read their conditions together. How far a run
// goes is package eval's: see its Note [Recording ahead].

// Ahead is p where loops of host code say what may be done ahead: see Note [Rounds ahead].
func Ahead(p *Prog) *Prog {
	a := &aheadFinder{prog: p, safe: map[string]bool{}}
	out := *p
	out.Funs = make([]*Fun, len(p.Funs))
	for i, f := range p.Funs {
		n := *f
		n.Body = a.body(f, f.Body)
		out.Funs[i] = &n
	}
	return &out
}

// aheadFinder finds what may be done ahead.
type aheadFinder struct {
	prog *Prog
	safe map[string]bool // kernels that have been looked at
}

// body marks the loops in a body.
func (a *aheadFinder) body(f *Fun, body []Stm) []Stm {
	out := make([]Stm, len(body))
	for i, s := range body {
		out[i] = s
		if len(s.bodies()) == 0 {
			continue
		}
		out[i] = s.parts(Mapper{Body: func(b []Stm) []Stm { return a.body(f, b) }})
		if w, ok := out[i].(*While); ok {
			w.Ahead = a.count(f, w)
		}
	}
	return out
}

// count is how many statements at the start of a loop may be done ahead; none if it waits for nothing, or launches nothing there.
func (a *aheadFinder) count(f *Fun, w *While) int {
	r, ok := (&While{Cond: w.Cond, Body: w.Body}).Round()
	for v := range r.unknown {
		ok = ok && f.Vars[v].Type != Block
	}
	if !ok {
		return 0
	}
	c := &aheadCheck{a, f, r.unknown, changedIn(w.Body), map[Var]bool{}, map[Var]bool{}}
	n, launches := 0, false
	for n < len(w.Body) && c.allows(w.Body[n]) {
		launches = launches || Any(w.Body[n:n+1], func(s Stm) bool { _, ok := s.(*Launch); return ok })
		n++
	}
	if !launches || !c.reads(w.Body[n:]) {
		return 0
	}
	return n
}

// reads reports whether a body begins with readings, perhaps in a branch, whose places are known.
func (c *aheadCheck) reads(body []Stm) bool {
	if len(body) == 0 {
		return false
	}
	if s, ok := body[0].(*If); ok {
		return c.same(s.Cond) && (c.reads(s.Then) || c.reads(s.Else))
	}
	reads, _, _ := ReadRun(body)
	return len(reads) > 0 && !slices.ContainsFunc(reads, func(s *ReadScalar) bool { return !c.same(s.Index) })
}

// changedIn are the variables that a body binds or sets.
func changedIn(body []Stm) map[Var]bool {
	out := setIn(body)
	Walk(body, func(s Stm) bool {
		for _, v := range s.binds() {
			out[v] = true
		}
		return true
	})
	return out
}

// setIn are the variables that a body sets.
func setIn(body []Stm) map[Var]bool {
	out := map[Var]bool{}
	Walk(body, func(s Stm) bool {
		if set, ok := s.(*Set); ok {
			out[set.Var] = true
		}
		return true
	})
	return out
}

// mentions reports whether an expression mentions a variable of a set.
func mentions(e Exp, vars map[Var]bool) bool {
	found := false
	WalkExp(e, func(e Exp) {
		if v, ok := e.(*VarExp); ok && vars[v.Var] {
			found = true
		}
	})
	return found
}

// aheadCheck says which statements of a loop may be done ahead, one after the other.
type aheadCheck struct {
	*aheadFinder
	fun     *Fun
	unknown map[Var]bool // what is not known yet when they run
	changes map[Var]bool // what may differ from round to round
	own     map[Var]bool // what they have bound
	shared  map[Var]bool // of these, blocks that were there before
}

// allows reports whether a statement may be done ahead, if those before are.
func (c *aheadCheck) allows(stm Stm) bool {
	switch s := MatchStm(stm).(type) {
	case *Comment:
		return true
	case *Free:
		return c.own[s.Var]
	case *Let:
		return c.assigns(s.Var, s.Exp, first)
	case *Set:
		return c.own[s.Var] && c.assigns(s.Var, s.Exp, !first)
	case *If:
		return c.same(s.Cond) && c.all(s.Then) && c.all(s.Else)
	case *For:
		return c.loop(s)
	case *Alloc:
		c.own[s.Var] = true
		delete(c.shared, s.Var)
		return c.same(s.Count)
	case *Data:
		c.constant(s.Var)
		return true
	case *GetConst:
		c.constant(s.Var)
		return true
	case *GetTune:
		c.constant(s.Var)
		return true
	case *Copy:
		return c.writes(s.Dst) && c.same(s.DstOff, s.SrcOff, s.Count)
	case *Fill:
		return c.writes(s.Block) && c.same(s.Off, s.Count, s.Value)
	case *WriteScalar:
		return c.writes(s.Block) && c.same(s.Index, s.Value)
	case *Launch:
		return c.launch(s)
	default:
		return false
	}
}

func (c *aheadCheck) all(body []Stm) bool {
	for _, s := range body {
		if !c.allows(s) {
			return false
		}
	}
	return true
}

// constant notes what is the same in each round, and not to be written.
func (c *aheadCheck) constant(v Var) {
	c.own[v] = true
	if c.fun.Vars[v].Type == Block {
		c.shared[v] = true
	} else {
		delete(c.changes, v)
	}
}

// loop reports whether a loop may run ahead. What its variables hold at its start they may hold from the end of its body.
func (c *aheadCheck) loop(s *For) bool {
	if !c.same(s.Bound) {
		return false
	}
	delete(c.changes, s.Var)
	for {
		changes, shared := maps.Clone(c.changes), maps.Clone(c.shared)
		if !c.all(s.Body) {
			return false
		}
		if maps.Equal(changes, c.changes) && maps.Equal(shared, c.shared) {
			return true
		}
	}
}

// first says that a variable is bound, and has no value before.
const first = true

// assigns reports whether a variable may get a value, and notes what it is then.
func (c *aheadCheck) assigns(v Var, e Exp, first bool) bool {
	before := false
	WalkExp(e, func(e Exp) {
		if u, ok := e.(*VarExp); ok {
			before = before || !c.own[u.Var] || c.shared[u.Var]
		}
	})
	if mentions(e, c.unknown) || canFail(e) && !c.same(e) {
		return false
	}
	c.own[v] = true
	if c.fun.Vars[v].Type == Block {
		assign(c.shared, v, before, first)
	} else {
		assign(c.changes, v, !c.same(e), first)
	}
	return true
}

// assign notes that a variable gets something that is in a set, or not: what is set in a branch or loop may be what it was before.
func assign(set map[Var]bool, v Var, in, first bool) {
	if in {
		set[v] = true
	} else if first {
		delete(set, v)
	}
}

// same reports whether expressions have the same values in each round.
func (c *aheadCheck) same(es ...Exp) bool {
	return !slices.ContainsFunc(es, func(e Exp) bool { return mentions(e, c.changes) })
}

// writes reports whether a block may be written ahead.
func (c *aheadCheck) writes(v Var) bool { return c.own[v] && !c.shared[v] }

// launch reports whether a kernel may be launched ahead.
func (c *aheadCheck) launch(s *Launch) bool {
	k := c.prog.Kernel(s.Kernel)
	if !c.same(s.exps()...) || !c.ends(k) {
		return false
	}
	for i, b := range s.Blocks {
		if k.Mems[i].Access != Read && !c.writes(b) {
			return false
		}
	}
	return true
}

// ends reports whether a kernel cannot fail, and loops as often as its arguments say, whatever its arrays hold.
func (a *aheadFinder) ends(k *Kernel) bool {
	ends, known := a.safe[k.Name]
	if !known {
		ends = !k.HasAssert() && loopsByArguments(k)
		a.safe[k.Name] = ends
	}
	return ends
}

// loopsByArguments reports whether a kernel loops as often as its arguments say, whatever its arrays hold.
func loopsByArguments(k *Kernel) bool {
	l := &loopCheck{loaded: map[Var]bool{}, ok: true}
	for before := -1; before < len(l.loaded); {
		before = len(l.loaded)
		l.body(k.Body, !loaded)
	}
	return l.ok
}

// loaded says that something depends on what is loaded.
const loaded = true

// loopCheck follows through a kernel what depends on what its arrays hold.
type loopCheck struct {
	loaded map[Var]bool
	ok     bool
}

// body follows statements that run if what was loaded says so, or always.
func (l *loopCheck) body(body []Stm, under bool) {
	for _, stm := range body {
		depends := slices.ContainsFunc(stm.exps(), l.depends)
		switch s := MatchStm(stm).(type) {
		case *Let:
			l.note(under || depends, s.Var)
		case *Set:
			l.note(under || depends, s.Var)
		case *If:
			l.body(s.Then, under || depends)
			l.body(s.Else, under || depends)
		case *For:
			l.ok = l.ok && !depends
			l.body(s.Body, under)
		case *While:
			l.ok = l.ok && (s.Ends || !depends)
			l.body(s.Body, under)
		case *Invoke:
			l.ok = l.ok && !Any(s.DeviceFunction.Body, MayLoop)
			l.note(loaded, stm.binds()...)
		default:
			l.note(loaded, stm.binds()...)
			for _, b := range stm.bodies() {
				l.body(b, loaded)
			}
		}
	}
}

// note notes variables that depend on what is loaded.
func (l *loopCheck) note(depends bool, vars ...Var) {
	for _, v := range vars {
		if depends && v != 0 {
			l.loaded[v] = true
		}
	}
}

// depends reports whether an expression depends on what is loaded.
func (l *loopCheck) depends(e Exp) bool {
	found := mentions(e, l.loaded)
	WalkExp(e, func(e Exp) {
		_, load := e.(*Load)
		found = found || load
	})
	return found
}
