package webgpu

import (
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"skald/runtime/device"
)

// What we use at most of what a device offers without bound.
const (
	mostBindings = 64
	mostParams   = 4096
)

// adapterText is an adapter's description of itself.
type adapterText struct {
	vendor, architecture, name, driver string
	backend                            uint32
	kind                               device.Kind
	vendorID, deviceID                 uint32
	subgroupMin, subgroupMax           uint32
}

// adapterKinds are the kinds of hardware by WGPUAdapterType.
var adapterKinds = map[uint32]device.Kind{1: device.Discrete, 2: device.Integrated, 3: device.CPU}

// info asks an adapter for its description.
func (c *connection) info(a adapterHandle) adapterText {
	var i adapterInfo
	call(c.lib.sym.AdapterGetInfo, uintptr(a), uintptr(unsafe.Pointer(&i)))
	t := adapterText{
		vendor: i.vendor.String(), architecture: i.architecture.String(),
		name: i.device.String(), driver: i.description.String(),
		backend: i.backendType, kind: adapterKinds[i.adapterType],
		vendorID: i.vendorID, deviceID: i.deviceID,
		subgroupMin: i.subgroupMinSize, subgroupMax: i.subgroupMaxSize,
	}
	// The struct goes by value.
	callStruct(c.lib.sym.AdapterInfoFreeMembers,
		unsafe.Slice((*uintptr)(unsafe.Pointer(&i)), unsafe.Sizeof(i)/unsafe.Sizeof(uintptr(0))))
	return t
}

func (c *connection) adapterLimits(a adapterHandle) (l limits) {
	call(c.lib.sym.AdapterGetLimits, uintptr(a), uintptr(unsafe.Pointer(&l)))
	l.next = nil
	return l
}

func (c *connection) features(a adapterHandle) map[uint32]bool {
	var s supportedFeatures
	call(c.lib.sym.AdapterGetFeatures, uintptr(a), uintptr(unsafe.Pointer(&s)))
	has := map[uint32]bool{}
	for _, f := range unsafe.Slice(s.features, s.featureCount) {
		has[f] = true
	}
	callPair(c.lib.sym.SupportedFeaturesFreeMembers, s.featureCount, uintptr(unsafe.Pointer(s.features)))
	return has
}

// backendNames are the graphics APIs by WGPUBackendType.
var backendNames = map[uint32]string{
	1: "null", 3: "D3D11", backendD3D12: "D3D12", backendMetal: "Metal", backendVulkan: "Vulkan",
	7: "OpenGL", 8: "OpenGL ES",
}

// adapterFacts states what an adapter's device will offer when opened with o.
func (c *connection) adapterFacts(a adapterHandle, o Options) device.Facts {
	t, l, has := c.info(a), c.adapterLimits(a), c.features(a)
	lib := c.lib
	on := func(feature uint32) bool {
		return feature != 0 && has[feature] && slices.Contains(lib.wanted(o.Portable), feature)
	}
	f := device.Facts{
		Name: t.name, API: lib.title + ", " + backendNames[t.backend], Driver: t.driver, Library: lib.path, Kind: t.kind,
		Kernels: PortableWGSL,
		I64:     on(lib.i64), F64: on(lib.f64), F16: on(lib.f16),
		Atomics: device.Atomics{
			I64: on(lib.i64All), I64Min: on(lib.i64All) || on(lib.i64Min), F32Add: on(lib.f32Add),
		},
		Subgroups:   on(lib.subgroups) && (!lib.native || on(lib.subgroupBarrier)),
		SubgroupMin: int(t.subgroupMin), SubgroupMax: int(t.subgroupMax), SubgroupID: lib.subgroupID,
		WorkgroupMemory: int(l.maxComputeWorkgroupStorageSize),
		MaxThreads:      int(l.maxComputeInvocationsPerWorkgroup),
		MaxWorkgroup:    [3]uint32{l.maxComputeWorkgroupSizeX, l.maxComputeWorkgroupSizeY, l.maxComputeWorkgroupSizeZ},
		MaxBindings:     min(int(l.maxStorageBuffersPerShaderStage), mostBindings),
		MaxParams:       min(int(l.maxUniformBufferBindingSize), mostParams),
		MaxBindingSize:  int64(min(l.maxStorageBufferBindingSize, 1<<62)) &^ 3,
		MaxBufferSize:   int64(min(l.maxBufferSize, 1<<62)) &^ 3,
		OffsetAlign:     int64(l.minStorageBufferOffsetAlignment),
		Unchecked:       !o.Checked, Coherent: on(lib.coherent), Timestamps: on(lib.timestamp),
	}
	if on(lib.immediates) {
		f.MaxImmediates = min(int(l.maxImmediateSize), maxImmediates)
	}
	for d := range f.MaxGroups {
		f.MaxGroups[d] = l.maxComputeWorkgroupsPerDimension
	}
	if lib.native && !o.Portable {
		f.Kernels = NativeWGSL
	}
	if f.F16 {
		f.Enables = append(f.Enables, "f16")
	}
	if f.Subgroups && lib.enableSubgroups {
		f.Enables = append(f.Enables, "subgroups")
	}
	f.ForwardProgress = progresses(t)
	f.Units = units(t)
	return f
}

// units guesses how many compute units an adapter has, which WebGPU does not say.
func units(t adapterText) int {
	switch t.kind {
	case device.CPU:
		return runtime.NumCPU()
	case device.Integrated:
		return 16
	default:
	}
	for _, known := range []struct {
		name  string
		units int
	}{
		{"H200", 132},
		{"H100", 132},
		{"A100", 108},
		{"4090", 128},
		{"3090", 82},
	} {
		if strings.Contains(t.name, known.name) {
			return known.units
		}
	}
	return 64
}
