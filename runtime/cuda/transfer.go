package cuda

import (
	"unsafe"

	"skald/runtime/device"
)

// stager is page-locked host memory, kept for transfers: the driver copies from
// and to it without the host. It has two halves, so that the host fills or empties
// one while the device works on the other.
type stager struct {
	memory [2][]byte
	done   [2]uintptr // Events: the device is done with this half.
}

const (
	stagerBytes = 16 << 20
	directBytes = 64 << 10 // Transfers up to this size take the driver's own way.
)

// prepare allocates the halves on first use. The context is current.
func (s *stager) prepare(d *Device) uint32 {
	for i := range s.memory {
		if s.memory[i] != nil {
			continue
		}
		memory, event, status := d.pageLocked(stagerBytes)
		if status != 0 {
			return status
		}
		s.memory[i], s.done[i] = memory, event
	}
	return 0
}

// release frees the halves. The context is current.
func (s *stager) release(d *Device) {
	for i := range s.memory {
		if s.memory[i] != nil {
			call(d.drv.sym.MemFreeHost, uintptr(unsafe.Pointer(&s.memory[i][0])))
			call(d.drv.sym.EventDestroy, s.done[i])
		}
	}
	*s = stager{}
}

// Upload implements device.Device.
func (d *Device) Upload(dst device.Buffer, offset int64, data []byte) error {
	b, err := d.memory.Own("upload", dst, offset, int64(len(data)))
	if err != nil || len(data) == 0 {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.collected(); err != nil {
		return err
	}
	d.stats.Uploaded += int64(len(data))
	d.pending = true
	to := b.Handle + uintptr(offset)
	if len(data) <= directBytes {
		return d.enter("upload", func() uint32 {
			return call(d.drv.sym.MemcpyHtoDAsync, to, uintptr(unsafe.Pointer(&data[0])), uintptr(len(data)), d.stream)
		})
	}
	return d.enter("upload", func() uint32 { return d.uploadStaged(to, data) })
}

// uploadStaged copies by way of the stager. It returns when the data is out of the
// caller's hands, and the stager free again.
func (d *Device) uploadStaged(to uintptr, data []byte) uint32 {
	s := &d.stager
	if status := s.prepare(d); status != 0 {
		return status
	}
	for i := 0; len(data) > 0; i++ {
		half := i % 2
		if i >= 2 {
			if status := d.waitEvent(s.done[half]); status != 0 {
				return status
			}
		}
		n := copy(s.memory[half], data)
		status := call(d.drv.sym.MemcpyHtoDAsync, to, uintptr(unsafe.Pointer(&s.memory[half][0])), uintptr(n), d.stream)
		if status == 0 {
			status = call(d.drv.sym.EventRecord, s.done[half], d.stream)
		}
		if status != 0 {
			return status
		}
		data, to = data[n:], to+uintptr(n)
	}
	return d.waitStream()
}

// Download implements device.Device.
func (d *Device) Download(regions ...device.Region) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.beforeWait(); err != nil {
		return err
	}
	if d.allMapped(regions) {
		return d.downloadMapped(regions)
	}
	if f, err := d.fetch(regions); f != nil || err != nil {
		if err == nil {
			err = f.take()
		}
		return err
	}
	for _, r := range regions {
		if d.mapped.Has(r.Buffer) {
			if err := d.downloadMapped([]device.Region{r}); err != nil {
				return err
			}
			continue
		}
		b, err := d.memory.Own("download", r.Buffer, r.Offset, int64(len(r.Data)))
		if err != nil {
			return err
		}
		if len(r.Data) == 0 {
			continue
		}
		d.stats.Downloaded += int64(len(r.Data))
		from := b.Handle + uintptr(r.Offset)
		if err := d.enter("read from the device", func() uint32 { return d.downloadStaged(r.Data, from) }); err != nil {
			return err
		}
	}
	return d.enter("wait for the device", d.waitStream)
}

// downloadStaged reads by way of the stager: while the host copies one half, the
// device fills the other.
func (d *Device) downloadStaged(data []byte, from uintptr) uint32 {
	s := &d.stager
	if status := s.prepare(d); status != 0 {
		return status
	}
	fetch := func(piece int) uint32 {
		at := piece * stagerBytes
		if at >= len(data) {
			return 0
		}
		half := piece % 2
		n := min(stagerBytes, len(data)-at)
		status := call(d.drv.sym.MemcpyDtoHAsync, uintptr(unsafe.Pointer(&s.memory[half][0])), from+uintptr(at),
			uintptr(n), d.stream)
		if status == 0 {
			status = call(d.drv.sym.EventRecord, s.done[half], d.stream)
		}
		return status
	}
	if status := fetch(0); status != 0 {
		return status
	}
	for piece := 0; piece*stagerBytes < len(data); piece++ {
		if status := fetch(piece + 1); status != 0 {
			return status
		}
		if status := d.waitEvent(s.done[piece%2]); status != 0 {
			return status
		}
		copy(data[piece*stagerBytes:], s.memory[piece%2])
	}
	return 0
}
