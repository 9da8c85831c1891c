package main

import (
	"fmt"
	"math"
)

// saturate adds up to 2^24-1; no hardware has an atomic for it. The values are those of the benchmarks.
var saturate = binOp{
	name: "saturate", typ: "u32", neutral: "0u", plus: " return min(a + b, 0xffffffu); ", value: "(key % 7u)",
	targets: [2][2]float64{{180, 160}, {300, 250}},
	fold: func(sum []uint64, ks keySet, _ []uint32) {
		for _, b := range ks.bins {
			if b >= 0 {
				sum[b] = min(sum[b]+uint64(b)%7, 0xffffff)
			}
		}
	},
}

// sumF32 adds f32 numbers. Those of the test are integers, so that no order of additions rounds.
var sumF32 = binOp{
	name: "sum-f32", typ: "u32", neutral: "0u", value: "$v",
	plus:    " return bitcast<u32>(bitcast<f32>(a) + bitcast<f32>(b)); ",
	targets: [2][2]float64{{150, 120}},
	values: func(n int) []uint32 {
		xs := make([]uint32, n)
		for i := range xs {
			xs[i] = math.Float32bits(float32(int(mix(uint32(i))&1023) - 512))
		}
		return xs
	},
	fold: func(sum []uint64, ks keySet, vals []uint32) {
		for i, b := range ks.bins {
			if b >= 0 {
				s := math.Float32frombits(uint32(sum[b])) + math.Float32frombits(vals[i])
				sum[b] = uint64(math.Float32bits(s + 0)) // No negative zero.
			}
		}
	},
}

// sumI64 adds numbers of two words.
var sumI64 = binOp{
	name: "sum-i64", typ: "vec2<u32>", neutral: "vec2<u32>(0u, 0u)", value: "$v2",
	plus:    " let low = a.x + b.x; return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < b.x)); ",
	targets: [2][2]float64{{180, 150}},
	values: func(n int) []uint32 {
		xs := make([]uint32, 2*n)
		for i := range xs {
			xs[i] = mix(uint32(i))
		}
		return xs
	},
	fold: func(sum []uint64, ks keySet, vals []uint32) {
		for i, b := range ks.bins {
			if b >= 0 {
				sum[b] += uint64(vals[2*i]) | uint64(vals[2*i+1])<<32
			}
		}
	},
}

// Note [Operators that choose]
//
// An operator on elements of several words that returns one of its operands, as those of argmax and of lexicographic
// maxima do, needs no lock: a bin holds the number of an element, one word, and plus reads or computes again what
// the numbers stand for. The last kernel writes the elements themselves. Once a bin holds a good element most
// threads find nothing to do, and no exchange takes place.

// argmax is the pair of value and index of the benchmarks: the largest value, and of equal ones the last. See Note [Operators that choose].
var argmax = binOp{
	name: "argmax", typ: "u32", neutral: "0xffffffffu", value: "at", results: 2, start: 0xffffffff,
	extra: []Func{{Result: "u32", Name: "worth", Params: []string{"i u32"}, Body: `
  var x = (i ^ (i >> 16u)) * 0x7feb352du;
  x = (x ^ (x >> 15u)) * 0x846ca68bu;
  return (x ^ (x >> 16u)) >> 8u;
`}},
	plus: `
  if (a == 0xffffffffu) { return b; }
  if (b == 0xffffffffu) { return a; }
  let x = worth(a);
  let y = worth(b);
  return select(b, a, x > y || (x == y && a > b));
`,
	finish: `
    if (acc == 0xffffffffu) { out[b] = 0x80000000u; index[b] = vec2<u32>(acc, acc); } else {
      out[b] = worth(acc);
      index[b] = vec2<u32>(acc, 0u);
    }`,
	targets: [2][2]float64{{400, 320}, {900, 700}},
	fold: func(best []uint64, ks keySet, _ []uint32) {
		for i, b := range ks.bins {
			if b >= 0 && (best[b] == 0xffffffff || mix(uint32(i))>>8 >= mix(uint32(best[b]))>>8) {
				best[b] = uint64(i)
			}
		}
	},
	checks: func(read func(int) []uint32, result []int, want []uint64) error {
		if err := same("values", read(result[0]), func(i int) uint32 {
			if want[i] == 0xffffffff {
				return 1 << 31
			}
			return mix(uint32(want[i])) >> 8
		}); err != nil {
			return fmt.Errorf("argmax: %w", err)
		}
		return same("indices", read(result[1]), func(i int) uint32 {
			if i%2 == 1 && want[i/2] != 0xffffffff {
				return 0
			}
			return uint32(want[i/2])
		})
	},
}
