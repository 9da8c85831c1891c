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
	// from gives variables that a variable may share memory with.
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

// alias notes that ps may share memory with xs.
func (f *consumption) alias(ps []core.Param, xs []core.Operand) {
	for i, p := range ps {
		if p.Type.IsArray() && i < len(xs) && xs[i].Var != 0 {
			f.from[p.Var] = append(f.from[p.Var], xs[i].Var)
			if f.lost.Has(p.Var) {
				f.consume(xs[i].Var)
			}
		}
	}
}

func (f *consumption) stm(s *core.Stm) {
	switch e := s.Exp.(type) {
	case *core.Use:
		f.alias(s.Dst, []core.Operand{e.X})
	case *core.Index:
		f.alias(s.Dst, core.Vars([]core.Var{e.Array}))
	case *core.Rearrange:
		f.alias(s.Dst, core.Vars([]core.Var{e.Array}))
	case *core.Reshape:
		f.alias(s.Dst, core.Vars([]core.Var{e.Array}))
	case *core.Update:
		f.alias(s.Dst, core.Vars([]core.Var{e.Array}))
	case *core.Loop:
		f.alias(e.Params, e.Init)
		f.alias(s.Dst, e.Init)
		for i, p := range e.Params {
			if p.Unique && p.Type.IsArray() {
				f.consume(e.Init[i].Var)
			}
		}
	case *core.Call:
		callee := f.Fun(e.Fun)
		for k, x := range e.Args {
			if callee == nil || callee.Params[k].Unique {
				f.consume(x.Var)
			}
			for i := range s.Dst {
				f.alias(s.Dst[i:i+1], []core.Operand{x})
			}
		}
	default:
	}
	for _, v := range core.Overwritten(s.Exp) {
		f.consume(v)
	}
	f.bodies(s)
}

// bodies goes into the bodies of s.
func (f *consumption) bodies(s *core.Stm) {
	core.MapBodies(s.Exp, func(b *core.Body) *core.Body {
		for _, s := range b.Stms {
			f.stm(s)
		}
		switch e := s.Exp.(type) {
		case *core.If:
			f.alias(s.Dst, b.Res)
		case *core.Loop:
			f.alias(e.Params, b.Res)
			f.alias(s.Dst, b.Res)
		default:
		}
		return b
	})
}
