package prim

// convertLoop returns the loops of the commonest conversions, or nil.
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
				dst[i] = storeFloat(float32(int64(x[i*sx])))
			}
		}
	case to == F64 && from.IsSigned():
		return func(dst, x []uint64) {
			sx := step(x)
			for i := range dst {
				dst[i] = storeFloat(float64(int64(x[i*sx])))
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
