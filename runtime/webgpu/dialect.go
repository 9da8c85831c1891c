package webgpu

// dialect is what differs between the two libraries: wgpu-native follows the
// final header and has numbers of its own, Dawn follows the header of June 2025.
type dialect struct {
	name   string // As users name it.
	title  string // As listings show it.
	native bool   // wgpu-native: waits by polling, has 64-bit types.

	// Feature numbers; 0 where the library has no such feature.
	core, timestamp, f16, subgroups, subgroupBarrier uint32
	timestampInside                                  uint32
	i64, f64, i64Min, i64All, f32Add, coherent       uint32
	immediates, deviceSync                           uint32

	// filters are the kinds of error that scopes can catch, the innermost last.
	// wgpu-native ends the process at any other.
	filters []uintptr

	// enableSubgroups: WGSL text must say `enable subgroups;`.
	enableSubgroups bool
	// subgroupID: WGSL has the builtin subgroup_id.
	subgroupID bool
}

// What the facts call the language of kernels: standard WGSL within WebGPU's guaranteed features, and wgpu-native's, which has
// 64-bit types by themselves, and 64-bit and f32 atomics.
const (
	PortableWGSL = "wgsl (portable)"
	NativeWGSL   = "wgsl (native)"
)

var wgpuNative = dialect{
	name: "wgpu-native", title: "wgpu-native 29", native: true,
	core: 1, timestamp: 9, f16: 11, subgroups: 0x30021, subgroupBarrier: 0x30023,
	i64: 0x30026, f64: 0x3001D, i64Min: 0x3002C, i64All: 0x3002D, f32Add: 0x30027, coherent: 0x3003F,
	immediates: 0x30001, timestampInside: 0x30025,
	filters:    []uintptr{filterOutOfMemory, filterValidation},
	subgroupID: true,
}

var dawn = dialect{
	name: "dawn", title: "Dawn",
	core: 18, timestamp: 3, timestampInside: 0x50003, f16: 10, subgroups: 17, deviceSync: 0x50004,
	filters:         []uintptr{filterInternal, filterOutOfMemory, filterValidation},
	enableSubgroups: true,
}

// wanted lists the features to ask for where an adapter has them. A portable
// device gets those of the standard only.
func (d *dialect) wanted(portable bool) []uint32 {
	w := []uint32{d.core, d.timestamp, d.timestampInside, d.f16, d.subgroups, d.subgroupBarrier, d.deviceSync}
	if !portable {
		w = append(w, d.i64, d.f64, d.i64Min, d.i64All, d.f32Add, d.coherent, d.immediates)
	}
	return w
}

// Switches of Dawn. Unsafe interfaces must be allowed for some of the others.
// Guards that would double the compiler's own checks are off, as are the rounding
// of timestamps and the clearing of memory that kernels never read first.
var (
	dawnInstanceToggles = []string{"allow_unsafe_apis"}
	dawnDeviceToggles   = []string{"disable_robustness", "disable_workgroup_init"}
	dawnDeviceOff       = []string{"timestamp_quantization", "lazy_clear_resource_on_first_use"}
)
