package cuda

import (
	"fmt"
	"math"
	"unsafe"

	"skald/runtime/device"
)

// Alloc implements device.Device.
func (d *Device) Alloc(size int64) (device.Buffer, error) {
	return d.memory.Buffer(&d.health, &d.facts, size)
}

// Free implements device.Device.
func (d *Device) Free(b device.Buffer) { d.memoryOf(b).Free(b) }

// memoryOf is the memory that a buffer is of: the host's, or the GPU's.
func (d *Device) memoryOf(b device.Buffer) *device.Memory[uintptr] {
	if d.mapped.Has(b) {
		return &d.mapped
	}
	return &d.memory
}

// addressOf is where a region begins of a buffer that is the device's.
func addressOf(r device.Region) uintptr {
	return r.Buffer.(*device.Block[uintptr]).Handle + uintptr(r.Offset)
}

// Note [Stream-ordered memory]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// To give memory back by cuMemFree waits for everything that the GPU does, and cuMemAlloc takes up to milliseconds. Where driver and GPU
// have it, blocks come from the GPU's default pool instead, in the order of the stream: neither call waits. The pool is told to keep what
// it has, so that what device.Pool drops can serve requests of other sizes; the driver joins freed pages. It all goes back to the
// system when the device is closed.

// Numbers of CUdevice_attribute and CUmemPool_attribute.
const (
	attrMemoryPools      = 115
	poolReleaseThreshold = 4
)

// preparePool makes the device allocate in stream order, if it can: see Note [Stream-ordered memory].
func (d *Device) preparePool() {
	if d.drv.noPool || d.drv.attribute(d.gpu, attrMemoryPools) == 0 {
		return
	}
	pool, all := new(uintptr), new(uint64)
	*all = math.MaxUint64
	err := d.enter("prepare the pool of memory", func() uint32 {
		if status := call(d.drv.pool.DeviceGetDefaultMemPool, uintptr(unsafe.Pointer(pool)), uintptr(d.gpu)); status != 0 {
			return status
		}
		return call(d.drv.pool.MemPoolSetAttribute, *pool, poolReleaseThreshold, uintptr(unsafe.Pointer(all)))
	})
	d.pooled = err == nil
}

// makeBlock asks the driver for memory.
func (d *Device) makeBlock(size int64) (uintptr, error) {
	address := new(uintptr)
	err := d.enter(fmt.Sprintf("allocate %d bytes", size), func() uint32 {
		if d.pooled {
			return call(d.drv.pool.MemAllocAsync, uintptr(unsafe.Pointer(address)), uintptr(size), d.stream)
		}
		return call(d.drv.sym.MemAlloc, uintptr(unsafe.Pointer(address)), uintptr(size))
	})
	return *address, err
}

// dropBlock frees memory when the work that uses it is done: see Note [Stream-ordered memory].
func (d *Device) dropBlock(address uintptr) {
	if d.collector.n.Load() > 0 {
		d.mu.Lock()
		_ = d.collected() // A failure has ended the device or shows in what is done next.
		d.mu.Unlock()
	}
	_ = d.enter("free memory", func() uint32 { // A failure shows in what is done next.
		if d.pooled {
			return call(d.drv.pool.MemFreeAsync, address, d.stream)
		}
		return call(d.drv.sym.MemFree, address)
	})
}

// Copy implements device.Device.
func (d *Device) Copy(dst device.Buffer, dstOffset int64, src device.Buffer, srcOffset, n int64) error {
	to, err := d.memory.Own("copy", dst, dstOffset, n)
	if err != nil {
		return err
	}
	from, err := d.memory.Own("copy", src, srcOffset, n)
	if err != nil || n == 0 {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.collected(); err != nil {
		return err
	}
	d.stats.Copies++
	d.pending = true
	return d.enter("copy", func() uint32 {
		return call(d.drv.sym.MemcpyDtoDAsync, to.Handle+uintptr(dstOffset), from.Handle+uintptr(srcOffset),
			uintptr(n), d.stream)
	})
}

// Fill implements device.Device.
func (d *Device) Fill(dst device.Buffer, offset, n int64, word uint32) error {
	b, err := d.memory.OwnWords("fill", dst, offset, n)
	if err != nil || n == 0 {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.collected(); err != nil {
		return err
	}
	d.stats.Copies++
	d.pending = true
	return d.enter("fill", func() uint32 {
		return call(d.drv.sym.MemsetD32Async, b.Handle+uintptr(offset), uintptr(word), uintptr(n/4), d.stream)
	})
}
