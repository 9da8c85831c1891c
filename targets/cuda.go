package targets

import (
	"fmt"

	cudac "skald/backends/cuda"
	"skald/middle/lower"
	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/host"
)

// nvidia runs kernels in CUDA C on NVIDIA's GPUs.
var nvidia = &Target{
	Name: "cuda", Doc: "NVIDIA's GPUs, by the CUDA driver and NVRTC",
	Backends: []string{"cuda"},
	Numbered: true, Emit: "cuda",
	Open: openCUDA,
	Find: findCUDA,
	GPU:  func() bool { n, err := cuda.Count(); return err == nil && n > 0 },
	Profiles: []Profile{
		{Name: "sm_90", Doc: "an H200", Built: true, Facts: func() device.Facts { return cudaFacts(9, 132, 227<<10) }},
		{Name: "sm_80", Doc: "an A100", Facts: func() device.Facts { return cudaFacts(8, 108, 163<<10) }},
		{Name: "sm_75", Doc: "a T4", Facts: func() device.Facts { return cudaFacts(7, 40, 64<<10) }},
	},
	lowering: func(_ *device.Facts, out *lower.Facts) { out.Vectors = true },
	printer:  func(*device.Facts) host.Printer { return cudac.Print },
}

func openCUDA(o Options, number int) (device.Device, error) {
	d, err := cuda.Open(cuda.Options{GPU: number, Profile: o.Profile})
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

// cudaFacts are those of a GPU of a major compute capability, with so many multiprocessors and so much workgroup memory: see the table
// of technical specifications in the CUDA C++ programming guide.
func cudaFacts(major, units, shared int) device.Facts {
	f := cuda.FactsOf(major)
	f.Name, f.Units, f.WorkgroupMemory, f.MaxThreads = fmt.Sprintf("compute capability %d", major), units, shared, 1024
	f.MaxWorkgroup, f.MaxGroups = [3]uint32{1024, 1024, 64}, [3]uint32{1<<31 - 1, 65535, 65535}
	f.MaxBindingSize, f.MaxBufferSize = 16<<30, 16<<30
	return f
}
