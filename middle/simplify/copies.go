package simplify

import (
	"slices"

	"skald/middle/core"
)

// Note [Copies of a body]
//
// A copy is needless where neither the original nor the copy is overwritten anywhere. Inside of a body more is known: a copy that ends
// with the body, and is not overwritten, is needless if the body does not overwrite the original between it and the last statement that
// reads the copy: filter reads its flags, and then a scatter may overwrite the array that they are. What shares memory with what
// is asked of that body alone, so that what one iteration of a loop hands to the next, and overwrote before it did, does not count. A
// parameter of a loop that filter has made in the iteration before is such an original.

// needlessCopies finds, in a body and the bodies inside of it, the copies that end with their body and are needless. Aliases are those of
// what is around the body.
func needlessCopies(b *core.Body, around *core.Aliases, found map[core.Var]bool) {
	var in *mentions
	inside := func(in *core.Body) *core.Body {
		needlessCopies(in, around, found)
		return in
	}
	for i, st := range b.Stms {
		core.MapBodies(st.Exp, inside)
		c, ok := st.Exp.(*core.Copy)
		if !ok || !around.Consumed(c.Array) && !around.Consumed(st.Dst[0].Var) {
			continue
		}
		if in == nil {
			in = mentionsIn(b, around.Within(b))
		}
		y := st.Dst[0].Var
		if !in.own.Consumed(y) && !escapes(in.own, b, y) && !in.overwritten(c.Array, i+1, in.last[in.own.ClassOf(y)]) {
			found[y] = true
		}
	}
}

// mentions says of a body where it reads and overwrites what.
type mentions struct {
	own *core.Aliases
	// last is behind the last statement that mentions something of a class.
	last map[core.Class]int
	// writers are the statements that overwrite something, in order, and what.
	writers []writer
}

type writer struct {
	at     int
	writes map[core.Class]bool
}

func mentionsIn(b *core.Body, own *core.Aliases) *mentions {
	m := &mentions{own: own, last: map[core.Class]int{}}
	for i, st := range b.Stms {
		for _, v := range core.FreeInStm(st).List() {
			m.last[own.ClassOf(v)] = i + 1
		}
		writes := map[core.Class]bool{}
		core.Any(&core.Body{Stms: b.Stms[i : i+1]}, func(e core.Exp) bool {
			for _, v := range core.Consumes(e) {
				writes[own.ClassOf(v)] = true
			}
			return false
		})
		if len(writes) > 0 {
			m.writers = append(m.writers, writer{i, writes})
		}
	}
	return m
}

// overwritten reports whether statements from one on, before another, overwrite what may share memory with v.
func (m *mentions) overwritten(v core.Var, from, to int) bool {
	class := m.own.ClassOf(v)
	return slices.ContainsFunc(m.writers, func(w writer) bool { return from <= w.at && w.at < to && w.writes[class] })
}

// escapes reports whether a body returns what may share memory with v.
func escapes(own *core.Aliases, b *core.Body, v core.Var) bool {
	return slices.ContainsFunc(b.Res, func(r core.Operand) bool { return r.Var != 0 && own.MayAlias(r.Var, v) })
}
