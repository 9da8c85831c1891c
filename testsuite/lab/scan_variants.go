package main

// scanVariants are scans of other tiles, numbered otherwise, and with other words of state.
func scanVariants(of sizes) []Case {
	n := map[sizes]int{testSizes: 9_001, guaranteedSizes: 30_000_000, fullSizes: 100_000_000}[of]
	var cs []Case
	for _, t := range []struct{ threads, rows int }{
		{128, 4}, {128, 6}, {128, 8}, {256, 2}, {256, 4}, {256, 6}, {256, 8}, {512, 2}, {512, 4}, {512, 6},
	} {
		s := onceShape{scanShape: scanShape{threads: t.threads, rows: t.rows}}
		cs = append(cs, onceCase(opAdd, n, s))
		s.index = true
		cs = append(cs, onceCase(opAdd, n, s))
	}
	for _, t := range []struct{ threads, rows int }{{256, 4}, {256, 6}, {512, 4}} {
		s := onceShape{scanShape: scanShape{threads: t.threads, rows: t.rows}, index: true, wide: true}
		cs = append(cs, onceCase(opAdd, n, s))
		s.stream = true
		cs = append(cs, onceCase(opAdd, n, s))
		s.wide, s.patience = false, 64
		cs = append(cs, onceCase(opAdd, n, s))
	}
	for _, t := range []struct{ threads, rows int }{{128, 4}, {256, 4}, {256, 8}, {512, 4}} {
		s := scanShape{threads: t.threads, rows: t.rows}
		cs = append(cs, twiceCase(opAdd, n, s))
		s.stream = true
		cs = append(cs, twiceCase(opAdd, n, s))
	}
	for _, t := range []scanShape{{threads: 256, rows: 4}, {threads: 256, rows: 6}, {threads: 256, rows: 8}, {threads: 512, rows: 4}} {
		for _, op := range []*Operator{opMSSP, opAddI64, opSeveral} {
			cs = append(cs, onceCase(op, n/4, onceShape{scanShape: t, wide: true}), onceCase(op, n/4, onceShape{scanShape: t}))
		}
	}
	return append(cs, keepVariants(n)...)
}

// keepVariants are compactions and partitions by other tiles.
func keepVariants(n int) []Case {
	var cs []Case
	for _, t := range []scanShape{
		{threads: 128, rows: 8},
		{threads: 256, rows: 4},
		{threads: 256, rows: 6},
		{threads: 256, rows: 8},
		{threads: 384, rows: 5},
		{threads: 512, rows: 4},
		{threads: 512, rows: 6},
		{threads: 512, rows: 8},
		{threads: 1024, rows: 4},
	} {
		t.scatter = true
		cs = append(cs, onceCase(opPositive, n, onceShape{scanShape: t}), onceCase(opPositive, n, onceShape{scanShape: t, wide: true}),
			twiceCase(opPositive, n, t))
	}
	return cs
}
