package main

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed ballots.wgsl
var ballotsText string

// befores are what a workgroup does before its ballots.
var befores = map[string]string{
	"nothing": "",
	"barrier": "workgroupBarrier();",
	// Lanes of the first subgroup leave a loop at different times.
	"loop": "if (subgroup == 0u) { var k = 0u; while (k < mine % 64u) { k += 1u + (x[begin + k] & 0u); } mine ^= k >> 31u; } " +
		"workgroupBarrier();",
}

// stores are ways to store the odd words: each behind a branch, without a branch (even ones go where nobody looks), behind a branch once
// all ballots have been held, and behind a branch with a barrier before the next ballot.
var stores = []string{"branch", "everything", "afterwards", "barrier"}

// ballots are all combinations, for 4, 16 and 32 words a thread, as results and as counts of the ballots that miss lanes.
func ballots(lanes int) []variant {
	var out []variant
	for before := range befores {
		for _, store := range stores {
			for _, count := range []int{4, 16, 32} {
				for _, witness := range []bool{false, true} {
					out = append(out, ballotVariant(lanes, before, store, count, witness))
				}
			}
		}
	}
	return out
}

func ballotVariant(lanes int, before, store string, count int, witness bool) variant {
	const threads, groups = 256, 300
	name := fmt.Sprintf("ballots/%s/%s/%d", before, store, count)
	look := ""
	if witness {
		name += "/lanes"
		look = "if (subgroupAdd(1u) != LANESu) { atomicAdd(&missed[0], 1u); } "
	}
	var take, put, last strings.Builder
	for k := range count {
		bit := uint32(1) << k
		fmt.Fprintf(&take, "  let v%d = x[begin + %du + lane];\n  mine |= select(0u, %du, (v%d & 1u) == 1u);\n", k, k*lanes, bit, k)
		fmt.Fprintf(&put, "  let o%d = (mine & %du) != 0u; let m%d = subgroupBallot(o%d).x; %slet w%d = to + countOneBits(m%d & below); "+
			"to += countOneBits(m%d); ", k, bit, k, k, look, k, k, k)
		branch := fmt.Sprintf("if (o%d) { y[w%d] = v%d; }", k, k, k)
		switch store {
		case "branch":
			put.WriteString(branch)
		case "everything":
			fmt.Fprintf(&put, "y[select(spare, w%d, o%d)] = v%d;", k, k, k)
		case "afterwards":
			last.WriteString("  " + branch + "\n")
		case "barrier":
			put.WriteString(branch + " workgroupBarrier();")
		}
		put.WriteString("\n")
	}
	v := variant{name: name, threads: threads, groups: groups, lanes: min(lanes, 32), result: 1}
	v.source = replace(
		replace(ballotsText, "TAKE", take.String(), "PUT", put.String()+last.String(), "BEFORE", befores[before], "COUNT", fmt.Sprint(count)),
		"LANES", fmt.Sprint(lanes), "THREADS", fmt.Sprint(threads), "SUBGROUPS", fmt.Sprint(threads/lanes))
	x := make([]uint32, groups*threads*count)
	for i := range x {
		x[i] = hashed(i)
	}
	v.want = make([]uint32, len(x))
	for begin := 0; begin < len(x); begin += count * lanes {
		to := begin
		for _, e := range x[begin : begin+count*lanes] {
			if e&1 == 1 {
				v.want[to] = e
				to++
			}
		}
	}
	v.buffers = [][]uint32{x, make([]uint32, len(x)+groups*threads), {0}}
	if witness {
		v.result, v.want = 2, []uint32{0}
	}
	return v
}
