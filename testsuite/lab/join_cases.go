package main

// joinCases are reductions with other operators, along columns and of segments, work on rows, and pairs.
func joinCases(of sizes) []Case {
	if of == testSizes {
		return joinTests()
	}
	n := 100_000_000
	if of == guaranteedSizes {
		n = 30_000_000
	}
	cs := []Case{
		reduceOpCase(reduceIndex, n, 16), reduceOpCase(reduceI64, n, 16), reduceOpCase(reduceSeveral, n, 16), reduceOpCase(reduceMatrix, n/4, 16),
		reduceOpCase(reduceTwelve, n/4, 16), reduceOpCase(reduceMatrix, n/4, 0), reduceOpCase(reduceTwelve, n/4, 0),
		reduceOpCase(reduceMapped, n/2, 16), scanMappedCase(n / 2),
		twiceCase(opSegmented, n/4, plainTwice), onceCase(opSegmented, n/4, plainOnce),
	}
	for _, m := range []int{4, 64, 1_000, 10_000, 1_000_000} {
		cs = append(cs, columnsCase(n/m, m))
	}
	for _, length := range []int{8, 31, 100, 1_024, 200_000} {
		for _, kind := range []string{"regular", "irregular"} {
			if length <= 100 {
				cs = append(cs, segmentsCase(kind, "thread", n, length))
			}
			cs = append(cs, segmentsCase(kind, "subgroup", n, length))
			if length >= 100 {
				cs = append(cs, segmentsCase(kind, "workgroup", n, length))
			}
		}
	}
	rows := 131_072
	if of == guaranteedSizes {
		rows = 16_384
	}
	return append(cs, bigCase(rows, 1024, 1), bigCase(rows, 1024, 4),
		bigCase(rows, 257, 1), bigCase(rows, 257, 4), pairsCase(100_000, 1), pairsCase(100_000, 4), pairsCase(100_000, 8))
}

// joinTests are small.
func joinTests() []Case {
	cs := []Case{twiceCase(opSegmented, 5_001, plainTwice)}
	for _, r := range []*reduction{reduceIndex, reduceI64, reduceSeveral, reduceMapped, reduceMatrix, reduceTwelve} {
		for _, n := range []int{0, 1, 20_003} {
			cs = append(cs, reduceOpCase(r, n, 16))
			if !r.commutes {
				cs = append(cs, reduceOpCase(r, n, 0))
			}
		}
	}
	for _, n := range []int{0, 1, 9_001} {
		cs = append(cs, scanMappedCase(n))
	}
	for _, s := range [][2]int{{0, 3}, {1, 1}, {1_001, 3}, {513, 70}, {33, 1_001}, {3, 5_000}} {
		cs = append(cs, columnsCase(s[0], s[1]))
	}
	for _, who := range []string{"thread", "subgroup", "workgroup"} {
		cs = append(cs, segmentsCase("regular", who, 5_000, 31), segmentsCase("irregular", who, 9_001, 100),
			segmentsCase("regular", who, 0, 5))
	}
	return append(cs, bigCase(5, 1024, 4), bigCase(3, 257, 1), bigCase(3, 100, 4), bigCase(1, 1, 1), pairsCase(1, 1), pairsCase(1_003, 4))
}

// joinVariants are pieces of other lengths.
func joinVariants(of sizes) []Case {
	n := map[sizes]int{testSizes: 9_001, guaranteedSizes: 30_000_000, fullSizes: 25_000_000}[of]
	var cs []Case
	for _, r := range []*reduction{reduceMatrix, reduceTwelve} {
		for _, piece := range []int{8, 32} {
			cs = append(cs, reduceOpCase(r, n, piece))
		}
	}
	return cs
}
