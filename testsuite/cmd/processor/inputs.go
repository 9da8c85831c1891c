package main

import (
	"skald/runtime/prim"
	"skald/runtime/value"
)

// The sizes of inputs, as in reference.c.
const (
	elements = 10_000_000
	matrix   = 512
	bodies   = 2000
	side     = 1024
)

// inputs are the arguments of an entry point; reference.c makes the same.
func inputs(entry string, shrink int) []value.Value {
	n := elements / shrink
	bytes, ints := make([]uint8, n), make([]int32, n)
	fs, gs := make([]float32, n), make([]float32, n)
	for i := range n {
		h := uint32(i) * 2654435761
		bytes[i], ints[i] = uint8(h>>24), int32(h>>16)%201-100
		fs[i], gs[i] = float32(h>>20)/4096, float32(h&4095)/4096
	}
	square := func(xs []float32) value.Value { return value.FromSlice(xs[:matrix*matrix], matrix, matrix) }
	part := func(xs []float32, from int) value.Value { return value.FromSlice(xs[from:from+bodies], bodies) }
	switch entry {
	case "histogram":
		return []value.Value{value.FromSlice(bytes, n)}
	case "mss", "prefixes":
		return []value.Value{value.FromSlice(ints, n)}
	case "dot":
		return []value.Value{value.FromSlice(fs, n), value.FromSlice(gs, n)}
	case "saxpy":
		return []value.Value{value.Scalar(prim.MakeF32(2.5)), value.FromSlice(fs, n), value.FromSlice(gs, n)}
	case "matmul":
		return []value.Value{square(fs), square(gs)}
	case "nbody":
		return []value.Value{part(fs, 0), part(gs, 0), part(fs, bodies), part(gs, bodies)}
	default: // life
		cells := make([]uint8, side*side)
		for i := range cells {
			cells[i] = bytes[i%n] & 1
		}
		return []value.Value{value.FromSlice(cells, side, side)}
	}
}

// checksum is what reference.c prints of a result.
func checksum(entry string, results []value.Value) float64 {
	sum := 0.0
	r := results[0]
	switch entry {
	case "histogram":
		for k := range 256 {
			sum += float64(k) * float64(r.At(k).Int())
		}
	case "life":
		for k := range side {
			sum += float64(r.At(k).Word())
		}
	case "mss":
		return float64(r.At(0).Int())
	case "prefixes":
		return float64(r.At(r.Len() - 1).Int())
	case "nbody":
		return r.At(0).Float()
	default:
		return r.At(r.Len() - 1).Float()
	}
	return sum
}
