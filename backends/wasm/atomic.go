package wasm

import (
	"skald/middle/imp"
	"skald/runtime/prim"
)

// rmws are the operations on integers that are instructions; the others are loops around compare-and-swap.
var rmws = map[imp.AtomicOp]rmw{
	imp.AtomicAdd: rmwAdd, imp.AtomicAnd: rmwAnd, imp.AtomicOr: rmwOr, imp.AtomicXor: rmwXor, imp.AtomicExchange: rmwXchg,
}

// width is the place of an element's width in rmwWidths.
func width(t prim.Type) int {
	switch t.Bits() {
	case 8:
		return 2
	case 16:
		return 3
	case 64:
		return 1
	default:
		return 0
	}
}

// atomic writes an atomic operation.
func (w *writer) atomic(s *imp.Atomic) {
	t := w.kernel.Mems[s.Mem].Elem
	r, ok := rmws[s.Op]
	if !ok || !t.IsInt() && s.Op == imp.AtomicAdd {
		w.atomicLoop(s.Mem, s.Index, s.Old, func(old uint64) {
			w.get(old)
			w.exp(s.Value)
			op, _ := s.Op.Operator(t)
			w.operator(op, t, nil, !ofIndices)
		})
		return
	}
	offset := w.address(s.Mem, s.Index)
	w.exp(s.Value)
	w.toBits(t)
	w.access(rmwOp(r, width(t)), alignment(t), offset)
	if s.Old == 0 {
		w.emit(drop)
		return
	}
	w.ofBits(t)
	w.set(w.variable(s.Old))
}

// toBits makes the bits of an element of a value. Atomic instructions take only integers, and look at the low bits of them.
func (w *writer) toBits(t prim.Type) {
	switch t {
	case prim.F32:
		w.emit(i32ReinterpretF)
	case prim.F64:
		w.emit(i64ReinterpretF)
	default:
	}
}

// ofBits is the inverse of toBits.
func (w *writer) ofBits(t prim.Type) {
	switch t {
	case prim.F32:
		w.emit(f32ReinterpretI)
	case prim.F64:
		w.emit(f64ReinterpretI)
	case prim.I8, prim.I16:
		w.narrow(t)
	default:
	}
}

// atomicUpdate writes a compare-and-swap loop around a computation.
func (w *writer) atomicUpdate(s *imp.AtomicUpdate) {
	w.atomicLoop(s.Mem, s.Index, s.Old, func(uint64) {
		w.stms(s.Body)
		w.exp(s.New)
	})
}

// atomicLoop replaces an element by what next pushes, as long as another thread changes it meanwhile. What stays as it is is not written.
func (w *writer) atomicLoop(m imp.Mem, index imp.Exp, result imp.Var, next func(old uint64)) {
	t := w.kernel.Mems[m].Elem
	bitsType := I32
	if t.Bits() == 64 {
		bitsType = I64
	}
	place := w.pointer(m, index)
	old := uint64(0)
	if result != 0 {
		old = w.variable(result)
	} else {
		old = w.temp(typeOf(imp.Of(t)))
	}
	before, after := w.temp(bitsType), w.temp(bitsType)
	w.get(place)
	w.access(bitLoads[width(t)], alignment(t), 0)
	w.set(before)
	w.block(block, none)
	w.block(loop, none)
	w.get(before)
	w.ofBits(t)
	w.set(old)
	next(old)
	w.toBits(t)
	if t.Bits() < 32 {
		w.constant(i32Const, maskOf(t))
		w.emit(and)
	}
	w.tee(after)
	w.get(before)
	w.emit(at(bitsPrim(t), eq))
	w.with(brIf, 1)
	w.get(place)
	w.get(before)
	w.get(after)
	w.access(rmwOp(rmwCmpxchg, width(t)), alignment(t), 0)
	w.tee(after)
	w.get(before)
	w.emit(at(bitsPrim(t), eq))
	w.with(brIf, 1)
	w.get(after)
	w.set(before)
	w.with(br, 0)
	w.emit(end, end)
	w.release(I32, place)
	w.release(bitsType, before, after)
	if result == 0 {
		w.release(typeOf(imp.Of(t)), old)
	}
}

// bitLoads read the bits of an element, by its place in rmwWidths.
var bitLoads = [...]op{i32Load, i64Load, i32Load8U, i32Load16U}

// bitsPrim is a type with as many bits as the instructions take.
func bitsPrim(t prim.Type) prim.Type {
	if t.Bits() == 64 {
		return prim.U64
	}
	return prim.U32
}
