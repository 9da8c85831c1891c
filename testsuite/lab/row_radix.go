package main

import (
	"fmt"
	"strings"

	"skald/runtime/device"
)

// rowRadix sorts rows by a digit of eight bits, `bits` of them a round, in workgroup memory: a workgroup a row, a thread
// `each` consecutive elements, which stay in registers for a round. A thread's counters lie two in a word.
type rowRadix struct{ sg, length, each, bits int }

// words is how many words the counters of a round have.
func (r *rowRadix) words() int { return max(1, 1<<r.bits/2) }

// threads is how many a workgroup has.
func (r *rowRadix) threads() int { return ((r.length+r.each-1)/r.each + 31) / 32 * 32 }

// count counts the digits of the thread's elements.
func (r *rowRadix) count() string {
	var b strings.Builder
	for w := range r.words() {
		fmt.Fprintf(&b, "    var c%d = 0u;\n", w)
	}
	for e := range r.each {
		fmt.Fprintf(&b, "    let i%[1]d = tid * $EACH + %[1]du; var e%[1]d = 0u; var d%[1]d = $MOST;\n"+
			"    if (i%[1]d < $LENGTH) { e%[1]d = v[here + i%[1]d + i%[1]d / 32u]; d%[1]d = (e%[1]d >> b) & $MASK; }\n", e)
		for w := range r.words() {
			fmt.Fprintf(&b, "    c%[2]d += select(0u, 1u << (d%[1]d %% 2u * 16u), d%[1]d / 2u == %[2]du);\n", e, w)
		}
	}
	return b.String()
}

// share finds, for each digit, where the thread's first element of it goes: two counters a word.
func (r *rowRadix) share() string {
	var b strings.Builder
	for w := range r.words() {
		fmt.Fprintf(&b, "    let in%[1]d = subgroupInclusiveAdd(c%[1]d);\n"+
			"    if (tid %% $SG == $SG - 1u) { s[tid / $SG * $WORDS + %[1]du] = in%[1]d; }\n", w)
	}
	b.WriteString("    workgroupBarrier();\n    var run = 0u;\n")
	for w := range r.words() {
		ahead, all := fmt.Sprintf("ahead%d", w), fmt.Sprintf("all%d", w)
		b.WriteString(meetSums(r.threads(), r.sg, fmt.Sprintf("s[k * $WORDS + %du]", w), ahead, all))
		fmt.Fprintf(&b, "    var p%[1]d = in%[1]d - c%[1]d + ahead%[1]d + (run | ((run + (all%[1]d & 0xffffu)) << 16u));\n"+
			"    run += (all%[1]d & 0xffffu) + (all%[1]d >> 16u);\n", w)
	}
	return b.String()
}

// move writes the thread's elements to their places.
func (r *rowRadix) move() string {
	var b strings.Builder
	for e := range r.each {
		fmt.Fprintf(&b, "    if (i%[1]d < $LENGTH) {\n      let shift = d%[1]d %% 2u * 16u;\n      var to = 0u;\n", e)
		for w := range r.words() {
			fmt.Fprintf(&b, "      if (d%[1]d / 2u == %[2]du) { to = (p%[2]d >> shift) & 0xffffu; p%[2]d += 1u << shift; }\n", e, w)
		}
		fmt.Fprintf(&b, "      v[there + to + to / 32u] = e%d;\n    }\n", e)
	}
	return b.String()
}

// source is the kernel. A digit beyond the last, of threads' elements beyond the end, is counted nowhere.
//
// It moves 8 bytes an element and has a barrier, and two a round (after Satish, Harris and Garland, Designing Efficient
// Sorting Algorithms for Manycore GPUs, 2009).
func (r *rowRadix) source() *Source {
	threads := r.threads()
	padded := r.length + r.length/32 + 1
	return &Source{
		Name: fmt.Sprintf("rows-radix-%d-%d-%d", r.length, r.each, r.bits), Threads: threads, Params: []string{"rows"},
		Buffers: []string{"x u32", "y u32"},
		Shared: []string{
			fmt.Sprintf("v u32 %d", 2*padded), fmt.Sprintf("s u32 %d", threads/r.sg*r.words()),
		},
		Consts: map[string]any{
			"SG": fmt.Sprintf("%du", r.sg), "LENGTH": fmt.Sprintf("%du", r.length), "EACH": fmt.Sprintf("%du", r.each),
			"BITS": fmt.Sprintf("%du", r.bits), "MASK": fmt.Sprintf("%du", 1<<r.bits-1), "MOST": fmt.Sprintf("%du", 2<<r.bits),
			"WORDS": fmt.Sprintf("%du", r.words()), "PADDED": fmt.Sprintf("%du", padded),
		},
		Body: `
  if (group >= params.rows) { return; }
  for (var i = tid; i < $LENGTH; i += $W) { v[i + i / 32u] = x[group * $LENGTH + i]; }
  workgroupBarrier();
  for (var b = 0u; b < 8u; b += $BITS) {
    let here = (b / $BITS % 2u) * $PADDED;
    let there = $PADDED - here;
` + r.count() + r.share() + r.move() + `
    workgroupBarrier();
  }
  for (var i = tid; i < $LENGTH; i += $W) { y[group * $LENGTH + i] = v[i + i / 32u]; }
`,
	}
}

// radixCase sorts each row by its low eight bits; equal digits keep their order.
func radixCase(rows, length, each, bits int) Case {
	n := rows * length
	return Case{
		Name: fmt.Sprintf("rows/radix/%dx%d/seq%d/bits%d", rows, length, each, bits), Bytes: 8 * int64(n),
		Plan: func(f *device.Facts) (*Plan, string) {
			sg, _ := subgroup(f)
			xs := random(n)
			return &Plan{
				Kernels: []*Source{(&rowRadix{sg, length, each, bits}).source()},
				Buffers: []Data{{n, xs}, {Words: n}},
				Steps:   []Step{{Groups: rows, Buffers: []int{0, 1}, Params: []uint32{uint32(rows)}}},
				Check: func(read func(int) []uint32) error {
					return sameRows("radix", read(1), length, func(r int, want []uint32) {
						row := xs[r*length : (r+1)*length]
						var at [257]int
						for _, x := range row {
							at[x&255+1]++
						}
						for d := range 256 {
							at[d+1] += at[d]
						}
						for _, x := range row {
							want[at[x&255]] = x
							at[x&255]++
						}
					})
				},
			}, ""
		},
	}
}
