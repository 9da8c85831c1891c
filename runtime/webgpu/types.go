package webgpu

import "unsafe"

// The structs of webgpu.h that we pass, byte for byte as C lays them out. They
// are the same in both libraries but for the instance descriptor. A test compares
// each with what a C compiler makes of the library's own header; the C name of T
// is WGPU followed by T's name with a capital.

// stringView is a text of ours with a length; it need not end in a zero byte.
type stringView struct {
	data   *byte
	length uintptr
}

// view makes a stringView of a Go string, which must outlive it.
func view(s string) stringView {
	if s == "" {
		return stringView{}
	}
	return stringView{unsafe.StringData(s), uintptr(len(s))}
}

// foreignView is a text of the library, laid out as stringView. Its address is no pointer to Go: that of an empty text may be any number
// but 0, Rust's is 1, and Go's run time ends a program that has such a pointer on a stack which it moves.
type foreignView struct{ data, length uintptr }

// String copies the text to Go.
func (v foreignView) String() string {
	if v.data == 0 || v.length == 0 {
		return ""
	}
	n := v.length
	if n == ^uintptr(0) { // It ends in a zero byte.
		for n = 0; *foreign(v.data + n) != 0; n++ {
		}
	}
	return string(unsafe.Slice(foreign(v.data), n))
}

// foreign makes an address of the library's memory a pointer, which cannot confuse the collector.
func foreign(p uintptr) *byte { return (*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&p))) }

type chainedStruct struct {
	next  unsafe.Pointer
	sType uint32
	_     uint32
}

// callbackInfo stands for all structs of that kind with a mode.
type callbackInfo struct {
	next     unsafe.Pointer
	mode     uint32
	_        uint32
	callback uintptr
	user1    uintptr
	user2    uintptr
}

type uncapturedErrorCallbackInfo struct {
	next     unsafe.Pointer
	callback uintptr
	user1    uintptr
	user2    uintptr
}

// instanceDescriptor is wgpu-native's.
type instanceDescriptor struct {
	next         unsafe.Pointer
	featureCount uintptr
	features     *uint32
	limits       unsafe.Pointer
}

// instanceExtras chooses wgpu-native's graphics APIs.
type instanceExtras struct {
	chain          chainedStruct
	backends       uint64
	flags          uint64
	dx12Compiler   uint32
	glesMinor      uint32
	glFence        uint32
	_              uint32
	dxcPath        stringView
	dxcMaxModel    uint32
	dx12Swapchain  uint32
	budgetCreation *byte
	budgetLoss     *byte
	display        [3]uintptr
}

// instanceEnumerateAdapterOptions belongs to wgpu-native's list of adapters.
type instanceEnumerateAdapterOptions struct {
	next     unsafe.Pointer
	backends uint64
}

// dawnInstanceDescriptor is the instance descriptor of Dawn's header.
type dawnInstanceDescriptor struct {
	next           unsafe.Pointer
	capNext        unsafe.Pointer
	timedWaitAny   uint32
	_              uint32
	timedWaitCount uintptr
}

// dawnTogglesDescriptor turns Dawn's switches on and off by name.
type dawnTogglesDescriptor struct {
	chain         chainedStruct
	enabledCount  uintptr
	enabled       **byte
	disabledCount uintptr
	disabled      **byte
}

// dawnCacheDeviceDescriptor names the place where Dawn keeps what it compiles.
type dawnCacheDeviceDescriptor struct {
	chain        chainedStruct
	isolationKey stringView
	load         uintptr
	store        uintptr
	user         uintptr
}

type requestAdapterOptions struct {
	next                 unsafe.Pointer
	featureLevel         uint32
	powerPreference      uint32
	forceFallbackAdapter uint32
	backendType          uint32
	compatibleSurface    uintptr
}

type adapterInfo struct {
	next                                      unsafe.Pointer
	vendor, architecture, device, description foreignView
	backendType, adapterType                  uint32
	vendorID, deviceID                        uint32
	subgroupMinSize, subgroupMaxSize          uint32
}

type limits struct {
	next                                      unsafe.Pointer
	maxTextureDimension1D                     uint32
	maxTextureDimension2D                     uint32
	maxTextureDimension3D                     uint32
	maxTextureArrayLayers                     uint32
	maxBindGroups                             uint32
	maxBindGroupsPlusVertexBuffers            uint32
	maxBindingsPerBindGroup                   uint32
	maxDynamicUniformBuffersPerPipelineLayout uint32
	maxDynamicStorageBuffersPerPipelineLayout uint32
	maxSampledTexturesPerShaderStage          uint32
	maxSamplersPerShaderStage                 uint32
	maxStorageBuffersPerShaderStage           uint32
	maxStorageTexturesPerShaderStage          uint32
	maxUniformBuffersPerShaderStage           uint32
	maxUniformBufferBindingSize               uint64
	maxStorageBufferBindingSize               uint64
	minUniformBufferOffsetAlignment           uint32
	minStorageBufferOffsetAlignment           uint32
	maxVertexBuffers                          uint32
	_                                         uint32
	maxBufferSize                             uint64
	maxVertexAttributes                       uint32
	maxVertexBufferArrayStride                uint32
	maxInterStageShaderVariables              uint32
	maxColorAttachments                       uint32
	maxColorAttachmentBytesPerSample          uint32
	maxComputeWorkgroupStorageSize            uint32
	maxComputeInvocationsPerWorkgroup         uint32
	maxComputeWorkgroupSizeX                  uint32
	maxComputeWorkgroupSizeY                  uint32
	maxComputeWorkgroupSizeZ                  uint32
	maxComputeWorkgroupsPerDimension          uint32
	maxImmediateSize                          uint32
}

type supportedFeatures struct {
	featureCount uintptr
	features     *uint32
}

type queueDescriptor struct {
	next  unsafe.Pointer
	label stringView
}

type deviceDescriptor struct {
	next                        unsafe.Pointer
	label                       stringView
	requiredFeatureCount        uintptr
	requiredFeatures            *uint32
	requiredLimits              *limits
	defaultQueue                queueDescriptor
	deviceLostCallbackInfo      callbackInfo
	uncapturedErrorCallbackInfo uncapturedErrorCallbackInfo
}

type futureWaitInfo struct {
	future    uint64
	completed uint32
	_         uint32
}

type bufferDescriptor struct {
	next             unsafe.Pointer
	label            stringView
	usage            uint64
	size             uint64
	mappedAtCreation uint32
	_                uint32
}

type shaderSourceWGSL struct {
	chain chainedStruct
	code  stringView
}

type shaderModuleDescriptor struct {
	next  unsafe.Pointer
	label stringView
}

type bufferBindingLayout struct {
	next             unsafe.Pointer
	kind             uint32
	hasDynamicOffset uint32
	minBindingSize   uint64
}

type samplerBindingLayout struct {
	next unsafe.Pointer
	kind uint32
	_    uint32
}

type textureBindingLayout struct {
	next          unsafe.Pointer
	sampleType    uint32
	viewDimension uint32
	multisampled  uint32
	_             uint32
}

type storageTextureBindingLayout struct {
	next          unsafe.Pointer
	access        uint32
	format        uint32
	viewDimension uint32
	_             uint32
}

type bindGroupLayoutEntry struct {
	next             unsafe.Pointer
	binding          uint32
	_                uint32
	visibility       uint64
	bindingArraySize uint32
	_                uint32
	buffer           bufferBindingLayout
	sampler          samplerBindingLayout
	texture          textureBindingLayout
	storageTexture   storageTextureBindingLayout
}

type bindGroupLayoutDescriptor struct {
	next       unsafe.Pointer
	label      stringView
	entryCount uintptr
	entries    *bindGroupLayoutEntry
}

type bindGroupEntry struct {
	next        unsafe.Pointer
	binding     uint32
	_           uint32
	buffer      bufferHandle
	offset      uint64
	size        uint64
	sampler     uintptr
	textureView uintptr
}

type bindGroupDescriptor struct {
	next       unsafe.Pointer
	label      stringView
	layout     bindGroupLayoutHandle
	entryCount uintptr
	entries    *bindGroupEntry
}

type pipelineLayoutDescriptor struct {
	next                 unsafe.Pointer
	label                stringView
	bindGroupLayoutCount uintptr
	bindGroupLayouts     *bindGroupLayoutHandle
	immediateSize        uint32
	_                    uint32
}

type computeState struct {
	next          unsafe.Pointer
	module        moduleHandle
	entryPoint    stringView
	constantCount uintptr
	constants     unsafe.Pointer
}

type computePipelineDescriptor struct {
	next    unsafe.Pointer
	label   stringView
	layout  pipelineLayoutHandle
	compute computeState
}

type passTimestampWrites struct {
	next                      unsafe.Pointer
	querySet                  querySetHandle
	beginningOfPassWriteIndex uint32
	endOfPassWriteIndex       uint32
}

type computePassDescriptor struct {
	next            unsafe.Pointer
	label           stringView
	timestampWrites *passTimestampWrites
}

type querySetDescriptor struct {
	next  unsafe.Pointer
	label stringView
	kind  uint32
	count uint32
}

// The constants of webgpu.h that are the same in both libraries.
const (
	sTypeShaderSourceWGSL = 2
	sTypeDawnToggles      = 0x5000A
	sTypeDawnCache        = 0x50007
	sTypeInstanceExtras   = 0x30004

	modeWaitAnyOnly      = 1
	modeAllowSpontaneous = 3

	usageMapRead  = 0x1
	usageMapWrite = 0x2
	usageCopySrc  = 0x4
	usageCopyDst  = 0x8
	usageUniform  = 0x40
	usageStorage  = 0x80
	usageQuery    = 0x200

	bindUniform         = 2
	bindStorage         = 3
	bindReadOnlyStorage = 4
	stageCompute        = 4

	mapRead = 1

	statusSuccess = 1

	filterValidation  = 1
	filterOutOfMemory = 2
	filterInternal    = 3

	errorNone        = 1
	errorValidation  = 2
	errorOutOfMemory = 3

	queryTimestamp = 2

	backendD3D12  = 4
	backendMetal  = 5
	backendVulkan = 6
	backendNull   = 1

	featureLevelCore = 2
	powerHigh        = 2
)
