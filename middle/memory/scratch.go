package memory

import (
	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Per-thread scratch]
//
// The arrays that points of a kernel make for themselves lie in blocks which the host allocates. In a segmented map points
// run one after the other anyway where there are more of them than threads that saturate the device, and then share their
// memory: the space has slots (core.Space), and blocks have room for an array in each slot. Where even these would be
// larger than the device has room for (the fact "array_bytes") there are fewer slots. Allocations follow once all arrays
// of the kernel are known.

// scratch is a block in which points that run one after the other have count elements each.
type scratch struct {
	mem   core.Param
	count core.Operand
}

// addScratch adds a block of scratch to the kernel.
func (p *placer) addScratch(b scratch) {
	k := p.kernel
	k.scratch = append(k.scratch, b)
	if k.space.Slot != 0 {
		return
	}
	k.space.Slot = p.Param("slot", core.I64).Var
	k.space.Slots = core.V(p.Param("slots", core.I64).Var)
}

// allocScratch adds, before the kernel, the allocations of its scratch.
func (p *placer) allocScratch(k *kernel) {
	if k.space.Slot == 0 {
		return
	}
	bytes := core.Int(0)
	for _, b := range k.scratch {
		bytes = p.Add64(bytes, p.Mul64(b.count, core.Int(int64(b.mem.Type.Elem.Size()))))
	}
	limit := p.Let("limit", &core.Fact{Name: "array_bytes"})
	fit := p.Bin(prim.Max, core.Int(1), p.Bin(prim.Quot, limit, p.Bin(prim.Max, core.Int(1), bytes)))
	fill := p.Let("fill", &core.Fact{Name: "threads"})
	most := p.Bin(prim.Min, fit, fill)
	slots := core.Param{Var: k.space.Slots.Var, Type: core.I64}
	p.Bind([]core.Param{slots}, &core.Bin{Op: prim.Min, Type: prim.I64, X: most, Y: p.Product(k.space.Sizes...)})
	for _, b := range k.scratch {
		b.alloc(p.Builder, k.space.Slots)
	}
}

// alloc adds the allocation of a block in which so many points have their elements.
func (t scratch) alloc(b *core.Builder, points core.Operand) {
	count := b.Mul64(t.count, points)
	b.Bind([]core.Param{t.mem}, &core.Alloc{Elem: t.mem.Type.Elem, Count: count, Space: core.SpaceDevice})
}
