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
}

// Device implements device.Device on CUDA.
type Device struct {
	drv      *driver
	compiler *Compiler
	options  Options
	facts    device.Facts
	arch     string
	gpu      int32
	context  uintptr
	stream   uintptr

	memory  device.Memory[uintptr] // Blocks are addresses.
	kernels device.Kernels[*kernel]

	// mu orders what goes into the stream.
	mu      sync.Mutex
	stats   device.Stats
	pending bool // Something was started since the last wait.
	stager  stager
	timed   []timed

	health device.Health
}

var _ device.Device = (*Device)(nil)

// Count says how many GPUs there are, or why none can be used.
func Count() (int, error) {
	drv, err := loadDriver()
	if err != nil {
		return 0, err
	}
	n := new(int32)
	if status := call(drv.sym.DeviceGetCount, uintptr(unsafe.Pointer(n))); status != 0 {
		return 0, drv.failure("count GPUs", status)
	}
	return int(*n), nil
}

// Describe states the facts of a GPU without opening it.
func Describe(gpu int) (device.Facts, error) {
	drv, handle, err := find(gpu)
	if err != nil {
		return device.Facts{}, err
	}
	c, _ := OpenCompiler() // Without NVRTC the facts say that there is none.
	f, _ := drv.gpuFacts(handle, c)
	return f, nil
}

// find gives the driver's handle of a GPU.
func find(gpu int) (*driver, int32, error) {
	n, err := Count()
	if err != nil {
		return nil, 0, err
	}
	if gpu < 0 || gpu >= n {
		return nil, 0, &device.Error{
			Fault: device.NoAdapter, Op: fmt.Sprintf("open GPU %d", gpu), Detail: fmt.Sprintf("CUDA sees %d", n),
		}
	}
	handle := new(int32)
	if status := call(theDriver.sym.DeviceGet, uintptr(unsafe.Pointer(handle)), uintptr(gpu)); status != 0 {
		return nil, 0, theDriver.failure("open the GPU", status)
	}
	return theDriver, *handle, nil
}

// Open opens a GPU.
func Open(o Options) (*Device, error) {
	drv, handle, err := find(o.GPU)
	if err != nil {
		return nil, err
	}
	c, err := OpenCompiler()
	if err != nil {
		return nil, err
	}
	d := &Device{drv: drv, compiler: c, options: o, gpu: handle}
	d.facts, d.arch = drv.gpuFacts(handle, c)
	context := new(uintptr)
	if status := call(drv.sym.DevicePrimaryCtxRetain, uintptr(unsafe.Pointer(context)), uintptr(handle)); status != 0 {
		return nil, drv.failure("open the GPU", status)
	}
	d.context = *context
	d.kernels.Build = d.build
	d.memory.Make, d.memory.Drop = d.makeBlock, d.dropBlock
	err = d.enter("open the GPU", func() uint32 {
		stream := new(uintptr)
		const nonBlocking = 1
		status := call(drv.sym.StreamCreate, uintptr(unsafe.Pointer(stream)), nonBlocking)
		d.stream = *stream
		return status
	})
	if err != nil {
		call(drv.sym.DevicePrimaryCtxRelease, uintptr(handle))
		return nil, err
	}
	return d, nil
}

// enter runs f, which calls the driver, with the device's context current on this
// thread, and makes its status an error. What ends the context ends the device.
func (d *Device) enter(op string, f func() uint32) error {
	if err := d.usable(); err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	status := call(d.drv.sym.CtxSetCurrent, d.context)
	if status == 0 {
		status = f()
	}
	if status == 0 {
		return nil
	}
	err := d.drv.failure(op, status)
	if err.Fault == device.Lost || err.Fault == device.Timeout {
		return d.health.End(err)
	}
	return err
}

// usable gives the failure that has ended the device, if one has.
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

// release gives everything back that the device holds of the driver. The lock is
// held.
func (d *Device) release() error {
	d.releaseKernels()
	d.memory.Release()
	err := d.enter("close the GPU", func() uint32 {
		d.stager.release(d)
		d.releaseEvents()
		return call(d.drv.sym.StreamDestroy, d.stream)
	})
	call(d.drv.sym.DevicePrimaryCtxRelease, uintptr(d.gpu))
	return err
}
