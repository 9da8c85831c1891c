package memory

import (
	"fmt"
	"slices"
	"strings"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Per-thread scratch]
//
// The arrays that points of a kernel make for themselves lie in blocks which the host allocates. In a segmented map points
// run one after the other anyway where there are more of them than threads that saturate the device, and then share their
// memory: the space has slots (core.Space), and blocks have room for an array in each slot. Where even these would be
// larger than the device has room for (the fact "array_bytes") there are fewer slots. All slots have as many points, but for one: with
// some of them more, the last would run while the others wait. Allocations follow once all arrays of the kernel are known.

// scratch is a block in which points that run one after the other have count elements each. Blocks with the same key have as many.
type scratch struct {
	mem   core.Param
	count core.Operand
	key   string
}

// sizeKey is the same for shapes of the same dimensions, in any order.
func sizeKey(shape ...core.Operand) string {
	names := make([]string, len(shape))
	for i, d := range shape {
		names[i] = fmt.Sprint(d)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
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
	points := p.Product(k.space.Sizes...)
	rounds := p.Bin(prim.Max, core.Int(1), p.quotUp(points, most))
	p.Bind([]core.Param{slots}, p.quotUpExp(points, rounds))
	for _, b := range k.scratch {
		b.alloc(p.Builder, k.space.Slots)
	}
}

// quotUp is x / y rounded up, of a y that is not zero.
func (p *placer) quotUp(x, y core.Operand) core.Operand { return p.Let("t", p.quotUpExp(x, y)) }

func (p *placer) quotUpExp(x, y core.Operand) core.Exp {
	return &core.Bin{Op: prim.Quot, Type: prim.I64, X: p.Add64(x, p.Sub64(y, core.Int(1))), Y: y}
}

// alloc adds the allocation of a block in which so many points have their elements.
func (t scratch) alloc(b *core.Builder, points core.Operand) {
	count := b.Mul64(t.count, points)
	b.Bind([]core.Param{t.mem}, &core.Alloc{Elem: t.mem.Type.Elem, Count: count, Space: core.SpaceDevice})
}
