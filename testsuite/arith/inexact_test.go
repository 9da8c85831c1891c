package main

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/shaders"
	"skald/testsuite/depth"
)

// quick says which functions are tested when not all are asked for: drivers take up to seconds to compile one, and the
// three types share almost all of their code.
func quick(dev device.Device, name string) bool {
	if dev.Facts().F64 {
		return strings.HasSuffix(name, "_f64")
	}
	return slices.Contains([]string{"exp_f32", "log_f32", "sin_f32", "cos_f32", "pow_f32", "atan2_f32", "erf_f16"}, name)
}

// tried says which functions are tested on a device at the depth of this run: in full tests those whose turn it is by function and type.
// SwiftShader's compiler takes seconds for each of these, so full tests give it one type of each function, through Dawn, and of what would
// be its turn through wgpu-native only the quick ones: lavapipe has the others, through the same library.
func tried(t *testing.T, dev device.Device, x inexact) bool {
	if depth.Of() == depth.Quick {
		return quick(dev, x.sig.Name)
	}
	turn := int(x.f) + int(x.sig.Result)
	if x.isPow {
		turn = 0
	}
	if turn%3 == slices.Index(turns, "swiftshader") && !quick(dev, x.sig.Name) {
		turn = slices.Index(turns, "portable")
	}
	return inTurn(t, turn)
}

func TestInexactFunctionsKeepTheirBounds(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		for _, name := range shaders.Names(dialectOf(dev.Facts())) {
			x, ok := inexactFunction(dialectOf(dev.Facts()), name)
			if !ok || !tried(t, dev, x) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				args := x.arguments()
				got, err := apply(dev, dialectOf(dev.Facts()), x.sig, args)
				if err != nil {
					t.Fatal(err)
				}
				checkBound(t, x, args, got)
			})
		}
	})
}

// arguments are those that every device gets. Each of an f64 function costs a series of hundreds of bits; those of the
// narrower types are cheap.
func (x inexact) arguments() []uint64 {
	isWide := x.sig.Result == prim.F64
	args := tuples(rand.New(rand.NewPCG(1, 0)), x.sig.Params, 0)
	switch {
	case len(x.sig.Params) == 2 && depth.Of() == depth.Quick:
		args = thin(args, 2, 97)
	case len(x.sig.Params) == 2 && depth.Of() == depth.Full:
		args = thin(args, 2, 7)
	}
	n := depth.Choose(60, 4_000, 1_000_000)
	if isWide {
		n = depth.Choose(60, 300, 20_000)
	}
	return append(args, draw(x.sig.Params, n, 2)...)
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

// thin keeps every n-th of the tuples of k arguments.
func thin(args []uint64, k, n int) []uint64 {
	var out []uint64
	for i := 0; i+k <= len(args); i += k * n {
		out = append(out, args[i:i+k]...)
	}
	return out
}
