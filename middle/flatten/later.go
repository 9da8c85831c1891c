package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Updates in loops and branches]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Points also meet where a loop of each updates elements that its counter tells, or a branch one, as derivatives of polynomials do for
// their coefficients:
//
//	segmap (i < n) { loop (acc, x) for j < k {… updateacc acc [j] (x) } }
//
// A kernel of the points then keeps what they update with, and a kernel of updates follows, for which Note [Updates that meet] holds:
//
//	let xs = segmap (i < n) { loop (xs, x) for j < k {… xs with [j] = x } }
//	segmap (i < n, j < k) { updateacc acc [j] (xs[i, j]) }
//
// A loop whose counter an index does not depend on combines its values by itself, and a branch that is not taken returns the neutral
// element. An accumulator is treated so if that holds for all of its updates in the kernel: scalar code computes each index, from the
// counters of loops that all points go through as often, and not from one of the point's numbers at least; or they are at indices that
// points have read (Note [Updates at indices that were read]).
//
// Where the arrays do not fit, points update as they are; so they do in outer versions, which run where points are few.

// laterUpdate is an update that a kernel of its own makes.
type laterUpdate struct {
	acc   core.Var // as types name it
	kind  updateKind
	index []core.Operand
	where []*core.Stm // what computes the index, but for what is kept
	// kept are the dimensions of the index that the points keep, as they have not computed them by scalar code alone.
	kept []int
	// stores are loops around that keep the values of each iteration, outermost first; those inside of them combine theirs.
	stores []*core.Loop
	// values are what is kept of the index and then what updates, arrays over the loops that are behind by now; counters are those of
	// these loops.
	values   []core.Operand
	counters []core.Param
}

// updateKind says which points update the same element.
type updateKind uint8

const (
	meeting   updateKind = iota // those of a dimension at least: Note [Updates that meet]
	scattered                   // any: Note [Updates at indices that were read]
	separate                    // none, or few
)

// later makes several kernels of one in which updates meet.
type later struct {
	*flattener
	m     *core.SegMap
	takes map[core.Var]bool          // accumulators whose updates come later
	ups   map[*core.Stm]*laterUpdate // these
	sizes map[*core.Loop]core.Operand
	// inside is what the kernel binds, carried what its loops carry, and depth in how many loops a variable is bound.
	inside, carried *core.VarSet
	depth           map[core.Var]int
	around          int // in how many loops code is being made
}

// updatesLater makes of a kernel in which updates meet, in loops or branches, kernels of which the last ones update, if it is one.
func (f *flattener) updatesLater(m *core.SegMap, outs []core.Param) bool {
	if m.Level != core.LevelGrid || f.asIs {
		return false
	}
	l := &later{
		flattener: f, m: m, takes: map[core.Var]bool{}, ups: map[*core.Stm]*laterUpdate{}, sizes: map[*core.Loop]core.Operand{},
		inside: &core.VarSet{}, carried: &core.VarSet{}, depth: map[core.Var]int{},
	}
	for _, o := range outs {
		if o.Type.Kind == core.KindAcc && f.accs[o.Type.Acc].Op != nil {
			l.takes[o.Type.Acc] = true
		}
	}
	if len(l.takes) == 0 {
		return false
	}
	l.note()
	l.find(m.Body, nil, nil)
	ups := l.taken()
	if len(ups) == 0 {
		return false
	}
	points := f.Product(m.Space.Sizes...)
	if u := ups[0]; len(ups) == 1 && len(outs) == 1 && u.kind == scattered && len(u.stores) == 0 && straight(m.Body) {
		l.either(ups, outs, l.histogramOfPoints, l.asTheyAre)
		return true
	}
	bytes := core.Int(0)
	for _, u := range ups {
		bytes = f.Add64(bytes, l.bytes(u, points))
	}
	if bytes == core.Int(0) {
		l.kernels(outs)
		return true
	}
	limit := f.Let("limit", &core.Fact{Name: "buffer_bytes"})
	fits := f.Cmp(cmpLe, bytes, f.Bin(prim.Quot, limit, core.Int(shareOfBuffer)))
	now := f.version(outs, l.asTheyAre)
	f.guard(outs, fits, f.version(outs, l.kernels), now)
	return true
}

// taken are the updates that come later, in the order of the kernel. Accumulators leave whose updates are apart from each other in part,
// and not scattered elsewhere.
func (l *later) taken() []*laterUpdate {
	var ups []*laterUpdate
	kinds := map[core.Var][separate + 1]bool{}
	core.Walk(l.m.Body, func(s *core.Stm) bool {
		if u := l.ups[s]; u != nil && l.takes[u.acc] {
			ups = append(ups, u)
			has := kinds[u.acc]
			has[u.kind] = true
			kinds[u.acc] = has
		}
		return true
	})
	return slices.DeleteFunc(ups, func(u *laterUpdate) bool {
		if kinds[u.acc][separate] && !kinds[u.acc][scattered] {
			delete(l.takes, u.acc)
			return true
		}
		if u.kind == separate {
			u.kind = scattered
		}
		return false
	})
}

// asTheyAre adds the kernel as it is.
func (l *later) asTheyAre(outs []core.Param) {
	copied, sub := *l.m, core.Subst{}
	copied.Space.Ids = make([]core.Var, len(l.m.Space.Ids))
	for i, id := range l.m.Space.Ids {
		fresh := l.Param(l.Fun.Base(id), core.I64)
		sub[id], copied.Space.Ids[i] = core.V(fresh.Var), fresh.Var
	}
	copied.Body = core.NewRenamer(l.Fun, l.Fun, sub).Body(l.m.Body)
	l.Scope.BindBody(copied.Body)
	l.Bind(outs, &copied)
}

// shareOfBuffer says what part of the largest buffer the values of updates may take together.
const shareOfBuffer = 2

// updating makes kernels that update where their code does.
func (f *flattener) updating(make func()) {
	outer := f.asIs
	f.asIs = true
	make()
	f.asIs = outer
}

// note finds what the kernel binds.
func (l *later) note() {
	for _, id := range l.m.Space.Ids {
		l.inside.Add(id)
	}
	core.Walk(l.m.Body, func(s *core.Stm) bool {
		for _, p := range s.Dst {
			l.inside.Add(p.Var)
		}
		if e, ok := s.Exp.(*core.Loop); ok {
			for _, p := range e.Params {
				l.inside.Add(p.Var)
				l.carried.Add(p.Var)
			}
			if e.IsFor() {
				l.inside.Add(e.Index.Var)
			}
		}
		return true
	})
}

// find looks at the updates in a body, inside of loops; around are the statements that it sees. Accumulators with updates that cannot come
// later leave.
func (l *later) find(b *core.Body, around []*core.Stm, loops []*core.Loop) {
	around = slices.Concat(around, b.Stms)
	for _, s := range b.Stms {
		for _, p := range s.Dst {
			l.depth[p.Var] = len(loops)
		}
		switch e := core.Match(s.Exp).(type) {
		case *core.UpdateAcc:
			acc := s.Dst[0].Type.Acc
			if u, ok := l.update(acc, e, around, loops); ok {
				l.ups[s] = u
			} else {
				delete(l.takes, acc)
			}
		case *core.Loop:
			for _, p := range append(slices.Clip(e.Params), e.Index) {
				l.depth[p.Var] = len(loops) + 1
			}
			l.find(e.Body, around, append(slices.Clip(loops), e))
		case *core.If:
			l.find(e.Then, around, loops)
			l.find(e.Else, around, loops)
		default:
			core.MapBodies(s.Exp, func(b *core.Body) *core.Body {
				core.Walk(b, func(s *core.Stm) bool {
					if _, ok := s.Exp.(*core.UpdateAcc); ok {
						delete(l.takes, s.Dst[0].Type.Acc)
					}
					return true
				})
				return b
			})
		}
	}
}

// update is an update that comes later; ok is false if it cannot.
func (l *later) update(acc core.Var, e *core.UpdateAcc, around []*core.Stm, loops []*core.Loop) (u *laterUpdate, ok bool) {
	if !l.takes[acc] {
		return nil, false
	}
	u = &laterUpdate{acc: acc, index: e.Index}
	vars, depth, read := &core.VarSet{}, 0, false
	for d, at := range e.Index {
		if at.Var == 0 {
			continue
		}
		mine := &core.VarSet{}
		mine.Add(at.Var)
		code, carried := core.Needed(around, mine), slices.ContainsFunc(mine.List(), l.carried.Has)
		if carried || slices.ContainsFunc(code, l.bound) {
			u.kept, u.values = append(u.kept, d), append(u.values, at)
			depth, read = max(depth, l.depth[at.Var]), read || carried || slices.ContainsFunc(code, reads)
			continue
		}
		vars.Add(at.Var)
	}
	u.where, u.values = core.Needed(around, vars), append(u.values, e.Values...)
	switch {
	case read:
		u.kind = scattered
	case len(u.kept) > 0:
		u.kind = separate
	case l.meet(vars):
		u.kind = meeting
	case slices.ContainsFunc(u.where, folds):
		u.kind = scattered
	default:
		u.kind = separate
	}
	for i, e := range loops {
		if e.IsFor() && vars.Has(e.Index.Var) {
			depth = max(depth, i+1)
		}
	}
	u.stores = loops[:depth]
	for _, e := range u.stores {
		if !e.IsFor() || l.inside.Has(e.Bound.Var) {
			return nil, false
		}
	}
	return u, true
}

// meet reports whether points update the same elements, as an index needs some variables.
func (l *later) meet(vars *core.VarSet) bool {
	for d, id := range l.m.Space.Ids {
		if size, known := l.m.Space.Sizes[d].ConstInt(); !vars.Has(id) && (!known || size > 1) {
			return true
		}
	}
	return false
}

// bound reports whether a statement has to stay where it is: others, of an index, are scalar code that works anywhere.
func (l *later) bound(s *core.Stm) bool {
	switch e := core.Match(s.Exp).(type) {
	case *core.Use:
		return l.TypeOf(e.X).Kind != core.KindScalar
	case *core.Bin:
		return !core.NeverFails(e)
	case core.Scalar:
		return false
	default:
		return true
	}
}

// size is how often a loop goes round.
func (l *later) size(e *core.Loop) core.Operand {
	n, ok := l.sizes[e]
	if !ok {
		n = l.Bin(prim.Max, l.Conv(e.Bound, prim.I64), core.Int(0))
		l.sizes[e] = n
	}
	return n
}

// times is how often the points make an update, those and iterations counted where it does not.
func (l *later) times(u *laterUpdate, points core.Operand) core.Operand {
	for _, e := range u.stores {
		points = l.Mul64(points, l.size(e))
	}
	return points
}

// bytes is what the arrays of an update take that loops make, for all points, and those of indices and what is updated there.
func (l *later) bytes(u *laterUpdate, points core.Operand) core.Operand {
	if len(u.stores) == 0 && u.kind == meeting {
		return core.Int(0)
	}
	n := l.times(u, points)
	bytes := len(u.kept) * prim.I64.Size()
	for _, t := range l.accs[u.acc].Op.Ret {
		bytes += t.Elem.Size()
	}
	return l.Mul64(n, core.Int(int64(bytes)))
}

// leaves reports whether a value is an accumulator whose updates come later.
func (l *later) leaves(t core.Type) bool { return t.Kind == core.KindAcc && l.takes[t.Acc] }

// staying are those of some things, one for each of some variables, whose variables stay.
func staying[T any](l *later, ps []core.Param, xs []T) []T {
	var out []T
	for i, p := range ps {
		if !l.leaves(p.Type) {
			out = append(out, xs[i])
		}
	}
	return out
}

// kernels adds the kernel without updates, and those of the updates.
func (l *later) kernels(outs []core.Param) {
	in, ups := l.without(l.m.Body)
	if l.updateOnce(in, ups, outs) {
		return
	}
	res, ret, dst := staying(l, outs, l.m.Body.Res), staying(l, outs, l.m.Ret), staying(l, outs, outs)
	arrays := make([][]core.Var, len(ups))
	for i, u := range ups {
		for _, x := range u.values {
			t := l.TypeOf(x)
			p := l.Param("values", core.ArrayOf(t, l.m.Space.Sizes...))
			res, ret, dst, arrays[i] = append(res, x), append(ret, t), append(dst, p), append(arrays[i], p.Var)
		}
	}
	l.Bind(dst, &core.SegMap{Level: l.m.Level, Space: l.m.Space, Body: in.Body(res...), Ret: ret})
	l.updating(func() { l.allUpdates(ups, arrays, outs) })
}

// allUpdates adds the kernels of updates, by arrays of their values.
func (l *later) allUpdates(ups []*laterUpdate, arrays [][]core.Var, outs []core.Param) {
	for _, o := range outs {
		if !l.leaves(o.Type) {
			continue
		}
		acc := l.before(o.Type)
		var read []*laterUpdate
		var held [][]core.Var
		for i, u := range ups {
			switch {
			case u.acc != o.Type.Acc:
			case u.kind == scattered:
				read, held = append(read, u), append(held, arrays[i])
			default:
				next := l.Param("acc", o.Type)
				l.updates(u, arrays[i], acc, next)
				acc = next.Var
			}
		}
		if len(read) > 0 {
			next := l.Param("acc", o.Type)
			l.scattered(read, held, acc, next)
			acc = next.Var
		}
		l.Bind([]core.Param{o}, &core.Use{X: core.V(acc)})
	}
}

// before is the accumulator of a type that the kernel begins with.
func (l *later) before(t core.Type) core.Var {
	return l.Scope.BeginsWith(core.FreeInBody(l.m.Body), t.Acc)
}

// updateOnce makes a kernel of updates that meet, each of another accumulator and in any case, if there is nothing to keep for later.
func (l *later) updateOnce(in *core.Builder, ups []*laterUpdate, outs []core.Param) bool {
	if len(ups) != len(outs) {
		return false
	}
	updating := make([]*laterUpdate, len(outs))
	for i, o := range outs {
		k := slices.IndexFunc(ups, func(u *laterUpdate) bool {
			return l.leaves(o.Type) && u.acc == o.Type.Acc && u.kind == meeting && len(u.stores) == 0
		})
		if k < 0 {
			return false
		}
		updating[i] = ups[k]
	}
	res := make([]core.Operand, len(outs))
	for i, u := range updating {
		res[i] = core.V(l.updateBy(in, u, core.Subst{}, l.before(outs[i].Type), u.values))
	}
	m := &core.SegMap{Level: l.m.Level, Space: l.m.Space, Body: in.Body(res...), Ret: l.m.Ret}
	if !l.reduced(m, outs) {
		l.Bind(outs, m)
	}
	return true
}

// updateBy adds an update, after what computes its index.
func (l *later) updateBy(in *core.Builder, u *laterUpdate, sub core.Subst, acc core.Var, values []core.Operand) core.Var {
	up := &core.UpdateAcc{Acc: acc, Index: l.indexOf(in, u, sub), Values: values}
	next := in.Param("acc", l.TypeOf(core.V(acc)))
	in.Bind([]core.Param{next}, up)
	return next.Var
}

// indexOf adds what computes the index of an update, and returns that.
func (l *later) indexOf(in *core.Builder, u *laterUpdate, sub core.Subst) []core.Operand {
	r := core.NewRenamer(l.Fun, l.Fun, sub)
	for _, s := range u.where {
		in.Add(r.Stm(s))
	}
	index := make([]core.Operand, len(u.index))
	for i, at := range u.index {
		index[i] = r.Operand(at)
	}
	return index
}

// updates adds the kernel of an update by the values that arrays hold.
func (l *later) updates(u *laterUpdate, arrays []core.Var, acc core.Var, next core.Param) {
	n, in, sub, values := l.reading(u, arrays)
	res := l.updateBy(in, u, sub, acc, values)
	l.segMap(n.binding(in.Stms()...), in.Stms(), []core.Operand{core.V(res)}, []core.Param{next})
}

// reading is the nest of all that make an update, and code that reads what it updates with from arrays. The substitution puts the nest's
// ids and what is kept of the index in their places.
func (l *later) reading(u *laterUpdate, arrays []core.Var) (n *nest, in *core.Builder, sub core.Subst, values []core.Operand) {
	n, sub = l.pointsOf()
	in = l.Nested()
	for d, e := range u.stores {
		fresh := l.Param(l.Fun.Base(u.counters[d].Var), core.I64).Var
		sub[u.counters[d].Var], n = in.Conv(core.V(fresh), u.counters[d].Type.Elem), n.extend(fresh, l.size(e))
	}
	for i, a := range arrays {
		x := in.Index("x", a, core.Vars(n.ids[:l.TypeOf(core.V(a)).Rank()])...)
		if i < len(u.kept) {
			sub[u.index[u.kept[i]].Var] = x
		} else {
			values = append(values, x)
		}
	}
	return n, in, sub, values
}

// pointsOf is a nest of the kernel's points, with ids of its own for which the substitution puts in the kernel's.
func (l *later) pointsOf() (*nest, core.Subst) {
	n, sub := &nest{}, core.Subst{}
	for d, id := range l.m.Space.Ids {
		fresh := l.Param(l.Fun.Base(id), core.I64).Var
		sub[id], n = core.V(fresh), n.extend(fresh, l.m.Space.Sizes[d])
	}
	return n, sub
}

// without adds the code of a body without the updates that come later, which it returns with their values there.
func (l *later) without(b *core.Body) (in *core.Builder, ups []*laterUpdate) {
	in = l.Nested()
	for _, s := range b.Stms {
		if !slices.ContainsFunc(s.Dst, func(p core.Param) bool { return l.leaves(p.Type) }) {
			in.Add(s)
			continue
		}
		at := in.Nested()
		at.Where, at.Attrs, at.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
		switch e := core.Match(s.Exp).(type) {
		case *core.UpdateAcc:
			ups = append(ups, l.ups[s])
		case *core.Loop:
			ups = append(ups, l.loop(at, s.Dst, e)...)
		case *core.If:
			ups = append(ups, l.branches(at, s.Dst, e)...)
		default: // another name
		}
		in.Add(at.Stms()...)
	}
	return in, ups
}

// loop adds a loop that returns what the updates in it are made with.
func (l *later) loop(in *core.Builder, dst []core.Param, e *core.Loop) []*laterUpdate {
	out := &core.Loop{
		Params: staying(l, e.Params, e.Params), Init: staying(l, e.Params, e.Init), Index: e.Index, Bound: e.Bound, While: e.While,
	}
	dst = staying(l, dst, dst)
	l.around++
	b, ups := l.without(e.Body)
	l.around--
	res := staying(l, e.Params, e.Body.Res)
	for _, u := range ups {
		stores := slices.Contains(u.stores, e)
		var through []int // numbers of values that the loop carries
		for i, x := range u.values {
			if i >= len(u.kept) || stores && bindsInLoop(e, b, x.Var) {
				through = append(through, i)
			}
		}
		carried, init := l.carriedBy(in, u, through, stores, e)
		out.Init = append(out.Init, init...)
		var next []core.Operand
		if stores {
			at := b.Conv(core.V(e.Index.Var), prim.I64)
			next = make([]core.Operand, len(carried))
			for k, i := range through {
				next[k] = core.V(b.Update(carried[k].Var, u.values[i], at))
			}
			u.counters = slices.Insert(u.counters, 0, e.Index)
		} else {
			next = b.Apply(l.accs[u.acc].Op, renamed, append(core.Vars(core.ParamVars(carried)), u.values[len(u.kept):]...)...)
		}
		for k, i := range through {
			left := l.Param("values", carried[k].Type)
			dst, u.values[i] = append(dst, left), core.V(left.Var)
		}
		out.Params, res = append(out.Params, carried...), append(res, next...)
	}
	out.Body = b.Body(res...)
	in.Bind(dst, out)
	return ups
}

// carriedBy are what a loop carries for some of an update's values, arrays of them or what they are combined to, and what it begins with.
func (l *later) carriedBy(
	in *core.Builder, u *laterUpdate, through []int, stores bool, e *core.Loop,
) (ps []core.Param, init []core.Operand) {
	for _, i := range through {
		t := l.TypeOf(u.values[i])
		if !stores {
			ps, init = append(ps, l.Param("sum", t)), append(init, l.neutral(u, i))
			continue
		}
		p := l.Param("values", core.ArrayOf(t, l.size(e)))
		p.Unique = true
		ps, init = append(ps, p), append(init, in.Let("values", &core.Scratch{Elem: t.Elem, Shape: p.Type.Shape}))
	}
	return ps, init
}

// neutral is what a value is of an update that is not made: of an index one that is ignored.
func (l *later) neutral(u *laterUpdate, i int) core.Operand {
	if i < len(u.kept) {
		return core.Int(-1)
	}
	return l.accs[u.acc].Neutral[i-len(u.kept)]
}

// bindsInLoop reports whether a loop, with code that its body has become, binds a variable.
func bindsInLoop(e *core.Loop, in *core.Builder, v core.Var) bool {
	return e.IsFor() && e.Index.Var == v || slices.Contains(core.ParamVars(e.Params), v) || boundIn(&core.Body{Stms: in.Stms()}, v)
}

// branches adds a branch that returns what the updates in it are made with: neutral elements for those of the other alternative.
func (l *later) branches(in *core.Builder, dst []core.Param, e *core.If) []*laterUpdate {
	then, ups := l.without(e.Then)
	els, more := l.without(e.Else)
	yes, no := staying(l, dst, e.Then.Res), staying(l, dst, e.Else.Res)
	dst = staying(l, dst, dst)
	for i, u := range slices.Concat(ups, more) {
		for k, x := range u.values {
			if k < len(u.kept) && l.around > len(u.stores) {
				continue // It is from outside of the loop.
			}
			left := l.Param("values", l.TypeOf(x))
			u.values[k] = core.V(left.Var)
			dst = append(dst, left)
			if neutral := l.neutral(u, k); i < len(ups) {
				yes, no = append(yes, x), append(no, l.filled(els, left.Type, neutral))
			} else {
				yes, no = append(yes, l.filled(then, left.Type, neutral)), append(no, x)
			}
		}
	}
	in.Bind(dst, &core.If{Cond: e.Cond, Then: then.Body(yes...), Else: els.Body(no...)})
	return append(ups, more...)
}

// filled is a value of a type all of whose elements are x.
func (l *later) filled(b *core.Builder, t core.Type, x core.Operand) core.Operand {
	if t.IsScalar() {
		return x
	}
	p := b.Param("neutral", t)
	l.loopOfReplicate(b, &core.Stm{Dst: []core.Param{p}}, &core.Replicate{Shape: t.Shape, X: x})
	return core.V(p.Var)
}
