package eval

import (
	"fmt"
	"sync"
	"sync/atomic"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// update computes the element that replaces old, from a value or for a thread.
type update func(t *thread, old, value uint64) uint64

// A swapper replaces element i of an array by what an update makes of it, in one step, and returns what was there before. Elements of
// four and eight bytes use the machine's compare-and-swap; smaller ones a table of locks, which all atomic accesses of them
// share. Arrays that one goroutine accesses need neither.
type swapper func(t *thread, i int64, f update, value uint64) (old uint64)

var locks [256]sync.Mutex

func swap(a array) swapper {
	switch storage(a.elem) {
	case prim.I8:
		return swapSmall[int8](a)
	case prim.I16:
		return swapSmall[int16](a)
	case prim.U8:
		return swapSmall[uint8](a)
	case prim.U16:
		return swapSmall[uint16](a)
	case prim.I32:
		return swap32[int32](a)
	case prim.U32:
		return swap32[uint32](a)
	default:
	}
	return swap64(a)
}

func swapAlone[T integer](a array) swapper {
	return func(t *thread, i int64, f update, value uint64) uint64 {
		p := at[T](&a, t, i)
		old := enc(*p)
		*p = T(f(t, old, value))
		return old
	}
}

func swapSmall[T integer](a array) swapper {
	alone := swapAlone[T](a)
	if a.shared {
		return alone
	}
	return func(t *thread, i int64, f update, value uint64) uint64 {
		l := &locks[i&255]
		l.Lock()
		defer l.Unlock()
		return alone(t, i, f, value)
	}
}

func swap32[T int32 | uint32](a array) swapper {
	if a.shared {
		return swapAlone[T](a)
	}
	return func(t *thread, i int64, f update, value uint64) uint64 {
		p := at[uint32](&a, t, i)
		for {
			bits := atomic.LoadUint32(p)
			old := enc(T(bits))
			if atomic.CompareAndSwapUint32(p, bits, uint32(f(t, old, value))) {
				return old
			}
		}
	}
}

func swap64(a array) swapper {
	if a.shared {
		return swapAlone[uint64](a)
	}
	return func(t *thread, i int64, f update, value uint64) uint64 {
		p := at[uint64](&a, t, i)
		for {
			old := atomic.LoadUint64(p)
			if atomic.CompareAndSwapUint64(p, old, f(t, old, value)) {
				return old
			}
		}
	}
}

// combine is the way in which an Atomic changes an element: swapper and update in one, for what histograms consist of.
func combine(op imp.AtomicOp, a array, needsOld bool) func(t *thread, i int64, value uint64) (old uint64) {
	switch {
	case op != imp.AtomicAdd || needsOld || !a.elem.IsInt() || a.elem.Size() != 4:
	case a.shared:
		return func(t *thread, i int64, value uint64) uint64 {
			*at[uint32](&a, t, i) += uint32(value)
			return 0
		}
	default:
		return func(t *thread, i int64, value uint64) uint64 {
			atomic.AddUint32(at[uint32](&a, t, i), uint32(value))
			return 0
		}
	}
	sw, f := swap(a), atomicOp(op, a.elem)
	change := func(_ *thread, old, value uint64) uint64 { return f(old, value) }
	return func(t *thread, i int64, value uint64) uint64 { return sw(t, i, change, value) }
}

func (c *compiler) atomic(s *imp.Atomic) stm {
	a, value, result := c.array(s.Mem), c.exp(s.Value), c.reg(s.Old)
	index := c.tracked(a, atomically, c.exp(s.Index))
	change := combine(s.Op, a, s.Old != 0)
	return func(t *thread) bool {
		i, v := int64(index(t)), value(t)
		t.regs[result] = change(t, i, v) // register 0 is nobody's
		return true
	}
}

// atomicLanes changes an element for one active lane after the other.
func (c *compiler) atomicLanes(s *imp.Atomic) {
	a, index, result := c.array(s.Mem), c.address(s.Index), c.reg(s.Old)
	value, change := c.value(s.Value, 0), combine(s.Op, a, s.Old != 0)
	c.emit(func(b *block) {
		words, indices := value.words(b, &b.y), index.indices(b)
		sx, lo := step(words), b.active.lo
		b.each(func(l int) {
			b.pick(l)
			b.regs[result] = change(&b.thread, int64(indices.of(l-lo)), words[(l-lo)*sx])
		})
	})
}

func (c *compiler) atomicUpdate(s *imp.AtomicUpdate) stm {
	a := c.array(s.Mem)
	index := c.tracked(a, atomically, c.exp(s.Index))
	var body stm
	c.enter(region{s, false}, someLanes, func() { body = c.seq(s.Body).one })
	value, result := c.exp(s.New), c.reg(s.Old)
	sw := swap(a)
	change := func(t *thread, old, _ uint64) uint64 {
		t.regs[result] = old
		if t.failed = !body(t); t.failed {
			return old
		}
		return value(t)
	}
	return func(t *thread) bool {
		sw(t, int64(index(t)), change, 0)
		return !t.failed
	}
}

// subgroupUpdate has one thread after the other combine its values into its copies of bins.
func (c *compiler) subgroupUpdate(s *imp.SubgroupUpdate) gstm {
	a, copies, own := c.array(s.Mem), c.exp(s.Copies), c.exp(s.Copy)
	var body stm
	c.enter(region{s, false}, someLanes, func() { body = c.seq(s.Body).one })
	value, x, y := c.exp(s.New), c.reg(s.X), c.reg(s.Y)
	sw := swap(a)
	change := func(t *thread, old, with uint64) uint64 {
		t.regs[x], t.regs[y] = old, with
		body(t)
		return value(t)
	}
	var keys, places, values []exp
	for i, e := range s.Keys {
		key := c.exp(e)
		keys, values = append(keys, key), append(values, c.exp(s.Values[i]))
		places = append(places, c.tracked(a, atomically, func(t *thread) uint64 { return key(t)*copies(t) + own(t) }))
	}
	return func(g *group) bool {
		for n := range int(c.groupSize) {
			t := g.thread(n)
			for i, key := range keys {
				if int64(key(t)) >= 0 {
					sw(t, int64(places[i](t)), change, values[i](t))
				}
			}
		}
		return true
	}
}

// atomicOp is the function of an atomic operation on canonical words.
func atomicOp(op imp.AtomicOp, elem prim.Type) func(x, y uint64) uint64 {
	b, ok := op.Operator(elem)
	if !ok {
		return func(_, y uint64) uint64 { return y }
	}
	f, ok := prim.BinWord(b, elem)
	if !ok {
		panic(fmt.Sprintf("eval: atomic %s at %s", op, elem))
	}
	return f
}
