package eval

import (
	"unsafe"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// array is what compiled accesses need to know of a kernel's array.
type array struct {
	mem    imp.Mem
	name   string
	kernel string
	elem   prim.Type
	shared bool // one goroutine accesses it
	// lanes is the width of the block for a private array: the elements of its lanes lie side by side, so that lanes
	// which access the same element each access a row. It is 0 for others.
	lanes int
}

func (c *compiler) array(m imp.Mem) array {
	d := c.scope.Mems[m]
	a := array{mem: m, name: d.Name, kernel: c.name, elem: d.Elem, shared: d.Space != imp.Global}
	if d.Space == imp.Private {
		a.lanes = c.width
	}
	return a
}

// at checks an index and returns the element's address.
func at[T any](a *array, t *thread, i int64) *T {
	b := t.mems[a.mem]
	var z T
	n := int64(len(b)) / int64(unsafe.Sizeof(z))
	if a.lanes != 0 {
		n /= int64(a.lanes)
	}
	if uint64(i) >= uint64(n) {
		a.fault(i, n)
	}
	if a.lanes != 0 {
		i = i*int64(a.lanes) + int64(t.lane)
	}
	return (*T)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i*int64(unsafe.Sizeof(z))))
}

func (a *array) fault(i, n int64) {
	faultf("kernel %s accesses %s at %d of %d", a.kernel, a.name, i, n)
}

type integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

func enc[T integer](x T) uint64 { return uint64(int64(x)) }

func loader[T integer](a array, index exp) exp {
	return func(t *thread) uint64 { return enc(*at[T](&a, t, int64(index(t)))) }
}

func storer[T integer](a array, index, value exp) stm {
	return func(t *thread) bool {
		i, v := int64(index(t)), value(t)
		*at[T](&a, t, i) = T(v)
		return true
	}
}

// storage is the integer type whose bits an element is stored as.
func storage(t prim.Type) prim.Type {
	switch t {
	case prim.F16:
		return prim.U16
	case prim.F32:
		return prim.U32
	case prim.F64:
		return prim.U64
	case prim.Bool:
		return prim.U8
	default:
	}
	return t
}

func load(a array, index exp) exp {
	switch storage(a.elem) {
	case prim.I8:
		return loader[int8](a, index)
	case prim.I16:
		return loader[int16](a, index)
	case prim.I32:
		return loader[int32](a, index)
	case prim.I64:
		return loader[int64](a, index)
	case prim.U8:
		return loader[uint8](a, index)
	case prim.U16:
		return loader[uint16](a, index)
	case prim.U32:
		return loader[uint32](a, index)
	default:
	}
	return loader[uint64](a, index)
}

// loadMaybe is load where index 0 may stand for no element. It is no access then, so races are not looked for.
func loadMaybe(a array, index exp) exp {
	loads := load(a, index)
	return func(t *thread) uint64 {
		if len(t.mems[a.mem]) == 0 && index(t) == 0 {
			return 0
		}
		return loads(t)
	}
}

func store(a array, index, value exp) stm {
	switch a.elem.Size() {
	case 1:
		return storer[uint8](a, index, value)
	case 2:
		return storer[uint16](a, index, value)
	case 4:
		return storer[uint32](a, index, value)
	}
	return storer[uint64](a, index, value)
}
