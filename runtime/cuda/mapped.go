package cuda

import (
	"unsafe"

	"skald/runtime/device"
)

// Note [Results in memory of the host]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// To read one number back, the driver has the GPU copy it to page-locked memory behind the kernel that computes it. The copy takes the
// host's time to start (2 to 4 us), and the GPU's to change from the kernel to what copies and to write (4 to 5 us): a sum of 1,000
// numbers, a kernel of 3 us, took 20 to 25 us of a caller's time on an H200. Where GPU and host have one space of addresses the kernel
// can write page-locked memory itself, over the bus, and the end of the stream tells that it has arrived: no copy, no event, and four
// calls of the driver (a launch and a wait, each of which first makes the context current) where there were nine.
//
// Only what kernels write once, and no kernel reads, may lie there, since each access goes over the bus: imp.Alloc says so of results of
// reductions. Nobody writes such a buffer between the launch that does and the reading, so that a fetch reads it when it is waited for.

// Numbers of CUdevice_attribute.
const (
	attrMapsHost = 19 // can map host memory
	attrUnified  = 41 // unified addressing
)

// AllocMapped implements device.Mapper.
func (d *Device) AllocMapped(size int64) (device.Buffer, error) {
	if !d.maps {
		return nil, nil
	}
	return d.mapped.Buffer(&d.health, &d.facts, size)
}

// makeMapped asks the driver for page-locked memory, whose address is that on the GPU, too.
func (d *Device) makeMapped(size int64) (uintptr, error) {
	var address uintptr
	err := d.enter("allocate page-locked memory", func() (status uint32) {
		address, status = d.allocHost(uintptr(size))
		return status
	})
	return address, err
}

// dropMapped frees page-locked memory: when the device is closed, as all of the little that there is is kept until then.
func (d *Device) dropMapped(address uintptr) {
	_ = d.enter("free page-locked memory", func() uint32 { // A failure shows in what is done next.
		return call(d.drv.sym.MemFreeHost, address)
	})
}

// allMapped reports whether there are regions, all in memory of the host.
func (d *Device) allMapped(regions []device.Region) bool {
	for _, r := range regions {
		if !d.mapped.Has(r.Buffer) {
			return false
		}
	}
	return len(regions) > 0
}

// downloadMapped waits for the stream and reads regions in memory of the host. The lock is held.
func (d *Device) downloadMapped(regions []device.Region) error {
	for _, r := range regions {
		if _, err := d.mapped.Own("download", r.Buffer, r.Offset, int64(len(r.Data))); err != nil {
			return err
		}
	}
	if err := d.enter("wait for the device", d.waitStream); err != nil {
		return err
	}
	for _, r := range regions {
		d.stats.Downloaded += int64(len(r.Data))
		copyMapped(r)
	}
	return nil
}

// copyMapped reads a region in memory of the host, which the kernels that write it have written. Its buffer may have been freed since the
// region was checked: whoever fetches it and then fails frees what it holds, and waits for what was fetched with it.
func copyMapped(r device.Region) {
	from := addressOf(r)
	copy(r.Data, unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&from))), len(r.Data)))
}
