package choose

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Forms of chains]
//
// Operators that are none of the device's atomic operations have their values brought together in workgroups before they meet a bin
// (Note [Chains of equal bins] of package lower), which takes no more than some times as long for any keys as for uniform ones; a
// compare-and-swap loop on one word of device memory took 6.8 s for 20M points on an H200, and a copy of 4,096 bins for each of 2,048
// threads 12.9 ms.
//
// Bins lie in a table in workgroup memory where it holds them or a slice of them: half of a large one first, so that two workgroups have
// room. Slices have each workgroup go through all points of its share for those of its slice, which pays for two: where three to six would
// do, copies in device memory, one a workgroup, take 1.2 ms instead of 1.5 (H200, argmax, 4,096 bins, WebGPU), and half as long where all
// keys are one. Where an element can be updated atomically, there are copies only as long as clearing and combining them costs less than
// going through the input, and behind that elements are.

const (
	chainSlices   = 2       // slices that bins are cut into
	chainLeast    = 8       // points of a thread, at least
	chainSlots    = 1 << 12 // words that tell who has a bin, at most, where bins share them
	chainMost     = 1 << 30 // bins, at most: their numbers have 32 bits
	chainBudget   = 1 << 26 // elements of all copies of an array
	chainThreads  = 64      // threads of a workgroup, at least
	largeMemory   = 1 << 16 // workgroup memory that is enough for two workgroups
	chainReserved = 256     // bytes that a workgroup needs besides
)

// chains are the forms of chains that the device can run, best first; each has a condition.
func (c *chooser) chains(e *core.SegHist) []core.Form {
	if !c.chainable(e) {
		return nil
	}
	var out []core.Form
	if bytes := c.tableBytes(); bytes >= largeMemory {
		out = c.chainTable(out, e, bytes/2, 0)
	}
	out = c.chainTable(out, e, c.tableBytes(), chainSlices)
	copies, ok := c.slotted(e)
	if !ok {
		return out
	}
	copies.Budget, copies.Way, copies.When = c.copiesBudget(), core.WayChainCopies, all(atMost(chainMost))
	if c.allAtomic(e, InGlobal) {
		times := max(1, copies.Groups/core.CopiesPerPoint)
		few := core.Bound{Times: times, X: core.MeasureBins, Op: core.AtMost, By: 1, Y: core.MeasureSize}
		copies.When = all(atMost(copies.Budget/copies.Groups), few)
		updates := copies
		updates.Way, updates.Budget, updates.When = core.WayChainUpdates, 0, all(atMost(chainMost))
		return append(out, copies, updates)
	}
	return append(out, copies)
}

// large reports whether an operator is too large to be repeated.
func (c *chooser) large(e *core.SegHist) bool {
	return slices.ContainsFunc(e.Ops, func(op core.HistOp) bool { return c.cost(op.Lambda.Body) > costlyOperator })
}

// chainable reports whether the code of a histogram is not too large for a kernel with barriers.
func (d *Device) chainable(e *core.SegHist) bool {
	w := d.emulation(&core.Body{Stms: e.Body.Stms})
	for _, op := range e.Ops {
		w += d.emulation(op.Lambda.Body)
	}
	return w <= maxEmulated
}

// valueTypes are the types of all values of a histogram's operators.
func valueTypes(e *core.SegHist) []prim.Type {
	var out []prim.Type
	for _, op := range e.Ops {
		for _, t := range op.Lambda.Ret {
			out = append(out, t.Elem)
		}
	}
	return out
}

// chainTable adds the form that has a table in workgroup memory of so many bytes.
func (c *chooser) chainTable(out []core.Form, e *core.SegHist, bytes, cut int) []core.Form {
	value := c.sharedBytes(valueTypes(e))
	f := core.Form{Way: core.WayChain, Group: c.WideGroup, Slices: cut, Least: chainLeast, Looped: c.large(e)}
	for f.Group > chainThreads && chainBytes(value, f.Group) > bytes/2 {
		f.Group /= 2
	}
	f.Capacity = (bytes - chainBytes(value, f.Group)) / (value + 4)
	if f.Capacity < 1 {
		return out
	}
	f.Groups = c.saturating(f.Group)
	f.When = all(atMost(f.Capacity * max(1, cut)))
	return append(out, f)
}

// chainBytes is the workgroup memory of threads with values of so many bytes each.
func chainBytes(value, threads int) int { return (value+4)*threads + chainReserved }

// slotted is the form that has no table, as far as both such forms are alike.
func (c *chooser) slotted(e *core.SegHist) (core.Form, bool) {
	value := c.sharedBytes(valueTypes(e)) + 4
	f := core.Form{Group: c.WideGroup, Capacity: chainSlots, Least: chainLeast, Looped: c.large(e)}
	for f.Group > chainThreads && 2*chainBytes(value, f.Group) > c.tableBytes() {
		f.Group /= 2
	}
	for f.Capacity > f.Group && chainBytes(value, f.Group)+4*f.Capacity > c.tableBytes() {
		f.Capacity /= 2
	}
	f.Groups = c.saturating(f.Group)
	return f, chainBytes(value, f.Group)+4*f.Capacity <= c.tableBytes()
}

// copiesBudget is how many elements of eight bytes fit a part of the largest buffer.
func (c *chooser) copiesBudget() int {
	n := chainBudget
	for n > 1 && c.BufferBytes > 0 && int64(n)*8 > c.BufferBytes/ownShare {
		n /= 2
	}
	return n
}
