package prim

// intCompareLoop gives the comparisons of canonical words of integers, whose left operand is not single unless dst is.
func intCompareLoop[T int64 | uint64](op CmpOp) binaryLanes {
	switch op {
	case Eq:
		return equalInts[T]
	case Ne:
		return differentInts[T]
	case Lt:
		return lessInts[T]
	case Le:
		return lessEqualInts[T]
	case Gt:
		return greaterInts[T]
	default:
		return greaterEqualInts[T]
	}
}

// floatCompareLoop does the same for f32 and f64.
func floatCompareLoop[T float32 | float64](op CmpOp) binaryLanes {
	switch op {
	case Eq:
		return equalFloats[T]
	case Ne:
		return differentFloats[T]
	case Lt:
		return lessFloats[T]
	case Le:
		return lessEqualFloats[T]
	case Gt:
		return greaterFloats[T]
	default:
		return greaterEqualFloats[T]
	}
}

func equalInts[T int64 | uint64](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := T(y[0])
		for i := range dst {
			dst[i] = boolWord(T(x[i]) == c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(T(x[i]) == T(y[i]))
	}
}

func equalFloats[T float32 | float64](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := loadFloat[T](y[0])
		for i := range dst {
			dst[i] = boolWord(loadFloat[T](x[i]) == c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(loadFloat[T](x[i]) == loadFloat[T](y[i]))
	}
}

func differentInts[T int64 | uint64](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := T(y[0])
		for i := range dst {
			dst[i] = boolWord(T(x[i]) != c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(T(x[i]) != T(y[i]))
	}
}

func differentFloats[T float32 | float64](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := loadFloat[T](y[0])
		for i := range dst {
			dst[i] = boolWord(loadFloat[T](x[i]) != c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(loadFloat[T](x[i]) != loadFloat[T](y[i]))
	}
}

func lessInts[T int64 | uint64](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := T(y[0])
		for i := range dst {
			dst[i] = boolWord(T(x[i]) < c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(T(x[i]) < T(y[i]))
	}
}

func lessFloats[T float32 | float64](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := loadFloat[T](y[0])
		for i := range dst {
			dst[i] = boolWord(loadFloat[T](x[i]) < c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(loadFloat[T](x[i]) < loadFloat[T](y[i]))
	}
}

func lessEqualInts[T int64 | uint64](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := T(y[0])
		for i := range dst {
			dst[i] = boolWord(T(x[i]) <= c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(T(x[i]) <= T(y[i]))
	}
}

func lessEqualFloats[T float32 | float64](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := loadFloat[T](y[0])
		for i := range dst {
			dst[i] = boolWord(loadFloat[T](x[i]) <= c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(loadFloat[T](x[i]) <= loadFloat[T](y[i]))
	}
}

func greaterInts[T int64 | uint64](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := T(y[0])
		for i := range dst {
			dst[i] = boolWord(T(x[i]) > c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(T(x[i]) > T(y[i]))
	}
}

func greaterFloats[T float32 | float64](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := loadFloat[T](y[0])
		for i := range dst {
			dst[i] = boolWord(loadFloat[T](x[i]) > c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(loadFloat[T](x[i]) > loadFloat[T](y[i]))
	}
}

func greaterEqualInts[T int64 | uint64](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := T(y[0])
		for i := range dst {
			dst[i] = boolWord(T(x[i]) >= c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(T(x[i]) >= T(y[i]))
	}
}

func greaterEqualFloats[T float32 | float64](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := loadFloat[T](y[0])
		for i := range dst {
			dst[i] = boolWord(loadFloat[T](x[i]) >= c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(loadFloat[T](x[i]) >= loadFloat[T](y[i]))
	}
}
