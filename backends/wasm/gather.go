package wasm

import (
	"fmt"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Gathering]
//
// Elements that lie apart are loaded one by one. Each lane has a local with its address, from which all loads whose places differ by a
// constant have offsets: wazero checks one of them if that with the largest offset comes first. An address is that of the lane before and a
// step, also from one part of a loop that is written out to the next, where it would be computed from the index again. Elements of 32 and
// 64 bits are loaded as numbers of floating point whatever they are, which wazero does into a vector register, and puts into a lane by one
// instruction; an integer would go through a register of its own kind.

// gather pushes elements that lie apart.
func (v *vectors) gather(e *imp.Load, r int) {
	lanes := vectorBits / v.width
	if !v.strides.affine(e.Index) {
		v.fail()
		return
	}
	if by, ok := v.stepOf(e); ok {
		first, offset := v.firstLane(e)
		v.elements(e, offset, func(l int) { v.get(v.lane(first, by, v.before+r*lanes+l)) })
		return
	}
	at, step := v.temp(I32), v.temp(I32)
	v.addressOf(e, r*lanes+1)
	v.addressOf(e, r*lanes)
	v.tee(at)
	v.emit(sub)
	v.set(step)
	v.elements(e, 0, func(l int) {
		v.get(at)
		if l > 0 {
			v.get(step)
			v.emit(add)
			v.tee(at)
		}
	})
	v.release(I32, at, step)
}

// firstLane is the local with the address of what the first iteration reads that is written out with this one, less an offset.
func (v *vectors) firstLane(e *imp.Load) (at uint64, offset int) {
	index := v.strides.inlined(e.Index)
	if v.before == 0 {
		return v.place(e.Mem, index)
	}
	known := v.known
	v.known, v.fixed[v.strides.Loop.Var] = v.lasting, 0
	at, offset = v.place(e.Mem, index)
	v.known, v.fixed[v.strides.Loop.Var] = known, int64(v.before)
	return at, offset
}

// lane is the local with the address of a lane's element, where that of the first lane and the bytes from one to the next are locals.
func (v *vectors) lane(first, step uint64, lane int) uint64 {
	if lane == 0 {
		return first
	}
	key := func(lane int) string { return fmt.Sprintf("lane %d of %d by %d", lane, first, step) }
	if known := v.lasting[key(lane)]; known != nil {
		return known[0]
	}
	if before := v.lasting[key(lane-1)]; before != nil {
		v.get(before[0])
		v.get(step)
	} else {
		v.get(first)
		v.get(step)
		if lane > 1 {
			v.constant(i32Const, lane)
			v.emit(mul)
		}
	}
	v.emit(add)
	l := v.local(I32, fmt.Sprintf("lane_%dm", len(v.locals)))
	v.set(l)
	v.lasting[key(lane)] = []uint64{l}
	return l
}

// carriers are the types that elements of so many bits are loaded as.
var carriers = map[int]prim.Type{32: prim.F32, 64: prim.F64}

// elements pushes the elements of a vector, whose addresses, less an offset, address pushes. See Note [Gathering].
func (v *vectors) elements(e *imp.Load, offset int, address func(lane int)) {
	t := v.kernel.Mems[e.Mem].Elem
	align := alignment(t)
	carrier, wide := carriers[t.Bits()]
	if wide {
		t = carrier
	}
	for l := range vectorBits / v.width {
		address(l)
		if l == 0 && wide { // See Note [Splats].
			v.access(map[int]op{32: v128Load32Zero, 64: v128Load64Zero}[t.Bits()], align, offset)
			continue
		}
		v.access(loads[t], align, offset)
		if l == 0 {
			v.instruction("splat", t)
			continue
		}
		v.with(prefixed(vector, simd["replace_lane"][shapeOf(t)]), uint64(l))
	}
}

// stepOf is the local with the bytes from a lane's element to the next lane's, if they are known before the loop.
func (v *vectors) stepOf(e *imp.Load) (step uint64, ok bool) {
	at, ok := v.lanesOf.linear(e.Index)
	if !ok {
		return 0, false
	}
	by := at.step()
	key := fmt.Sprintf("step %d %s", e.Mem, keyOf(by))
	if known := v.lasting[key]; known != nil {
		return known[0], true
	}
	l := v.local(I32, fmt.Sprintf("step_%dm", len(v.locals)))
	v.writer.exp(by)
	v.emit(i32WrapI64)
	v.scale(v.kernel.Mems[e.Mem].Elem.Size())
	v.set(l)
	v.lasting[key] = []uint64{l}
	return l, true
}

// addressOf pushes the address of what a lane reads.
func (v *vectors) addressOf(e *imp.Load, lane int) {
	i := v.vars[v.strides.Loop.Var]
	at := v.temp(I64)
	v.get(i - 1)
	v.constant(i64Const, lane)
	v.emit(add + toI64)
	v.set(at)
	hoisted, walks, fixed := v.hoisted, v.walks, v.fixed
	v.vars[v.strides.Loop.Var], v.hoisted, v.walks, v.fixed = at+1, nil, nil, nil
	if offset := v.address(e.Mem, v.strides.inlined(e.Index)); offset != 0 {
		v.constant(i32Const, offset)
		v.emit(add)
	}
	v.vars[v.strides.Loop.Var], v.hoisted, v.walks, v.fixed = i, hoisted, walks, fixed
	v.release(I64, at)
}
