package targets

import (
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	cudac "skald/backends/cuda"
	"skald/middle/lower"
	"skald/runtime/bundle"
	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/host"
)

// nvidia runs kernels in CUDA C on NVIDIA's GPUs.
var nvidia = &Target{
	Name: "cuda", Doc: "NVIDIA's GPUs, by the CUDA driver and NVRTC",
	Place:    "a GPU through CUDA",
	Backends: []string{"cuda"},
	Numbered: true, Emits: []Emission{{Name: "cuda", Text: cudac.Text}},
	Open: openCUDA,
	Find: findCUDA,
	GPU:  func() bool { n, err := cuda.Count(); return err == nil && n > 0 },
	Code: cudaCode,
	Profiles: []Profile{
		{Name: "sm_90", Doc: "an H200", Built: true, Facts: func() device.Facts { return cudaFacts(9, 0, 132, 227, 16) }},
		{Name: "sm_80", Doc: "an A100", Facts: func() device.Facts { return cudaFacts(8, 0, 108, 163, 16) }},
		{Name: "sm_75", Doc: "a T4", Facts: func() device.Facts { return cudaFacts(7, 5, 40, 64, 7) }},
	},
	covers: func(dev, profile *device.Facts) bool {
		return cuda.RunsCodeFor(dev.Architecture, profile.Architecture) && dev.MaxBufferSize >= profile.MaxBufferSize
	},
	lowering: func(f *device.Facts, out *lower.Facts) {
		out.Vectors, out.HalfFactor, out.Replays, out.LookBack = true, true, true, f.ForwardProgress && f.Atomics.I64
		out.Converges, out.Rooms, out.PrivateBytes = f.ForwardProgress, f.SizesAtLaunch, privateBudget
	},
	printer: func(*device.Facts) host.Printer { return cudac.Print },
}

func openCUDA(o Options, number int) (device.Device, error) {
	kept := func(name string) []byte {
		code, _ := o.Bundle.Section(cuda.SectionName(name))
		return code
	}
	d, err := cuda.Open(cuda.Options{GPU: number, Profile: o.Profile, Timeout: o.Timeout, Kept: kept})
	if err != nil {
		return nil, err // not d: a nil pointer in an interface is not nil
	}
	return d, nil
}

func findCUDA() []Found {
	n, err := cuda.Count()
	if err != nil {
		return []Found{{Select: "cuda", Err: err}}
	}
	var out []Found
	for i := range n {
		f := Found{Select: fmt.Sprintf("cuda:%d", i)}
		facts, err := cuda.Describe(i)
		f.Facts, f.Err = &facts, err
		out = append(out, f)
	}
	return out
}

// cudaFacts are those of a GPU of a compute capability, with so many multiprocessors, so many KiB of workgroup memory and at least so many
// GiB: see the table of technical specifications in the CUDA C++ programming guide.
func cudaFacts(major, minor, units, shared, memory int) device.Facts {
	f := cuda.FactsOf(major, minor)
	f.Name, f.Units, f.WorkgroupMemory, f.MaxThreads = "a GPU of "+f.Architecture, units, shared<<10, 1024
	f.MaxWorkgroup, f.MaxGroups = [3]uint32{1024, 1024, 64}, [3]uint32{1<<31 - 1, 65535, 65535}
	f.MaxBindingSize, f.MaxBufferSize = int64(memory)<<30, int64(memory)<<30
	return f
}

// cudaCode compiles kernels for an architecture by the NVRTC of this machine.
func cudaCode(profile *device.Facts, kernels []device.KernelSpec) ([]bundle.Section, error) {
	c, err := cuda.OpenCompiler()
	if err != nil {
		return nil, err
	}
	codes := make([][]byte, len(kernels))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range kernels {
		g.Go(func() (err error) {
			codes[i], err = c.Compile(&kernels[i], profile.Architecture)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var out []bundle.Section
	seen := map[string]bool{}
	for i, code := range codes {
		name := cuda.SectionName(cuda.CodeName(&kernels[i], profile.Architecture))
		if !seen[name] {
			seen[name] = true
			out = append(out, bundle.Section{Name: name, Data: code})
		}
	}
	return out, nil
}
