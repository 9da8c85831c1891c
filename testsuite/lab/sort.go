package main

import (
	"cmp"
	"fmt"
	"slices"

	"skald/runtime/device"
)

// countSource counts the digits of all passes of one word of the keys in one reading.
//
// It moves 4 bytes a key and has two barriers.
func (s *sortShape) countSource() *Source {
	return &Source{
		Name: fmt.Sprintf("sort-count-%d", s.bits), Threads: 256, Consts: s.consts(),
		Buffers: []string{"x u32", "state atomic<u32>"}, Params: []string{"n", "flip", "table"},
		Shared: []string{fmt.Sprintf("s atomic<u32> %d", s.perWord()*s.radix())},
		Body: `
  for (var i = tid; i < $DIGITS * $RADIX; i += $W) { atomicStore(&s[i], 0u); }
  workgroupBarrier();
  let stride = groups * $W;
  for (var i = group * $W + tid; i < params.n; i += 4u * stride) {
    let a = x[i] ^ params.flip;
    var b = 0u;
    var c = 0u;
    var e = 0u;
    let has_b = i + stride < params.n;
    let has_c = i + 2u * stride < params.n;
    let has_e = i + 3u * stride < params.n;
    if (has_b) { b = x[i + stride] ^ params.flip; }
    if (has_c) { c = x[i + 2u * stride] ^ params.flip; }
    if (has_e) { e = x[i + 3u * stride] ^ params.flip; }
    for (var d = 0u; d < $DIGITS; d++) {
      atomicAdd(&s[d * $RADIX + ((a >> (d * $BITS)) & ($RADIX - 1u))], 1u);
      if (has_b) { atomicAdd(&s[d * $RADIX + ((b >> (d * $BITS)) & ($RADIX - 1u))], 1u); }
      if (has_c) { atomicAdd(&s[d * $RADIX + ((c >> (d * $BITS)) & ($RADIX - 1u))], 1u); }
      if (has_e) { atomicAdd(&s[d * $RADIX + ((e >> (d * $BITS)) & ($RADIX - 1u))], 1u); }
    }
  }
  workgroupBarrier();
  for (var i = tid; i < $DIGITS * $RADIX; i += $W) {
    let c = atomicLoad(&s[i]);
    if (c > 0u) { atomicAdd(&state[params.table + i], c); }
  }
`,
	}
}

// firstSource turns the counts of a pass, one a workgroup, into where the keys of each digit begin.
//
// It moves a word a digit and has one barrier.
func (s *sortShape) firstSource() *Source {
	return &Source{
		Name: fmt.Sprintf("sort-first-%d", s.bits), Threads: s.radix(), Consts: s.consts(),
		Buffers: []string{"state u32", "first_of u32"}, Shared: []string{fmt.Sprintf("s u32 %d", s.radix())},
		Body: `
  s[tid] = state[group * $RADIX + tid];
  workgroupBarrier();
  var sum = 0u;
  for (var j = 0u; j < tid; j++) { sum += s[j]; }
  first_of[group * $RADIX + tid] = sum;
`,
	}
}

// tileCountSource counts one digit of each tile, for the sort whose workgroups do not wait.
//
// It moves 4 bytes a key and a counter a digit of each tile, and has two barriers (Merrill and Grimshaw, High Performance and
// Scalable Radix Sorting, 2011).
func (s *sortShape) tileCountSource() *Source {
	return &Source{
		Name: fmt.Sprintf("sort-tiles-%d-%d", s.bits, s.tile()), Threads: s.threads, Consts: s.consts(),
		Buffers: []string{"x u32", "counts u32"}, Params: []string{"n", "tiles", "shift", "flip"},
		Shared: []string{fmt.Sprintf("s atomic<u32> %d", s.radix())},
		Body: `
  if (group >= params.tiles) { return; }
  for (var i = tid; i < $RADIX; i += $W) { atomicStore(&s[i], 0u); }
  workgroupBarrier();
  for (var k = 0u; k < $KEYS; k++) {
    let i = group * $TILE + k * $W + tid;
    var d = $RADIX - 1u;
    if (i < params.n) { d = ((x[i] ^ params.flip) >> params.shift) & ($RADIX - 1u); }
    atomicAdd(&s[d], 1u);
  }
  workgroupBarrier();
  for (var d = tid; d < $RADIX; d += $W) { counts[d * params.tiles + group] = atomicLoad(&s[d]); }
`,
	}
}

// Arguments of fill.
const (
	inOnePass = true
	inPasses  = false
)

// fill chooses what a shape leaves open. Digits of eight bits need counters of 1 KiB a subgroup: small subgroups, of
// which a workgroup has many, sort by four bits.
func (s *sortShape) fill(f *device.Facts, of sorting) {
	s.sg, _ = subgroup(f)
	s.words, s.most, s.bits = of.key+of.values, cmp.Or(of.bits, 32), 8
	if s.threads > f.MaxThreads {
		s.threads = 256
	}
	if s.sg != 32 {
		s.bits, s.threads, s.keys = 4, 128, 8
	}
}

// sortPlan is what all sorts share: the data, two sets of buffers that elements go between, and the check.
type sortPlan struct {
	*Plan
	s        sortShape
	of       sorting
	n, tiles int
	from, to []int
}

// passes calls for each pass with the word that the digit is in, its shift and what is exclusive-ored to it; each time
// the elements go from p.from to p.to, the word with the digit first, and then these change places.
func (p *sortPlan) passes(pass func(number, word int, shift, flip uint32)) {
	number := 0
	for w := range p.of.key {
		var flip uint32
		if p.of.signed && w == p.of.key-1 {
			flip = 1 << 31
		}
		for shift := 0; shift < p.s.perWord()*p.s.bits; shift += p.s.bits {
			pass(number, w, uint32(shift), flip)
			p.from, p.to = p.to, p.from
			number++
		}
	}
}

// order puts the buffer of a word first.
func order(buffers []int, word int) []int {
	all := append([]int{buffers[word]}, buffers[:word]...)
	return append(all, buffers[word+1:]...)
}

// sweep plans the sort with look-back.
func (p *sortPlan) sweep() {
	radix := p.s.radix()
	count := p.s.perWord() * p.of.key
	region := 4 + p.tiles*radix
	words := (count*(radix+region) + 3) / 4 * 4
	state, first := p.reserve(1, words), p.reserve(1, count*radix)
	p.Kernels = []*Source{
		{
			Name: "sort-reset", Threads: 256, Buffers: []string{"state vec4<u32>"}, Params: []string{"n"},
			Body: "  let i = group * $W + tid;\n  if (i < params.n) { state[i] = vec4<u32>(0u, 0u, 0u, 0u); }\n",
		},
		p.s.countSource(), p.s.firstSource(), p.s.passSource(),
	}
	p.Steps = []Step{{Groups: (words/4 + 255) / 256, Buffers: state, Params: []uint32{uint32(words / 4)}}}
	var passes []Step
	p.passes(func(number, word int, shift, flip uint32) {
		if shift == 0 {
			p.Steps = append(p.Steps, Step{
				Kernel: 1, Groups: max(1, min(1056, (p.n+1023)/1024)), Buffers: []int{p.from[word], state[0]},
				Params: []uint32{uint32(p.n), flip, uint32(number * radix)},
			})
		}
		passes = append(passes, Step{
			Kernel: 3, Groups: p.tiles,
			Buffers: slices.Concat(order(p.from, word), order(p.to, word), first, state),
			Params: []uint32{
				uint32(p.n), uint32(p.tiles), shift, flip, uint32(number * radix), uint32(count*radix + number*region),
			},
		})
	})
	p.Steps = append(p.Steps, Step{Kernel: 2, Groups: count, Buffers: []int{state[0], first[0]}})
	p.Steps = append(p.Steps, passes...)
}

// count plans the sort in which the counts of all tiles are scanned before each pass.
func (p *sortPlan) count(f *device.Facts) {
	n := p.s.radix() * p.tiles
	s := scanShape{op: opAdd, sg: p.s.sg, threads: 256}
	s.fill(f, inPasses)
	tiles := max(1, (n+s.tile()-1)/s.tile())
	groups := (tiles + 256/s.sg - 1) / (256 / s.sg)
	counts, scanned := p.reserve(1, n), p.reserve(1, n)
	inner, outer := p.reserve(1, tiles), p.reserve(1, groups+1)
	p.Kernels = append([]*Source{p.s.tileCountSource(), p.s.passSource()}, twiceSources(&s)...)
	p.passes(func(_, word int, shift, flip uint32) {
		of := []uint32{uint32(p.n), uint32(p.tiles), shift, flip}
		p.Steps = append(p.Steps,
			Step{Groups: p.tiles, Buffers: []int{p.from[word], counts[0]}, Params: of},
			Step{Kernel: 2, Groups: groups, Buffers: slices.Concat(counts, inner, outer), Params: []uint32{uint32(n), uint32(tiles)}},
			Step{Kernel: 3, Groups: 1, Buffers: outer, Params: []uint32{uint32(groups)}},
			Step{
				Kernel: 4, Groups: tiles, Buffers: slices.Concat(counts, inner, outer, scanned),
				Params: []uint32{uint32(n), uint32(tiles), uint32(groups)},
			},
			Step{
				Kernel: 1, Groups: p.tiles, Buffers: slices.Concat(order(p.from, word), order(p.to, word), scanned),
				Params: append(slices.Clone(of), 0, 0),
			})
	})
}

// sortCase sorts n random elements, stably. The input is kept: the first pass reads it, and the others go between
// two sets of buffers of their own.
func sortCase(of sorting, n int, keep uint32, variant sortShape) Case {
	c := Case{
		Name:  fmt.Sprintf("sort/%s%s/%d", of.name, variant.label(keep), n),
		Bytes: 4 * int64(n) * int64(of.key+8*of.key*(of.key+of.values)),
	}
	var in, want [][]uint32
	c.Plan = func(f *device.Facts) (*Plan, string) {
		if n >= 1<<30 {
			return nil, "2^30 elements or more"
		}
		if in == nil {
			in = sortInput(of, n, keep)
			want = sorted(of, in)
		}
		p := sortPlan{Plan: &Plan{}, s: variant, of: of, n: n}
		p.s.fill(f, of)
		p.s.wait = p.s.wait && f.ForwardProgress
		if p.s.match && !isCUDA(f) {
			return nil, "no instruction that finds equal words"
		}
		p.tiles = max(1, (n+p.s.tile()-1)/p.s.tile())
		input, one, two := p.give(in...), p.reserve(p.s.words, n), p.reserve(p.s.words, n)
		p.launches(input, one, two, f)
		p.Check = func(read func(int) []uint32) error {
			for w := range p.s.words {
				if err := sameInAnyOrder(fmt.Sprintf("word %d of sorted elements", w), read(two[w]), func(i int) uint32 {
					return want[w][i]
				}); err != nil {
					return err
				}
			}
			return nil
		}
		return p.Plan, ""
	}
	return c
}

// launches plans all passes, from the input to one and between one and two; the sorted elements lie in p.from.
func (p *sortPlan) launches(input, one, two []int, f *device.Facts) {
	p.from, p.to = two, one
	if p.s.wait {
		p.sweep()
	} else {
		p.count(f)
	}
	p.readFirst(input, two)
}

// readFirst has the first pass, and all counts, read the input in place of the second set of buffers.
func (p *sortPlan) readFirst(input, second []int) {
	for i := range p.firstPass() + 1 {
		replace(p.Steps[i].Buffers, second, input)
	}
}

// firstPass is the number of the step that is the first pass.
func (p *sortPlan) firstPass() int {
	for i, s := range p.Steps {
		if len(s.Params) == 6 {
			return i
		}
	}
	return 0
}

// replace puts other buffers in the place of some.
func replace(buffers, old, other []int) {
	for i, b := range buffers {
		if j := slices.Index(old, b); j >= 0 && i < len(old) {
			buffers[i] = other[j]
		}
	}
}

// label names what differs from the ordinary shape.
func (s *sortShape) label(keep uint32) string {
	l := ""
	if !s.wait {
		l += "-counted"
	}
	if keep != ^uint32(0) {
		l += fmt.Sprintf("-of-%x", keep)
	}
	if *s != (sortShape{threads: plainSort.threads, keys: plainSort.keys, resident: plainSort.resident, wait: s.wait}) {
		l += fmt.Sprintf("-%dx%d", s.threads, s.keys)
	}
	if s.match {
		l += "-match"
	}
	if s.apart {
		l += "-apart"
	}
	if s.resident > 0 && s.resident != plainSort.resident {
		l += fmt.Sprintf("-resident%d", s.resident)
	}
	if s.ahead > 0 {
		l += fmt.Sprintf("-%d", s.ahead)
	}
	return l
}
