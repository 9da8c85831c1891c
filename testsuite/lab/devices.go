package main

import (
	"fmt"

	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/webgpu"
)

// open opens a device with profiling.
func open(which string) (device.Device, error) {
	switch which {
	case "webgpu":
		return webgpu.Open(webgpu.Options{Profile: true})
	case "portable":
		return webgpu.Open(webgpu.Options{Profile: true, Portable: true})
	case "guaranteed":
		d, err := webgpu.Open(webgpu.Options{Profile: true, Portable: true})
		if err != nil {
			return nil, err
		}
		return limit(d), nil
	case "dawn":
		return webgpu.Open(webgpu.Options{Profile: true, Library: "dawn"})
	case "cuda":
		return cuda.Open(cuda.Options{Profile: true})
	}
	return nil, fmt.Errorf("no device is called %q", which)
}

// limited is a device of which only what WebGPU guarantees is used.
type limited struct {
	device.Device
	facts device.Facts
}

// limit restricts a device to WebGPU's guaranteed limits, without subgroups.
func limit(d device.Device) *limited {
	f := *d.Facts()
	f.Subgroups, f.SubgroupSize, f.SubgroupLinear, f.SubgroupID, f.F16, f.Enables = false, 0, false, false, false, nil
	f.WorkgroupMemory, f.MaxThreads, f.MaxBindings = 16<<10, 256, 8
	f.MaxBindingSize, f.MaxBufferSize = 128<<20, 256<<20
	f.ForwardProgress = false
	return &limited{d, f}
}

// Facts gives the restricted facts.
func (l *limited) Facts() *device.Facts { return &l.facts }

// isCUDA reports whether a device takes CUDA C: the lab writes kernels by hand, in either language.
func isCUDA(f *device.Facts) bool { return f.Kernels == cuda.Language }

// target is the time that is wanted of a case on a device.
func (c *Case) target(which string) float64 {
	switch which {
	case "webgpu", "dawn":
		return c.Target[0]
	case "cuda":
		return c.Target[1]
	}
	return 0
}
