package main

// segmentCases are sums of segments spread over workgroups, and scans of segments.
func segmentCases(of sizes) []Case {
	var cs []Case
	if of == testSizes {
		for _, kind := range []string{"regular", "irregular", "one"} {
			cs = append(cs, spreadCase(kind, 20_000, 1), spreadCase(kind, 20_000, 100), spreadCase(kind, 20_001, 7_001),
				spreadCase(kind, 0, 5))
			for _, who := range []string{"thread", "subgroup", "workgroup", "flags"} {
				cs = append(cs, segmentScanCase(kind, who, 5_000, 31), segmentScanCase(kind, who, 5_000, 1_100))
			}
		}
		return append(cs, spreadCase("one", 9_000, 3), segmentScanCase("regular", "thread", 0, 5),
			segmentScanCase("regular", "flags", 0, 5), segmentScanCase("regular", "subgroup", 1, 1))
	}
	n := 100_000_000
	if of == guaranteedSizes {
		n = 30_000_000
	}
	for _, length := range []int{8, 100, 1_024, 200_000} {
		cs = append(cs, spreadCase("regular", n, length), spreadCase("irregular", n, length))
	}
	cs = append(cs, spreadCase("one", n, 8), spreadCase("one", n, 1_000_000), spreadCase("regular", n, n))
	for _, length := range []int{8, 100, 1_024, 200_000} {
		for _, kind := range []string{"regular", "irregular"} {
			if length <= 100 {
				cs = append(cs, segmentScanCase(kind, "thread", n/4, length))
			}
			if length >= 100 && length <= 1_024 {
				cs = append(cs, segmentScanCase(kind, "subgroup", n/4, length))
			}
			if length >= 1_024 {
				cs = append(cs, segmentScanCase(kind, "workgroup", n/4, length))
			}
			cs = append(cs, segmentScanCase(kind, "flags", n/4, length))
		}
	}
	return append(cs, segmentScanCase("one", "flags", n/4, 8))
}
