package main

// arrayCases are reductions and scans with operators on arrays.
func arrayCases(of sizes) []Case {
	if of == testSizes {
		var cs []Case
		for _, op := range []*arrayOperator{vectorSum, composition, polynomials} {
			for _, k := range []int{8, 10, 64} {
				cs = append(cs, arrayCase(op, 1_003, k, false, false), arrayCase(op, 1_003, k, true, false))
			}
			cs = append(cs, arrayCase(op, 0, 8, false, false), arrayCase(op, 1, 64, true, false))
		}
		return append(cs, arrayCase(composition, 1_003, 8, false, true), arrayCase(polynomials, 1_003, 4, true, true))
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
			cs = append(cs, arrayCase(op, words/k, k, false, false), arrayCase(op, words/4/k, k, true, false))
		}
		if op != vectorSum {
			cs = append(cs, arrayCase(op, words/8, 8, false, true), arrayCase(op, words/4/8, 8, true, true))
		}
	}
	return cs
}
