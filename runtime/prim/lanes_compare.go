package prim

// compareLoop returns the comparisons of canonical words, whose left operand is not single unless dst is.
func compareLoop[T number](op CmpOp) binaryLanes {
	switch op {
	case Eq:
		return equalLanes[T]
	case Ne:
		return differentLanes[T]
	case Lt:
		return lessLanes[T]
	case Le:
		return lessEqualLanes[T]
	case Gt:
		return greaterLanes[T]
	default:
		return greaterEqualLanes[T]
	}
}

func equalLanes[T number](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := load[T](y[0])
		for i := range dst {
			dst[i] = boolWord(load[T](x[i]) == c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(load[T](x[i]) == load[T](y[i]))
	}
}

func differentLanes[T number](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := load[T](y[0])
		for i := range dst {
			dst[i] = boolWord(load[T](x[i]) != c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(load[T](x[i]) != load[T](y[i]))
	}
}

func lessLanes[T number](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := load[T](y[0])
		for i := range dst {
			dst[i] = boolWord(load[T](x[i]) < c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(load[T](x[i]) < load[T](y[i]))
	}
}

func lessEqualLanes[T number](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := load[T](y[0])
		for i := range dst {
			dst[i] = boolWord(load[T](x[i]) <= c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(load[T](x[i]) <= load[T](y[i]))
	}
}

func greaterLanes[T number](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := load[T](y[0])
		for i := range dst {
			dst[i] = boolWord(load[T](x[i]) > c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(load[T](x[i]) > load[T](y[i]))
	}
}

func greaterEqualLanes[T number](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) < len(dst) {
		c := load[T](y[0])
		for i := range dst {
			dst[i] = boolWord(load[T](x[i]) >= c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = boolWord(load[T](x[i]) >= load[T](y[i]))
	}
}
