package choose

import (
	"slices"

	"skald/middle/core"
	"skald/middle/tile"
)

// Note [Reductions of segments]
//
// A thread each takes short segments, and where there are enough to saturate the device longer ones whose elements lie
// so that neighbouring threads read neighbours: columns, not rows. A subgroup each takes rows of some thousand
// elements at most if there are enough of them: no barrier, and whole lines of the cache at each step.
// Few segments that are long have some workgroups each, so that all together saturate the device, and a workgroup each combines what
// these leave. A workgroup each takes the others. Where the code is too large for barriers, few long ones have some threads each, and the
// others one.

const (
	// longForThread and longForSubgroup are the sizes of segments from which a thread, and a subgroup, is too little for one.
	longForThread   = 64
	longForSubgroup = 4096
	// longForWorkgroup is the size of segments from which a workgroup is too little for one where there are fewer than a fewForShares-th
	// of the workgroups that saturate the device: the second launch then takes less time than the others save.
	longForWorkgroup = 1 << 14
	fewForShares     = 4
	// longForAlone is the size of segments from which a thread is too little for one whose code is too large for barriers, if there are fewer
	// than a fewForShares-th of the threads that saturate the device: there are three launches then, and a value for each thread.
	longForAlone = 1 << 12
	// fewElements is how many elements a thread has at least, where workgroups share a segment.
	fewElements = 4
	// foldRun is how many neighbouring elements a thread folds before its subgroup joins the values of its threads, which takes an
	// application for each doubling of the threads: five, and one more. 42 reductions of 10^8 matrices of 2x2 take 4.5 ms on an H200 where
	// the code of all is written out, so that all are loaded first (WebGPU 5.2), 5.2 in a loop over four vectors (5.7), and twice as many
	// elements 7.3 (7.2).
	foldRun = 16
	// foldLanes is how many accumulators a task folds its run in: some vectors, so that one operation does not wait for the last.
	foldLanes = 64
	// runLanes is how many there are where the order matters, and each goes through neighbouring elements: as many places of the input as the
	// nearest cache and what reads ahead for it keep apart. laneRun is how many elements a lane has of a block at most: lanes read ahead
	// over whole pages then. On one processor (Sapphire Rapids, gcc 12) the maximum segment sum of 10^7 i32 took 8.8 ms with 64 lanes of 67
	// elements, 8.0 with 32 lanes, and 3.9 with 32 lanes of 771.
	runLanes = 32
	laneRun  = 771
	// squareSide is how many elements of its run a lane takes at a time (Note [Squares] of package lower), squareLanes how many lanes there
	// are then if the elements have 32 bits or more, and webSide what squareSide is in WebAssembly. The maximum segment sum of 10^7 i32 takes
	// 1.7 ms with AVX-512, 2.5 with AVX2 and 3.0 without (3.1, 3.3 and 3.9 one by one); with 32 lanes 1.8, 2.7 and 5.0, with squares of 2
	// 2.3, 2.8 and 4.2, of 8 1.7, 3.2 and 4.3. In WebAssembly it takes 3.4 (10.9 with 32 lanes one by one), with squares of 4 3.5, of 12
	// 3.7, of 16 3.9. Smaller elements take 0.3 to 0.6 of the time with 32 lanes, but bytes twice as long with 16.
	squareSide, squareLanes, webSide = 4, 16, 8
	// squareCost is the most that an element may cost that is repeated so often.
	squareCost = 40
)

// segRed chooses for a reduction of the grid.
func (c *chooser) segRed(s *core.Stm, e *core.SegRed) *core.Choice {
	o := operatorsOf(e.Ops)
	single := len(e.Space.Sizes) == 1
	alone := c.alone(&core.Body{Stms: e.Body.Stms}, o)
	switch {
	case c.Tasks > 0 && single:
		return only(c.runs(e.Space, e.Body, o, o.commutative))
	case c.Tasks > 0:
		return c.taskSegments(e, o)
	case alone:
		return c.inThreads(e, core.Form{Way: core.WayAlone, Group: c.GroupSize, Least: fewElements, Groups: c.saturating(c.GroupSize)})
	case single:
		return c.oneSegment(s, e, o)
	}
	return c.segments(s, e, o)
}

// inThreads assigns the only segment, and each of few long ones, to the threads of form f, which meet in no workgroup, and others to a
// thread each.
func (c *chooser) inThreads(e core.Seg, f core.Form) *core.Choice {
	sizes := e.SpaceOf().Sizes
	if len(sizes) == 1 {
		return only(f)
	}
	whole := core.Form{Way: core.WayThread, Group: c.GroupSize}
	if most, known := c.most.Of(sizes[len(sizes)-1]); known && most <= longForAlone {
		return only(whole)
	}
	f.When = all(core.Compare(core.MeasureSegments, core.Below, c.Groups*c.GroupSize/fewForShares),
		core.Compare(core.MeasureSize, core.Above, longForAlone))
	return &core.Choice{Forms: []core.Form{f, whole}}
}

// oneSegment assigns the only segment to all workgroups, and what they leave to a last one. Of that each thread has few values, for each of
// which it waits for the memory: so that workgroup is as large as can be.
func (c *chooser) oneSegment(s *core.Stm, e *core.SegRed, o operators) *core.Choice {
	size := c.fitThreads(c.GroupSize, o.types)
	most := maxUnrolled
	if !o.commutative && c.joins(o, size) {
		most = foldUnrolled
	}
	v := c.vectoriseWithin(most, e.Space, e.Body, nil, c.operatorCost(o))
	if !o.commutative {
		v = vector{v.width * v.inFlight, 1}
	}
	last := c.fitThreads(c.WideGroup, o.types)
	choice := only(core.Form{
		Way: core.WayGrid, Group: size, Vector: v.width, Flight: v.inFlight, Least: max(fewElements, v.width), Groups: c.saturating(size),
		Shuffles: c.joins(o, size), Looped: c.costly(o),
	})
	if f := &choice.Forms[0]; !o.commutative && f.Shuffles && v.width > 1 && v.width < foldRun {
		f.Rows = foldRun / v.width
		f.Least = foldRun
	}
	choice.Merge = c.lastOf(o, last)
	if !c.Replays && size == c.GroupSize && !c.costly(o) && c.onlyMapsRead(s) {
		choice.Merge[0][0].Readers = c.saturating(size)
	}
	return choice
}

// mostReaders is how many kernels combine what a reduction's workgroups have left, each for itself: two that do take less time than a
// launch; fewBehind is how many statements behind a reduction are looked at.
const (
	mostReaders = 2
	fewBehind   = 200
)

// onlyMapsRead reports whether nobody but few maps behind a reduction in its body, at their points, needs its results, which are scalars:
// see Note [Reductions that readers finish] of package lower.
func (c *chooser) onlyMapsRead(s *core.Stm) bool {
	if !core.OnlyScalars(core.ParamTypes(s.Dst)) {
		return false
	}
	results := &core.VarSet{}
	for _, d := range s.Dst {
		results.Add(d.Var)
	}
	if len(c.behind) > fewBehind { // Who reads them all for each reduction reads them too often.
		return false
	}
	readers := 0
	for _, t := range c.behind {
		if !slices.ContainsFunc(core.FreeInStm(t).List(), results.Has) {
			continue
		}
		m, ok := t.Exp.(*core.SegMap)
		switch {
		case !ok || m.Level != core.LevelGrid:
			return false
		case len(m.Space.Sizes) > 0:
			readers++
		case c.recomputable(t, m):
			for _, d := range t.Dst {
				results.Add(d.Var)
			}
		default:
			return false
		}
	}
	returned := slices.ContainsFunc(c.res, func(x core.Operand) bool { return results.Has(x.Var) })
	return !returned && 0 < readers && readers <= mostReaders
}

// lastOf is the form in which a workgroup of so many threads combines what others leave.
func (c *chooser) lastOf(o operators, threads int) [][]core.Form {
	return [][]core.Form{{{Way: core.WayWorkgroup, Group: threads, Shuffles: c.joins(o, threads), Looped: c.costly(o)}}}
}

// segments are the forms for many segments: see Note [Reductions of segments].
func (c *chooser) segments(s *core.Stm, e *core.SegRed, o operators) *core.Choice {
	size, flight := c.fitThreads(c.GroupSize, o.types), c.flight(s, e, o)
	short := core.Compare(core.MeasureSize, core.Below, longForThread)
	many := core.Compare(core.MeasureSegments, core.Above, 64*c.GroupSize)
	thread := core.Form{Way: core.WayThread, Group: c.GroupSize, When: either(short, many)}
	group := core.Form{
		Way: core.WayWorkgroup, Group: size, Flight: flight, Shuffles: c.joins(o, size), Looped: c.costly(o),
	}
	shares := group
	shares.Way, shares.Least, shares.Groups = core.WayShares, fewElements, c.saturating(size)
	shares.When = all(core.Compare(core.MeasureSegments, core.Below, shares.Groups/fewForShares),
		core.Compare(core.MeasureSize, core.Above, longForWorkgroup))
	merge := c.lastOf(o, size)
	if !c.joins(o, c.GroupSize) {
		return &core.Choice{Forms: []core.Form{thread, shares, group}, Merge: merge}
	}
	if c.inRows(e) {
		thread.When = either(short)
	}
	subgroup := core.Form{
		Way: core.WaySubgroup, Group: c.GroupSize, Flight: flight, Looped: c.costly(o),
		When: all(core.Compare(core.MeasureSegments, core.Above, 4*c.Groups), core.Compare(core.MeasureSize, core.Below, longForSubgroup)),
	}
	return &core.Choice{Forms: []core.Form{thread, subgroup, shares, group}, Merge: merge}
}

// flight is how many elements a thread loads before it combines the first.
func (c *chooser) flight(s *core.Stm, e *core.SegRed, o operators) int {
	cost := c.cost(&core.Body{Stms: e.Body.Stms}) + c.operatorCost(o)
	keeps := len(s.Dst) > len(o.types)
	if !o.commutative || !c.Vectors || c.Software || !straight(e.Body) || keeps || maxInFlight*cost > maxUnrolled {
		return 1
	}
	return maxInFlight
}

// inRows reports whether threads that take neighbouring segments read far from each other, and those that take
// neighbouring elements of a segment do not.
func (c *chooser) inRows(e *core.SegRed) bool {
	var own core.VarSet // A thread has what its body makes to itself.
	core.Walk(e.Body, func(s *core.Stm) bool {
		for _, d := range s.Dst {
			own.Add(d.Var)
		}
		return true
	})
	ids := e.Space.Ids
	rows := false
	for _, s := range e.Body.Stms {
		read, ok := s.Exp.(*core.Index)
		if !ok || !s.Dst[0].Type.IsScalar() || own.Has(read.Array) {
			continue
		}
		at := tile.Place(c.scope.TypeOf(read.Array), read.Slice)
		segment, segmentKnown := distance(at, ids[len(ids)-2])
		element, elementKnown := distance(at, ids[len(ids)-1])
		if segmentKnown && segment == 1 {
			return false
		}
		apart := !segmentKnown || segment != 0
		rows = rows || apart && elementKnown && element == 1
	}
	return rows
}

// distance is how far apart two elements lie whose places differ by one in v, if it is a constant.
func distance(at core.Poly, v core.Var) (int64, bool) {
	next := at.Subst(func(w core.Var) core.Poly {
		if w == v {
			return core.PolyVar(w).Add(core.PolyConst(1))
		}
		return core.PolyVar(w)
	})
	return next.Sub(at).Const()
}

// taskSegments assigns few long segments to several tasks each, and others to one: see Note [Sizes of tasks].
func (c *chooser) taskSegments(e *core.SegRed, o operators) *core.Choice {
	runs := c.runs(e.Space, e.Body, o, o.commutative)
	whole := runs
	whole.Way, whole.Each = core.WayTask, pointsOf(segmentCost(e.Space, c.elementCost(e.Body, o)))
	if !c.inRows(e) {
		whole.Lanes, whole.Run = 0, 0
		whole.Rows = c.rows(e.Space)
	}
	runs.When = all(core.Compare(core.MeasureSegments, core.Below, c.Tasks/2), core.Compare(core.MeasureSize, core.Above, taskWork))
	return &core.Choice{Forms: []core.Form{runs, whole}}
}

// elementCost is what an element of a reduction or scan costs.
func (c *chooser) elementCost(b *core.Body, o operators) int {
	cost := c.pointCost(b)
	for _, op := range o.ops {
		cost += c.pointCost(op.Lambda.Body)
	}
	return cost
}

// rows is how many rows of segments a task does together, each of which is a loop: Note [Jammed rows] of package lower.
func (c *chooser) rows(space core.Space) int {
	if len(space.Sizes) < 3 || c.Rows < 2 {
		return 0
	}
	return c.Rows
}

// runs assigns tasks runs of a segment each, which they fold in lanes if what is done for an element is operations on scalars.
func (c *chooser) runs(space core.Space, b *core.Body, o operators, commutative bool) core.Form {
	f := core.Form{Way: core.WayRuns, Tasks: c.Tasks, Each: pointsOf(c.elementCost(b, o))}
	if straight(b) && o.straight() {
		f.Lanes = foldLanes
		if !commutative {
			f.Lanes, f.Run = runLanes, laneRun
			c.square(&f, space, b, o)
		}
	}
	return f
}

// square chooses how many elements of its run a lane takes at a time: Note [Squares] of package lower.
func (c *chooser) square(f *core.Form, space core.Space, b *core.Body, o operators) {
	size := c.largestNeighbour(space, b)
	if size == 0 || c.elementCost(b, o) > squareCost {
		return
	}
	f.Square, f.Copied = squareSide, c.Permutes
	if !f.Copied {
		f.Square = webSide
	}
	if size >= 4 {
		f.Lanes = squareLanes
	}
}

// largestNeighbour is the size of the largest elements that a body reads at places which grow by one from each point of a segment to the
// next; zero is that there are none, or that the body has branches.
func (c *chooser) largestNeighbour(space core.Space, b *core.Body) (size int) {
	last := space.Ids[len(space.Ids)-1]
	for _, s := range b.Stms {
		switch e := core.Match(s.Exp).(type) {
		case *core.If, *core.Assert:
			return 0
		case *core.Index:
			if !s.Dst[0].Type.IsScalar() {
				continue
			}
			if n, ok := distance(tile.Place(c.scope.TypeOf(e.Array), e.Slice), last); ok && n == 1 {
				size = max(size, s.Dst[0].Type.Elem.Size())
			}
		default:
		}
	}
	return size
}
