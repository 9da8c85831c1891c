package expand

import (
	"skald/middle/core"
	"skald/middle/facts"
	"skald/middle/pass"
	"skald/runtime/prim"
)

// Note [Private arrays]
//
// An array of constant size that a thread makes for itself may lie in its private memory, which a device's compiler puts in registers or in
// memory of its own that it interleaves. Arrays of at most privateLimit elements always do. Those of up to largePrivate elements do on
// devices that say how many bytes of them a thread may have (facts.PrivateBytes), in kernels whose points are threads, as long as there is
// room; the others are per-thread scratch, which the host allocates. Addresses of private memory are constants or one register, where those
// of scratch are computed with the number of slots, and the nearest cache keeps what is written.
//
// myocyte of futhark-benchmarks has arrays of 91 f32, and one of 13 times 91. On an H200 (2026-11-23) it took 23.9 ms on CUDA and 27.3 on
// WebGPU with all of them in scratch, 12.7 and 13.9 with those of 91 in private memory, 12.4 and 29.9 with all of them (on CUDA with a
// bound on registers, Note [Resident threads] in backends/cuda; without it 18.1 and 17.2).
//
// The limit of bytes is for all such arrays of a kernel: CUDA reserves private memory for as many threads as the GPU can hold at a time,
// whatever the kernel's are, and WGSL's functions have 8,192 bytes of variables, those of small arrays among them.

const (
	// privateLimit is the largest number of elements that an array in a thread's
	// private memory may have on any device.
	privateLimit = 64
	// largePrivate is how many it may have where there is room for larger ones.
	largePrivate = 128
)

// IsPrivate reports whether an array of this type may lie in the private memory of a thread. If it is not one of the grid's threads,
// which may have large ones, but one of a workgroup's or an operator's, grid is false. Placement asks this, too.
func IsPrivate(ctx *pass.Context, t core.Type, grid bool) bool {
	n, constant := constantCount(t)
	bytes, ok := privateRoom(t.Elem, n, grid)
	return constant && ok && (bytes == 0 || bytes <= mostPrivate(ctx))
}

// Private is how much private memory the arrays of a kernel take, of those met so far.
type Private struct {
	InGroup bool  // points are threads of a workgroup
	bytes   int64 // of large arrays
}

// Takes reports whether a block is to lie in the private memory of a thread, and takes the room for it.
func (p *Private) Takes(ctx *pass.Context, e *core.Alloc) bool {
	n, constant := e.Count.ConstInt()
	bytes, ok := privateRoom(e.Elem, n, !p.InGroup)
	switch {
	case !constant || !ok || bytes > 0 && p.bytes+bytes > mostPrivate(ctx):
		return false
	case bytes > 0:
		p.bytes += bytes
	}
	return true
}

// privateRoom is how many of the bytes that a thread may have an array of n elements takes: small arrays take none of them. It is false
// where the array cannot be private.
func privateRoom(elem prim.Type, n int64, grid bool) (bytes int64, ok bool) {
	switch {
	case n <= privateLimit:
		return 0, true
	case !grid || n > largePrivate:
		return 0, false
	}
	return privateBytes(elem, n), true
}

// privateBytes is how many bytes n elements take; WGSL has no smaller elements than words.
func privateBytes(elem prim.Type, n int64) int64 { return n * int64(max(4, elem.Size())) }

func mostPrivate(ctx *pass.Context) int64 {
	return pass.Ask(ctx, func(f facts.Facts) int64 { return int64(f.PrivateBytes) })
}

// constantCount is how many elements an array has, if that is a constant.
func constantCount(t core.Type) (int64, bool) {
	n := int64(1)
	for _, d := range t.Shape {
		c, ok := d.ConstInt()
		if !ok || c > 0 && n > (1<<31)/c {
			return 0, false
		}
		n *= c
	}
	return n, true
}
