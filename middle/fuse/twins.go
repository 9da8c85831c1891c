package fuse

import (
	"slices"

	"skald/middle/core"
)

// Note [One function of several arrays]
//
// Maps of one size apply one function to different arrays where their lambdas differ in names alone: to the colours of a picture, say.
// If the function has a loop, they are one map, of which the lambda is the function with all of them at each statement: what does not
// depend on the arrays is computed once, and loops, SOACs and WithAccs are one each.
//
//	let (us: [n][m]f32) = screma n (as) map fn (a: [m]f32): ([m]f32) {
//	  in loop (p: [m]f32 = a) for i: i64 < k { let (t: f32) = sin.f32 (…i…) … screma m (p) … } }
//	let (vs: [n][m]f32) = screma n (bs) map fn (b: [m]f32): ([m]f32) {
//	  in loop (q: [m]f32 = b) for j: i64 < k { let (w: f32) = sin.f32 (…j…) … screma m (q) … } }
//
// becomes
//
//	let (us: [n][m]f32, vs: [n][m]f32) = screma n (as, bs) map fn (a: [m]f32, b: [m]f32): ([m]f32, [m]f32) {
//	  in loop (p: [m]f32 = a, q: [m]f32 = b) for i: i64 < k { let (t: f32) = sin.f32 (…i…) … screma m (p, q) … } }
//
// So a launch, a barrier in each round and a sine serve both. Joined side by side the maps would have one loop behind the other. They need
// not read an array in common, as horizontal fusion asks, and views and scalars that one of them needs go before the others with it. What
// the lambdas have in the memory of a workgroup they have at once: where each fits by itself, all together may not.
//
// Functions that trace stay apart, since what they print has an order, and so do those that may fail by what the arrays hold: one could
// fail in a round before that in which the one before it fails.

// twins joins maps of one function, if there are such.
func (f *fuser) twins(stms []*core.Stm, _ []core.Operand) ([]*core.Stm, bool) {
	byText := map[string][]int{}
	var texts []string
	for i, s := range stms {
		if text := f.loopedMap(s); text != "" {
			if byText[text] == nil {
				texts = append(texts, text)
			}
			byText[text] = append(byText[text], i)
		}
	}
	for _, text := range texts {
		for is := byText[text]; len(is) > 1; is = is[1:] {
			g := f.together(stms, is)
			if len(g.twins) < 2 {
				continue
			}
			if s := f.zipped(stms, g.twins); s != nil {
				return g.joined(stms, s), true
			}
			for _, i := range byText[text] {
				f.texts[stms[i]] = "" // that they may fail does not change
			}
			break
		}
	}
	return nil, false
}

// loopedMap is a text that maps of one function have in common, if a statement is such a map and the function has a loop; "" for others.
func (f *fuser) loopedMap(s *core.Stm) string {
	e := onlyMaps(s)
	if e == nil || sequential(s) || !core.Any(e.Map.Body, isLoop) || core.Any(e.Map.Body, isTrace) {
		return ""
	}
	text, ok := f.texts[s]
	if !ok {
		text = core.PrintAlike(f.fun, withoutInputs(e))
		f.texts[s] = text
	}
	return text
}

func isLoop(e core.Exp) bool  { _, ok := e.(*core.Loop); return ok }
func isTrace(e core.Exp) bool { _, ok := e.(*core.Trace); return ok }

// group is maps of one function that can stand where the first one does: the numbers of their statements, and of those that go before.
type group struct{ twins, before []int }

// together is the first of some maps of one function, with those of the others that can stand with it.
func (f *fuser) together(stms []*core.Stm, is []int) group {
	g := group{twins: is[:1]}
	for _, j := range is[1:] {
		apart := func(i int) bool {
			return !f.mayStandBeside(stms[i], stms[j]) || !slices.Equal(stms[i].Aux.Attrs, stms[j].Aux.Attrs)
		}
		if !slices.ContainsFunc(g.twins, apart) {
			if before, ok := f.moveUp(stms, g, j); ok {
				g = group{append(slices.Clip(g.twins), j), append(g.before, before...)}
			}
		}
	}
	slices.Sort(g.before)
	return g
}

// moveUp finds what has to go before the maps of a group so that statement j can stand with them: views and scalars that cannot fail.
func (f *fuser) moveUp(stms []*core.Stm, g group, j int) ([]int, bool) {
	var before []int
	moved := []*core.Stm{stms[j]}
	needs := func(s *core.Stm) bool {
		return slices.ContainsFunc(moved, func(t *core.Stm) bool { return f.uses(t, s) || f.conflict(t, s) })
	}
	for k := j - 1; k >= g.twins[0]; k-- {
		s := stms[k]
		switch {
		case slices.Contains(g.before, k) || !needs(s):
		case slices.Contains(g.twins, k) || !core.Pure(s.Exp) || s.Any(core.MayFail) || s.Any(core.Parallel):
			return nil, false
		default:
			before, moved = append(before, k), append(moved, s)
		}
	}
	return before, true
}

// zipped is the map for all of some maps of one function; nil if one of them may fail where the first one does not.
func (f *fuser) zipped(stms []*core.Stm, twins []int) *core.Stm {
	z := &zip{f: f, subs: make([]core.Subst, len(twins))}
	var own []copied
	for n, i := range twins {
		z.subs[n] = core.Subst{}
		own = append(own, copied{stms[i], n})
	}
	s := z.maps(own)
	if failing(s) > failing(stms[twins[0]]) {
		return nil
	}
	return s
}

// failing is how many nodes of a statement may fail.
func failing(s *core.Stm) int {
	n := 0
	core.Walk(&core.Body{Stms: []*core.Stm{s}}, func(s *core.Stm) bool {
		if core.MayFail(s.Exp) {
			n++
		}
		return true
	})
	return n
}

// joined are the statements of a body with s for the maps of a group.
func (g group) joined(stms []*core.Stm, s *core.Stm) []*core.Stm {
	var out []*core.Stm
	for k, t := range stms {
		switch {
		case k == g.twins[0]:
			for _, i := range g.before {
				out = append(out, stms[i])
			}
			out = append(out, s)
		case !slices.Contains(g.twins, k) && !slices.Contains(g.before, k):
			out = append(out, t)
		}
	}
	return out
}

// zip makes one code of several that differ in names alone.
type zip struct {
	f *fuser
	// subs have what stands for the variables of each code.
	subs []core.Subst
}

// copied is a statement of one of the codes: of which says its number.
type copied struct {
	*core.Stm
	of int
}

// bodies zips bodies: own says to which statements they belong. It returns the results of all, in order.
func (z *zip) bodies(bodies []*core.Body, own []copied) *core.Body {
	out := &core.Body{}
	for i := range bodies[0].Stms {
		var different []copied
		for k, b := range bodies {
			s := copied{z.subs[own[k].of].Stm(b.Stms[i]), own[k].of}
			if at := slices.IndexFunc(different, func(t copied) bool { return z.same(t, s) }); at >= 0 {
				for d, p := range s.Dst {
					z.subs[s.of][p.Var] = core.V(different[at].Dst[d].Var)
				}
			} else {
				different = append(different, s)
			}
		}
		out.Stms = append(out.Stms, z.statement(different)...)
	}
	for k, b := range bodies {
		for _, r := range b.Res {
			out.Res = append(out.Res, z.subs[own[k].of].Operand(r))
		}
	}
	return out
}

// same reports whether two statements bind the same values, which may be one: nothing is written over them.
func (z *zip) same(s, t copied) bool {
	mayShare := func(p core.Param) bool {
		return p.Type.Kind != core.KindAcc && (p.Type.Kind != core.KindArray || !z.f.aliases.Consumed(p.Var))
	}
	return slices.Equal(s.Aux.Certs, t.Aux.Certs) && mayShareAll(s.Dst, mayShare) && mayShareAll(t.Dst, mayShare) &&
		core.PrintAlike(z.f.fun, s.Exp) == core.PrintAlike(z.f.fun, t.Exp)
}

func mayShareAll(ps []core.Param, mayShare func(core.Param) bool) bool {
	return !slices.ContainsFunc(ps, func(p core.Param) bool { return !mayShare(p) })
}

// statement zips statements that differ: into one where it can.
func (z *zip) statement(own []copied) []*core.Stm {
	var joined *core.Stm
	if len(own) > 1 {
		switch e := core.Match(own[0].Exp).(type) {
		case *core.Loop:
			joined = z.loops(own)
		case *core.Screma:
			if onlyMaps(own[0].Stm) != nil && !slices.ContainsFunc(own, func(s copied) bool { return s.Exp.(*core.Screma).Size != e.Size }) {
				joined = z.maps(own)
			}
		case *core.WithAcc:
			joined = z.withAccs(own)
		default:
		}
	}
	if joined != nil {
		return []*core.Stm{joined}
	}
	var out []*core.Stm
	for _, s := range own {
		out = append(out, s.Stm)
	}
	return out
}

// statementOf is the statement for all of some, of which it does exp and binds dst.
func statementOf(own []copied, dst []core.Param, exp core.Exp) *core.Stm {
	aux := own[0].Aux
	for _, s := range own[1:] {
		aux = joinAux(s.Stm, &core.Stm{Aux: aux})
	}
	return &core.Stm{Dst: dst, Exp: exp, Aux: aux}
}

// maps zips maps of one size.
func (z *zip) maps(own []copied) *core.Stm {
	e := *own[0].Exp.(*core.Screma)
	l := &core.Lambda{}
	var dst []core.Param
	var bodies []*core.Body
	e.Arrays = nil
	for _, s := range own {
		m := s.Exp.(*core.Screma)
		for k, a := range m.Arrays {
			if at := slices.Index(e.Arrays, a); at >= 0 {
				z.subs[s.of][m.Map.Params[k].Var] = core.V(l.Params[at].Var)
			} else {
				e.Arrays, l.Params = append(e.Arrays, a), append(l.Params, m.Map.Params[k])
			}
		}
		l.Ret, dst, bodies = append(l.Ret, m.Map.Ret...), append(dst, s.Dst...), append(bodies, m.Map.Body)
	}
	l.Body = z.bodies(bodies, own)
	e.Map = l
	return statementOf(own, dst, &e)
}

// withAccs zips WithAccs.
func (z *zip) withAccs(own []copied) *core.Stm {
	e, l := &core.WithAcc{}, &core.Lambda{}
	var bodies []*core.Body
	for _, s := range own {
		w := s.Exp.(*core.WithAcc)
		e.Inputs, l.Params = append(e.Inputs, w.Inputs...), append(l.Params, w.Lambda.Params...)
		bodies = append(bodies, w.Lambda.Body)
	}
	l.Body = z.bodies(bodies, own)
	// All accumulators, and their arrays, come before what the lambdas return besides.
	var dst, others []core.Param
	var ret, otherRet []core.Type
	var res, otherRes []core.Operand
	rest := l.Body.Res
	for _, s := range own {
		w := s.Exp.(*core.WithAcc)
		n, u := len(w.Inputs), updated(s.Stm, w)
		dst, others = append(dst, s.Dst[:u]...), append(others, s.Dst[u:]...)
		ret, otherRet = append(ret, w.Lambda.Ret[:n]...), append(otherRet, w.Lambda.Ret[n:]...)
		mine := rest[:len(w.Lambda.Ret)]
		res, otherRes = append(res, mine[:n]...), append(otherRes, mine[n:]...)
		rest = rest[len(mine):]
	}
	l.Ret, l.Body.Res = append(ret, otherRet...), append(res, otherRes...)
	e.Lambda = l
	return statementOf(own, append(dst, others...), e)
}

// loops zips loops that count to one bound; nil if there are others.
func (z *zip) loops(own []copied) *core.Stm {
	first := own[0].Exp.(*core.Loop)
	if slices.ContainsFunc(own, func(s copied) bool {
		l := s.Exp.(*core.Loop)
		return !l.IsFor() || l.Bound != first.Bound
	}) {
		return nil
	}
	e := &core.Loop{Index: first.Index, Bound: first.Bound}
	var dst []core.Param
	var bodies []*core.Body
	for _, s := range own {
		l := s.Exp.(*core.Loop)
		if l != first {
			z.subs[s.of][l.Index.Var] = core.V(first.Index.Var)
		}
		e.Params, e.Init = append(e.Params, l.Params...), append(e.Init, l.Init...)
		dst, bodies = append(dst, s.Dst...), append(bodies, l.Body)
	}
	e.Body = z.bodies(bodies, own)
	return statementOf(own, dst, e)
}
