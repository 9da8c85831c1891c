package main

// shapeCases are the histograms by partition and by sorting, those of several destinations, of vectors and of segments.
func shapeCases(of sizes) []Case {
	if of == testSizes {
		return smallShapes()
	}
	return nil
}

// smallShapes are those of the tests.
func smallShapes() []Case {
	var cs []Case
	for _, bins := range []int{1, 300, 5000, 1 << 17, 1 << 20} {
		for _, kind := range []string{"uniform", "one", "outside"} {
			cs = append(cs, partCountCase(kind, 10_001, bins, 1000, 0, bins == 300))
		}
	}
	return append(cs, partCountCase("one", 0, 3000, 1000, 0, false), partCountCase("one", 1, 3000, 1000, 0, true))
}
