package skald

import (
	"errors"
	"fmt"

	"skald/backends"
	"skald/backends/wgsl"
	"skald/frontend/diag"
	"skald/frontend/types"
	"skald/middle/core"
	"skald/middle/core/wire"
	"skald/middle/imp"
	"skald/middle/lower"
	"skald/runtime/bundle"
	"skald/runtime/device"
	"skald/runtime/host"
)

// Program is a compiled program before it is known which device will run it: core IR with memory.
type Program struct {
	ir *core.Prog
}

// sectionGPU is the section of a bundle that holds the program as the gpu pipeline leaves it; sectionLibrary holds a WebGPU library.
const (
	sectionGPU     = "gpu"
	sectionLibrary = "webgpu"
)

// Compile compiles a checked program.
func Compile(prog *types.Prog, opts CompileOptions) (*Program, *diag.Diagnostic) {
	ir, d := Core(prog, "", opts)
	if d != nil {
		return nil, d
	}
	return &Program{ir}, nil
}

// Bundle gives the program as an executable carries it. library, if not nil, is a WebGPU library to carry along.
func (p *Program) Bundle(library []byte) bundle.Bundle {
	b := bundle.Bundle{{Name: sectionGPU, Data: wire.Encode(p.ir)}}
	if library != nil {
		b = append(b, bundle.Section{Name: sectionLibrary, Data: library})
	}
	return b
}

// Load reads a program from a bundle, and the WebGPU library that it carries, if any.
func Load(b bundle.Bundle) (p *Program, library []byte, err error) {
	data, ok := b.Section(sectionGPU)
	if !ok {
		return nil, nil, errors.New("the bundle has no program for this version of skald")
	}
	ir, err := wire.Decode(data)
	if err != nil {
		return nil, nil, fmt.Errorf("the bundled program cannot be read: %w", err)
	}
	library, _ = b.Section(sectionLibrary)
	return &Program{ir}, library, nil
}

// Lower makes the low-level program for a device.
func (p *Program) Lower(facts *device.Facts) (*imp.Prog, error) {
	return lower.Run(p.ir, lowerFacts(facts))
}

// On prepares the program to run on a device: lowering and printing happen here, where the device is known.
func (p *Program) On(dev device.Device) (*host.Program, error) {
	low, err := p.Lower(dev.Facts())
	if err != nil {
		return nil, err
	}
	return LoadLow(low, dev)
}

// LoadLow prepares a low-level program, made for a device like this one, to run on it.
func LoadLow(low *imp.Prog, dev device.Device) (*host.Program, error) {
	print, err := printer(dev.Facts())
	if err != nil {
		return nil, err
	}
	return host.Load(low, dev, print)
}

// Kernels prints the kernels of the program for a device, in order.
func (p *Program) Kernels(facts *device.Facts) ([]*imp.Code, error) {
	low, err := p.Lower(facts)
	if err != nil {
		return nil, err
	}
	print, err := printer(facts)
	if err != nil {
		return nil, err
	}
	codes := make([]*imp.Code, len(low.Kernels))
	for i, k := range low.Kernels {
		if codes[i], err = print(k); err != nil {
			return nil, err
		}
	}
	return codes, nil
}

// FromCore makes a program of core IR with memory, as `skald dev` reads it.
func FromCore(ir *core.Prog) *Program { return &Program{ir} }

// sharedBudget is the workgroup memory that a kernel asks for at most: with more, fewer workgroups run side by side.
const sharedBudget = 16384

// arrayBudget is how large what one kernel leaves for the next may be at most where there is a choice.
const arrayBudget = 1 << 30

// lowerFacts picks out of a device's facts what lowering depends on.
func lowerFacts(f *device.Facts) lower.Facts {
	out := lower.Facts{
		GroupSize:   powerBelow(maxGroup, f.MaxThreads),
		Groups:      8 * max(f.Units, 1),
		SharedBytes: min(f.WorkgroupMemory, sharedBudget),
		Words:       f.Language.IsWGSL(),
		Vectors:     f.Language.IsWGSL(),
		Atomic64:    f.Atomics.I64 && f.I64,
		NoI64:       f.Language.IsWGSL() && !f.I64,
		NoF64:       f.Language.IsWGSL() && !f.F64,
		Software:    f.Kind == device.CPU,
		ArrayBytes:  min(f.MaxBufferSize, arrayBudget),
	}
	if f.Subgroups && f.SubgroupLinear {
		out.SubgroupSize = f.SubgroupSize
	}
	if f.Kind != device.CPU {
		out.WideGroup, out.WideBytes = powerBelow(maxWideGroup, f.MaxThreads), f.WorkgroupMemory
	}
	if f.Language == device.NoLanguage {
		// The evaluator runs the threads of a workgroup in lockstep: many of them to a workgroup, few workgroups with long shares.
		// What is inside of threads runs sequentially as soon as there are enough of them for that to pay.
		units := max(f.Units, 1)
		out.GroupSize, out.Groups, out.Threshold = 128, 2*units, 32*units
	}
	return out
}

// The most threads of a workgroup, in general and where its threads share a table.
const (
	maxGroup     = 256
	maxWideGroup = 1024
)

// powerBelow is the largest power of two up to n, itself one, that a device allows; zero says that it has no limit.
func powerBelow(n, allowed int) int {
	for allowed > 0 && n > allowed {
		n /= 2
	}
	return n
}

// printer gives the function that prints kernels in a device's language.
func printer(f *device.Facts) (host.Printer, error) {
	name, opts := "imp", backends.Options{}
	switch f.Language {
	case device.NoLanguage:
	case device.WGSLPortable, device.WGSLNative:
		name = "wgsl"
		opts = wgsl.Options{
			I64: f.I64, F64: f.F64, F16: f.F16,
			Atomic64: f.Atomics.I64, AtomicF32: f.Atomics.F32Add,
			Enables: f.Enables, MaxBuffers: f.MaxBindings,
		}
	case device.CUDA:
		name = "cuda"
	}
	b := backends.Find(name)
	if b == nil {
		return nil, fmt.Errorf("there is no back end for devices that take %s", f.Language)
	}
	return func(k *imp.Kernel) (*imp.Code, error) { return b.Print(k, opts) }, nil
}
