package expand

import (
	"slices"

	"skald/middle/core"
)

// Note [Workgroup memory]
//
// Arrays that a workgroup makes lie in its memory: those of the code that all of its threads run together, and those of single threads
// that are too large for a thread's own memory, of which there is then one for each point of the operation that the threads share.
// Their sizes are known before the kernel runs, and the same for all workgroups; the host computes how many elements there are, and
// lowering where each array lies.

// inGroup writes the allocation of a workgroup's array, with a count that the host computes.
func (x *expander) inGroup(k *kernel, mem core.Param, e *core.Alloc) {
	count := x.countOutside(k, k.sizing.Factors(e.Count))
	x.Bind([]core.Param{mem}, &core.Alloc{Elem: e.Elem, Count: count, Space: core.SpaceGroup})
}

// expandedInGroup adds, before the operation that the threads of a workgroup share, the allocation of a block for all of its points.
func (x *expander) expandedInGroup(k *kernel, mem core.Param, e *core.Alloc) {
	count := x.countOutside(k.outer, k.outer.sizing.Factors(slices.Concat(k.sizing.Factors(e.Count), k.space.Sizes)...))
	mem.Type = core.MemType(e.Elem, core.SpaceGroup)
	k.host.Bind([]core.Param{mem}, &core.Alloc{Elem: e.Elem, Count: count, Space: core.SpaceGroup})
	x.points[mem.Var] = neighbours(k.space.Ids, k.space.Sizes)
}

// countOutside computes a product of sizes before a kernel of workgroups.
func (x *expander) countOutside(k *kernel, sizes []core.Operand) core.Operand {
	if !k.sizing.Outside(sizes) {
		x.unknownSize()
	}
	return k.host.Product(sizes...)
}
