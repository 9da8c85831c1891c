package main

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"skald/runtime/device"
)

// Note [Sort by bin]
//
// Bins that are so many that a tile cannot tell their parts apart (Note [Partition by high bits]) are left to a radix sort of
// all elements by their bin, of which only the bits that bins have are sorted. Then equal bins are runs:
//
//   - a launch makes numbers of bins of the keys; what is in no bin gets the number after the last;
//   - the elements are sorted, with their words beside them, or with their number alone where that would need more
//     buffers than a kernel has: then their words are looked up at the end;
//   - each thread folds consecutive elements, and threads are joined by a segmented scan, as in
//     Note [Operators that would need a lock]. A run that begins and ends in a tile goes to its bin. A tile leaves what the
//     run that goes on behind it comes to, and what one that began before it comes to where it ends;
//   - one workgroup joins these over tiles.
//
// No distribution is slower than another: a run that goes through all tiles is as much work as many short ones.

// runsPlan is a histogram by sorting all elements.
type runsPlan struct {
	sortPlan
	o             *folding
	bins          int
	threads, keys int  // Of a workgroup that folds; keys a thread.
	carry         bool // The words of elements are sorted, not their numbers.
}

// words are the names of the arrays that go with the bins.
func (p *runsPlan) words() []string {
	if !p.carry {
		return []string{"number u32"}
	}
	names := make([]string, p.o.words)
	for j := range names {
		names[j] = fmt.Sprintf("w%d u32", j)
	}
	return names
}

// value is the element at a place of the sorted arrays.
func (p *runsPlan) value(key, at string) string {
	switch {
	case p.carry:
		return p.o.op.element(func(j int) string { return fmt.Sprintf("bitcast<%s>(w%d[%s])", p.o.op.Fields[j], j, at) })
	case p.o.words > 0:
		return p.o.op.wordsAt("vals", "number["+at+"]", "params.n")
	}
	return fmt.Sprintf("lift(%s, number[%s])", key, at)
}

// update joins a value to that of a bin of the result, of which nobody else has one.
func (p *runsPlan) update(bin, value string) string {
	return fmt.Sprintf("{ let k = %s; let e = join(%s, %s); %s}", bin, p.o.op.wordsAt("out", "k", "$BINS"), value,
		p.o.op.storeWords("out", "k", "$BINS", "e"))
}

// source is a kernel without its body.
func (p *runsPlan) source(name string, threads int) *Source {
	width := p.o.op.width()
	return &Source{
		Name: name + "-" + p.o.name, Threads: threads, Structs: p.o.op.structs(), Funcs: p.o.funcs(), Params: []string{"n", "tiles"},
		Consts: map[string]any{
			"BINS": fmt.Sprintf("%du", p.bins), "KEYS": fmt.Sprintf("%du", p.keys), "ZERO": p.o.op.zero(), "NONE": none,
			"HEADS": fmt.Sprintf("%du", 2+width),
		},
		Shared: []string{fmt.Sprintf("work u32 %d", threads*(width+1)), "own u32 1"},
	}
}

// numbersSource makes numbers of bins, and numbers the elements where these go with them. It reads 8 bytes an element and writes
// 4 or 8.
func (p *runsPlan) numbersSource() *Source {
	s := &Source{
		Name: "runs-bins", Threads: 256, Buffers: []string{"keys vec4<u32>", "bins vec2<u32>"}, Params: []string{"n"},
		Consts: map[string]any{"BINS": fmt.Sprintf("%du", p.bins)},
	}
	number := ""
	if !p.carry {
		s.Buffers = append(s.Buffers, "number vec2<u32>")
		number = "    number[i] = vec2<u32>(2u * i, 2u * i + 1u);\n"
	}
	s.Body = `
  let i = group * $W + tid;
  if (2u * i < params.n) {
    let v = keys[i];
    bins[i] = vec2<u32>(select($BINS, min(v.x, $BINS), v.y == 0u), select($BINS, min(v.z, $BINS), v.w == 0u));
` + number + "  }\n"
	return s
}

// startSource sets the bins to initial contents, or to the neutral element.
func (p *runsPlan) startSource() *Source {
	s := p.source("runs-start", 256)
	s.Buffers, s.Params, s.Shared = []string{"initial u32", "out u32"}, []string{"begun"}, nil
	s.Body = `
  let b = group * $W + tid;
  if (b < $BINS) {
    var e = $ZERO;
    if (params.begun != 0u) { let old = ` + p.o.op.wordsAt("initial", "b", "$BINS") + `; e = old; }
    ` + p.o.op.storeWords("out", "b", "$BINS", "e") + `
  }
`
	return s
}

// joinThreads scans what threads have, `tail`, where `begins` says that its run begins in the thread: afterwards it is what the
// run comes to from where it begins in the workgroup, if it does.
func (p *runsPlan) joinThreads() string {
	op := p.o.op
	put := "work[tid] = select(0u, 1u, begins); " + op.storeWords("work", "$W + tid", "$W", "tail")
	return "  " + put + `
  workgroupBarrier();
  for (var d = 1u; d < $W; d = d * 2u) {
    var whole = false;
    var earlier = $ZERO;
    if (tid >= d) { whole = work[tid - d] != 0u; earlier = ` + op.wordsAt("work", "$W + tid - d", "$W") + `; }
    workgroupBarrier();
    if (!begins && tid >= d) { tail = join(earlier, tail); begins = whole; }
    ` + put + `
    workgroupBarrier();
  }
`
}

// foldSource folds the runs of a tile. It reads a bin and the words of the value an element, and writes each bin that has
// elements once; with 512 threads it has twenty barriers.
func (p *runsPlan) foldSource() *Source {
	op := p.o.op
	s := p.source("runs-fold", p.threads)
	s.Resident = max(1, 1024/p.threads)
	s.Buffers = append([]string{"bins u32"}, p.words()...)
	if !p.carry && p.o.words > 0 {
		s.Buffers = append(s.Buffers, "vals u32")
	}
	s.Buffers = append(s.Buffers, "out u32", "left u32")
	var load, fold strings.Builder
	for j := range p.keys {
		fmt.Fprintf(&load, "  var k%[1]d = $BINS;\n  var v%[1]d = $ZERO;\n  if (base + %[1]du < params.n) { k%[1]d = bins[base + %[1]du]; }\n"+
			"  if (k%[1]d < $BINS) { v%[1]d = %[2]s; }\n", j, p.value(fmt.Sprintf("k%d", j), fmt.Sprintf("base + %du", j)))
	}
	for j := 1; j < p.keys; j++ {
		fmt.Fprintf(&fold, `  if (k%[1]d == k%[2]d) { tail = join(tail, v%[1]d); } else {
    if (open) { head = tail; ends_left = true; open = false; } else if (k%[2]d < $BINS) %[3]s
    begins = true;
    tail = v%[1]d;
  }
`, j, j-1, p.update(fmt.Sprintf("k%d", j-1), "tail"))
	}
	last := fmt.Sprintf("k%d", p.keys-1)
	leave := func(bin, e string) string {
		return fmt.Sprintf("{ own[0] = %s; %s}", bin, op.storeWords("left", "$HEADS * params.tiles + group", "params.tiles", e))
	}
	s.Body = `
  let base = (group * $W + tid) * $KEYS;
  if (tid == 0u) { own[0] = $NONE; }
  var before = $NONE;
  if (base > 0u && base <= params.n) { before = bins[base - 1u]; }
  var after = $NONE;
  if (base + $KEYS < params.n) { after = bins[base + $KEYS]; }
` + load.String() + `
  var ends_left = false; // A run that began before this thread ends in it: it comes to head.
  var head = $ZERO;
  var open = before == k0;
  var begins = !open;
  var tail = v0;
` + fold.String() + p.joinThreads() + `
  if (ends_left && k0 < $BINS) {
    var whole = false;
    if (tid > 0u) { whole = work[tid - 1u] != 0u; let carry = ` + op.wordsAt("work", "$W + tid - 1u", "$W") + `; head = join(carry, head); }
    if (whole) ` + p.update("k0", "head") + " else " + leave("k0", "head") + `
  }
  let goes_on = after == ` + last + `;
  if (!goes_on && ` + last + ` < $BINS) {
    if (begins) ` + p.update(last, "tail") + " else " + leave(last, "tail") + `
  }
  if (tid == $W - 1u) {
    left[group] = select(1u, 0u, goes_on && !begins);
    ` + op.storeWords("left", "2u * params.tiles + group", "params.tiles", "tail") + `
  }
  workgroupBarrier();
  if (tid == 0u) { left[params.tiles + group] = own[0]; }
`
	return s
}

// joinSource joins runs over tiles, in one workgroup. It reads what tiles left twice.
func (p *runsPlan) joinSource(threads int) *Source {
	op := p.o.op
	s := p.source("runs-join", threads)
	s.Buffers = []string{"left u32", "out u32"}
	s.Body = `
  let span = (params.tiles + $W - 1u) / $W;
  let first = min(tid * span, params.tiles);
  let stop = min(first + span, params.tiles);
  var begins = false;
  var tail = $ZERO;
  for (var t = first; t < stop; t++) {
    let e = ` + op.wordsAt("left", "2u * params.tiles + t", "params.tiles") + `;
    if (left[t] != 0u) { begins = true; tail = e; } else { tail = join(tail, e); }
  }
` + p.joinThreads() + `
  var carry = $ZERO;
  if (tid > 0u) { let e = ` + op.wordsAt("work", "$W + tid - 1u", "$W") + `; carry = e; }
  for (var t = first; t < stop; t++) {
    let b = left[params.tiles + t];
    if (b < $BINS) {
      let h = ` + op.wordsAt("left", "$HEADS * params.tiles + t", "params.tiles") + `;
      let sum = join(carry, h);
      ` + p.update("b", "sum") + `
    }
    let e = ` + op.wordsAt("left", "2u * params.tiles + t", "params.tiles") + `;
    if (left[t] != 0u) { carry = e; } else { carry = join(carry, e); }
  }
`
	return s
}

// newRunsPlan plans the sort of elements by bin.
func newRunsPlan(o *folding, n, bins int, f *device.Facts) *runsPlan {
	p := &runsPlan{o: o, bins: bins, threads: min(f.MaxThreads, 512), keys: 8}
	shape := plainSort
	if f.Kind == device.CPU { // Whose compilers take long over long texts.
		p.threads, p.keys = min(f.MaxThreads, 128), 4
		shape.threads, shape.keys = p.threads, p.keys
	}
	const others = 2 // Buffers of a pass beside the elements.
	p.carry = o.words > 0 && 2*(1+o.words)+others <= f.MaxBindings
	p.of = sorting{key: 1, values: len(p.words()), bits: bits.Len(uint(bins))}
	p.sortPlan = sortPlan{Plan: &Plan{}, s: shape, of: p.of, n: n}
	p.s.wait = f.ForwardProgress
	p.s.fill(f, p.of)
	p.tiles = max(1, (n+p.s.tile()-1)/p.s.tile())
	return p
}

// sort plans the launches up to sorted elements, which lie in p.from, for the keys and the arrays of values.
func (p *runsPlan) sort(ks keySet, vals []uint32, f *device.Facts) {
	keys := p.give(ks.words)
	input := p.reserve(1, p.n)
	to := append(keys, input...)
	if p.carry {
		for j := range p.o.words {
			input = append(input, p.give(vals[j*p.n:(j+1)*p.n])...)
		}
	} else {
		input = append(input, p.reserve(1, p.n)...)
		to = append(to, input[1])
	}
	one, two := p.reserve(p.s.words, p.n), p.reserve(p.s.words, p.n)
	p.launches(input, one, two, f)
	p.Steps = slices.Insert(p.Steps, 0, Step{
		Kernel: len(p.Kernels), Groups: ((p.n+1)/2 + 255) / 256, Buffers: to, Params: []uint32{uint32(p.n)},
	})
	p.Kernels = append(p.Kernels, p.numbersSource())
}

// runsCase is a histogram by sorting all elements.
func runsCase(o *folding, kind string, n, bins int, begun bool) Case {
	c := Case{
		Name: fmt.Sprintf("runs/%s/%d/%s/%d", o.name, bins, kind, n), Bytes: int64(n) * int64(8+4*o.words),
	}
	if begun {
		c.Name += "/begun"
	}
	c.Plan = func(f *device.Facts) (*Plan, string) { return sortAllPlan(o, kind, n, bins, begun, f), "" }
	return c
}

// sortAllPlan plans a histogram by sorting all elements.
func sortAllPlan(o *folding, kind string, n, bins int, begun bool, f *device.Facts) *Plan {
	p, ks, vals := newRunsPlan(o, n, bins, f), keys(kind, n, bins), o.values(n)
	p.sort(ks, vals, f)
	width := o.op.width()
	var initial []uint32
	if begun {
		initial = o.arrays(bins, func(b int) []uint32 { return o.sample(uint32(b), uint32(b+7)) })
	}
	start, out := p.give(append(slices.Clone(initial), 0)), p.reserve(1, bins*width)
	tiles := max(1, (n+p.threads*p.keys-1)/(p.threads*p.keys))
	left := p.reserve(1, tiles*(2+2*width))
	fold := slices.Clone(p.from)
	if !p.carry && o.words > 0 {
		fold = append(fold, p.give(vals)...)
	}
	first, of := len(p.Kernels), []uint32{uint32(n), uint32(tiles)}
	p.Kernels = append(p.Kernels, p.startSource(), p.foldSource(), p.joinSource(min(f.MaxThreads, 1024)))
	p.Steps = append(p.Steps,
		Step{Kernel: first, Groups: (bins + 255) / 256, Buffers: append(start, out...), Params: []uint32{bit(begun)}},
		Step{Kernel: first + 1, Groups: tiles, Buffers: slices.Concat(fold, out, left), Params: of},
		Step{Kernel: first + 2, Groups: 1, Buffers: append(left, out...), Params: of})
	p.Check = func(read func(int) []uint32) error { return o.check(read(out[0]), ks, vals, initial, bins) }
	return p.Plan
}
