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
	mu      sync.Mutex
	passed  *sync.Cond // tells of each pass that has run, and of each question
	made    []*deviceProgram
	awaited *deviceProgram // which Begin has begun, and nobody has asked for
}

// deviceProgram is a program as the pipeline of a device leaves it, or what it says instead, once that is done. The lock of devicePrograms
// is for its fields.
type deviceProgram struct {
	ir      *core.Prog
	d       *diag.Diagnostic
	ctx     *pass.Context // what passes asked
	done    bool
	aborted bool // before the end, as it was for another device
	asking  []asking
	running asking // in front of the pass that runs
}

// asking is a program in front of a pass that asked something: the number of the pass, and the answers to what those before have asked.
// For a device with the same answers up to there, but not to that, the pipeline goes on from it, as soon as it has been asked.
type asking struct {
	pass    int
	ir      *core.Prog
	answers pass.Answers
	told    []*diag.Diagnostic
}

// Note [Begun before the device is known]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A driver takes a third of a second to open a GPU, for the most part on one processor. The passes that devices share ask little of a
// device, and all GPUs of an API have the same answers: so where a program has never run they begin before the device is opened, with
// the facts of a profile. If the device that opens has other answers the rest is left, and the passes run again from the first on that
// asked for what differs.

// Begin begins what has to be done before the program can run on the device that options ask for, unless what was done is kept.
func (p *Program) Begin(o DeviceOptions) {
	if p.keptForAny() {
		return
	}
	p.devices.mu.Lock()
	defer p.devices.mu.Unlock()
	if m := targets.Expected(o); m != nil && len(p.devices.made) == 0 {
		p.devices.awaited = p.begin(m)
	}
}

// limit is what the pipeline says of a program that is so for all devices, since it has asked nothing before; nil if there is nothing. What
// else the pipeline has to do it goes on doing.
func (p *Program) limit(m *Model) *diag.Diagnostic {
	p.devices.mu.Lock()
	defer p.devices.mu.Unlock()
	out := p.begin(m)
	for !out.done && len(out.ctx.Asked()) == 0 {
		p.devices.passed.Wait()
	}
	if len(out.ctx.Asked()) > 0 {
		return nil
	}
	return out.d
}

// forDevice returns the program as the passes leave it that devices share: core IR with memory, before choices.
func (p *Program) forDevice(m *Model) (*core.Prog, *diag.Diagnostic) {
	made := p.made(m)
	return made.ir, made.d
}

// made is what the passes make of the program that devices share, once they have.
func (p *Program) made(m *Model) *deviceProgram {
	p.devices.mu.Lock()
	defer p.devices.mu.Unlock()
	if out := p.devices.awaited; out != nil {
		p.devices.awaited = nil
		out.ctx.IsFor(m.Lowering)
		for !out.done && out.ctx.Void() {
			p.devices.passed.Wait()
		}
	}
	for {
		i := slices.IndexFunc(p.devices.made, func(made *deviceProgram) bool { return !made.aborted && made.ctx.Fits(m.Lowering) })
		switch {
		case i < 0:
			p.begin(m)
		case p.devices.made[i].done:
			return p.devices.made[i]
		default:
			p.devices.passed.Wait()
		}
	}
}

// begin begins the pipeline of a device, from where that of another has been of use so far. A program that was written by hand may be
// behind it, or at its middle. The lock is held.
func (p *Program) begin(m *Model) *deviceProgram {
	if p.devices.passed == nil {
		p.devices.passed = sync.NewCond(&p.devices.mu)
	}
	opts := p.opts
	opts.Model = m
	out := &deviceProgram{ctx: opts.context()}
	var from asking
	for _, made := range p.devices.made {
		for _, at := range append(slices.Clip(made.asking), made.running) {
			if at.pass > from.pass && at.answers.Fit(m.Lowering) {
				from = at
			}
		}
	}
	out.ctx.Resume(from.answers, from.told)
	out.ctx.Heard = func() { p.change(func() {}) }
	p.devices.made = append(p.devices.made, out)
	go p.run(out, opts, from)
	return out
}

// run applies the passes that devices share from a place on.
func (p *Program) run(out *deviceProgram, opts CompileOptions, at asking) {
	ir, err := p.ir()
	if err != nil {
		p.change(func() { out.d, out.done = diag.New(pass.CodeBug, source.Span{}, "%v", err), true })
		return
	}
	if at.ir == nil {
		at.ir = ir
	}
	shared, _ := pipeline.Shared(pipeline.GPUFrom(ir.Stage))
	steps := opts.steps(shared)
	var d *diag.Diagnostic
	for d == nil && at.pass < len(steps) && !out.ctx.Void() {
		p.change(func() { out.running = at })
		ir, d = pipeline.Run(out.ctx, steps[at.pass:at.pass+1], at.ir, "")
		next := asking{at.pass + 1, ir, out.ctx.Asked(), out.ctx.Told()}
		p.change(func() {
			if len(next.answers) > len(at.answers) {
				out.asking = append(out.asking, at)
			}
		})
		at = next
	}
	p.change(func() {
		out.ir, out.d, out.done = at.ir, d, true
		out.aborted = d == nil && at.pass < len(steps)
	})
}

// change changes what is known of a pipeline, and tells those who wait for that.
func (p *Program) change(f func()) {
	p.devices.mu.Lock()
	defer p.devices.mu.Unlock()
	f()
	p.devices.passed.Broadcast()
}

// chosen returns the program with the choices for a device.
func (p *Program) chosen(m *Model) (*core.Prog, *diag.Diagnostic) {
	ir, d := p.forDevice(m)
	if d != nil {
		return nil, d
	}
	opts := p.opts
	opts.Model = m
	_, own := pipeline.Shared(pipeline.GPUFrom(ir.Stage))
	return pipeline.Run(opts.context(), opts.steps(own), ir, "")
}
