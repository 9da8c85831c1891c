package targets

import (
	"fmt"
	"os"

	"skald/backends/wgsl"
	"skald/middle/imp"
	"skald/middle/lower"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/webgpu"
)

// webGPU runs kernels in WGSL through a WebGPU library.
var webGPU = &Target{
	Name: "webgpu", Doc: "GPUs, through Vulkan, Metal or D3D12, by a WebGPU library that is found or bundled",
	Place:    "a GPU through WebGPU",
	Backends: []string{"webgpu"},
	Numbered: true, Emits: []Emission{{Name: "wgsl"}},
	Flags: []Flag{
		{Name: flagLibrary, Doc: "the WebGPU library: a file, or wgpu-native or dawn", Bundling: true},
		{Name: flagDriver, Doc: "a software driver for WebGPU: lavapipe or swiftshader"},
		{Name: flagPortable, Doc: "use nothing beyond standard WebGPU", Bool: true},
	},
	Named:   func(o Options) bool { return webGPUOptions(o, 0).Named() },
	Open:    openWebGPU,
	Find:    findWebGPU,
	GPU:     webGPUHasGPU,
	Bundled: "a WebGPU library", Bundle: bundleWebGPU,
	Profiles: []Profile{
		{Name: "portable", Doc: "what every WebGPU device guarantees", Built: true, Facts: portableFacts},
		{Name: "native", Doc: "what wgpu-native offers on a GPU with 64-bit types", Built: true, Facts: nativeFacts},
		{Name: "apple", Doc: "what browsers offer on a GPU of Apple's", Facts: appleFacts},
	},
	lowering: func(f *device.Facts, out *lower.Facts) {
		out.Words, out.Vectors, out.Inlines, out.NoI64, out.NoF64 = true, true, true, !f.I64, !f.F64
		out.PrivateBytes = wgslPrivateBudget
	},
	printing: func(f *device.Facts) string { return fmt.Sprintf("%+v", wgslOptions(f)) },
	printer: func(f *device.Facts) host.Printer {
		opts := wgslOptions(f)
		return func(k *imp.Kernel) (*imp.Code, error) { return wgsl.Print(k, opts) }
	},
}

func wgslOptions(f *device.Facts) wgsl.Options {
	return wgsl.Options{
		I64: f.I64, F64: f.F64, F16: f.F16, Atomic64: f.Atomics.I64, AtomicF32: f.Atomics.F32Add,
		Enables: f.Enables, MaxBuffers: f.MaxBindings, MaxImmediates: f.MaxImmediates, Fma: f.FusesFma(),
	}
}

// The flags of webGPU.
const (
	flagLibrary  = "webgpu-library"
	flagDriver   = "webgpu-driver"
	flagPortable = "webgpu-portable"
)

func webGPUOptions(o Options, adapter int) webgpu.Options {
	library, _ := o.Bundle.Section("webgpu")
	return webgpu.Options{
		Library: o.Flags[flagLibrary], Bundle: library, Driver: o.Flags[flagDriver], Adapter: adapter,
		Portable: o.flag(flagPortable), Checked: o.Checked, Profile: o.Profile, Timeout: o.Timeout,
	}
}

func openWebGPU(o Options, adapter int) (device.Device, error) {
	d, err := webgpu.Open(webGPUOptions(o, adapter))
	if err != nil {
		return nil, err // not d: a nil pointer in an interface is not nil
	}
	return d, nil
}

func findWebGPU() []Found {
	listed := webgpu.List(webgpu.Options{})
	if len(listed) == 0 {
		_, err := webgpu.Open(webgpu.Options{}) // It says what was looked for.
		return []Found{{Select: "webgpu", Err: err}}
	}
	var out []Found
	for _, l := range listed {
		f := Found{Select: fmt.Sprintf("webgpu:%d --%s %s", l.Adapter, flagLibrary, l.Library), Err: l.Err}
		if l.Driver != "" {
			f.Select += fmt.Sprintf(" --%s %s", flagDriver, l.Driver)
		}
		if f.Err == nil {
			f.Facts, f.Err = probed(l)
		}
		out = append(out, f)
	}
	return out
}

// probed opens a device and finds out how its floating point behaves.
func probed(l webgpu.Listing) (*device.Facts, error) {
	dev, err := webgpu.Open(webgpu.Options{Library: l.Library, Driver: l.Driver, Adapter: l.Adapter})
	if err != nil {
		return nil, err
	}
	defer dev.Close() //nolint:errcheck // nothing is under way
	if _, err := dev.ProbeFloats(); err != nil {
		return nil, err
	}
	if _, err := dev.ProbeSharing(); err != nil {
		return nil, err
	}
	return dev.Facts(), nil
}

func webGPUHasGPU() bool {
	for _, l := range webgpu.List(webgpu.Options{}) {
		if l.Err == nil && l.Facts.Kind.IsGPU() {
			return true
		}
	}
	return false
}

// bundleWebGPU reads the library that is named or found.
func bundleWebGPU(o Options) ([]byte, error) {
	options := webgpu.Options{Library: o.Flags[flagLibrary]}
	found := webgpu.FindLibraries(options)
	if len(found) == 0 {
		return nil, fmt.Errorf("no WebGPU library is found; name one with --%s", flagLibrary)
	}
	if err := webgpu.CheckLibrary(found[0], options); err != nil {
		return nil, err
	}
	return os.ReadFile(found[0])
}

// portableFacts are what WebGPU guarantees.
func portableFacts() device.Facts {
	return device.Facts{
		Name: "portable", Kind: device.Unknown, Kernels: webgpu.PortableWGSL, WorkgroupMemory: 16384, MaxThreads: 256,
		MaxWorkgroup: [3]uint32{256, 256, 64}, MaxGroups: [3]uint32{65535, 65535, 65535}, MaxBindings: 8,
		MaxBindingSize: 128 << 20, MaxBufferSize: 256 << 20, OffsetAlign: 256, Units: 16,
	}
}

// appleFacts are those of a GPU like Apple's through Metal, by what its makers document: none was recorded.
func appleFacts() device.Facts {
	f := portableFacts()
	f.Name, f.Kind, f.API = "apple", device.Integrated, "Dawn, Metal"
	f.Enables, f.F16 = []string{"f16", "subgroups"}, true
	f.Subgroups, f.SubgroupSize, f.SubgroupMin, f.SubgroupMax, f.SubgroupLinear = true, 32, 32, 32, true
	f.WorkgroupMemory, f.MaxThreads, f.MaxWorkgroup = 32768, 1024, [3]uint32{1024, 1024, 64}
	f.MaxBindings, f.MaxBindingSize, f.MaxBufferSize, f.OffsetAlign = 10, 4<<30-4, 4<<30, 32
	return f
}

// nativeFacts are portableFacts with the 64-bit types that wgpu-native has.
func nativeFacts() device.Facts {
	f := portableFacts()
	f.Name, f.Kernels = "native", webgpu.NativeWGSL
	f.I64, f.F64 = true, true
	f.Atomics.I64, f.Atomics.F32Add = true, true
	f.MaxImmediates = 128
	return f
}
