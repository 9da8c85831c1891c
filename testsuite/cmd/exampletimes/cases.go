package main

import (
	"fmt"

	"skald/runtime/prim"
	"skald/runtime/value"
)

// benchCase is a program with an input.
type benchCase struct {
	name, file, entry, size string
	args                    func() []value.Value
	// checked, if not nil, is the smaller input that is compared with the interpreter.
	checked func() []value.Value
	// decidedByFloats says that the results are integers that hang on floats.
	decidedByFloats bool
}

// cases are the six examples and the histograms; small ones for a test of this program.
func cases(small bool) []benchCase {
	scale := func(n int) int {
		if small {
			return max(n/4096, 8)
		}
		return n
	}
	out := []benchCase{
		bytesCase(scale(1 << 24)),
		floatsCase(scale(1 << 24)),
		matmulCase(scale(1<<22) / 4096),
		mandelbrotCase(scale(1<<22) / 2048),
		mssCase(scale(1 << 24)),
		lifeCase(scale(1<<22) / 2048),
	}
	for _, k := range []int{16, 4096, 65536} {
		out = append(out, countCase("count", scale(20_000_000), k, anyKey))
	}
	out = append(out, countCase("count", scale(20_000_000), 65536, sameKey), countCase("satadd", scale(20_000_000), 4096, anyKey))
	for _, entry := range []string{"reduce_plus", "mssp", "scan_plus"} {
		out = append(out, wordsCase(entry, scale(100_000_000)))
	}
	return out
}

// mix is a hash of a counter, so that inputs are the same everywhere.
func mix(x uint32) uint32 {
	x = (x ^ x>>16) * 0x7feb352d
	x = (x ^ x>>15) * 0x846ca68b
	return x ^ x>>16
}

// array makes an array by index.
func array[T value.Element](n int, f func(i int) T) value.Value { return shaped(f, n) }

// square is array for a square matrix, by row-major index.
func square[T value.Element](n int, f func(i int) T) value.Value { return shaped(f, n, n) }

func shaped[T value.Element](f func(i int) T, shape ...int) value.Value {
	n := 1
	for _, d := range shape {
		n *= d
	}
	xs := make([]T, n)
	for i := range xs {
		xs[i] = f(i)
	}
	return value.FromSlice(xs, shape...)
}

func scalar(n int) value.Value { return value.Scalar(prim.MakeI64(int64(n))) }

func i32(n int) value.Value { return value.Scalar(prim.MakeI32(int32(n))) }

func bytesCase(n int) benchCase {
	input := func(n int) func() []value.Value {
		return func() []value.Value {
			return []value.Value{array(n, func(i int) uint8 { return uint8(mix(uint32(i))) })}
		}
	}
	return benchCase{
		name: "histogram", file: "examples/histogram.fut", entry: "histogram", size: fmt.Sprintf("%d bytes, 256 bins", n),
		args: input(n), checked: input(min(n, 1_000_000)),
	}
}

func floatsCase(n int) benchCase {
	input := func(n int) func() []value.Value {
		return func() []value.Value {
			return []value.Value{array(n, func(i int) float32 { return float32(mix(uint32(i))>>8) / (1 << 24) })}
		}
	}
	return benchCase{
		name: "mean_variance", file: "examples/mean_variance.fut", entry: "main", size: fmt.Sprintf("%d f32", n),
		args: input(n), checked: input(min(n, 1_000_000)),
	}
}

func matmulCase(n int) benchCase {
	n = max(n, 8)
	input := func(n int) func() []value.Value {
		return func() []value.Value {
			m := func(seed int) value.Value {
				return square(n, func(i int) float32 { return float32(mix(uint32(i+seed))>>8)/(1<<24) - 0.5 })
			}
			return []value.Value{m(0), m(n * n)}
		}
	}
	return benchCase{
		name: "matmul", file: "examples/matmul.fut", entry: "main", size: fmt.Sprintf("%d x %d f32", n, n),
		args: input(n), checked: input(min(n, 128)),
	}
}

func mandelbrotCase(n int) benchCase {
	n = max(n, 16)
	input := func(n int) func() []value.Value {
		return func() []value.Value { return []value.Value{scalar(n), scalar(n), i32(100)} }
	}
	return benchCase{
		name: "mandelbrot", file: "examples/mandelbrot.fut", entry: "main", size: fmt.Sprintf("%d x %d pixels, 100 steps", n, n),
		args: input(n), checked: input(min(n, 512)), decidedByFloats: true,
	}
}

func mssCase(n int) benchCase {
	input := func(n int) func() []value.Value {
		return func() []value.Value {
			return []value.Value{array(n, func(i int) int32 { return int32(mix(uint32(i))&63) - 32 })}
		}
	}
	return benchCase{
		name: "mss", file: "examples/mss.fut", entry: "main", size: fmt.Sprintf("%d i32", n),
		args: input(n), checked: input(min(n, 1_000_000)),
	}
}

func lifeCase(n int) benchCase {
	n = max(n, 16)
	input := func(n int) func() []value.Value {
		return func() []value.Value {
			return []value.Value{i32(10), square(n, func(i int) uint8 { return uint8(mix(uint32(i)) & 1) })}
		}
	}
	return benchCase{
		name: "life", file: "examples/life.fut", entry: "main", size: fmt.Sprintf("%d x %d cells, 10 steps", n, n),
		args: input(n), checked: input(min(n, 128)),
	}
}

// Arguments of countCase.
const (
	sameKey = true
	anyKey  = false
)

// countCase is a histogram of keys that are uniform, or all the same.
func countCase(entry string, n, k int, same bool) benchCase {
	keys, key := "keys", func(i int) int64 { return int64(mix(uint32(i))) % int64(k) }
	if same {
		keys, key = "equal keys", func(int) int64 { return int64(k / 2) }
	}
	input := func(n int) func() []value.Value {
		return func() []value.Value { return []value.Value{scalar(k), array(n, key)} }
	}
	return benchCase{
		name: "histogram." + entry, file: "testsuite/bench/histogram.fut", entry: entry,
		size: fmt.Sprintf("%d i64 %s, %d bins", n, keys, k), args: input(n), checked: input(min(n, 1_000_000)),
	}
}

// wordsCase is a reduction or scan of words.
func wordsCase(entry string, n int) benchCase {
	input := func(n int) func() []value.Value {
		return func() []value.Value {
			return []value.Value{array(n, func(i int) int32 { return int32(mix(uint32(i))&2047) - 1024 })}
		}
	}
	return benchCase{
		name: "redomap." + entry, file: "testsuite/bench/redomap.fut", entry: entry, size: fmt.Sprintf("%d i32", n),
		args: input(n), checked: input(min(n, 1_000_000)),
	}
}
