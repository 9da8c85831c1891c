package main

import (
	"fmt"
	"strings"

	"skald/runtime/device"
)

// atomicOp is an operator that devices have as an atomic operation on a word.
type atomicOp struct {
	name  string
	call  string // WGSL's name.
	zero  string // The neutral element.
	reads bool   // Values are read, not ones.
	join  string // The body of join(a, b), of two results.
	fold  func(a, x uint32) uint32
}

// The operators of histograms by hardware atomics.
var (
	atomicCount = &atomicOp{
		name: "count", call: "atomicAdd", zero: "0u", join: " return a + b; ", fold: func(a, _ uint32) uint32 { return a + 1 },
	}
	atomicSum = &atomicOp{
		name: "add", call: "atomicAdd", zero: "0u", join: " return a + b; ", reads: true, fold: func(a, x uint32) uint32 { return a + x },
	}
	atomicLargest = &atomicOp{
		name: "max", call: "atomicMax", zero: "0u", join: " return max(a, b); ", reads: true, fold: func(a, x uint32) uint32 { return max(a, x) },
	}
)

// apply is the operation on a place, with a value.
func (o *atomicOp) apply(place, value string) string {
	return o.call + "(&" + place + ", " + value + ");"
}

// value is what is combined: a one, or what is read.
func (o *atomicOp) value(read string) string {
	if o.reads {
		return read
	}
	return "1u"
}

// countMetSource counts as countSource does, after the threads of each subgroup have found which of them have equal keys:
// the first of these adds their number.
func countMetSource(bins, sg, threads int) *Source {
	s := countSource(bins, threads)
	s.Name, s.Raw = "count-met", equals(bins)
	s.Consts["SG"] = fmt.Sprintf("%du", sg)
	s.Body = "  let lane = tid % $SG;\n" + strings.NewReplacer(
		"if (inside && key < $BINS) {", `let counts = inside && key < $BINS;
      let peers = equals(key, subgroupBallot(counts).x, lane);
      if (counts && (peers & ((1u << lane) - 1u)) == 0u) {`,
		", 1u);", ", countOneBits(peers));").Replace(s.Body)
	return s
}

// countMetCase counts so.
func countMetCase(kind string, n, bins int) Case {
	return Case{
		Name: fmt.Sprintf("count-met/%d/%s/%d", bins, kind, n), Bytes: 8 * int64(n),
		Plan: func(f *device.Facts) (*Plan, string) {
			sg, _ := subgroup(f)
			threads := min(f.MaxThreads, 1024)
			return countPlan(kind, n, bins, pieces(f, n, threads, 2), countMetSource(bins, min(sg, 32), threads)), ""
		},
	}
}
