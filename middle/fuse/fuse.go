package fuse

import (
	"slices"

	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/pass"
)

// Pass is fusion.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "fuse",
	Doc:  "join SOACs so that arrays between them are not made",
	Run:  func(_ *pass.Context, p *core.Prog) *core.Prog { return functions.Map(p, function) },
}

func function(f *core.Fun) *core.Fun {
	g := *f
	g.Names = slices.Clip(f.Names)
	builder := core.NewBuilder(&g, core.ScopeOf(f))
	g.Body = unmoved(builder, f.Body)
	for again := true; again; again = views(&g) { // before SOACs side by side are one, whose results have views of several kinds
		g.Body = newFuser(&g, (*fuser).lastAlone, (*fuser).vertical).body(g.Body)
	}
	steps := []step{(*fuser).lastAlone, (*fuser).vertical, (*fuser).twins, (*fuser).horizontal, (*fuser).sink, (*fuser).pull}
	for again := true; again; again = views(&g) || loops(&g) || filters(&g) { // before filters of one array are one WithAcc
		g.Body = newFuser(&g, steps...).body(g.Body)
	}
	steps = append(steps, (*fuser).joinAccs)
	for again := true; again; again = views(&g) || loops(&g) || filters(&g) {
		g.Body = newFuser(&g, steps...).body(g.Body)
	}
	return &g
}

func newFuser(f *core.Fun, steps ...step) *fuser {
	return &fuser{
		aliases: core.AliasesOf(f), fun: f, free: map[*core.Stm]*core.VarSet{}, overwrites: map[*core.Stm]*core.VarSet{}, steps: steps,
		unfusible: map[pair]bool{}, notBeside: map[pair]bool{}, barred: map[pair]pair{}, texts: map[*core.Stm]string{},
	}
}

// step fuses once among the statements of a body, if it can.
type step func(f *fuser, stms []*core.Stm, res []core.Operand) ([]*core.Stm, bool)

// fuser works on one function. Facts about statements are kept, since
// statements do not change: steps look at the same pairs again after each one that is fused.
type fuser struct {
	fun     *core.Fun
	aliases *core.Aliases
	// branch is the innermost branch that the fuser is in, if it is in no loop of that, and inBranch what shares memory there, once asked.
	branch     *core.Body
	inBranch   *core.Aliases
	free       map[*core.Stm]*core.VarSet
	overwrites map[*core.Stm]*core.VarSet
	// defs are the expressions of variables of one statement, once defined has been asked.
	defs map[core.Var]core.Exp
	// needs is what host code needs, once hostNeeds has been asked.
	needs *core.VarSet
	steps []step // one is tried where those before it find nothing
	// unfusible and notBeside are pairs that vertical and horizontal cannot fuse, wherever they stand.
	unfusible, notBeside map[pair]bool
	// blocked says that vertical has left a pair that could be fused if it could meet, or if nobody else read what is between.
	blocked bool
	// barred has, of pairs that could not meet, a statement that the first cannot move over and one that the second cannot.
	barred map[pair]pair
	// texts has, of maps whose functions have loops, what those of one function have in common.
	texts map[*core.Stm]string
}

// pair is two statements of a body, in order.
type pair struct{ first, second *core.Stm }

// body fuses at its own level until nothing changes, then inside.
func (f *fuser) body(b *core.Body) *core.Body {
	stms := slices.Clone(b.Stms)
	for again := true; again; {
		again = false
		for _, try := range f.steps {
			if next, ok := try(f, stms, b.Res); ok {
				stms, again = next, true
				break
			}
		}
	}
	for i, s := range stms {
		stms[i] = &core.Stm{Dst: s.Dst, Exp: f.inside(s.Exp, f.body), Aux: s.Aux}
	}
	return &core.Body{Stms: stms, Res: b.Res}
}

// inside is an expression with what body makes of its bodies. In a round of a loop, what the round before has handed on shares no memory
// with arrays that this one makes, nor does in a branch what another one returns.
func (f *fuser) inside(e core.Exp, body func(*core.Body) *core.Body) core.Exp {
	aliases, branch, inBranch := f.aliases, f.branch, f.inBranch
	defer func() { f.aliases, f.branch, f.inBranch = aliases, branch, inBranch }()
	switch l := core.Match(e).(type) {
	case *core.Loop:
		f.aliases, f.branch, f.inBranch = aliases.Within(l.Body), nil, nil
		return core.MapBodies(e, body)
	case *core.If, *core.Switch:
		return core.MapBodies(e, func(b *core.Body) *core.Body {
			f.branch, f.inBranch = b, nil
			return body(b)
		})
	default:
		return core.MapBodies(e, body)
	}
}

// mayAlias reports whether two variables may share memory.
func (f *fuser) mayAlias(v, w core.Var) bool {
	if f.branch == nil {
		return f.aliases.MayAlias(v, w)
	}
	if f.inBranch == nil {
		f.inBranch = f.aliases.Within(f.branch)
	}
	return f.inBranch.MayAlias(v, w)
}

func (f *fuser) freeIn(s *core.Stm) *core.VarSet {
	vs := f.free[s]
	if vs == nil {
		vs = core.FreeInStm(s)
		f.free[s] = vs
	}
	return vs
}

// defined is the expression of a variable that the function bound alone in a statement when it was begun with; nil for others.
func (f *fuser) defined(o core.Operand) core.Exp {
	if f.defs == nil {
		f.defs = map[core.Var]core.Exp{}
		core.Walk(f.fun.Body, func(s *core.Stm) bool {
			if len(s.Dst) == 1 {
				f.defs[s.Dst[0].Var] = s.Exp
			}
			return true
		})
	}
	return f.defs[o.Var]
}

// hostNeeds reports whether host code needs one of some variables, which the function bound when it was begun with.
func (f *fuser) hostNeeds(ps []core.Param) bool {
	if f.needs == nil {
		f.needs = core.HostNeeds(f.fun)
	}
	return slices.ContainsFunc(ps, func(p core.Param) bool { return f.needs.Has(p.Var) })
}

// overwritten is what a statement overwrites, at any depth.
func (f *fuser) overwritten(s *core.Stm) *core.VarSet {
	vs := f.overwrites[s]
	if vs != nil {
		return vs
	}
	vs = &core.VarSet{}
	core.Walk(&core.Body{Stms: []*core.Stm{s}}, func(s *core.Stm) bool {
		for _, v := range core.Consumes(s.Exp) {
			vs.Add(v)
		}
		return true
	})
	f.overwrites[s] = vs
	return vs
}

// uses reports whether s uses anything that t binds.
func (f *fuser) uses(s, t *core.Stm) bool {
	free := f.freeIn(s)
	return slices.ContainsFunc(t.Dst, func(p core.Param) bool { return free.Has(p.Var) })
}

// conflict reports whether one of two statements overwrites what the other
// reads, so that their order matters.
func (f *fuser) conflict(s, t *core.Stm) bool {
	return f.overwritesFor(s, t) || f.overwritesFor(t, s)
}

func (f *fuser) overwritesFor(s, t *core.Stm) bool {
	for _, v := range f.overwritten(s).List() {
		for _, w := range f.freeIn(t).List() {
			if f.mayAlias(v, w) {
				return true
			}
		}
	}
	return false
}

// meet finds where statements i and j, i < j, can stand together: at j when i
// can move down, at i when j can move up, else -1.
func (f *fuser) meet(stms []*core.Stm, i, j int) int {
	between := stms[i+1 : j]
	p, c := stms[i], stms[j]
	if bars, ok := f.barred[pair{p, c}]; ok && slices.Contains(between, bars.first) && slices.Contains(between, bars.second) {
		return -1
	}
	down := slices.IndexFunc(between, func(s *core.Stm) bool { return f.uses(s, p) || f.conflict(s, p) })
	if down < 0 {
		return j
	}
	up := slices.IndexFunc(between, func(s *core.Stm) bool { return f.uses(c, s) || f.conflict(s, c) })
	if up < 0 {
		return i
	}
	f.barred[pair{p, c}] = pair{between[down], between[up]}
	return -1
}

// merged replaces statements i and j by one, at one of their places.
func merged(stms []*core.Stm, i, j, at int, s *core.Stm) []*core.Stm {
	out := make([]*core.Stm, 0, len(stms)-1)
	for k, t := range stms {
		switch k {
		case at:
			out = append(out, s)
		case i, j:
		default:
			out = append(out, t)
		}
	}
	return out
}

// neededElsewhere reports whether v is used by a statement other than those
// two, or by the results.
func (f *fuser) neededElsewhere(v core.Var, stms []*core.Stm, i, j int, res []core.Operand) bool {
	for k, s := range stms {
		if k != i && k != j && f.freeIn(s).Has(v) {
			return true
		}
	}
	return slices.ContainsFunc(res, func(o core.Operand) bool { return o.IsVar(v) })
}
