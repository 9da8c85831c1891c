package cuda

import (
	"time"
)

const (
	statusNotReady = 600
	statusTimedOut = 702 // What the driver says when the system stops a kernel.
	pollingTime    = 50 * time.Microsecond
	longestPolling = time.Millisecond
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

// poll asks until the answer is something else than "not ready", more and more
// rarely, for as long as a wait may take.
func (d *Device) poll(query func() uint32) uint32 {
	start := time.Now()
	for pause := time.Microsecond; ; pause = min(2*pause, longestPolling) {
		status := query()
		if status != statusNotReady {
			return status
		}
		since := time.Since(start)
		if since > d.options.Timeout {
			_ = d.health.Expire("wait for the device", d.options.Timeout)
			return statusTimedOut
		}
		if since > pollingTime {
			time.Sleep(pause)
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
