package skald

import (
	"fmt"
	"strconv"
	"strings"

	"skald/runtime/cpu"
	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/webgpu"
)

// DeviceOptions say which device to open, and how.
type DeviceOptions struct {
	// Name is "" or "auto" for the best device present, or KIND[:NUMBER] with a kind out of webgpu, cuda and cpu.
	Name string
	// Library is a WebGPU library to use instead of those that are searched for; Bundle is one that an executable carries.
	Library string
	Bundle  []byte
	// Driver is a software driver to use for WebGPU: lavapipe or swiftshader.
	Driver string
	// Portable asks WebGPU for nothing beyond its standard.
	Portable bool
	// Checked keeps WebGPU's own bounds checks in kernels, besides those that the program has.
	Checked bool
	// Profile measures each launch.
	Profile bool
}

// OpenDevice opens a device. With no name it takes the first that works of WebGPU and the CPU; note then says why
// an earlier one was passed over. Who names a WebGPU library or driver gets no other device.
func OpenDevice(o DeviceOptions) (dev device.Device, note string, err error) {
	kind, number, err := splitDevice(o.Name)
	if err != nil {
		return nil, "", err
	}
	switch kind {
	case "", "auto":
		d, err := webgpu.Open(o.webgpu(0))
		if err == nil {
			return d, "", nil
		}
		if o.webgpu(0).Named() {
			return nil, "", err
		}
		return cpu.Open(cpu.Options{Profile: o.Profile}), err.Error(), nil
	case "webgpu":
		d, err := webgpu.Open(o.webgpu(number))
		if err != nil {
			return nil, "", err
		}
		return d, "", nil
	case "cuda":
		d, err := cuda.Open(cuda.Options{GPU: number, Profile: o.Profile})
		if err != nil {
			return nil, "", err
		}
		return d, "", nil
	case "cpu":
		if number != 0 {
			return nil, "", fmt.Errorf("device %q: there is one cpu", o.Name)
		}
		return cpu.Open(cpu.Options{Profile: o.Profile}), "", nil
	default:
		return nil, "", fmt.Errorf("no device is called %q; there are auto, webgpu[:NUMBER], cuda[:NUMBER] and cpu; "+
			"`skald devices` lists those of this machine", o.Name)
	}
}

func (o DeviceOptions) webgpu(adapter int) webgpu.Options {
	return webgpu.Options{
		Library: o.Library, Bundle: o.Bundle, Driver: o.Driver, Adapter: adapter, Portable: o.Portable, Checked: o.Checked, Profile: o.Profile,
	}
}

// splitDevice takes KIND:NUMBER apart.
func splitDevice(name string) (kind string, number int, err error) {
	kind, rest, found := strings.Cut(name, ":")
	if !found {
		return kind, 0, nil
	}
	number, err = strconv.Atoi(rest)
	if err != nil || number < 0 {
		return "", 0, fmt.Errorf("device %q: %q is not the number of a device", name, rest)
	}
	return kind, number, nil
}
