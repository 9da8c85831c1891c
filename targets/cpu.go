package targets

import (
	"skald/middle/imp"
	"skald/middle/lower"
	"skald/runtime/cpu"
	"skald/runtime/device"
	"skald/runtime/host"
)

// processor evaluates the low-level program. It needs nothing, so it always opens.
var processor = &Target{
	Name: "cpu", Doc: "the processor, by the evaluator of the low-level program",
	Backends: []string{"c", "multicore"},
	Open:     func(o Options, _ int) (device.Device, error) { return openProcessor(o), nil },
	Find:     func() []Found { return []Found{{Select: "cpu", Facts: cpu.Open(cpu.Options{}).Facts()}} },
	Profiles: []Profile{{Name: "cpu", Doc: "a processor of 16 cores", Facts: processorFacts}},
	lowering: func(f *device.Facts, out *lower.Facts) {
		// The evaluator runs the threads of a workgroup in lockstep: many of them to a workgroup, few workgroups with long shares.
		// What is inside of threads runs sequentially as soon as there are enough of them for that to pay.
		units := max(f.Units, 1)
		out.GroupSize, out.Groups, out.Threshold = 128, 2*units, 32*units
	},
	printer: func(*device.Facts) host.Printer { return printLow },
}

func openProcessor(o Options) *cpu.Device {
	return cpu.Open(cpu.Options{Profile: o.Profile, Timeout: o.Timeout})
}

// printLow leaves a kernel as it is: devices that evaluate kernels take their
// text form. Such a device counts in 64 bits and keeps its own failures.
func printLow(k *imp.Kernel) (*imp.Code, error) {
	c := &imp.Code{Source: imp.PrintKernel(k), Entry: k.Name, Wide: true, Failure: true}
	c.Layout(k)
	return c, nil
}

// processorFacts are those of a processor of a fixed number of cores.
func processorFacts() device.Facts {
	f := *cpu.Open(cpu.Options{}).Facts()
	f.Units = 16
	return f
}
