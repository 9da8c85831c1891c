package main

// rowCases are work on rows of several lengths, by subgroups and by workgroups, with and without sequentialising.
func rowCases(of sizes) []Case {
	kinds := []string{"map", "reverse", "reduce", "scan"}
	var cs []Case
	if of == testSizes {
		for _, length := range []int{1, 100, 257, 1_024, 4_000} {
			cs = append(cs, rowsCase(9, length, aReduction), rowsCase(9, length, aScan))
			for _, kind := range kinds {
				cs = append(cs, groupRowCase(kind, 3, length, 1), groupRowCase(kind, 3, length, 4))
			}
		}
		for _, bits := range []int{1, 2, 4} {
			cs = append(cs, radixCase(2, 257, 4, bits), radixCase(1, 1, 1, bits))
		}
		return append(cs, radixCase(3, 1_024, 8, 2), rowsCase(0, 100, aScan),
			groupRowCase("reduce", 65_600, 1, 4)) // Over 65,535 workgroups.
	}
	words := 1 << 27
	if of == guaranteedSizes {
		words = 1 << 24
	}
	for _, length := range []int{100, 257, 4_000} {
		cs = append(cs, rowsCase(words/length, length, aReduction), rowsCase(words/length, length, aScan))
	}
	for _, kind := range kinds {
		for _, each := range []int{1, 4, 8} {
			cs = append(cs, groupRowCase(kind, words/1_024, 1_024, each))
		}
	}
	for _, length := range []int{128, 257, 4_000} {
		for _, each := range []int{1, 4} {
			cs = append(cs, groupRowCase("scan", words/length, length, each))
		}
	}
	for _, each := range []int{1, 4, 8} {
		for _, bits := range []int{1, 2, 4} {
			cs = append(cs, radixCase(words/1_024, 1_024, each, bits))
		}
	}
	return cs
}
