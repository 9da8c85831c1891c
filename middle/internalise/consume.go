package internalise

import "skald/middle/core"

// markConsumed marks the parameters of a loop that its body updates in place as unique: the source leaves that to inference.
func markConsumed(l *core.Loop) {
	for i, p := range l.Params {
		if p.Type.IsArray() && consumes(l.Body, p.Var) {
			l.Params[i].Unique = true
		}
	}
}

// consumes reports whether b consumes v or an array that may share its memory.
func consumes(b *core.Body, v core.Var) bool {
	shares := map[core.Var]bool{v: true}
	found := false
	core.Walk(b, func(st *core.Stm) bool {
		for _, a := range consumed(st.Exp) {
			if shares[a] {
				found = true
			}
		}
		if src, ok := viewOf(st.Exp); ok && shares[src] {
			shares[st.Dst[0].Var] = true
		}
		return !found
	})
	return found
}

// viewOf gives the array that the result of e shares memory with, if it is one that e does not consume.
func viewOf(e core.Exp) (core.Var, bool) {
	switch e := e.(type) {
	case *core.Use:
		return e.X.Var, e.X.Var != 0
	case *core.Index:
		return e.Array, true
	case *core.Rearrange:
		return e.Array, true
	case *core.Reshape:
		return e.Array, true
	default:
		return 0, false
	}
}

// consumed lists the arrays that e consumes by itself.
func consumed(e core.Exp) []core.Var {
	out := core.Overwritten(e)
	if e, ok := e.(*core.Loop); ok {
		for i, p := range e.Params {
			if p.Unique {
				out = append(out, e.Init[i].Var)
			}
		}
	}
	return out
}
