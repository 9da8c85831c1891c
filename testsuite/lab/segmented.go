package main

import (
	"fmt"
	"sync"

	"skald/runtime/device"
)

// Note [Segments]
//
// Offsets say where segments begin, so that they may be empty and of any length. What takes a segment depends on how
// long segments are: a thread, a subgroup, or a workgroup. A thread a segment reads storage with a stride; that is
// cheap where segments are so short that neighbours share cache lines. Scans of segments, and reductions
// with few long segments among many short ones, are scans with an operator that carries a flag (opSegmented): they do
// the same work wherever segments begin.

// opSegmented scans (begins, sum): a number whose low six bits are zero begins a segment.
var opSegmented = &Operator{
	Name: "segmented", Fields: []string{"u32", "u32"}, Zero: []string{"0u", "0u"},
	Join: " return E(p.f0 | q.f0, q.f1 + select(p.f1, 0u, q.f0 != 0u)); ",
	Pre:  " return E(select(0u, 1u, (x & 63u) == 0u), x >> 6u); ",
	Post: " return e.f1; ",
	Reference: func(p, q []uint32) {
		if q[0] != 0 {
			p[1] = 0
		}
		p[0], p[1] = p[0]|q[0], p[1]+q[1]
	},
	First: func(x uint32, e []uint32) { e[0], e[1] = bit(x&63 == 0), x>>6 },
	Last:  func(p []uint32) uint32 { return p[1] }, neutralInNumber: []uint32{0, 0},
}

// segmentsSource adds up segments: `who` of them takes one.
//
// It moves 4 bytes an element and 8 a segment; only workgroups have a barrier, one (Larsen and Henriksen, Strategies for Regular
// Segmented Reductions on GPU, 2017). See Note [Segments].
func segmentsSource(who string, sg int) *Source {
	s := &Source{
		Name: "segments-" + who, Threads: 256, Buffers: []string{"x u32", "at u32", "y u32"}, Params: []string{"n"},
		Consts: map[string]any{"SG": fmt.Sprintf("%du", sg)},
	}
	lanes, index := "1u", "group * $W + tid"
	switch who {
	case "subgroup":
		lanes, index = "$SG", "group * ($W / $SG) + tid / $SG"
	case "workgroup":
		lanes, index = "$W", "group"
		s.Shared = []string{fmt.Sprintf("s u32 %d", 256/sg)}
	}
	s.Body = `
  let segment = ` + index + `;
  var acc = 0u;
  if (segment < params.n) {
    let last = at[segment + 1u];
    for (var i = at[segment] + tid % ` + lanes + `; i < last; i += ` + lanes + `) { acc += x[i]; }
  }
`
	switch who {
	case "thread":
		s.Body += "  if (segment < params.n) { y[segment] = acc; }\n"
	case "subgroup":
		s.Body += "  let total = subgroupAdd(acc);\n  if (segment < params.n && tid % $SG == 0u) { y[segment] = total; }\n"
	default:
		s.Body += groupAdd + "  if (segment < params.n && tid == 0u) { y[segment] = total; }\n"
	}
	return s
}

// segmentLength returns the length of segment i for a kind of lengths: all the same, or of any length up to twice that,
// every fifth empty.
func segmentLength(kind string, length, i int) int {
	if kind == "regular" {
		return length
	}
	if i%5 == 4 {
		return 0
	}
	return int(mix(uint32(i)) % uint32(2*length+1))
}

// segmentOffsets says where segments begin, and where the last ends. Of the kind "one" all elements are in one segment,
// and the others are empty.
func segmentOffsets(kind string, length, count int) []uint32 {
	at := make([]uint32, count+1)
	for i := range count {
		switch {
		case kind != "one":
			at[i+1] = at[i] + uint32(segmentLength(kind, length, i))
		case i >= count/2:
			at[i+1] = uint32(length * count)
		}
	}
	return at
}

// segmentsCase adds up segments of about n elements.
func segmentsCase(kind, who string, n, length int) Case {
	count := n / length
	offsets := sync.OnceValue(func() []uint32 { return segmentOffsets(kind, length, count) })
	return Case{
		Name: fmt.Sprintf("segments/%s/%d/%d/%s", kind, n, length, who), Bytes: 4 * int64(n+2*count),
		Plan: func(f *device.Facts) (*Plan, string) {
			sg, _ := subgroup(f)
			at := offsets()
			xs := random(int(at[count]))
			per := map[string]int{"thread": 256, "subgroup": 256 / sg, "workgroup": 1}[who]
			return &Plan{
				Kernels: []*Source{segmentsSource(who, sg)},
				Buffers: []Data{{len(xs), xs}, {len(at), at}, {Words: count}},
				Steps: []Step{{
					Groups: (count + per - 1) / per, Buffers: []int{0, 1, 2}, Params: []uint32{uint32(count)},
				}},
				Check: func(read func(int) []uint32) error {
					return sameInAnyOrder("segments", read(2), func(i int) (want uint32) {
						for _, x := range xs[at[i]:at[i+1]] {
							want += x
						}
						return want
					})
				},
			}, ""
		},
	}
}
