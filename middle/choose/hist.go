package choose

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Tables and copies]
//
// Each workgroup has a table of bins in its own memory, which its threads fill from their
// share of the input; at the end it adds what is in the table to the result. Workgroups are as large
// as the device allows and as many as fill it, so that few tables are cleared and added up.
//
// The device's own atomics need no copies of bins in a table, whatever the keys: clearing and joining copies takes longer than threads
// wait for each other. Other operators have their values brought together in workgroups before they meet a bin: Note [Forms of chains].
// Where the code of these is too large and the operator is a compare-and-swap loop, which all threads that meet in a bin repeat, bins have
// as many copies in a table as fit.
//
// Bins that do not fit are cut into slices, of which each reads the whole input; with more than a few, updates in device memory are as
// fast: on an H200 100M of them take 1,144 us, and reading as many keys 100, so counters, which read nothing but keys, have more slices.
// Compare-and-swap loops of many threads on one word take very long there, so workgroups then share some copies of the result.
//
// Segments have workgroups of their own, as many each as saturate the device together. Where a segment has few elements
// for a workgroup, or fewer than bins, clearing and joining tables takes longer than updates in device memory.
//
// WGSL has no atomic addition of f64, only compare-and-swap loops on device memory, so these are chains; where the device has one, as CUDA,
// a few bins are private and others are updated there.
//
// Where the code is too large for chains and an operator cannot update elements atomically (Note [Updates of shared elements]), each of
// some threads has a copy of the result in
// device memory, which it fills from a run of the input. A thread waits for each update of its copy, so the more threads the better, as
// long as clearing the copies and combining them costs less than going through the input: where the points are many, threads have copies
// of up to so many elements for each point. On an H200, of 20M points, 128 threads for 65,536 bins took 167 ms, and 2,048 for 4,096 12.9.

const (
	maxSlices     = 4       // slices that bins are cut into
	counterSlices = 8       // slices that bins which only count are cut into
	maxCopies     = 32      // copies of a bin in a table, or of the result that workgroups share
	segmentPoints = 4       // points that each thread of a workgroup has in a segment, at least, for tables to pay
	spreadBudget  = 1 << 21 // elements of all copies of an array that workgroups share
	ownBudget     = 1 << 26 // elements of all copies of an array that threads have to themselves
	ownCapacity   = 1 << 23 // the same where points are few
	ownThreads    = 1 << 17 // threads with a copy each
	ownShare      = 4       // part of the largest buffer that copies of an array take, at most
	ownPoints     = 64      // points of such a thread, at least
	fewToMerge    = 4096    // bins below which a workgroup each combines their copies
	mergeSide     = 32      // neighbouring bins whose copies a workgroup combines
	someToMerge   = 1 << 14 // the same where there are a workgroup's or a thread's copies, which are more
	counterHalf   = 1 << 15 // what a counter of 16 bits takes from all threads of a workgroup at once, at most
	binsPerPoint  = 2       // points that a task has for each bin, at least, for a copy of the bins to pay
	// A task has subCopies copies of the bins where these are at most fewBins, and neighbouring points take one after the other: what the
	// last point has stored is not there yet when the next one loads it.
	subCopies = 4
	fewBins   = 1024
)

// segHist chooses for a histogram of the grid.
func (c *chooser) segHist(e *core.SegHist) *core.Choice {
	global := c.allAtomic(e, InGlobal)
	local := c.emulation(&core.Body{Stms: e.Body.Stms}) <= maxEmulated && c.allAtomic(e, InShared)
	switch {
	case c.Tasks > 0:
		return c.taskHist(e, global)
	case !global:
		own := core.Form{
			Way: core.WayOwn, Group: c.GroupSize, Copies: ownThreads, Budget: c.ownBudget(), Capacity: ownCapacity, Least: ownPoints,
		}
		return &core.Choice{Forms: append(c.chains(e), own), Merge: c.merges(e, someToMerge)}
	case !local && c.swaps(e) && len(c.chains(e)) > 0:
		return &core.Choice{Forms: append(c.chains(e), c.points(c.histCost(e))), Merge: c.merges(e, someToMerge)}
	case !local && c.chainable(e):
		private := c.private(e)
		choice := &core.Choice{Forms: append(append(private, c.contended(e)...), c.points(c.histCost(e)))}
		if len(private) > 0 {
			choice.Merge = c.merges(e, someToMerge)
		}
		return choice
	case !local:
		return only(c.points(c.histCost(e)))
	case len(e.Space.Sizes) > 1:
		rest := append(c.contended(e), c.points(c.histCost(e)))
		t := c.table(e, vector{1, 1})
		if t.Capacity < 1 {
			return &core.Choice{Forms: rest}
		}
		t.Least = segmentPoints
		t.When = all(atMost(t.Capacity))
		return &core.Choice{Forms: append([]core.Form{t}, rest...)}
	}
	return c.tables(e)
}

// ownBudget is how many elements of eight bytes fit a part of the largest buffer, if that is more than where points are few.
func (c *chooser) ownBudget() int {
	n := ownBudget
	for n > ownCapacity && c.BufferBytes > 0 && int64(n)*8 > c.BufferBytes/ownShare {
		n /= 2
	}
	return n
}

// atMost bounds the bins.
func atMost(n int) core.Bound { return core.Compare(core.MeasureBins, core.AtMost, n) }

// allAtomic reports whether all operators can update elements in place.
func (d *Device) allAtomic(e *core.SegHist, shared bool) bool {
	return !slices.ContainsFunc(e.Ops, func(op core.HistOp) bool { return !d.Atomic(op.Lambda, shared) })
}

// swaps reports whether an operator is none of the device's atomic operations.
func (d *Device) swaps(e *core.SegHist) bool {
	return slices.ContainsFunc(e.Ops, func(op core.HistOp) bool { _, ok := d.Hardware(op.Lambda); return !ok })
}

// tableBytes is how much workgroup memory tables may have. The flag of workgroups that failed needs some.
func (d *Device) tableBytes() int {
	if d.checks {
		return d.WideBytes - VectorBytes
	}
	return d.WideBytes
}

// tableUnit divides the number of elements of a table: WebGPU counts each array of workgroup memory in units of 16 bytes.
const tableUnit = 4

// table is the form that has all bins in workgroup memory.
func (c *chooser) table(e *core.SegHist, v vector) core.Form {
	copies := 1
	if c.swaps(e) {
		copies = maxCopies
	}
	capacity := c.tableBytes() / c.sharedBytes(histTypes(e)) / tableUnit * tableUnit
	return core.Form{
		Way: core.WayTable, Group: c.WideGroup, Capacity: capacity, Copies: copies,
		Vector: v.width, Flight: v.inFlight, Least: max(fewElements, v.width), Groups: c.saturating(c.WideGroup),
	}
}

// histTypes are the types of the elements of a histogram whose operators combine one value each.
func histTypes(e *core.SegHist) []prim.Type {
	out := make([]prim.Type, len(e.Ops))
	for i, op := range e.Ops {
		out[i] = op.Lambda.Ret[0].Elem
	}
	return out
}

// tables fills tables in workgroup memory where bins fit, in slices if need be, and else updates device memory.
func (c *chooser) tables(e *core.SegHist) *core.Choice {
	if chains := c.chains(e); c.swaps(e) && len(chains) > 0 {
		return &core.Choice{Forms: append(chains, c.points(c.histCost(e))), Merge: c.merges(e, someToMerge)}
	}
	v := c.vectorise(e.Space, e.Body, nil, 4*len(e.Ops))
	whole := c.table(e, v)
	whole.When = all(atMost(whole.Capacity))
	choice := &core.Choice{}
	if whole.Capacity > 0 {
		choice.Forms = append(choice.Forms, whole)
		if CountsOnes(e) {
			choice.Forms = append(choice.Forms, c.counters(v))
		}
		cut := whole
		cut.Slices, cut.Copies, cut.When = maxSlices, 1, all(atMost(maxSlices*whole.Capacity))
		choice.Forms = append(choice.Forms, cut)
	}
	if c.swaps(e) {
		choice.Forms = append(choice.Forms, core.Form{
			Way: core.WaySpread, Group: c.GroupSize, Copies: maxCopies, Budget: spreadBudget,
		})
		choice.Merge = c.merges(e, fewToMerge)
	}
	choice.Forms = append(append(choice.Forms, c.contended(e)...), c.points(c.histCost(e)))
	return choice
}

// counters are tables of 16-bit counters. What all threads of a workgroup add at once must not overflow one. They hold what whole counters
// have no room for: of a large memory each takes more than half, and a compute unit has one at a time. With more tables than that the last
// updates of the result are more, too: 65,536 bins took 84 us with two each, and take 61 in the lab (counts of 20M points, H200).
func (c *chooser) counters(v vector) core.Form {
	for v.inFlight > 1 && v.width*v.inFlight*c.WideGroup >= counterHalf {
		v.inFlight /= 2
	}
	capacity, threads := c.tableBytes()/2, c.WideGroup
	if c.tableBytes() >= largeMemory {
		threads *= 2
	}
	return core.Form{
		Way: core.WayCounters, Group: c.WideGroup, Capacity: capacity, Slices: counterSlices, Vector: v.width, Flight: v.inFlight,
		Least: max(fewElements, v.width), Groups: c.saturating(threads), When: all(atMost(counterSlices * capacity)),
	}
}

// CountsOnes reports whether a histogram adds ones to integers of a word or more.
func CountsOnes(e *core.SegHist) bool {
	if len(e.Ops) != 1 {
		return false
	}
	op, elem, ok := e.Ops[0].Lambda.Single()
	if !ok || op != prim.Add || !elem.IsInt() || elem.Bits() < 32 {
		return false
	}
	val := e.Body.Res[len(e.Ops[0].Shape)]
	zero, isConst := e.Ops[0].Neutral[0].ConstInt()
	one, isOne := val.ConstInt()
	return isConst && isOne && zero == 0 && one == 1
}

// merges is how copies of the bins are combined, for each operator: by a workgroup a bin below so many bins, else by a thread.
func (c *chooser) merges(e *core.SegHist, few int) [][]core.Form {
	out := make([][]core.Form, len(e.Ops))
	for i, op := range e.Ops {
		o := histOperators(e, i)
		size := c.fitThreads(c.GroupSize, o.types)
		out[i] = []core.Form{{
			Way: core.WayWorkgroup, Group: size, Shuffles: c.joins(o, size), Looped: c.costly(o),
			When: either(core.Compare(core.MeasureBins, core.Below, few)),
		}, c.mergePoints(op)}
		if wide := c.mergeSides(e); wide != nil {
			out[i] = slices.Insert(out[i], 1, *wide)
			out[i][0].When = either(core.Compare(core.MeasureBins, core.Below, fewBins))
		}
	}
	return out
}

// mergeSides is how copies of a table that threads update by compare and swap are combined: by large workgroups for neighbouring bins. A
// workgroup for each bin reads a sector of memory for each word.
func (c *chooser) mergeSides(e *core.SegHist) *core.Form {
	size := c.fitThreads(c.WideGroup, histOperators(e, 0).types)
	if !c.meets(e) && !c.eager(e, InShared) || size < 2*mergeSide {
		return nil
	}
	return &core.Form{
		Way: core.WayWorkgroup, Group: size, Side: mergeSide,
		When: either(core.Compare(core.MeasureBins, core.Below, someToMerge)),
	}
}

// mergePoints combines the copies of a bin by a thread.
func (c *chooser) mergePoints(op core.HistOp) core.Form {
	return c.points(loopTrips * (elementCost + c.pointCost(op.Lambda.Body)))
}

// histCost is what a point of a histogram costs.
func (c *chooser) histCost(e *core.SegHist) int {
	cost := c.pointCost(e.Body)
	for _, op := range e.Ops {
		cost += elementCost + c.pointCost(op.Lambda.Body)
	}
	return cost
}

// taskHist chooses for a histogram on a processor: each task has a copy of the bins, or all update the result.
func (c *chooser) taskHist(e *core.SegHist, atomic bool) *core.Choice {
	cost := c.histCost(e)
	runs := core.Form{Way: core.WayRuns, Tasks: c.Tasks, Each: pointsOf(cost), Least: binsPerPoint}
	if straightHist(e) {
		runs.Copies, runs.Capacity = subCopies, fewBins
	}
	rest := core.Form{Way: core.WayThread, Group: 1, Sequential: true}
	if atomic {
		rest = c.points(cost)
	}
	// Copies are in the caches of those who filled them, so that to read all of them takes one task long.
	copies := c.Tasks * max(1, runs.Copies)
	merge := make([][]core.Form, len(e.Ops))
	for i, op := range e.Ops {
		merge[i] = []core.Form{c.task(copies * (elementCost + c.pointCost(op.Lambda.Body)))}
	}
	return &core.Choice{Forms: []core.Form{runs, rest}, Merge: merge}
}

// straightHist reports whether points and operators are operations on scalars and branches of such, so that code for some points in a row
// is short.
func straightHist(e *core.SegHist) bool {
	return straight(e.Body) && !slices.ContainsFunc(e.Ops, func(op core.HistOp) bool { return !straight(op.Lambda.Body) })
}

// groupHist shares a histogram inside a workgroup among its threads, if they can update its bins atomically; else one thread has all
// points.
func (c *chooser) groupHist(e *core.SegHist) *core.Choice {
	atomic := !slices.ContainsFunc(e.Ops, func(op core.HistOp) bool { return !c.atomicOn(op.Lambda, op.Dests[0]) })
	return only(core.Form{Way: core.WayMembers, Sequential: !atomic})
}
