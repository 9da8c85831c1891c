package webgpu

import (
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The API's objects, by handle. Methods of connection make and use them; each is
// one call, with its arguments in the form that C wants.
type (
	adapterHandle         uintptr
	bufferHandle          uintptr
	moduleHandle          uintptr
	bindGroupLayoutHandle uintptr
	bindGroupHandle       uintptr
	pipelineLayoutHandle  uintptr
	pipelineHandle        uintptr
	encoderHandle         uintptr
	commandsHandle        uintptr
	passHandle            uintptr
	querySetHandle        uintptr
)

// connection is a library with an instance, and with a device once there is one.
type connection struct {
	lib      *library
	instance uintptr
	device   uintptr
	queue    uintptr
	software bool        // The device is the processor.
	broken   atomic.Bool // The library has panicked; see Note [Panics of the library].
	commands commands
	spent    spent
}

// spent is what the last submission was made of, which is released while the device works: see Note [Batches]. The device's lock is held.
type spent struct {
	encoder  encoderHandle
	commands commandsHandle
}

// releaseSpent releases what the last submission was made of. What a library holds that has panicked stays as it is.
func (c *connection) releaseSpent() {
	if c.broken.Load() {
		return
	}
	if c.spent.encoder != 0 {
		c.releaseEncoder(c.spent.encoder)
	}
	c.releaseCommands(c.spent.commands)
	c.spent = spent{}
}

// createBuffer makes a buffer that is not mapped: one that is, and too large, would
// be null without an error.
func (c *connection) createBuffer(usage, size uint64) bufferHandle {
	d := &bufferDescriptor{usage: usage, size: size}
	return bufferHandle(call(c.lib.sym.DeviceCreateBuffer, c.device, uintptr(unsafe.Pointer(d))))
}

func (c *connection) mapBuffer(b bufferHandle, mode uint64, size int64) answer {
	return request(c.lib.sym.BufferMapAsync, callbackTable().plain, uintptr(b), uintptr(mode), 0, uintptr(size))
}

// mapped returns the memory of a mapped buffer, nil if there is none.
func (c *connection) mapped(b bufferHandle, size int64) []byte {
	p := call(c.lib.sym.BufferGetConstMappedRange, uintptr(b), 0, uintptr(size))
	if p == 0 {
		return nil
	}
	return unsafe.Slice(foreign(p), size)
}

func (c *connection) unmap(b bufferHandle) { call(c.lib.sym.BufferUnmap, uintptr(b)) }

// createModule makes a shader module, without added checks if trusted and if the
// library can do so.
func (c *connection) createModule(source string, trusted bool) moduleHandle {
	w := &shaderSourceWGSL{chain: chainedStruct{sType: sTypeShaderSourceWGSL}, code: view(source)}
	m := &shaderModuleDescriptor{next: unsafe.Pointer(w)}
	defer runtime.KeepAlive(source)
	if fn := c.lib.sym.DeviceCreateShaderModuleTrusted; trusted && fn != 0 {
		return moduleHandle(call(fn, c.device, uintptr(unsafe.Pointer(m)), 0))
	}
	return moduleHandle(call(c.lib.sym.DeviceCreateShaderModule, c.device, uintptr(unsafe.Pointer(m))))
}

func (c *connection) releaseModule(m moduleHandle) { call(c.lib.sym.ShaderModuleRelease, uintptr(m)) }

func (c *connection) createPipeline(m moduleHandle, entry string, l pipelineLayoutHandle) pipelineHandle {
	d := &computePipelineDescriptor{layout: l, compute: computeState{module: m, entryPoint: view(entry)}}
	defer runtime.KeepAlive(entry)
	return pipelineHandle(call(c.lib.sym.DeviceCreateComputePipeline, c.device, uintptr(unsafe.Pointer(d))))
}

func (c *connection) releasePipeline(p pipelineHandle) {
	call(c.lib.sym.ComputePipelineRelease, uintptr(p))
}

// createLayouts makes the layouts for a calling convention: the storage buffers, and behind them a
// uniform buffer with a dynamic offset if there are params that are not immediate.
func (c *connection) createLayouts(l convention) (bindGroupLayoutHandle, pipelineLayoutHandle) {
	var entries []bindGroupLayoutEntry
	for i := range l.buffers {
		kind := uint32(bindStorage)
		if l.reads.has(i) {
			kind = bindReadOnlyStorage
		}
		entries = append(entries, bindGroupLayoutEntry{
			binding: uint32(i), visibility: stageCompute, buffer: bufferBindingLayout{kind: kind},
		})
	}
	p := &pipelineLayoutDescriptor{bindGroupLayoutCount: 1}
	switch {
	case l.immediate:
		p.immediateSize = uint32(l.params)
	case l.params > 0:
		entries = append(entries, bindGroupLayoutEntry{
			binding: uint32(l.buffers), visibility: stageCompute,
			buffer: bufferBindingLayout{kind: bindUniform, hasDynamicOffset: 1, minBindingSize: uint64(l.params)},
		})
	}
	g := &bindGroupLayoutDescriptor{entryCount: uintptr(len(entries)), entries: unsafe.SliceData(entries)}
	group := bindGroupLayoutHandle(call(c.lib.sym.DeviceCreateBindGroupLayout, c.device, uintptr(unsafe.Pointer(g))))
	list := []bindGroupLayoutHandle{group}
	p.bindGroupLayouts = &list[0]
	return group, pipelineLayoutHandle(call(c.lib.sym.DeviceCreatePipelineLayout, c.device, uintptr(unsafe.Pointer(p))))
}

func (c *connection) createBindGroup(l bindGroupLayoutHandle, entries []bindGroupEntry) bindGroupHandle {
	d := &bindGroupDescriptor{layout: l, entryCount: uintptr(len(entries)), entries: unsafe.SliceData(entries)}
	return bindGroupHandle(call(c.lib.sym.DeviceCreateBindGroup, c.device, uintptr(unsafe.Pointer(d))))
}

func (c *connection) releaseBindGroup(g bindGroupHandle) {
	call(c.lib.sym.BindGroupRelease, uintptr(g))
}

func (c *connection) createEncoder() encoderHandle {
	return encoderHandle(call(c.lib.sym.DeviceCreateCommandEncoder, c.device, 0))
}

// beginPass begins a compute pass; times, if not nil, has it write timestamps.
func (c *connection) beginPass(e encoderHandle, times *passTimestampWrites) passHandle {
	if times == nil {
		return passHandle(call(c.lib.sym.CommandEncoderBeginComputePass, uintptr(e), 0))
	}
	d := &computePassDescriptor{timestampWrites: times}
	return passHandle(call(c.lib.sym.CommandEncoderBeginComputePass, uintptr(e), uintptr(unsafe.Pointer(d))))
}

func (c *connection) endPass(p passHandle) {
	call(c.lib.sym.ComputePassEncoderEnd, uintptr(p))
	call(c.lib.sym.ComputePassEncoderRelease, uintptr(p))
}

// commands is memory for the calls that a launch is made of, so that these allocate nothing: their arguments, and what the arguments
// point to. The device's lock is held.
type commands struct {
	words      [5]uintptr
	offset     uint32
	immediates [maxImmediates]byte
}

// maxImmediates is how many bytes of immediates we use at most.
const maxImmediates = 256

// command calls a function on a pass. It passes more arguments than some functions look at.
func (c *connection) command(fn uintptr, p passHandle, args [4]uintptr) {
	c.commands.words = [5]uintptr{uintptr(p), args[0], args[1], args[2], args[3]}
	_, _, _ = purego.SyscallN(fn, c.commands.words[:]...) // It returns nothing.
	runtime.KeepAlive(c)
}

func (c *connection) setPipeline(p passHandle, k pipelineHandle) {
	c.command(c.lib.sym.ComputePassEncoderSetPipeline, p, [4]uintptr{uintptr(k)})
}

// Arguments of setGroup: whether the group has a dynamic offset.
const (
	withOffset    = true
	withoutOffset = false
)

// setGroup binds a bind group, with the dynamic offset of its params block if it
// has one.
func (c *connection) setGroup(p passHandle, g bindGroupHandle, dynamic bool, offset uint32) {
	args := [4]uintptr{0, uintptr(g)}
	if dynamic {
		c.commands.offset = offset
		args[2], args[3] = 1, uintptr(unsafe.Pointer(&c.commands.offset))
	}
	c.command(c.lib.sym.ComputePassEncoderSetBindGroup, p, args)
}

// setImmediates sets the immediate variable of the next launches of a pass.
func (c *connection) setImmediates(p passHandle, params []byte) {
	n := copy(c.commands.immediates[:], params)
	c.command(c.lib.sym.ComputePassEncoderSetImmediates, p,
		[4]uintptr{0, uintptr(unsafe.Pointer(&c.commands.immediates[0])), uintptr(n)})
}

// writeTimestamp writes timestamp i of a set when the pass's commands so far are done.
func (c *connection) writeTimestamp(p passHandle, set querySetHandle, i uint32) {
	c.command(c.lib.sym.ComputePassEncoderWriteTimestamp, p, [4]uintptr{uintptr(set), uintptr(i)})
}

func (c *connection) dispatch(p passHandle, g [3]uint32) {
	c.command(c.lib.sym.ComputePassEncoderDispatchWorkgroups, p, [4]uintptr{uintptr(g[0]), uintptr(g[1]), uintptr(g[2])})
}

func (c *connection) copyBuffer(e encoderHandle, src bufferHandle, so int64, dst bufferHandle, do, n int64) {
	call(c.lib.sym.CommandEncoderCopyBufferToBuffer, uintptr(e),
		uintptr(src), uintptr(so), uintptr(dst), uintptr(do), uintptr(n))
}

func (c *connection) clearBuffer(e encoderHandle, b bufferHandle, offset, n int64) {
	call(c.lib.sym.CommandEncoderClearBuffer, uintptr(e), uintptr(b), uintptr(offset), uintptr(n))
}

func (c *connection) releaseEncoder(e encoderHandle) {
	call(c.lib.sym.CommandEncoderRelease, uintptr(e))
}

// finish ends an encoder; what it recorded is spent.commands, 0 if that cannot be run, of which the device's error handler has been told.
func (c *connection) finish(e encoderHandle) {
	c.releaseSpent()
	c.spent = spent{e, commandsHandle(call(c.lib.sym.CommandEncoderFinish, uintptr(e), 0))}
}

// submit hands what was recorded to the queue.
func (c *connection) submit() {
	if c.spent.commands == 0 {
		return
	}
	if !caught(c.lib.sym.QueueSubmit, c.queue, 1, uintptr(unsafe.Pointer(&c.spent.commands))) {
		c.broken.Store(true)
	}
}

func (c *connection) releaseCommands(commands commandsHandle) {
	if commands != 0 {
		call(c.lib.sym.CommandBufferRelease, uintptr(commands))
	}
}

// writeBuffer copies data into a buffer before the next submission runs.
func (c *connection) writeBuffer(b bufferHandle, offset int64, data []byte) {
	if len(data) > 0 {
		call(c.lib.sym.QueueWriteBuffer, c.queue, uintptr(b), uintptr(offset),
			uintptr(unsafe.Pointer(&data[0])), uintptr(len(data)))
	}
}

func (c *connection) createQuerySet(n uint32) querySetHandle {
	d := &querySetDescriptor{kind: queryTimestamp, count: n}
	return querySetHandle(call(c.lib.sym.DeviceCreateQuerySet, c.device, uintptr(unsafe.Pointer(d))))
}

func (c *connection) resolveQueries(e encoderHandle, q querySetHandle, n int, dst bufferHandle) {
	call(c.lib.sym.CommandEncoderResolveQuerySet, uintptr(e), uintptr(q), 0, uintptr(n), uintptr(dst), 0)
}

// workDone answers when everything submitted so far is done.
func (c *connection) workDone() answer {
	return request(c.lib.sym.QueueOnSubmittedWorkDone, callbackTable().plain, c.queue)
}

// guarded runs f inside error scopes and returns the first error that it caused: its
// kind and text, or errorNone. Scopes belong to a thread of the system.
func (c *connection) guarded(f func()) (kind uint32, text string) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	filters := c.lib.filters
	for _, filter := range filters {
		call(c.lib.sym.DevicePushErrorScope, c.device, filter)
	}
	f()
	kind = errorNone
	for range filters {
		r, ok := c.await(request(c.lib.sym.DevicePopErrorScope, callbackTable().scope, c.device), 10*time.Second)
		if ok && r.kind > errorNone && kind == errorNone {
			kind, text = r.kind, r.text
		}
	}
	return kind, text
}
