package main

// arrayCases are reductions and scans with operators on arrays.
func arrayCases(of sizes) []Case {
	if of == testSizes {
		var cs []Case
		for _, op := range []*arrayOperator{vectorSum, composition, polynomials} {
			for _, k := range []int{8, 10, 64} {
				cs = append(cs, arrayCase(op, 1_003, k, aReduction, byMemory), arrayCase(op, 1_003, k, aScan, byMemory))
			}
			cs = append(cs, arrayCase(op, 0, 8, aReduction, byMemory), arrayCase(op, 1, 64, aScan, byMemory))
		}
		return append(cs, arrayCase(composition, 1_003, 8, aReduction, byShuffles), arrayCase(polynomials, 1_003, 4, aScan, byShuffles))
	}
	words := 100_000_000
	if of == guaranteedSizes {
		words = 30_000_000
	}
	var cs []Case
	for _, op := range []*arrayOperator{vectorSum, composition, polynomials} {
		for _, k := range []int{8, 64} {
			if op == polynomials && k == 64 {
				continue // Arithmetic bounds it.
			}
			cs = append(cs, arrayCase(op, words/k, k, aReduction, byMemory), arrayCase(op, words/4/k, k, aScan, byMemory))
		}
		if op != vectorSum {
			cs = append(cs, arrayCase(op, words/8, 8, aReduction, byShuffles), arrayCase(op, words/4/8, 8, aScan, byShuffles))
		}
	}
	return cs
}
