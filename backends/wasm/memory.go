package wasm

import (
	"fmt"
	"math/bits"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// address pushes the address of an element, less what it returns: the offset of the access.
func (w *writer) address(m imp.Mem, index imp.Exp) (offset int) {
	if local, offset, ok := w.pointed(m, index); ok {
		w.get(local)
		return offset
	}
	if local, ok := w.addressed(m, index); ok {
		w.get(local)
		return w.places[m]
	}
	size := w.kernel.Mems[m].Elem.Size()
	local, rest, ok := w.based(m, index)
	if ok {
		offset = w.places[m]
	} else {
		local = w.base(m)
		rest, offset = w.split(m, index)
	}
	w.get(local)
	if rest == nil {
		return offset
	}
	w.narrow32(rest)
	w.scale(size)
	w.emit(add)
	if x, isVar := index.(*imp.VarExp); isVar && w.uncertain == 0 && w.defs[x.Var] != nil && (ok || rest == index) {
		local := w.local(I32, fmt.Sprintf("address_%dm", len(w.locals)))
		w.tee(local)
		w.addresses = append(w.addresses, address{m, x.Var, local})
	}
	return offset
}

// narrow32 pushes the lower half of an index.
func (w *writer) narrow32(e imp.Exp) {
	switch e := e.(type) {
	case *imp.Const:
		w.with(i32Const, uint64(uint32(e.Value.Int())))
		return
	case *imp.Bin:
		if isLong(e.Type) && (e.Op == prim.Add || e.Op == prim.Sub) {
			w.narrow32(e.X)
			w.narrow32(e.Y)
			w.emit(map[prim.BinOp]op{prim.Add: add, prim.Sub: sub}[e.Op])
			return
		}
	case *imp.Conv:
		if isLong(e.To) && e.From.IsInt() && primOf(e.From).Bits() <= 32 {
			w.exp(e.X)
			return
		}
	case *imp.VarExp:
		if c, ok := w.defs[e.Var].(*imp.Conv); ok {
			if x, ok := c.X.(*imp.VarExp); ok && w.vars[x.Var] != 0 && w.defs[x.Var] != nil && !isLong(c.From) {
				w.narrow32(c)
				return
			}
		}
	case *imp.Id, *imp.Un, *imp.Cmp, *imp.CallFunc, *imp.Select, *imp.Load:
	}
	w.exp(e)
	w.emit(i32WrapI64)
}

// address is the local with the address of an element, whose index is a variable. An element that is read and then written has it, so that
// wazero checks it once.
type address struct {
	mem   imp.Mem
	index imp.Var
	local uint64
}

// addressed is the local with the address of an element, less where its array is in the frame.
func (w *writer) addressed(m imp.Mem, index imp.Exp) (local uint64, ok bool) {
	x, ok := index.(*imp.VarExp)
	if !ok {
		return 0, false
	}
	for _, a := range w.addresses {
		if a.mem == m && a.index == x.Var {
			return a.local, true
		}
	}
	return 0, false
}

// base is the local that has the address of an array, or that of the frame which it is in.
func (w *writer) base(m imp.Mem) uint64 {
	if w.kernel.Mems[m].Space == imp.Global {
		return w.bases[m]
	}
	return w.frame
}

// split takes from an index what goes into the offset of an access. The rest is nil where there is none.
func (w *writer) split(m imp.Mem, index imp.Exp) (rest imp.Exp, offset int) {
	offset = w.places[m]
	size := int64(w.kernel.Mems[m].Elem.Size())
	plain := scope{fixed: w.fixed}
	at, ok := plain.linear(index)
	if !ok || at.constant < 0 || at.constant*size >= nearBytes {
		return index, offset
	}
	return at.rest, offset + int(at.constant*size)
}

// nearBytes is what constants in indices may add to an address after it was wrapped around: less than what there is before all arrays
// (FirstAddress), so that the sum is right where the index without the constant is negative.
const nearBytes = FirstAddress

// FirstAddress is the lowest address of an array that kernels may be called with.
const FirstAddress = 1 << 16

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
