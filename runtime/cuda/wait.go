package cuda

import (
	"runtime"
	"time"
)

const (
	statusNotReady = 600
	statusTimedOut = 702 // What the driver says when the system stops a kernel.
)

// Flush implements device.Device. CUDA starts what is in its stream by itself.
func (d *Device) Flush() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.collected(); err != nil {
		return err
	}
	d.submitted()
	return d.usable()
}

// submitted counts the work since the last time as one submission.
func (d *Device) submitted() {
	if d.pending {
		d.pending = false
		d.stats.Submits++
	}
}

// Sync implements device.Device.
func (d *Device) Sync() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.beforeWait(); err != nil {
		return err
	}
	return d.enter("wait for the device", d.waitStream)
}

// waitStream waits for everything in the stream. The context is current.
func (d *Device) waitStream() uint32 {
	if d.options.Timeout == 0 {
		return call(d.drv.sym.StreamSynchronize, d.stream)
	}
	return d.poll(func() uint32 { return call(d.drv.sym.StreamQuery, d.stream) })
}

// waitEvent waits for an event. The context is current.
func (d *Device) waitEvent(event uintptr) uint32 {
	if d.options.Timeout == 0 {
		return call(d.drv.sym.EventSynchronize, event)
	}
	return d.poll(func() uint32 { return call(d.drv.sym.EventQuery, event) })
}

// Note [Waits with a time-out]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The driver waits for a stream or an event without an end, so a wait with a time-out asks again and again. Go sleeps for a millisecond at
// least where nothing else runs, however short a sleep was asked for: calls of 100 µs took 1.1 ms in measurements, which have a time-out.
// So the thread asks without sleeping, as the driver's own wait does, and sleeps only in waits of which a millisecond is a small part.

const (
	spinningTime = 50 * time.Millisecond
	longestSleep = 10 * time.Millisecond
)

// sleepAfter is for how long poll sleeps after it has waited for some time: see Note [Waits with a time-out].
func sleepAfter(waited time.Duration) time.Duration {
	if waited < spinningTime {
		return 0
	}
	return min(waited/50, longestSleep)
}

// poll asks until the answer is something else than "not ready", for as long as a wait may take.
func (d *Device) poll(query func() uint32) uint32 {
	start := time.Now()
	for {
		status := query()
		if status != statusNotReady {
			return status
		}
		waited := time.Since(start)
		if waited > d.options.Timeout {
			_ = d.health.Expire("wait for the device", d.options.Timeout)
			return statusTimedOut
		}
		if pause := sleepAfter(waited); pause > 0 {
			time.Sleep(pause)
		} else {
			runtime.Gosched()
		}
	}
}

// beforeWait hands the driver what is recorded, and counts the wait that follows. The lock is held.
func (d *Device) beforeWait() error {
	if err := d.collected(); err != nil {
		return err
	}
	d.submitted()
	d.stats.Syncs++
	d.collector.waits()
	return nil
}
