package main

import (
	"math"
	"testing"

	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/shaders"
)

func TestSpansFoldAsPrimDoes(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device, _ sized) {
		s := &sweeper{plan: plan{limit: 1 << 16}, dev: dev}
		names := []string{
			"mul_i64", "div_i64", "div_u64", "mod_f64", "sqrt_f64", "conv_f32_i64", "floor_f32", "max_f16", "shl_i64", "fma_f64",
		}
		for _, name := range names {
			if _, ok := shaders.Lookup(dialectOf(dev.Facts()), name); !ok {
				continue
			}
			out, ok, err := s.span(name)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !ok || out.Wrong > 0 {
				t.Errorf("%s: taken %v, %d threads wrong: %s", name, ok, out.Wrong, out.At)
			}
		}
	})
}

func TestFoldsTakeAllNaNAsOne(t *testing.T) {
	for _, c := range []struct {
		t    prim.Type
		a, b uint64
		same bool
	}{
		{prim.F64, math.Float64bits(math.NaN()), 0xfff0000000000001, true},
		{prim.F64, math.Float64bits(math.Inf(1)), math.Float64bits(math.NaN()), false},
		{prim.F32, 0x7fc00000, 0xff800001, true},
		{prim.F16, 0x7e00, 0xfc01, true},
		{prim.F16, 0x7c00, 0x7e00, false},
		{prim.I64, 1 << 32, 0, false},
	} {
		if got := fold(1, c.t, c.a) == fold(1, c.t, c.b); got != c.same {
			t.Errorf("%v: folds of %x and %x equal: %v", c.t, c.a, c.b, got)
		}
	}
}

// NVRTC compiles all kernels of the sweeps; they run where CUDA does.
func TestSpanKernelsCompileForCUDA(t *testing.T) {
	c, err := cuda.OpenCompiler()
	if err != nil {
		t.Skip(err)
	}
	names := []string{"mul_i64", "add_u64", "lt_f64", "sqrt_f64", "exp_f32", "pow_f16", "floor_f32", "div_i64"}
	for _, name := range names {
		sig, _, ok := exactReference(name)
		if !ok {
			x, _ := inexactFunction(name)
			sig = x.sig
		}
		how, _ := tuplingOf(sig)
		for _, rounds := range []int{1, spanRounds} {
			spec, err := spanKernel(shaders.Dialect{Language: shaders.CUDA}, sig, how, rounds)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.Compile(&spec, "sm_90"); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for op := range cudaWant {
		for _, f := range []prim.Type{prim.F16, prim.F32} {
			spec := judgeKernel(op, f)
			if _, err := c.Compile(&spec, "sm_90"); err != nil {
				t.Errorf("%s: %v", op, err)
			}
		}
	}
}
