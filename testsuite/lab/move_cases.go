package main

// moveCases are the shapes that move elements without joining any.
func moveCases(of sizes) []Case {
	if of == testSizes {
		return moveTests()
	}
	n := 100_000_000
	if of == guaranteedSizes {
		n = 30_000_000
	}
	var cs []Case
	for _, t := range numerics {
		cs = append(cs, mapCase(t, n*16/t.bits/8*8))
	}
	for _, t := range numerics {
		if t.name == "i8" || t.name == "i16" || t.name == "i32" || t.name == "i64" {
			cs = append(cs, scatterCase(t, n/8, n/8))
		}
	}
	side := 10_000
	if of == guaranteedSizes {
		side = 5_000
	}
	square := transposeCase(1, side, side, usual)
	square.Target = [2]float64{235, 220}
	flip := lmad{offset: side*side - 1, strides: []int{-side, -1}}
	return append(cs, square, transposeCase(1, side-1, side+1, usual), transposeCase(n/10_000, 100, 100, usual),
		transposeCase(1, n/4, 4, usual), transposeCase(1, 4, n/4, usual), transposeCase(1, n/7, 7, usual),
		gatherCase(n/4, n/4, 0), gatherCase(n/4, 4096, 0),
		lmadCase("flip", []int{side, side}, flip, lmad{strides: []int{side, 1}}, side*side),
		lmadCase("planes", []int{100, 100, n / 10_000}, lmad{strides: []int{1, 100, 10_000}},
			lmad{strides: []int{n / 100, n / 10_000, 1}}, n),
		fillCase(n, 0), fillCase(n, 1000), concatCase("vectors", 0, n/2, n/2), concatCase("vectors", 1, n/2-1, n/2),
		concatCase("words", 1, n/2-1, n/2), bundleCase(n/25))
}

// moveTests are small: odd sizes, nothing, one element, and one case of more workgroups than a dimension has.
func moveTests() []Case {
	var cs []Case
	for _, t := range numerics {
		cs = append(cs, mapCase(t, 10_007))
		if t.name != "f16" && t.name != "u8" && t.name != "f32" {
			cs = append(cs, scatterCase(t, 5_001, 1_003))
		}
	}
	words := tiling{}
	cs = append(cs, mapCase(numerics[0], 0), mapCase(numerics[0], 1), scatterCase(numerics[1], 0, 5),
		transposeCase(1, 1, 1, words), transposeCase(1, 33, 70, words), transposeCase(3, 33, 65, words),
		transposeCase(1, 100, 132, usual), transposeCase(3, 68, 16, usual),
		transposeCase(3, 100, 132, tiling{rows: 64, cols: 64, loop: 1}), transposeCase(1, 3000, 4, usual), transposeCase(2, 4, 1001, usual),
		transposeCase(1, 3000, 4, fours), transposeCase(2, 4, 1001, fours), transposeCase(1, 513, 7, usual), transposeCase(1, 0, 5, usual),
		gatherCase(0, 3, 0), gatherCase(1, 1, 0), gatherCase(3_001, 700, 0), gatherCase(3_001, 700, 1_000),
		lmadCase("flip", []int{7, 5}, lmad{offset: 34, strides: []int{-5, -1}}, lmad{strides: []int{5, 1}}, 35),
		lmadCase("part", []int{3, 4, 5}, lmad{3, []int{1, -7, 40}}.from(21), lmad{7, []int{20, 5, 1}}, 300),
		lmadCase("nothing", []int{0, 5}, lmad{strides: []int{5, 1}}, lmad{strides: []int{5, 1}}, 35),
		fillCase(0, 0), fillCase(1, 0), fillCase(1_003, 0), fillCase(1_003, 7))
	for from := range 4 {
		cs = append(cs, concatCase("vectors", from, 1, 0, 5, 1_000, 2, 3_001))
	}
	cs = append(cs, concatCase("words", 1, 1, 0, 5, 1_000), concatCase("many", 1, 2_100_001))
	return append(cs, bundleCase(0), bundleCase(1), bundleCase(1_003))
}

// from is a layout whose offset is larger.
func (l lmad) from(more int) lmad { return lmad{l.offset + more, l.strides} }

// fours transposes matrices with a side of four by vectors.
var fours = tiling{rows: -1, cols: -1, four: true}

// moveVariants are transpositions in other tiles.
func moveVariants(of sizes) []Case {
	side := 10_000
	if of == testSizes {
		side = 132
	}
	var cs []Case
	for _, t := range []tiling{
		{},
		{rows: 32, cols: 32, loop: 0},
		{rows: 32, cols: 64, loop: 0},
		{rows: 64, cols: 32, loop: 0},
		{rows: 64, cols: 64, loop: 0},
		{rows: 64, cols: 128, loop: 0},
		{rows: 128, cols: 64, loop: 0},
		{rows: 32, cols: 128, loop: 0},
		{rows: 128, cols: 32, loop: 0},
		{rows: 64, cols: 64, loop: 4},
		{rows: 64, cols: 64, loop: 8},
		{rows: 32, cols: 64, loop: 8},
		{rows: 32, cols: 32, loop: 16},
	} {
		cs = append(cs, transposeCase(1, side, side, t))
	}
	return append(cs, transposeCase(1, side*side/4, 4, fours), transposeCase(1, 4, side*side/4, fours))
}
