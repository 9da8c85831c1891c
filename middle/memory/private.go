package memory

import (
	"skald/middle/core"
	"skald/middle/facts"
	"skald/middle/pass"
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
// whatever the kernel's are, and WGSL's functions have 8,192 bytes of variables.

const (
	// privateLimit is the largest number of elements that an array in a thread's
	// private memory may have on any device.
	privateLimit = 64
	// largePrivate is how many it may have where there is room for larger ones.
	largePrivate = 128
)

// isPrivate reports whether an array of this type may lie in the private memory of a thread.
func (p *placer) isPrivate(t core.Type) bool {
	bytes, ok := p.privateRoom(t)
	return ok && (bytes == 0 || bytes <= p.mostPrivate())
}

// takesPrivate reports whether an array of this type is to lie in the private memory of a thread of the kernel, and takes the room for it.
func (p *placer) takesPrivate(t core.Type) bool {
	bytes, ok := p.privateRoom(t)
	switch {
	case !ok || bytes > 0 && p.kernel.private+bytes > p.mostPrivate():
		return false
	case bytes > 0:
		p.kernel.private += bytes
	}
	return true
}

// privateRoom is how many of the bytes that a thread may have an array of this type takes: small arrays take none of them. It is false
// where the array cannot be private.
func (p *placer) privateRoom(t core.Type) (bytes int64, ok bool) {
	n, ok := constantCount(t)
	switch {
	case !ok || n > privateLimit && (!p.kernel.hasThreads() || n > largePrivate):
		return 0, false
	case n <= privateLimit:
		return 0, true
	}
	return privateBytes(t, n), true
}

// hasThreads reports whether the points of a kernel are threads of the grid.
func (k *kernel) hasThreads() bool { return k != nil && !k.operator && !k.group && k.outer == nil }

// privateBytes is how many bytes n elements of an array's type take; WGSL has no smaller elements than words.
func privateBytes(t core.Type, n int64) int64 { return n * int64(max(4, t.Elem.Size())) }

func (p *placer) mostPrivate() int64 {
	return pass.Ask(p.ctx, func(f facts.Facts) int64 { return int64(f.PrivateBytes) })
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
