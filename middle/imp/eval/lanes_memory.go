package eval

import (
	"unsafe"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// address is the index of an element for each lane: the lane's word of x times scale, plus its word of y if there is one,
// plus offset, modulo 2^64.
type address struct {
	x, y          operand
	sum           bool // there is a y
	scale, offset exp  // nil for 1 and 0
	// first computes the index for the lane that is picked. If it is not nil, the lanes' indices follow one another.
	first exp
}

func (c *compiler) address(index imp.Exp) address {
	if !c.classes.uniform(index) && c.classes.consecutive(index) {
		return address{first: c.exp(index)}
	}
	var a address
	for {
		varying, same, ok := c.withSame(index, prim.Add)
		if !ok {
			break
		}
		a.offset, index = plus(a.offset, c.exp(same)), varying
	}
	if e, ok := index.(*imp.Bin); ok && e.Op == prim.Add && e.Type.Prim() == prim.I64 && !c.classes.uniform(index) {
		x, y := e.X, e.Y
		if _, _, ok := c.withSame(x, prim.Mul); !ok {
			x, y = y, x
		}
		a.sum, index = true, x
		a.y = c.value(y, 0)
	}
	if varying, same, ok := c.withSame(index, prim.Mul); ok {
		a.scale, index = c.exp(same), varying
	}
	a.x = c.value(index, 0)
	return a
}

// withSame takes apart an index that is made by op from one that varies and one that is the same for all lanes.
func (c *compiler) withSame(index imp.Exp, op prim.BinOp) (varying, same imp.Exp, ok bool) {
	e, ok := index.(*imp.Bin)
	if !ok || e.Op != op || e.Type.Prim() != prim.I64 {
		return nil, nil, false
	}
	varying, same = e.X, e.Y
	if c.classes.uniform(varying) {
		varying, same = same, varying
	}
	return varying, same, !c.classes.uniform(varying) && c.classes.uniform(same)
}

func plus(x, y exp) exp {
	if x == nil {
		return y
	}
	return func(t *thread) uint64 { return x(t) + y(t) }
}

// indices is an address at run time. One word of x may stand for all lanes; y is nil if there is none. Where x is nil too, the
// indices follow one another from offset on.
type indices struct {
	x, y          []uint64
	scale, offset uint64
}

func (a *address) indices(b *block) indices {
	if a.first != nil {
		b.pick(b.active.lo)
		return indices{offset: a.first(&b.thread)}
	}
	out := indices{x: a.x.words(b, &b.x), scale: 1}
	if a.sum {
		out.y = b.words(a.y.register)
	}
	if a.scale != nil {
		out.scale = a.scale(&b.thread)
	}
	if a.offset != nil {
		out.offset = a.offset(&b.thread)
	}
	return out
}

// of is the index for a lane, counted from the first active one.
func (x *indices) of(lane int) uint64 {
	switch {
	case len(x.x) == 0:
		return x.offset + uint64(lane)
	case len(x.y) > 0:
		return x.x[lane]*x.scale + x.y[lane] + x.offset
	}
	return x.x[lane*step(x.x)]*x.scale + x.offset
}

// elements is an array as it lies in memory.
func elements[T any](b []byte) []T {
	var z T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(z)))
}

// loadLanes loads an element for each active lane.
func (c *compiler) loadLanes(e *imp.Load) operation {
	a, index := c.array(e.Mem), c.address(e.Index)
	var load func(a *array, b *block, dst []uint64, index indices)
	switch storage(a.elem) {
	case prim.I8:
		load = gather[int8]
	case prim.I16:
		load = gather[int16]
	case prim.I32:
		load = gather[int32]
	case prim.I64:
		load = gather[int64]
	case prim.U8:
		load = gather[uint8]
	case prim.U16:
		load = gather[uint16]
	case prim.U32:
		load = gather[uint32]
	default:
		load = gather[uint64]
	}
	if c.unit.watch == watched && !a.shared {
		return func(b *block, dst []uint64) {
			at := index.indices(b)
			b.watchLanes(&a, at)
			load(&a, b, dst, at)
		}
	}
	return func(b *block, dst []uint64) { load(&a, b, dst, index.indices(b)) }
}

func gather[T integer](a *array, b *block, dst []uint64, index indices) {
	p := elements[T](b.mems[a.mem])
	switch {
	case a.lanes != 0 || b.active.list != nil:
		lo := b.active.lo
		b.each(func(l int) {
			b.pick(l)
			dst[l-lo] = enc(*at[T](a, &b.thread, int64(index.of(l-lo))))
		})
	case index.x == nil && index.offset < uint64(len(p)) && len(dst) <= len(p)-int(index.offset):
		p = p[index.offset:][:len(dst)]
		for i := range dst {
			dst[i] = enc(p[i])
		}
	case len(index.y) > 0:
		x, y, scale, offset := index.x[:len(dst)], index.y[:len(dst)], index.scale, index.offset
		for i := range dst {
			j := x[i]*scale + y[i] + offset
			if j >= uint64(len(p)) {
				a.fault(int64(j), int64(len(p)))
			}
			dst[i] = enc(p[j])
		}
	case len(index.x) == len(dst):
		x, scale, offset := index.x[:len(dst)], index.scale, index.offset
		for i := range dst {
			j := x[i]*scale + offset
			if j >= uint64(len(p)) {
				a.fault(int64(j), int64(len(p)))
			}
			dst[i] = enc(p[j])
		}
	default:
		for i := range dst {
			j := index.of(i)
			if j >= uint64(len(p)) {
				a.fault(int64(j), int64(len(p)))
			}
			dst[i] = enc(p[j])
		}
	}
}

// storeLanes stores an element for each active lane.
func (c *compiler) storeLanes(s *imp.Store) {
	a, index := c.array(s.Mem), c.address(s.Index)
	value := c.value(s.Value, 0)
	var store func(a *array, b *block, src []uint64, index indices)
	switch a.elem.Size() {
	case 1:
		store = scatter[uint8]
	case 2:
		store = scatter[uint16]
	case 4:
		store = scatter[uint32]
	default:
		store = scatter[uint64]
	}
	if c.unit.watch == watched && !a.shared {
		c.emit(func(b *block) { b.watchLanes(&a, index.indices(b)) })
	}
	c.emit(func(b *block) { store(&a, b, value.words(b, &b.y), index.indices(b)) })
}

func scatter[T integer](a *array, b *block, src []uint64, index indices) {
	p, n := elements[T](b.mems[a.mem]), b.active.hi-b.active.lo
	switch {
	case a.lanes != 0 || b.active.list != nil:
		sx, lo := step(src), b.active.lo
		b.each(func(l int) {
			b.pick(l)
			*at[T](a, &b.thread, int64(index.of(l-lo))) = T(src[(l-lo)*sx])
		})
	case index.x == nil && len(src) == n && index.offset < uint64(len(p)) && n <= len(p)-int(index.offset):
		p = p[index.offset:][:len(src)]
		for i, w := range src {
			p[i] = T(w)
		}
	case len(index.x) == n && index.y == nil && len(src) == n:
		x, scale, offset := index.x[:len(src)], index.scale, index.offset
		for i, w := range src {
			j := x[i]*scale + offset
			if j >= uint64(len(p)) {
				a.fault(int64(j), int64(len(p)))
			}
			p[j] = T(w)
		}
	default:
		sx := step(src)
		for i := range n {
			j := index.of(i)
			if j >= uint64(len(p)) {
				a.fault(int64(j), int64(len(p)))
			}
			p[j] = T(src[i*sx])
		}
	}
}
