package compiler

import (
	"slices"
	"sync"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/middle/core"
	"skald/middle/pass"
	"skald/middle/pipeline"
)

// devicePrograms are the results of the devices' pipeline, of which a program for several devices or runs makes each once. A result is
// that of all devices for which passes would have had the same answers.
type devicePrograms struct {
	mu   sync.Mutex
	made []*deviceProgram
}

// deviceProgram is a program as the pipeline of a device leaves it, or what it says instead.
type deviceProgram struct {
	ir  *core.Prog
	d   *diag.Diagnostic
	ctx *pass.Context // what passes asked
}

// forDevice returns the program as the passes leave it that devices share: core IR with memory, before choices. asked says that
// other devices may differ.
func (p *Program) forDevice(m *Model) (ir *core.Prog, d *diag.Diagnostic, asked bool) {
	p.devices.mu.Lock()
	defer p.devices.mu.Unlock()
	i := slices.IndexFunc(p.devices.made, func(made *deviceProgram) bool { return made.ctx.Fits(m.Lowering) })
	if i < 0 {
		i = len(p.devices.made)
		p.devices.made = append(p.devices.made, p.makeForDevice(m))
	}
	out := p.devices.made[i]
	return out.ir, out.d, out.ctx.AskedFacts()
}

// makeForDevice runs the pipeline of a device. A program that was written by hand may be behind it, or at its middle.
func (p *Program) makeForDevice(m *Model) *deviceProgram {
	opts := p.opts
	opts.Model = m
	ctx := opts.context()
	ir, err := p.ir()
	if err != nil {
		return &deviceProgram{nil, diag.New(pass.CodeBug, source.Span{}, "%v", err), ctx}
	}
	shared, _ := pipeline.Shared(pipeline.GPUFrom(ir.Stage))
	ir, d := pipeline.Run(ctx, opts.steps(shared), ir, "")
	return &deviceProgram{ir, d, ctx}
}

// chosen returns the program with the choices for a device.
func (p *Program) chosen(m *Model) (*core.Prog, *diag.Diagnostic) {
	ir, d, _ := p.forDevice(m)
	if d != nil {
		return nil, d
	}
	opts := p.opts
	opts.Model = m
	_, own := pipeline.Shared(pipeline.GPUFrom(ir.Stage))
	return pipeline.Run(opts.context(), opts.steps(own), ir, "")
}
