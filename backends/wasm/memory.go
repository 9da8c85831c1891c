package wasm

import (
	"math/bits"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// address pushes the address of an element, less what it returns: the offset of the access.
func (w *writer) address(m imp.Mem, index imp.Exp) (offset int) {
	d := &w.kernel.Mems[m]
	size := d.Elem.Size()
	offset = w.places[m]
	base := w.frame
	if d.Space == imp.Global {
		base = w.bases[m]
	}
	w.get(base)
	if b, ok := stripped(index).(*imp.Bin); ok && b.Op == prim.Add && primOf(b.Type).Bits() == 64 {
		if c, ok := b.Y.(*imp.Const); ok && c.Value.Int() >= 0 && c.Value.Int() < nearBytes/8 {
			offset += int(c.Value.Int()) * size
			index = b.X
		}
	}
	if c, ok := index.(*imp.Const); ok && c.Value.Int() >= 0 && c.Value.Int() < nearBytes/8 {
		return offset + int(c.Value.Int())*size
	}
	w.exp(index)
	w.emit(i32WrapI64)
	w.scale(size)
	w.emit(add)
	return offset
}

// nearBytes is what constants in indices may add to an address after it was wrapped around: less than what there is before all arrays
// (FirstAddress), so that the sum is right where the index without the constant is negative.
const nearBytes = FirstAddress

// FirstAddress is the lowest address of an array that kernels may be called with.
const FirstAddress = 1 << 16

// stripped is an index without conversions that change nothing.
func stripped(e imp.Exp) imp.Exp {
	if c, ok := e.(*imp.Conv); ok && primOf(c.From) == prim.I64 && primOf(c.To) == prim.I64 {
		return stripped(c.X)
	}
	return e
}

// scale multiplies an index by the size of an element, a power of two.
func (w *writer) scale(size int) {
	if size > 1 {
		w.constant(i32Const, bits.TrailingZeros(uint(size)))
		w.emit(shl)
	}
}

// loads and stores are the instructions for the elements of each type: Note [Values in WebAssembly].
var (
	loads = map[prim.Type]op{
		prim.I8: i32Load8S, prim.U8: i32Load8U, prim.Bool: i32Load8U, prim.I16: i32Load16S, prim.U16: i32Load16U, prim.F16: i32Load16U,
		prim.I32: i32Load, prim.U32: i32Load, prim.I64: i64Load, prim.U64: i64Load, prim.F32: f32Load, prim.F64: f64Load,
	}
	stores = map[prim.Type]op{
		prim.I8: i32Store8, prim.U8: i32Store8, prim.Bool: i32Store8, prim.I16: i32Store16, prim.U16: i32Store16, prim.F16: i32Store16,
		prim.I32: i32Store, prim.U32: i32Store, prim.I64: i64Store, prim.U64: i64Store, prim.F32: f32Store, prim.F64: f64Store,
	}
)

// alignment is that of elements, as a power of two.
func alignment(t prim.Type) int { return bits.TrailingZeros(uint(t.Size())) }

// load pushes an element.
func (w *writer) load(m imp.Mem, index imp.Exp) {
	t := w.kernel.Mems[m].Elem
	offset := w.address(m, index)
	w.access(loads[t], alignment(t), offset)
}

// accessStm writes a statement that reads or writes memory.
func (w *writer) accessStm(s imp.AccessStm) {
	switch s := s.(type) {
	case *imp.Store:
		t := w.kernel.Mems[s.Mem].Elem
		offset := w.address(s.Mem, s.Index)
		w.exp(s.Value)
		w.access(stores[t], alignment(t), offset)
	case *imp.LoadVec:
		t := w.kernel.Mems[s.Mem].Elem
		at := w.pointer(s.Mem, s.Index)
		for i, v := range s.Vars {
			w.get(at)
			w.access(loads[t], alignment(t), i*t.Size())
			w.set(w.variable(v))
		}
		w.release(I32, at)
	case *imp.StoreVec:
		t := w.kernel.Mems[s.Mem].Elem
		at := w.pointer(s.Mem, s.Index)
		for i, e := range s.Values {
			w.get(at)
			w.exp(e)
			w.access(stores[t], alignment(t), i*t.Size())
		}
		w.release(I32, at)
	case *imp.Atomic:
		w.atomic(s)
	case *imp.AtomicUpdate:
		w.atomicUpdate(s)
	}
}

// pointer leaves the address of an element in a local.
func (w *writer) pointer(m imp.Mem, index imp.Exp) uint64 {
	offset := w.address(m, index)
	if offset != 0 {
		w.constant(i32Const, offset)
		w.emit(add)
	}
	at := w.temp(I32)
	w.set(at)
	return at
}
