package main

import "slices"

// shapeCases are the histograms by sorting, those of several destinations, of vectors, of matrices and of segments.
func shapeCases(of sizes) []Case {
	if of == testSizes {
		return slices.Concat(smallParts(), smallRuns(), smallShapes())
	}
	n := 20_000_000
	if of == guaranteedSizes {
		n = 10_000_000
	}
	var cs []Case
	for _, kind := range everyDistribution {
		cs = append(cs,
			sortedCase(foldArgmaxRead, kind, n, 4096), sortedCase(foldArgmaxRead, kind, n, 1<<16),
			sortedCase(foldMinPlus, kind, n/4, 4096), runsCase(foldArgmaxRead, kind, n/2, 1<<22, fromNeutral),
			severalCase("three", kind, n/2, threeDestinations...), matrixCase(oneDestination, kind, n/2),
			vectorCase(atomicSum, kind, n/4, 4096, 4), vectorCase(atomicSum, kind, n/10, 256, 16),
			vectorCase(atomicSum, kind, n/4, 1<<16, 4),
			segmentedCase(atomicCount, kind, "regular", n, 1000, 64, 64),
			segmentedCase(atomicCount, kind, "regular", n, n/4, 4096, 0), segmentedCase(atomicSum, kind, "regular", n/2, n/20, 1<<16, -1))
	}
	return cs
}

// threeDestinations are those of a kernel for several; oneDestination is one that no workgroup holds.
var (
	threeDestinations = []*destination{
		{atomicCount, []int{300}}, {atomicSum, []int{300, 5}}, {atomicLargest, []int{300, 5, 2}},
	}
	oneDestination = &destination{atomicSum, []int{100, 100, 100}}
)

// smallParts are the tests of partition and sorting.
func smallParts() []Case {
	var cs []Case
	for _, bins := range []int{1, 300, 5000, 1 << 17, 1 << 20} {
		for _, kind := range []string{"far", "one", "outside"} {
			cs = append(cs, partCountCase(kind, 10_001, bins, 1000, 0, bins == 300))
		}
	}
	for _, o := range []*folding{foldSaturate, foldF32, foldArgmax, foldArgmaxRead, foldSeveral, foldMinPlus} {
		small := func(kind string, n, bins, memory int, begun bool) Case {
			return sortedRun{o: o, kind: kind, n: n, bins: bins, begun: begun, chunk: 1000, memory: memory}.plain()
		}
		cs = append(cs, small("outside", 5_001, 300, 0, alreadyBegun), small("far", 5_001, 300, 0, fromNeutral),
			small("zipf", 5_001, 20_000, 12<<10, alreadyBegun), small("one", 5_001, 5_000, 10<<10, o.words == 1),
			small("hot", 1, 5_000, 10<<10, fromNeutral))
	}
	return append(cs, partSlicedCase("outside", 5_001, 5_000, 4),
		partCountCase("one", 0, 3000, 1000, 0, fromNeutral), partCountCase("one", 1, 3000, 1000, 0, alreadyBegun),
		sortedCase(foldSeveral, "two", 0, 7), sortedCase(foldSeveral, "outside", 4_001, 1),
		sortedCase(foldArgmaxRead, "uniform", 70_001, 1<<16))
}

// smallRuns are the tests of histograms by sorting all elements.
func smallRuns() []Case {
	return []Case{
		runsCase(foldF32, "one", 0, 7, fromNeutral), runsCase(foldF32, "one", 1, 1, alreadyBegun),
		runsCase(foldSaturate, "outside", 5_001, 300, alreadyBegun),
		runsCase(foldArgmax, "far", 2_001, 9, fromNeutral), runsCase(foldArgmaxRead, "one", 5_001, 70_000, fromNeutral),
		runsCase(foldArgmaxRead, "outside", 5_001, 5_000, alreadyBegun), runsCase(foldMinPlus, "zipf", 3_001, 300, alreadyBegun),
	}
}

// smallShapes are the tests of the others.
func smallShapes() []Case {
	var cs []Case
	for _, kind := range []string{"uniform", "one"} {
		cs = append(cs,
			vectorCase(atomicSum, kind, 3_001, 17, 4), vectorCase(atomicLargest, kind, 1_001, 300, 16))
		for _, team := range []int{32, 256, 0, -1} {
			cs = append(cs, segmentedCase(atomicCount, kind, "irregular", 9_000, 50, 33, team),
				segmentedCase(atomicLargest, kind, "regular", 9_000, 3_000, 300, team))
		}
	}
	return append(cs, severalCase("three", "uniform", 2_001, threeDestinations...),
		severalCase("sets", "outside", 2_001, &destination{atomicSum, []int{50, 60}}, &destination{atomicSum, []int{4000}}, threeDestinations[1]),
		matrixCase(&destination{atomicLargest, []int{50, 60}}, "outside", 2_001), matrixCase(oneDestination, "one", 3_001),
		matrixCase(&destination{atomicSum, []int{7, 5, 20, 90}}, "uniform", 1_001),
		vectorCase(atomicLargest, "outside", 1_001, 9000, 3), vectorCase(atomicSum, "uniform", 2_001, 30_000, 2),
		vectorCase(atomicSum, "far", 1_001, 5000, 16), countMetCase("zipf", 1_001, 9),
		severalCase("three", "uniform", 0, &destination{atomicCount, []int{7}}), vectorCase(atomicSum, "one", 1, 3, 4),
		segmentedCase(atomicSum, "far", "irregular", 1_001, 100, 5, 32),
		segmentedCase(atomicCount, "uniform", "regular", 70_001, 1, 2, -1)) // Over 65,535 workgroups.
}

// shapeVariants are every strategy with every distribution, and shapes that were tried.
func shapeVariants(of sizes) []Case {
	if of != fullSizes {
		return nil
	}
	const n = 20_000_000
	var cs []Case
	for _, kind := range everyDistribution {
		for _, bins := range []int{1 << 17, 1 << 20, 1 << 24} {
			cs = append(cs, partCountCase(kind, n, bins, 1<<15, 0, fromNeutral))
		}
		cs = append(cs, countDirectCase(kind, n, 1<<20), countMetCase(kind, n, 4096), sortedCase(foldArgmaxRead, kind, n, 256))
		for _, o := range []*folding{foldSaturate, foldF32, foldArgmaxRead} {
			cs = append(cs, sortedCase(o, kind, n, 4096), sortedCase(o, kind, n, 1<<16))
		}
		cs = append(cs, sortedCase(foldArgmaxRead, kind, n, 1<<18), sortedCase(foldArgmaxRead, kind, n, 1<<20),
			runsCase(foldArgmaxRead, kind, n, 1<<16, fromNeutral), runsCase(foldArgmaxRead, kind, n, 1<<18, fromNeutral),
			runsCase(foldArgmaxRead, kind, n, 1<<20, fromNeutral), sortedCase(foldArgmaxRead, kind, n/2, 1<<22), countDirectCase(kind, n, 1<<24))
	}
	for _, s := range []sortedShape{{threads: 256, keys: 8}, {threads: 512, keys: 4}, {threads: 512, keys: 16}, {threads: 1024, keys: 8}} {
		for _, bins := range []int{4096, 1 << 16} {
			cs = append(cs, sortedRun{o: foldArgmaxRead, kind: "uniform", n: n, bins: bins, chunk: 1 << 15, shape: s}.plain())
		}
	}
	for _, chunk := range []int{1 << 14, 1<<16 - 1} {
		cs = append(cs, partCountCase("uniform", n, 1<<24, chunk, 0, fromNeutral))
	}
	for _, most := range []int{1 << 13, 1 << 16} {
		cs = append(cs, partCountCase("uniform", n, 1<<24, 1<<15, most, fromNeutral))
	}
	for _, team := range []int{32, 64, 128, 256, -1} {
		cs = append(cs, segmentedCase(atomicCount, "uniform", "regular", n, 100, 16, team),
			segmentedCase(atomicCount, "uniform", "regular", n, 1000, 64, team),
			segmentedCase(atomicCount, "uniform", "irregular", n, 10_000, 256, team))
	}
	for _, team := range []int{256, 0, -1} {
		cs = append(cs, segmentedCase(atomicCount, "uniform", "regular", n, n/4, 4096, team),
			segmentedCase(atomicCount, "one", "regular", n, n/4, 4096, team))
	}
	return cs
}
