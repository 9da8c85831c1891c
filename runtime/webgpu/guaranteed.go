package webgpu

import "skald/runtime/device"

// guaranteed is a device of which no more is used than what WebGPU guarantees.
type guaranteed struct {
	device.Device
	facts device.Facts
}

// Facts returns the restricted facts.
func (g *guaranteed) Facts() *device.Facts { return &g.facts }

// Guaranteed is d as a device that has what WebGPU guarantees and no more: no subgroups, no f16, and the default limits.
func Guaranteed(d device.Device) device.Device {
	f := *d.Facts()
	f.Subgroups, f.SubgroupSize, f.SubgroupLinear, f.SubgroupID, f.F16, f.Enables = false, 0, false, false, false, nil
	f.WorkgroupMemory, f.MaxThreads, f.MaxBindings = 16<<10, 256, 8
	f.MaxBindingSize, f.MaxBufferSize = 128<<20, 256<<20
	f.ForwardProgress = false
	return &guaranteed{d, f}
}

// Compile refuses what a device with the restricted facts would refuse.
func (g *guaranteed) Compile(specs []device.KernelSpec) ([]device.Kernel, error) {
	for i := range specs {
		if err := device.CheckSpec(&g.facts, &specs[i]); err != nil {
			return nil, err
		}
	}
	return g.Device.Compile(specs)
}
