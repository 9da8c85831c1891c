package main

import (
	"fmt"
	"strings"

	"skald/runtime/device"
)

// Note [Operators that would need a lock]
//
// An element of several words cannot be exchanged at once, and a lock would make threads wait for each other. Instead each
// bin has one owner at a time: a workgroup sorts a tile of elements by bin, and a thread alone adds what equal keys of the
// tile come to. For each tile:
//
//   - counters in workgroup memory rank each element in its bin, their scan is the place of each bin, and `order`
//     lists the elements, named by bin and place in the tile, in the order of bins;
//   - a thread takes consecutive elements of that order, as many as any other whatever the keys are. Runs of one bin that
//     begin and end in it go into the bin;
//   - runs that cross threads are joined by a segmented scan over threads, of as many steps as the longest run needs:
//     none where no run is longer than a thread's elements. The thread in which a run ends takes it into the bin.
//
// Bins lie in workgroup memory as `permuted` has them, and are sorted in that order, so that hot bins a power of two apart
// do not meet in a bank. The order of elements in a bin is not kept: operators of histograms commute. There are no atomics
// on bins, no loop waits for another thread, and there are no operations of subgroups: after branches, in loops whose bounds
// come from memory, a driver may have a subgroup's threads apart (Vulkan on an H200 then never finished).
//
// Bins that workgroup memory does not hold are cut into parts: Note [Partition by high bits].

// folding is what a histogram by sorting folds.
type folding struct {
	name  string
	op    *Operator
	words int // Words of a value in memory, each an array; 0 if values are computed.

	// Computed values: the body of lift(key, at), and the same in Go.
	lift    string
	element func(key, at uint32) []uint32

	value func(j, i int) uint32 // Word j of value i in memory.
}

// values are the arrays of n values, one after the other.
func (o *folding) values(n int) []uint32 {
	if o.words == 0 {
		return nil
	}
	vals := make([]uint32, o.words*n)
	for j := range o.words {
		for i := range n {
			vals[j*n+i] = o.value(j, i)
		}
	}
	return vals
}

// payload are the words that go with an element to its part: its value, or its number if values are computed.
func (o *folding) payload() []string {
	if o.words == 0 {
		return []string{"at"}
	}
	words := make([]string, o.words)
	for j := range words {
		words[j] = fmt.Sprintf("vals[%du * params.n + at]", j)
	}
	return words
}

// valued is the element of a key whose value is at a place of the array of values or of payloads.
func (o *folding) valued(key, array, place string) string {
	if o.words > 0 {
		return o.op.wordsAt(array, place, "params.n")
	}
	if array != "" {
		place = array + "[" + place + "]"
	}
	return fmt.Sprintf("lift(%s, %s)", key, place)
}

// funcs are the functions of the kernels.
func (o *folding) funcs() []Func {
	fs := []Func{{
		Result: "u32", Name: "worth", Params: []string{"i u32"}, Body: `
  var x = (i ^ (i >> 16u)) * 0x7feb352du;
  x = (x ^ (x >> 15u)) * 0x846ca68bu;
  return (x ^ (x >> 16u)) >> 8u;
`,
	}}
	fs = append(fs, o.op.funcs()[0])
	if o.words == 0 {
		fs = append(fs, Func{Result: o.op.typ(), Name: "lift", Params: []string{"key u32", "at u32"}, Body: o.lift})
	}
	return append(fs, Func{
		Result: "u32", Name: "both", Params: []string{"p u32", "q u32"},
		Body: " return ((p & 0xffffu) + (q & 0xffffu)) | (max(p >> 16u, q >> 16u) << 16u); ",
	})
}

// wordsAt is the element whose words are in an array, `stride` apart.
func (o *Operator) wordsAt(array, at, stride string) string {
	return o.element(func(j int) string {
		return fmt.Sprintf("bitcast<%s>(%s[%du * %s + %s])", o.Fields[j], array, j, stride, at)
	})
}

// storeWords stores an element so.
func (o *Operator) storeWords(array, at, stride, e string) string {
	var b strings.Builder
	for j := range o.width() {
		fmt.Fprintf(&b, "%s[%du * %s + %s] = bitcast<u32>(%s); ", array, j, stride, at, o.field(e, j))
	}
	return b.String()
}

// sortedShape is how tiles are sorted.
type sortedShape struct {
	threads, keys int // Keys of a thread.
}

// newSortedShape is the ordinary shape.
func newSortedShape(f *device.Facts) sortedShape {
	s := sortedShape{threads: min(f.MaxThreads, 512), keys: 8}
	if f.Kind == device.CPU || f.MaxThreads <= 256 {
		s.threads, s.keys = min(f.MaxThreads, 128), 4
	}
	return s
}

// work is how many words hold the order of a tile, and later what threads have left.
func (s *sortedShape) work(width int) int { return s.threads * max(s.keys, width+1) }

// capacity is how many bins, a power of two, some workgroup memory holds.
func (s *sortedShape) capacity(width, memory int) int {
	bins := 16
	for 4*(2*bins*(width+1)+s.work(width)+16) <= memory {
		bins *= 2
	}
	return bins
}

// update joins a value to that of a bin.
func update(o *Operator, bin, value string) string {
	return fmt.Sprintf("{ let k = %s; let e = join(%s, %s); %s}", bin, o.wordsAt("acc", "k", "$ROOM"), value,
		o.storeWords("acc", "k", "$ROOM", "e"))
}

// sortTile lists the elements of a tile in the order of their bins d{q}; `most` is the largest number of equal keys.
func (s *sortedShape) sortTile() string {
	var b strings.Builder
	b.WriteString(ranks(s.keys) + `
  workgroupBarrier();
  var ahead = 0u; // Elements in the lower 16 bits, the largest number of equal keys in the upper.
  for (var j = 0u; j < $SPAN; j++) {
    let k = tid * $SPAN + j;
    if (k < $ROOM) { let c = atomicLoad(&count[k]); ahead = both(ahead, c | (c << 16u)); }
  }
  work[tid] = ahead;
  workgroupBarrier();
  var row = 0u;
  for (var d = 1u; d < $W; d = d * 2u) {
    if (tid >= d) { ahead = both(work[row + tid - d], ahead); }
    row = $W - row;
    work[row + tid] = ahead;
    workgroupBarrier();
  }
  ahead = 0u;
  if (tid > 0u) { ahead = work[row + tid - 1u] & 0xffffu; }
  let total = work[row + $W - 1u] & 0xffffu;
  if (tid == 0u) { own[4] = work[row + $W - 1u] >> 16u; }
  for (var j = 0u; j < $SPAN; j++) {
    let k = tid * $SPAN + j;
    if (k < $ROOM) { let c = atomicLoad(&count[k]); atomicStore(&count[k], ahead); ahead += c; }
  }
  workgroupBarrier();
`)
	for q := range s.keys {
		fmt.Fprintf(&b, "  if (in%[1]d) { work[atomicLoad(&count[d%[1]d]) + r%[1]d] = d%[1]d * $TILE + (at%[1]d - base); }\n", q)
	}
	b.WriteString(`
  let most = workgroupUniformLoad(&own[4]);
  for (var k = tid; k < $ROOM; k += $W) { atomicStore(&count[k], 0u); }
`)
	return b.String()
}

// foldTile folds the elements in their order; an element's value is at `base` plus its place in the tile.
func (s *sortedShape) foldTile(o *folding, key, array string) string {
	var b strings.Builder
	b.WriteString(`
  let first = tid * $KEYS;
  var before = $NONE;
  if (first > 0u && first <= total) { before = work[first - 1u]; }
  var after = $NONE;
  if (first + $KEYS < total) { after = work[first + $KEYS]; }
`)
	for j := range s.keys {
		fmt.Fprintf(&b, "  var e%[1]d = $NONE;\n  var v%[1]d_ = $ZERO;\n  if (first + %[1]du < total) {\n    e%[1]d = work[first + %[1]du];\n"+
			"    v%[1]d_ = %[2]s;\n  }\n  let k%[1]d = e%[1]d / $TILE;\n", j,
			o.valued(fmt.Sprintf(key, permuted(fmt.Sprintf("(e%d / $TILE)", j))), array, fmt.Sprintf("(base + e%d %% $TILE)", j)))
	}
	b.WriteString(`
  var ends_left = false; // A run that began before this thread ends in it: it comes to head.
  var head = $ZERO;
  var open = before / $TILE == k0;
  var begins = !open;
  var tail = v0_;
`)
	for j := 1; j < s.keys; j++ {
		fmt.Fprintf(&b, `  if (k%[1]d == k%[2]d) { tail = join(tail, v%[1]d_); } else {
    if (open) { head = tail; ends_left = true; open = false; } else if (k%[2]d < $ROOM) %[3]s
    begins = true;
    tail = v%[1]d_;
  }
`, j, j-1, update(o.op, fmt.Sprintf("k%d", j-1), "tail"))
	}
	last := fmt.Sprintf("k%d", s.keys-1)
	left := o.op.wordsAt("work", "%s", "$W")
	put := "work[tid] = select(0u, 1u, begins); " + o.op.storeWords("work", "$W + tid", "$W", "tail")
	fmt.Fprintf(&b, `  workgroupBarrier();
  %[1]s
  workgroupBarrier();
  for (var d = 1u; d * $KEYS < most; d = d * 2u) {
    var whole = false;
    var earlier = $ZERO;
    if (tid >= d) { whole = work[tid - d] != 0u; earlier = %[2]s; }
    workgroupBarrier();
    if (!begins && tid >= d) { tail = join(earlier, tail); begins = whole; }
    %[1]s
    workgroupBarrier();
  }
  if (ends_left && k0 < $ROOM) { let carry = join(%[3]s, head); %[4]s }
  if (%[5]s < $ROOM && after / $TILE != %[5]s) %[6]s
`, put, fmt.Sprintf(strings.ReplaceAll(left, "%s", "%[1]s"), "$W + tid - d"),
		fmt.Sprintf(strings.ReplaceAll(left, "%s", "%[1]s"), "$W + tid - 1u"),
		update(o.op, "k0", "carry"), last, update(o.op, last, "tail"))
	return b.String()
}

// source is the kernel without its loop over tiles.
func (s *sortedShape) source(o *folding, p *parting, name string) *Source {
	width := o.op.width()
	return &Source{
		Name: fmt.Sprintf("%s-%s-%d-%dx%d", name, o.name, p.room(), s.threads, s.keys), Threads: s.threads,
		Structs: o.op.structs(), Funcs: o.funcs(), Params: []string{"n", "begun"}, Resident: max(1, 1024/s.threads),
		Consts: p.constants(map[string]any{
			"ZERO": o.op.zero(),
			"SPAN": fmt.Sprintf("%du", (p.room()+s.threads-1)/s.threads),
			"KEYS": fmt.Sprintf("%du", s.keys), "TILE": fmt.Sprintf("%du", s.threads*s.keys),
		}),
		Shared: []string{
			"count atomic<u32> $ROOM", fmt.Sprintf("acc u32 %d", width*p.room()), fmt.Sprintf("work u32 %d", s.work(width)),
			"own u32 8",
		},
	}
}

// clear empties the bins and the counters.
func (s *sortedShape) clear(o *folding) string {
	return `
  for (var k = tid; k < $ROOM; k += $W) {
    let zero = $ZERO;
    ` + o.op.storeWords("acc", "k", "$ROOM", "zero") + `
    atomicStore(&count[k], 0u);
  }
  workgroupBarrier();
`
}

// leave stores the bins in a slot.
func (s *sortedShape) leave(o *folding, slot string) string {
	base := fmt.Sprintf("(%s * $ROOM * %du + k)", slot, o.op.width())
	return "for (var k = tid; k < $ROOM; k += $W) {\n      let e = " + o.op.wordsAt("acc", permuted("k"), "$ROOM") + ";\n      " +
		o.op.storeWords("parts", base, "$ROOM", "e") + "\n    }\n"
}

// wholeSource folds all bins in each workgroup: a slot a workgroup. It reads keys and values once and writes the bins of each
// workgroup. A tile has sixteen barriers with 512 threads, and two more for each doubling of the longest run.
func (s *sortedShape) wholeSource(o *folding, p *parting) *Source {
	src := s.source(o, p, "sorted-whole")
	src.Buffers = []string{"keys vec4<u32>", "parts u32"}
	array := ""
	if o.words > 0 {
		src.Buffers, array = append(src.Buffers, "vals u32"), "vals"
	}
	var bins strings.Builder
	for q := range s.keys {
		fmt.Fprintf(&bins, "  let d%d = %s;\n", q, permuted(fmt.Sprintf("b%d", q)))
	}
	src.Body = s.clear(o) + `
  for (var tile = group; tile * $TILE < params.n; tile += groups) {
  let base = tile * $TILE;
` + loadKeys(s.keys) + bins.String() + s.sortTile() + s.foldTile(o, "%s", array) + `
  }
  workgroupBarrier();
  ` + s.leave(o, "group")
	return src
}

// partSource folds chunks of parts: into the result, or a slot where a part is split. It reads a word and those of the value
// an element; barriers are those of wholeSource.
func (s *sortedShape) partSource(o *folding, p *parting) *Source {
	src := s.source(o, p, "sorted-part")
	src.Buffers = []string{"table u32", "moved u32", "words u32", "parts u32", "initial u32", "out u32"}
	var load strings.Builder
	for q := range s.keys {
		fmt.Fprintf(&load, "  let at%[1]d = base + %[1]du * $W + tid;\n  let in%[1]d = at%[1]d < stop;\n"+
			"  let m%[1]d = moved[min(at%[1]d, stop - 1u)] %% $ROOM;\n  let d%[1]d = %[2]s;\n",
			q, permuted(fmt.Sprintf("m%d", q)))
	}
	src.Body = ownChunk + s.clear(o) + `
  for (var base = start; base < stop; base += $TILE) {
` + load.String() + s.sortTile() + s.foldTile(o, "(part * $ROOM + %s)", "words") + `
  }
  workgroupBarrier();
  if (slot != $NONE) {
    ` + s.leave(o, "slot") + `
  } else {
    for (var k = tid; k < $ROOM; k += $W) {
      let bin = part * $ROOM + k;
      if (bin < $BINS) {
        var e = ` + o.op.wordsAt("acc", permuted("k"), "$ROOM") + `;
        if (params.begun != 0u) { let old = ` + o.op.wordsAt("initial", "bin", "$BINS") + `; e = join(old, e); }
        ` + o.op.storeWords("out", "bin", "$BINS", "e") + `
      }
    }
  }
`
	return src
}

// mergePartsSource folds what the workgroups of parts that were split have left, 32 bins a workgroup at a time. It reads
// the slots of split parts once, rows of 32 bins side by side, and has two barriers for each 32 bins.
func mergePartsSource(o *folding, p *parting, threads int) *Source {
	return &Source{
		Name: "sorted-join-" + o.name, Threads: threads, Structs: o.op.structs(), Funcs: o.funcs()[:2],
		Buffers: []string{"table u32", "parts u32", "initial u32", "out u32"}, Params: []string{"n", "begun"},
		Consts: p.constants(map[string]any{"ZERO": o.op.zero(), "ROWS": fmt.Sprintf("%du", (p.room()+31)/32)}),
		Shared: []string{fmt.Sprintf("s u32 %d", threads*o.op.width()), "own u32 1"},
		Body: `
  if (tid == 0u) { own[0] = table[$SPLIT] * $ROWS; }
  let items = workgroupUniformLoad(&own[0]);
  for (var item = group; item < items; item += groups) {
    let part = table[$LIST + item / $ROWS];
    let slot = table[$SLOT + part];
    let shares = table[$SHARES + part];
    let k = item % $ROWS * 32u + tid % 32u;
    let bin = part * $ROOM + k;
    let inside = k < $ROOM && bin < $BINS;
    var acc = $ZERO;
    if (inside) {
      for (var j = tid / 32u; j < shares; j += $W / 32u) {
        let e = ` + o.op.wordsAt("parts", fmt.Sprintf("((slot + j) * $ROOM * %du + k)", o.op.width()), "$ROOM") + `;
        acc = join(acc, e);
      }
    }
    ` + o.op.storeWords("s", "tid", "$W", "acc") + `
    workgroupBarrier();
    if (tid < 32u && inside) {
      for (var j = 1u; j < $W / 32u; j++) { let e = ` + o.op.wordsAt("s", "(j * 32u + tid)", "$W") + `; acc = join(acc, e); }
      if (params.begun != 0u) { let old = ` + o.op.wordsAt("initial", "bin", "$BINS") + `; acc = join(old, acc); }
      ` + o.op.storeWords("out", "bin", "$BINS", "acc") + `
    }
    workgroupBarrier();
  }
`,
	}
}
