package main

import (
	"slices"
	"strings"
	"testing"

	"skald/runtime/device"
	"skald/shaders"
)

// quick says which functions are tested when not all are asked for: drivers take up to seconds to compile one, and the
// three types share almost all of their code.
func quick(dev device.Device, name string) bool {
	if dev.Facts().F64 {
		return strings.HasSuffix(name, "_f64")
	}
	return slices.Contains([]string{"exp_f32", "log_f32", "sin_f32", "cos_f32", "pow_f32", "atan2_f32", "erf_f16"}, name)
}

func TestInexactFunctionsKeepTheirBounds(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device, n sized) {
		for _, name := range shaders.Names(dialectOf(dev.Facts())) {
			x, ok := inexactFunction(dialectOf(dev.Facts()), name)
			if !ok || !thorough() && !quick(dev, name) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				args := draw(x.sig.Params, n(60, 10_000), 1)
				if len(x.sig.Params) == 2 && n(60, 10_000) == 60 {
					args = thin(args, 2, 97)
				}
				got, err := apply(dev, dialectOf(dev.Facts()), x.sig, args)
				if err != nil {
					t.Fatal(err)
				}
				checkBound(t, x, args, got)
			})
		}
	})
}

func checkBound(t *testing.T, x inexact, args, got []uint64) {
	t.Helper()
	var w worst
	k := len(x.sig.Params)
	x.judgeAll(&w, len(got), func(i int) ([]uint64, uint64) { return args[i*k : i*k+k], got[i] })
	if w.ULP > x.bound {
		t.Errorf("%s(%s) = %s: %.3f ulp, bound %g", x.sig.Name, show(x.sig.Params, w.Args),
			show1(x.sig.Result, w.Got), w.ULP, x.bound)
	}
	if w.Wrong > 0 {
		t.Errorf("%d special cases are wrong, first %s(%s)", w.Wrong, x.sig.Name, show(x.sig.Params, w.Bad))
	}
	t.Logf("%s: worst %.4f ulp of %d", x.sig.Name, w.ULP, w.Count)
}
