package webgpu

import (
	"fmt"

	"skald/runtime/device"
)

// buffer implements device.Buffer: a block of at least its size.
type buffer struct {
	owner *Device
	block *block
	size  int64
	class int64
}

// Size implements device.Buffer.
func (b *buffer) Size() int64 { return b.size }

// own checks that a buffer is of this device, and in use.
func (d *Device) own(op string, b device.Buffer, offset, n int64) (*buffer, error) {
	own, ok := b.(*buffer)
	if !ok || own.owner != d || own.block == nil {
		return nil, &device.Error{Fault: device.Misuse, Op: op, Detail: "the buffer is freed or another device's"}
	}
	return own, device.CheckRange(op, b, offset, n)
}

// Alloc implements device.Device.
func (d *Device) Alloc(size int64) (device.Buffer, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	if err := device.CheckAlloc(&d.facts, size); err != nil {
		return nil, err
	}
	b, err := d.alloc(size)
	if err != nil {
		return nil, err // Not b: a nil pointer in an interface is not nil.
	}
	return b, nil
}

// alloc takes a block from the pool. When the device is full, the work in flight
// is waited for, so that what it held is free, and tried again.
func (d *Device) alloc(size int64) (*buffer, error) {
	b, class, err := d.blocks.Get(size)
	if device.FaultOf(err) == device.OutOfMemory {
		if err := d.Sync(); err != nil {
			return nil, err
		}
		b, class, err = d.blocks.Get(size)
	}
	if err != nil {
		return nil, err
	}
	return &buffer{owner: d, block: b, size: size, class: class}, nil
}

// Free implements device.Device.
func (d *Device) Free(b device.Buffer) {
	own, ok := b.(*buffer)
	if !ok || own.owner != d {
		return
	}
	d.mu.Lock()
	block := own.block
	own.block = nil
	d.mu.Unlock()
	if block != nil {
		d.blocks.Put(block, own.class)
	}
}

// makeBlock asks the library for a buffer of size bytes, or of as many as it
// allows if the class is beyond that.
func (d *Device) makeBlock(size int64, usage uint64) (*block, error) {
	if limit := d.facts.MaxBufferSize; limit > 0 {
		size = min(size, limit)
	}
	var h bufferHandle
	kind, text := d.conn.guarded(func() { h = d.conn.createBuffer(usage, uint64(size), false) })
	if kind == errorNone && h != 0 {
		return &block{handle: h, number: blockNumbers.Add(1)}, nil
	}
	if err := d.usable(); err != nil {
		return nil, err
	}
	if h == 0 {
		kind = errorOutOfMemory
	}
	return nil, faultOf(kind, fmt.Sprintf("allocate %d bytes", size), text)
}

// dropBlock gives a block back. Commands that still use it keep it alive, and so
// do bind groups: those are forgotten.
func (d *Device) dropBlock(b *block) {
	d.groups.clear(d.conn)
	call(d.conn.lib.sym.BufferRelease, uintptr(b.handle))
}
