package prim

import (
	"math"
	"unsafe"
)

// number is what the word of a lane is computed with where its width does not matter, or is that of a float.
type number interface {
	int64 | uint64 | float32 | float64
}

// load and storeFloat convert between a canonical word and the number that it is. What a type parameter is, is known when the
// compiler makes code for it, so that nothing is decided at run time.
func load[T number](w uint64) T {
	isInt := T(1)/2 == 0
	switch {
	case isInt:
		return T(w)
	case unsafe.Sizeof(T(0)) == 4:
		return T(math.Float32frombits(uint32(w)))
	default:
		return T(math.Float64frombits(w))
	}
}

func storeFloat[T float32 | float64](f T) uint64 {
	if unsafe.Sizeof(f) == 4 {
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(float64(f))
}

// floatLoop returns the loops of the operators of f32 and f64 that are instructions of the machine, or nil. They keep the
// order of their operands: of two NaNs, the machine returns the first.
func floatLoop[T float32 | float64](op BinOp) binaryLanes {
	switch op {
	case Add:
		return addFloats[T]
	case Sub:
		return subFloats[T]
	case Mul:
		return mulFloats[T]
	case Div:
		return divFloats[T]
	default:
		return nil
	}
}

func addFloats[T float32 | float64](dst, x, y []uint64) {
	switch {
	case len(y) < len(dst):
		c := load[T](y[0])
		for i, sx := 0, step(x); i < len(dst); i++ {
			dst[i] = storeFloat(load[T](x[i*sx]) + c)
		}
	case len(x) < len(dst):
		c := load[T](x[0])
		y = y[:len(dst)]
		for i := range dst {
			dst[i] = storeFloat(c + load[T](y[i]))
		}
	default:
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = storeFloat(load[T](x[i]) + load[T](y[i]))
		}
	}
}

func subFloats[T float32 | float64](dst, x, y []uint64) {
	switch {
	case len(y) < len(dst):
		c := load[T](y[0])
		for i, sx := 0, step(x); i < len(dst); i++ {
			dst[i] = storeFloat(load[T](x[i*sx]) - c)
		}
	case len(x) < len(dst):
		c := load[T](x[0])
		y = y[:len(dst)]
		for i := range dst {
			dst[i] = storeFloat(c - load[T](y[i]))
		}
	default:
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = storeFloat(load[T](x[i]) - load[T](y[i]))
		}
	}
}

func mulFloats[T float32 | float64](dst, x, y []uint64) {
	switch {
	case len(y) < len(dst):
		c := load[T](y[0])
		for i, sx := 0, step(x); i < len(dst); i++ {
			dst[i] = storeFloat(load[T](x[i*sx]) * c)
		}
	case len(x) < len(dst):
		c := load[T](x[0])
		y = y[:len(dst)]
		for i := range dst {
			dst[i] = storeFloat(c * load[T](y[i]))
		}
	default:
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = storeFloat(load[T](x[i]) * load[T](y[i]))
		}
	}
}

func divFloats[T float32 | float64](dst, x, y []uint64) {
	switch {
	case len(y) < len(dst):
		c := load[T](y[0])
		for i, sx := 0, step(x); i < len(dst); i++ {
			dst[i] = storeFloat(load[T](x[i*sx]) / c)
		}
	case len(x) < len(dst):
		c := load[T](x[0])
		y = y[:len(dst)]
		for i := range dst {
			dst[i] = storeFloat(c / load[T](y[i]))
		}
	default:
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = storeFloat(load[T](x[i]) / load[T](y[i]))
		}
	}
}
