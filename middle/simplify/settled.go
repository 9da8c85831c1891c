package simplify

import (
	"slices"

	"skald/middle/core"
)

// Note [Settled operations]
//
// Most of a program is in the bodies of its parallel operations, and most of these are as simple as they get after one round, while
// another round is needed for some. So a round does not go through an operation of the host that the round before left as it was, if
// nothing has changed for it since: what it reads is computed by the statements that computed it then, from what they read then; it is
// mentioned once, and overwritten, where it was; and the conditions and loops around it are the same. Nor is dead code looked for in an
// operation in which there was none in the round before, if the round left it as it was.

// round is what the round before knew.
type round struct {
	defs          []*core.Stm
	uses          []int
	aliases, code *core.Aliases
	// settled are the operations that it left as they were, with the variables that they mention.
	settled map[*core.Stm][]core.Var
	// swept are those from which it removed nothing.
	swept map[*core.Stm]bool
}

// watch knows what has changed since the round before.
type watch struct {
	before  *round // nil in the first round
	settled map[*core.Stm][]core.Var
	// changed says of variables of the host's code whether what computes them has changed, or may have, and changes counts these.
	changed []bool
	changes int
	// inside is how many operations, and restless how many branches and loops of the host that have changed, the code at hand is in.
	inside, restless int
}

func (w *watch) mark(v core.Var) {
	if int(v) >= len(w.changed) {
		w.changed = append(w.changed, make([]bool, int(v)+1-len(w.changed))...)
	}
	w.changed[v] = true
	w.changes++
}

func (w *watch) has(v core.Var) bool { return int(v) < len(w.changed) && w.changed[v] }

// isSettled reports whether nothing has changed for a statement that the round before left as it was.
func (s *simplifier) isSettled(st *core.Stm) bool {
	w := &s.watch
	if w.before == nil || w.inside > 0 || w.restless > 0 {
		return false
	}
	free, ok := w.before.settled[st]
	return ok && !slices.ContainsFunc(free, s.isOther)
}

// isOther reports whether something about a variable that an operation mentions is not as it was in the round before.
func (s *simplifier) isOther(v core.Var) bool {
	b := s.watch.before
	return s.watch.has(v) || s.gone[v] || s.sub.Operand(core.V(v)) != core.V(v) || defOf(s.defs, v) != defOf(b.defs, v) ||
		s.aliases.Consumed(v) != b.aliases.Consumed(v) || s.code.Consumed(v) != b.code.Consumed(v) ||
		s.uses != nil && onceIn(s.uses, v) != onceIn(b.uses, v)
}

// defOf is the statement that binds a variable of the code seen so far; nil for parameters.
func defOf(defs []*core.Stm, v core.Var) *core.Stm {
	if int(v) < len(defs) {
		return defs[v]
	}
	return nil
}

// onceIn reports whether one place mentions a variable.
func onceIn(uses []int, v core.Var) bool { return int(v) < len(uses) && uses[v] == 1 }

// reads reports whether what a statement reads, bodies apart, has changed.
func (w *watch) reads(st *core.Stm) bool {
	if w.before == nil {
		return true
	}
	found := false
	m := core.Mapper{Operand: func(o core.Operand) core.Operand {
		found = found || w.has(o.Var)
		return o
	}}
	m.VisitStm(st)
	return found
}

// added notes whether what a statement of the host's code binds has changed.
func (w *watch) added(st *core.Stm) {
	if w.before == nil || w.inside > 0 {
		return
	}
	read := w.reads(st)
	for _, p := range st.Dst {
		if read || int(p.Var) >= len(w.before.defs) || w.before.defs[p.Var] != st {
			w.mark(p.Var)
		}
	}
}

// within goes through the bodies of a statement by f.
func (w *watch) within(st *core.Stm, f func() core.Exp) core.Exp {
	if core.Parallel(st.Exp) {
		w.inside++
		defer func() { w.inside-- }()
	} else if w.inside == 0 && w.before != nil && w.reads(st) {
		if e, ok := st.Exp.(*core.Loop); ok {
			for _, p := range append(slices.Clip(e.Params), e.Index) {
				w.mark(p.Var)
			}
		}
		w.restless++
		defer func() { w.restless-- }()
	}
	return f()
}

// settle notes an operation that a round leaves as it was.
func (s *simplifier) settle(st *core.Stm) {
	w := &s.watch
	if w.inside > 0 || !core.Parallel(st.Exp) {
		return
	}
	if w.settled == nil {
		w.settled = map[*core.Stm][]core.Var{}
	}
	if w.before != nil && w.before.settled[st] != nil {
		w.settled[st] = w.before.settled[st]
	} else {
		w.settled[st] = core.FreeInStm(st).List()
	}
}
