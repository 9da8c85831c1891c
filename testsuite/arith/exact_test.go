package main

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"skald/runtime/device"
	"skald/runtime/webgpu"
	"skald/shaders"
	"skald/testsuite/depth"
)

// devices are the software devices that the tests use, by name; those that are not quick take part in full tests only.
var devices = []struct {
	name    string
	quick   bool
	options webgpu.Options
}{
	{"native", true, webgpu.Options{Library: "wgpu-native", Driver: "lavapipe"}},
	{"portable", false, webgpu.Options{Library: "wgpu-native", Driver: "lavapipe", Portable: true}},
	{"swiftshader", false, webgpu.Options{Library: "wgpu-native", Driver: "swiftshader", Portable: true}},
	{"dawn", true, webgpu.Options{Library: "dawn", Driver: "swiftshader"}},
}

// turns are the devices of the portable dialect, which take functions in turn.
var turns = []string{"dawn", "swiftshader", "portable"}

// inTurn reports whether a device takes the i-th function of some at the depth of this run. Drivers' compilers are most of what the tests
// of functions cost, so full tests have each function once in the native dialect and once in the portable one, on one of its three devices.
func inTurn(t *testing.T, i int) bool {
	_, name, _ := strings.Cut(t.Name(), "/")
	turn := slices.Index(turns, name)
	return depth.Of() != depth.Full || turn < 0 || turn == i%3
}

func onDevices(t *testing.T, f func(t *testing.T, dev device.Device)) {
	for _, d := range devices {
		t.Run(d.name, func(t *testing.T) {
			if !d.quick {
				depth.Need(t, depth.Full)
			}
			dev, err := webgpu.Open(d.options)
			if errors.Is(err, device.NoLibrary) || errors.Is(err, device.NoAdapter) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			f(t, dev)
		})
	}
}

func TestExactFunctionsAgreeWithTheirMeaning(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		for i, name := range shaders.Names(dialectOf(dev.Facts())) {
			s, ref, ok := exactReference(name)
			if !ok || !inTurn(t, i) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				args := draw(s.Params, depth.Choose(2_000, 10_000, 1_000_000), 1)
				compare(t, dev, dialectOf(dev.Facts()), s, ref, args)
			})
		}
	})
}

// compare applies the function on the device and reports the first few results that differ from the reference's.
func compare(t *testing.T, dev device.Device, d shaders.Dialect, s signature, ref meaning, args []uint64) {
	t.Helper()
	got, err := apply(dev, d, s, args)
	if err != nil {
		t.Fatal(err)
	}
	checkExact(t, s, ref, args, got)
}

func checkExact(t *testing.T, s signature, ref meaning, args, got []uint64) {
	t.Helper()
	wrong := 0
	k := len(s.Params)
	var mu sync.Mutex
	split(len(got), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a := args[i*k : i*k+k]
			want := ref(a)
			if same(s.Result, got[i], want) {
				continue
			}
			mu.Lock()
			if wrong++; wrong <= 5 {
				t.Errorf("%s(%s) = %s, want %s", s.Name, show(s.Params, a), show1(s.Result, got[i]), show1(s.Result, want))
			}
			mu.Unlock()
		}
	})
	if wrong > 0 {
		t.Errorf("%s: %d of %d are wrong", s.Name, wrong, len(got))
	}
}

// A Metal device has 64-bit integers but no f64; a device may have any of the types without f16.
func TestDialectsMayMix(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		if f := dev.Facts(); !f.I64 || !f.F64 || !f.F16 {
			t.Skip("the device has not every type")
		}
		names := []string{
			"add_f64", "mul_f64", "div_f64", "sqrt_f64", "fma_f64", "mod_f64", "lt_f64", "round_f64", "conv_i64_f64",
			"conv_u64_f64", "conv_f64_i64", "conv_f64_u8", "conv_f64_f32", "conv_f32_f64", "to_bits_f64", "add_f16",
			"div_f16", "conv_f64_f16", "div_i64", "conv_i64_f16",
		}
		for _, d := range []shaders.Dialect{
			{Language: shaders.WGSL, Int64: true},
			{Language: shaders.WGSL, Int64: true, Float64: true},
			{Language: shaders.WGSL, Float16: true},
		} {
			for _, name := range names {
				if _, ok := shaders.Lookup(d, name); ok {
					s, ref, _ := exactReference(name)
					compare(t, dev, d, s, ref, tuples(rand.New(rand.NewPCG(1, 2)), s.Params, 500))
				}
			}
		}
	})
}
