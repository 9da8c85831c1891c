package webgpu

import (
	"fmt"

	"skald/runtime/device"
)

// buffer implements device.Buffer.
type buffer = device.Block[*block]

// block is a buffer of the library. Its number is never used again, unlike its
// handle.
type block struct {
	handle bufferHandle
	number uint64
	size   int64
	batch  uint64 // The number of the last batch that uses it.
}

// Alloc implements device.Device.
func (d *Device) Alloc(size int64) (device.Buffer, error) {
	return d.memory.Buffer(&d.health, &d.facts, size)
}

// alloc is Alloc for the device's own use.
func (d *Device) alloc(size int64) (*buffer, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	return d.memory.Alloc(&d.facts, size)
}

// Free implements device.Device.
func (d *Device) Free(b device.Buffer) { d.memory.Free(b) }

// makeBlock asks the library for a buffer of size bytes, or of as many as it
// allows if the class is beyond that.
func (d *Device) makeBlock(size int64, usage uint64) (*block, error) {
	if limit := d.facts.MaxBufferSize; limit > 0 {
		size = min(size, limit)
	}
	var h bufferHandle
	kind, text := d.conn.guarded(func() { h = d.conn.createBuffer(usage, uint64(size)) })
	if kind == errorNone && h != 0 {
		return &block{handle: h, number: blockNumbers.Add(1), size: size}, nil
	}
	if err := d.usable(); err != nil {
		return nil, err
	}
	if h == 0 {
		kind = errorOutOfMemory
	}
	return nil, d.fault(kind, fmt.Sprintf("allocate %d bytes", size), text)
}

// dropBlock releases a block. Commands that still use it keep it alive, and so
// do bind groups: those are forgotten.
func (d *Device) dropBlock(b *block) {
	d.groups.clear(d.conn)
	call(d.conn.lib.sym.BufferRelease, uintptr(b.handle))
}
