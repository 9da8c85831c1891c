package main

import (
	"encoding/binary"
	"math"
	"testing"

	"skald/runtime/device"
	"skald/runtime/prim"
)

// A rate is worth nothing if a kernel's calls are not those that are counted: here a thread's sum is compared with that of the arguments.
func TestRateKernelsCallAsOftenAsTheyCount(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		s := &sweeper{dev: dev, dialect: dialectOf(dev.Facts())}
		const threads = 64
		kernels := map[string]uint32{"abs_i32": 1, "max_u32": 2, "mul_hi_u64": 4, "sqrt_f32": 1, "min_f64": 4, "abs_f16": 1}
		for name, width := range kernels {
			sig, _, ok := exactReference(name)
			if !ok {
				t.Fatalf("there is no %s", name)
			}
			spec, err := s.rateKernel(sig)
			if err != nil {
				t.Fatal(err)
			}
			compiled, err := dev.Compile([]device.KernelSpec{spec})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			in := make([]byte, 4*threads*width)
			for i := range threads * width {
				binary.LittleEndian.PutUint32(in[4*i:], i<<10)
			}
			out := make([]byte, 4*threads)
			if err := run(dev, compiled[0], threads, in, out); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i := range uint32(threads) {
				if want, ok := rateSum(sig, i*width<<10, (i*width+1)<<10); ok && binary.LittleEndian.Uint32(out[4*i:]) != want {
					t.Fatalf("%s: thread %d has %d, want %d", name, i, binary.LittleEndian.Uint32(out[4*i:]), want)
				}
			}
		}
	})
}

// rateSum is what a thread has whose words are w and v, for the functions on 32 bits where that is plain.
func rateSum(sig signature, w, v uint32) (sum uint32, ok bool) {
	for k := range uint32(rateRounds) {
		switch sig.Name {
		case "abs_i32":
			sum += k ^ w
		case "max_u32":
			sum += max(k^w, k^v)
		case "sqrt_f32":
			x := math.Float32frombits(k ^ w)
			sum += uint32(prim.Canonical(prim.F32, uint64(math.Float32bits(float32(math.Sqrt(float64(x)))))))
		default:
			return 0, false
		}
	}
	return sum, true
}
