package targets

import (
	"strings"

	"skald/backends/c"
	"skald/backends/wasm"
	"skald/middle/imp"
	"skald/middle/lower"
	"skald/runtime/cpu"
	"skald/runtime/device"
	"skald/runtime/host"
)

// processor runs compiled code or WebAssembly, or evaluates the low-level program. It needs nothing, so it always opens.
var processor = &Target{
	Name: "cpu", Doc: "the processor, by C that gcc or clang compiles; without them by WebAssembly",
	Place: "the processor", Backends: []string{"c", "multicore"},
	Emits: []Emission{
		{Name: "c", Print: c.Print, Text: c.Text, Fits: isCompiled},
		{Name: "wasm", Print: wasm.Print, Text: wasm.Text, Fits: isCompiled},
	},
	Flags: []Flag{
		{Name: flagCompiler, Doc: "the C compiler for the processor, wasm for WebAssembly, or none for the evaluator", Bundling: true},
	},
	Open:     func(o Options, _ int) (device.Device, error) { return openProcessor(o), nil },
	Find:     func() []Found { return []Found{{Select: "cpu", Facts: openProcessor(Options{}).Facts()}} },
	Machines: cpu.Machines(), MachinesDoc: "code for such processors, which then need no C compiler", CompileFor: compileFor,
	Profiles: []Profile{
		{Name: "cpu", Doc: "a processor of 16 cores, with a C compiler", Built: true, Facts: func() device.Facts { return processorFacts(true) }},
		{Name: "cpu-evaluator", Doc: "one whose kernels are evaluated", Facts: func() device.Facts { return processorFacts(false) }},
	},
	lowering: processorLowering,
	printer:  func(*device.Facts) host.Printer { return printLow },
}

// flagCompiler is processor's flag.
const flagCompiler = "cpu-compiler"

func openProcessor(o Options) *cpu.Device {
	options := cpu.Options{
		Profile: o.Profile, Timeout: o.Timeout, Print: c.Module, StopName: c.StopName, Compiler: o.Flags[flagCompiler], Warn: o.Warn,
		Assemble: assemble, Program: o.Program,
	}
	options.Build, _ = o.Bundle.Section(SectionBuild)
	for _, s := range o.Bundle {
		if strings.HasPrefix(s.Name, "cpu:") {
			options.Bundled = append(options.Bundled, s.Data)
		}
	}
	return cpu.Open(options)
}

// assemble writes kernels as WebAssembly.
func assemble(ks []*imp.Kernel) (*cpu.Assembly, []error) {
	p, errs := wasm.Kernels(ks)
	out := &cpu.Assembly{
		Code: p.Module.Binary(), MemoryModule: wasm.MemoryModule, Memory: wasm.MemoryModule, FunctionModule: wasm.FunctionModule,
	}
	for _, e := range p.Entries {
		out.Entries = append(out.Entries, cpu.AssemblyEntry(e))
	}
	for _, i := range p.Module.Imports() {
		out.Imports = append(out.Imports, cpu.HostFunction{Name: i.Name, Params: codes(i.Params), Results: codes(i.Results), Call: i.Call})
	}
	return out, errs
}

// codes are the types as the binary format has them.
func codes(ts []wasm.Type) []byte {
	out := make([]byte, len(ts))
	for i, t := range ts {
		out[i] = byte(t)
	}
	return out
}

// compileFor compiles kernels for a class of processors.
func compileFor(o Options, system, machine string, kernels []string) ([]byte, error) {
	return cpu.CompileFor(cpu.Options{Print: c.Module, Compiler: o.Flags[flagCompiler]}, system, machine, kernels)
}

// processorLowering has a thread for each task of compiled code, which is a loop over its share of the points. The evaluator runs the
// threads of a workgroup in lockstep: many of them to a workgroup, few workgroups with long shares; what is inside of threads runs
// sequentially as soon as there are enough of them for that to pay.
func processorLowering(f *device.Facts, out *lower.Facts) {
	units := max(f.Units, 1)
	if f.Compiled {
		out.GroupSize, out.WideGroup, out.Groups, out.Tasks = 1, 1, tasksPerCore*units, tasksPerCore*units
		out.OneCore, out.Permutes = units == 1, f.VectorRegisters == 0 // The compiler of WebAssembly has its number.
		if f.VectorRegisters > 0 && f.VectorRegisters < 32 {
			out.Rows = 2 // More sums than that are in memory: four vectors of each row, and those of what they are made of.
		}
		return
	}
	out.GroupSize, out.Groups, out.Threshold = 128, 2*units, 32*units
}

// isCompiled reports whether kernels are lowered for a compiler, with a thread for each task: workgroups of several threads, which wait for
// each other, are for the evaluator alone.
func isCompiled(f *device.Facts) bool { return f.Compiled }

// tasksPerCore is how many parts of equal size there are for each core: some, so that cores which are slower or late have fewer.
const tasksPerCore = 8

// printLow leaves a kernel as it is: devices that evaluate kernels, or compile them themselves, take their
// text form. Such a device counts in 64 bits and keeps its own failures.
func printLow(k *imp.Kernel) (*imp.Code, error) {
	c := &imp.Code{Source: imp.PrintKernel(k), Entry: k.Name, Wide: true, Failure: true}
	c.Layout(k)
	return c, nil
}

// processorFacts are those of a processor of a fixed number of cores.
func processorFacts(compiled bool) device.Facts {
	f := *cpu.Open(cpu.Options{}).Facts()
	f.Units, f.Compiled = 16, compiled
	return f
}
