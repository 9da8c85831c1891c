package functions

import (
	"slices"

	"skald/middle/core"
)

// Kernels goes over the host code of a function and lets rule write other code in place of a segmented operation, with the builder of
// the place. Rule reports whether it did; if it did not, it has written nothing. The function itself is returned where nothing changes.
func Kernels(f *core.Fun, rule func(b *core.Builder, s *core.Stm, e core.Seg) bool) *core.Fun {
	g := *f
	g.Names = slices.Clip(f.Names)
	changed := false
	var body func(outer *core.Builder, b *core.Body) *core.Body
	body = func(outer *core.Builder, b *core.Body) *core.Body {
		w := outer.Nested()
		for _, s := range b.Stms {
			w.Where, w.Attrs, w.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
			e, ok := core.Match(s.Exp).(core.Seg)
			switch {
			case ok && rule(w, s, e):
				changed = true
				continue
			case ok:
			default:
				n := *s
				n.Exp = core.MapBodies(s.Exp, func(b *core.Body) *core.Body { return body(w, b) })
				s = &n
			}
			w.Add(s)
		}
		return w.Body(b.Res...)
	}
	g.Body = body(core.NewBuilder(&g, core.ScopeOf(f)), f.Body)
	if !changed {
		return f
	}
	return &g
}
