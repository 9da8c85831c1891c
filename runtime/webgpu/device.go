package webgpu

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"skald/runtime/device"
)

// Device implements device.Device on WebGPU.
type Device struct {
	conn    *connection
	options Options
	facts   device.Facts
	id      uintptr // Finds the device from a callback.

	blocks  device.Pool[*block] // Storage buffers.
	staging device.Pool[*block] // Mappable buffers for downloads.

	// mu orders recording and submission. It is not held while waiting for the
	// device or compiling.
	mu    sync.Mutex
	batch batch
	stats device.Stats

	kernels device.Kernels[*kernel]
	layouts layouts
	groups  groupCache
	profile profile

	failMu sync.Mutex
	dead   error // Loss or time-out: every call fails.
	failed error // A failure to report at the next submission.
	closed bool
}

var _ device.Device = (*Device)(nil)

// block is a buffer of the library. Its number is never used again, unlike its
// handle.
type block struct {
	handle bufferHandle
	number uint64
}

var blockNumbers atomic.Uint64

// newDevice makes the part of a device that does not need the library's, and
// registers it for callbacks.
func newDevice(c *connection, o Options) *Device {
	d := &Device{conn: c, options: o, id: lastHandle.Add(1)}
	d.kernels.Build = d.build
	d.blocks = device.Pool[*block]{
		Make: func(n int64) (*block, error) { return d.makeBlock(n, usageStorage|usageCopySrc|usageCopyDst) },
		Drop: d.dropBlock,
	}
	d.staging = device.Pool[*block]{
		Make: func(n int64) (*block, error) { return d.makeBlock(n, usageMapRead|usageCopyDst) },
		Drop: d.dropBlock,
	}
	d.batch.params.usage = usageUniform
	d.batch.uploads.usage = usageCopySrc
	owners.Store(d.id, d)
	return d
}

// Facts implements device.Device.
func (d *Device) Facts() *device.Facts { return &d.facts }

// Stats implements device.Device.
func (d *Device) Stats() device.Stats {
	d.mu.Lock()
	s := d.stats
	d.mu.Unlock()
	s.Pipelines = d.kernels.Compiled()
	d.blocks.Count(&s)
	return s
}

// Close implements device.Device.
func (d *Device) Close() error {
	err := d.Sync()
	d.failMu.Lock()
	closed := d.closed
	d.closed = true
	stuck := errors.Is(d.dead, device.Timeout)
	if d.dead == nil {
		d.dead = &device.Error{Fault: device.Lost, Op: "use of a closed device"}
	}
	d.failMu.Unlock()
	if closed {
		return nil
	}
	owners.Delete(d.id)
	if stuck {
		return err // Destroying the device would wait for the kernel that does not end.
	}
	d.groups.clear(d.conn)
	d.releaseKernels()
	d.blocks.Trim()
	d.staging.Trim()
	call(d.conn.lib.sym.DeviceDestroy, d.conn.device)
	call(d.conn.lib.sym.QueueRelease, d.conn.queue)
	call(d.conn.lib.sym.DeviceRelease, d.conn.device)
	call(d.conn.lib.sym.InstanceRelease, d.conn.instance)
	if errors.Is(err, device.Lost) {
		return nil
	}
	return err
}

// usable gives the failure that has ended the device, if one has.
func (d *Device) usable() error {
	d.failMu.Lock()
	defer d.failMu.Unlock()
	return d.dead
}

// takeFailure gives the failure to report after a submission, once.
func (d *Device) takeFailure() error {
	d.failMu.Lock()
	defer d.failMu.Unlock()
	if d.dead != nil {
		return d.dead
	}
	err := d.failed
	d.failed = nil
	return err
}

// kill ends the device with a failure, unless another has ended it before.
func (d *Device) kill(err error) error {
	d.failMu.Lock()
	defer d.failMu.Unlock()
	if d.dead == nil {
		d.dead = err
	}
	return d.dead
}

// onLost is told by the library that the device is gone.
func (d *Device) onLost(reason uint32, text string) {
	const destroyed = 2
	if reason == destroyed {
		return
	}
	_ = d.kill(&device.Error{
		Fault: device.Lost, Op: "the driver gave the device up", Detail: text,
		Hint: "a kernel ran for too long or faulted, or the driver was reset; open the device again",
	})
}

// onError is told by the library of an error that no scope caught.
func (d *Device) onError(kind uint32, text string) {
	d.failMu.Lock()
	defer d.failMu.Unlock()
	if d.failed == nil {
		d.failed = faultOf(kind, "run commands", text)
	}
}

// faultOf makes an error of the library one of ours. wgpu-native calls a full
// device and a lost one validation errors; only their text tells.
func faultOf(kind uint32, op, text string) error {
	e := &device.Error{Fault: device.Internal, Op: op, Detail: strings.TrimSpace(text)}
	if m := nativeMessage(text); m != "" {
		e.Detail = m
	}
	switch {
	case kind == errorOutOfMemory, strings.Contains(text, "Not enough memory left"):
		e.Fault = device.OutOfMemory
		e.Hint = "the device's memory is full; use smaller inputs or another device"
	case strings.Contains(text, "device is lost"):
		e.Fault = device.Lost
	}
	return e
}

// finish waits for an answer of the queue and classifies what went wrong. An
// answer that does not come in time ends the device.
func (d *Device) finish(a answer, op string) error {
	start := time.Now()
	r, ok := d.conn.await(a, d.options.Timeout)
	switch {
	case ok && r.status == statusSuccess:
		return d.takeFailure()
	case !ok && d.options.Timeout > 0 && time.Since(start) >= d.options.Timeout:
		return d.kill(&device.Error{
			Fault: device.Timeout, Op: op, Detail: "the device did not finish within " + d.options.Timeout.String(),
			Hint: "a kernel may not end; the process has to be ended to free the device",
		})
	}
	if err := d.takeFailure(); err != nil {
		return err
	}
	return &device.Error{Fault: device.Internal, Op: op, Detail: r.text}
}
