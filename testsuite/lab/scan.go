package main

import "skald/runtime/device"

// The ordinary shapes of scans, as the table has them; rows depend on the operator.
var (
	plainTwice    = scanShape{threads: 256}
	plainOnce     = onceShape{scanShape: scanShape{threads: 256}}
	plainFallback = onceShape{scanShape: scanShape{threads: 256}, index: true, patience: 64}
	compact       = onceShape{scanShape: scanShape{threads: 512, scatter: true}}
	partition     = scanShape{threads: 256, scatter: true}
)

// fill chooses the rows of a shape that leaves them open: as many as registers hold, as look-back is the longer the
// smaller tiles are. In two passes tiles matter little.
// Software devices compile long kernels for minutes.
func (s *scanShape) fill(f *device.Facts, once bool) {
	s.threads = min(s.threads, f.MaxThreads)
	switch {
	case s.rows > 0:
	case f.Kind == device.CPU:
		s.rows = 1
	case once && (s.op.width() == 1 || s.remade()):
		s.rows = 8
	default:
		s.rows = 4
	}
}

// scanCases are the scans.
func scanCases(of sizes) []Case {
	var cs []Case
	if of == testSizes {
		for _, n := range []int{0, 1, 3, 4097, 70_001} {
			cs = append(cs, twiceCase(opAdd, n, plainTwice), onceCase(opAdd, n, plainOnce), onceCase(opAdd, n, plainFallback))
		}
		reverse := plainFallback
		reverse.reverse, reverse.patience = true, 2
		for _, op := range []*Operator{opMax, opAddI64, opAddF32, opLinear, opMSSP, opSeveral} {
			cs = append(cs, twiceCase(op, 9_001, plainTwice), onceCase(op, 9_001, plainOnce), onceCase(op, 9_001, reverse))
		}
		for _, n := range []int{0, 1, 4097, 70_001} {
			cs = append(cs, onceCase(opPositive, n, compact), twiceCase(opPositive, n, partition), virtualCase(n, 3))
		}
		return append(cs, onceCase(opAdd, 30_001, reverse),
			twiceCase(opAdd, 8_400_001, scanShape{threads: 32, rows: 1})) // Over 65,535 workgroups.
	}
	n := 100_000_000
	if of == guaranteedSizes {
		n = 30_000_000
	}
	once, twice := onceCase(opAdd, n, plainOnce), twiceCase(opAdd, n, plainTwice)
	once.Target, twice.Target = [2]float64{310, 270}, [2]float64{340, 330}
	cs = append(cs, once, twice, onceCase(opAdd, n, plainFallback))
	for _, op := range []*Operator{opAddI64, opLinear, opMSSP, opSeveral} {
		cs = append(cs, twiceCase(op, n/4, plainTwice), onceCase(op, n/4, plainOnce))
	}
	cs = append(cs, onceCase(opPositive, n, compact), twiceCase(opPositive, n, partition))
	return append(cs, virtualCase(n, 0), virtualCase(n, 1056), virtualCase(n, 4224))
}
