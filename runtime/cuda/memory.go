package cuda

import (
	"fmt"
	"unsafe"

	"skald/runtime/device"
)

// buffer implements device.Buffer: memory of the GPU at an address, 0 once freed.
type buffer struct {
	owner   *Device
	address uintptr
	size    int64
	class   int64
}

// Size implements device.Buffer.
func (b *buffer) Size() int64 { return b.size }

// own checks that a buffer is of this device, and in use. The lock is held.
func (d *Device) own(op string, b device.Buffer, offset, n int64) (*buffer, error) {
	own, ok := b.(*buffer)
	if !ok || own.owner != d || own.address == 0 {
		return nil, &device.Error{Fault: device.Misuse, Op: op, Detail: "the buffer is freed or another device's"}
	}
	return own, device.CheckRange(op, b, offset, n)
}

// Alloc implements device.Device. When the device is full, the work in flight is
// waited for, so that what the pool can let go is free, and it tries again.
func (d *Device) Alloc(size int64) (device.Buffer, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	if err := device.CheckAlloc(&d.facts, size); err != nil {
		return nil, err
	}
	address, class, err := d.blocks.Get(size)
	if err != nil {
		return nil, err
	}
	return &buffer{owner: d, address: address, size: size, class: class}, nil
}

// Free implements device.Device.
func (d *Device) Free(b device.Buffer) {
	own, ok := b.(*buffer)
	if !ok || own.owner != d {
		return
	}
	d.mu.Lock()
	address := own.address
	own.address = 0
	d.mu.Unlock()
	if address != 0 {
		d.blocks.Put(address, own.class)
	}
}

// makeBlock asks the driver for memory.
func (d *Device) makeBlock(size int64) (uintptr, error) {
	address := new(uintptr)
	err := d.enter(fmt.Sprintf("allocate %d bytes", size), func() uint32 {
		return call(d.drv.sym.MemAlloc, uintptr(unsafe.Pointer(address)), uintptr(size))
	})
	return *address, err
}

// dropBlock gives memory back, which waits for the work that uses it.
func (d *Device) dropBlock(address uintptr) {
	_ = d.enter("free memory", func() uint32 { // A failure shows in what is done next.
		return call(d.drv.sym.MemFree, address)
	})
}

// Copy implements device.Device.
func (d *Device) Copy(dst device.Buffer, dstOffset int64, src device.Buffer, srcOffset, n int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	to, err := d.own("copy", dst, dstOffset, n)
	if err != nil {
		return err
	}
	from, err := d.own("copy", src, srcOffset, n)
	if err != nil || n == 0 {
		return err
	}
	d.stats.Copies++
	d.pending = true
	return d.enter("copy", func() uint32 {
		return call(d.drv.sym.MemcpyDtoDAsync, to.address+uintptr(dstOffset), from.address+uintptr(srcOffset),
			uintptr(n), d.stream)
	})
}

// Fill implements device.Device.
func (d *Device) Fill(dst device.Buffer, offset, n int64, word uint32) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	b, err := d.own("fill", dst, offset, n)
	if err != nil || n == 0 {
		return err
	}
	if offset%4 != 0 || n%4 != 0 {
		return &device.Error{Fault: device.Misuse, Op: "fill", Detail: "offset or size is no multiple of 4"}
	}
	d.stats.Copies++
	d.pending = true
	return d.enter("fill", func() uint32 {
		return call(d.drv.sym.MemsetD32Async, b.address+uintptr(offset), uintptr(word), uintptr(n/4), d.stream)
	})
}
