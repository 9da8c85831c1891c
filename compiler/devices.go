package compiler

import (
	"fmt"
	"sync"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/middle/core"
	"skald/middle/pass"
	"skald/middle/pipeline"
)

// devicePrograms are the results of the devices' pipeline, of which a program for several devices or runs makes each once. A result is
// that of all devices if no pass has asked what the device is, and else that of the devices with the same facts.
type devicePrograms struct {
	mu     sync.Mutex
	common *deviceProgram
	byFact map[string]*deviceProgram
}

// deviceProgram is a program as the pipeline of a device leaves it, or what it says instead.
type deviceProgram struct {
	ir    *core.Prog
	d     *diag.Diagnostic
	asked bool // a pass asked for facts
}

// forDevice gives the program as the pipeline of a device leaves it: core IR with memory. asked says that other devices may differ.
func (p *Program) forDevice(m *Model) (ir *core.Prog, d *diag.Diagnostic, asked bool) {
	p.devices.mu.Lock()
	defer p.devices.mu.Unlock()
	if p.devices.common != nil {
		return p.devices.common.ir, p.devices.common.d, false
	}
	key := fmt.Sprintf("%+v", m.Lowering)
	out := p.devices.byFact[key]
	if out == nil {
		out = p.makeForDevice(m)
		if p.devices.byFact == nil {
			p.devices.byFact = map[string]*deviceProgram{}
		}
		if p.devices.byFact[key] = out; !out.asked {
			p.devices.common = out
		}
	}
	return out.ir, out.d, out.asked
}

// makeForDevice runs the pipeline of a device. A program that was written by hand may be behind it, or at its middle.
func (p *Program) makeForDevice(m *Model) *deviceProgram {
	opts := p.opts
	opts.Model = m
	ctx := opts.context()
	ir, err := p.ir()
	if err != nil {
		return &deviceProgram{d: diag.New(pass.CodeBug, source.Span{}, "%v", err)}
	}
	ir, d := pipeline.Run(ctx, opts.steps(pipeline.GPUFrom(ir.Stage)), ir, "")
	return &deviceProgram{ir, d, ctx.AskedFacts}
}
