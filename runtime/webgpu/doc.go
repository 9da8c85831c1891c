// Package webgpu runs kernels through the C API of WebGPU, loaded at run time
// without cgo: wgpu-native 29 first, Dawn second, on Vulkan, Metal or D3D12.
//
// # Place
//
// It implements runtime/device, and imports of ours nothing else but
// runtime/dynlib and runtime/cache. The lowest
// layer is the API itself (types.go, library.go, call_*.go, callback*.go, catch_*.go,
// handles.go), one for both libraries; what differs between them is a table
// (dialect.go). Above it lie opening (search.go, vulkan.go, open.go, facts.go,
// guaranteed.go), probes of what a device does (probe.go, subgroups.go, floats.go,
// sharing.go, progress.go), and the device: memory and transfers (memory.go,
// transfer.go, fetch.go, ring.go, move.go), kernels and kept pipelines (kernel.go,
// blobs.go), recording and submission (record.go), waiting (wait.go) and times
// (profile.go).
//
// # Invariants
//
// No call that is known to abort the process is bound, but for two without which
// nothing runs (Note [Panics of the library]); every device has handlers for errors
// and loss, and every failure becomes a *device.Error. One mutex of
// the device orders recording; compiling and waiting happen outside it. Go
// pointers reach C only for the time of a call, converted in its argument list;
// what C keeps are integers that index tables of ours.
//
// # Kernels
//
// A kernel of k buffers and a params block is an entry point of a WGSL module, where
//
//	buffer i is   @group(0) @binding(i) var<storage, read_write> …, or read
//	the block is  @group(0) @binding(k) var<uniform> params: Params;
//	or, if the spec says Immediate,     var<immediate> params: Params;
//
// WebGPU refuses a buffer that one dispatch binds both to be read and to be written:
// see Note [Arrays that are only read].
//
// # Example
//
//	dev, err := webgpu.Open(webgpu.Options{})
//	ks, err := dev.Compile([]device.KernelSpec{{
//		Name: "double", Source: text, Entry: "main", Buffers: 1, Workgroup: [3]uint32{64, 1, 1},
//	}})
//	buf, err := dev.Alloc(4096)
//	err = dev.Upload(buf, 0, data)
//	err = dev.Launch(device.Launch{
//		Kernel: ks[0], Groups: [3]uint32{16, 1, 1}, Buffers: []device.Binding{{Buffer: buf}},
//	})
//	err = dev.Download(device.Region{Buffer: buf, Data: data})
package webgpu
