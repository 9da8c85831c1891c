package main

import (
	"fmt"
	"sync"

	"skald/runtime/device"
)

// Note [Scans of segments]
//
// As with sums, a thread, a subgroup or a workgroup takes a segment; the last two carry the sum from step to step. Where
// some segments are too long for a workgroup, all elements are scanned together with an operator that carries a flag:
// one launch clears the flags, one sets them where the offsets say that a segment begins, and the scan reads them beside
// the elements.

// segmentScanSource scans segments: `who` of them takes one.
//
// It reads and writes each element once; a workgroup meets three barriers a step, a subgroup none. See Note [Scans of segments].
func segmentScanSource(who string, sg int) *Source {
	s := &Source{
		Name: "segment-scan-" + who, Threads: 256, Buffers: []string{"x u32", "at u32", "y u32"}, Params: []string{"n"},
		Consts: map[string]any{"SG": fmt.Sprintf("%du", sg)},
	}
	switch who {
	case "thread":
		s.Body = `
  let segment = group * $W + tid;
  if (segment >= params.n) { return; }
  var acc = 0u;
  for (var i = at[segment]; i < at[segment + 1u]; i++) { acc += x[i]; y[i] = acc; }
`
	case "subgroup":
		s.Body = `
  let segment = min(group * ($W / $SG) + tid / $SG, params.n - 1u);
  let last = at[segment + 1u];
  var acc = 0u;
  for (var first = at[segment]; first < last; first += $SG) {
    let i = first + tid % $SG;
    var e = 0u;
    if (i < last) { e = x[i]; }
    let sum = subgroupInclusiveAdd(e);
    if (i < last) { y[i] = acc + sum; }
    acc += subgroupShuffle(sum, $SG - 1u);
  }
`
	default:
		s.Shared = []string{fmt.Sprintf("s u32 %d", 256/sg), "bound u32 2"}
		s.Body = `
  if (group >= params.n) { return; }
  if (tid < 2u) { bound[tid] = at[group + tid]; }
  let from_ = workgroupUniformLoad(&bound[0]);
  let last = workgroupUniformLoad(&bound[1]);
  var acc = 0u;
  for (var first = from_; first < last; first += $W) {
    let i = first + tid;
    var e = 0u;
    if (i < last) { e = x[i]; }
    let sum = subgroupInclusiveAdd(e);
    if (tid % $SG == $SG - 1u) { s[tid / $SG] = sum; }
    workgroupBarrier();
    var before = 0u;
    var all = 0u;
    for (var k = 0u; k < $W / $SG; k++) {
      if (k == tid / $SG) { before = all; }
      all += s[k];
    }
    if (i < last) { y[i] = acc + before + sum; }
    acc += all;
    workgroupBarrier();
  }
`
	}
	return s
}

// opFlagged scans (begins, sum) of two arrays, and leaves the sums.
var opFlagged = &Operator{
	Name: "flagged", Fields: []string{"u32", "u32"}, Zero: []string{"0u", "0u"}, Join: opSegmented.Join,
	Post: opSegmented.Post, Last: opSegmented.Last, Reference: opSegmented.Reference, neutralInNumber: []uint32{0, 0},
}

// flagSources clear flags and set those of the elements at which segments begin. Empty segments set the flag of the
// element that follows them, which begins a segment anyhow.
//
// They write each flag once or twice and have no barrier.
func flagSources() []*Source {
	return []*Source{
		{
			Name: "flags-clear", Threads: 256, Params: []string{"n4"}, Buffers: []string{"flags vec4<u32>"},
			Body: "  let i = group * $W + tid;\n  if (i < params.n4) { flags[i] = vec4<u32>(0u, 0u, 0u, 0u); }\n",
		},
		{
			Name: "flags-set", Threads: 256, Params: []string{"segments", "n"}, Buffers: []string{"at u32", "flags u32"},
			Body: "  let i = group * $W + tid;\n  if (i < params.segments) { let k = at[i]; if (k < params.n) { flags[k] = 1u; } }\n",
		},
	}
}

// segmentScanCase scans segments of about n elements; of the takers "flags" is the scan of all together.
func segmentScanCase(kind, who string, n, length int) Case {
	count := n / length
	offsets := sync.OnceValue(func() []uint32 { return segmentOffsets(kind, length, count) })
	return Case{
		Name: fmt.Sprintf("segscan/%s/%d/%d/%s", kind, n, length, who), Bytes: 4 * int64(2*n+count),
		Plan: func(f *device.Facts) (*Plan, string) {
			sg, _ := subgroup(f)
			at := offsets()
			total := int(at[count])
			xs := random(total)
			var p *Plan
			var result int
			if who == "flags" {
				p, result = flaggedPlan(f, xs, at)
			} else {
				p = &Plan{Kernels: []*Source{segmentScanSource(who, sg)}}
				b := append(p.give(xs, at), p.reserve(1, total)...)
				per := map[string]int{"thread": 256, "subgroup": 256 / sg, "workgroup": 1}[who]
				p.Steps = []Step{{Groups: (count + per - 1) / per, Buffers: b, Params: []uint32{uint32(count)}}}
				result = b[2]
			}
			p.Check = func(read func(int) []uint32) error {
				got := read(result)
				return firstError(count, func(_, first, last int) (int, error) {
					for k := first; k < last; k++ {
						var sum uint32
						for i := int(at[k]); i < int(at[k+1]); i++ {
							if sum += xs[i]; got[i] != sum {
								return k, differs("scan of segments", i, got[i], sum)
							}
						}
					}
					return 0, nil
				})
			}
			return p, ""
		},
	}
}

// flaggedPlan is the scan of all segments together, in two passes after the launches that make flags.
func flaggedPlan(f *device.Facts, xs, at []uint32) (p *Plan, result int) {
	n, segments := len(xs), len(at)-1
	scan := twiceOf(opFlagged, [][]uint32{make([]uint32, n), xs}, plainTwice, f)
	flags := scan.Steps[0].Buffers[0]
	offsets := scan.give(at)[0]
	first := len(scan.Kernels)
	scan.Kernels = append(scan.Kernels, flagSources()...)
	scan.Steps = append([]Step{
		{Kernel: first, Groups: (n + 1023) / 1024, Buffers: []int{flags}, Params: []uint32{uint32(n+3) / 4}},
		{
			Kernel: first + 1, Groups: (segments + 255) / 256, Buffers: []int{offsets, flags},
			Params: []uint32{uint32(segments), uint32(n)},
		},
	}, scan.Steps...)
	last := scan.Steps[len(scan.Steps)-1].Buffers
	return scan, last[len(last)-1]
}
