package cuda

import (
	"time"
	"unsafe"

	"skald/runtime/device"
)

// slot is page-locked host memory that small readings go to.
type slot struct {
	memory []byte
	done   uintptr // Event: what was read last is there.
}

const slotBytes = 4 << 10

// inSlot is how many bytes of a slot a region takes.
func (d *Device) inSlot(r device.Region) int {
	if d.mapped.Has(r.Buffer) {
		return 0
	}
	return (len(r.Data) + 7) &^ 7
}

// fetch is a reading under way.
type fetch struct {
	d       *Device
	slot    *slot
	regions []device.Region
}

// Fetch implements device.Fetcher.
func (d *Device) Fetch(regions ...device.Region) (device.Fetch, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.collected(); err != nil {
		return nil, err
	}
	d.submitted()
	f, err := d.fetch(regions)
	if f == nil {
		return nil, err
	}
	return f, nil
}

// fetch begins to read regions; nil if they are too large, or none. The lock is held.
func (d *Device) fetch(regions []device.Region) (*fetch, error) {
	size, any := 0, false
	for _, r := range regions {
		size, any = size+d.inSlot(r), any || len(r.Data) > 0
		if _, err := d.memoryOf(r.Buffer).Own("download", r.Buffer, r.Offset, int64(len(r.Data))); err != nil {
			return nil, err
		}
	}
	if !any || size > slotBytes {
		return nil, nil
	}
	f := &fetch{d: d, regions: regions}
	err := d.enter("read from the device", f.begin)
	if err != nil {
		if f.slot != nil {
			d.slots = append(d.slots, f.slot)
		}
		return nil, err
	}
	return f, nil
}

// begin has what is not mapped copied to a slot, and an event behind that. The lock is held and the context current.
func (f *fetch) begin() (status uint32) {
	d := f.d
	if f.slot, status = d.takeSlot(); status != 0 {
		return status
	}
	at := 0
	for _, r := range f.regions {
		d.stats.Downloaded += int64(len(r.Data))
		n := d.inSlot(r)
		if n == 0 {
			continue
		}
		to := uintptr(unsafe.Pointer(&f.slot.memory[at]))
		if status := call(d.drv.sym.MemcpyDtoHAsync, to, addressOf(r), uintptr(len(r.Data)), d.stream); status != 0 {
			return status
		}
		at += n
	}
	return call(d.drv.sym.EventRecord, f.slot.done, d.stream)
}

// Wait implements device.Fetch.
func (f *fetch) Wait() error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := f.d.beforeWait(); err != nil {
		f.d.slots = append(f.d.slots, f.slot)
		return err
	}
	return f.take()
}

// Drop implements device.Fetch. The slot may be used again: what is copied to it next is copied behind this.
func (f *fetch) Drop() {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	f.d.slots = append(f.d.slots, f.slot)
}

// take waits for what is read and hands it over. The lock is held.
func (f *fetch) take() error {
	d := f.d
	defer func() { d.slots = append(d.slots, f.slot) }()
	if err := d.enter("wait for the device", func() uint32 { return d.waitEvent(f.slot.done) }); err != nil {
		return err
	}
	at := 0
	for _, r := range f.regions {
		if n := d.inSlot(r); n > 0 {
			copy(r.Data, f.slot.memory[at:])
			at += n
		} else {
			copyMapped(r)
		}
	}
	return nil
}

// takeSlot is a slot that nothing is read to. The context is current.
func (d *Device) takeSlot() (*slot, uint32) {
	if n := len(d.slots); n > 0 {
		s := d.slots[n-1]
		d.slots = d.slots[:n-1]
		return s, 0
	}
	memory, event, status := d.pageLocked(slotBytes)
	if status != 0 {
		return nil, status
	}
	return &slot{memory, event}, 0
}

// pageLocked is host memory that the driver copies to by itself, and an event. The context is current.
func (d *Device) pageLocked(size int) ([]byte, uintptr, uint32) {
	p, status := d.allocHost(uintptr(size))
	if status != 0 {
		return nil, 0, status
	}
	event := new(uintptr)
	const noTiming = 2
	if status := call(d.drv.sym.EventCreate, uintptr(unsafe.Pointer(event)), noTiming); status != 0 {
		call(d.drv.sym.MemFreeHost, p)
		return nil, 0, status
	}
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&p))), size), *event, 0
}

// allocHost allocates page-locked memory of the host. The context is current.
func (d *Device) allocHost(size uintptr) (address uintptr, status uint32) {
	p := new(uintptr)
	status = call(d.drv.sym.MemAllocHost, uintptr(unsafe.Pointer(p)), size)
	return *p, status
}

// releaseSlots frees the slots. The context is current.
func (d *Device) releaseSlots() {
	for _, s := range d.slots {
		call(d.drv.sym.MemFreeHost, uintptr(unsafe.Pointer(&s.memory[0])))
		call(d.drv.sym.EventDestroy, s.done)
	}
	d.slots = nil
}

// grant is how long rounds of a loop may take that are recorded together: some of them may be in vain, and a wait takes 25 to 50 µs.
const grant = 200 * time.Microsecond

// Grant implements device.Fetcher.
func (d *Device) Grant() time.Duration { return grant }
