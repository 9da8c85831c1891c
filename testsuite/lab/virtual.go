package main

import (
	"fmt"
)

// virtualSource reverses pieces of as many elements as a workgroup has threads, in workgroup memory: a barrier is
// within the work on a piece, and another between two pieces.
//
// It moves 8 bytes an element and has two barriers a piece.
func virtualSource(threads int) *Source {
	return &Source{
		Name: "virtual", Threads: threads, Buffers: []string{"x u32", "y u32"}, Params: []string{"n", "pieces"},
		Shared: []string{fmt.Sprintf("s u32 %d", threads)},
		Body: `
  for (var piece = group; piece < params.pieces; piece += groups) {
    let i = piece * $W + tid;
    if (i < params.n) { s[tid] = x[i]; }
    workgroupBarrier();
    let length = min($W, params.n - piece * $W);
    if (tid < length) { y[i] = s[length - 1u - tid]; }
    workgroupBarrier();
  }
`,
	}
}

// virtualCase has workgroups do the work of several in turn: so many pieces may need more workgroups than a dimension
// of a launch holds, or than their memory allows. With 0 groups every piece has a workgroup of its own.
func virtualCase(n, groups int) Case {
	const threads = 256
	pieces := (n + threads - 1) / threads
	name := fmt.Sprintf("virtual/%d/%d", groups, n)
	if groups == 0 {
		groups, name = pieces, fmt.Sprintf("virtual/each/%d", n)
	}
	return Case{Name: name, Bytes: 8 * int64(n), Plan: always(func() *Plan {
		xs := random(n)
		p := &Plan{Kernels: []*Source{virtualSource(threads)}}
		buffers := append(p.give(xs), p.reserve(1, n)...)
		p.Steps = []Step{{Groups: max(1, groups), Buffers: buffers, Params: []uint32{uint32(n), uint32(pieces)}}}
		p.Check = func(read func(int) []uint32) error {
			return sameInAnyOrder("reversed pieces", read(buffers[1]), func(i int) uint32 {
				first := i / threads * threads
				return xs[first+min(threads, n-first)-1-(i-first)]
			})
		}
		return p
	})}
}
