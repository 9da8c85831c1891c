package main

import (
	"slices"
	"strings"
)

// variant is a kernel with the contents of its buffers, and what those of one are afterwards.
type variant struct {
	name            string
	source          string
	threads, groups int
	lanes           int  // The subgroup size that it needs at least; 0 without subgroups.
	progress        bool // Workgroups wait for others.
	buffers         [][]uint32
	result          int // The buffer that is judged.
	want            []uint32
}

// replace puts in what a text leaves open: pairs of a word and what takes its place.
func replace(text string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }

// variants are all of them, on a device whose subgroups have so many threads.
func variants(lanes int) []variant {
	lanes = max(lanes, 1)
	all := slices.Concat(flags(), lookbacks(lanes), ballots(lanes))
	slices.SortFunc(all, func(a, b variant) int { return strings.Compare(a.name, b.name) })
	return all
}

// hashed are words of which half are odd, in no order.
func hashed(i int) uint32 {
	h := uint32(i) * 0x9e3779b1
	return h ^ h>>15
}
