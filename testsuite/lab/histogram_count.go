package main

import (
	"fmt"

	"skald/runtime/device"
)

// countSource counts in one histogram a workgroup, in workgroup memory, and adds it to the result.
//
// It moves 8 bytes a key, has two barriers, and adds each bin that is not empty to storage once a workgroup (Henriksen, Hellfritsch,
// Sadayappan and Oancea, Compiling Generalized Histograms for GPU, 2020, as all histograms that are copies in workgroup memory).
// See Note [Two counters a word].
func countSource(bins, threads int) *Source {
	return &Source{
		Name: "count", Threads: threads,
		Consts:  map[string]any{"BINS": fmt.Sprintf("%du", bins), "ROOM": fmt.Sprintf("%du", rows32(bins))},
		Buffers: []string{"keys vec4<u32>", "out atomic<u32>"}, Params: []string{"n"},
		Shared: []string{"s atomic<u32> $ROOM"},
		Body: `
  let piece = group;
  let pieces = groups;
  for (var k = tid; k < $ROOM; k += $W) { atomicStore(&s[k], 0u); }
  workgroupBarrier();
` + eachKey("      if (inside && key < $BINS) { atomicAdd(&s["+permuted("key")+"], 1u); }", "") + `
  workgroupBarrier();
  for (var k = tid; k < $BINS; k += $W) {
    let c = atomicLoad(&s[` + permuted("k") + `]);
    if (c != 0u) { atomicAdd(&out[k], c); }
  }
`,
	}
}

// Note [Two counters a word]
//
// Two counters share a word. An addition returns the old value. The one thread that takes its counter to 2^15 takes
// 2^15 off it and adds them to the result; a thread that finds 2^15 or more there takes off what it has just added
// and adds that to the result. So what a counter holds above 2^15 is at any time at most what each thread of the
// workgroup has added once, and a counter never carries into its neighbour, however long any thread
// is delayed.
//
// Where even these do not fit in workgroup memory the bins are cut into slices: the workgroups of the slices of
// one piece of the input lie side by side, and all but the first find the piece in the second-level cache. Only
// one slice has work if all keys are equal: a thread adds at once what is equal among the keys that it has loaded.
// That is at most 8, so that what is above 2^15 is at most 8,192.

// narrowStep adds the number of keys equal to key ?.
const narrowStep = `
      if (todo?) {
        let shift = (d? & 1u) * 16u;
        let old = (atomicAdd(&s[d? >> 1u], val? << shift) >> shift) & 0xffffu;
        if (old + val? >= 0x8000u) {
          let off = select(val?, 0x8000u, old < 0x8000u);
          atomicSub(&s[d? >> 1u], off << shift);
          atomicAdd(&out[first + d?], off);
        }
      }`

// countNarrowSource counts one slice of the bins in 16-bit counters.
//
// It moves 8 bytes a key and slice, all but the first time from the cache, and has two barriers.
func countNarrowSource(slice, loads, threads int) *Source {
	return &Source{
		Name: "count-narrow", Threads: threads,
		Consts: map[string]any{
			"SLICE": fmt.Sprintf("%du", slice), "HALF": fmt.Sprintf("%du", slice/2),
		},
		Buffers: []string{"keys vec4<u32>", "out atomic<u32>"}, Params: []string{"n", "bins", "slices"},
		Shared: []string{"s atomic<u32> $HALF"},
		Funcs:  []Func{{Result: "u32", Name: "plus", Params: []string{"a u32", "b u32"}, Body: " return a + b; "}},
		Body: `
  let piece = group / params.slices;
  let pieces = groups / params.slices;
  let first = ((group + group / params.slices) % params.slices) * $SLICE;
  let most = min($SLICE, params.bins - first);
  for (var k = tid; k < $HALF; k += $W) { atomicStore(&s[k], 0u); }
  workgroupBarrier();
` + eachBatch("1u", loads, 0, forKeys(narrowStep, numbers(2*loads)...)) + `
  workgroupBarrier();
  for (var k = tid; k < most; k += $W) {
    let c = (atomicLoad(&s[k >> 1u]) >> ((k & 1u) * 16u)) & 0xffffu;
    if (c != 0u) { atomicAdd(&out[first + k], c); }
  }
`,
	}
}

// countDirectSource counts in storage with one atomic a key, for more bins than any workgroup can hold even parts of.
//
// It moves 8 bytes a key, and a sector in and out for each atomic where bins do not lie in the cache.
func countDirectSource(threads int) *Source {
	return &Source{
		Name: "count-direct", Threads: threads,
		Buffers: []string{"keys vec4<u32>", "out atomic<u32>"}, Params: []string{"n", "bins"},
		Body: "  let piece = group;\n  let pieces = groups;\n" +
			eachKey("      if (inside && key < params.bins) { atomicAdd(&out[key], 1u); }", ""),
	}
}

// countPlan makes the plan of a kernel that adds to a cleared result.
func countPlan(kind string, n, bins, groups int, kernel *Source, params ...uint32) *Plan {
	ks := keys(kind, n, bins)
	return &Plan{
		Kernels: []*Source{clearSource(), kernel},
		Buffers: []Data{{2 * n, ks.words}, {Words: bins}},
		Steps: []Step{
			{Groups: (bins + 255) / 256, Buffers: []int{1}, Params: []uint32{uint32(bins), 0}},
			{Kernel: 1, Groups: groups, Buffers: []int{0, 1}, Params: append([]uint32{uint32(n)}, params...)},
		},
		Check: func(read func(int) []uint32) error {
			want := make([]uint32, bins)
			for _, b := range ks.bins {
				if b >= 0 {
					want[b]++
				}
			}
			return same("bins", read(1), func(i int) uint32 { return want[i] })
		},
	}
}

// countSlicesMost is into how many slices narrow counters are cut; of more, each key would be read too often.
const countSlicesMost = 3

// countNarrowPlan counts in narrow counters.
func countNarrowPlan(kind string, n, bins int, f *device.Facts) *Plan {
	threads := min(f.MaxThreads, 1024)
	slices := (2*bins + f.WorkgroupMemory - 1) / f.WorkgroupMemory
	slice := ((bins+slices-1)/slices + 1) / 2 * 2
	perUnit := 2
	if isCUDA(f) {
		perUnit = 1
	}
	groups := max(slices, pieces(f, n, threads, perUnit)/slices*slices)
	k := countNarrowSource(slice, inFlight(f), threads)
	return countPlan(kind, n, bins, groups, k, uint32(bins), uint32(slices))
}

// countCase counts with the strategy for the number of bins.
func countCase(kind string, n, bins int) Case {
	target := [2]float64{60, 50}
	if bins > 4096 {
		target = [2]float64{}
		if bins == 65536 && (kind == "uniform" || kind == "one") {
			target = [2]float64{150, 120}
		}
	}
	return Case{
		Name: fmt.Sprintf("count/%d/%s/%d", bins, kind, n), Bytes: 8 * int64(n), Target: target,
		Plan: func(f *device.Facts) (*Plan, string) {
			threads := min(f.MaxThreads, 1024)
			if bins <= 4096 {
				return countPlan(kind, n, bins, pieces(f, n, threads, 2), countSource(bins, threads)), ""
			}
			if 2*bins <= countSlicesMost*f.WorkgroupMemory {
				return countNarrowPlan(kind, n, bins, f), ""
			}
			const chunk = 1 << 15
			if p := newSlicedParting(n, bins, partMemory(f)/2, chunk, f); p.fits(f) {
				return partCountPlan(kind, n, p, fromNeutral, f), ""
			}
			return countDirectPlan(kind, n, bins, f), ""
		},
	}
}

// countDirectPlan counts in storage.
func countDirectPlan(kind string, n, bins int, f *device.Facts) *Plan {
	threads := min(f.MaxThreads, 1024)
	return countPlan(kind, n, bins, pieces(f, n, threads, 2), countDirectSource(threads), uint32(bins))
}

// countDirectCase counts in storage, however few the bins are.
func countDirectCase(kind string, n, bins int) Case {
	return Case{
		Name: fmt.Sprintf("count-direct/%d/%s/%d", bins, kind, n), Bytes: 8 * int64(n),
		Plan: func(f *device.Facts) (*Plan, string) { return countDirectPlan(kind, n, bins, f), "" },
	}
}
