package prim

// Note [Operators on many operands]
//
// Code that applies one operator to many operands in a row pays a call for each of them when it goes through a word
// function. So every operator also has a form over lanes: slices of canonical words, of which dst holds the results. An
// operand holds one word for each of them, or a single one that stands for all. dst may be one of the operands, but must
// not overlap them otherwise. The commonest operators have loops of their own, and all others call the word function; a
// test compares the two.

type (
	unaryLanes  = func(dst, x []uint64)
	binaryLanes = func(dst, x, y []uint64)
)

// UnLanes returns the operator at a type over lanes; it must be defined there.
func UnLanes(op UnOp, t Type) func(dst, x []uint64) { return eachLane(unWords[t][op]) }

// BinLanes returns the operator at a type over lanes; it must be defined there.
func BinLanes(op BinOp, t Type) func(dst, x, y []uint64) {
	f := binWords[t][op]
	switch loop := intBinLoop(op, t); {
	case loop != nil:
		return withSingle(loop, f, op.Commutative(t))
	case t == F32 && op <= Div:
		return floatLoop[float32](op)
	case t == F64 && op <= Div:
		return floatLoop[float64](op)
	}
	return eachPair(f)
}

// CmpLanes returns the comparison at a type over lanes.
func CmpLanes(op CmpOp, t Type) func(dst, x, y []uint64) {
	loop, swapped := typedCompareLoop(op, t), typedCompareLoop(op.Swap(), t)
	return func(dst, x, y []uint64) {
		if len(x) < len(dst) {
			swapped(dst, y, x)
			return
		}
		loop(dst, x, y)
	}
}

// typedCompareLoop returns a comparison at a type, whose left operand is not single unless dst is.
func typedCompareLoop(op CmpOp, t Type) binaryLanes {
	switch {
	case t.IsSigned():
		return compareLoop[int64](op)
	case t == F32:
		return compareLoop[float32](op)
	case t == F64:
		return compareLoop[float64](op)
	case t != F16:
		return compareLoop[uint64](op)
	}
	f := cmpWords[t][op]
	return eachPair(func(x, y uint64) uint64 { return boolWord(f(x, y)) })
}

// ConvertLanes returns the conversion between two types over lanes.
func ConvertLanes(from, to Type) func(dst, x []uint64) {
	if loop := convertLoop(from, to); loop != nil {
		return loop
	}
	return eachLane(ConvertWord(from, to))
}

// SelectLanes makes dst hold then where cond holds, and other elsewhere.
func SelectLanes(dst, cond, then, other []uint64) {
	c, t, o := step(cond), step(then), step(other)
	for i := range dst {
		x, y := then[i*t], other[i*o]
		if cond[i*c] != 0 {
			y = x
		}
		dst[i] = y
	}
}

// step is how far apart the operands of two lanes are.
func step(x []uint64) int { return min(len(x)-1, 1) }

func eachLane(f unary) unaryLanes {
	return func(dst, x []uint64) {
		sx := step(x)
		for i := range dst {
			dst[i] = f(x[i*sx])
		}
	}
}

func eachPair(f binary) binaryLanes {
	return func(dst, x, y []uint64) {
		sx, sy := step(x), step(y)
		for i := range dst {
			dst[i] = f(x[i*sx], y[i*sy])
		}
	}
}

// withSingle completes a loop for operands of which the left one is not single, unless dst is.
func withSingle(loop binaryLanes, f binary, commutative bool) binaryLanes {
	each := eachPair(f)
	return func(dst, x, y []uint64) {
		switch {
		case len(x) == len(dst):
			loop(dst, x, y)
		case commutative:
			loop(dst, y, x)
		default:
			each(dst, x, y)
		}
	}
}

func intBinLoop(op BinOp, t Type) binaryLanes {
	switch t {
	case I8:
		return intLoop[int8](op)
	case I16:
		return intLoop[int16](op)
	case I32:
		return intLoop[int32](op)
	case I64:
		return intLoop[int64](op)
	case U8:
		return intLoop[uint8](op)
	case U16:
		return intLoop[uint16](op)
	case U32:
		return intLoop[uint32](op)
	case U64:
		return intLoop[uint64](op)
	case Bool:
		return bitLoop(op)
	default:
		return nil
	}
}

// intLoop returns the loops of integer operators.
func intLoop[T integer](op BinOp) binaryLanes {
	switch op {
	case Add:
		return addLanes[T]
	case Sub:
		return subLanes[T]
	case Mul:
		return mulLanes[T]
	case Div:
		return divLanes[T]
	case Mod:
		return modLanes[T]
	case Quot:
		return quotLanes[T]
	case Rem:
		return remLanes[T]
	case Min:
		return minLanes[T]
	case Max:
		return maxLanes[T]
	default:
		return bitLoop(op)
	}
}

func addLanes[T integer](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) == 1 {
		c := T(y[0])
		for i := range dst {
			dst[i] = uint64(T(x[i]) + c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = uint64(T(x[i]) + T(y[i]))
	}
}

func subLanes[T integer](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) == 1 {
		c := T(y[0])
		for i := range dst {
			dst[i] = uint64(T(x[i]) - c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = uint64(T(x[i]) - T(y[i]))
	}
}

func mulLanes[T integer](dst, x, y []uint64) {
	x = x[:len(dst)]
	if len(y) == 1 {
		c := T(y[0])
		for i := range dst {
			dst[i] = uint64(T(x[i]) * c)
		}
		return
	}
	y = y[:len(dst)]
	for i := range dst {
		dst[i] = uint64(T(x[i]) * T(y[i]))
	}
}

func minLanes[T integer](dst, x, y []uint64) {
	x = x[:len(dst)]
	sy := step(y)
	for i := range dst {
		dst[i] = uint64(min(T(x[i]), T(y[i*sy])))
	}
}

func maxLanes[T integer](dst, x, y []uint64) {
	x = x[:len(dst)]
	sy := step(y)
	for i := range dst {
		dst[i] = uint64(max(T(x[i]), T(y[i*sy])))
	}
}

func divLanes[T integer](dst, x, y []uint64) {
	x = x[:len(dst)]
	sy := step(y)
	for i := range dst {
		dst[i] = uint64(floorDiv(T(x[i]), T(y[i*sy])))
	}
}

func modLanes[T integer](dst, x, y []uint64) {
	x = x[:len(dst)]
	sy := step(y)
	for i := range dst {
		dst[i] = uint64(floorMod(T(x[i]), T(y[i*sy])))
	}
}

func quotLanes[T integer](dst, x, y []uint64) {
	x = x[:len(dst)]
	sy := step(y)
	for i := range dst {
		dst[i] = uint64(quot(T(x[i]), T(y[i*sy])))
	}
}

func remLanes[T integer](dst, x, y []uint64) {
	x = x[:len(dst)]
	sy := step(y)
	for i := range dst {
		dst[i] = uint64(rem(T(x[i]), T(y[i*sy])))
	}
}

// bitLoop returns the loops of operators on bits, which are the same for all types of canonical words.
func bitLoop(op BinOp) binaryLanes {
	switch op {
	case And, LogAnd:
		return func(dst, x, y []uint64) {
			x = x[:len(dst)]
			sy := step(y)
			for i := range dst {
				dst[i] = x[i] & y[i*sy]
			}
		}
	case Or, LogOr:
		return func(dst, x, y []uint64) {
			x = x[:len(dst)]
			sy := step(y)
			for i := range dst {
				dst[i] = x[i] | y[i*sy]
			}
		}
	case Xor:
		return func(dst, x, y []uint64) {
			x = x[:len(dst)]
			sy := step(y)
			for i := range dst {
				dst[i] = x[i] ^ y[i*sy]
			}
		}
	default:
		return nil
	}
}
