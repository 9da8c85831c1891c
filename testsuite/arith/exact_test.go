package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"skald/runtime/device"
	"skald/runtime/webgpu"
	"skald/shaders"
)

// devices are the software devices that the tests use, by name: SKALD_ARITH_ALL=1 takes those that are not quick, too.
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

// samples is how many random arguments a function gets: SKALD_ARITH_SAMPLES, or a number that keeps the tests quick.
func samples(quick int) int {
	if n, err := strconv.Atoi(os.Getenv("SKALD_ARITH_SAMPLES")); err == nil {
		return n
	}
	return quick
}

// thorough reports whether the tests should take the time for every function on every device.
func thorough() bool { return os.Getenv("SKALD_ARITH_ALL") != "" }

func onDevices(t *testing.T, f func(t *testing.T, dev device.Device)) {
	for _, d := range devices {
		t.Run(d.name, func(t *testing.T) {
			if !d.quick && !thorough() {
				t.Skip("SKALD_ARITH_ALL is not set")
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
		for _, name := range shaders.Names(dialectOf(dev.Facts())) {
			s, ref, ok := exactReference(name)
			if !ok {
				continue
			}
			t.Run(name, func(t *testing.T) {
				r := rand.New(rand.NewPCG(1, 2))
				args := tuples(r, s.Params, samples(2000))
				compare(t, dev, s, ref, args)
			})
		}
	})
}

// compare applies the function on the device and reports the first few results that differ from the reference's.
func compare(t *testing.T, dev device.Device, s signature, ref meaning, args []uint64) {
	t.Helper()
	got, err := apply(dev, s, args)
	if err != nil {
		t.Fatal(err)
	}
	checkExact(t, s, ref, args, got)
}

func checkExact(t *testing.T, s signature, ref meaning, args, got []uint64) {
	t.Helper()
	wrong := 0
	k := len(s.Params)
	for i := range got {
		a := args[i*k : i*k+k]
		want := ref(a)
		if same(s.Result, got[i], want) {
			continue
		}
		if wrong++; wrong <= 5 {
			t.Errorf("%s(%s) = %s, want %s", s.Name, show(s.Params, a), show1(s.Result, got[i]), show1(s.Result, want))
		}
	}
	if wrong > 0 {
		t.Errorf("%s: %d of %d are wrong", s.Name, wrong, len(got))
	}
}
