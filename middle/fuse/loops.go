package fuse

import (
	"slices"

	"skald/middle/core"
)

// Note [Loops of SOACs side by side]
//
// Loops that count to the same bound and do not depend on each other are one loop, where that joins their SOACs: each round then launches
// one kernel, not two.
//
//	let (us: [n]f32) = loop (u: [n]f32 = u0) for i: i64 < k { screma n (u, ks) … }
//	let (vs: [n]f32) = loop (v: [n]f32 = v0) for j: i64 < k { screma n (v, ks) … }
//
// becomes
//
//	let (us: [n]f32, vs: [n]f32) = loop (u: [n]f32 = u0, v: [n]f32 = v0) for i: i64 < k { screma n (u, ks, v) … }
//
// Only one of them may fail: else the second could fail in a round before that in which the first one does. Loops in SOACs stay as they
// are, but for those of one function (Note [One function of several arrays]): there a thread may run them.

// loops joins loops side by side, and reports whether there were any.
func loops(g *core.Fun) bool {
	f, any := newFuser(g), false
	var body func(b *core.Body) *core.Body
	body = func(b *core.Body) *core.Body {
		stms := slices.Clone(b.Stms)
		for {
			next, ok := f.besideLoop(stms)
			if !ok {
				break
			}
			stms, any = next, true
		}
		for i, s := range stms {
			if isControl(s.Exp) {
				stms[i] = &core.Stm{Dst: s.Dst, Exp: core.MapBodies(s.Exp, body), Aux: s.Aux}
			}
		}
		return &core.Body{Stms: stms, Res: b.Res}
	}
	if joined := body(g.Body); any {
		g.Body = joined
	}
	return any
}

// isControl reports whether an expression is a loop or branch.
func isControl(e core.Exp) bool {
	switch core.Match(e).(type) {
	case *core.Loop, *core.If, *core.Switch:
		return true
	default:
		return false
	}
}

// besideLoop joins two loops of a body, if it has such.
func (f *fuser) besideLoop(stms []*core.Stm) ([]*core.Stm, bool) {
	for j, c := range stms {
		b, ok := c.Exp.(*core.Loop)
		if !ok || !b.IsFor() {
			continue
		}
		for i, p := range stms[:j] {
			a, ok := p.Exp.(*core.Loop)
			if !ok || !f.loopsBeside(p, a, c, b) {
				continue
			}
			if at := f.meet(stms, i, j); at >= 0 {
				s := &core.Stm{Dst: slices.Concat(p.Dst, c.Dst), Exp: joinLoops(a, b), Aux: joinAux(p, c)}
				return merged(stms, i, j, at, s), true
			}
		}
	}
	return nil, false
}

// loopsBeside reports whether two loops may be one, and their SOACs then are.
func (f *fuser) loopsBeside(p *core.Stm, a *core.Loop, c *core.Stm, b *core.Loop) bool {
	if !a.IsFor() || a.Bound != b.Bound || !a.Index.Type.Equal(b.Index.Type) || !slices.Equal(p.Aux.Attrs, c.Aux.Attrs) {
		return false
	}
	if f.uses(c, p) || f.conflict(p, c) || core.Any(a.Body, core.MayFail) && core.Any(b.Body, core.MayFail) {
		return false
	}
	as, ok := soacs(a.Body)
	bs, also := soacs(b.Body)
	if !ok || !also || len(as) != len(bs) {
		return false
	}
	for i, s := range as {
		if !shareInput(s.Exp, bs[i].Exp) || f.beside(s, bs[i]) == nil {
			return false
		}
	}
	return true
}

// soacs are those of a body, if there are some, and nothing else in it is parallel.
func soacs(b *core.Body) ([]*core.Stm, bool) {
	var out []*core.Stm
	for _, s := range b.Stms {
		switch {
		case len(inputs(s.Exp)) > 0:
			out = append(out, s)
		case core.Any(&core.Body{Stms: []*core.Stm{s}}, core.Parallel):
			return nil, false
		}
	}
	return out, len(out) > 0
}

// joinLoops makes one loop of two.
func joinLoops(a, b *core.Loop) *core.Loop {
	body := core.Subst{b.Index.Var: core.V(a.Index.Var)}.Body(b.Body)
	return &core.Loop{
		Params: slices.Concat(a.Params, b.Params), Init: slices.Concat(a.Init, b.Init), Index: a.Index, Bound: a.Bound,
		Body: &core.Body{Stms: slices.Concat(a.Body.Stms, body.Stms), Res: slices.Concat(a.Body.Res, body.Res)},
	}
}
