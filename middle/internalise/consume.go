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
		if _, ok := st.Exp.(core.View); ok {
			core.MayShare(st, func(p core.Param, x core.Operand) { shares[p.Var] = shares[p.Var] || shares[x.Var] })
		}
		return !found
	})
	return found
}

// consumed lists the arrays that e consumes by itself.
func consumed(exp core.Exp) []core.Var {
	switch e := core.Match(exp).(type) {
	case *core.Call:
		return nil // Consumption by functions is checked in the source, where their parameters say so.
	case *core.Loop:
		var out []core.Var
		for i, p := range e.Params {
			if p.Unique {
				out = append(out, e.Init[i].Var)
			}
		}
		return out
	default:
		return core.Consumes(exp)
	}
}
