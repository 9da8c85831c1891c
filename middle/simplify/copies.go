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
	var own *core.Aliases
	for i, st := range b.Stms {
		core.MapBodies(st.Exp, func(in *core.Body) *core.Body {
			needlessCopies(in, around, found)
			return in
		})
		c, ok := st.Exp.(*core.Copy)
		if !ok || !around.Consumed(c.Array) && !around.Consumed(st.Dst[0].Var) {
			continue
		}
		if own == nil {
			own = around.Within(b)
		}
		y := st.Dst[0].Var
		if !own.Consumed(y) && !escapes(own, b, y) && !own.Overwritten(c.Array, readers(own, b.Stms[i+1:], y)) {
			found[y] = true
		}
	}
}

// escapes reports whether a body returns what may share memory with v.
func escapes(own *core.Aliases, b *core.Body, v core.Var) bool {
	return slices.ContainsFunc(b.Res, func(r core.Operand) bool { return r.Var != 0 && own.MayAlias(r.Var, v) })
}

// readers are statements up to the last one that mentions what may share memory with v.
func readers(own *core.Aliases, stms []*core.Stm, v core.Var) []*core.Stm {
	for n := len(stms); n > 0; n-- {
		if slices.ContainsFunc(core.FreeInStm(stms[n-1]).List(), func(w core.Var) bool { return own.MayAlias(v, w) }) {
			return stms[:n]
		}
	}
	return nil
}
