package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/webgpu"
)

// long skips a test that takes minutes of compiling kernels.
func long(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: make test-deep compiles the shapes")
	}
}

func TestShapesAgreeWithTheReference(t *testing.T) {
	long(t)
	for _, c := range []struct {
		name    string
		options webgpu.Options
		limited bool
		waiting bool
	}{
		{"native-lavapipe", webgpu.Options{Library: "wgpu-native", Driver: "lavapipe"}, false, true},
		{"portable-swiftshader", webgpu.Options{Library: "wgpu-native", Driver: "swiftshader", Portable: true}, false, true},
		{"dawn-swiftshader", webgpu.Options{Library: "dawn", Driver: "swiftshader"}, false, false},
		{"guaranteed-lavapipe", webgpu.Options{Library: "wgpu-native", Driver: "lavapipe", Portable: true}, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			opened, err := webgpu.Open(c.options)
			if errors.Is(err, device.NoLibrary) || errors.Is(err, device.NoAdapter) {
				t.Skipf("SKIPPED: %v", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer opened.Close()
			var d device.Device = opened
			if c.limited {
				d = webgpu.Guaranteed(d)
			}
			if c.waiting {
				d = waits(d)
			}
			w := worker{runs: 1}
			for _, c := range cases(testSizes, families) {
				t.Run(c.Name, func(t *testing.T) {
					switch r := w.run(d, &c); {
					case r.Skip != "":
						t.Skipf("SKIPPED: %s", r.Skip)
					case r.Error != "":
						t.Error(r.Error)
					}
				})
			}
		})
	}
}

// waiting is a device whose workgroups may wait for each other, though no table names it: software devices run workgroups
// in their order, which is all that tests of look-back need.
type waiting struct {
	device.Device
	facts device.Facts
}

func waits(d device.Device) *waiting {
	f := *d.Facts()
	f.ForwardProgress = true
	return &waiting{d, f}
}

// Facts returns the facts with that changed.
func (w *waiting) Facts() *device.Facts { return &w.facts }

func TestWorkgroupsWaitOnlyOnDevicesThatTheTableNames(t *testing.T) {
	for _, known := range []*device.Facts{&cudaFacts, &vulkanFacts} {
		unknown := *known
		unknown.ForwardProgress = false
		wait := map[string]bool{}
		for _, c := range slices.Concat(cases(testSizes, families), cases(testSizes, variants)) {
			shape, _, _ := strings.Cut(c.Name, "/")
			for _, f := range []*device.Facts{known, &unknown} {
				p, _ := c.Plan(f)
				if p == nil || !slices.ContainsFunc(p.Kernels, func(k *Source) bool { return k.Waits }) {
					continue
				}
				if wait[shape] = true; f == &unknown {
					t.Errorf("%s waits on a device of which nothing is known", c.Name)
				}
				if why := tooMuch(&unknown, p); why == "" {
					t.Errorf("%s would be run on a device of which nothing is known", c.Name)
				}
			}
		}
		for _, shape := range []string{"scan", "compact", "sort"} {
			if !wait[shape] {
				t.Errorf("no case of %s waits in %s, whose table entry says that it may", shape, known.Kernels)
			}
		}
	}
}

// cudaFacts are those that CUDA's shapes depend on, of the GPU that the table is for.
var cudaFacts = device.Facts{
	Kernels: cuda.Language, Subgroups: true, SubgroupSize: 32, SubgroupLinear: true, Units: 132, MaxThreads: 1024,
	WorkgroupMemory: 227 << 10, ForwardProgress: true,
}

// vulkanFacts are those of the same GPU in WGSL.
var vulkanFacts = device.Facts{
	Subgroups: true, SubgroupSize: 32, SubgroupLinear: true, Units: 132, MaxThreads: 1024, WorkgroupMemory: 48 << 10, ForwardProgress: true,
}

func TestHistogramsOfTheTableFitTheirDevices(t *testing.T) {
	long(t)
	c, err := cuda.OpenCompiler()
	for _, f := range []*device.Facts{&cudaFacts, &vulkanFacts} {
		for _, o := range []*binOp{&saturate, &argmax, &sumF32, &sumI64} {
			for _, bins := range []int{16, 256, 2048, 4096, 65536} {
				for _, part := range []bool{false, true} {
					l := lay(o, bins, f)
					if part && o.words() == 1 {
						l.partition(o, f)
					}
					p := opPlan(o, "uniform", 100, bins, nil, f, l)
					if why := tooMuch(f, p); why != "" {
						t.Errorf("%s in %d bins needs %s", o.name, bins, why)
					}
					for _, k := range p.Kernels {
						if spec := k.Spec(f); err == nil && isCUDA(f) {
							if _, err := c.Compile(&spec, "sm_90"); err != nil {
								t.Errorf("%s in %d bins: %v", o.name, bins, err)
							}
						}
					}
				}
			}
		}
	}
}

func TestShapesCompileAsCUDA(t *testing.T) {
	long(t)
	c, err := cuda.OpenCompiler()
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	seen := map[string]bool{}
	for _, shape := range cases(testSizes, families) {
		p, skip := shape.Plan(&cudaFacts)
		if p == nil {
			t.Errorf("%s: %s", shape.Name, skip)
			continue
		}
		for _, k := range p.Kernels {
			spec := k.Spec(&cudaFacts)
			if seen[spec.Name] {
				continue
			}
			seen[spec.Name] = true
			if _, err := c.Compile(&spec, "sm_90"); err != nil {
				t.Errorf("%s: %v", k.Name, err)
			}
		}
	}
}
