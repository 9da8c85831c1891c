package main

import (
	"math"
	"regexp"
	"testing"

	"skald/runtime/device"
	"skald/runtime/prim"
)

var callOfFma = regexp.MustCompile(`\bfma\(`)

// fusedByF64 is fma of f32 by f64, for devices whose own rounds twice. The minimum hides the result, so that Mesa does not go on with what
// f64 had before.
const fusedByF64 = `fn fused(a: f32, b: f32, c: f32) -> f32 {
  return bitcast<f32>(min(bitcast<u32>(f32(f64(a) * f64(b) + f64(c))), 0xfffffffeu));
}
`

// What GPUs run whose fma rounds once runs here by an fma that is made of f64.
func TestFunctionsByFusedOperations(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		d := dialectOf(dev.Facts())
		if !d.Float64 {
			t.Skip("SKIPPED: the device has no f64")
		}
		d.Fma = true
		results := func(t *testing.T, s signature, args []uint64) []uint64 {
			spec, err := kernel(d, s)
			if err != nil {
				t.Fatal(err)
			}
			spec.Source = callOfFma.ReplaceAllString(spec.Source, "fused(") + fusedByF64
			got, err := applyKernel(dev, spec, s, args)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		for _, name := range []string{"exp_f32", "sin_f32", "cos_f32"} {
			x, ok := inexactFunction(d, name)
			if !ok {
				t.Fatalf("there is no %s", name)
			}
			args := x.arguments()
			checkBound(t, x, args, results(t, x.sig, args))
		}
		x, _ := inexactFunction(d, "exp_f32")
		args := x.arguments()
		for i, got := range results(t, signature{"sqrt_f32", x.sig.Params, prim.F32}, args) {
			v := float32(math.Sqrt(value(prim.F32, args[i])))
			if want := prim.Canonical(prim.F32, uint64(math.Float32bits(v))); got != want && !(v != v && math.Float32frombits(uint32(got)) != v) {
				t.Fatalf("sqrt_f32(%s) = %s", show(x.sig.Params, args[i:i+1]), show1(prim.F32, got))
			}
		}
	})
}
