package main

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"sync"

	"skald/runtime/device"
)

// bigSource adds rows of big numbers, least significant digit first: a subgroup a row. A digit makes a carry, passes
// one on, both or neither; these two bits are scanned with the operator that joins them, in pieces of `digits` a
// thread, and the carry out of a step goes into the next.
//
// It moves 12 bytes a digit, without barriers (after Oancea and Watt, GPU Implementations for Midsize Integer Addition and
// Multiplication, 2024).
func bigSource(sg, length, digits int) *Source {
	// Four digits a thread are read and written as one vector where rows begin at 16 bytes.
	typ, whole := "u32", digits == 4 && length%4 == 0
	if whole {
		typ = "vec4<u32>"
	}
	var load, keep, write strings.Builder
	for k := range digits {
		digit := fmt.Sprintf("[row * $LENGTH + at + %du]", k)
		fmt.Fprintf(&load, "    var r%[1]d = 0u; var c%[1]d = 2u;\n", k)
		inRow := fmt.Sprintf("if (at + %du < $LENGTH)", k)
		if whole {
			digit, inRow = fmt.Sprintf("v.%c", "xyzw"[k]), "if (at < $LENGTH)"
		}
		p, q := "a"+digit, "b"+digit
		fmt.Fprintf(&load, "    %[2]s {\n      let p = %[3]s; r%[1]d = p + %[4]s;\n"+
			"      c%[1]d = select(0u, 1u, r%[1]d < p) | select(0u, 2u, r%[1]d == 0xffffffffu);\n    }\n", k, inRow, p, q)
		fmt.Fprintf(&keep, "    t = carry(t, c%d);\n", k)
		if whole {
			fmt.Fprintf(&write, "    r%[1]d += c & 1u; c = carry(c, c%[1]d);\n", k)
		} else {
			fmt.Fprintf(&write, "    %[2]s { y%[3]s = r%[1]d + (c & 1u); }\n    c = carry(c, c%[1]d);\n", k, inRow, digit)
		}
	}
	vectors := ""
	if whole {
		vectors = "    var av = vec4<u32>(0u, 0u, 0u, 0u); var bv = av;\n" +
			"    if (at < $LENGTH) { av = a[(row * $LENGTH + at) / 4u]; bv = b[(row * $LENGTH + at) / 4u]; }\n"
		write.WriteString("    if (at < $LENGTH) { y[(row * $LENGTH + at) / 4u] = vec4<u32>(r0, r1, r2, r3); }\n")
	}
	var up strings.Builder
	for d := 1; d < sg; d *= 2 {
		fmt.Fprintf(&up, "    { let u = subgroupShuffleUp(t, %[1]du); if (lane >= %[1]du) { t = carry(u, t); } }\n", d)
	}
	return &Source{
		Name: fmt.Sprintf("big-add-%d-%d", length, digits), Threads: 256, Params: []string{"rows"},
		Buffers: []string{"a " + typ, "b " + typ, "y " + typ},
		Consts: map[string]any{
			"SG": fmt.Sprintf("%du", sg), "LENGTH": fmt.Sprintf("%du", length), "DIGITS": fmt.Sprintf("%du", digits),
		},
		Funcs: []Func{{
			Result: "u32", Name: "carry", Params: []string{"p u32", "q u32"},
			Body: " return (((p & (q >> 1u)) | q) & 1u) | (p & q & 2u); ",
		}},
		Body: `
  let lane = tid % $SG;
  let row = group * ($W / $SG) + tid / $SG;
  if (row >= params.rows) { return; }
  var into = 0u;
  for (var base = 0u; base < $LENGTH; base += $SG * $DIGITS) {
    let at = base + lane * $DIGITS;
` + vectors + load.String() + "    var t = 2u;\n" + keep.String() + up.String() + `
    let before = subgroupShuffleUp(t, 1u);
    var c = into;
    if (lane > 0u) { c = carry(into, before); }
` + write.String() + `
    into = carry(into, subgroupShuffle(t, $SG - 1u));
  }
`,
	}
}

// bigCase adds rows of numbers of some digits; runs of digits that pass carries on are long.
func bigCase(rows, length, digits int) Case {
	n := rows * length
	numbers := sync.OnceValues(func() (as, bs []uint32) {
		as, bs = make([]uint32, n), make([]uint32, n)
		inParallel(n, func(i int) {
			as[i] = mix(uint32(i))
			bs[i] = ^as[i]
			if as[i]%32 == 0 {
				bs[i] = mix(as[i])
			}
		})
		return as, bs
	})
	return Case{
		Name: fmt.Sprintf("rows/bigadd/%dx%d/seq%d", rows, length, digits), Bytes: 12 * int64(n),
		Plan: func(f *device.Facts) (*Plan, string) {
			sg, _ := subgroup(f)
			as, bs := numbers()
			per := 256 / sg
			return &Plan{
				Kernels: []*Source{bigSource(sg, length, digits)},
				Buffers: []Data{{n, as}, {n, bs}, {Words: n}},
				Steps:   []Step{{Groups: (rows + per - 1) / per, Buffers: []int{0, 1, 2}, Params: []uint32{uint32(rows)}}},
				Check: func(read func(int) []uint32) error {
					return sameRows("big sum", read(2), length, func(r int, want []uint32) {
						var over uint32
						for i := range want {
							want[i], over = bits.Add32(as[r*length+i], bs[r*length+i], over)
						}
					})
				},
			}, ""
		},
	}
}

// pairsCase adds up the squared distances of each of n points on a line to all, with `each` results a thread: tiles of
// points lie in workgroup memory, where all threads read the same word.
func pairsCase(n, each int) Case {
	return Case{
		Name: fmt.Sprintf("pairs/%d/each%d", n, each), Flops: 3 * float64(n) * float64(n),
		Plan: always(func() *Plan {
			const threads = 256
			var own, use, put strings.Builder
			for k := range each {
				fmt.Fprintf(&own, "  let i%[1]d = group * $W * $EACH + %[1]du * $W + tid;\n  var x%[1]d = 0.0f; var a%[1]d = 0.0f;\n"+
					"  if (i%[1]d < params.n) { x%[1]d = x[i%[1]d]; }\n", k)
				fmt.Fprintf(&use, "      { let d = x%[1]d - p; a%[1]d = a%[1]d + d * d; }\n", k)
				fmt.Fprintf(&put, "  if (i%[1]d < params.n) { y[i%[1]d] = a%[1]d; }\n", k)
			}
			xs, sum, squares := make([]uint32, n), 0, 0
			point := func(i int) int { return int(mix(uint32(i)) % 4) }
			for i := range xs {
				xs[i] = math.Float32bits(float32(point(i)))
				sum, squares = sum+point(i), squares+point(i)*point(i)
			}
			return &Plan{
				Kernels: []*Source{{
					Name: fmt.Sprintf("pairs-%d", each), Threads: threads, Buffers: []string{"x f32", "y f32"}, Params: []string{"n"},
					Shared: []string{fmt.Sprintf("s f32 %d", threads)}, Consts: map[string]any{"EACH": fmt.Sprintf("%du", each)},
					Body: own.String() + `
  for (var base = 0u; base < params.n; base += $W) {
    if (base + tid < params.n) { s[tid] = x[base + tid]; }
    workgroupBarrier();
    let here = min($W, params.n - base);
    for (var j = 0u; j < here; j++) {
      let p = s[j];
` + use.String() + `    }
    workgroupBarrier();
  }
` + put.String(),
				}},
				Buffers: []Data{{n, xs}, {Words: n}},
				Steps: []Step{{
					Groups: (n + threads*each - 1) / (threads * each), Buffers: []int{0, 1}, Params: []uint32{uint32(n)},
				}},
				Check: func(read func(int) []uint32) error {
					return same("pairs", read(1), func(i int) uint32 {
						return math.Float32bits(float32(n*point(i)*point(i) - 2*point(i)*sum + squares))
					})
				},
			}
		}),
	}
}
