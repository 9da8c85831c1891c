package cuda

import (
	"fmt"
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

// build loads the machine code of a kernel: what is kept of it, or else what is compiled now.
func (d *Device) build(s *device.KernelSpec) (*kernel, error) {
	for _, code := range d.code.kept(s, d.facts.Architecture) {
		k, err := d.load(s, code)
		if err == nil || d.usable() != nil {
			return k, err
		}
	}
	code, err := d.code.compile(s, d.facts.Architecture)
	if err != nil {
		return nil, err
	}
	return d.load(s, code)
}

// load loads machine code.
func (d *Device) load(s *device.KernelSpec, code []byte) (*kernel, error) {
	k := &kernel{owner: d, spec: *s}
	err := d.enter("load kernel "+s.Name, func() uint32 {
		module, function := new(uintptr), new(uintptr)
		status := call(d.drv.sym.ModuleLoadData, uintptr(unsafe.Pointer(module)), uintptr(unsafe.Pointer(&code[0])))
		if status != 0 {
			return status
		}
		k.module = *module
		name := cString(s.Entry)
		status = call(d.drv.sym.ModuleGetFunction, uintptr(unsafe.Pointer(function)), k.module, uintptr(unsafe.Pointer(name)))
		if status != 0 {
			call(d.drv.sym.ModuleUnload, k.module)
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

// named is the kernel for a spec with the same code.
func (k *kernel) named(s *device.KernelSpec) *kernel {
	out := *k
	out.spec = *s
	return &out
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
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.collector.collects() {
		return d.launchNow(k, &l)
	}
	w := d.collector.next()
	if err := w.args.set(d, &l); err != nil {
		return err
	}
	w.kernel, w.groups, w.shared = k, l.Groups, l.Shared
	if int(d.collector.n.Add(1)) < graphSizes[0] {
		return d.usable()
	}
	return d.collected()
}

// launchNow puts a launch into the stream. The lock is held, and no launch is collected.
func (d *Device) launchNow(k *kernel, l *device.Launch) error {
	w := &d.now
	if err := w.args.set(d, l); err != nil {
		return err
	}
	w.kernel, w.groups, w.shared = k, l.Groups, l.Shared
	status, err := d.within(func() uint32 { return d.start(w) })
	if status != 0 { // Only here, as the text would be made again for each launch.
		return d.failed("launch "+k.spec.Name, status)
	}
	return err
}

// arguments are what a launch passes: the driver takes an array of the addresses of the arguments, and copies them before it returns.
// All arguments lie in one block of memory, the pointers first, which one launch after the other uses.
type arguments struct {
	memory []uint64
	words  int // How much of memory is used.
	list   []unsafe.Pointer
}

// used are the arguments' words.
func (a *arguments) used() []uint64 { return a.memory[:a.words] }

// set makes them the arguments of a launch. The lock is held.
func (a *arguments) set(d *Device, l *device.Launch) error {
	const word = 8
	a.words = len(l.Buffers) + (len(l.Params)+word-1)/word
	if len(a.memory) < a.words {
		a.memory = make([]uint64, 2*a.words)
	}
	a.list = a.list[:0]
	for i, b := range l.Buffers {
		own, err := d.memoryOf(b.Buffer).Own("launch", b.Buffer, b.Offset, b.Size)
		if err != nil {
			return fmt.Errorf("kernel %s: %w", l.Kernel.Spec().Name, err)
		}
		a.memory[i] = uint64(own.Handle) + uint64(b.Offset)
		a.list = append(a.list, unsafe.Pointer(&a.memory[i]))
	}
	if len(l.Params) > 0 {
		a.memory[a.words-1] = 0 // Its last bytes may be no parameter's.
		params := &a.memory[len(l.Buffers)]
		copy(unsafe.Slice((*byte)(unsafe.Pointer(params)), len(l.Params)), l.Params)
		a.list = append(a.list, unsafe.Pointer(params))
	}
	a.list = append(a.list, nil) // So that there is an element to point to.
	return nil
}

// start puts a launch into the stream. The lock is held and the context current.
func (d *Device) start(w *launch) uint32 {
	d.gate.close(d)
	defer d.gate.open()
	from := d.mark()
	p := w.params()
	status := call(d.drv.sym.LaunchKernel, p.function,
		uintptr(p.groups[0]), uintptr(p.groups[1]), uintptr(p.groups[2]),
		uintptr(p.threads[0]), uintptr(p.threads[1]), uintptr(p.threads[2]),
		uintptr(p.shared), d.stream, uintptr(unsafe.Pointer(p.arguments)), 0)
	if status != 0 {
		return status
	}
	d.markEnd(w.kernel.spec.Name, from)
	d.stats.Launches++
	d.pending = true
	return 0
}
