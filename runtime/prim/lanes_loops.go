package prim

import "math"

func loadSingle(w uint64) float32 { return math.Float32frombits(uint32(w)) }

func storeSingle(f float32) uint64 { return uint64(math.Float32bits(f)) }

func loadDouble(w uint64) float64 { return math.Float64frombits(w) }

func storeDouble(f float64) uint64 { return math.Float64bits(f) }

// singleLoops and doubleLoops are the operators of f32 and f64 that are instructions of the machine. They keep the order
// of their operands: of two NaNs, the machine gives the first.
var singleLoops = [NumBinOps]binaryLanes{
	Add: func(dst, x, y []uint64) {
		if len(x) != len(y) {
			sx, sy := step(x), step(y)
			for i := range dst {
				dst[i] = storeSingle(loadSingle(x[i*sx]) + loadSingle(y[i*sy]))
			}
			return
		}
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = storeSingle(loadSingle(x[i]) + loadSingle(y[i]))
		}
	},
	Sub: func(dst, x, y []uint64) {
		if len(x) != len(y) {
			sx, sy := step(x), step(y)
			for i := range dst {
				dst[i] = storeSingle(loadSingle(x[i*sx]) - loadSingle(y[i*sy]))
			}
			return
		}
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = storeSingle(loadSingle(x[i]) - loadSingle(y[i]))
		}
	},
	Mul: func(dst, x, y []uint64) {
		if len(x) != len(y) {
			sx, sy := step(x), step(y)
			for i := range dst {
				dst[i] = storeSingle(loadSingle(x[i*sx]) * loadSingle(y[i*sy]))
			}
			return
		}
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = storeSingle(loadSingle(x[i]) * loadSingle(y[i]))
		}
	},
	Div: func(dst, x, y []uint64) {
		if len(x) != len(y) {
			sx, sy := step(x), step(y)
			for i := range dst {
				dst[i] = storeSingle(loadSingle(x[i*sx]) / loadSingle(y[i*sy]))
			}
			return
		}
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = storeSingle(loadSingle(x[i]) / loadSingle(y[i]))
		}
	},
}

var doubleLoops = [NumBinOps]binaryLanes{
	Add: func(dst, x, y []uint64) {
		if len(x) != len(y) {
			sx, sy := step(x), step(y)
			for i := range dst {
				dst[i] = storeDouble(loadDouble(x[i*sx]) + loadDouble(y[i*sy]))
			}
			return
		}
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = storeDouble(loadDouble(x[i]) + loadDouble(y[i]))
		}
	},
	Sub: func(dst, x, y []uint64) {
		if len(x) != len(y) {
			sx, sy := step(x), step(y)
			for i := range dst {
				dst[i] = storeDouble(loadDouble(x[i*sx]) - loadDouble(y[i*sy]))
			}
			return
		}
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = storeDouble(loadDouble(x[i]) - loadDouble(y[i]))
		}
	},
	Mul: func(dst, x, y []uint64) {
		if len(x) != len(y) {
			sx, sy := step(x), step(y)
			for i := range dst {
				dst[i] = storeDouble(loadDouble(x[i*sx]) * loadDouble(y[i*sy]))
			}
			return
		}
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = storeDouble(loadDouble(x[i]) * loadDouble(y[i]))
		}
	},
	Div: func(dst, x, y []uint64) {
		if len(x) != len(y) {
			sx, sy := step(x), step(y)
			for i := range dst {
				dst[i] = storeDouble(loadDouble(x[i*sx]) / loadDouble(y[i*sy]))
			}
			return
		}
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = storeDouble(loadDouble(x[i]) / loadDouble(y[i]))
		}
	},
}

func singleLess(dst, x, y []uint64) {
	sx, sy := step(x), step(y)
	for i := range dst {
		dst[i] = boolWord(loadSingle(x[i*sx]) < loadSingle(y[i*sy]))
	}
}

func doubleLess(dst, x, y []uint64) {
	sx, sy := step(x), step(y)
	for i := range dst {
		dst[i] = boolWord(loadDouble(x[i*sx]) < loadDouble(y[i*sy]))
	}
}

// compareLoop gives the comparisons of canonical words of integers; greater ones are lesser ones with their operands
// exchanged.
func compareLoop[T int64 | uint64](op CmpOp) binaryLanes {
	switch op {
	case Eq:
		return func(dst, x, y []uint64) {
			sx, sy := step(x), step(y)
			for i := range dst {
				dst[i] = boolWord(x[i*sx] == y[i*sy])
			}
		}
	case Ne:
		return func(dst, x, y []uint64) {
			sx, sy := step(x), step(y)
			for i := range dst {
				dst[i] = boolWord(x[i*sx] != y[i*sy])
			}
		}
	case Lt:
		return lessLanes[T]
	default:
		return lessEqualLanes[T]
	}
}

func lessLanes[T int64 | uint64](dst, x, y []uint64) {
	sx, sy := step(x), step(y)
	for i := range dst {
		dst[i] = boolWord(T(x[i*sx]) < T(y[i*sy]))
	}
}

func lessEqualLanes[T int64 | uint64](dst, x, y []uint64) {
	sx, sy := step(x), step(y)
	for i := range dst {
		dst[i] = boolWord(T(x[i*sx]) <= T(y[i*sy]))
	}
}

// convertLoop gives the loops of the commonest conversions, or nil.
func convertLoop(from, to Type) unaryLanes {
	switch {
	case !from.IsInt():
		return nil
	case to == I32:
		return truncateLanes[int32]
	case to == U32:
		return truncateLanes[uint32]
	case to == I64 || to == U64:
		return truncateLanes[uint64]
	case to == U8:
		return truncateLanes[uint8]
	case to == F32 && from.IsSigned():
		return func(dst, x []uint64) {
			sx := step(x)
			for i := range dst {
				dst[i] = storeSingle(float32(int64(x[i*sx])))
			}
		}
	case to == F64 && from.IsSigned():
		return func(dst, x []uint64) {
			sx := step(x)
			for i := range dst {
				dst[i] = storeDouble(float64(int64(x[i*sx])))
			}
		}
	default:
		return nil
	}
}

func truncateLanes[T integer](dst, x []uint64) {
	sx := step(x)
	for i := range dst {
		dst[i] = uint64(T(x[i*sx]))
	}
}
