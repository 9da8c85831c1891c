package wasm

import (
	"fmt"

	"skald/middle/imp"
)

// gather pushes elements that lie apart.
func (v *vectors) gather(e *imp.Load, r int) {
	lanes := vectorBits / v.width
	if !v.strides.affine(e.Index) {
		v.fail()
		return
	}
	at, step := v.temp(I32), v.temp(I32)
	if by, ok := v.stepOf(e); ok {
		first, offset := v.place(e.Mem, v.strides.inlined(e.Index))
		v.get(by)
		v.set(step)
		v.get(first)
		if offset != 0 {
			v.constant(i32Const, offset)
			v.emit(add)
		}
		if r > 0 {
			v.get(step)
			v.constant(i32Const, r*lanes)
			v.emit(mul, add)
		}
		v.set(at)
	} else {
		v.addressOf(e, r*lanes+1)
		v.addressOf(e, r*lanes)
		v.tee(at)
		v.emit(sub)
		v.set(step)
	}
	v.elements(e, at, step)
	v.release(I32, at, step)
}

// elements pushes the elements of a vector that are at an address and at so many bytes from one to the next.
func (v *vectors) elements(e *imp.Load, at, step uint64) {
	t := v.kernel.Mems[e.Mem].Elem
	for l := range vectorBits / v.width {
		v.get(at)
		if l > 0 {
			v.get(step)
			v.emit(add)
			v.tee(at)
		}
		if l == 0 && t.Bits() >= 32 { // See Note [Splats].
			v.access(map[int]op{32: v128Load32Zero, 64: v128Load64Zero}[t.Bits()], alignment(t), 0)
			continue
		}
		v.access(loads[t], alignment(t), 0)
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
	by := plus(at.by, number(at.each))
	key := fmt.Sprintf("step %d %s", e.Mem, keyOf(by))
	if known := v.known[key]; known != nil {
		return known[0], true
	}
	l := v.local(I32, fmt.Sprintf("step_%dm", len(v.locals)))
	v.writer.exp(by)
	v.emit(i32WrapI64)
	v.scale(v.kernel.Mems[e.Mem].Elem.Size())
	v.set(l)
	v.known[key] = []uint64{l}
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
