package main

import (
	"fmt"
	"math"
	"strings"

	"skald/runtime/device"
)

// keySet is the input of a histogram: the keys as 64-bit words, the kind of key that the language has.
type keySet struct {
	words []uint32
	bins  []int32 // The bin of each key, -1 if it lies outside.
}

// keySets keeps what keys returned: a case runs on several devices. Nobody writes to it.
var keySets = map[string]keySet{}

// distributions give the bin of key i of n. They are those of the benchmarks (normal with its deviation) and those
// that make lanes, subgroups or workgroups meet in one bin. Keys outside have bins nearby, those far away lower words in bounds.
var distributions = map[string]func(i, n, bins int) int{
	"uniform":   func(i, _, bins int) int { return int(mix(uint32(i)) % uint32(bins)) },
	"one":       func(_, _, bins int) int { return bins / 2 },
	"two":       func(i, _, bins int) int { return bins/2 - i%2 },
	"hot":       func(i, _, bins int) int { return int(mix(uint32(i))%32) * bins / 32 },
	"sorted":    func(i, n, bins int) int { return int(int64(i) * int64(bins) / int64(n)) },
	"regular":   func(i, _, bins int) int { return i % bins },
	"outside":   func(i, _, bins int) int { return int(mix(uint32(i))%uint32(2*bins)) - bins/2 },
	"far":       func(i, _, bins int) int { return i%bins + i%5*(1<<32) - i%3*(1<<33) },
	"zipf":      func(i, _, bins int) int { return min(int(math.Pow(float64(bins), unit(i))), bins) - 1 },
	"normal64":  func(i, _, bins int) int { return normal(i, bins, 64) },
	"normal128": func(i, _, bins int) int { return normal(i, bins, 128) },
	"normal256": func(i, _, bins int) int { return normal(i, bins, 256) },
	"normal512": func(i, _, bins int) int { return normal(i, bins, 512) },
}

// unit is a number between 0 and 1.
func unit(i int) float64 { return (float64(mix(uint32(i))>>8) + 0.5) / (1 << 24) }

// normal is a bin around the middle one.
func normal(i, bins int, sigma float64) int {
	z := math.Sqrt(-2*math.Log(unit(2*i))) * math.Cos(2*math.Pi*unit(2*i+1))
	k := int(float64(bins/2)+sigma*z) % bins
	return (k + bins) % bins
}

// keys returns n keys of a distribution.
func keys(kind string, n, bins int) keySet {
	name := fmt.Sprint(kind, n, bins)
	if ks, ok := keySets[name]; ok {
		return ks
	}
	if len(keySets) > 1 {
		clear(keySets)
	}
	bin := distributions[kind]
	ks := keySet{make([]uint32, 2*n), make([]int32, n)}
	inParallel(n, func(i int) {
		k := int64(bin(i, n, bins))
		ks.words[2*i], ks.words[2*i+1] = uint32(k), uint32(k>>32)
		ks.bins[i] = -1
		if k >= 0 && k < int64(bins) {
			ks.bins[i] = int32(k)
		}
	})
	keySets[name] = ks
	return ks
}

// Note [Keys]
//
// A key has two words; two keys are one load of 16 bytes, and four loads are in flight. A key whose high word is
// not zero is in no bin, which covers negative ones. All threads of a workgroup pass through the loop equally
// often, so that operations of subgroups may stand in it; `inside` says whether there is a key and its high word
// is zero.

// eachKey wraps the treatment of a key `key`, number `at`, in a loop over the keys of the piece `piece` of
// `pieces`. Values lie in a buffer `vals` as pairs, if there is one; `VALUE` in the treatment is the value. See Note [Keys].
func eachKey(use string, value string) string {
	var b strings.Builder
	b.WriteString(`
  let n2 = (params.n + 1u) / 2u;
  let last = max(n2, 1u) - 1u;
  for (var base = piece * 4u * $W; base < n2; base += pieces * 4u * $W) {
    let i = base + tid;
`)
	for k := range 4 {
		fmt.Fprintf(&b, "    let v%[1]d = keys[min(i + %[1]du * $W, last)];\n", k)
		if strings.Contains(value, "$v") {
			fmt.Fprintf(&b, "    let w%[1]d = vals[min(i + %[1]du * $W, last)];\n", k)
		}
	}
	for k := range 4 {
		for half, parts := range [][4]string{{"x", "y", "x", "x"}, {"z", "w", "y", "z"}} {
			v := strings.NewReplacer("$v2", fmt.Sprintf("vec2<u32>(w%d.%s, w%d.%s)", k, parts[0], k, parts[1]),
				"$v", fmt.Sprintf("w%d.%s", k, parts[2])).Replace(value)
			fmt.Fprintf(&b, "    { let at = 2u * (i + %[1]du * $W) + %[2]du; let key = v%[1]d.%[3]s;\n"+
				"      let inside = v%[1]d.%[4]s == 0u && at < params.n;\n", k, half, parts[0], parts[1])
			b.WriteString(strings.ReplaceAll(use, "VALUE", v) + " }\n")
		}
	}
	return b.String() + "  }\n"
}

// permuted is the place of a bin: permuted within its row of 32 words, so that hot bins a power of two apart lie
// in different banks.
func permuted(bin string) string {
	return fmt.Sprintf("(%[1]s ^ (((%[1]s >> 5u) ^ (%[1]s >> 10u)) & 31u))", bin)
}

// rows32 rounds a number of bins up to whole rows.
func rows32(bins int) int { return (bins + 31) / 32 * 32 }

// pieces is how many workgroups share a histogram's input.
func pieces(f *device.Facts, n, threads, perUnit int) int {
	return min(max(1, f.Units*perUnit), max(1, (n+8*threads-1)/(8*threads)))
}

// clearSource sets n words.
func clearSource() *Source {
	return &Source{
		Name: "clear", Threads: 256, Buffers: []string{"out u32"}, Params: []string{"n", "word"},
		Body: "  let i = group * $W + tid;\n  if (i < params.n) { out[i] = params.word; }\n",
	}
}
