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

// driver is the loaded driver.
type driver struct {
	sym     driverSymbols
	version int32
}

var (
	driverOnce sync.Once
	theDriver  *driver
	driverErr  error
)

// loadDriver loads and starts NVIDIA's driver, once.
func loadDriver() (*driver, error) {
	driverOnce.Do(func() { theDriver, driverErr = openDriver() })
	return theDriver, driverErr
}

func openDriver() (*driver, error) {
	names := []string{"libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1"}
	if runtime.GOOS == "windows" {
		names = []string{"nvcuda.dll"}
	}
	for _, name := range names {
		lib, err := dynlib.Open(name, dynlib.Private)
		if err != nil {
			continue
		}
		d := &driver{}
		if missing := lib.Bind("cu", &d.sym); len(missing) > 0 {
			return nil, &device.Error{
				Fault: device.BadLibrary, Op: "load " + name, Detail: "it has no " + missing[0],
				Hint: "update NVIDIA's driver",
			}
		}
		if status := call(d.sym.Init, 0); status != 0 {
			return nil, d.failure("start NVIDIA's driver", status)
		}
		v := new(int32)
		call(d.sym.DriverGetVersion, uintptr(unsafe.Pointer(v)))
		d.version = *v
		return d, nil
	}
	return nil, &device.Error{
		Fault: device.NoLibrary, Op: "look for NVIDIA's driver", Detail: "there is no " + names[0],
		Hint: "install NVIDIA's driver, or use another device",
	}
}

// faults classifies the driver's status codes; others are Internal.
var faults = map[uint32]device.Fault{
	1:   device.Misuse,      // invalid value
	2:   device.OutOfMemory, // out of memory
	100: device.NoAdapter,   // no device
	101: device.NoAdapter,   // invalid device
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
}

// hints say what to do about a class of failure.
var hints = map[device.Fault]string{
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

// text calls a function that gives text for a status.
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
