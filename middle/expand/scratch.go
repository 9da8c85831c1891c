package expand

import (
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
//
// What tasks of a processor write side by side must not lie in one line of the cache, which would go from one core to the other with each
// write: two tasks took three times as long as one (OptionPricing). So each has whole lines.

// lineBytes is how much memory belongs to one core at a time: two lines of 64 bytes, since some processors fetch them in pairs.
const lineBytes = 128

// wholeLines is a number of elements rounded up to whole lines of the cache.
func wholeLines(b *core.Builder, count core.Operand, elem prim.Type) core.Operand {
	line := core.Int(int64(lineBytes / elem.Size()))
	up := b.Add64(count, b.Sub64(line, core.Int(1)))
	return b.Mul64(b.Bin(prim.Quot, up, line), line)
}

// scratch is a block in which points that run one after the other have count elements each.
type scratch struct {
	mem   core.Param
	count core.Operand
}

// addScratch adds a block of scratch to the kernel.
func (x *expander) addScratch(k *kernel, b scratch) {
	k.scratch = append(k.scratch, b)
	if k.space.Slot != 0 {
		return
	}
	k.space.Slot = x.Param("slot", core.I64).Var
	k.space.Slots = core.V(x.Param("slots", core.I64).Var)
}

// allocScratch adds, before the kernel, the allocations of its scratch.
func (x *expander) allocScratch(k *kernel) {
	if k.space.Slot == 0 {
		return
	}
	bytes := core.Int(0)
	for _, b := range k.scratch {
		bytes = x.Add64(bytes, x.Mul64(b.count, core.Int(int64(b.mem.Type.Elem.Size()))))
	}
	limit := x.Let("limit", &core.Fact{Name: "array_bytes"})
	fit := x.Bin(prim.Max, core.Int(1), x.Bin(prim.Quot, limit, x.Bin(prim.Max, core.Int(1), bytes)))
	fill := x.Let("fill", &core.Fact{Name: "threads"})
	most := x.Bin(prim.Min, fit, fill)
	slots := core.Param{Var: k.space.Slots.Var, Type: core.I64}
	points := x.Product(k.space.Sizes...)
	rounds := x.Bin(prim.Max, core.Int(1), x.quotUp(points, most))
	x.Bind([]core.Param{slots}, x.quotUpExp(points, rounds))
	for _, b := range k.scratch {
		b.alloc(x.Builder, k.space.Slots)
	}
}

// quotUp is n / by rounded up, of a divisor that is not zero.
func (x *expander) quotUp(n, by core.Operand) core.Operand { return x.Let("t", x.quotUpExp(n, by)) }

func (x *expander) quotUpExp(n, by core.Operand) core.Exp {
	return &core.Bin{Op: prim.Quot, Type: prim.I64, X: x.Add64(n, x.Sub64(by, core.Int(1))), Y: by}
}

// alloc adds the allocation of a block in which so many points have their elements.
func (t scratch) alloc(b *core.Builder, points core.Operand) {
	count := b.Mul64(t.count, points)
	b.Bind([]core.Param{t.mem}, &core.Alloc{Elem: t.mem.Type.Elem, Count: count, Space: core.SpaceDevice})
}
