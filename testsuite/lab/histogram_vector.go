package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"skald/runtime/device"
)

// Note [Vectors in bins]
//
// Where an element is a vector and the operator works on its words apart, neighbouring threads take the words of an
// element: values are read and bins written side by side, all of them read the same key, and of a subgroup's threads
// fewer meet in a word than if each had an element of its own. Each workgroup has the bins in workgroup memory. If that
// does not hold them, a workgroup takes some of the words of all vectors, its slice: a slice of words has the same work
// whatever the keys are, where one of two slices of bins would have all the work of one key. Where more than two slices
// are needed elements are brought to parts of the bins first (Note [Partition by high bits]), and a thread combines all
// words of an element. An operator on whole vectors is one on tuples: Note [Operators that would need a lock].

// vectorSource combines the words of a slice, and leaves the workgroup's bins in `parts`. It reads keys and values once for
// each slice, all but the first time from the cache, writes each bin once a workgroup, and has two barriers. See Note [Vectors in bins].
func vectorSource(o *atomicOp, length, each, bins, threads int) *Source {
	const load = `
    let i@ = min(i + @u * pieces * $W, words - 1u);
    let j@ = first + i@ % $EACH;
    let key@ = keys[i@ / $EACH];
    let x@ = vals[i@ / $EACH * $LENGTH + min(j@, $LENGTH - 1u)];`
	use := `
    if (i + @u * pieces * $W < words && j@ < $LENGTH && key@.y == 0u && key@.x < $BINS) {
      ` + o.apply("s["+permuted("key@.x")+" * $EACH + i@ % $EACH]", "x@") + `
    }`
	steps := func(text string) string {
		var b strings.Builder
		for k := range 4 {
			b.WriteString(strings.ReplaceAll(text, "@", strconv.Itoa(k)))
		}
		return b.String()
	}
	return &Source{
		Name: fmt.Sprintf("vector-%s-%d-%d", o.name, length, each), Threads: threads,
		Consts: map[string]any{
			"LENGTH": fmt.Sprintf("%du", length), "EACH": fmt.Sprintf("%du", each), "BINS": fmt.Sprintf("%du", bins),
			"WORDS": fmt.Sprintf("%du", rows32(bins)*each), "ZERO": o.zero,
		},
		Buffers: []string{"keys vec2<u32>", "vals u32", "parts u32"}, Params: []string{"n", "slices"},
		Shared: []string{"s atomic<u32> $WORDS"},
		Body: `
  let piece = group / params.slices;
  let pieces = groups / params.slices;
  let first = group % params.slices * $EACH;
  for (var k = tid; k < $WORDS; k += $W) { atomicStore(&s[k], $ZERO); }
  workgroupBarrier();
  let words = params.n * $EACH;
  for (var i = piece * $W + tid; i < words; i += 4u * pieces * $W) {` + steps(load) + steps(use) + `
  }
  workgroupBarrier();
  for (var k = tid; k < $BINS * $EACH; k += $W) {
    let b = k / $EACH;
    let j = first + k % $EACH;
    if (j < $LENGTH) { parts[(piece * $BINS + b) * $LENGTH + j] = atomicLoad(&s[` + permuted("b") + ` * $EACH + k % $EACH]); }
  }
`,
	}
}

// vectorSlices says how many words a workgroup takes whose memory holds the bins of so many, and how many slices that makes,
// none if it does not hold the bins of one word.
func vectorSlices(length, bins, memory int) (each, slices int) {
	most := min(length, memory/4/rows32(bins))
	if most == 0 {
		return 0, 0
	}
	slices = (length + most - 1) / most
	return (length + slices - 1) / slices, slices
}

// vectorInput is what plans of vectors share: the plan, and buffers of keys, values, and initial contents with the result.
type vectorInput struct {
	*Plan
	o         *atomicOp
	length    int
	ks        keySet
	vals      []uint32
	initial   []uint32
	begun, to int
}

// finish adds the buffers of initial contents and result, and the check.
func (v *vectorInput) finish(bins int) {
	v.initial = contents(alreadyBegun, bins*v.length)
	v.begun, v.to = v.give(v.initial)[0], v.reserve(1, bins*v.length)[0]
	v.Check = func(read func(int) []uint32) error {
		want := slices.Clone(v.initial)
		for i, b := range v.ks.bins {
			if b < 0 {
				continue
			}
			for j := range v.length {
				w := &want[int(b)*v.length+j]
				*w = v.o.fold(*w, v.vals[i*v.length+j])
			}
		}
		return same("vectors", read(v.to), func(i int) uint32 { return want[i] })
	}
}

// vectorCase combines n vectors.
func vectorCase(o *atomicOp, kind string, n, bins, length int) Case {
	return Case{
		Name: fmt.Sprintf("vector/%s/%dx%d/%s/%d", o.name, bins, length, kind, n), Bytes: int64(n) * int64(8+4*length),
		Plan: func(f *device.Facts) (*Plan, string) {
			v := &vectorInput{o: o, length: length, ks: keys(kind, n, bins), vals: smallValues(n * length)}
			each, slices := vectorSlices(length, bins, sortedMemory(f))
			if slices == 0 || slices > 2 {
				return v.byParts(n, bins, f), ""
			}
			threads := min(f.MaxThreads, 1024)
			groups := max(1, pieces(f, n*length, threads, 2*1024/threads)/slices) * slices
			sums := &binOp{name: o.name, typ: "u32", neutral: o.zero, plus: o.join}
			v.Plan = &Plan{Kernels: []*Source{vectorSource(o, length, each, bins, threads), mergeSource(sums, threads, nil)}}
			in := v.give(v.ks.words, v.vals)
			left := v.reserve(1, groups/slices*bins*length)[0]
			v.finish(bins)
			v.Steps = []Step{
				{Groups: groups, Buffers: append(in, left), Params: []uint32{uint32(n), uint32(slices)}},
				{
					Kernel: 1, Groups: (bins*length + 31) / 32, Buffers: []int{left, v.begun, v.to},
					Params: []uint32{uint32(bins * length), uint32(groups / slices), 1},
				},
			}
			return v.Plan, ""
		},
	}
}

// byParts plans it by partition.
func (v *vectorInput) byParts(n, bins int, f *device.Facts) *Plan {
	const chunk = 1 << 15
	payload := make([]string, v.length)
	for j := range payload {
		payload[j] = fmt.Sprintf("vals[at * %du + %du]", v.length, j)
	}
	p := newPartPlan(v.ks, n, newParting(n, bins, partMemory(f)/4/v.length, chunk, f), payload, v.vals, f)
	v.Plan = p.Plan
	v.finish(bins)
	words := uint32(bins * v.length)
	p.Kernels = append(p.Kernels, beginSource(), p.partAtomicSource(v.o, v.length, min(f.MaxThreads, 512)))
	p.Steps = append(p.Steps,
		Step{Kernel: 4, Groups: (bins*v.length + 255) / 256, Buffers: []int{v.begun, v.to}, Params: []uint32{words, 1}},
		Step{Kernel: 5, Groups: p.groups, Buffers: append(slices.Concat(p.table, p.moved), v.to), Params: []uint32{uint32(n)}})
	return v.Plan
}

// partAtomicSource combines the vectors of chunks of parts. It reads a word and those of the vector an element, adds a word
// for each word of a chunk's bins that is not neutral to the result, and has two barriers beside those that hand out chunks.
func (p *parting) partAtomicSource(o *atomicOp, length, threads int) *Source {
	var load, use strings.Builder
	for e := range 2 {
		fmt.Fprintf(&load, "    let i%[1]d = min(i + %[1]du * $W, stop - 1u);\n    let b%[1]d = moved[i%[1]d] %% $ROOM;\n", e)
		fmt.Fprintf(&use, "    if (i + %[1]du * $W < stop) {\n      let place = %[2]s;\n", e, permuted(fmt.Sprintf("b%d", e)))
		for j := range length {
			fmt.Fprintf(&load, "    let x%[1]d_%[2]d = words[%[2]du * params.n + i%[1]d];\n", e, j)
			use.WriteString("      " + o.apply(fmt.Sprintf("s[%du * $ROOM + place]", j), o.value(fmt.Sprintf("x%d_%d", e, j))) + "\n")
		}
		use.WriteString("    }\n")
	}
	return &Source{
		Name: fmt.Sprintf("part-%s-%d", o.name, length), Threads: threads, Params: []string{"n"},
		Consts:  p.constants(map[string]any{"LENGTH": fmt.Sprintf("%du", length), "ZERO": o.zero}),
		Buffers: []string{"table u32", "moved u32", "words u32", "out atomic<u32>"},
		Shared:  []string{fmt.Sprintf("s atomic<u32> %d", p.room()*length), "own u32 4"},
		Body: ownChunk + `
  for (var k = tid; k < $ROOM * $LENGTH; k += $W) { atomicStore(&s[k], $ZERO); }
  workgroupBarrier();
  for (var i = start + tid; i < stop; i += 2u * $W) {
` + load.String() + use.String() + `  }
  workgroupBarrier();
  for (var k = tid; k < $ROOM * $LENGTH; k += $W) {
    let b = k / $LENGTH;
    let x = atomicLoad(&s[k % $LENGTH * $ROOM + ` + permuted("b") + `]);
    if (x != $ZERO) { ` + o.apply("out[part * $ROOM * $LENGTH + k]", "x") + ` }
  }
`,
	}
}
