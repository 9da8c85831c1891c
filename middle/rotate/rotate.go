package rotate

import (
	"slices"

	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/pass"
	"skald/runtime/prim"
)

// Note [Rotated loops]
//
// A loop of the host goes over arrays whose length a kernel has computed, as it begins with the result of a filter; each round reduces them
// first, and the host needs the result to go on:
//
//	loop (more, ys) = (true, filter p xs) while more do
//	  let s = i32.sum ys
//	  in if s > 100 then (true, filter (q s) ys) else (false, ys)
//
// The host waits for the length, to launch the reduction, and then for the sum. If the reduction is computed where the array is made, it
// reads what the filter reads (Note [Readers of filters] in package fuse), and the host waits once for both. So what a round computes first
// is computed at the end of the round before, and for the first round before the loop, and handed on:
//
//	loop (more, ys, s) = (true, ys0, i32.sum ys0) while more do
//	  if s > 100 then let zs = filter (q s) ys in (true, zs, i32.sum zs) else (false, ys, 0)
//
// That is done in the branch that makes the array, if one does; in branches behind which there is no further round it is not. Elsewhere the
// last round does it in vain, so that it must not fail, but for what elements may fail at if there is no further round where there are no
// elements. Only reductions and last elements of scans move, as there are at the begin of a round, that need nothing of it but its arrays
// and what maps and scalar code make of them. How many elements a filter keeps stays, as the host reads it with what the round ends with.

// Pass rotates loops.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "rotate",
	Doc:  "compute what rounds of loops begin with where their arrays are made",
	Run: func(_ *pass.Context, p *core.Prog) *core.Prog {
		return functions.MapHost(p, function)
	},
}

// function rotates the loops of a function that are the host's.
func function(f *core.Fun) *core.Fun {
	whiles := func(e core.Exp) bool { l, ok := e.(*core.Loop); return ok && !l.IsFor() }
	if !core.Any(f.Body, whiles) {
		return f
	}
	g := *f
	g.Names = slices.Clip(f.Names)
	r := &rotator{fun: &g, needs: core.HostNeeds(f), defs: map[core.Var]*core.Stm{}}
	g.Body = r.body(f.Body)
	if !r.changed {
		return f
	}
	return &g
}

// rotator rotates the loops of a function.
type rotator struct {
	fun     *core.Fun
	needs   *core.VarSet           // what the host needs
	defs    map[core.Var]*core.Stm // what binds variables
	changed bool
}

// body rotates the loops in a body.
func (r *rotator) body(b *core.Body) *core.Body {
	out := &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		switch core.Match(s.Exp).(type) {
		case *core.If, *core.Switch, *core.Loop:
			s = &core.Stm{Dst: s.Dst, Exp: core.MapBodies(s.Exp, r.body), Aux: s.Aux}
		default:
		}
		if l, ok := s.Exp.(*core.Loop); ok && !l.IsFor() {
			out.Stms = append(out.Stms, r.loop(s, l)...)
		} else {
			out.Stms = append(out.Stms, s)
		}
		for _, p := range s.Dst {
			r.defs[p.Var] = s
		}
	}
	return out
}

// loop is a loop, rotated if that pays, and what comes before it.
func (r *rotator) loop(s *core.Stm, l *core.Loop) []*core.Stm {
	a := r.start(l)
	if a == nil {
		return []*core.Stm{s}
	}
	r.changed = true
	before, values := a.at(l.Init)
	out := *l
	out.Params = append(slices.Clip(l.Params), a.results...)
	out.Init = append(slices.Clip(l.Init), values...)
	out.Body = a.end(&core.Body{Stms: a.rest, Res: l.Body.Res}, l.Body.Res, l.Body.Res[a.condition])
	dst := slices.Clip(s.Dst)
	for _, p := range a.results {
		dst = append(dst, core.Param{Var: r.fun.Fresh(r.fun.Base(p.Var)), Type: p.Type})
	}
	return append(before, &core.Stm{Dst: dst, Exp: &out, Aux: s.Aux})
}

// start is what a round computes first.
type start struct {
	*rotator
	params    []core.Param // of the loop
	condition int          // which of them is its condition
	reads     []int        // which of them it needs
	stms      []*core.Stm
	results   []core.Param // of reductions
	rest      []*core.Stm  // the round without it
}

// start finds what rounds of a loop compute first that the host needs; nil if there is nothing, or if it would not be beside a filter.
func (r *rotator) start(l *core.Loop) *start {
	a := &start{
		rotator: r, params: l.Params,
		condition: slices.IndexFunc(l.Params, func(p core.Param) bool { return p.Var == l.While }),
	}
	var moves []*core.Stm // reductions, and what reads the last element of a scan
	needed := &core.VarSet{}
	for i, s := range l.Body.Stms {
		if !r.reduces(s) && (!r.takesLast(s) || startsWith(l.Body, s.Dst[0].Var)) {
			continue
		}
		vars := core.FreeInStm(s)
		before := core.Needed(l.Body.Stms[:i], vars)
		if slices.ContainsFunc(append(before, s), func(s *core.Stm) bool { return r.hinders(l, s) }) || !r.filtered(l, vars) {
			continue
		}
		moves = append(moves, s)
		needed.AddAll(vars)
		for _, p := range s.Dst {
			needed.Add(p.Var)
		}
	}
	if len(moves) == 0 {
		return nil
	}
	for _, s := range moves {
		a.results = append(a.results, s.Dst...)
	}
	a.stms = core.Needed(l.Body.Stms, needed)
	for i, p := range l.Params {
		if needed.Has(p.Var) {
			a.reads = append(a.reads, i)
		}
	}
	live := &core.VarSet{}
	for _, o := range l.Body.Res {
		live.Add(o.Var)
	}
	for _, s := range slices.Backward(l.Body.Stms) {
		used := slices.ContainsFunc(s.Dst, func(p core.Param) bool { return live.Has(p.Var) })
		if slices.Contains(moves, s) || slices.Contains(a.stms, s) && !used {
			continue
		}
		live.AddFree(s)
		a.rest = append(a.rest, s)
	}
	slices.Reverse(a.rest)
	return a
}

// reduces reports whether a statement reduces arrays to scalars, one of which the host needs.
func (r *rotator) reduces(s *core.Stm) bool {
	e, ok := s.Exp.(*core.Screma)
	return ok && len(e.Scans) == 0 && len(s.Dst) == core.Width(e.Reds) && len(s.Aux.Certs) == 0 &&
		!slices.ContainsFunc(s.Dst, func(p core.Param) bool { return !p.Type.IsScalar() }) &&
		slices.ContainsFunc(s.Dst, func(p core.Param) bool { return r.needs.Has(p.Var) })
}

// takesLast reports whether a statement reads the last element of a scan, if there is one, that the host needs.
func (r *rotator) takesLast(s *core.Stm) bool {
	if len(s.Dst) != 1 || !s.Dst[0].Type.IsScalar() || !r.needs.Has(s.Dst[0].Var) || len(s.Aux.Certs) > 0 {
		return false
	}
	last := s
	if e, ok := s.Exp.(*core.If); ok && len(e.Then.Stms) == 0 {
		last = r.defs[e.Else.Res[0].Var]
	}
	if last == nil {
		return false
	}
	read, ok := last.Exp.(*core.Index)
	if !ok || len(read.Slice) != 1 {
		return false
	}
	scan, ok := r.def(core.V(read.Array)).(*core.Screma)
	if !ok || len(scan.Scans) == 0 {
		return false
	}
	at, ok := r.def(read.Slice[0].Off).(*core.Bin)
	return ok && at.Op == prim.Sub && at.X == scan.Size && at.Y == core.Int(1)
}

// startsWith reports whether code takes so many first elements of an array: then the number is how many a filter keeps, which that counts
// anyway.
func startsWith(b *core.Body, n core.Var) bool {
	return core.Any(b, func(e core.Exp) bool {
		view, ok := e.(*core.Index)
		return ok && slices.ContainsFunc(view.Slice, func(d core.Dim) bool { return !d.Fix && d.Len.IsVar(n) })
	})
}

// def is the expression of the statement that binds a variable; nil for parameters.
func (r *rotator) def(o core.Operand) core.Exp {
	if s := r.defs[o.Var]; s != nil {
		return s.Exp
	}
	return nil
}

// hinders reports whether a statement of a loop must not be computed in vain, or before what comes before it: it may fail, not end, or
// overwrite an array. What each element may fail at does not hinder if there are elements in each round.
func (r *rotator) hinders(l *core.Loop, s *core.Stm) bool {
	n, _ := core.SizeOf(s.Exp)
	some := r.goesOnWhile(l, n)
	return s.Any(func(e core.Exp) bool {
		switch core.Match(e).(type) {
		case *core.Loop, *core.Call, *core.Trace, *core.WithAcc, *core.UpdateAcc:
			return true
		case *core.Assert:
			return !some
		default:
			return core.MayFail(e) || len(core.Consumes(e)) > 0
		}
	})
}

// goesOnWhile reports whether there is a round of a loop only if its parameter n is above zero.
func (r *rotator) goesOnWhile(l *core.Loop, n core.Operand) bool {
	size := slices.IndexFunc(l.Params, func(p core.Param) bool { return n.IsVar(p.Var) })
	if size < 0 {
		return false
	}
	more := slices.IndexFunc(l.Params, func(p core.Param) bool { return p.Var == l.While })
	above := func(values []core.Operand) bool {
		if values[more] == core.C(prim.MakeBool(true)) {
			return true // So there is one, whatever is computed for it.
		}
		c, ok := r.def(values[more]).(*core.Cmp)
		return ok && (c.Op == prim.Gt || c.Op == prim.Ne) && c.X == values[size] && c.Y == core.Int(0)
	}
	return above(l.Init) && above(l.Body.Res)
}

// filtered reports whether one of some variables is an array of a loop whose length the host reads, before the loop or in a round.
func (r *rotator) filtered(l *core.Loop, vars *core.VarSet) bool {
	for _, p := range l.Params {
		if !vars.Has(p.Var) || !p.Type.IsArray() {
			continue
		}
		i := slices.IndexFunc(l.Params, func(q core.Param) bool { return p.Type.Shape[0].IsVar(q.Var) })
		if i >= 0 && (r.read(l.Init[i]) || r.read(l.Body.Res[i])) {
			return true
		}
	}
	return false
}

// read reports whether a scalar is an element of an array, or that in a branch, or computed from one.
func (r *rotator) read(o core.Operand) bool {
	s := r.defs[o.Var]
	if s == nil {
		return false
	}
	switch e := core.Match(s.Exp).(type) {
	case *core.Index:
		return true
	case *core.Bin:
		return r.read(e.X) || r.read(e.Y)
	case *core.If:
		k := slices.Index(core.ParamVars(s.Dst), o.Var)
		return r.read(e.Then.Res[k]) || r.read(e.Else.Res[k])
	default:
		return false
	}
}

// at is what a round computes first if the loop's parameters have some values, and its results.
func (a *start) at(values []core.Operand) ([]*core.Stm, []core.Operand) {
	sub := core.Subst{}
	for i, p := range a.params {
		sub[p.Var] = values[i]
	}
	rename := core.NewRenamer(a.fun, a.fun, sub)
	var stms []*core.Stm
	for _, s := range a.stms {
		stms = append(stms, rename.Stm(s))
	}
	var results []core.Operand
	for _, p := range a.results {
		results = append(results, rename.Operand(core.V(p.Var)))
	}
	return stms, results
}

// end is the end of a round, with what the next one computes first. It is a body, at the end of which the loop's parameters have some
// values and its condition is one of them; the results are the body's own and those of what the next round computes first.
func (a *start) end(b *core.Body, next []core.Operand, more core.Operand) *core.Body {
	if more == core.C(prim.MakeBool(false)) {
		return &core.Body{Stms: b.Stms, Res: slices.Concat(b.Res, core.Zeros(a.results))}
	}
	if i := a.madeIn(b, next); i >= 0 {
		return a.inBranches(b, i, next, more)
	}
	stms, results := a.at(next)
	return &core.Body{Stms: slices.Concat(b.Stms, stms), Res: append(slices.Clip(b.Res), results...)}
}

// madeIn is the last statement of a body that makes one of the values that the next round begins with, if that is a branch; else -1.
func (a *start) madeIn(b *core.Body, next []core.Operand) int {
	for i, s := range slices.Backward(b.Stms) {
		if slices.ContainsFunc(a.reads, func(k int) bool { return slices.Contains(core.ParamVars(s.Dst), next[k].Var) }) {
			if _, ok := s.Exp.(*core.If); ok {
				return i
			}
			return -1
		}
	}
	return -1
}

// holds says that a condition does.
const holds = true

// inBranches is end in the sides of the branch that is statement i.
func (a *start) inBranches(b *core.Body, i int, next []core.Operand, more core.Operand) *core.Body {
	s := b.Stms[i]
	e := s.Exp.(*core.If)
	side := func(side *core.Body, cond bool) *core.Body {
		in := func(o core.Operand) core.Operand {
			if k := slices.Index(core.ParamVars(s.Dst), o.Var); o.Var != 0 && k >= 0 {
				o = side.Res[k]
			}
			if o == e.Cond {
				return core.C(prim.MakeBool(cond))
			}
			return o
		}
		values := slices.Clone(next)
		for k := range values {
			values[k] = in(values[k])
		}
		return a.end(side, values, in(more))
	}
	out := *e
	out.Then, out.Else = side(e.Then, holds), side(e.Else, !holds)
	dst, res := slices.Clip(s.Dst), slices.Clip(b.Res)
	for _, p := range a.results {
		q := core.Param{Var: a.fun.Fresh(a.fun.Base(p.Var)), Type: p.Type}
		dst, res = append(dst, q), append(res, core.V(q.Var))
	}
	stms := slices.Clone(b.Stms)
	stms[i] = &core.Stm{Dst: dst, Exp: &out, Aux: s.Aux}
	return &core.Body{Stms: stms, Res: res}
}
