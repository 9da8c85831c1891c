package derive

import "skald/middle/core"

// emit adds s, with arrays from outside that it consumes replaced by copies, so that they keep their values.
func (c *reverser) emit(b *core.Builder, s *core.Stm) {
	sub := core.Subst{}
	for _, v := range c.consumed(b, s) {
		sub[v] = core.V(b.LetVar(b.Fun.Base(v), &core.Copy{Array: v}))
	}
	b.Add(sub.Stm(s))
}

// consumed lists the variables from outside of s whose memory s consumes.
func (c *reverser) consumed(b *core.Builder, s *core.Stm) []core.Var {
	f := &consumption{reverser: c, from: map[core.Var][]core.Var{}}
	f.stm(s)
	free := core.FreeInStm(s)
	var out []core.Var
	for _, v := range free.List() {
		if f.lost.Has(v) && b.Scope.TypeOf(v).IsArray() {
			out = append(out, v)
		}
	}
	return out
}

// consumption finds what code consumes.
type consumption struct {
	*reverser
	// from has the variables that a variable may share memory with.
	from map[core.Var][]core.Var
	lost core.VarSet
}

func (f *consumption) consume(v core.Var) {
	if v == 0 || f.lost.Has(v) {
		return
	}
	f.lost.Add(v)
	for _, w := range f.from[v] {
		f.consume(w)
	}
}

// alias notes that p may share memory with x.
func (f *consumption) alias(p core.Param, x core.Operand) {
	if !p.Type.IsArray() {
		return
	}
	f.from[p.Var] = append(f.from[p.Var], x.Var)
	if f.lost.Has(p.Var) {
		f.consume(x.Var)
	}
}

func (f *consumption) stm(s *core.Stm) {
	core.MayShare(s, f.alias)
	for _, v := range f.overwritten(s.Exp) {
		f.consume(v)
	}
	core.MapBodies(s.Exp, func(b *core.Body) *core.Body {
		for _, s := range b.Stms {
			f.stm(s)
		}
		return b
	})
}

// overwritten lists what e consumes, bodies apart: of a loop what it is given to overwrite, of a call what its function says.
func (f *consumption) overwritten(exp core.Exp) []core.Var {
	out := core.Consumes(exp)
	switch e := core.Match(exp).(type) {
	case *core.Loop:
		for i, p := range e.Params {
			if p.Unique && p.Type.IsArray() {
				out = append(out, e.Init[i].Var)
			}
		}
	case *core.Call:
		if callee := f.Fun(e.Fun); callee != nil {
			out = nil
			for k, p := range callee.Params {
				if p.Unique {
					out = append(out, e.Args[k].Var)
				}
			}
		}
	default:
	}
	return out
}
