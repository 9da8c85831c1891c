package cuda

import (
	"fmt"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"skald/runtime/device"
)

// Options say which GPU to open, and how. The zero value is the first one.
type Options struct {
	GPU     int           // Which GPU, in the driver's order.
	Profile bool          // Measure each launch.
	Timeout time.Duration // How long a wait may take; 0 for ever.
	// Kept returns machine code that the executable carries by its CodeName, nil for what it has not; nil for none.
	Kept func(name string) []byte
}

// Device implements device.Device on CUDA.
type Device struct {
	drv     *driver
	code    code
	options Options
	facts   device.Facts
	gpu     int32
	context uintptr
	stream  uintptr
	pooled  bool // Blocks are of the GPU's pool.

	memory  device.Memory[uintptr] // Blocks are addresses.
	mapped  device.Memory[uintptr] // Of the host: see Note [Results in memory of the host].
	maps    bool                   // There is such memory.
	kernels device.Kernels[*kernel]

	// mu orders what goes into the stream.
	mu      sync.Mutex
	stats   device.Stats
	pending bool // Something was started since the last wait.
	stager  stager
	slots   []*slot // That nothing is read to.
	timed   []timed
	gate    gate
	now     launch // A launch that goes into the stream by itself.
	// collector has the launches that are not in the stream yet: whoever puts something else there calls collected first.
	collector collector

	health device.Health
}

var (
	_ device.Keeper  = (*Device)(nil)
	_ device.Fetcher = (*Device)(nil)
	_ device.Mapper  = (*Device)(nil)
)

// Count says how many GPUs there are, or why none can be used.
func Count() (int, error) {
	drv, err := loadDriver()
	if err != nil {
		return 0, err
	}
	return drv.count()
}

func (d *driver) count() (int, error) {
	n := new(int32)
	if status := call(d.sym.DeviceGetCount, uintptr(unsafe.Pointer(n))); status != 0 {
		return 0, d.failure("count GPUs", status)
	}
	return int(*n), nil
}

// Describe states the facts of a GPU without opening it.
func Describe(gpu int) (device.Facts, error) {
	drv, err := loadDriver()
	if err != nil {
		return device.Facts{}, err
	}
	handle, err := drv.find(gpu)
	if err != nil {
		return device.Facts{}, err
	}
	c, _ := OpenCompiler() // Without NVRTC the facts say that there is none.
	return drv.gpuFacts(handle, c), nil
}

// find returns the driver's handle of a GPU.
func (d *driver) find(gpu int) (int32, error) {
	n, err := d.count()
	if err != nil {
		return 0, err
	}
	if gpu < 0 || gpu >= n {
		return 0, &device.Error{
			Fault: device.NoAdapter, Op: fmt.Sprintf("open GPU %d", gpu), Detail: fmt.Sprintf("CUDA sees %d", n),
			Hint: hints[device.NoAdapter],
		}
	}
	handle := new(int32)
	if status := call(d.sym.DeviceGet, uintptr(unsafe.Pointer(handle)), uintptr(gpu)); status != 0 {
		return 0, d.failure("open the GPU", status)
	}
	return *handle, nil
}

// Open opens a GPU.
func Open(o Options) (*Device, error) {
	drv, err := loadDriver()
	if err != nil {
		return nil, err
	}
	gpu, err := drv.find(o.GPU)
	if err != nil {
		return nil, err
	}
	return drv.open(gpu, o, keptCode(o.Kept))
}

// open opens a GPU for kernels whose machine code comes from code.
func (d *driver) open(gpu int32, o Options, code code) (*Device, error) {
	dev := &Device{drv: d, code: code, options: o, gpu: gpu}
	dev.facts = d.gpuFacts(gpu, nil)
	dev.collector.off = d.noGraph || o.Profile // Each launch is measured by itself.
	dev.gate.off = d.noWait || !o.Profile
	context := new(uintptr)
	if status := call(d.sym.DevicePrimaryCtxRetain, uintptr(unsafe.Pointer(context)), uintptr(gpu)); status != 0 {
		return nil, d.failure("open the GPU", status)
	}
	dev.context = *context
	dev.kernels.Build, dev.kernels.Named = dev.build, (*kernel).named
	dev.memory.Make, dev.memory.Drop = dev.makeBlock, dev.dropBlock
	dev.mapped.Make, dev.mapped.Drop = dev.makeMapped, dev.dropMapped
	dev.maps = d.attribute(gpu, attrMapsHost) != 0 && d.attribute(gpu, attrUnified) != 0
	err := dev.enter("open the GPU", func() uint32 {
		stream := new(uintptr)
		const nonBlocking = 1
		status := call(d.sym.StreamCreate, uintptr(unsafe.Pointer(stream)), nonBlocking)
		dev.stream = *stream
		return status
	})
	if err != nil {
		call(d.sym.DevicePrimaryCtxRelease, uintptr(gpu))
		return nil, err
	}
	dev.preparePool()
	return dev, nil
}

// enter runs f, which calls the driver, as within does, and makes its status an error of op.
func (d *Device) enter(op string, f func() uint32) error {
	status, err := d.within(f)
	if status != 0 {
		return d.failed(op, status)
	}
	return err
}

// within runs f, which calls the driver, with the device's context current on this thread, and returns the driver's status; or an
// error, if the device has ended.
func (d *Device) within(f func() uint32) (status uint32, err error) {
	if err := d.usable(); err != nil {
		return 0, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	status = call(d.drv.sym.CtxSetCurrent, d.context)
	if status == 0 {
		status = f()
	}
	return status, nil
}

// failed makes a status of the driver an error, which ends the device if it has to.
func (d *Device) failed(op string, status uint32) error {
	err := d.drv.failure(op, status)
	if err.Fault == device.Lost || err.Fault == device.Timeout {
		return d.health.End(err)
	}
	return err
}

// usable returns the failure that has ended the device, if one has.
func (d *Device) usable() error { return d.health.Check() }

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

// Close implements device.Device. A device that a failure has ended is left to the
// driver, which may still be waiting for it.
func (d *Device) Close() error {
	err := d.Sync()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.usable() == nil {
		err = d.release()
	}
	if !d.health.Close() {
		return nil
	}
	return err
}

// release frees everything that the device holds of the driver. The lock is
// held.
func (d *Device) release() error {
	_ = d.collected() // Nothing is, unless another thread launched just now.
	d.releaseKernels()
	d.memory.Release()
	d.mapped.Release()
	err := d.enter("close the GPU", func() uint32 {
		d.stager.release(d)
		d.collector.release(d.drv)
		d.releaseSlots()
		d.releaseEvents()
		d.gate.release(d)
		return call(d.drv.sym.StreamDestroy, d.stream)
	})
	call(d.drv.sym.DevicePrimaryCtxRelease, uintptr(d.gpu))
	return err
}
