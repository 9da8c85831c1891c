package main

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed lookback.wgsl
var lookbackText string

// leavings are ways for the lanes of a subgroup to leave the loop in which each waits for a tile: each as soon as it has what it waits
// for, or all together.
var leavings = map[string]string{
	"each":     "while (!ready) { " + lookOnce + " }",
	"together": "while (!subgroupAll(ready)) { if (!ready) { " + lookOnce + " } }",
}

const lookOnce = "let w = atomicLoad(&state[16u + last - 1u - lane]); " +
	"if ((w >> 30u) != 0u) { value = w & 0x3fffffffu; whole = (w >> 31u) == 1u; ready = true; }"

// shape is a form of lookback.wgsl.
type shape struct {
	leave          string // One of leavings.
	threads, count int    // Threads of a workgroup, and words of a thread.
	after          string // What follows the loop.
	lanes          bool   // Count the ballots that miss lanes, in place of looking at the result.
}

// lookbacks are compactions of different shapes.
func lookbacks(lanes int) []variant {
	var out []variant
	add := func(s shape) {
		out = append(out, s.variant(lanes))
		s.lanes = true
		out = append(out, s.variant(lanes))
	}
	for leave := range leavings {
		for _, threads := range []int{256, 512} {
			for _, count := range []int{4, 16, 20, 24, 28, 32} {
				add(shape{leave: leave, threads: threads, count: count})
			}
		}
	}
	add(shape{leave: "each", threads: 512, count: 24, after: "subgroupBarrier();"})
	return out
}

// variant makes a shape's kernel for subgroups of a size.
func (s shape) variant(lanes int) variant {
	const tiles = 600
	name := fmt.Sprintf("lookback/%s/%dx%d", s.leave, s.threads, s.count)
	if s.after != "" {
		name += "/barrier"
	}
	witness := ""
	if s.lanes {
		name += "/lanes"
		witness = "if (subgroupAdd(1u) != LANESu) { atomicAdd(&state[1u + min(subgroup, 1u)], 1u); } "
	}
	var take, put strings.Builder
	for k := range s.count {
		fmt.Fprintf(&take, "  let v%d = x[begin + %du];\n", k, k*lanes)
	}
	for k := range s.count {
		bit := uint32(1) << k
		fmt.Fprintf(&take, "  { let odd = (v%d & 1u) == 1u; found += countOneBits(subgroupBallot(odd).x); mine |= select(0u, %du, odd); }\n",
			k, bit)
		fmt.Fprintf(&put, "  { let odd = (mine & %du) != 0u; let m = subgroupBallot(odd).x; %slet w = to + countOneBits(m & below); "+
			"to += countOneBits(m); if (odd) { y[w] = v%d; } }\n", bit, witness, k)
	}
	v := variant{name: name, threads: s.threads, groups: tiles, lanes: min(lanes, 32), progress: true, result: 1}
	v.source = replace(
		replace(lookbackText, "TAKE", take.String(), "PUT", put.String(), "LOOK", leavings[s.leave], "AFTER", s.after),
		"LANES", fmt.Sprint(lanes), "THREADS", fmt.Sprint(s.threads), "SUBGROUPS", fmt.Sprint(s.threads/lanes), "COUNT", fmt.Sprint(s.count))
	x := make([]uint32, tiles*s.threads*s.count)
	for i := range x {
		x[i] = hashed(i)
		if x[i]&1 == 1 {
			v.want = append(v.want, x[i])
		}
	}
	v.buffers = [][]uint32{x, make([]uint32, len(x)), make([]uint32, 16+tiles)}
	if s.lanes { // No ballot of the first subgroup misses lanes, and none of the others.
		v.result, v.want = 2, []uint32{tiles, 0, 0}
	}
	return v
}
