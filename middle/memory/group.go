package memory

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

// allocInGroup adds the allocation, in workgroup memory, of an array of type t, or of another shape with as many elements.
func (p *placer) allocInGroup(b *core.Builder, base string, t core.Type, shape []core.Operand) *core.Layout {
	k := p.kernel
	count, ok := k.countOutside(t.Shape, shape)
	if !ok {
		p.bug("flattening made a workgroup's kernel with an array of unknown size at %s", p.Where.Place())
	}
	mem := b.LetVar(base+"_mem", &core.Alloc{Elem: t.Elem, Count: count, Space: core.SpaceGroup})
	return core.RowMajor(mem, t.Shape)
}

// expandedInGroup adds, before the operation that the threads of a workgroup share, the allocation of an array for each of its points.
func (p *placer) expandedInGroup(base string, t core.Type, shape []core.Operand) *core.Layout {
	k := p.kernel
	if len(shape) > 0 {
		shape = append(slices.Clip(shape), k.space.Sizes...)
	}
	count, ok := k.outer.countOutside(append(slices.Clip(t.Shape), k.space.Sizes...), shape)
	if !ok {
		p.bug("flattening made a workgroup's kernel with an array of unknown size at %s", p.Where.Place())
	}
	mem := k.host.LetVar(base+"_mem", &core.Alloc{Elem: t.Elem, Count: count, Space: core.SpaceGroup})
	l := core.RowMajor(mem, t.Shape)
	stride := core.PolyConst(1)
	for d, id := range slices.Backward(k.space.Ids) {
		l.Offset = l.Offset.Add(core.PolyVar(id).Mul(stride))
		stride = stride.Mul(core.PolyOf(k.space.Sizes[d]))
	}
	for d := range l.Strides {
		l.Strides[d] = l.Strides[d].Mul(stride)
	}
	return l
}

// countOutside computes, before the kernel, the product of sizes, or of others that have the same, if they are known there.
func (k *kernel) countOutside(sizes, other []core.Operand) (count core.Operand, ok bool) {
	switch {
	case k.sizing.Outside(sizes):
		return k.host.Product(sizes...), true
	case len(other) > 0 && k.sizing.Outside(other):
		return k.host.Product(other...), true
	}
	return core.Operand{}, false
}
