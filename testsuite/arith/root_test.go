package main

import (
	"math"
	"testing"

	"skald/testsuite/depth"
)

// fused is fma of f32: f64 holds the product, and the sum of numbers as near as those of a remainder.
func fused(a, b, c float32) float32 { return float32(float64(a)*float64(b) + float64(c)) }

// fusedRoot is sqrt_f32 of shaders/wgsl/fma_native, with the inverse root as a device may give it.
func fusedRoot(x, inverse float32) float32 {
	s, h := x*inverse, 0.5*inverse
	e := fused(-s, h, 0.5)
	root := fused(s, e, s)
	return fused(fused(-root, root, x), fused(h, e, h), root)
}

// No software device has a fused fma, so that what GPUs compute is computed here: all numbers of [1, 4), to whose roots those of others
// are multiples by powers of two, with each inverse root that WGSL allows, and one ulp more.
func TestRootsByFusedRemainders(t *testing.T) {
	const ulps = 3
	one, four := math.Float32bits(1), math.Float32bits(4)
	for bits := one; bits < four; bits += uint32(depth.Choose(257, 17, 1)) {
		x := math.Float32frombits(bits)
		want := float32(math.Sqrt(float64(x)))
		nearest := math.Float32bits(float32(1 / math.Sqrt(float64(x))))
		for inverse := nearest - ulps; inverse <= nearest+ulps; inverse++ {
			if got := fusedRoot(x, math.Float32frombits(inverse)); got != want {
				t.Fatalf("root of %v from %v is %v, want %v", x, math.Float32frombits(inverse), got, want)
			}
		}
	}
	for _, x := range []float32{0x1p-63, math.Nextafter32(0x1p-60, 0), math.Nextafter32(4, 0), math.MaxFloat32} {
		want := float32(math.Sqrt(float64(x)))
		if got := fusedRoot(x, float32(1/math.Sqrt(float64(x)))); got != want {
			t.Errorf("root of %v is %v, want %v", x, got, want)
		}
	}
}
