package main

import (
	"strings"

	"skald/runtime/device"
)

// Note [Devices without subgroups]
//
// WebGPU does not guarantee subgroups. A shape that is written for subgroups of any size works with those of one
// thread: sums and maxima over a subgroup are the operand, shuffles give the thread's own value, and what a subgroup
// did is left to workgroup memory and its barriers. That is slow where a shape lets one thread join what subgroups
// left, and right. WGSL has no generic functions, so the calls are taken out of the text.

// subgroup is the size of subgroups, 1 where there are none or none of one known size. It has no reason against
// running, as devices of all kinds can.
func subgroup(f *device.Facts) (size int, skip string) {
	if !f.Subgroups || f.SubgroupSize == 0 || !f.SubgroupLinear {
		return 1, ""
	}
	return f.SubgroupSize, ""
}

// singles are the operations of subgroups with their value for a subgroup of one thread; % is the operand.
var singles = []struct{ call, value string }{
	{"subgroupAdd(", "(%)"},
	{"subgroupMax(", "(%)"},
	{"subgroupMin(", "(%)"},
	{"subgroupOr(", "(%)"},
	{"subgroupAll(", "(%)"},
	{"subgroupAny(", "(%)"},
	{"subgroupInclusiveAdd(", "(%)"},
	{"subgroupExclusiveAdd(", "((%) - (%))"},
	{"subgroupBroadcastFirst(", "(%)"},
	{"subgroupShuffle(", "(%)"},
	{"subgroupShuffleUp(", "(%)"},
	{"subgroupShuffleDown(", "(%)"},
	{"subgroupShuffleXor(", "(%)"},
	{"subgroupBallot(", "vec4<u32>(select(0u, 1u, %), 0u, 0u, 0u)"},
}

// single replaces the operations of subgroups in a text by what they are for subgroups of one thread: see Note [Devices without subgroups].
func single(text string) string {
	for _, s := range singles {
		for {
			before, after, found := strings.Cut(text, s.call)
			if !found {
				break
			}
			operand, rest := firstArgument(after)
			text = before + strings.ReplaceAll(s.value, "%", operand) + rest
		}
	}
	return text
}

// firstArgument splits what follows the parenthesis of a call into the first argument and what comes after the call.
func firstArgument(text string) (first, rest string) {
	depth, end := 0, -1
	for i, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 {
				if end < 0 {
					end = i
				}
				return text[:end], text[i+1:]
			}
			depth--
		case ',':
			if depth == 0 && end < 0 {
				end = i
			}
		}
	}
	return text, ""
}
