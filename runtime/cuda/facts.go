package cuda

import (
	"fmt"
	"unsafe"

	"skald/runtime/device"
)

// Numbers of CUdevice_attribute.
const (
	attrMaxThreads      = 1
	attrMaxBlockX       = 2
	attrMaxGridX        = 5
	attrSharedPerBlock  = 8
	attrMultiprocessors = 16
	attrIntegrated      = 18
	attrMajor           = 75
	attrMinor           = 76
	attrSharedOptin     = 97
)

// A kernel's arguments may have 4096 bytes: pointers, then the params block.
const (
	mostBindings = 64
	mostParams   = 4096 - 8*mostBindings
)

// Language is what the facts call the language of kernels.
const Language = "cuda"

// FactsOf states what every GPU of a compute capability offers, without the sizes of one.
func FactsOf(major, minor int) device.Facts {
	return device.Facts{
		API: "CUDA", Kind: device.Discrete, Kernels: Language, Architecture: architecture(major, minor), I64: true, F64: true,
		Atomics:   device.Atomics{I64: true, I64Min: true, F32Add: true, F64Add: major >= 6, Shared64: true},
		Subgroups: true, SubgroupLinear: true, SubgroupID: true, SubgroupSize: 32, SubgroupMin: 32, SubgroupMax: 32,
		MaxBindings: mostBindings, MaxParams: mostParams, OffsetAlign: 16, Units: 1,
		// Threads are scheduled independently since Volta, and workgroups start in
		// order.
		ForwardProgress: major >= 7, Unchecked: true, Timestamps: true, SizesAtLaunch: true,
		Floats: device.IEEEFloats, // CUDA promises it for the options that we compile with.
	}
}

// architecture is what NVRTC calls a compute capability.
func architecture(major, minor int) string { return fmt.Sprintf("sm_%d%d", major, minor) }

// RunsCodeFor reports whether GPUs of one architecture run machine code for another: that of the same major compute capability, and of a
// minor one no larger.
func RunsCodeFor(gpu, code string) bool {
	return len(gpu) > 4 && len(gpu) == len(code) && gpu[:len(gpu)-1] == code[:len(code)-1] && gpu[len(gpu)-1] >= code[len(code)-1]
}

// gpuFacts states what a GPU offers; c, which may be nil, is the compiler to name.
func (d *driver) gpuFacts(gpu int32, c *Compiler) (f device.Facts) {
	name := make([]byte, 256)
	call(d.sym.DeviceGetName, uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(gpu))
	total := new(uintptr)
	call(d.sym.DeviceTotalMem, uintptr(unsafe.Pointer(total)), uintptr(gpu))
	major, minor := d.attribute(gpu, attrMajor), d.attribute(gpu, attrMinor)
	f = FactsOf(major, minor)
	f.Name, f.API = goString(uintptr(unsafe.Pointer(&name[0]))), "CUDA "+f.Architecture
	f.Driver = fmt.Sprintf("CUDA %d.%d", d.version/1000, d.version%1000/10)
	f.WorkgroupMemory = max(d.attribute(gpu, attrSharedPerBlock), d.attribute(gpu, attrSharedOptin))
	f.MaxThreads = d.attribute(gpu, attrMaxThreads)
	f.MaxBindingSize, f.MaxBufferSize = int64(*total), int64(*total)
	f.Units = max(d.attribute(gpu, attrMultiprocessors), 1)
	if c != nil {
		f.Library = c.path
		f.API += ", NVRTC " + c.version
	}
	if d.attribute(gpu, attrIntegrated) != 0 {
		f.Kind = device.Integrated
	}
	for i := range 3 {
		f.MaxWorkgroup[i] = uint32(d.attribute(gpu, attrMaxBlockX+uintptr(i)))
		f.MaxGroups[i] = uint32(d.attribute(gpu, attrMaxGridX+uintptr(i)))
	}
	return f
}
