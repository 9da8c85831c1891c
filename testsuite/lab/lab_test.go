package main

import (
	"errors"
	"testing"

	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/webgpu"
)

func TestShapesAgreeWithTheReference(t *testing.T) {
	for _, c := range []struct {
		name    string
		options webgpu.Options
		limited bool
	}{
		{"native-lavapipe", webgpu.Options{Library: "wgpu-native", Driver: "lavapipe"}, false},
		{"portable-swiftshader", webgpu.Options{Library: "wgpu-native", Driver: "swiftshader", Portable: true}, false},
		{"dawn-swiftshader", webgpu.Options{Library: "dawn", Driver: "swiftshader"}, false},
		{"guaranteed-lavapipe", webgpu.Options{Library: "wgpu-native", Driver: "lavapipe", Portable: true}, true},
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
				d = limit(d)
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

// cudaFacts are those that CUDA's shapes depend on, of the GPU that the table is for.
var cudaFacts = device.Facts{
	Language: device.CUDA, Subgroups: true, SubgroupSize: 32, SubgroupLinear: true, Units: 132, MaxThreads: 1024,
	WorkgroupMemory: 227 << 10,
}

// vulkanFacts are those of the same GPU in WGSL.
var vulkanFacts = device.Facts{
	Subgroups: true, SubgroupSize: 32, SubgroupLinear: true, Units: 132, MaxThreads: 1024, WorkgroupMemory: 48 << 10,
}

func TestHistogramsOfTheTableFitTheirDevices(t *testing.T) {
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
						if spec := k.Spec(f); err == nil && f.Language == device.CUDA {
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
