package layout

import (
	"slices"

	"skald/middle/core"
)

// Note [Producers]
//
// An array that a kernel makes may lie in another order at no cost. Where the kernel's points make numbers, they can run in another order
// of dimensions. Where they make rows, neighbouring threads write row by row, each in a sector of its own, unless the elements of all rows
// are interleaved. So for each such kernel the orders are compared by what its results' readers, and its own reads, then cost (Note
// [Traffic]). An order is taken only if it is sure to lose nowhere:
//
//   - every use of its results is known, and none of them costs more than before: no reader that goes along rows, be it one of several
//     versions of which this run may take another, loses what others win. Workgroups that read together, in tiles or in kernels of their
//     own, go along dimensions as they are, of an index that data decide the pass knows nothing, and threads of histograms may take runs of
//     points; what these read keeps its order, and so does what host code hands on, to a function, a loop or a branch;
//   - what the kernel's own reads then cost more is less than what the readers win, in each arm of the branches that they are in: the arm
//     that wins may not be the one that runs.
//
// A reduction may have a thread, or a workgroup, for a segment, which sizes decide where the program runs: both count as readers.

// leastGain is by how much an order must be better for each element, so that a change is worth its while.
const leastGain = 1

// use is a read of an array by a kernel, or that host code needs it in an order, and where that is.
type use struct {
	path []step
	read *read
	// order is that of dimensions, from the outermost to the innermost, which the use needs; nil of a read.
	order []int
}

// step is into a loop or an arm of a branch of the host.
type step struct {
	stm   *core.Stm
	arm   int
	trips float64 // of the loop
}

// uses are those of arrays, by the variable that is no view.
type uses struct {
	*arrays
	*kernels
	path []step
	of   map[core.Var][]use
	// kept are arrays that workgroups read together.
	kept map[core.Var]bool
	// paths are those of maps.
	paths map[*core.Stm]int
}

// usesOf finds the uses of arrays in a function's host code.
func usesOf(f *core.Fun) *uses {
	u := &uses{arrays: arraysOf(f), of: map[core.Var][]use{}, kept: map[core.Var]bool{}, paths: map[*core.Stm]int{}}
	u.kernels = kernelsIn(f.Body, u.view, u.typeOf, readAlong)
	u.body(f.Body)
	return u
}

// readAlong are the indices in which neighbouring threads of a kernel may differ, or could if its dimensions were in another order.
func readAlong(_ *core.Stm, e core.Seg, tiled bool) []core.Var {
	m, isMap := e.(*core.SegMap)
	switch _, hist := e.(*core.SegHist); {
	case tiled || hist:
		return nil
	case isMap && len(m.Space.Ids) > 1 && core.OnlyScalars(m.Ret):
		return m.Space.Ids
	case isMap && moves(m):
		return nil
	}
	return lanesOf(e)
}

func (u *uses) body(b *core.Body) {
	for _, s := range b.Stms {
		u.paths[s] = len(u.path)
		if e, body := kernelOf(s); body != nil {
			u.kernel(s, e)
			continue
		}
		if _, ok := s.Exp.(core.Seg); ok {
			u.keeps(s)
			continue
		}
		u.host(s)
	}
	for _, r := range b.Res {
		u.needs(r.Var)
	}
}

// keeps notes that what a kernel of workgroups reads stays as it is.
func (u *uses) keeps(s *core.Stm) {
	for _, v := range core.FreeInStm(s).List() {
		if w, ok := u.views[v]; ok {
			u.kept[w.root] = true
		}
	}
}

// kernel notes what a kernel of the grid reads.
func (u *uses) kernel(s *core.Stm, e core.Seg) {
	switch m := e.(type) {
	case *core.SegMap:
		if moves(m) {
			return
		}
		if u.tiled[e] {
			u.keeps(s)
			return
		}
	case *core.SegHist:
		u.keeps(s)
		return
	case *core.SegRed, *core.SegScan:
	}
	for _, lane := range lanesOf(e) {
		r := u.reads[lane]
		for i := range r.reads {
			u.add(r.reads[i].root, use{read: &r.reads[i]})
		}
		for _, v := range core.FreeInStm(s).List() {
			if r.handed[v] {
				u.needs(v)
			}
		}
	}
}

func (u *uses) add(v core.Var, x use) {
	x.path = slices.Clone(u.path)
	u.of[v] = append(u.of[v], x)
}

// host notes what a statement of host code needs. Views need nothing, and a copy can be of anything.
func (u *uses) host(s *core.Stm) {
	switch e := core.Match(s.Exp).(type) {
	case *core.Index, *core.Rearrange, *core.Use, *core.Copy:
		return
	case *core.If:
		u.within(step{s, 0, 1}, e.Then)
		u.within(step{s, 1, 1}, e.Else)
		return
	default:
	}
	in := step{s, 0, 1}
	if e, ok := s.Exp.(*core.Loop); ok {
		in.trips = someTrips
		if n, ok := e.Bound.ConstInt(); ok && e.IsFor() {
			in.trips = float64(max(n, 0))
		}
	}
	core.MapExp(s.Exp, core.Mapper{
		Operand: func(o core.Operand) core.Operand { u.needs(o.Var); return o },
		Body:    func(b *core.Body) *core.Body { u.within(in, b); return b },
	})
}

func (u *uses) within(in step, b *core.Body) {
	u.path = append(u.path, in)
	u.body(b)
	u.path = u.path[:len(u.path)-1]
}

// needs notes that an array must lie in the order of its dimensions.
func (u *uses) needs(v core.Var) {
	w, ok := u.views[v]
	if v == 0 || !ok {
		return
	}
	order := make([]int, 0, len(w.dims))
	open := make([]int, u.types[v].Rank())
	for d, dim := range w.dims {
		if dim.open < 0 {
			order = append(order, d)
		} else {
			open[dim.open] = d
		}
	}
	u.add(w.root, use{order: append(order, open...)})
}

// gains is what uses of an array win for each of its elements if its dimensions lie in another order than their own, in the arms of
// branches where that is least and where it is most; ok is false if one of them loses, or may lose.
func (u *uses) gains(v core.Var, order []int, depth int) (least, most float64, ok bool) {
	t := u.types[v]
	own := rowsFirst(0, t.Rank())
	before, after := own[len(own)-1], order[len(order)-1]
	for _, x := range u.of[v] {
		if x.order != nil && !slices.Equal(x.order, order) || x.order == nil && x.read.loses(t, before, after) {
			return 0, 0, false
		}
	}
	least, most = fold(u.of[v], depth, func(x use) float64 {
		if x.order != nil {
			if slices.Equal(x.order, own) {
				return 0
			}
			return costCopy
		}
		return (x.read.cost(t, before) - x.read.cost(t, after)) * x.read.perElement(t.Shape)
	})
	return least, most, true
}

// fold adds up what uses come to below a depth of their paths: of the arms of a branch, the least and the most count.
func fold(us []use, depth int, f func(use) float64) (least, most float64) {
	for i := 0; i < len(us); {
		if len(us[i].path) <= depth {
			x := f(us[i])
			least, most = least+x, most+x
			i++
			continue
		}
		at := us[i].path[depth]
		n := slices.IndexFunc(us[i:], func(x use) bool { return len(x.path) <= depth || x.path[depth].stm != at.stm })
		if n < 0 {
			n = len(us) - i
		}
		l, m := arms(us[i:i+n], depth, f)
		least, most = least+l*at.trips, most+m*at.trips
		i += n
	}
	return least, most
}

// arms is fold of the uses in one branch or loop.
func arms(us []use, depth int, f func(use) float64) (least, most float64) {
	var in [2][]use
	for _, x := range us {
		arm := x.path[depth].arm
		in[arm] = append(in[arm], x)
	}
	least, most = fold(in[0], depth+1, f)
	if _, ok := us[0].path[depth].stm.Exp.(*core.If); !ok {
		return least, most
	}
	l, m := fold(in[1], depth+1, f)
	return min(least, l), max(most, m)
}

// ordered is how the results of a map are laid out: the order of its space, or interleaved rows.
type ordered struct {
	space       []int
	interleaved bool
}

// producers lays out what maps make: see Note [Producers].
func producers(f *core.Fun) *core.Fun {
	u := usesOf(f)
	chosen := map[*core.Stm]ordered{}
	u.choose(f.Body, chosen)
	if len(chosen) == 0 {
		return f
	}
	g := *f
	g.Names = slices.Clip(f.Names)
	w := &producer{&g, chosen}
	g.Body = w.body(f.Body)
	return &g
}

func (u *uses) choose(b *core.Body, chosen map[*core.Stm]ordered) {
	for _, s := range b.Stms {
		e, kernel := s.Exp.(*core.SegMap)
		if _, seg := s.Exp.(core.Seg); !seg {
			core.MapBodies(s.Exp, func(b *core.Body) *core.Body { u.choose(b, chosen); return b })
		}
		kept := slices.ContainsFunc(s.Dst, func(q core.Param) bool { return u.kept[q.Var] })
		if !kernel || kept || e.Level != core.LevelGrid || len(e.Space.Ids) == 0 {
			continue
		}
		switch {
		case slices.ContainsFunc(e.Ret, func(t core.Type) bool { return t.IsArray() }):
			if u.interleaves(s, e) {
				chosen[s] = ordered{interleaved: true}
			}
		case !u.tiled[e] && len(e.Space.Ids) > 1 && core.OnlyScalars(e.Ret):
			if order := u.spaceOrder(s, e); order != nil {
				chosen[s] = ordered{space: order}
			}
		}
	}
}

// interleaves reports whether a map should write the elements of its rows side by side.
func (u *uses) interleaves(s *core.Stm, e *core.SegMap) bool {
	gain, n := 0.0, len(e.Space.Ids)
	for _, q := range s.Dst {
		if !q.Type.IsArray() || q.Type.Rank() == n {
			continue
		}
		_, most, ok := u.gains(q.Var, rowsFirst(n, q.Type.Rank()), u.paths[s])
		if !ok {
			return false
		}
		gain += costApart*rowSpread(q.Type, n) + most
	}
	return gain > leastGain
}

// rowSpread is the part of a sector that a row takes, as far as that is constant.
func rowSpread(t core.Type, outer int) float64 {
	bytes := t.Elem.Size()
	for _, n := range t.Shape[outer:] {
		c, ok := n.ConstInt()
		if !ok {
			return 1
		}
		bytes *= int(min(c, sectorBytes))
	}
	return min(1, float64(bytes)/sectorBytes)
}

// spaceOrder is the order of a map's dimensions that wins most; nil is the one that it has.
func (u *uses) spaceOrder(s *core.Stm, e *core.SegMap) []int {
	n := len(e.Space.Ids)
	own := u.reading(e, e.Space.Ids[n-1], 0)
	most := float64(leastGain)
	var best []int
	for d := range n - 1 {
		order := append(slices.Delete(rowsFirst(0, n), d, d+1), d)
		costs := u.reading(e, e.Space.Ids[d], costApart) - own
		surely, perhaps := -costs, -costs
		all := true
		for _, q := range s.Dst {
			l, m, ok := u.gains(q.Var, order, u.paths[s])
			surely, perhaps, all = surely+l, perhaps+m, all && ok
		}
		if all && surely >= 0 && perhaps > most {
			best, most = order, perhaps
		}
	}
	return best
}

// reading is what a map's own reads cost for each of its points, where neighbouring threads differ in an index; unknown is what those cost
// of which nothing is known.
func (u *uses) reading(e *core.SegMap, lane core.Var, unknown float64) float64 {
	sum := 0.0
	for _, r := range u.reads[lane].reads {
		cost := r.cost(u.types[r.root], u.innermost(r.root))
		if _, ok := r.lane(); !ok {
			cost = unknown
		}
		sum += cost * r.perElement(e.Space.Sizes)
	}
	return sum
}

// producer rewrites maps.
type producer struct {
	fun    *core.Fun
	chosen map[*core.Stm]ordered
}

func (w *producer) body(b *core.Body) *core.Body {
	out := &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		o, ok := w.chosen[s]
		switch _, seg := s.Exp.(core.Seg); {
		case ok && o.interleaved:
			n := *s
			n.Aux.Attrs = append(slices.Clip(s.Aux.Attrs), core.Interleaved)
			out.Stms = append(out.Stms, &n)
		case ok:
			out.Stms = append(out.Stms, w.reordered(s, o.space)...)
		case seg:
			out.Stms = append(out.Stms, s)
		default:
			n := *s
			n.Exp = core.MapBodies(s.Exp, w.body)
			out.Stms = append(out.Stms, &n)
		}
	}
	return out
}

// reordered is a map with its dimensions in another order, and its results as views of what it then makes.
func (w *producer) reordered(s *core.Stm, order []int) []*core.Stm {
	e := *s.Exp.(*core.SegMap)
	e.Space = core.Space{}
	old := s.Exp.(*core.SegMap).Space
	back := make([]int, len(order))
	for i, d := range order {
		e.Space.Ids, e.Space.Sizes = append(e.Space.Ids, old.Ids[d]), append(e.Space.Sizes, old.Sizes[d])
		back[d] = i
	}
	kernel := &core.Stm{Exp: &e, Aux: s.Aux}
	out := []*core.Stm{kernel}
	for _, q := range s.Dst {
		made := core.Param{Var: w.fun.Fresh(w.fun.Base(q.Var)), Type: q.Type.WithShape(e.Space.Sizes)}
		kernel.Dst = append(kernel.Dst, made)
		out = append(out, &core.Stm{Dst: []core.Param{q}, Exp: &core.Rearrange{Perm: back, Array: made.Var}, Aux: core.Aux{Where: s.Aux.Where}})
	}
	return out
}
