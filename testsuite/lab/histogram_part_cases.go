package main

import (
	"fmt"
	"slices"

	"skald/runtime/device"
)

// partPlan is a histogram by partition: what all operators share.
type partPlan struct {
	*Plan
	parting
	n, sg        int
	ks           keySet
	keys         []int
	table, moved []int
}

// newPartPlan plans the launches up to the elements' move to their parts. Keys without words are made by a launch that the
// caller adds.
func newPartPlan(ks keySet, n int, p *parting, payload []string, vals []uint32, f *device.Facts) *partPlan {
	pl := &partPlan{Plan: &Plan{}, parting: *p, n: n, ks: ks}
	pl.sg, _ = subgroup(f)
	if ks.words == nil {
		pl.keys = pl.reserve(1, 2*n)
	} else {
		pl.keys = pl.give(ks.words)
	}
	pl.table = pl.reserve(1, p.words())
	pl.moved = pl.reserve(1, n)
	threads := min(f.MaxThreads, 1024)
	pl.Kernels = []*Source{
		clearSource(), p.partCountSource(threads), p.partFirstSource(), p.partMoveSource(pl.sg, payload),
	}
	move := slices.Concat(pl.keys, pl.table, pl.moved)
	if len(payload) > 0 {
		pl.moved = append(pl.moved, pl.reserve(1, len(payload)*n)...)
		move = append(move, pl.moved[1])
	}
	if vals != nil {
		move = append(move, pl.give(vals)...)
	}
	count := []uint32{uint32(n)}
	pl.Steps = []Step{
		{Groups: (p.parts + 255) / 256, Buffers: pl.table, Params: []uint32{uint32(p.parts), 0}},
		{Kernel: 1, Groups: pieces(f, n, threads, 2), Buffers: slices.Concat(pl.keys, pl.table), Params: count},
		{Kernel: 2, Groups: 1, Buffers: pl.table, Params: count},
		{Kernel: 3, Groups: max(1, (n+p.threads*p.keys-1)/(p.threads*p.keys)), Buffers: move, Params: count},
	}
	return pl
}

// beginSource sets n words to initial contents, or clears them where there are none.
func beginSource() *Source {
	return &Source{
		Name: "begin", Threads: 256, Buffers: []string{"initial u32", "out u32"}, Params: []string{"n", "begun"},
		Body: `
  let i = group * $W + tid;
  if (i < params.n) {
    var word = 0u;
    if (params.begun != 0u) { word = initial[i]; }
    out[i] = word;
  }
`,
	}
}

// Arguments of histograms: whether the bins hold something before.
const (
	alreadyBegun = true
	fromNeutral  = false
)

// contents are initial contents of some words, or none.
func contents(begun bool, words int) []uint32 {
	if !begun {
		return nil
	}
	initial := make([]uint32, words)
	for i := range initial {
		initial[i] = mix(uint32(i)) & 0xffff
	}
	return initial
}

// partMemory is how much workgroup memory the bins of a part may take, so that several workgroups share a unit.
func partMemory(f *device.Facts) int {
	if isCUDA(f) {
		return 64 << 10
	}
	return f.WorkgroupMemory - 64
}

// partCountCase counts by partition, in chunks of some elements. With most, parts have at most so many bins.
func partCountCase(kind string, n, bins, chunk, most int, begun bool) Case {
	c := Case{Name: fmt.Sprintf("part/count/%d/%s/%d", bins, kind, n), Bytes: 8 * int64(n)}
	if begun {
		c.Name += "/begun"
	}
	if most > 0 {
		c.Name += fmt.Sprintf("/most%d", most)
	}
	if chunk != 1<<15 {
		c.Name += fmt.Sprintf("/chunk%d", chunk)
	}
	c.Plan = func(f *device.Facts) (*Plan, string) {
		room := partMemory(f) / 2
		if most > 0 {
			room = min(room, most)
		}
		return partCountPlan(kind, n, newParting(n, bins, room, chunk, f), begun, f), ""
	}
	return c
}

// partSlicedCase counts by a partition whose parts are cut into slices.
func partSlicedCase(kind string, n, bins, slices int) Case {
	return Case{
		Name: fmt.Sprintf("part/count/%d/%s/%d/slices%d", bins, kind, n, slices), Bytes: 8 * int64(n),
		Plan: func(f *device.Facts) (*Plan, string) {
			p := newParting(n, bins, bins, 1000, f)
			p.slices = slices
			return partCountPlan(kind, n, p, fromNeutral, f), ""
		},
	}
}

// partCountPlan plans it for a partition.
func partCountPlan(kind string, n int, of *parting, begun bool, f *device.Facts) *Plan {
	p := newPartPlan(keys(kind, n, of.bins), n, of, nil, nil, f)
	bins := of.bins
	initial := contents(begun, bins)
	first := append(p.give(slices.Concat(initial, []uint32{0})), p.reserve(1, bins)...)
	p.Kernels = append(p.Kernels, beginSource(), p.partCountersSource(min(f.MaxThreads, 1024)))
	p.Steps = append(p.Steps,
		Step{Kernel: 4, Groups: (bins + 255) / 256, Buffers: first, Params: []uint32{uint32(bins), bit(begun)}},
		Step{Kernel: 5, Groups: p.groups * p.slices, Buffers: slices.Concat(p.table, p.moved, first[1:]), Params: []uint32{uint32(n)}})
	p.Check = func(read func(int) []uint32) error {
		want := make([]uint32, bins)
		copy(want, initial)
		for _, b := range p.ks.bins {
			if b >= 0 {
				want[b]++
			}
		}
		return same("bins", read(first[1]), func(i int) uint32 { return want[i] })
	}
	return p.Plan
}
