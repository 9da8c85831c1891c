package layout

import (
	"slices"

	"skald/middle/core"
	"skald/middle/pass"
	"skald/runtime/prim"
)

// Note [Copies]
//
// An array that comes from outside, or whose order its maker cannot change, is copied, transposed, for a kernel that reads it far apart
// more often than a copy costs (Note [Traffic]), if no other read of it by the kernel would lose by that. How often that is follows from
// sizes and from the loops of the host: what loops do not change is copied before them. So the kernel is there twice, as it was
// and with the copies, and where the program runs costs decide. Where the copy is made before loops, the same decision says how much of the
// array is copied: all or nothing.
//
// A copy before a loop is made only if the kernel will run: the conditions of the branches around it inside the loop must be known before,
// as those of versions are. The arrays that are copied for one kernel share one decision.

// leastLanes is how many elements an array must have along the dimension in which neighbouring threads differ: those of a subgroup. Fewer
// rows are in the cache. leastSpread is the part of a line that a row takes at least: of shorter rows neighbours share lines.
const (
	leastLanes  = 32
	leastSpread = 0.5
)

// transposed is an array that a kernel reads from a copy with dim as its innermost dimension.
type transposed struct {
	array core.Var
	dim   int
}

// plan is what is copied for a kernel, where, and when that pays.
type plan struct {
	before *core.Stm // the kernel, or a loop around it
	arrays []transposed
	gain   []trips // what the copies save
	loops  []core.Operand
	guards []guard
	// what the writer has made at before: whether it pays, and the copies.
	pays core.Operand
	made []core.Var
}

// guard is a condition that a branch around the kernel goes by.
type guard struct {
	cond core.Operand
	is   bool
}

// copies makes copies for kernels: see Note [Copies].
func copies(f *core.Fun) *core.Fun {
	g := *f
	g.Names = slices.Clip(f.Names)
	g.Body = core.Hoisted(f.Body)
	p := &planner{arrays: arraysOf(&g), plans: map[*core.Stm]*plan{}}
	whole := func(v core.Var) (view, bool) {
		t, ok := p.types[v]
		return wholeView(v, t.Rank()), ok && t.IsArray()
	}
	pass.Together(
		func() { p.aliases = core.AliasesOf(&g) },
		func() { p.kernels = kernelsIn(g.Body, whole, p.typeOf, readByCopy) },
	)
	p.body(g.Body)
	if len(p.plans) == 0 {
		return f
	}
	w := &copier{Builder: core.NewBuilder(&g, core.ScopeOf(&g)), plans: p.plans, at: map[*core.Stm][]*plan{}}
	for _, s := range p.order {
		w.at[p.plans[s].before] = append(w.at[p.plans[s].before], p.plans[s])
	}
	g.Body = w.body(g.Body)
	return &g
}

// frame is a statement around the code at hand: a loop, a branch whose condition is or is not as said, or another.
type frame struct {
	stm   *core.Stm
	guard guard
}

// planner looks at kernels.
type planner struct {
	*arrays
	*kernels
	aliases *core.Aliases
	frames  []frame
	plans   map[*core.Stm]*plan
	order   []*core.Stm
}

func (p *planner) body(b *core.Body) {
	for _, s := range b.Stms {
		if e, body := kernelOf(s); body != nil {
			p.kernel(s, e)
			continue
		}
		if e, ok := s.Exp.(*core.If); ok {
			p.within(frame{s, guard{e.Cond, true}}, e.Then)
			p.within(frame{s, guard{e.Cond, false}}, e.Else)
			continue
		}
		if _, ok := s.Exp.(core.Seg); !ok {
			core.MapBodies(s.Exp, func(b *core.Body) *core.Body { p.within(frame{stm: s}, b); return b })
		}
	}
}

func (p *planner) within(f frame, b *core.Body) {
	p.frames = append(p.frames, f)
	p.body(b)
	p.frames = p.frames[:len(p.frames)-1]
}

// readByCopy is the index in which neighbouring threads of a kernel differ, if it may read copies: one whose results are arrays, as a
// branch that returned a number would make the host wait for it.
func readByCopy(s *core.Stm, e core.Seg, tiled bool) []core.Var {
	switch m := e.(type) {
	case *core.SegMap:
		if tiled || moves(m) {
			return nil
		}
	case *core.SegRed, *core.SegHist: // See Note [Columns]; threads of histograms may take runs of points.
		return nil
	case *core.SegScan:
		if len(lanesOf(e)) > 1 {
			return nil
		}
	}
	if slices.ContainsFunc(s.Dst, func(q core.Param) bool { return !q.Type.IsArray() }) {
		return nil
	}
	return lanesOf(e)[:1]
}

// kernel plans copies for a kernel.
func (p *planner) kernel(s *core.Stm, e core.Seg) {
	r := p.reads[lanesOf(e)[0]]
	if r == nil {
		return
	}
	pl := &plan{before: s}
	for _, v := range core.FreeInStm(s).List() {
		if t, ok := p.types[v]; ok && t.IsArray() && !r.handed[v] {
			p.add(pl, v, r.reads)
		}
	}
	if len(pl.arrays) == 0 {
		return
	}
	p.hoist(pl)
	if p.mayPay(pl) {
		p.plans[s] = pl
		p.order = append(p.order, s)
	}
}

// add plans to copy an array, if the kernel reads it far apart.
func (p *planner) add(pl *plan, v core.Var, reads []read) {
	t, inner := p.types[v], p.innermostOf(v)
	if inner < 0 || t.Rank() < 2 || spread(t, inner, lineBytes) < leastSpread {
		return
	}
	reads = slices.DeleteFunc(slices.Clone(reads), func(r read) bool { return r.root != v })
	best, bestDim := []trips(nil), -1
	most := 0.0
	for d := range t.Rank() {
		if n, ok := t.Shape[d].ConstInt(); d == inner || ok && n < leastLanes {
			continue
		}
		var gain []trips
		sum := 0.0
		for _, x := range saved(t, reads, inner, d) {
			gain = append(gain, x)
			sum += x.perElement(t.Shape)
		}
		if sum > most {
			best, bestDim, most = gain, d, sum
		}
	}
	if bestDim >= 0 {
		pl.arrays, pl.gain = append(pl.arrays, transposed{v, bestDim}), append(pl.gain, best...)
	}
}

// saved is what a copy of an array saves whose elements lie side by side along the dimension after, not before. An element that is read
// apart takes a sector once; when it, or one of a neighbouring row, is read again, it is in the cache.
func saved(t core.Type, reads []read, before, after int) []trips {
	var out []trips
	apart := 0.0
	for _, r := range reads {
		if _, ok := r.lane(); !ok && r.loses(t, before, after) {
			return nil
		}
		x, y := r.cost(t, before), r.cost(t, after)
		if c := min(x, costWalked) - min(y, costWalked); c != 0 {
			out = append(out, trips{c * r.k, r.by})
		}
		apart = max(apart, x-costWalked)
		if y > costWalked {
			return nil
		}
	}
	if apart > 0 {
		out = append(out, trips{k: apart}.timesAll(t.Shape))
	}
	return out
}

// innermostOf is the dimension of an array, which may be a view, along which its elements lie side by side; -1 if it has none of it.
func (p *planner) innermostOf(v core.Var) int {
	w := p.views[v]
	if inner := p.innermost(w.root); inner >= 0 && inner < len(w.dims) {
		return w.dims[inner].open
	}
	return -1
}

// hoist moves copies before the outermost loop that changes nothing of what they and their decision depend on.
func (p *planner) hoist(pl *plan) {
	loops, guards := []core.Operand(nil), []guard(nil)
	for _, f := range slices.Backward(p.frames) {
		switch e := core.Match(f.stm.Exp).(type) {
		case *core.If:
			guards = append(guards, f.guard)
		case *core.Loop:
			n := core.Int(someTrips)
			bound := core.BoundIn(f.stm)
			if e.IsFor() && !bound.Has(e.Bound.Var) {
				n = e.Bound
			}
			loops = append(loops, n)
			if !p.stays(pl, guards, bound) {
				return
			}
			pl.before, pl.loops, pl.guards = f.stm, slices.Clone(loops), slices.Clone(guards)
		default:
			return
		}
	}
}

// stays reports whether a loop, which binds variables, leaves alone what a plan's copies need.
func (p *planner) stays(pl *plan, guards []guard, bound *core.VarSet) bool {
	for _, g := range guards {
		if bound.Has(g.cond.Var) {
			return false
		}
	}
	for _, a := range pl.arrays {
		if bound.Has(a.array) || p.aliases.Consumed(a.array) {
			return false
		}
		for _, n := range p.types[a.array].Shape {
			if bound.Has(n.Var) {
				return false
			}
		}
	}
	return true
}

// mayPay reports whether copies can pay at all: sizes that do not cancel count as someTrips.
func (p *planner) mayPay(pl *plan) bool {
	gain, cost := 0.0, 0.0
	shape := p.types[pl.arrays[0].array].Shape
	if n, ok := constant(shape); ok {
		cost = costCopyLaunch / n
	}
	for _, g := range pl.gain {
		gain += g.timesAll(pl.loops).perElement(shape)
	}
	for _, a := range pl.arrays {
		cost += trips{k: costCopy}.timesAll(p.types[a.array].Shape).perElement(shape)
	}
	return gain > cost
}

// constant is the product of sizes, if these are constants.
func constant(shape []core.Operand) (n float64, ok bool) {
	t := trips{k: 1}.timesAll(shape)
	return max(t.k, 1), len(t.by) == 0
}

// copier rewrites host code.
type copier struct {
	*core.Builder
	plans map[*core.Stm]*plan
	at    map[*core.Stm][]*plan
}

func (w *copier) body(b *core.Body) *core.Body {
	outer := w.Builder
	w.Builder = outer.Nested()
	for _, s := range b.Stms {
		w.Where = s.Aux.Where
		for _, pl := range w.at[s] {
			w.decide(pl)
		}
		switch pl := w.plans[s]; {
		case pl != nil:
			w.both(s, pl)
		default:
			if _, seg := s.Exp.(core.Seg); !seg {
				n := *s
				n.Exp = core.MapBodies(s.Exp, w.body)
				s = &n
			}
			w.Add(s)
		}
	}
	out := w.Body(b.Res...)
	w.Builder = outer
	return out
}

// decide computes whether a plan pays, and copies if the place is before a loop.
func (w *copier) decide(pl *plan) {
	gain, cost := real(0), real(0)
	for _, g := range pl.gain {
		gain = w.Bin(prim.Add, gain, amount(w.Builder, g.timesAll(pl.loops)))
	}
	for _, a := range pl.arrays {
		n := amount(w.Builder, trips{k: costCopy}.timesAll(w.TypeOf(core.V(a.array)).Shape))
		cost = w.Bin(prim.Add, cost, w.Bin(prim.Add, n, real(costCopyLaunch)))
	}
	pl.pays = w.Cmp(prim.Lt, cost, gain)
	for _, a := range pl.arrays {
		if n := w.TypeOf(core.V(a.array)).Shape[a.dim]; n.Var != 0 {
			pl.pays = w.Bin(prim.LogAnd, w.Cmp(prim.Le, core.Int(leastLanes), n), pl.pays)
		}
	}
	for _, g := range pl.guards {
		is := g.cond
		if !g.is {
			is = w.Un(prim.Not, is)
		}
		pl.pays = w.Bin(prim.LogAnd, is, pl.pays)
	}
	if w.plans[pl.before] == pl {
		return
	}
	for _, a := range pl.arrays {
		t := w.TypeOf(core.V(a.array))
		outermost := w.outermost(a)
		n := w.If("n", pl.pays, []core.Type{core.I64},
			func(*core.Builder) []core.Operand { return []core.Operand{t.Shape[outermost]} },
			func(*core.Builder) []core.Operand { return []core.Operand{core.Int(0)} })[0]
		sl := core.FullSlice(t)
		sl[outermost].Len = n
		part := w.LetVar(w.Fun.Base(a.array), &core.Index{Array: a.array, Slice: sl})
		pl.made = append(pl.made, w.copy(w.Builder, transposed{part, a.dim}))
	}
}

// outermost is the dimension of an array that is the outermost of its copy.
func (w *copier) outermost(a transposed) int {
	if a.dim == 0 {
		return 1
	}
	return 0
}

// copy copies an array with its dimension dim innermost.
func (w *copier) copy(b *core.Builder, a transposed) core.Var {
	perm := append(slices.Delete(rowsFirst(0, b.TypeOf(core.V(a.array)).Rank()), a.dim, a.dim+1), a.dim)
	v := b.LetVar(b.Fun.Base(a.array), &core.Rearrange{Perm: perm, Array: a.array})
	return b.LetVar(b.Fun.Base(a.array), &core.Copy{Array: v})
}

// both makes a kernel in two versions, with copies and without.
func (w *copier) both(s *core.Stm, pl *plan) {
	version := func(b *core.Builder, sub core.Subst) []core.Operand {
		n := core.NewRenamer(b.Fun, b.Fun, sub).Stm(s)
		b.Add(n)
		return core.Vars(core.ParamVars(n.Dst))
	}
	w.IfParams(s.Dst, pl.pays, func(b *core.Builder) []core.Operand {
		sub := core.Subst{}
		for i, a := range pl.arrays {
			sub[a.array] = core.V(w.reads(b, pl, i))
		}
		return version(b, sub)
	}, func(b *core.Builder) []core.Operand { return version(b, core.Subst{}) })
}

// reads is an array of a plan as a view of its copy.
func (w *copier) reads(b *core.Builder, pl *plan, i int) core.Var {
	a := pl.arrays[i]
	t := b.TypeOf(core.V(a.array))
	var made core.Var
	if pl.made == nil {
		made = w.copy(b, a)
	} else {
		all := pl.made[i]
		shape := append(slices.Delete(slices.Clone(t.Shape), a.dim, a.dim+1), t.Shape[a.dim])
		made = b.LetVar(b.Fun.Base(all), &core.Index{Array: all, Slice: core.FullSlice(t.WithShape(shape))})
	}
	back := make([]int, t.Rank())
	for d := range back {
		switch {
		case d < a.dim:
			back[d] = d
		case d > a.dim:
			back[d] = d - 1
		default:
			back[d] = t.Rank() - 1
		}
	}
	return b.LetVar(b.Fun.Base(a.array), &core.Rearrange{Perm: back, Array: made})
}

// amount is how often something is done, times a number, as an f64.
func amount(b *core.Builder, t trips) core.Operand {
	x := real(t.k)
	for _, n := range t.by {
		x = b.Bin(prim.Mul, x, b.Conv(n, prim.F64))
	}
	return x
}

func real(x float64) core.Operand { return core.C(prim.MakeF64(x)) }
