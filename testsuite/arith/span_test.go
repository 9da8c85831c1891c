package main

import (
	"math"
	"slices"
	"testing"

	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/shaders"
	"skald/testsuite/depth"
)

// Folds and tuples are the same on devices and in Go, and no result is wrong: narrow types with a sign, tuples that
// are all there are and scrambled ones, floats and integers.
func TestSweepsOfExactFunctionsFindNothingWrong(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		s := &sweeper{plan: plan{limit: 1 << 16, pairs: 1 << 16}, dev: dev, dialect: dialectOf(dev.Facts())}
		names := []string{
			"mul_i64", "div_i64", "div_u64", "mod_f64", "sqrt_f64", "conv_f32_i64", "floor_f32", "max_f16", "shl_i64",
			"fma_f64", "fma_f16", "fma_f32", "mul_hi_i8", "mad_hi_i16", "conv_bool_i64", "conv_u16_f64", "abs_i16", "ldexp_f32",
			"add_i64", "neg_u64", "not_i64", "le_u64", "add_f16", "mul_f64",
		}
		for i, name := range names {
			sig, ref, ok := exactReference(name)
			if !slices.Contains(functionsOf(s.dialect), name) || !inTurn(t, i) {
				continue
			}
			if !ok {
				t.Fatalf("%s is not exact", name)
			}
			out, err := s.exact(sig, ref)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if out.Wrong > 0 || out.Count == 0 {
				t.Errorf("%s: %d wrong of %d: %s", name, out.Wrong, out.Count, out.At)
			}
		}
	})
}

// A sweep that finds fault with nothing is none.
func TestSweepsFindAWrongMeaning(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		s := &sweeper{plan: plan{limit: 1 << 16, pairs: 1 << 16}, dev: dev, dialect: dialectOf(dev.Facts())}
		sig, _, _ := exactReference("floor_f32")
		_, ceil, _ := exactReference("ceil_f32")
		out, err := s.exact(sig, ceil)
		if err != nil {
			t.Fatal(err)
		}
		if out.Wrong == 0 || out.At == "" {
			t.Errorf("ceil in place of floor: %d wrong, at %q", out.Wrong, out.At)
		}
	})
}

func TestScrambledTuplesHoldZerosInfinitiesAndModerateNumbers(t *testing.T) {
	for _, typ := range []prim.Type{prim.F16, prim.F32, prim.F64} {
		h := tupling{params: []prim.Type{typ, typ, typ}, total: 1 << 12}
		var zeros, infinities, moderate int
		for i := range uint32(h.total) {
			v := math.Abs(value(typ, h.tuple(i)[2]))
			switch {
			case v == 0:
				zeros++
			case math.IsInf(v, 0):
				infinities++
			case v > 1.0/512 && v < 1024:
				moderate++
			}
		}
		if zeros < 50 || infinities < 50 || moderate < 1000 {
			t.Errorf("%s: %d zeros, %d infinities, %d moderate numbers of %d", typ, zeros, infinities, moderate, h.total)
		}
	}
}

func TestAllTuplesAreThere(t *testing.T) {
	h := tuplingOf([]prim.Type{prim.I8, prim.Bool}, 0)
	seen := map[[2]uint64]bool{}
	for i := range uint32(h.total) {
		a := h.tuple(i)
		seen[[2]uint64{a[0], a[1]}] = true
	}
	if !h.all || len(seen) != 512 || !seen[[2]uint64{prim.Canonical(prim.I8, 0x80), 1}] {
		t.Errorf("all %v, %d tuples", h.all, len(seen))
	}
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
func TestKernelsOfSweepsCompileForCUDA(t *testing.T) {
	c, err := cuda.OpenCompiler()
	if err != nil {
		t.Skip(err)
	}
	compile := func(name string, spec device.KernelSpec, err error) {
		t.Helper()
		if err == nil {
			_, err = c.Compile(&spec, "sm_90")
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	s := &sweeper{dialect: shaders.Dialect{Language: shaders.CUDA}}
	for _, name := range []string{
		"mul_i64", "neg_i64", "not_u64", "lt_f64", "add_f16", "sqrt_f32", "eq_f16", "isnan_f32", "div_i64", "mad_hi_i8",
		"conv_i8_f16",
	} {
		sig, _, ok := exactReference(name)
		if !ok {
			t.Fatalf("%s is not exact", name)
		}
		library, _, err := exactJudge(sig)
		h := tuplingOf(sig.Params, 1<<30)
		compile(name, spanSpec(sig, spanSource(true, library, sig, h, folding)), err)
		spec, err := spanKernel(s.dialect, sig, h, folding)
		compile(name, spec, err)
		spec, err = s.rateKernel(sig)
		compile(name, spec, err)
	}
	for op := range cudaWant {
		for _, f := range []prim.Type{prim.F16, prim.F32, prim.F64} {
			if depth.Of() < depth.Deep && f != prim.F16 && op != "pow" {
				continue
			}
			x, _ := inexactFunction(s.dialect, op+"_"+f.String())
			h := tuplingOf(x.sig.Params, 1<<30)
			spec, err := judgeKernel(x, op, h)
			compile(op, spec, err)
			spec, err = spanKernel(s.dialect, x.sig, h, storing)
			compile(op, spec, err)
			library, err := wantLibrary(x, op)
			compile(op, cudaKernel(library, wantSignature(x)), err)
		}
	}
}

func TestEveryInexactFunctionHasAJudge(t *testing.T) {
	for _, name := range shaders.Names(shaders.Portable) {
		if x, ok := inexactFunction(shaders.Portable, name); ok && cudaWant[name[:len(name)-4]] == "" {
			t.Errorf("%s has none", x.sig.Name)
		}
	}
}
