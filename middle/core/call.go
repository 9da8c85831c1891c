package core

import "slices"

// Expand gives a body that does what s, a call of callee in function into, does. Its variables are new; constants says what stands for
// those that name constants of the program. Its statements carry the call's place and, on the outer level, its attributes and certificates.
func Expand(into, callee *Fun, s *Stm, constants Subst) *Body {
	sub := Subst{}
	for v, x := range constants {
		sub[v] = x
	}
	for i, p := range callee.Params {
		sub[p.Var] = s.Exp.(*Call).Args[i]
	}
	r := &relocator{call: s.Aux, sites: map[*Site]*Site{nil: s.Aux.Where}}
	return r.body(NewRenamer(into, callee, sub).Body(callee.Body), true)
}

// relocator puts statements under a call.
type relocator struct {
	call Aux
	// sites are places in the callee, as they are seen through the call. Statements share them: the chains are long, but few.
	sites map[*Site]*Site
}

func (r *relocator) body(b *Body, outer bool) *Body {
	out := &Body{Res: b.Res, Stms: make([]*Stm, len(b.Stms))}
	for i, s := range b.Stms {
		n := &Stm{Dst: s.Dst, Aux: s.Aux}
		n.Aux.Where = r.site(s.Aux.Where)
		if outer {
			n.Aux.Attrs = append(slices.Clone(s.Aux.Attrs), r.call.Attrs...)
			n.Aux.Certs = append(slices.Clone(s.Aux.Certs), r.call.Certs...)
		}
		n.Exp = MapBodies(s.Exp, func(b *Body) *Body { return r.body(b, false) })
		out.Stms[i] = n
	}
	return out
}

// site is the place s seen through the call, outside of all calls that s has been seen through.
func (r *relocator) site(s *Site) *Site {
	at, ok := r.sites[s]
	if !ok {
		at = &Site{Loc: s.Loc, Caller: r.site(s.Caller)}
		r.sites[s] = at
	}
	return at
}
