package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// effort is what a thread does: steps one after the other, and its share of the traffic between the device and its memory.
type effort struct{ work, traffic amount }

func steps(k float64) effort { return effort{work: just(k)} }

func (e effort) plus(o effort) effort { return effort{e.work.plus(o.work), e.traffic.plus(o.traffic)} }

// add adds an effort to one that nobody else has.
func (e *effort) add(o effort) {
	for _, t := range o.work {
		e.work.add(t)
	}
	for _, t := range o.traffic {
		e.traffic.add(t)
	}
}

func (e effort) times(n core.Operand) effort { return effort{e.work.times(n), e.traffic.times(n)} }

func (e effort) timesAll(ns []core.Operand) effort {
	return effort{e.work.timesAll(ns), e.traffic.timesAll(ns)}
}

func (e effort) scaled(k float64) effort { return effort{e.work.scaled(k), e.traffic.scaled(k)} }

// place is where the elements of an array lie.
type place uint8

const (
	inMemory    place = iota // the device's
	inWorkgroup              // the memory of a workgroup
	inRegisters
)

// ids is a set of indices of a space, by their numbers; loaded is for what was read from memory.
type ids uint64

const loaded ids = 1 << 63

// array is what is known of an array in a thread.
type array struct {
	at place
	// own says that each thread has one to itself; they lie in memory so that neighbours' are side by side.
	own bool
	// dense is the dimension in which elements lie side by side in memory, -1 if it is fixed already: then beside says that neighbours
	// have different elements of it.
	dense  int
	beside bool
	// cut says that elements are not evenly spaced, so that another shape needs a copy.
	cut bool
}

// threadCost counts what a thread does: see Note [Costs of versions].
type threadCost struct {
	c *costs
	// on are the indices that values, and the elements of arrays, depend on; lane is the one that differs between neighbours, all are all.
	on        *table[ids]
	lane, all ids
	space     core.Space
	// seen is what the variables depend on that look was called with.
	seen   ids
	look   core.Mapper
	arrays map[core.Var]array
	// results are arrays that the thread makes where the kernel's results lie, which neighbours do not have side by side.
	results map[core.Var]bool
	// tiled says that what a thread reads in its loop and shares with others comes in tiles.
	tiled bool
}

// thread begins to count; one thread is counted at a time.
func (c *costs) thread() *threadCost {
	t := &threadCost{c: c, on: c.f.inThreads.emptied(), arrays: map[core.Var]array{}, results: map[core.Var]bool{}}
	t.look.Operand = func(o core.Operand) core.Operand {
		t.seen |= t.on.get(o.Var)
		return o
	}
	return t
}

// threadOf is what a point of a kernel costs.
func (c *costs) threadOf(e core.Seg) effort {
	t := c.thread()
	if m, ok := e.(*core.SegMap); ok {
		t.tiled = tileable(m)
		for _, r := range m.Body.Res {
			t.results[madeAs(m.Body, r.Var)] = true
		}
	}
	sum := t.seg(e)
	switch e := e.(type) {
	case *core.SegMap:
		return sum.plus(far(trafficFar).scaled(scalarsIn(e.Ret)))
	case *core.SegRed:
		return sum.plus(steps(costFold * float64(len(e.Ret))))
	case *core.SegScan, *core.SegHist:
	}
	return sum
}

// madeAs is the variable that an array of a body was made as, before loops and updates wrote it.
func madeAs(b *core.Body, v core.Var) core.Var {
	for _, s := range slices.Backward(b.Stms) {
		i := slices.IndexFunc(s.Dst, func(p core.Param) bool { return p.Var == v })
		if i < 0 {
			continue
		}
		switch e := core.Match(s.Exp).(type) {
		case *core.Loop:
			v = e.Init[i].Var
		case *core.Update:
			v = e.Array
		default:
			return v
		}
	}
	return v
}

// tileable reports whether a map is likely to run in tiles: its body is a loop over arrays that makes a number.
func tileable(e *core.SegMap) bool {
	loops, ok := 0, len(e.Space.Ids) > 1 && len(e.Ret) > 0 && e.Level == core.LevelGrid
	for _, r := range e.Ret {
		ok = ok && r.IsScalar()
	}
	core.Walk(e.Body, func(s *core.Stm) bool {
		switch x := core.Match(s.Exp).(type) {
		case *core.Loop:
			loops++
			ok = ok && x.IsFor()
		case core.Memory, core.SOAC, core.Seg:
			ok = false
		}
		return ok
	})
	return ok && loops == 1
}

// number stands for a dimension of the space in sets of indices.
func (*threadCost) number(d int) ids { return 1 << min(d, 62) }

// seg is what the code at a point of a segmented operation costs, without what it takes to write results.
func (t *threadCost) seg(e core.Seg) effort {
	space := e.SpaceOf()
	t.space = space
	for i, id := range space.Ids {
		t.lane = t.number(i)
		t.all |= t.lane
		t.on.set(id, t.lane)
	}
	switch e := e.(type) {
	case *core.SegMap:
		return t.body(e.Body)
	case *core.SegRed:
		return t.body(e.Body).plus(t.operators(e.Ops))
	case *core.SegScan:
		sum := t.body(e.Body).plus(t.operators(e.Ops))
		if e.Post != nil {
			sum = sum.plus(t.body(e.Post.Body))
		}
		return sum
	case *core.SegHist:
		sum := t.body(e.Body)
		for _, op := range e.Ops {
			sum = sum.plus(t.body(op.Lambda.Body)).plus(steps(costAtomic))
		}
		return sum
	}
	return effort{}
}

func scalarsIn(ts []core.Type) float64 {
	n := 0
	for _, t := range ts {
		if t.IsScalar() {
			n++
		}
	}
	return float64(n)
}

func (t *threadCost) operators(ops []core.Operator) effort {
	var sum effort
	for _, op := range ops {
		sum = sum.plus(t.body(op.Lambda.Body))
	}
	return sum
}

// body is what a thread's code costs.
func (t *threadCost) body(b *core.Body) effort {
	var sum effort
	for _, s := range b.Stms {
		if e, ok := s.Exp.(core.Scalar); ok {
			t.depends(s)
			sum.work.add(term{k: scalarCost(e)})
			continue
		}
		sum.add(t.stm(s))
	}
	return sum
}

// stm is what a statement costs.
func (t *threadCost) stm(s *core.Stm) effort {
	switch e := s.Exp.(type) {
	case core.Scalar:
		t.depends(s)
		return steps(scalarCost(e))
	case core.View:
		t.depends(s)
		return t.view(s.Dst[0], e)
	case core.Memory:
		return t.memory(s, e)
	case core.Control:
		return t.control(s, e)
	case *core.WithAcc:
		return t.body(e.Lambda.Body)
	case *core.UpdateAcc:
		return steps(costAtomic).plus(t.meeting(e))
	case core.SOAC, core.Seg:
	}
	return effort{}
}

// meeting is what an update costs as points meet in it, which go one after the other: those of the dimensions that its index does not
// depend on; if points have read the index, as many as there are for each element in the mean, or all where one thread makes the updates.
func (t *threadCost) meeting(e *core.UpdateAcc) effort {
	var on ids
	for _, at := range e.Index {
		on |= t.on.get(at.Var)
	}
	if acc, shared := t.c.f.accs[t.c.f.TypeOf(core.V(e.Acc)).Acc]; shared && on&loaded != 0 {
		all := steps(costMeeting).timesAll(t.c.sizes(t.space.Sizes))
		if !t.c.f.atomic(acc.Op) {
			return all
		}
		return all.times(t.c.bin(prim.Div, f64(1), t.c.number(just(1).timesAll(t.c.sizes(acc.Shape)))))
	}
	var sizes []core.Operand
	for d, size := range t.space.Sizes {
		if on&t.number(d) == 0 {
			sizes = append(sizes, size)
		}
	}
	if len(sizes) == 0 || on&loaded != 0 {
		return effort{}
	}
	return steps(costMeeting).timesAll(t.c.sizes(sizes))
}

// depends notes that the results of a statement without bodies depend on what the variables in it depend on.
func (t *threadCost) depends(s *core.Stm) {
	t.seen = 0
	t.look.VisitStm(s)
	for _, p := range s.Dst {
		t.on.set(p.Var, t.seen)
	}
}

// of is what is known of an array, which is one from outside unless it was made here.
func (t *threadCost) of(v core.Var) array {
	if a, ok := t.arrays[v]; ok {
		return a
	}
	return array{dense: t.c.f.TypeOf(core.V(v)).Rank() - 1}
}

// view is what it costs to read an element; views of arrays cost nothing.
func (t *threadCost) view(dst core.Param, e core.View) effort {
	switch e := core.Match(e).(type) {
	case *core.Use:
		if dst.Type.IsArray() {
			t.arrays[dst.Var] = t.of(e.X.Var)
		}
	case *core.Reshape:
		a := t.of(e.Array)
		if a.cut {
			t.makes(dst)
			return far(trafficFar).scaled(2).timesAll(t.c.sizes(dst.Type.Shape))
		}
		a.dense = dst.Type.Rank() - 1
		t.arrays[dst.Var] = a
	case *core.Rearrange:
		a := t.of(e.Array)
		if a.dense >= 0 {
			a.dense = slices.Index(e.Perm, a.dense)
		}
		a.cut = a.cut || !slices.IsSorted(e.Perm)
		t.arrays[dst.Var] = a
	case *core.Index:
		a := t.slice(t.of(e.Array), e.Slice)
		a.cut = a.cut || cuts(e.Slice, t.c.f.TypeOf(core.V(e.Array)).Shape)
		if dst.Type.IsScalar() {
			on := t.on.get(dst.Var)
			sum := t.access(a, on, e.Slice, readingOnly)
			t.on.set(dst.Var, on|loaded)
			return sum
		}
		t.arrays[dst.Var] = a
	default:
	}
	return effort{}
}

// slice is what is known of a part of an array.
func (t *threadCost) slice(a array, sl core.Slice) array {
	at := -1
	for d, dim := range sl {
		if !dim.Fix {
			at++
		}
		if d == a.dense {
			if !dim.Fix {
				a.dense = at
				return a
			}
			a.dense, a.beside = -1, t.on.get(dim.Off.Var)&t.lane != 0
			return a
		}
	}
	return a
}

// cuts reports whether elements of a slice are not evenly spaced: it takes a part of another dimension than the outermost that it keeps.
func cuts(sl core.Slice, shape []core.Operand) bool {
	kept := false
	for d, dim := range sl {
		part := !dim.Fix && dim.Len != shape[d]
		if (part || dim.Fix) && kept {
			return true
		}
		kept = kept || !dim.Fix
	}
	return false
}

// Arguments of access.
const (
	writing     = true
	readingOnly = false
)

// access is what it costs to read or write an element whose place in memory depends on indices.
func (t *threadCost) access(a array, on ids, sl core.Slice, write bool) effort {
	looked := slices.ContainsFunc(sl, func(d core.Dim) bool { return t.on.get(d.Off.Var)&loaded != 0 })
	switch {
	case a.at == inRegisters:
		return steps(1)
	case a.at == inWorkgroup:
		return steps(costShared)
	case a.own:
		return far(trafficFar)
	case t.tiled && !write && on&t.all != t.all:
		return steps(costTile)
	case on&t.lane == 0:
		return steps(costNear)
	case write && (looked || !a.beside):
		return far(trafficApart)
	case looked:
		return far(trafficGather)
	}
	return far(trafficFar)
}

// far is an access to memory with its traffic.
func far(traffic float64) effort { return effort{just(costFar), just(traffic)} }

// scalarCost is what arithmetic costs.
func scalarCost(e core.Scalar) float64 {
	switch e := core.Match(e).(type) {
	case *core.Bin:
		switch e.Op {
		case prim.Div, prim.Mod, prim.Quot, prim.Rem:
			return costDivision
		case prim.Pow:
			return costFunction
		default:
		}
	case *core.CallFunc:
		return costFunction
	default:
	}
	return 1
}

// memory is what it costs to make or change an array.
func (t *threadCost) memory(s *core.Stm, e core.Memory) effort {
	dst := s.Dst[0]
	switch e := e.(type) {
	case *core.Update:
		a := t.of(e.Array)
		t.arrays[dst.Var] = a
		t.on.set(dst.Var, t.on.get(e.Array))
		each := t.access(t.slice(a, e.Slice), t.lane, e.Slice, writing)
		if e.Value.IsConst() || !t.c.f.TypeOf(e.Value).IsArray() {
			return each
		}
		read := t.access(t.of(e.Value.Var), t.on.get(e.Value.Var), nil, readingOnly)
		return each.plus(read).timesAll(t.c.sizes(t.c.f.TypeOf(e.Value).Shape))
	case *core.Scratch, *core.Alloc:
		t.makes(dst)
		return effort{}
	case *core.Copy, *core.Concat, *core.Replicate, *core.Iota, *core.ArrayLit:
		t.makes(dst)
		each := t.access(t.arrays[dst.Var], t.lane, nil, writing).plus(steps(costNear))
		return each.timesAll(t.c.sizes(dst.Type.Shape))
	}
	return effort{}
}

// makes notes an array that the thread has to itself: in registers if it is small, else side by side with those of its neighbours, unless
// it is a result.
func (t *threadCost) makes(p core.Param) {
	a := array{own: !t.results[p.Var], dense: p.Type.Rank() - 1}
	if isPrivate(p.Type) {
		a.at = inRegisters
	}
	t.arrays[p.Var] = a
	t.on.set(p.Var, t.lane)
}

// control is what loops and branches cost.
func (t *threadCost) control(s *core.Stm, e core.Control) effort {
	switch e := e.(type) {
	case *core.Loop:
		trips := t.enters(e)
		sum := t.body(e.Body).plus(steps(1)).times(trips)
		t.joins(s, e.Body)
		return sum
	case *core.If:
		sum := t.body(e.Then).plus(t.body(e.Else)).scaled(0.5)
		t.joins(s, e.Then)
		return sum
	case *core.Switch:
		sum := t.body(e.Default)
		for _, k := range e.Cases {
			sum = sum.plus(t.body(k.Body))
		}
		t.joins(s, e.Default)
		return sum.scaled(1 / float64(len(e.Cases)+1))
	case *core.Assert, *core.Trace, *core.Call, *core.Derivative, *core.WithVjp:
	}
	return steps(1)
}

// enters notes what the parameters of a loop are, and returns how often it runs.
func (t *threadCost) enters(e *core.Loop) (trips core.Operand) {
	trips = core.Int(someTrips)
	if e.IsFor() {
		trips = t.c.size(e.Bound)
	}
	for i, p := range e.Params {
		t.passes(p, e.Init[i])
	}
	return trips
}

// passes notes that p is what x is.
func (t *threadCost) passes(p core.Param, x core.Operand) {
	if x.Var == 0 {
		return
	}
	t.on.set(p.Var, t.on.get(x.Var))
	if p.Type.IsArray() {
		t.arrays[p.Var] = t.of(x.Var)
	}
}

// joins notes what the results of a body are.
func (t *threadCost) joins(s *core.Stm, b *core.Body) {
	for i, p := range s.Dst {
		t.passes(p, b.Res[i])
		t.on.set(p.Var, t.on.get(p.Var)|t.lane)
	}
}
