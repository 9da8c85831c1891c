package host

import (
	"context"
	"slices"

	"skald/runtime/device"
	"skald/runtime/value"
)

// Call runs an entry point on values and returns its results: one value for each
// part of each parameter and result.
func (p *Program) Call(entry string, args []value.Value) ([]value.Value, error) {
	return p.CallContext(context.Background(), entry, args)
}

// CallContext is Call, which ends with ctx's error at the next launch, allocation or
// reading after ctx has ended. Results come back in the round trip that waits for the run.
func (p *Program) CallContext(ctx context.Context, entry string, args []value.Value) ([]value.Value, error) {
	a, err := p.Upload(entry, args)
	if err != nil {
		return nil, err
	}
	defer p.FreeArgs(a)
	r, err := p.runWith(ctx, a, runOptions{last: true, read: anyResult})
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	values := p.values(r)
	p.mu.Unlock()
	p.FreeResults(r)
	return values, nil
}

// Run runs an entry point on uploaded arguments and waits for it.
func (p *Program) Run(a *Args) (*Results, error) { return p.RunContext(context.Background(), a) }

// RunContext is Run, which ends early as CallContext does.
func (p *Program) RunContext(ctx context.Context, a *Args) (*Results, error) {
	return p.runWith(ctx, a, runOptions{})
}

// RunLast is RunContext for the last run on these arguments: it frees them as it goes, and what it consumes it need not copy. Small
// results come back in the round trip that waits for the run; Streams has them then.
func (p *Program) RunLast(ctx context.Context, a *Args) (*Results, error) {
	return p.runWith(ctx, a, runOptions{last: true, read: smallResult})
}

// runOptions say how an entry point is run.
type runOptions struct {
	last bool // The arguments are not needed any more.
	read int  // How many bytes arrays may have that are read with the last wait; 0 for none.
}

// runWith runs an entry point.
func (p *Program) runWith(ctx context.Context, a *Args, o runOptions) (*Results, error) {
	if err := p.init(ctx); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s, err := p.session(ctx)
	if err != nil {
		return nil, err
	}
	defer p.rest(s)
	r := &Results{entry: a.entry, args: slices.Clone(a.words)}
	c := hostCall{fun: a.entry.Fun, args: r.args}
	if o.last {
		c.given, a.held, a.fresh = a.held, nil, nil
	}
	for _, o := range a.fresh {
		h, err := p.blocks.alloc(o.elem, o.bytes)
		if err != nil {
			return nil, err
		}
		defer p.blocks.release(h)
		if o.bytes > 0 {
			if err := p.blocks.copy(h, 0, a.words[o.param], 0, o.bytes); err != nil {
				return nil, err
			}
		}
		r.args[o.param] = h
	}
	if o.read > 0 {
		c.read = func(out []uint64, known []bool) []device.Region {
			r.words = out
			return p.arrive(r, known, o.read)
		}
	}
	if err := p.rehearse(c, p.tellPrinted); err != nil {
		return nil, err
	}
	if r.words, err = s.run(c); err != nil {
		return nil, err
	}
	return r, nil
}

// Prepare compiles the kernels that an entry point will launch on uploaded arguments, as far as these tell, so that the time of
// its first run is not theirs. Running does it otherwise.
func (p *Program) Prepare(ctx context.Context, a *Args) error {
	if err := p.init(ctx); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rehearse(hostCall{fun: a.entry.Fun, args: a.words}, p.tellPrinted)
}

// Init computes the program's constants, which the first call does otherwise: they may fail.
func (p *Program) Init(ctx context.Context) error { return p.init(ctx) }

// init computes the program's constants once. Calls that need them meanwhile wait.
func (p *Program) init(ctx context.Context) error {
	p.initMu.Lock()
	defer p.initMu.Unlock()
	if p.ready || p.prog.Init == "" {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.rounds.add(p.prog.Init, p.parts); err != nil {
		return err
	}
	if err := p.makeRound(p.rounds.funs[p.prog.Init], nil); err != nil {
		return err
	}
	s, err := p.session(ctx)
	if err != nil {
		return err
	}
	defer p.rest(s)
	c := hostCall{fun: p.prog.Init}
	if err := p.rehearse(c, func() {}); err != nil {
		return err
	}
	out, err := s.run(c)
	if err != nil {
		return err
	}
	p.consts, p.ready = out, true
	return nil
}
