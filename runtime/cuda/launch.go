package cuda

import (
	"runtime"
	"unsafe"

	"skald/runtime/device"
)

// kernel implements device.Kernel.
type kernel struct {
	owner    *Device
	spec     device.KernelSpec
	module   uintptr
	function uintptr
}

// Spec implements device.Kernel.
func (k *kernel) Spec() *device.KernelSpec { return &k.spec }

// Compile implements device.Device.
func (d *Device) Compile(specs []device.KernelSpec) ([]device.Kernel, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	return d.kernels.Compile(&d.facts, specs)
}

// build compiles a kernel and loads its machine code.
func (d *Device) build(s *device.KernelSpec) (*kernel, error) {
	code, err := d.compile(s, d.arch)
	if err != nil {
		return nil, err
	}
	k := &kernel{owner: d, spec: *s}
	err = d.enter("load kernel "+s.Name, func() uint32 {
		module, function := new(uintptr), new(uintptr)
		status := call(d.drv.sym.ModuleLoadData, uintptr(unsafe.Pointer(module)), uintptr(unsafe.Pointer(&code[0])))
		if status != 0 {
			return status
		}
		k.module = *module
		name := cString(s.Entry)
		status = call(d.drv.sym.ModuleGetFunction, uintptr(unsafe.Pointer(function)), k.module, uintptr(unsafe.Pointer(name)))
		if status != 0 {
			return status
		}
		k.function = *function
		const maxDynamicShared, ordinary = 8, 48 << 10
		if s.Shared > ordinary {
			return call(d.drv.sym.FuncSetAttribute, k.function, maxDynamicShared, uintptr(s.Shared))
		}
		return 0
	})
	if err != nil && k.module != 0 && k.function == 0 {
		return nil, &device.Error{
			Fault: device.CompileFailed, Op: "compile kernel " + s.Name, Detail: "there is no entry point " + s.Entry, Err: err,
			Hint: `it must be declared extern "C" __global__`,
		}
	}
	return k, err
}

// releaseKernels unloads every kernel.
func (d *Device) releaseKernels() {
	_ = d.enter("unload kernels", func() uint32 { // A failure leaves to the context what it holds.
		d.kernels.Release(func(k *kernel) { call(d.drv.sym.ModuleUnload, k.module) })
		return 0
	})
}

// Launch implements device.Device.
func (d *Device) Launch(l device.Launch) error {
	if err := device.CheckLaunch(&d.facts, &l); err != nil {
		return err
	}
	k, ok := l.Kernel.(*kernel)
	if !ok || k.owner != d {
		return &device.Error{Fault: device.Misuse, Op: "launch " + l.Kernel.Spec().Name, Detail: "kernel of another device"}
	}
	if l.Groups[0] == 0 || l.Groups[1] == 0 || l.Groups[2] == 0 {
		return d.usable()
	}
	a := arguments{pointers: make([]uintptr, len(l.Buffers))}
	for i, b := range l.Buffers {
		own, err := d.memory.Own("launch "+k.spec.Name, b.Buffer, b.Offset, b.Size)
		if err != nil {
			return err
		}
		a.pointers[i] = own.Handle + uintptr(b.Offset)
	}
	a.params = append(a.params, l.Params...)
	defer a.pin.Unpin()
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.enter("launch "+k.spec.Name, func() uint32 { return d.start(k, l.Groups, a.list()) })
}

// arguments are what a launch passes: the driver takes an array of the addresses
// of the arguments, and copies them.
type arguments struct {
	pointers []uintptr
	params   []byte
	pin      runtime.Pinner
}

func (a *arguments) list() []unsafe.Pointer {
	out := make([]unsafe.Pointer, 0, len(a.pointers)+1)
	for i := range a.pointers {
		a.pin.Pin(&a.pointers[i])
		out = append(out, unsafe.Pointer(&a.pointers[i]))
	}
	if len(a.params) > 0 {
		a.pin.Pin(&a.params[0])
		out = append(out, unsafe.Pointer(&a.params[0]))
	}
	return append(out, nil) // So that there is an element to point to.
}

// start puts a launch into the stream. The lock is held and the context current.
func (d *Device) start(k *kernel, groups [3]uint32, args []unsafe.Pointer) uint32 {
	from := d.mark()
	w := k.spec.Workgroup
	status := call(d.drv.sym.LaunchKernel, k.function,
		uintptr(groups[0]), uintptr(groups[1]), uintptr(groups[2]),
		uintptr(max(w[0], 1)), uintptr(max(w[1], 1)), uintptr(max(w[2], 1)),
		uintptr(k.spec.Shared), d.stream, uintptr(unsafe.Pointer(&args[0])), 0)
	if status != 0 {
		return status
	}
	d.markEnd(k.spec.Name, from)
	d.stats.Launches++
	d.pending = true
	return 0
}
