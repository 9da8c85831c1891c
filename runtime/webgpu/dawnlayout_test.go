package webgpu

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// Dawn's package has no header to compare our structs with. So the library itself is
// asked where it reads and writes: a struct that it fills is followed by a pattern
// that must survive, and a struct that it reads gets one value that it objects to,
// which it must name.

// openDawn opens Dawn on SwiftShader.
func openDawn(t *testing.T) *Device {
	t.Helper()
	d, err := Open(Options{Library: "dawn", Driver: "swiftshader"})
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func TestDawnFillsStructsToTheirEnd(t *testing.T) {
	d := openDawn(t)
	c := &connection{lib: d.conn.lib, instance: d.conn.instance}
	a := uintptr(c.enumerate()[0])
	for name, s := range map[string]struct {
		fill uintptr
		size uintptr
	}{
		"Limits":            {c.lib.sym.AdapterGetLimits, unsafe.Sizeof(limits{})},
		"AdapterInfo":       {c.lib.sym.AdapterGetInfo, unsafe.Sizeof(adapterInfo{})},
		"SupportedFeatures": {c.lib.sym.AdapterGetFeatures, unsafe.Sizeof(supportedFeatures{})},
	} {
		const pattern = 0xA5
		memory := make([]byte, 1024)
		for i := range memory[8:] { // The chain is null.
			memory[8+i] = pattern
		}
		call(s.fill, a, uintptr(unsafe.Pointer(&memory[0])))
		end := len(memory)
		for end > 0 && memory[end-1] == pattern {
			end--
		}
		if uintptr(end) != s.size {
			t.Errorf("%s: %d bytes are written, ours has %d", name, end, s.size)
		}
	}
}

// TestDawnReadsEachLimit asks for more than the adapter has of one limit at a time.
func TestDawnReadsEachLimit(t *testing.T) {
	d := openDawn(t)
	c := &connection{lib: d.conn.lib, instance: d.conn.instance}
	typ := reflect.TypeFor[limits]()
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Name == "next" || f.Name == "_" {
			continue
		}
		a := c.enumerate()[0]
		lim := c.adapterLimits(a)
		at := unsafe.Add(unsafe.Pointer(&lim), f.Offset)
		change := uint64(1)
		if strings.HasPrefix(f.Name, "min") {
			change = ^uint64(16) + 1 // Less is stricter.
		}
		if f.Type.Size() == 8 {
			*(*uint64)(at) += change
		} else if *(*uint32)(at) != ^uint32(0) {
			*(*uint32)(at) += uint32(change)
		}
		desc := &deviceDescriptor{requiredLimits: &lim}
		r, ok := c.await(request(c.lib.sym.AdapterRequestDevice, callbackTable().object,
			uintptr(a), uintptr(unsafe.Pointer(desc))), time.Minute)
		runtime.KeepAlive(desc)
		if !ok || r.status == statusSuccess || !strings.Contains(r.text, f.Name) {
			t.Errorf("%s: status %d, %s", f.Name, r.status, r.text)
		}
	}
}

// wrong is a value that no field may have.
const wrong = 0x7A17

// probe puts a wrong value into a struct, which the complaint must say.
type probe struct {
	make func()
	says string
}

// complain checks that each probe, by the field that it is about, is objected to.
func complain(t *testing.T, c *connection, probes map[string]probe) {
	t.Helper()
	for what, p := range probes {
		if kind, text := c.guarded(p.make); kind == errorNone || !strings.Contains(text, p.says) {
			t.Errorf("%s: no complaint that has %s: %q", what, p.says, text)
		}
	}
}

// storageEntry is what is right of a bind group layout.
func storageEntry(binding uint32) bindGroupLayoutEntry {
	return bindGroupLayoutEntry{binding: binding, visibility: stageCompute, buffer: bufferBindingLayout{kind: bindStorage}}
}

func groupLayout(c *connection, es ...bindGroupLayoutEntry) bindGroupLayoutHandle {
	g := &bindGroupLayoutDescriptor{label: view("labelled"), entryCount: uintptr(len(es)), entries: unsafe.SliceData(es)}
	return bindGroupLayoutHandle(call(c.lib.sym.DeviceCreateBindGroupLayout, c.device, uintptr(unsafe.Pointer(g))))
}

func TestDawnReadsLayoutsWhereTheyAre(t *testing.T) {
	c := openDawn(t).conn
	second := func(change func(*bindGroupLayoutEntry)) func() {
		e := bindGroupLayoutEntry{binding: 1, visibility: stageCompute}
		change(&e)
		return func() { groupLayout(c, storageEntry(0), e) }
	}
	complain(t, c, map[string]probe{
		"BindGroupLayoutEntry.binding": {func() { groupLayout(c, storageEntry(3), storageEntry(3)) }, "(3)"},
		"BindGroupLayoutEntry.visibility": {
			second(func(e *bindGroupLayoutEntry) { e.visibility, e.buffer.kind = wrong, bindStorage }), "ShaderStage",
		},
		"BindGroupLayoutEntry.bindingArraySize": { // Which it calls the binding, and the binding the size.
			second(func(e *bindGroupLayoutEntry) { e.bindingArraySize, e.buffer.kind = wrong, bindStorage }), fmt.Sprint(wrong),
		},
		"BufferBindingLayout.type": {
			second(func(e *bindGroupLayoutEntry) { e.buffer.kind = wrong }), "BufferBindingType",
		},
		"SamplerBindingLayout.type": {
			second(func(e *bindGroupLayoutEntry) { e.sampler.kind = wrong }), "SamplerBindingType",
		},
		"TextureBindingLayout.sampleType": {
			second(func(e *bindGroupLayoutEntry) { e.texture.sampleType = wrong }), "TextureSampleType",
		},
		"TextureBindingLayout.viewDimension": {
			second(func(e *bindGroupLayoutEntry) { e.texture = textureBindingLayout{sampleType: 2, viewDimension: wrong} }),
			"TextureViewDimension",
		},
		"StorageTextureBindingLayout.access": {
			second(func(e *bindGroupLayoutEntry) { e.storageTexture.access = wrong }), "StorageTextureAccess",
		},
		"StorageTextureBindingLayout.format": {
			second(func(e *bindGroupLayoutEntry) {
				e.storageTexture = storageTextureBindingLayout{access: 2, format: wrong}
			}),
			"TextureFormat",
		},
		"PipelineLayoutDescriptor.immediateSize": {func() {
			p := &pipelineLayoutDescriptor{immediateSize: wrong}
			call(c.lib.sym.DeviceCreatePipelineLayout, c.device, uintptr(unsafe.Pointer(p)))
		}, "immediateSize"},
		"PipelineLayoutDescriptor.bindGroupLayouts": {func() {
			l := slices.Repeat([]bindGroupLayoutHandle{groupLayout(c, storageEntry(0))}, 77)
			p := &pipelineLayoutDescriptor{bindGroupLayoutCount: 77, bindGroupLayouts: &l[0]}
			call(c.lib.sym.DeviceCreatePipelineLayout, c.device, uintptr(unsafe.Pointer(p)))
		}, "77"},
	})
}

func TestDawnReadsBindGroupsWhereTheyAre(t *testing.T) {
	c := openDawn(t).conn
	sized := storageEntry(0)
	sized.buffer.minBindingSize = wrong
	layout, one := groupLayout(c, storageEntry(0), storageEntry(3)), groupLayout(c, sized)
	buffer := c.createBuffer(usageStorage|usageCopyDst, 1<<16)
	bind := func(l bindGroupLayoutHandle, es ...bindGroupEntry) func() {
		return func() { c.createBindGroup(l, es) }
	}
	first := bindGroupEntry{buffer: buffer, size: 4}
	complain(t, c, map[string]probe{
		"BufferBindingLayout.minBindingSize": {bind(one, bindGroupEntry{buffer: buffer, size: 256}), fmt.Sprint(wrong)},
		"BindGroupEntry.binding": {
			bind(layout, first, bindGroupEntry{binding: wrong, buffer: buffer, size: 4}), fmt.Sprint(wrong),
		},
		"BindGroupEntry.offset": {
			bind(layout, first, bindGroupEntry{binding: 3, buffer: buffer, offset: wrong, size: 4}), fmt.Sprint(wrong),
		},
		"BindGroupEntry.size": {
			bind(layout, first, bindGroupEntry{binding: 3, buffer: buffer, size: 1 << 33}), fmt.Sprint(1 << 33),
		},
		"BindGroupDescriptor.layout": {bind(layout, first), "labelled"},
	})
}

func TestDawnReadsOtherStructsWhereTheyAre(t *testing.T) {
	c := openDawn(t).conn
	module, queries := c.createModule(scaleKernel.Source, true), c.createQuerySet(2)
	timestamps := func(from, to uint32) func() {
		return func() {
			e := c.createEncoder()
			w := &passTimestampWrites{querySet: queries, beginningOfPassWriteIndex: from, endOfPassWriteIndex: to}
			c.endPass(c.beginPass(e, w))
			c.finish(e)
			c.releaseSpent()
		}
	}
	complain(t, c, map[string]probe{
		"BufferDescriptor.usage": {func() { c.createBuffer(1<<20, 16) }, "BufferUsage"},
		"BufferDescriptor.size":  {func() { c.createBuffer(usageStorage, 1<<41+8) }, fmt.Sprint(1<<41 + 8)},
		"BufferDescriptor.mappedAtCreation": {func() {
			b := &bufferDescriptor{usage: usageStorage, size: wrong, mappedAtCreation: 1}
			call(c.lib.sym.DeviceCreateBuffer, c.device, uintptr(unsafe.Pointer(b)))
		}, fmt.Sprint(wrong)},
		"ComputeState.entryPoint":  {func() { c.createPipeline(module, "nowhere", 0) }, "nowhere"},
		"QuerySetDescriptor.count": {func() { c.createQuerySet(1 << 30) }, fmt.Sprint(1 << 30)},
		"QuerySetDescriptor.type": {func() {
			q := &querySetDescriptor{kind: wrong, count: 2}
			call(c.lib.sym.DeviceCreateQuerySet, c.device, uintptr(unsafe.Pointer(q)))
		}, "QueryType"},
		"PassTimestampWrites.beginningOfPassWriteIndex": {timestamps(wrong, 1), fmt.Sprint(wrong)},
		"PassTimestampWrites.endOfPassWriteIndex":       {timestamps(0, wrong), fmt.Sprint(wrong)},
	})
}

// TestDawnReadsTheInstanceDescriptor sees the effects of a switch and of waits with
// a time-out, which an instance has only when asked.
func TestDawnReadsTheInstanceDescriptor(t *testing.T) {
	d := openDawn(t)
	probing := &connection{lib: d.conn.lib, instance: d.conn.instance}
	if l := probing.adapterLimits(probing.enumerate()[0]); l.maxImmediateSize == 0 {
		t.Error("the instance has not seen that unsafe interfaces are allowed")
	}
	w := &futureWaitInfo{future: d.conn.workDone().future}
	const success = 1
	status := call(d.conn.lib.sym.InstanceWaitAny, d.conn.instance, 1, uintptr(unsafe.Pointer(w)), uintptr(time.Second))
	if status != success || w.completed != 1 {
		t.Errorf("waiting with a time-out: status %d, completed %d", status, w.completed)
	}
}
