package compiler

import (
	"slices"
	"sync"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/middle/core"
	"skald/middle/pass"
	"skald/middle/pipeline"
	"skald/targets"
)

// devicePrograms are the results of the devices' pipeline, of which a program for several devices or runs makes each once. A result is
// that of all devices for which passes would have had the same answers.
type devicePrograms struct {
	mu    sync.Mutex
	made  []*deviceProgram
	begun *deviceProgram // which Begin has begun, and nobody has waited for
}

// deviceProgram is a program as the pipeline of a device leaves it, or what it says instead, once done is closed.
type deviceProgram struct {
	ir   *core.Prog
	d    *diag.Diagnostic
	ctx  *pass.Context // what passes asked
	done chan struct{}
}

// Note [Begun before the device is known]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A driver takes a third of a second to open a GPU, for the most part on one processor. The passes that devices share ask little of a
// device, and all GPUs of an API have the same answers: so where a program has never run they begin before the device is opened, with
// the facts of a profile. If the device that opens has other answers the rest is left, and the passes begin again with its facts.

// Begin begins what has to be done before the program can run on the device that options ask for, unless what was done is kept.
func (p *Program) Begin(o DeviceOptions) {
	if p.keptForAny() {
		return
	}
	p.devices.mu.Lock()
	defer p.devices.mu.Unlock()
	if m := targets.Expected(o); m != nil && p.devices.begun == nil {
		p.devices.begun = p.begin(m)
	}
}

// forDevice returns the program as the passes leave it that devices share: core IR with memory, before choices. asked says that
// other devices may differ.
func (p *Program) forDevice(m *Model) (ir *core.Prog, d *diag.Diagnostic, asked bool) {
	p.devices.mu.Lock()
	defer p.devices.mu.Unlock()
	p.wait(m)
	i := slices.IndexFunc(p.devices.made, func(made *deviceProgram) bool { return made.ctx.Fits(m.Lowering) })
	if i < 0 {
		i = len(p.devices.made)
		p.devices.made = append(p.devices.made, p.begin(m))
		<-p.devices.made[i].done
	}
	out := p.devices.made[i]
	return out.ir, out.d, out.ctx.AskedFacts()
}

// wait waits for what Begin has begun, if it fits a device.
func (p *Program) wait(m *Model) {
	begun := p.devices.begun
	if begun == nil {
		return
	}
	p.devices.begun = nil
	begun.ctx.IsFor(m.Lowering)
	if <-begun.done; !begun.ctx.Void() {
		p.devices.made = append(p.devices.made, begun)
	}
}

// begin begins the pipeline of a device. A program that was written by hand may be behind it, or at its middle.
func (p *Program) begin(m *Model) *deviceProgram {
	opts := p.opts
	opts.Model = m
	out := &deviceProgram{ctx: opts.context(), done: make(chan struct{})}
	go func() {
		defer close(out.done)
		ir, err := p.ir()
		if err != nil {
			out.d = diag.New(pass.CodeBug, source.Span{}, "%v", err)
			return
		}
		shared, _ := pipeline.Shared(pipeline.GPUFrom(ir.Stage))
		out.ir, out.d = pipeline.Run(out.ctx, opts.steps(shared), ir, "")
	}()
	return out
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
