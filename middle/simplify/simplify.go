package simplify

import (
	"slices"

	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/pass"
)

// Pass is simplification.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "simplify",
	Doc:  "fold, share, hoist and remove code, by rules, until nothing changes",
	Run: func(_ *pass.Context, p *core.Prog) *core.Prog {
		return functions.Map(p, func(f *core.Fun) *core.Fun { return Fun(f, p.Stage) })
	},
}

// rounds bounds the repetition; rules shrink programs, so it is never reached
// but by programs of absurd depth.
const rounds = 12

// Fun simplifies one function.
func Fun(f *core.Fun, stage core.Stage) *core.Fun { return simplified(f, stage, whereNeeded) }

// What rounds go through.
const (
	whereNeeded = false
	everywhere  = true
)

// simplified is Fun; whole says that each round goes through settled operations, too.
func simplified(f *core.Fun, stage core.Stage, whole bool) *core.Fun {
	g := *f
	g.Names = slices.Clip(f.Names)
	var before *round
	for range rounds {
		unroll := &unroller{fun: &g}
		s, unrolls := prepared(&g, stage)
		if unrolls {
			g.Body = unroll.body(g.Body)
			s, _ = prepared(&g, stage)
		}
		s.watch.before = before
		body := s.body(g.Body, nil)
		sweeper := newSweeper(&g, stage)
		if before != nil {
			sweeper.settled, sweeper.before = s.watch.settled, before.swept
		}
		body, trimmed := sweeper.function(body)
		g.Body = body
		if !s.changed && !trimmed && !unroll.changed {
			break
		}
		if whole {
			continue
		}
		before = &round{defs: s.defs, uses: s.uses, aliases: s.aliases, code: s.code, settled: s.watch.settled, swept: sweeper.swept}
	}
	return core.Renumbered(&g) // Note [Numbers of variables]
}

// prepared knows of a function what it takes to go through it. It also says whether to unroll loops before.
func prepared(f *core.Fun, stage core.Stage) (s *simplifier, unrolls bool) {
	s = &simplifier{
		stage: stage, sub: standIns{}, gone: map[core.Var]bool{}, defs: make([]*core.Stm, len(f.Names)), facts: newFacts(),
		avail: newAvailable(), same: map[core.Var]core.Var{}, needless: map[core.Var]bool{},
		neutral: map[core.Var][]core.Operand{}, structures: map[writtenAs]string{}, binders: newBinders(),
	}
	s.reads = core.Mapper{Operand: s.sub.Operand}
	s.facts.sizes(f.Params)
	pass.Together(
		func() { s.Builder = core.NewBuilder(f, core.ScopeOf(f)) },
		func() {
			s.code = core.AliasesInside(f)
			s.aliases = s.code.WithResults(f)
			if stage != core.StageMemory {
				needlessCopies(f.Body, s.aliases, s.needless)
			}
		},
		func() {
			if stage != core.StageMemory {
				s.uses, s.elements = usesOf(f, f.Body)
			}
		},
		func() { unrolls = stage != core.StageMemory && anyUnrolls(f.Body) },
	)
	return s, unrolls
}

// Note [Derivatives by integers]
//
// What the derivative of an integer operation is, is a convention: that of an element of `iota n` by its index is zero, and so is that of
// `x ^ 0` by x, where the code that would stand for them here has the derivative one. So functions whose derivatives pass through integers
// are not simplified before these are taken. Rules on floats keep derivatives.

// simplifier goes once through a function. Its builder holds the new code of
// the body at hand.
type simplifier struct {
	*core.Builder
	stage   core.Stage
	aliases *core.Aliases
	sub     standIns    // what stands for variables of the old code
	reads   core.Mapper // maps operands by sub, and leaves bodies as they are
	gone    map[core.Var]bool
	defs    []*core.Stm // new statements, by what they bind
	avail   *available
	same    map[core.Var]core.Var // variables that are equal to others: Note [Sharing of arrays]
	// structures are those of statements that agree in a sketch with others.
	structures map[writtenAs]string
	// code is as aliases, but does not count what the function returns as overwritten.
	code *core.Aliases
	// needless are copies that are not made: Note [Copies of a body].
	needless map[core.Var]bool
	// neutral are the neutral elements of the operators of accumulators.
	neutral map[core.Var][]core.Operand
	// uses are how often the code that is simplified mentions variables, and elements how often it reads elements of arrays where they are
	// made.
	uses, elements []int

	facts   *facts
	binders *binders
	watch   watch
	// computed are the constants of loops, for use once more.
	computed *constants
	changed  bool
}

func (s *simplifier) def(o core.Operand) core.Exp {
	if o.Var == 0 || int(o.Var) >= len(s.defs) || s.defs[o.Var] == nil {
		return nil
	}
	return s.defs[o.Var].Exp
}

// body simplifies a body. What hoist allows goes to the builder around it.
func (s *simplifier) body(b *core.Body, hoist *hoister) *core.Body {
	outer, avail, known := s.Builder, s.avail.mark(), s.facts.mark()
	s.Builder = outer.Nested()
	done := map[*core.Stm]bool{}
	for i, st := range b.Stms {
		if !done[st] {
			s.early(st, b.Stms[i+1:], done) // Note [Reductions beside scans]
			s.stm(s.joinLoops(st, b.Stms[i+1:], done))
		}
	}
	res := make([]core.Operand, len(b.Res))
	for i, r := range b.Res {
		res[i] = s.sub.Operand(r)
	}
	stms := s.Stms()
	s.Builder = outer
	s.avail.forget(avail)
	s.facts.forget(known)
	if hoist != nil {
		stms = s.hoist(hoist, stms)
	}
	if slices.Equal(stms, b.Stms) && slices.Equal(res, b.Res) {
		return b
	}
	return &core.Body{Stms: stms, Res: res}
}

// operands maps what a statement reads, not the bodies in it. It returns the statement itself where nothing changes.
func (s *simplifier) operands(st *core.Stm) *core.Stm {
	exp, dst, certs := core.MapExp(st.Exp, s.reads), s.reads.Params(st.Dst), s.certs(st.Aux.Certs)
	if exp == st.Exp && sameList(dst, st.Dst) && sameList(certs, st.Aux.Certs) {
		return st
	}
	n := &core.Stm{Dst: dst, Exp: exp, Aux: st.Aux}
	n.Aux.Certs = certs
	return n
}

// sameList reports whether one list is the other, and not a copy.
func sameList[T any](xs, ys []T) bool {
	return len(xs) == len(ys) && (len(xs) == 0 || &xs[0] == &ys[0])
}

// certs are the certificates that stand for some, each once and without those that are gone.
func (s *simplifier) certs(old []core.Var) []core.Var {
	var out []core.Var
	for _, c := range old {
		c = s.sub.Operand(core.V(c)).Var
		if !s.gone[c] && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	if slices.Equal(out, old) {
		return old
	}
	return out
}

// stm simplifies one statement and adds what remains of it.
func (s *simplifier) stm(st *core.Stm) {
	old, changes := st, s.watch.changes
	st = s.operands(st)
	if !s.isSettled(st) { // Note [Settled operations]
		if st = s.simpler(st); st == nil {
			return
		}
	}
	if st == old {
		s.settle(st)
	}
	within := s.watch.changes != changes
	if hash, ok := hashed(st.Exp); ok && s.repeatable(st) {
		if before := s.avail.alike(st.Exp, hash); before != nil {
			s.changed = true
			s.substitute(st, core.Vars(core.ParamVars(before.Dst)))
			return
		}
		s.avail.add(st, hash)
	} else if s.lastOfScan(st) || s.share(st) {
		return
	}
	s.add(st)
	if within {
		for _, p := range st.Dst {
			s.watch.mark(p.Var)
		}
	}
}

// simpler is a statement that does what another does, simplified; nil if operands stand for what it binds.
func (s *simplifier) simpler(st *core.Stm) *core.Stm {
	subs, rewritten := len(s.sub), false
	for range rounds {
		r := s.rewrite(st)
		if r == nil {
			break
		}
		s.changed, rewritten = true, true
		if r.values != nil {
			s.substitute(st, r.values)
			return nil
		}
		st = &core.Stm{Dst: st.Dst, Exp: r.exp, Aux: withCerts(st.Aux, r.certs)}
	}
	if exp := s.inside(st, !rewritten && len(s.sub) == subs); exp != st.Exp {
		st = &core.Stm{Dst: st.Dst, Exp: exp, Aux: st.Aux}
	}
	return st
}

// withCerts is aux with more certificates.
func withCerts(aux core.Aux, certs []core.Var) core.Aux {
	for _, c := range certs {
		if !slices.Contains(aux.Certs, c) {
			aux.Certs = append(slices.Clip(aux.Certs), c)
		}
	}
	return aux
}

func (s *simplifier) substitute(st *core.Stm, values []core.Operand) {
	for i, p := range st.Dst {
		s.stand(p.Var, values[i])
	}
}

// stand puts an operand in the place of a variable, which is used there, too.
func (s *simplifier) stand(v core.Var, o core.Operand) {
	s.sub.put(v, o)
	if int(max(v, o.Var)) < len(s.uses) {
		s.uses[o.Var] += s.uses[v]
		s.elements[o.Var] += s.elements[v]
	}
}

// add appends a finished statement and remembers what it defines.
func (s *simplifier) add(st *core.Stm) {
	s.Add(st)
	for _, p := range st.Dst {
		for int(p.Var) >= len(s.defs) {
			s.defs = append(s.defs, nil)
		}
		s.defs[p.Var] = st
	}
	s.define(st)
	s.watch.added(st)
}

// let adds a new scalar statement, for use by rules.
func (s *simplifier) let(base string, e core.Exp) core.Operand {
	in := s.Nested()
	o := in.Let(base, e)
	for _, st := range in.Stms() {
		s.add(st)
	}
	return o
}

// inside simplifies the bodies of an expression. mapped says that it has the operands that stand for those of the old code.
func (s *simplifier) inside(st *core.Stm, mapped bool) core.Exp {
	switch e := core.Match(st.Exp).(type) {
	case *core.Un, *core.Bin, *core.Cmp, *core.Conv, *core.Index: // Most statements are such, and have no bodies.
		if mapped {
			return st.Exp
		}
		return core.MapExp(st.Exp, s.reads)
	default:
		return s.watch.within(st, func() core.Exp { return s.insideBodies(st.Exp, e) })
	}
}

func (s *simplifier) insideBodies(exp core.Exp, pattern core.Pattern) core.Exp {
	m := s.reads
	m.Body = func(b *core.Body) *core.Body { return s.body(b, nil) }
	m.Lambda = func(l *core.Lambda) *core.Lambda { return s.lambda(l, m, nil) }
	switch e := pattern.(type) {
	case *core.Loop:
		return s.insideLoop(e, m)
	case *core.If:
		return s.insideBranches(e, m)
	case *core.WithAcc:
		for i, in := range e.Inputs {
			s.neutral[e.Lambda.Params[i].Var] = in.Neutral
		}
		return core.MapExp(e, m)
	case core.Seg:
		return s.insideKernel(e, m)
	case *core.Screma:
		return s.insideLambdas(e, e.Map, e.Arrays, e.Size, m)
	case *core.Hist:
		return s.insideLambdas(e, e.Bucket, e.Arrays, e.Size, m)
	case *core.Derivative:
		s.enter(e.Params, m)
		if e.Integers() {
			m.Body, m.Lambda = s.asItIs, nil
		}
		return core.MapExp(e, m)
	case *core.WithVjp:
		s.enter(e.Params, m)
		return core.MapExp(e, m)
	case *core.FlatMap:
		s.enter(e.Params, m)
		return core.MapExp(e, m)
	default:
		return core.MapExp(exp, m)
	}
}

// asItIs is a body with substitutions alone: see Note [Derivatives by integers].
func (s *simplifier) asItIs(b *core.Body) *core.Body {
	out := &core.Body{Stms: make([]*core.Stm, len(b.Stms)), Res: make([]core.Operand, len(b.Res))}
	for i, st := range b.Stms {
		n := *s.operands(st)
		n.Exp = core.MapBodies(n.Exp, s.asItIs)
		out.Stms[i] = &n
	}
	for i, r := range b.Res {
		out.Res[i] = s.sub.Operand(r)
	}
	return out
}

// enter makes the types of parameters known as they are by now: sizes that they mention may have been replaced.
func (s *simplifier) enter(ps []core.Param, m core.Mapper) { s.Scope.BindAll(m.Params(ps)) }

func (s *simplifier) lambda(l *core.Lambda, m core.Mapper, h *hoister) *core.Lambda {
	s.enter(l.Params, m)
	m.Lambda, m.Body = nil, func(b *core.Body) *core.Body { return s.body(b, h) }
	return m.LambdaParts(l)
}

// insideBranches simplifies branches: where one is taken, its condition says what is positive.
func (s *simplifier) insideBranches(e *core.If, m core.Mapper) core.Exp {
	out := core.If{Cond: m.Operand(e.Cond)}
	then, other := s.positiveWhere(out.Cond)
	s.facts.inside(then, func() { out.Then = m.Body(e.Then) })
	s.facts.inside(other, func() { out.Else = m.Body(e.Else) })
	if out == *e {
		return e
	}
	return &out
}

func (s *simplifier) insideLoop(e *core.Loop, m core.Mapper) (out core.Exp) {
	s.enter(e.Params, m)
	h := &hoister{}
	s.bind(h, e.Params...)
	s.bind(h, e.Index)
	s.facts.sizes(e.Params)
	m.Body = func(b *core.Body) *core.Body { return s.body(b, h) }
	if !e.IsFor() {
		return core.MapExp(e, m)
	}
	h.counts = []core.Operand{e.Bound}
	s.facts.counter(e.Index.Var, e.Bound)
	if !e.Index.Type.Same(core.I64) {
		return core.MapExp(e, m)
	}
	s.facts.inside([]core.Operand{e.Bound}, func() { out = core.MapExp(e, m) })
	return out
}

// insideLambdas simplifies the lambdas of a SOAC over arrays, of which
// main gets the elements.
func (s *simplifier) insideLambdas(
	e core.Exp, main *core.Lambda, arrays []core.Var, size core.Operand, m core.Mapper,
) (out core.Exp) {
	for i, a := range arrays {
		in, ok := s.def(core.V(a)).(*core.Iota)
		if ok && in.CountsFromZero() {
			s.facts.counter(main.Params[i].Var, in.N)
		}
	}
	m.Lambda = func(l *core.Lambda) *core.Lambda {
		h := &hoister{}
		if l == main {
			h.counts = []core.Operand{size}
		}
		s.bind(h, l.Params...)
		s.facts.sizes(l.Params)
		return s.lambda(l, m, h)
	}
	s.facts.inside([]core.Operand{size}, func() { out = core.MapExp(e, m) })
	return out
}

func (s *simplifier) insideKernel(e core.Seg, m core.Mapper) (out core.Exp) {
	sp := e.SpaceOf()
	if len(sp.Sizes) == 0 { // What is in there is on the device by intention: see package migrate.
		m.Body = func(b *core.Body) *core.Body { return s.body(b, nil) }
		return core.MapExp(e, m)
	}
	h := &hoister{kernel: true, counts: sp.Sizes}
	for i, id := range sp.Ids {
		s.binders.bind(h, id)
		s.facts.counter(id, sp.Sizes[i])
	}
	m.Body = func(b *core.Body) *core.Body { return s.body(b, h) }
	s.facts.inside(sp.Sizes, func() { out = core.MapExp(e, m) })
	return out
}
