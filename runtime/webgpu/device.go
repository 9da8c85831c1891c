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

	insidePasses bool // Timestamps can be written inside of passes.

	memory  device.Memory[*block] // Storage buffers.
	staging device.Pool[*block]   // Mappable buffers for downloads.

	// mu orders recording and submission. It is not held while waiting for the
	// device or compiling.
	mu    sync.Mutex
	batch batch
	stats device.Stats
	// dropped are the readings under way that are not waited for.
	dropped []*fetch

	kernels device.Kernels[*kernel]
	blobs   *blobs // What the library keeps with us; nil if nothing.
	layouts layouts
	groups  groupCache
	profile profile

	health device.Health
	failMu sync.Mutex
	failed error // A failure to report at the next submission.
}

var _ device.Fetcher = (*Device)(nil)

var blockNumbers atomic.Uint64

// newDevice makes the part of a device that does not need the library's, and
// registers it for callbacks.
func newDevice(c *connection, o Options) *Device {
	d := &Device{conn: c, options: o, id: lastHandle.Add(1)}
	d.kernels.Build, d.kernels.Named = d.build, (*kernel).named
	d.memory.Make = func(n int64) (*block, error) { return d.makeBlock(n, usageStorage|usageCopySrc|usageCopyDst) }
	d.memory.Drop, d.memory.Wait = d.dropBlock, d.Sync
	d.staging.Make = func(n int64) (*block, error) { return d.makeBlock(n, usageMapRead|usageCopyDst) }
	d.staging.Drop = d.dropBlock
	d.batch.synced()
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
	d.memory.Count(&s)
	return s
}

// Close implements device.Device.
func (d *Device) Close() error {
	err := d.Sync()
	stuck := d.conn.broken.Load() || errors.Is(d.usable(), device.Timeout)
	if !d.health.Close() {
		return nil
	}
	owners.Delete(d.id)
	if stuck {
		return err // Destroying the device would wait for the kernel that does not end, or panic again.
	}
	d.releaseObjects()
	call(d.conn.lib.sym.DeviceDestroy, d.conn.device)
	call(d.conn.lib.sym.QueueRelease, d.conn.queue)
	call(d.conn.lib.sym.DeviceRelease, d.conn.device)
	call(d.conn.lib.sym.InstanceRelease, d.conn.instance)
	if errors.Is(err, device.Lost) {
		return nil
	}
	return err
}

// releaseObjects releases everything that the device holds of the library. One
// object that is left keeps wgpu-native's device, its threads and its memory, and
// drivers give a process only so many devices (64 on one that we met).
func (d *Device) releaseObjects() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.groups.clear(d.conn)
	d.conn.releaseSpent()
	if d.batch.next != 0 {
		d.conn.releaseEncoder(d.batch.next)
		d.batch.next = 0
	}
	d.releaseKernels()
	d.profile.release(d)
	d.batch.params.release(d)
	d.batch.uploads.release(d)
	d.memory.Release()
	for _, f := range d.dropped {
		d.staging.Discard(f.s)
	}
	d.staging.Release()
}

// usable returns the failure that has ended the device, if one has.
func (d *Device) usable() error { return d.health.Check() }

// takeFailure returns the failure to report after a submission, once.
func (d *Device) takeFailure() error {
	if err := d.usable(); err != nil {
		return err
	}
	d.failMu.Lock()
	defer d.failMu.Unlock()
	err := d.failed
	d.failed = nil
	return err
}

// onLost is told by the library that the device is gone. When we destroy it
// ourselves, callbacks do not find it any more.
func (d *Device) onLost(text string) {
	reason, _, _ := strings.Cut(strings.TrimSpace(text), "\n") // Dawn adds what it was doing, and where in its source.
	_ = d.health.End(&device.Error{
		Fault: device.Lost, Op: "the driver lost the device", Detail: reason, Hint: openAgain,
	})
}

const openAgain = "a kernel ran for too long or faulted, or the driver was reset; open the device again"

// onError is told by the library of an error that no scope caught.
func (d *Device) onError(kind uint32, text string) {
	err := d.fault(kind, "run commands", text)
	d.failMu.Lock()
	defer d.failMu.Unlock()
	if d.failed == nil {
		d.failed = err
	}
}

// fault makes an error of the library one of ours, and ends the device if it is
// lost.
func (d *Device) fault(kind uint32, op, text string) error {
	err := faultOf(kind, op, text)
	if errors.Is(err, device.Lost) {
		return d.health.End(err)
	}
	return err
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
		e.Fault, e.Hint = device.Lost, openAgain
	}
	return e
}

// finish waits for an answer of the queue and classifies what went wrong. An
// answer that does not come in time ends the device.
func (d *Device) finish(a answer, op string) error {
	start := time.Now()
	r, ok := d.conn.await(a, d.options.Timeout)
	if err := d.alive(); err != nil {
		return err
	}
	switch {
	case ok && r.status == statusSuccess:
		return d.takeFailure()
	case !ok && d.options.Timeout > 0 && time.Since(start) >= d.options.Timeout:
		return d.health.Expire(op, d.options.Timeout)
	}
	if err := d.takeFailure(); err != nil {
		return err
	}
	return &device.Error{Fault: device.Internal, Op: op, Detail: r.text}
}
