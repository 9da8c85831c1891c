package skald

import (
	"skald/backends"
	"skald/middle/core"
	"skald/middle/imp"
	"skald/middle/lower"
	"skald/runtime/device"
	"skald/runtime/host"
)

// LoadOn lowers a program in core IR with memory for a device and loads it
// there. An error of type *lower.Limit is a construct that lowering lacks.
func LoadOn(dev device.Device, p *core.Prog) (*host.Program, error) {
	low, err := lower.Run(p, lowerFacts(dev.Facts()))
	if err != nil {
		return nil, err
	}
	return host.Load(low, dev, printer(dev.Facts()))
}

// lowerFacts are the facts of a device that lowering depends on.
func lowerFacts(f *device.Facts) lower.Facts {
	out := lower.Facts{
		GroupSize: 256, Groups: 8 * max(f.Units, 1), SharedBytes: min(f.WorkgroupMemory, 16384),
		Words: f.Language.IsWGSL(), Atomic64: f.Atomics.I64 && f.I64, Subgroups: f.Subgroups,
	}
	for out.GroupSize > f.MaxThreads {
		out.GroupSize /= 2
	}
	if !f.Language.IsWGSL() {
		// The evaluator runs a thread at a time: few of them, with long shares.
		out.GroupSize, out.Groups = 16, 2*max(f.Units, 1)
	}
	return out
}

// printer is the back end for a device.
func printer(f *device.Facts) host.Printer {
	target := "imp"
	if f.Language.IsWGSL() {
		target = "wgsl"
	}
	b := backends.Find(target)
	o := backends.Options{
		I64: f.I64, F64: f.F64, F16: f.F16, Atomic64: f.Atomics.I64, AtomicF32: f.Atomics.F32Add,
		Enables: f.Enables, MaxBuffers: f.MaxBindings,
	}
	return func(k *imp.Kernel) (*imp.Code, error) { return b.Print(k, o) }
}
