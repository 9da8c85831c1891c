package main

import (
	"fmt"
	"maps"
	"strings"

	"skald/runtime/device"
)

// Note [Partition by high bits]
//
// Bins that no workgroup holds are cut into parts of 2^shift consecutive bins, and elements are brought to their part
// before they are folded: as many words are written as there are elements in bounds, and every part's bins then fit in
// workgroup memory. Five launches:
//
//   - count: how many elements each part has, as a histogram in workgroup memory (partCountSource);
//   - first: one workgroup finds where each part begins, and deals workgroups out to parts (partFirstSource);
//   - move: each tile counts its elements by part, takes room in the parts with one atomic addition a part, brings its
//     elements into that order in workgroup memory, and stores them (partMoveSource). Which tile comes first in a part
//     is open; the operators of histograms commute;
//   - fold: a workgroup folds at most `chunk` elements of one part. A part that has more is split: it gets as many
//     workgroups as it has chunks, so one part with all elements is as much work as many with few;
//   - join: where a part was split, what its workgroups left is folded (mergePartsSource). Sums by hardware atomics
//     need no such launch: workgroups add to the result.
//
// No workgroup waits for another. The table that the launches share says, for parts p and workgroups g:

// parting is a partition of bins.
type parting struct {
	bins, shift int
	parts       int // How many.
	chunk       int // The most elements of a workgroup that folds.
	groups      int // The most workgroups that fold.
	slots       int // The most of them in parts that are split.
	slices      int // Into how many slices a part's bins are cut where counters are folded.

	threads, keys int // Of a workgroup that moves; keys a thread.
}

// newParting cuts bins into parts of at most `most` bins: into about 256 parts, but into none of fewer than 128 bins, if
// that is not too many.
func newParting(n, bins, most, chunk int, f *device.Facts) *parting {
	p := &parting{bins: bins, shift: 4, chunk: chunk, slices: 1}
	for 1<<(p.shift+1) <= most && (bins>>p.shift > 256 || p.shift < 7) {
		p.shift++
	}
	p.deal(n, f)
	return p
}

// newSlicedParting is newParting where counters of parts that a move can tell apart do not fit in workgroup memory: parts
// are larger, and their bins are cut into slices of at most `most`.
func newSlicedParting(n, bins, most, chunk int, f *device.Facts) *parting {
	p := newParting(n, bins, most, chunk, f)
	for !p.fits(f) && p.slices < 8 {
		p.shift, p.slices = p.shift+1, 2*p.slices
		p.deal(n, f)
	}
	return p
}

// deal finds how many parts and workgroups there are, and how large a tile can be.
func (p *parting) deal(n int, f *device.Facts) {
	p.threads, p.keys = min(f.MaxThreads, 512), 16
	if f.Kind == device.CPU {
		p.threads, p.keys = min(f.MaxThreads, 128), 4
	}
	p.parts = (p.bins + 1<<p.shift - 1) >> p.shift
	p.groups = p.parts + n/p.chunk
	p.slots = max(1, min(p.groups, 2*(n/p.chunk)))
	for p.keys > 2 && !p.fits(f) {
		p.keys /= 2
	}
}

// fits says whether workgroup memory holds a tile and the counters of the parts.
func (p *parting) fits(f *device.Facts) bool {
	sg, _ := subgroup(f)
	return p.partMoveSource(sg, nil).sharedBytes() <= f.WorkgroupMemory
}

// partingOfOne is the table's layout where all bins are one part, and as many workgroups as are given fold.
func partingOfOne(bins, groups int) *parting {
	p := &parting{bins: bins, parts: 1, groups: groups, slots: groups}
	for 1<<p.shift < bins {
		p.shift++
	}
	return p
}

// room is how many bins a part has.
func (p *parting) room() int { return 1 << p.shift }

// words is how long the table is.
func (p *parting) words() int { return 7*p.parts + 4 + p.groups }

// consts are the constants of the kernels: COUNTS+p elements, the next free place at CURSOR+p, the first at BEGIN+p, the
// first workgroup at FIRST+p, the number of workgroups at SHARES+p, the first slot of a split part at SLOT+p, or NONE; the
// split parts from LIST on, how many they are at SPLIT, and the part of workgroup g at OWNER+g, or NONE.
func (p *parting) consts() map[string]any {
	c := map[string]any{
		"PARTS": p.parts, "COUNTERS": rows32(p.parts), "SHIFT": p.shift, "ROOM": p.room(), "BINS": p.bins, "CHUNK": p.chunk,
		"COUNTS": 0, "CURSOR": p.parts, "BEGIN": 2 * p.parts, "FIRST": 3 * p.parts, "SHARES": 4 * p.parts,
		"SLOT": 5 * p.parts, "LIST": 6 * p.parts, "SPLIT": 7 * p.parts, "OWNER": 7*p.parts + 4, "GROUPS": p.groups,
		"KEYS": p.keys, "TILE": p.threads * p.keys, "NONE": uint32(0xffffffff),
	}
	for k, v := range c {
		c[k] = fmt.Sprintf("%du", v)
	}
	return c
}

// constants adds those of a kernel to the table's.
func (p *parting) constants(more map[string]any) map[string]any {
	c := p.consts()
	maps.Copy(c, more)
	return c
}

// partCountSource counts the elements of parts, as countSource counts bins. It reads 8 bytes an element, adds a word a part and
// workgroup to the table, and has two barriers.
func (p *parting) partCountSource(threads int) *Source {
	return &Source{
		Name: "part-count", Threads: threads, Consts: p.consts(), Params: []string{"n"},
		Buffers: []string{"keys vec4<u32>", "table atomic<u32>"}, Shared: []string{"s atomic<u32> $COUNTERS"},
		Body: `
  let piece = group;
  let pieces = groups;
  for (var k = tid; k < $COUNTERS; k += $W) { atomicStore(&s[k], 0u); }
  workgroupBarrier();
` + eachKey("      if (inside && key < $BINS) { atomicAdd(&s["+permuted("(key >> $SHIFT)")+"], 1u); }", "") + `
  workgroupBarrier();
  for (var k = tid; k < $PARTS; k += $W) {
    let c = atomicLoad(&s[` + permuted("k") + `]);
    if (c != 0u) { atomicAdd(&table[$COUNTS + k], c); }
  }
`,
	}
}

// partFirstSource makes the table of the counts: a scan of four numbers a part at once (Hillis and Steele), by one workgroup,
// with two barriers for each doubling of the distance.
func (p *parting) partFirstSource() *Source {
	const threads = 256
	return &Source{
		Name: "part-first", Threads: threads, Buffers: []string{"table u32"}, Params: []string{"n"},
		Consts: p.constants(map[string]any{"SPAN": fmt.Sprintf("%du", (p.parts+threads-1)/threads)}),
		Shared: []string{"s vec4<u32> $W"},
		Funcs: []Func{{
			// Elements, workgroups that fold, slots, and whether it is split.
			Result: "vec4<u32>", Name: "needs", Params: []string{"c u32"}, Body: `
  let shares = max(1u, (c + $CHUNK - 1u) / $CHUNK);
  let split = select(0u, 1u, shares > 1u);
  return vec4<u32>(c, shares, shares * split, split);
`,
		}},
		Body: `
  let zero = vec4<u32>(0u, 0u, 0u, 0u);
  var sum = zero;
  for (var j = 0u; j < $SPAN; j++) {
    let p = tid * $SPAN + j;
    if (p < $PARTS) { sum = sum + needs(table[$COUNTS + p]); }
  }
  s[tid] = sum;
  workgroupBarrier();
  for (var d = 1u; d < $W; d = d * 2u) {
    var before = zero;
    if (tid >= d) { before = s[tid - d]; }
    workgroupBarrier();
    sum = sum + before;
    s[tid] = sum;
    workgroupBarrier();
  }
  var at = zero;
  if (tid > 0u) { at = s[tid - 1u]; }
  for (var j = 0u; j < $SPAN; j++) {
    let p = tid * $SPAN + j;
    if (p < $PARTS) {
      let need = needs(table[$COUNTS + p]);
      table[$CURSOR + p] = at.x;
      table[$BEGIN + p] = at.x;
      table[$FIRST + p] = at.y;
      table[$SHARES + p] = need.y;
      table[$SLOT + p] = select($NONE, at.z, need.w == 1u);
      if (need.w == 1u) { table[$LIST + at.w] = p; }
      for (var g = 0u; g < need.y; g++) { table[$OWNER + at.y + g] = p; }
      at = at + need;
    }
  }
  let total = s[$W - 1u];
  if (tid == 0u) { table[$SPLIT] = total.w; }
  for (var g = total.y + tid; g < $GROUPS; g += $W) { table[$OWNER + g] = $NONE; }
`,
	}
}

// sumAhead scans a number of every thread: ahead is the sum of those before, total that of all. A thread adds up what some
// subgroups have left; many small subgroups are summed in steps, with two barriers for each doubling of the distance.
func sumAhead(subs int) string {
	const fewSubgroups = 32
	if subs <= fewSubgroups {
		return sumFewAhead
	}
	return `
  let upto = subgroupInclusiveAdd(sum);
  var before = 0u;
  if (tid % $SG == $SG - 1u) { part_sum[tid / $SG] = upto; }
  workgroupBarrier();
  for (var d = 1u; d < $SUBS; d = d * 2u) {
    var more = 0u;
    if (tid / $SG >= d) { more = part_sum[tid / $SG - d]; }
    workgroupBarrier();
    if (tid % $SG == $SG - 1u) { part_sum[tid / $SG] += more; }
    workgroupBarrier();
  }
  if (tid >= $SG) { before = part_sum[tid / $SG - 1u]; }
  var ahead = before + upto - sum;
  let total = part_sum[$SUBS - 1u];
`
}

const sumFewAhead = `
  let upto = subgroupInclusiveAdd(sum);
  if (tid % $SG == $SG - 1u) { part_sum[tid / $SG] = upto; }
  workgroupBarrier();
  var ahead = upto - sum;
  var total = 0u;
  for (var j = 0u; j < $SUBS; j++) {
    if (j < tid / $SG) { ahead += part_sum[j]; }
    total += part_sum[j];
  }
`

// ranks computes for each key q of a thread, whose place is in d{q}, a rank r{q} among those of its place in the workgroup, by
// counters in workgroup memory. Equal keys two apart are counted together, so that a workgroup whose keys are all equal, or
// of two kinds, does two atomic additions a thread.
func ranks(keys int) string {
	var b strings.Builder
	for q := range keys {
		linked := "false"
		if q >= 2 {
			linked = fmt.Sprintf("in%[1]d && in%[2]d && d%[1]d == d%[2]d", q, q-2)
		}
		fmt.Fprintf(&b, "  let link%[1]d = %[2]s;\n  var c%[1]d = 1u;\n  var r%[1]d = 0u;\n", q, linked)
	}
	for q := keys - 1; q >= 2; q-- {
		fmt.Fprintf(&b, "  if (link%[1]d) { c%[2]d += c%[1]d; }\n", q, q-2)
	}
	for q := range keys {
		fmt.Fprintf(&b, "  if (in%[1]d && !link%[1]d) { r%[1]d = atomicAdd(&count[d%[1]d], c%[1]d); }\n", q)
	}
	for q := 2; q < keys; q++ {
		fmt.Fprintf(&b, "  if (link%[1]d) { r%[1]d = r%[2]d + 1u; }\n", q, q-2)
	}
	return b.String()
}

// loadKeys reads the keys of a tile whose first is $TILE times `tile`: b{q} is the bin, at{q} the element's number, and
// in{q} says whether it is in bounds.
func loadKeys(keys int) string {
	var b strings.Builder
	b.WriteString("  let last = max((params.n + 1u) / 2u, 1u) - 1u;\n")
	for k := range keys / 2 {
		fmt.Fprintf(&b, "  let i%[1]d = tile * ($TILE / 2u) + %[1]du * $W + tid;\n  let v%[1]d = keys[min(i%[1]d, last)];\n", k)
	}
	for q := range keys {
		fmt.Fprintf(&b, "  let at%[1]d = 2u * i%[2]d + %[3]du;\n  let b%[1]d = v%[2]d.%[4]s;\n"+
			"  let in%[1]d = v%[2]d.%[5]s == 0u && at%[1]d < params.n && b%[1]d < $BINS;\n",
			q, q/2, q%2, []string{"x", "z"}[q%2], []string{"y", "w"}[q%2])
	}
	return b.String()
}

// partMoveSource brings elements to their parts: their bins and the words that go with each, expressions of the element's
// number `at` or of its words vals[j * params.n + at], one array behind the other. Words are moved, not looked up later by
// the number: a look-up of each word would read 32 bytes somewhere.
//
// It is a pass of radix sort that does not keep the order of equal digits, so that a tile need not know what the tiles before
// it hold. It reads 8 bytes an element, and for each in bounds writes its bin and reads and writes its words; it has four
// barriers, two more a word.
func (p *parting) partMoveSource(sg int, payload []string) *Source {
	subs := p.threads / sg
	s := &Source{
		Name: "part-move", Threads: p.threads, Params: []string{"n"}, Resident: 2,
		Consts: p.constants(map[string]any{
			"SG": fmt.Sprintf("%du", sg), "SUBS": fmt.Sprintf("%du", subs),
			"SPAN": fmt.Sprintf("%du", (rows32(p.parts)+p.threads-1)/p.threads),
		}),
		Buffers: []string{"keys vec4<u32>", "table atomic<u32>", "moved u32"},
		Shared: []string{
			"count atomic<u32> $COUNTERS", "delta u32 $COUNTERS", "stage u32 $TILE", fmt.Sprintf("part_sum u32 %d", subs),
		},
	}
	var place, store strings.Builder
	for q := range p.keys {
		fmt.Fprintf(&place, "  if (in%[1]d) { r%[1]d += atomicLoad(&count[d%[1]d]); stage[r%[1]d] = b%[1]d; }\n", q)
		fmt.Fprintf(&store, `  let o%[1]d = %[1]du * $W + tid;
  var to%[1]d = 0u;
  if (o%[1]d < total) { let b = stage[o%[1]d]; to%[1]d = delta[%[2]s] + o%[1]d; moved[to%[1]d] = b; }
`, q, permuted("(b >> $SHIFT)"))
	}
	var places strings.Builder
	for q := range p.keys {
		fmt.Fprintf(&places, "  let d%d = %s;\n", q, permuted(fmt.Sprintf("(b%d >> $SHIFT)", q)))
	}
	s.Body = `
  let tile = group;
  if (tile * $TILE >= params.n) { return; }
  for (var k = tid; k < $COUNTERS; k += $W) { atomicStore(&count[k], 0u); }
  workgroupBarrier();
` + loadKeys(p.keys) + places.String() + ranks(p.keys) + `
  workgroupBarrier();
  var sum = 0u;
  for (var j = 0u; j < $SPAN; j++) {
    let k = tid * $SPAN + j;
    if (k < $COUNTERS) { sum += atomicLoad(&count[k]); }
  }
` + sumAhead(subs) + `
  for (var j = 0u; j < $SPAN; j++) {
    let k = tid * $SPAN + j;
    if (k < $COUNTERS) {
      let c = atomicLoad(&count[k]);
      atomicStore(&count[k], ahead);
      if (c != 0u) { delta[k] = atomicAdd(&table[$CURSOR + ` + permuted("k") + `], c) - ahead; }
      ahead += c;
    }
  }
  workgroupBarrier();
` + place.String() + "  workgroupBarrier();\n" + store.String()
	for j, word := range payload {
		var stage, words strings.Builder
		for q := range p.keys {
			fmt.Fprintf(&stage, "  if (in%[1]d) { stage[r%[1]d] = %[2]s; }\n", q, strings.ReplaceAll(word, "at", fmt.Sprintf("at%d", q)))
			fmt.Fprintf(&words, "  if (o%[1]d < total) { words[%[2]du * params.n + to%[1]d] = stage[o%[1]d]; }\n", q, j)
		}
		s.Body += "  workgroupBarrier();\n" + stage.String() + "  workgroupBarrier();\n" + words.String()
	}
	if len(payload) > 0 {
		s.Name += fmt.Sprintf("-words%d", len(payload))
		s.Buffers = append(s.Buffers, "words u32")
		if strings.Contains(payload[0], "vals") {
			s.Name += "-vals"
			s.Buffers = append(s.Buffers, "vals u32")
		}
	}
	return s
}

// ownChunk finds what a workgroup that folds has to do: elements `start` to `stop` of a part, and its slot, or NONE. Of
// ownChunkOf the chunk is `chunk`, where several workgroups share one.
const (
	ownChunk   = "\n  let chunk = group;" + ownChunkOf
	ownChunkOf = `
  if (tid == 0u) {
    var p = $NONE;
    if (chunk < $GROUPS) { p = table[$OWNER + chunk]; }
    own[0] = p;
    if (p != $NONE) {
      let turn = chunk - table[$FIRST + p];
      let begin = table[$BEGIN + p];
      own[1] = begin + turn * $CHUNK;
      own[2] = min(begin + table[$COUNTS + p], begin + (turn + 1u) * $CHUNK);
      own[3] = select(table[$SLOT + p] + turn, $NONE, table[$SLOT + p] == $NONE);
    }
  }
  let part = workgroupUniformLoad(&own[0]);
  if (part == $NONE) { return; }
  let start = workgroupUniformLoad(&own[1]);
  let stop = workgroupUniformLoad(&own[2]);
  let slot = workgroupUniformLoad(&own[3]);
`
)

// partCountersSource counts the elements of chunks, two counters of 16 bits a word: a chunk has fewer than 2^16 elements.
// It reads a word an element and slice, adds a word for each bin of a chunk that has elements to the result, and has two
// barriers beside those that hand out chunks.
func (p *parting) partCountersSource(threads int) *Source {
	slice := p.room() / p.slices
	count := forKeys(`
    let d? = moved[min(i + ?u * $W, stop - 1u)] % $ROOM - slice;
    if (i + ?u * $W < stop && d? < $SLICE) { atomicAdd(&s[d? >> 1u], 1u << ((d? & 1u) * 16u)); }`, numbers(4)...)
	return &Source{
		Name: "part-counters", Threads: threads, Params: []string{"n"},
		Consts:  p.constants(map[string]any{"SLICE": fmt.Sprintf("%du", slice), "SLICES": fmt.Sprintf("%du", p.slices)}),
		Buffers: []string{"table u32", "moved u32", "out atomic<u32>"},
		Shared:  []string{fmt.Sprintf("s atomic<u32> %d", slice/2), "own u32 4"},
		Body: "  let chunk = group / $SLICES;\n  let slice = group % $SLICES * $SLICE;\n" + ownChunkOf + `
  for (var k = tid; k < $SLICE / 2u; k += $W) { atomicStore(&s[k], 0u); }
  workgroupBarrier();
  for (var i = start + tid; i < stop; i += 4u * $W) {` + count + `
  }
  workgroupBarrier();
  for (var k = tid; k < $SLICE; k += $W) {
    let c = (atomicLoad(&s[k >> 1u]) >> ((k & 1u) * 16u)) & 0xffffu;
    if (c != 0u) { atomicAdd(&out[part * $ROOM + slice + k], c); }
  }
`,
	}
}
