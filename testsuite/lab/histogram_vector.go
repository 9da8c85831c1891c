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
// fewer meet in a word than if each had an element of its own. Bins of vectors lie in workgroup memory if they
// fit, else in storage. An operator on whole vectors is one on tuples: Note [Operators that would need a lock].

// vectorSource combines vectors of some words. It reads keys and values once, and has two barriers, or none where bins lie
// in storage.
func vectorSource(o *atomicOp, length, bins, threads int, shared bool) *Source {
	s := &Source{
		Name: fmt.Sprintf("vector-%s-%d-%v", o.name, length, shared), Threads: threads,
		Consts: map[string]any{
			"LENGTH": fmt.Sprintf("%du", length), "BINS": fmt.Sprintf("%du", bins), "WORDS": fmt.Sprintf("%du", bins*length),
			"ZERO": o.zero,
		},
		Buffers: []string{"keys vec2<u32>", "vals u32", "out atomic<u32>"}, Params: []string{"n"},
	}
	place, before, after := "out", "", ""
	if shared {
		s.Shared = []string{"s atomic<u32> $WORDS"}
		place = "s"
		before = "  for (var k = tid; k < $WORDS; k += $W) { atomicStore(&s[k], $ZERO); }\n  workgroupBarrier();\n"
		after = `
  workgroupBarrier();
  for (var k = tid; k < $WORDS; k += $W) {
    let x = atomicLoad(&s[k]);
    if (x != $ZERO) { ` + o.apply("out[k]", "x") + ` }
  }
`
	}
	step := `    if (i@ < words) {
      let x = vals[i@];
      let key = keys[i@ / $LENGTH];
      if (key.y == 0u && key.x < $BINS) { ` + o.apply(place+"[key.x * $LENGTH + i@ % $LENGTH]", "x") + ` }
    }
`
	var steps string
	for k := range 4 {
		steps += fmt.Sprintf("    let i%[1]d = i + %[1]du * groups * $W;\n", k) + strings.ReplaceAll(step, "@", strconv.Itoa(k))
	}
	s.Body = before + "  let words = params.n * $LENGTH;\n" +
		"  for (var i = group * $W + tid; i < words; i += 4u * groups * $W) {\n" + steps + "  }\n" + after
	return s
}

// vectorCase combines n vectors.
func vectorCase(o *atomicOp, kind string, n, bins, length int) Case {
	return Case{
		Name: fmt.Sprintf("vector/%s/%dx%d/%s/%d", o.name, bins, length, kind, n), Bytes: int64(n) * int64(8+4*length),
		Plan: func(f *device.Facts) (*Plan, string) {
			threads := min(f.MaxThreads, 512)
			ks := keys(kind, n, bins)
			vals := make([]uint32, n*length)
			for i := range vals {
				vals[i] = mix(uint32(i)) >> 12
			}
			shared := 4*bins*length <= f.WorkgroupMemory
			p := &Plan{Kernels: []*Source{beginSource(), vectorSource(o, length, bins, threads, shared)}}
			initial := contents(true, bins*length)
			first := append(p.give(initial), p.reserve(1, bins*length)...)
			groups := pieces(f, n*length, threads, 4)
			if !shared {
				groups = pieces(f, n*length, threads, 16)
			}
			p.Steps = []Step{
				{Groups: (len(initial) + 255) / 256, Buffers: first, Params: []uint32{uint32(len(initial)), 1}},
				{Kernel: 1, Groups: groups, Buffers: append(p.give(ks.words, vals), first[1]), Params: []uint32{uint32(n)}},
			}
			p.Check = func(read func(int) []uint32) error {
				want := slices.Clone(initial)
				for i, b := range ks.bins {
					if b < 0 {
						continue
					}
					for j := range length {
						w := &want[int(b)*length+j]
						*w = o.fold(*w, vals[i*length+j])
					}
				}
				return same("vectors", read(first[1]), func(i int) uint32 { return want[i] })
			}
			return p, ""
		},
	}
}
