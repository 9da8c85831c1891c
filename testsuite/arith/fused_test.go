package main

import (
	"math"
	"slices"
	"testing"

	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/runtime/webgpu"
	"skald/shaders"
	"skald/testsuite/depth"
)

// once is a · b + c as fma rounds it, and twice as two operators do.
func once(t prim.Type) meaning {
	f, _ := prim.FuncWord3(prim.Fma, t)
	return func(a []uint64) uint64 { return f(a[0], a[1], a[2]) }
}

// fusedLerp is lerp with its sum of a product fused.
func fusedLerp(t prim.Type) meaning {
	sub, _ := prim.BinWord(prim.Sub, t)
	least, _ := prim.BinWord(prim.Min, t)
	most, _ := prim.BinWord(prim.Max, t)
	zero := prim.ConvertWord(prim.U8, t)(0)
	one := prim.ConvertWord(prim.U8, t)(1)
	return func(a []uint64) uint64 {
		return once(t)([]uint64{sub(a[1], a[0]), most(zero, least(one, a[2])), a[0]})
	}
}

// flushed reports whether an argument of mad or lerp, a part of the result or the result is a subnormal f32, or next to
// them: devices may take these for zero.
func flushed(f prim.Func, typ prim.Type, a []uint64, result uint64) bool {
	if typ != prim.F32 {
		return false
	}
	x, y, z := value(typ, a[0]), value(typ, a[1]), value(typ, a[2])
	parts := []float64{x, y, z, x * y, value(typ, result)}
	if f == prim.Lerp {
		parts = append(parts, y-x, (y-x)*z)
	}
	return slices.ContainsFunc(parts, func(v float64) bool { return v != 0 && math.Abs(v) < 0x1p-125 })
}

// A driver may fuse a product and a sum, so that mad and lerp have one of two results.
func TestMadAndLerpRoundOnceOrTwice(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		d := dialectOf(dev.Facts())
		floats, err := dev.(*webgpu.Device).ProbeFloats()
		if err != nil {
			t.Fatal(err)
		}
		flushes := floats.FlushesInputs || floats.FlushesResults
		for _, typ := range []prim.Type{prim.F16, prim.F32, prim.F64} {
			for f, fused := range map[prim.Func]meaning{prim.Mad: once(typ), prim.Lerp: fusedLerp(typ)} {
				sig := signature{f.String() + "_" + typ.String(), []prim.Type{typ, typ, typ}, typ}
				if _, ok := shaders.Lookup(d, sig.Name); !ok {
					t.Fatalf("there is no %s", sig.Name)
				}
				g, _ := prim.FuncWord3(f, typ)
				args := draw(sig.Params, depth.Choose(2_000, 10_000, 100_000), 1)
				got, err := apply(dev, d, sig, args)
				if err != nil {
					t.Fatal(err)
				}
				wrong := 0
				for i, r := range got {
					a := args[3*i : 3*i+3]
					separate, together := g(a[0], a[1], a[2]), fused(a)
					if same(typ, r, separate) || same(typ, r, together) ||
						flushes && flushed(f, typ, a, separate) {
						continue
					}
					if wrong++; wrong <= 3 {
						t.Errorf("%s(%s) = %s, want %s or %s", sig.Name, show(sig.Params, a), show1(typ, r),
							show1(typ, separate), show1(typ, together))
					}
				}
				if wrong > 0 {
					t.Errorf("%s: %d of %d are wrong", sig.Name, wrong, len(got))
				}
			}
		}
	})
}
