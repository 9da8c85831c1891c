package cuda

import (
	"math"
	"time"
	"unsafe"

	"skald/runtime/device"
)

// timed is a launch between two events.
type timed struct {
	kernel   string
	from, to uintptr
}

// mark records an event before a launch, 0 when nothing is measured. The lock is
// held and the context current.
func (d *Device) mark() uintptr {
	if !d.options.Profile {
		return 0
	}
	event := new(uintptr)
	if call(d.drv.sym.EventCreate, uintptr(unsafe.Pointer(event)), 0) != 0 {
		return 0
	}
	call(d.drv.sym.EventRecord, *event, d.stream)
	return *event
}

// markEnd records the event after a launch.
func (d *Device) markEnd(kernel string, from uintptr) {
	if from == 0 {
		return
	}
	if to := d.mark(); to != 0 {
		d.timed = append(d.timed, timed{kernel, from, to})
	}
}

// Timings implements device.Device. It waits for the launches started so far.
func (d *Device) Timings() []device.Timing {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []device.Timing
	_ = d.enter("read times", func() uint32 { // Without times there is nothing to report.
		if status := d.waitStream(); status != 0 {
			return status
		}
		for _, t := range d.timed {
			bits := new(uint32) // A float in C.
			if call(d.drv.sym.EventElapsedTime, uintptr(unsafe.Pointer(bits)), t.from, t.to) == 0 {
				ms := float64(math.Float32frombits(*bits))
				out = append(out, device.Timing{Kernel: t.kernel, Time: time.Duration(ms * 1e6)})
			}
		}
		d.releaseEvents()
		return 0
	})
	return out
}

// releaseEvents destroys the events of measured launches.
func (d *Device) releaseEvents() {
	for _, t := range d.timed {
		call(d.drv.sym.EventDestroy, t.from)
		call(d.drv.sym.EventDestroy, t.to)
	}
	d.timed = nil
}
