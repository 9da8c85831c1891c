package skald

import (
	"skald/middle/imp"
	"skald/runtime/device"
)

// DeviceProfile gives the facts of a device that is not there, by name, for looking at the code that would be made for it: "portable" is
// what every WebGPU device guarantees, "native" what wgpu-native offers on a GPU with 64-bit types.
func DeviceProfile(name string) (*device.Facts, bool) {
	f := &device.Facts{
		Name: name, Kind: device.Unknown, Language: device.WGSLPortable, WorkgroupMemory: 16384, MaxThreads: 256,
		MaxWorkgroup: [3]uint32{256, 256, 64}, MaxGroups: [3]uint32{65535, 65535, 65535}, MaxBindings: 8,
		MaxBindingSize: 128 << 20, MaxBufferSize: 256 << 20, OffsetAlign: 256, Units: 16,
	}
	switch name {
	case "portable":
		return f, true
	case "native":
		f.Language = device.WGSLNative
		f.I64, f.F64 = true, true
		f.Atomics.I64, f.Atomics.F32Add = true, true
		return f, true
	default:
		return nil, false
	}
}

// LowText prints the low-level program for a device.
func (p *Program) LowText(facts *device.Facts) (string, error) {
	low, err := p.Lower(facts)
	if err != nil {
		return "", err
	}
	return imp.Print(low), nil
}
