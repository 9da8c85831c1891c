package main

import (
	"fmt"

	"skald/runtime/device"
)

// Note [Segments spread over workgroups]
//
// A workgroup takes a chunk of elements, wherever segments begin, so that the work is even when one segment has nearly
// all elements, or none has any. It looks up, by bisection of the offsets, which segments begin in its chunk, and shares
// them out: a thread each where there are many, a subgroup each where there are some, all threads where there is one.
// What belongs to the segment that began earlier is the chunk's head; the segment that goes on beyond the chunk has a
// tail here. A second launch adds the heads of the chunks that follow to each tail, a subgroup a chunk.

// spreadSource adds up the segments of a chunk: whole ones into y, others into head and tail.
//
// It reads each element and offset once; four barriers, and two for the segment that a whole workgroup takes.
func spreadSource(sg int) *Source {
	sum := func(lanes, lane string) string {
		return fmt.Sprintf(`    let first = max(at[i], begin);
    let last = min(at[i + 1u], end);
    for (var j = first + %s; j < last; j += %s) { acc += x[j]; }
`, lane, lanes)
	}
	const leave = "if (at[i + 1u] > end) { tail[group] = total; which[group] = i; } else { y[i] = total; }"
	return &Source{
		Name: "segments-spread", Threads: 256, Params: []string{"n", "chunk", "segments"},
		Buffers: []string{"x u32", "at u32", "y u32", "head u32", "tail u32", "which u32"},
		Consts:  map[string]any{"SG": fmt.Sprintf("%du", sg)},
		Shared:  []string{"bound u32 2", fmt.Sprintf("s u32 %d", 256/sg)},
		Body: `
  let begin = group * params.chunk;
  let end = min(begin + params.chunk, params.n);
  if (tid < 2u) {
    let wanted = select(begin, end, tid == 1u);
    var low = 0u;
    var high = params.segments;
    while (low < high) {
      let middle = (low + high) / 2u;
      if (at[middle] < wanted) { low = middle + 1u; } else { high = middle; }
    }
    if (tid == 1u && end == params.n) { low = params.segments; }
    bound[tid] = low;
  }
  if (tid == 0u) { which[group] = 0xffffffffu; head[group] = 0u; }
  let f = workgroupUniformLoad(&bound[0]);
  let l = workgroupUniformLoad(&bound[1]);
  if (f > 0u) {
    let i = f - 1u;
    var acc = 0u;
` + sum("$W", "tid") + groupAdd + `
    if (tid == 0u) { head[group] = total; }
    workgroupBarrier();
  }
  if (l - f > $W) {
    for (var i = f + tid; i < l; i += $W) {
      var acc = 0u;
  ` + sum("1u", "0u") + "    let total = acc;\n    " + leave + `
    }
  } else { if (l - f > 1u) {
    for (var g = f; g < l; g += $W / $SG) {
      let i = min(g + tid / $SG, l - 1u);
      var acc = 0u;
  ` + sum("$SG", "tid % $SG") + `    let total = subgroupAdd(acc);
      if (tid % $SG == 0u && g + tid / $SG < l) { ` + leave + ` }
    }
  } else { if (l > f) {
    let i = f;
    var acc = 0u;
` + sum("$W", "tid") + groupAdd + "    if (tid == 0u) { " + leave + ` }
  } } }
`,
	}
}

// spreadJoin adds the heads of later chunks to a tail.
//
// It reads a word or two a chunk and has no barrier.
func spreadJoin(sg int) *Source {
	return &Source{
		Name: "segments-join", Threads: 256, Params: []string{"n", "chunk", "chunks"},
		Buffers: []string{"at u32", "y u32", "head u32", "tail u32", "which u32"},
		Consts:  map[string]any{"SG": fmt.Sprintf("%du", sg)},
		Body: `
  let c = group * ($W / $SG) + tid / $SG;
  var acc = 0u;
  var segment = 0xffffffffu;
  if (c < params.chunks) {
    segment = which[c];
    if (segment != 0xffffffffu) {
      let last = (at[segment + 1u] - 1u) / params.chunk;
      for (var k = c + 1u + tid % $SG; k <= last; k += $SG) { acc += head[k]; }
    }
  }
  let total = subgroupAdd(acc);
  if (segment != 0xffffffffu && tid % $SG == 0u) { y[segment] = tail[c] + total; }
`,
	}
}

// spreadCase adds up segments of about n elements, spread over workgroups.
func spreadCase(kind string, n, length int) Case {
	count := n / length
	return Case{
		Name: fmt.Sprintf("segments/%s/%d/%d/spread", kind, n, length), Bytes: 4 * int64(n+2*count),
		Plan: func(f *device.Facts) (*Plan, string) {
			sg, _ := subgroup(f)
			at := segmentOffsets(kind, length, count)
			total := int(at[count])
			xs := random(total)
			chunk := max(2048, (total+f.Units*32-1)/(f.Units*32))
			chunks := max(1, (total+chunk-1)/chunk)
			p := &Plan{Kernels: []*Source{spreadSource(sg), spreadJoin(sg)}}
			b := append(p.give(xs, at), p.reserve(1, count)...)
			b = append(b, p.reserve(3, chunks)...)
			p.Steps = []Step{
				{Groups: chunks, Buffers: b, Params: []uint32{uint32(total), uint32(chunk), uint32(count)}},
				{
					Kernel: 1, Groups: (chunks*sg + 255) / 256, Buffers: b[1:],
					Params: []uint32{uint32(total), uint32(chunk), uint32(chunks)},
				},
			}
			p.Check = func(read func(int) []uint32) error {
				return same("segments", read(b[2]), func(i int) (want uint32) {
					for _, x := range xs[at[i]:at[i+1]] {
						want += x
					}
					return want
				})
			}
			return p, ""
		},
	}
}
