package main

import (
	"fmt"

	"skald/runtime/device"
)

// everyDistribution are those in which no histogram may need twice what uniform keys need.
var everyDistribution = []string{"uniform", "one", "two", "hot", "zipf", "sorted"}

// normalBins is how many bins the benchmarks have where keys are distributed normally.
const normalBins = 2048

// histogramCases are the histograms of the table. Keys have two words, so that guaranteed sizes are smaller.
func histogramCases(of sizes) []Case {
	if of == testSizes {
		return smallHistograms()
	}
	n := 20_000_000
	if of == guaranteedSizes {
		n = 15_000_000
	}
	var cs []Case
	for _, bins := range []int{16, 256, normalBins, 4096, 65536} {
		kinds := everyDistribution
		if bins == normalBins {
			kinds = []string{"uniform", "normal64", "normal128", "normal256", "normal512"}
		}
		for _, kind := range kinds {
			cs = append(cs, countCase(kind, n, bins), opCase(&saturate, kind, n, bins), opCase(&argmax, kind, n, bins))
			if bins == 4096 {
				cs = append(cs, opCase(&sumF32, kind, n, bins), opCase(&sumI64, kind, n, bins))
			}
		}
	}
	for _, kind := range everyDistribution {
		cs = append(cs, countCase(kind, n, 1<<24))
	}
	return cs
}

// smallHistograms are those of the tests.
func smallHistograms() []Case {
	var cs []Case
	for _, bins := range []int{1, 16, 4096, 65536, 1 << 19} {
		for _, kind := range []string{"far", "one", "outside"} {
			cs = append(cs, countCase(kind, 40_001, bins))
		}
	}
	cs = append(cs, countCase("one", 0, 16), countCase("one", 1, 65536), countDirectCase("far", 5_001, 1<<19))
	for _, o := range []*binOp{&saturate, &sumF32, &sumI64, &argmax} {
		for _, bins := range []int{1, 7, 300, 4096, 20_000} {
			cs = append(cs, opCase(o, "outside", 10_001, bins))
		}
		cs = append(cs, opCase(o, "one", 0, 20_000), opCase(o, "one", 0, 300), opCase(o, "one", 1, 300), opCase(o, "zipf", 7_001, 300),
			opCase(o, "two", 5_000, 4096), opCase(o, "hot", 5_000, 4096), opCase(o, "far", 3_001, 300), opCase(o, "one", 10_001, 20_000))
	}
	return append(cs, begunCase(&saturate, "uniform", 3_001, 300), begunCase(&sumI64, "outside", 3_001, 9))
}

// histogramVariants are what was tried beside the histograms of the table.
func histogramVariants(of sizes) []Case {
	n := map[sizes]int{guaranteedSizes: 15_000_000, fullSizes: 20_000_000}[of]
	if n == 0 {
		return nil
	}
	var cs []Case
	try := func(o *binOp, bins int, label string, change func(*layout, *device.Facts)) {
		for _, kind := range everyDistribution {
			cs = append(cs, opVariant(o, kind, n, bins, label, change))
		}
	}
	if of == guaranteedSizes { // Without subgroups: how many threads read neighbouring keys, 0 for all of a workgroup.
		for _, side := range []int{0, 1, 4, 8, 16} {
			try(&saturate, 4096, fmt.Sprintf("side-%d", side), func(l *layout, _ *device.Facts) { l.side = side })
		}
		return cs
	}
	for _, t := range [][4]int{{256, 4, 2, 2}, {512, 2, 2, 2}, {1024, 2, 2, 2}, {1024, 2, 4, 2}} {
		label := fmt.Sprintf("threads-%d-each-%d-loads-%d-rounds-%d", t[0], t[1], t[2], t[3])
		try(&saturate, 4096, label, func(l *layout, _ *device.Facts) { l.threads, l.perUnit, l.loads, l.rounds = t[0], t[1], t[2], t[3] })
	}
	try(&saturate, 4096, "no-hot-bins", func(l *layout, _ *device.Facts) { l.hots = 0 })
	for _, t := range [][2]int{{4, 1}, {4, 2}, {2, 2}} {
		label := fmt.Sprintf("slices-loads-%d-rounds-%d", t[0], t[1])
		try(&saturate, 65536, label, func(l *layout, f *device.Facts) {
			l.part, l.loads, l.rounds = false, t[0], t[1]
			l.divide(&saturate, 65536, min(f.WorkgroupMemory, 227<<10)/4)
		})
	}
	for _, loads := range []int{1, 2, 4} {
		try(&saturate, 65536, fmt.Sprintf("parts-loads-%d", loads), func(l *layout, f *device.Facts) {
			l.partition(&saturate, f)
			l.loads = loads
		})
	}
	return cs
}
