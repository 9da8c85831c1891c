package cuda

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"skald/runtime/device"
	"skald/runtime/dynlib"
)

// driverSymbols are the driver's entry points: the C name without "cu".
type driverSymbols struct {
	Init, DriverGetVersion, DeviceGetCount, DeviceGet, DeviceGetName, DeviceGetAttribute, GetErrorName,
	GetErrorString, CtxSetCurrent, StreamCreate, StreamSynchronize, StreamQuery,
	ModuleLoadData, ModuleUnload, ModuleGetFunction, FuncSetAttribute, LaunchKernel,
	MemsetD32Async, EventCreate, EventRecord, EventElapsedTime,
	EventQuery, EventSynchronize uintptr

	DevicePrimaryCtxRetain  uintptr
	DevicePrimaryCtxRelease uintptr `symbol:"DevicePrimaryCtxRelease_v2"`
	DeviceTotalMem          uintptr `symbol:"DeviceTotalMem_v2"`
	StreamDestroy           uintptr `symbol:"StreamDestroy_v2"`
	EventDestroy            uintptr `symbol:"EventDestroy_v2"`
	MemAlloc                uintptr `symbol:"MemAlloc_v2"`
	MemFree                 uintptr `symbol:"MemFree_v2"`
	MemAllocHost            uintptr `symbol:"MemAllocHost_v2"`
	MemFreeHost             uintptr
	MemcpyHtoDAsync         uintptr `symbol:"MemcpyHtoDAsync_v2"`
	MemcpyDtoHAsync         uintptr `symbol:"MemcpyDtoHAsync_v2"`
	MemcpyDtoDAsync         uintptr `symbol:"MemcpyDtoDAsync_v2"`
}

// poolSymbols are the entry points of stream-ordered allocation, which drivers before CUDA 11.2 lack.
type poolSymbols struct {
	MemAllocAsync, MemFreeAsync, DeviceGetDefaultMemPool, MemPoolSetAttribute uintptr
}

// waitSymbols are the entry points that have the stream wait for the host, which drivers before CUDA 11.7 lack.
type waitSymbols struct {
	StreamWaitValue32 uintptr `symbol:"StreamWaitValue32_v2"`
}

// driver is the loaded driver.
type driver struct {
	sym     driverSymbols
	pool    poolSymbols
	noPool  bool // the driver lacks some of pool
	graphs  graphSymbols
	noGraph bool // the driver lacks some of graphs
	waits   waitSymbols
	noWait  bool // the driver lacks some of waits
	version int32
}

var (
	driverOnce sync.Once
	theDriver  *driver
	driverErr  error
)

// loadDriver loads and starts NVIDIA's driver, once.
func loadDriver() (*driver, error) {
	driverOnce.Do(func() { theDriver, driverErr = openDriver(driverNames()) })
	return theDriver, driverErr
}

// driverNames lists what the driver may be called.
func driverNames() []string {
	if runtime.GOOS == "windows" {
		return []string{"nvcuda.dll"}
	}
	return []string{"libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1"}
}

// openDriver loads the first driver that is there, and starts it.
func openDriver(names []string) (*driver, error) {
	for _, name := range names {
		lib, err := dynlib.Open(name, dynlib.Private)
		if err != nil {
			continue
		}
		d := &driver{}
		d.noPool = len(lib.Bind("cu", &d.pool)) > 0
		d.noGraph = len(lib.Bind("cu", &d.graphs)) > 0
		d.noWait = len(lib.Bind("cu", &d.waits)) > 0
		if missing := lib.Bind("cu", &d.sym); len(missing) > 0 {
			return nil, &device.Error{
				Fault: device.BadLibrary, Op: "load " + name, Detail: "it has no " + missing[0], Hint: updateDriver,
			}
		}
		if err := d.start(); err != nil {
			return nil, err
		}
		return d, nil
	}
	return nil, &device.Error{
		Fault: device.NoLibrary, Op: "look for NVIDIA's driver", Detail: "there is no " + names[0],
		Hint: "install NVIDIA's driver, or use another device",
	}
}

// start initialises the driver, before which no other call works.
func (d *driver) start() error {
	if status := call(d.sym.Init, 0); status != 0 {
		return d.failure("start NVIDIA's driver", status)
	}
	v := new(int32)
	call(d.sym.DriverGetVersion, uintptr(unsafe.Pointer(v)))
	d.version = *v
	return nil
}

// faults classifies the driver's status codes; others are Internal.
var faults = map[uint32]device.Fault{
	1:   device.Misuse,      // invalid value
	2:   device.OutOfMemory, // out of memory
	34:  device.BadLibrary,  // a stub that stands for the driver where programs are built
	46:  device.NoAdapter,   // device unavailable
	100: device.NoAdapter,   // no device
	101: device.NoAdapter,   // invalid device
	200: device.BadLibrary,  // invalid image: the machine code is not for this driver
	209: device.BadLibrary,  // no binary for this GPU
	218: device.BadLibrary,  // invalid PTX
	222: device.BadLibrary,  // made by a compiler that is newer than the driver
	214: device.Lost,        // uncorrectable memory error
	701: device.Limit,       // launch out of resources
	702: device.Timeout,     // launch timed out
	700: device.Lost,        // illegal address
	710: device.Lost,        // assertion in a kernel
	714: device.Lost,        // hardware stack error
	715: device.Lost,        // illegal instruction
	716: device.Lost,        // misaligned address
	717: device.Lost,        // invalid address space
	718: device.Lost,        // invalid program counter
	719: device.Lost,        // launch failed
	801: device.Missing,     // not supported
	802: device.NoAdapter,   // system not ready
	803: device.BadLibrary,  // the parts of the driver are of different versions
	804: device.BadLibrary,  // compatibility mode is not for this GPU
}

const updateDriver = "update NVIDIA's driver, and restart the machine if it was updated just now"

// hints say what to do about a class of failure.
var hints = map[device.Fault]string{
	device.BadLibrary:  updateDriver,
	device.NoAdapter:   "no GPU can be used; nvidia-smi shows those that there are, CUDA_VISIBLE_DEVICES may hide some",
	device.Missing:     "the GPU lacks what is asked for; `skald devices` lists what it has",
	device.Internal:    "nvidia-smi and the system's log may say more",
	device.OutOfMemory: "the device's memory is full; use smaller inputs or another device",
	device.Lost:        "a kernel faulted; nothing more can run in this process",
	device.Timeout:     "a kernel ran longer than the system allows",
	device.Limit:       "the kernel needs more registers or workgroup memory than a workgroup of its size may have",
}

// failure makes a status of the driver an error.
func (d *driver) failure(op string, status uint32) *device.Error {
	fault, ok := faults[status]
	if !ok {
		fault = device.Internal
	}
	return &device.Error{
		Fault: fault, Op: op, Detail: d.text(d.sym.GetErrorName, status) + ": " + d.text(d.sym.GetErrorString, status),
		Hint: hints[fault],
	}
}

// text calls a function that returns text for a status.
func (d *driver) text(fn uintptr, status uint32) string {
	p := new(uintptr)
	purego.SyscallN(fn, uintptr(status), uintptr(unsafe.Pointer(p)))
	return goString(*p)
}

// attribute asks for a number about a GPU, 0 if the driver does not know it.
func (d *driver) attribute(gpu int32, attribute uintptr) int {
	v := new(int32)
	if call(d.sym.DeviceGetAttribute, uintptr(unsafe.Pointer(v)), attribute, uintptr(gpu)) != 0 {
		return 0
	}
	return int(*v)
}
