package host

import (
	"errors"
	"slices"

	"skald/runtime/device"
	"skald/runtime/prim"
)

// Note [Arenas]
// ~~~~~~~~~~~~~
// A device binds a limited number of buffers to a kernel: WebGPU guarantees eight. If some kernel of a program has more arrays, the
// program's blocks are parts of large buffers, its arenas, from the start: arguments are uploaded into them, results are read from them,
// and nothing is moved for a launch. A kernel with no more arrays than the device binds gets each as a binding of its own, with an
// offset. One with more gets whole arenas, each bound once, and finds its arrays by where they begin (Note [Packed arrays]).
//
// An arena holds arrays of one size of element, so that a kernel sees it as an array of numbers (Note [Words of buffers] of package imp).
// It is no larger than a binding. The first one for a size is small, and for most programs there is no other; the next ones are as large as
// can be. An array that is larger has a buffer of its own, which launches bind in chunks. Blocks are cut from the arena that was made
// last, if it has room, at the first place that is large enough: so each round of a loop, and a call that is made again, has its blocks
// where it had them before.
//
// Where all kernels have few enough arrays, blocks are buffers of their own: a device then knows which launches depend on each other.

const (
	arenaAlign = 256      // What blocks in an arena start at a multiple of, in bytes.
	firstArena = 32 << 20 // Bytes of the first arena for a size of elements.
	mostArena  = 1 << 30  // Bytes of any: 32-bit indices reach all elements.
)

// arenas hands out parts of buffers.
type arenas struct {
	dev  device.Device
	most int64      // bytes of an arena
	of   [4][]arena // by the logarithm of the size of elements, in the order in which they were made
}

// arena is a buffer of which blocks are parts.
type arena struct {
	buf  device.Buffer
	free []span // in order; no two touch
	used int    // blocks
}

// span is a range of bytes.
type span struct{ from, to int64 }

// newArenas makes arenas for a program if some kernel has more arrays than the device binds; it returns nil if none has.
func newArenas(dev device.Device, parts Parts) (*arenas, error) {
	f := dev.Facts()
	needs := false
	for _, name := range parts.Names() {
		if arrays := parts.Arrays(name); !needs && f.MaxBindings > 0 && arrays >= f.MaxBindings {
			k, err := parts.Kernel(name)
			if err != nil {
				return nil, err
			}
			needs = arrays > mostBindings(k, f)
		}
	}
	if !needs {
		return nil, nil
	}
	return &arenas{dev: dev, most: min(f.MaxBindingSize, f.MaxBufferSize, mostArena) / arenaAlign * arenaAlign}, nil
}

// aligned is n bytes rounded up to where the next block may start.
func aligned(n int64) int64 { return (n + arenaAlign - 1) / arenaAlign * arenaAlign }

// class is the number of the arenas for elements of a type.
func class(elem prim.Type) int {
	return [...]int{1: 0, 2: 1, 4: 2, 8: 3}[elem.Size()]
}

// alloc makes a block of n bytes.
func (a *arenas) alloc(elem prim.Type, n int64) (device.Binding, error) {
	room := aligned(n)
	list := &a.of[class(elem)]
	for i := range slices.Backward(*list) {
		if at, ok := (*list)[i].take(room); ok {
			return device.Binding{Buffer: (*list)[i].buf, Offset: at, Size: n}, nil
		}
	}
	size := a.most
	if len(*list) == 0 {
		size = min(firstArena, a.most)
	}
	buf, err := a.dev.Alloc(max(size, room))
	if errors.Is(err, device.OutOfMemory) && size > room {
		buf, err = a.dev.Alloc(room)
	}
	if err != nil {
		return device.Binding{}, err
	}
	*list = append(*list, arena{buf: buf, free: []span{{0, buf.Size()}}})
	at, _ := (*list)[len(*list)-1].take(room)
	return device.Binding{Buffer: buf, Offset: at, Size: n}, nil
}

// take cuts a block of n bytes from the first free range that has them.
func (a *arena) take(n int64) (at int64, ok bool) {
	for i := range a.free {
		if s := &a.free[i]; s.to-s.from >= n {
			at = s.from
			if s.from += n; s.from == s.to {
				a.free = slices.Delete(a.free, i, i+1)
			}
			a.used++
			return at, true
		}
	}
	return 0, false
}

// give takes back n bytes.
func (a *arena) give(at, n int64) {
	i, _ := slices.BinarySearchFunc(a.free, at, func(s span, at int64) int { return int(min(max(s.from-at, -1), 1)) })
	a.free = slices.Insert(a.free, i, span{at, at + n})
	if i+1 < len(a.free) && a.free[i].to == a.free[i+1].from {
		a.free[i].to = a.free[i+1].to
		a.free = slices.Delete(a.free, i+1, i+2)
	}
	if i > 0 && a.free[i-1].to == a.free[i].from {
		a.free[i-1].to = a.free[i].to
		a.free = slices.Delete(a.free, i, i+1)
	}
	a.used--
}

// release frees a block. An arena without blocks goes back to the device, which keeps it for the next.
func (a *arenas) release(b device.Binding) {
	for c := range a.of {
		for i := range a.of[c] {
			s := &a.of[c][i]
			if s.buf != b.Buffer {
				continue
			}
			s.give(b.Offset, aligned(b.Size))
			if s.used == 0 {
				a.dev.Free(s.buf)
				a.of[c] = slices.Delete(a.of[c], i, i+1)
			}
			return
		}
	}
}
