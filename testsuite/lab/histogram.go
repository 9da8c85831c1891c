package main

import (
	"fmt"

	"skald/runtime/device"
)

// keys gives n bins of a distribution as 64-bit words, the kind of key that the language has.
func keys(kind string, n, bins int) (words []uint32, bin func(i int) int) {
	bin = map[string]func(i int) int{
		"uniform": func(i int) int { return int(mix(uint32(i)) % uint32(bins)) },
		"one":     func(int) int { return bins / 2 },
		"two":     func(i int) int { return bins/2 - i%2 },
		"hot":     func(i int) int { return int(mix(uint32(i))%32) * bins / 32 },
		"sorted":  func(i int) int { return int(int64(i) * int64(bins) / int64(n)) },
		"outside": func(i int) int { return int(mix(uint32(i))%uint32(2*bins)) - bins/2 },
	}[kind]
	words = make([]uint32, 2*n)
	for i := range n {
		k := int64(bin(i))
		words[2*i], words[2*i+1] = uint32(k), uint32(k>>32)
	}
	return words, bin
}

// eachKey wraps the treatment of one key, whose bin is `b` and whose number is `at`, in a loop over the keys of the
// workgroup's piece `piece` of `pieces`. Two keys a load, four loads in flight. A key whose high word is not zero
// is in no bin.
func eachKey(use string) string {
	one := func(load int, lo, hi string, half int) string {
		return fmt.Sprintf("    { let at = 2u * (i + %[1]du * $W) + %[4]du; if (v%[1]d.%[3]s == 0u && at < params.n) "+
			"{ let b = v%[1]d.%[2]s; %[5]s } }\n", load, lo, hi, half, use)
	}
	loads, uses := "", ""
	for k := range 4 {
		loads += fmt.Sprintf("    let v%[1]d = keys[min(i + %[1]du * $W, last)];\n", k)
		uses += one(k, "x", "y", 0) + one(k, "z", "w", 1)
	}
	return `
  let n2 = (params.n + 1u) / 2u;
  let last = max(n2, 1u) - 1u;
  for (var i = piece * 4u * $W + tid; i < n2; i += pieces * 4u * $W) {
` + loads + uses + "  }\n"
}

// clearSource sets n words.
func clearSource() *Source {
	return &Source{
		Name: "clear", Threads: 256, Buffers: []string{"out u32"}, Params: []string{"n", "word"},
		Body: "  let i = group * $W + tid;\n  if (i < params.n) { out[i] = params.word; }\n",
	}
}

// countSource counts in one histogram a workgroup, in workgroup memory, and adds it to the result. The place of a
// bin is permuted within its row of 32 words, so that hot bins a power of two apart lie in different banks.
func countSource(bins, threads int) *Source {
	return &Source{
		Name: "count", Threads: threads, Consts: map[string]any{"BINS": fmt.Sprintf("%du", bins)},
		Buffers: []string{"keys vec4<u32>", "out atomic<u32>"}, Params: []string{"n"},
		Shared: []string{fmt.Sprintf("s atomic<u32> %d", (bins+31)/32*32)},
		Body: `
  let piece = group;
  let pieces = groups;
  for (var k = tid; k < ($BINS + 31u) / 32u * 32u; k += $W) { atomicStore(&s[k], 0u); }
  workgroupBarrier();
` + eachKey(`if (b < $BINS) { atomicAdd(&s[b ^ (((b >> 5u) ^ (b >> 10u)) & 31u)], 1u); }`) + `
  workgroupBarrier();
  for (var k = tid; k < $BINS; k += $W) {
    let c = atomicLoad(&s[k ^ (((k >> 5u) ^ (k >> 10u)) & 31u)]);
    if (c != 0u) { atomicAdd(&out[k], c); }
  }
`,
	}
}

// Note [Counters of 16 bits]
//
// Two counters share a word. An addition gives the old value; the one thread that sees its counter reach 2^15 takes
// 2^15 off it and adds them to the result. Before it does so, each other thread of the workgroup can have added
// once more, at most 1,023, so that a counter never carries into its neighbour. Where even these do not fit in
// workgroup memory the bins are cut into slices: the workgroups of the slices of one piece of the input lie side
// by side, and all but the first find the piece in the second-level cache.

// countNarrowSource counts one slice of the bins in 16-bit counters.
func countNarrowSource(slice, threads int) *Source {
	return &Source{
		Name: "count-narrow", Threads: threads,
		Consts:  map[string]any{"SLICE": fmt.Sprintf("%du", slice), "HALF": fmt.Sprintf("%du", slice/2)},
		Buffers: []string{"keys vec4<u32>", "out atomic<u32>"}, Params: []string{"n", "bins", "slices"},
		Shared: []string{"s atomic<u32> $HALF"},
		Body: `
  let piece = group / params.slices;
  let pieces = groups / params.slices;
  let first = (group % params.slices) * $SLICE;
  let most = min($SLICE, params.bins - first);
  for (var k = tid; k < $HALF; k += $W) { atomicStore(&s[k], 0u); }
  workgroupBarrier();
` + eachKey(`let d = b - first; if (d < most) {
      let shift = (d & 1u) * 16u;
      let old = atomicAdd(&s[d >> 1u], 1u << shift);
      if (((old >> shift) & 0xffffu) == 0x7fffu) {
        atomicSub(&s[d >> 1u], 0x8000u << shift);
        atomicAdd(&out[b], 0x8000u);
      } }`) + `
  workgroupBarrier();
  for (var k = tid; k < most; k += $W) {
    let c = (atomicLoad(&s[k >> 1u]) >> ((k & 1u) * 16u)) & 0xffffu;
    if (c != 0u) { atomicAdd(&out[first + k], c); }
  }
`,
	}
}

// countDirectSource counts in storage with one atomic a key, for more bins than workgroups can hold copies of.
func countDirectSource(threads int) *Source {
	return &Source{
		Name: "count-direct", Threads: threads,
		Buffers: []string{"keys vec4<u32>", "out atomic<u32>"}, Params: []string{"n", "bins"},
		Body: "  let piece = group;\n  let pieces = groups;\n" +
			eachKey(`if (b < params.bins) { atomicAdd(&out[b], 1u); }`),
	}
}

// saturateSource folds values with an operator of one word that no hardware atomic has, by compare and exchange in
// workgroup memory, in as many copies as fit; a subgroup whose keys are all equal combines them first.
func saturateSource(bins, copies, sg, threads int) *Source {
	loop := func(place, value string) string {
		return fmt.Sprintf(`var done = false; var seen = atomicLoad(&%[1]s);
        while (!done) { let r = atomicCompareExchangeWeak(&%[1]s, seen, plus(seen, %[2]s));
          if (r.exchanged) { done = true; } else { seen = r.old_value; } }`, place, value)
	}
	return &Source{
		Name: "saturate", Threads: threads,
		Consts: map[string]any{
			"BINS": fmt.Sprintf("%du", bins), "COPIES": fmt.Sprintf("%du", copies),
			"WORDS": fmt.Sprintf("%du", bins*copies), "SG": fmt.Sprintf("%du", sg),
		},
		Funcs: []Func{{
			Result: "u32", Name: "plus", Params: []string{"a u32", "b u32"}, Body: " return min(a + b, 0xffffffu); ",
		}},
		Buffers: []string{"keys vec4<u32>", "out atomic<u32>"}, Params: []string{"n"},
		Shared: []string{"s atomic<u32> $WORDS"},
		Body: `
  let piece = group;
  let pieces = groups;
  let mine = tid % $COPIES;
  for (var k = tid; k < $WORDS; k += $W) { atomicStore(&s[k], 0u); }
  workgroupBarrier();
` + eachKey(`if (b < $BINS) { let val = b % 7u; if (val != 0u) { `+loop("s[b * $COPIES + mine]", "val")+` } }`) + `
  workgroupBarrier();
  for (var k = tid; k < $BINS; k += $W) {
    var c = 0u;
    for (var j = 0u; j < $COPIES; j++) { c = plus(c, atomicLoad(&s[k * $COPIES + j])); }
    if (c != 0u) { ` + loop("out[k]", "c") + ` }
  }
`,
	}
}

// histogram makes the plan of a histogram kernel that adds to a cleared result.
func histogram(kind string, n, bins, groups int, kernel *Source, params []uint32, each func(sum, bin int) int) *Plan {
	words, bin := keys(kind, n, bins)
	return &Plan{
		Kernels: []*Source{clearSource(), kernel},
		Buffers: []Data{{2 * n, words}, {Words: bins}},
		Steps: []Step{
			{Groups: (bins + 255) / 256, Buffers: []int{1}, Params: []uint32{uint32(bins), 0}},
			{Kernel: 1, Groups: groups, Buffers: []int{0, 1}, Params: append([]uint32{uint32(n)}, params...)},
		},
		Check: func(read func(int) []uint32) error {
			want := make([]int, bins)
			for i := range n {
				if b := bin(i); b >= 0 && b < bins {
					want[b] = each(want[b], b)
				}
			}
			return same("bins", read(1), func(i int) uint32 { return uint32(want[i]) })
		},
	}
}

// pieces is how many workgroups share a histogram's input.
func pieces(f *device.Facts, n, threads, perUnit int) int {
	return min(max(1, f.Units*perUnit), max(1, (n+8*threads-1)/(8*threads)))
}

// countCase counts with the strategy for the number of bins.
func countCase(kind string, n, bins int) Case {
	target := [2]float64{60, 50}
	if bins > 4096 {
		target = [2]float64{150, 120}
	}
	return Case{
		Name: fmt.Sprintf("count/%d/%s/%d", bins, kind, n), Bytes: 8 * int64(n), Target: target,
		Plan: func(f *device.Facts) (*Plan, string) {
			add := func(sum, _ int) int { return sum + 1 }
			threads := min(f.MaxThreads, 1024)
			if bins <= 4096 {
				return histogram(kind, n, bins, pieces(f, n, threads, 2), countSource(bins, threads), nil, add), ""
			}
			if bins > 1<<18 {
				k := countDirectSource(threads)
				return histogram(kind, n, bins, pieces(f, n, threads, 2), k, []uint32{uint32(bins)}, add), ""
			}
			slices := (2*bins + f.WorkgroupMemory - 1) / f.WorkgroupMemory
			slice := ((bins+slices-1)/slices + 1) / 2 * 2
			perUnit := 2
			if f.Language == device.CUDA {
				perUnit = 1
			}
			groups := max(slices, pieces(f, n, threads, perUnit)/slices*slices)
			params := []uint32{uint32(bins), uint32(slices)}
			return histogram(kind, n, bins, groups, countNarrowSource(slice, threads), params, add), ""
		},
	}
}

// saturateCase is the histogram of saturating sums.
func saturateCase(kind string, n, bins int) Case {
	return Case{
		Name: fmt.Sprintf("saturate/%d/%s/%d", bins, kind, n), Bytes: 8 * int64(n), Target: [2]float64{180, 160},
		Plan: func(f *device.Facts) (*Plan, string) {
			sg, skip := subgroup(f)
			if sg == 0 {
				return nil, skip
			}
			threads := min(f.MaxThreads, 1024)
			copies := max(1, min(f.WorkgroupMemory, staticShared)/2/4/bins)
			copies = min(copies, threads)
			plus := func(sum, bin int) int { return min(sum+bin%7, 0xffffff) }
			k := saturateSource(bins, copies, sg, threads)
			return histogram(kind, n, bins, pieces(f, n, threads, 2), k, nil, plus), ""
		},
	}
}
