package main

import "slices"

// sorting is what is sorted.
type sorting struct {
	name   string
	key    int  // Words of a key, the lower first.
	signed bool // The upper bit is a sign.
	values int  // Words that go with a key.
	bits   int  // Bits of a word of the keys that count, the lowest; 0 is all.
}

// The sorts of the lab.
var (
	sortKeys  = sorting{name: "keys", key: 1}
	sortI32   = sorting{name: "i32", key: 1, signed: true}
	sortPairs = sorting{name: "pairs", key: 1, values: 1}
	sortI64   = sorting{name: "i64", key: 2, signed: true}
	sortWide  = sorting{name: "i64-pairs", key: 2, signed: true, values: 1}
)

// sortInput makes n elements; keys keep only some bits, so that many are equal. Values are the numbers of elements.
func sortInput(of sorting, n int, keep uint32) [][]uint32 {
	in := make([][]uint32, of.key+of.values)
	for w := range in {
		in[w] = make([]uint32, n)
		inParallel(n, func(i int) {
			if in[w][i] = uint32(i); w < of.key {
				in[w][i] = mix(uint32(i)+uint32(w)<<30) & keep
			}
		})
	}
	return in
}

// sorted is the reference. Many elements are parted by the upper eight bits of their keys first, so that the parts are
// sorted on all processors.
func sorted(of sorting, in [][]uint32) [][]uint32 {
	const few, upper = 1 << 20, 24
	if len(in[0]) < few {
		return sortedPart(of, in)
	}
	var flip uint32
	if of.signed {
		flip = 1 << 31
	}
	var at [1<<8 + 1]int
	keys := in[of.key-1]
	for _, k := range keys {
		at[(k^flip)>>upper+1]++
	}
	for d := range 1 << 8 {
		at[d+1] += at[d]
	}
	out, next := make([][]uint32, len(in)), at
	for w := range out {
		out[w] = make([]uint32, len(keys))
	}
	for i, k := range keys {
		d := (k ^ flip) >> upper
		for w := range out {
			out[w][next[d]] = in[w][i]
		}
		next[d]++
	}
	inParallel(1<<8, func(d int) {
		part := make([][]uint32, len(out))
		for w := range part {
			part[w] = out[w][at[d]:at[d+1]]
		}
		for w, words := range sortedPart(of, part) {
			copy(part[w], words)
		}
	})
	return out
}

// sortedPart sorts by one digit of 16 bits after the other, the lowest first, each by counting, which is stable.
func sortedPart(of sorting, in [][]uint32) [][]uint32 {
	n := len(in[0])
	from, to := make([][]uint32, len(in)), make([][]uint32, len(in))
	for w := range in {
		from[w], to[w] = slices.Clone(in[w]), make([]uint32, n)
	}
	for digit := range 2 * of.key {
		word, shift, flip := digit/2, digit%2*16, uint32(0)
		if of.signed && digit == 2*of.key-1 {
			flip = 1 << 31
		}
		var at [1<<16 + 1]int
		for _, k := range from[word] {
			at[(k^flip)>>shift&0xffff+1]++
		}
		for d := range 1 << 16 {
			at[d+1] += at[d]
		}
		for i, k := range from[word] {
			d := (k ^ flip) >> shift & 0xffff
			for w := range from {
				to[w][at[d]] = from[w][i]
			}
			at[d]++
		}
		from, to = to, from
	}
	return from
}

// plainSort is the ordinary shape.
var plainSort = sortShape{threads: 512, keys: 20, wait: true, resident: 2}

// sortCases are the sorts.
func sortCases(of sizes) []Case {
	const all = ^uint32(0)
	counted := plainSort
	counted.wait = false
	var cs []Case
	if of == testSizes {
		for _, n := range []int{0, 1, 5_000, 70_001} {
			cs = append(cs, sortCase(sortKeys, n, all, plainSort), sortCase(sortKeys, n, all, counted))
		}
		for _, s := range []sorting{sortI32, sortPairs, sortI64, sortWide} {
			cs = append(cs, sortCase(s, 20_001, 0x80000007, plainSort), sortCase(s, 20_001, 0x80000007, counted))
		}
		return cs
	}
	n := 1 << 26
	if of == guaranteedSizes {
		n = 1 << 22
	}
	keys := sortCase(sortKeys, n, all, plainSort)
	cs = append(cs, keys, sortCase(sortKeys, n, all, counted))
	for _, s := range []sorting{sortPairs, sortI64} {
		cs = append(cs, sortCase(s, n, all, plainSort))
	}
	return append(cs, sortCase(sortPairs, n, 0, plainSort))
}

// sortVariants are sorts of other tiles.
func sortVariants(of sizes) []Case {
	n := map[sizes]int{testSizes: 9_001, guaranteedSizes: 1 << 20, fullSizes: 1 << 26}[of]
	var cs []Case
	for _, v := range []sortShape{
		{threads: 512, keys: 12, wait: true, apart: true},
		{threads: 512, keys: 16, wait: true},
		{threads: 512, keys: 20, wait: true},
		{threads: 384, keys: 20, wait: true},
		{threads: 384, keys: 24, wait: true},
		{threads: 256, keys: 32, wait: true},
		{threads: 512, keys: 16, wait: true, ahead: 8},
		{threads: 512, keys: 16, wait: true, ahead: 1},
		{threads: 512, keys: 12},
		{threads: 512, keys: 20},
		{threads: 256, keys: 16, apart: true},
		{threads: 512, keys: 12, wait: true, apart: true, match: true},
		{threads: 512, keys: 12, wait: true, apart: true, resident: 2},
		{threads: 512, keys: 12, wait: true, apart: true, resident: 3},
		{threads: 512, keys: 12, wait: true, resident: 3},
		{threads: 512, keys: 16, wait: true, resident: 2},
		{threads: 512, keys: 20, wait: true, resident: 2},
		{threads: 384, keys: 20, wait: true, resident: 3},
		{threads: 384, keys: 16, wait: true, apart: true, resident: 3},
		{threads: 384, keys: 16, wait: true, resident: 4},
		{threads: 256, keys: 20, wait: true, apart: true, resident: 4},
		{threads: 256, keys: 24, wait: true, resident: 4},
		{threads: 512, keys: 20, wait: true, resident: 2, ahead: 8},
		{threads: 512, keys: 16, wait: true, resident: 2, ahead: 2},
	} {
		cs = append(cs, sortCase(sortKeys, n, ^uint32(0), v))
	}
	return cs
}
