package main

// fullCases are the rows of the table: the sizes of the benchmarks.
func fullCases() []Case {
	const n, keys = 100_000_000, 20_000_000
	cs := []Case{
		copyCase(n), reduceCase(n), msspCase(n), scanTwiceCase(n), scanOnceCase(n),
		rowsCase(131072, 1024, false), rowsCase(131072, 1024, true), transposeCase(10_000, 10_000),
	}
	for _, bins := range []int{16, 256, 4096, 65536} {
		for _, kind := range []string{"uniform", "one", "two", "hot", "sorted"} {
			cs = append(cs, countCase(kind, keys, bins))
		}
	}
	cs = append(cs, countCase("uniform", keys, 1<<24))
	for _, bins := range []int{16, 256, 4096} {
		for _, kind := range []string{"uniform", "one", "two", "hot", "sorted"} {
			cs = append(cs, saturateCase(kind, keys, bins))
		}
	}
	return append(cs, matmulCase(4096))
}

// smallCases are odd, empty and just too large sizes, for software devices.
func smallCases() []Case {
	var cs []Case
	for _, n := range []int{0, 1, 3, 4097, 70_001} {
		cs = append(cs, copyCase(n), reduceCase(n), msspCase(n), scanTwiceCase(n), scanOnceCase(n))
	}
	cs = append(cs, rowsCase(1, 1024, false), rowsCase(13, 1024, false), rowsCase(13, 1024, true),
		transposeCase(1, 1), transposeCase(33, 70), transposeCase(3, 2_100_001), matmulCase(128))
	for _, bins := range []int{1, 16, 4096, 65536, 1 << 19} {
		for _, kind := range []string{"uniform", "one", "outside"} {
			cs = append(cs, countCase(kind, 40_001, bins))
		}
	}
	return append(cs, countCase("one", 0, 16), countCase("one", 1, 65536), saturateCase("uniform", 10_001, 300),
		saturateCase("one", 10_001, 16))
}
