package main

// sizes says how large the cases shall be.
type sizes uint8

// The sizes.
const (
	testSizes       sizes = iota // Odd, empty and just too large, for software devices.
	guaranteedSizes              // No buffer over the 128 MiB that WebGPU guarantees for a binding.
	fullSizes                    // Those of the benchmarks: the rows of the table.
)

// families give the cases of each file or group of files.
var families = []func(sizes) []Case{
	basicCases, scanCases, sortCases, histogramCases, moveCases, joinCases, shapeCases, widthCases, arrayCases, segmentCases, rowCases,
}

// variants give the shapes that were tried beside those of the table: what README.md says of choices comes from them.
var variants = []func(sizes) []Case{scanVariants, sortVariants, moveVariants, joinVariants, histogramVariants, shapeVariants}

// cases are those of some families.
func cases(of sizes, families []func(sizes) []Case) []Case {
	var cs []Case
	for _, f := range families {
		cs = append(cs, f(of)...)
	}
	return cs
}

// basicCases are the copy, whose rate determines the floors, reductions, rows and matrix product.
func basicCases(of sizes) []Case {
	switch of {
	case testSizes:
		var cs []Case
		for _, n := range []int{0, 1, 3, 4097, 70_001} {
			cs = append(cs, copyCase(n), reduceCase(n), msspCase(n))
		}
		return append(cs, rowsCase(1, 1024, aReduction), rowsCase(13, 1024, aReduction), rowsCase(13, 1024, aScan),
			matmulCase(128), matmulAnyCase("f32", 1, 130, 21, 67), matmulAnyCase("u32", 3, 9, 40, 11), matmulAnyCase("f32", 1, 1, 1, 1),
			matmulAnyCase("u32", 2, 5, 0, 3))
	case guaranteedSizes:
		const n = 30_000_000
		return []Case{
			copyCase(n), reduceCase(n), msspCase(n), rowsCase(32768, 1024, aReduction),
			rowsCase(32768, 1024, aScan), matmulCase(4096), matmulAnyCase("f32", 1, 4095, 4097, 4001),
		}
	default:
		const n = 100_000_000
		return []Case{
			copyCase(n), reduceCase(n), msspCase(n),
			rowsCase(131072, 1024, aReduction), rowsCase(131072, 1024, aScan), matmulCase(4096),
			matmulAnyCase("f32", 1, 4095, 4097, 4001), matmulAnyCase("u32", 1, 4096, 4096, 4096), matmulAnyCase("f32", 64, 512, 512, 512),
		}
	}
}
