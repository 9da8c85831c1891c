package targets

import (
	"skald/runtime/cpu"
	"skald/runtime/device"
)

// Evaluated is a device that evaluates, on the processor, what a program becomes for the devices of a model: the same passes, lowering,
// sizes and limits. Options say how; those of printing are not used. It shows without such a device whether what it would get is right.
func (m *Model) Evaluated(o cpu.Options) *Device {
	o.Print, o.Subgroup = nil, m.Lowering.SubgroupSize
	d := cpu.Open(o)
	facts := *m.Facts
	facts.MaxBufferSize = min(facts.MaxBufferSize, d.Facts().MaxBufferSize)
	facts.MaxBindingSize = min(facts.MaxBindingSize, d.Facts().MaxBindingSize)
	facts.SizesAtLaunch, facts.MaxGroups = true, d.Facts().MaxGroups // The evaluator has rows of any length, and only one.
	model := *m
	model.Facts, model.Print, model.Emit = &facts, printLow, printLow
	model.text = nil
	return &Device{&posing{d, &facts}, &model}
}

// posing is a device that tells the facts of another.
type posing struct {
	device.Fetcher
	facts *device.Facts
}

// Facts returns the other's.
func (p *posing) Facts() *device.Facts { return p.facts }
