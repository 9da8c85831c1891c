package webgpu

import (
	"sync"

	"github.com/ebitengine/purego"

	"skald/runtime/device"
	"skald/runtime/dynlib"
)

// symbols are the entry points; a field's name is the C name without "wgpu".
// Those in `optional` may be missing.
type symbols struct {
	CreateInstance, InstanceRequestAdapter, InstanceWaitAny, InstanceProcessEvents, InstanceRelease,
	InstanceEnumerateAdapters,
	AdapterGetInfo, AdapterGetLimits, AdapterGetFeatures, AdapterRequestDevice, AdapterRelease,
	SupportedFeaturesFreeMembers, AdapterInfoFreeMembers,
	DeviceGetQueue, DeviceCreateBuffer, DeviceCreateShaderModule, DeviceCreateShaderModuleTrusted,
	DeviceCreateBindGroupLayout, DeviceCreatePipelineLayout, DeviceCreateComputePipeline,
	DeviceCreateBindGroup, DeviceCreateCommandEncoder, DeviceCreateQuerySet,
	DevicePushErrorScope, DevicePopErrorScope, DevicePoll, DeviceDestroy, DeviceRelease,
	ShaderModuleRelease, ComputePipelineRelease,
	BufferMapAsync, BufferGetMappedRange, BufferGetConstMappedRange, BufferUnmap, BufferDestroy, BufferRelease,
	BindGroupRelease, BindGroupLayoutRelease, PipelineLayoutRelease, QuerySetRelease, QueueRelease,
	CommandEncoderBeginComputePass, CommandEncoderCopyBufferToBuffer, CommandEncoderClearBuffer,
	CommandEncoderResolveQuerySet, CommandEncoderFinish, CommandEncoderRelease, CommandBufferRelease,
	ComputePassEncoderSetPipeline, ComputePassEncoderSetBindGroup, ComputePassEncoderDispatchWorkgroups,
	ComputePassEncoderSetImmediates, ComputePassEncoderWriteTimestamp, ComputePassEncoderEnd, ComputePassEncoderRelease,
	QueueSubmit, QueueWriteBuffer, QueueOnSubmittedWorkDone, QueueGetTimestampPeriod uintptr
}

// optional lists the calls that one of the libraries lacks. InstanceWaitAny is in
// wgpu-native, but ends the process when called; only Dawn's is used.
var optional = map[string]bool{
	"wgpuInstanceEnumerateAdapters": true, "wgpuDeviceCreateShaderModuleTrusted": true, "wgpuDevicePoll": true,
	"wgpuQueueGetTimestampPeriod": true, "wgpuComputePassEncoderSetImmediates": true,
	"wgpuComputePassEncoderWriteTimestamp": true,
}

// library is a loaded WebGPU library. It stays loaded for the process's life.
type library struct {
	path string
	*dialect
	sym symbols
}

var (
	librariesMu sync.Mutex
	libraries   = map[string]*library{}
)

// load opens a library and finds its entry points, once for each path.
func load(path string) (*library, error) {
	librariesMu.Lock()
	defer librariesMu.Unlock()
	if l := libraries[path]; l != nil {
		return l, nil
	}
	file, err := dynlib.Open(path, dynlib.Private)
	if err != nil {
		return nil, &device.Error{
			Fault: device.BadLibrary, Op: "load " + path, Err: err,
			Hint: "the file must be a WebGPU library for this operating system and processor",
		}
	}
	l := &library{path: path, dialect: &dawn}
	if file.Symbol("wgpuDevicePoll") != 0 {
		l.dialect = &wgpuNative
	}
	for _, name := range file.Bind("wgpu", &l.sym) {
		if !optional[name] {
			return nil, &device.Error{
				Fault: device.BadLibrary, Op: "load " + path, Detail: "it has no " + name,
				Hint: "use wgpu-native 29 or the Dawn that scripts/fetch-webgpu.sh fetches",
			}
		}
	}
	libraries[path] = l
	return l, nil
}

// call calls a C function with word-sized arguments. Pointers must be converted
// in the argument list itself: the directive then keeps what they point to alive
// and in place for the time of the call.
//
//go:uintptrescapes
func call(fn uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(fn, args...)
	return r
}

// request calls fn(regs..., callback info by value) for an answer that comes once.
//
//go:uintptrescapes
func request(fn, callback uintptr, regs ...uintptr) answer {
	id, ch := expect()
	future := callStruct(fn, []uintptr{0, modeWaitAnyOnly, callback, id, 0}, regs...)
	return answer{future: uint64(future), ch: ch}
}

// answer is a result that is under way.
type answer struct {
	future uint64
	ch     chan result
}
