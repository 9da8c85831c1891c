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
		return webgpu.Guaranteed(d), nil
	case "dawn":
		return webgpu.Open(webgpu.Options{Profile: true, Library: "dawn"})
	case "cuda":
		return cuda.Open(cuda.Options{Profile: true})
	}
	return nil, fmt.Errorf("no device is called %q", which)
}

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
