package migrate

import (
	"slices"

	"skald/middle/core"
	"skald/middle/facts"
	"skald/middle/pass"
)

// Note [Scalars that loops pass on]
//
// A loop of the host that passes on a scalar which a kernel computes, and which only kernels use, would wait for it in each round. So it
// passes on an array of that one element:
//
//	let (s_1: f32) = loop (t_2: f32 = x_3) for i_4: i64 < n_5 { … let (r_6: f32) = segred.grid … in (r_6) }
//
// becomes
//
//	let (a_7: [1i64]f32) = [x_3]
//	let (b_8: [1i64]f32) = loop (c_9: [1i64]f32 = a_7) for i_4: i64 < n_5 {
//	  let (t_2: f32) = index c_9 [0i64]
//	  … let (r_6: f32) = segred.grid …
//	  let (d_10: [1i64]f32) = [r_6]
//	  in (d_10)
//	}
//	let (s_1: f32) = index b_8 [0i64]
//
// and what reads and makes these elements moves like other code (Note [What moves]): an element is read where the scalar is first needed,
// so that one kernel reads it, adds to it and makes the next. Which scalars those are is assumed first, of all that
// kernels compute; then those go that the host turns out to need. A loop that would wait in each round all the same, for something else,
// stays as it is: then the scalar comes with that. So do loops on processors, which wait for nothing.

// carry rewrites the loops of a function that can pass on scalars on the device.
func carry(ctx *pass.Context, f *core.Fun) *core.Fun {
	a := newAnalysis(nil)
	a.findDevice(f.Body)
	carried := map[core.Var]bool{}
	eachLoop(f.Body, func(l *core.Loop) {
		for i, p := range l.Params {
			if r := l.Body.Res[i]; p.Type.IsScalar() && p.Var != l.While && a.device[r.Var] {
				carried[p.Var] = true
			}
		}
	})
	for size := -1; size != len(carried) && len(carried) > 0; {
		size = len(carried)
		a = analyseCarrying(f, carried)
		eachLoop(f.Body, func(l *core.Loop) {
			waits := a.waits(l.Body)
			for i, p := range l.Params {
				if waits || a.host[p.Var] || a.host[l.Body.Res[i].Var] {
					delete(carried, p.Var)
				}
			}
		})
	}
	if len(carried) == 0 || pass.Ask(ctx, facts.Facts.HasTasks) {
		return f
	}
	g := *f
	g.Names = slices.Clip(f.Names)
	c := &carrier{Builder: core.NewBuilder(&g, core.ScopeOf(f)), carried: carried}
	g.Body = c.body(f.Body)
	return &g
}

// eachLoop visits the loops that the host runs.
func eachLoop(b *core.Body, f func(l *core.Loop)) {
	for _, s := range b.Stms {
		if _, seg := s.Exp.(core.Seg); seg {
			continue
		}
		if l, ok := s.Exp.(*core.Loop); ok {
			f(l)
		}
		hostBodies(s.Exp, func(b *core.Body) *core.Body { eachLoop(b, f); return b })
	}
}

// waits reports whether the host waits for something in a body: for a scalar of a kernel, or an element that it reads itself.
func (a *analysis) waits(b *core.Body) bool {
	return slices.ContainsFunc(b.Stms, func(s *core.Stm) bool {
		if a.moved[s] {
			return false
		}
		needed := slices.ContainsFunc(s.Dst, func(p core.Param) bool { return p.Type.IsScalar() && a.host[p.Var] })
		_, seg := s.Exp.(core.Seg)
		if _, reads := s.Exp.(*core.Index); seg || reads {
			return needed
		}
		found := false
		hostBodies(s.Exp, func(b *core.Body) *core.Body { found = found || a.waits(b); return b })
		return found
	})
}

// carrier rewrites loops.
type carrier struct {
	*core.Builder
	carried map[core.Var]bool
	frees   core.Frees
}

func (c *carrier) body(b *core.Body) *core.Body {
	outer := c.Builder
	c.Builder = outer.Nested()
	for _, s := range b.Stms {
		if _, seg := s.Exp.(core.Seg); seg {
			c.Add(s)
			continue
		}
		exp := hostBodies(s.Exp, c.body)
		if l, ok := exp.(*core.Loop); ok && slices.ContainsFunc(l.Params, func(p core.Param) bool { return c.carried[p.Var] }) {
			c.loop(s, l)
			continue
		}
		c.Add(&core.Stm{Dst: s.Dst, Exp: exp, Aux: s.Aux})
	}
	out := c.Body(b.Res...)
	c.Builder = outer
	return out
}

// loop adds a loop that passes on arrays of one element in place of scalars.
func (c *carrier) loop(s *core.Stm, e *core.Loop) {
	l, dst := *e, slices.Clone(s.Dst)
	l.Params, l.Init = slices.Clone(e.Params), slices.Clone(e.Init)
	first := core.Slice{core.Fix(core.Int(0))}
	before := map[core.Var]*core.Stm{} // what reads the elements, by the scalars
	var after []*core.Stm
	for i, p := range e.Params {
		if !c.carried[p.Var] {
			continue
		}
		t := core.ArrayOf(p.Type, core.Int(1))
		l.Init[i] = c.Let(c.Fun.Base(p.Var), &core.ArrayLit{Row: p.Type, Elems: []core.Operand{e.Init[i]}})
		l.Params[i], dst[i] = c.Param(c.Fun.Base(p.Var), t), c.Param(c.Fun.Base(s.Dst[i].Var), t)
		before[p.Var] = &core.Stm{Dst: []core.Param{p}, Exp: &core.Index{Array: l.Params[i].Var, Slice: first}}
		after = append(after, &core.Stm{Dst: s.Dst[i : i+1], Exp: &core.Index{Array: dst[i].Var, Slice: first}})
	}
	in := c.Nested()
	read := func(v core.Var) {
		if s := before[v]; s != nil {
			in.Add(s)
			delete(before, v)
		}
	}
	for _, s := range e.Body.Stms {
		for _, v := range c.frees.Stm(s) {
			read(v)
		}
		in.Add(s)
	}
	res := slices.Clone(e.Body.Res)
	for _, r := range res {
		read(r.Var)
	}
	for i, p := range e.Params {
		if c.carried[p.Var] {
			res[i] = in.Let(c.Fun.Base(p.Var), &core.ArrayLit{Row: p.Type, Elems: []core.Operand{res[i]}})
		}
	}
	l.Body = in.Body(res...)
	c.Add(&core.Stm{Dst: dst, Exp: &l, Aux: s.Aux})
	c.Add(after...)
}
