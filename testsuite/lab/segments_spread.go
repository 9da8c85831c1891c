package main

import (
	"fmt"
	"sync"

	"skald/runtime/device"
)

// Note [Segments spread over workgroups]
//
// Elements and ends of segments are put in one order: the end of a segment comes after its elements. A workgroup takes so
// many of this order (Merrill and Garland, Merge-Based Parallel Sparse Matrix-Vector Multiplication, 2016), wherever
// segments begin, so that the work is even when one segment has nearly all elements and millions have none. It finds by
// bisection which segments end in its chunk. A thread adds up each of these that is short here; of the others it makes a
// list, which the subgroups work off, but for the longest, which take the whole workgroup. What comes after the last end
// is the chunk's tail: a segment that ends in a later chunk. A second launch adds the tails since a segment began to the
// sum of the chunk in which it ends, a subgroup a chunk.

// spread is how chunks are worked on: see Note [Segments spread over workgroups].
type spread struct {
	sg    int
	chunk int // Elements and ends.
	short int // What a thread takes at most.
	long  int // What a subgroup takes at most.
}

// source adds up what lies in a chunk: y of segments that end here, and the tail of the segment `which` that does not.
//
// It reads each element and offset once; four barriers, and three for each list entry that a whole workgroup takes.
func (p *spread) source() *Source {
	return &Source{
		Name: fmt.Sprintf("segments-spread-%d-%d", p.short, p.long), Threads: 256, Params: []string{"items", "chunk", "segments"},
		Buffers: []string{"x u32", "at u32", "y u32", "tail u32", "which u32"},
		Consts: map[string]any{
			"SG": fmt.Sprintf("%du", p.sg), "SHORT": fmt.Sprintf("%du", p.short), "LONG": fmt.Sprintf("%du", p.long),
		},
		Shared: []string{
			"bound u32 2", "count atomic<u32> 1", fmt.Sprintf("list u32 %d", p.chunk/p.short+2), fmt.Sprintf("s u32 %d", 256/p.sg),
		},
		Body: `
  let begin = min(group * params.chunk, params.items);
  let end = min(begin + params.chunk, params.items);
  if (tid < 2u) {
    let wanted = select(begin, end, tid == 1u);
    var low = 0u;
    var high = params.segments;
    while (low < high) {
      let middle = (low + high) / 2u;
      if (at[middle + 1u] + middle < wanted) { low = middle + 1u; } else { high = middle; }
    }
    bound[tid] = low;
  }
  if (tid == 0u) { atomicStore(&count[0], 0u); }
  let f = workgroupUniformLoad(&bound[0]);
  let l = workgroupUniformLoad(&bound[1]);
  let first = begin - f;
  let last = end - l;
  for (var i = f + tid; i < l; i += $W) {
    let b = max(at[i], first);
    let e = at[i + 1u];
    if (e - b <= $SHORT) {
      var acc = 0u;
      for (var j = b; j < e; j++) { acc += x[j]; }
      y[i] = acc;
    } else {
      list[atomicAdd(&count[0], 1u)] = i;
    }
  }
  workgroupBarrier();
  if (tid == 0u) { bound[0] = atomicLoad(&count[0]); }
  let listed = workgroupUniformLoad(&bound[0]);
  for (var k = tid / $SG; k < listed; k += $W / $SG) {
    let i = list[k];
    let b = max(at[i], first);
    let e = at[i + 1u];
    if (e - b <= $LONG) {
      var acc = 0u;
      var j = b + tid % $SG;
      for (; j + 3u * $SG < e; j += 4u * $SG) { acc += (x[j] + x[j + $SG]) + (x[j + 2u * $SG] + x[j + 3u * $SG]); }
      for (; j < e; j += $SG) { acc += x[j]; }
      let total = subgroupAdd(acc);
      if (tid % $SG == 0u) { y[i] = total; }
    }
  }
  for (var k = 0u; k <= listed; k++) {
    var i = l;
    if (k < listed) { i = workgroupUniformLoad(&list[k]); }
    if (tid == 0u) { bound[0] = max(at[i], first); bound[1] = last; if (k < listed) { bound[1] = at[i + 1u]; } }
    let b = workgroupUniformLoad(&bound[0]);
    let e = workgroupUniformLoad(&bound[1]);
    if (k == listed || e - b > $LONG) {
      var acc = 0u;
      var j = b + tid;
      for (; j + 3u * $W < e; j += 4u * $W) { acc += (x[j] + x[j + $W]) + (x[j + 2u * $W] + x[j + 3u * $W]); }
      for (; j < e; j += $W) { acc += x[j]; }
` + groupAdd + `
      if (tid == 0u && k < listed) { y[i] = total; }
      if (tid == 0u && k == listed) { tail[group] = total; which[group] = l; }
      workgroupBarrier();
    }
  }
`,
	}
}

// spreadJoin adds to the first segment that ends in a chunk the tails of the chunks since it began.
//
// It reads a word or two a chunk and has no barrier.
func spreadJoin(sg int) *Source {
	return &Source{
		Name: "segments-join", Threads: 256, Params: []string{"chunk", "chunks", "segments"},
		Buffers: []string{"at u32", "y u32", "tail u32", "which u32"},
		Consts:  map[string]any{"SG": fmt.Sprintf("%du", sg)},
		Body: `
  let c = group * ($W / $SG) + tid / $SG;
  var acc = 0u;
  var segment = 0xffffffffu;
  if (c > 0u && c < params.chunks) {
    let open = which[c - 1u];
    if (open < which[c]) {
      segment = open;
      for (var k = (at[open] + open) / params.chunk + tid % $SG; k < c; k += $SG) { acc += tail[k]; }
    }
  }
  let total = subgroupAdd(acc);
  if (segment != 0xffffffffu && tid % $SG == 0u) { y[segment] += total; }
`,
	}
}

// spreadCase adds up segments of about n elements, spread over workgroups.
func spreadCase(kind string, n, length int) Case {
	count := n / length
	offsets := sync.OnceValue(func() []uint32 { return segmentOffsets(kind, length, count) })
	return Case{
		Name: fmt.Sprintf("segments/%s/%d/%d/spread", kind, n, length), Bytes: 4 * int64(n+2*count),
		Plan: func(f *device.Facts) (*Plan, string) {
			sg, _ := subgroup(f)
			at := offsets()
			total := int(at[count])
			xs := random(total)
			items := total + count
			chunk := max(2048, (items+f.Units*32-1)/(f.Units*32))
			chunks := max(1, (items+chunk-1)/chunk)
			how := spread{sg, chunk, max(64, chunk/128), chunk / 4}
			p := &Plan{Kernels: []*Source{how.source(), spreadJoin(sg)}}
			b := append(p.give(xs, at), p.reserve(1, count)...)
			b = append(b, p.reserve(2, chunks)...)
			p.Steps = []Step{
				{Groups: chunks, Buffers: b, Params: []uint32{uint32(items), uint32(chunk), uint32(count)}},
				{
					Kernel: 1, Groups: (chunks*sg + 255) / 256, Buffers: b[1:],
					Params: []uint32{uint32(chunk), uint32(chunks), uint32(count)},
				},
			}
			p.Check = func(read func(int) []uint32) error {
				return sameInAnyOrder("segments", read(b[2]), func(i int) (want uint32) {
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
