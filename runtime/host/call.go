package host

import (
	"context"
	"errors"
	"fmt"

	"skald/middle/imp"
	"skald/middle/imp/eval"
	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// Args are the arguments of an entry point on the device. They may be used for
// several runs.
type Args struct {
	entry *imp.Entry
	words []uint64 // by parameter of the function
	held  []uint64 // the blocks among them
	fresh []owned  // those that a run may overwrite
}

// owned is a block that an entry point consumes: each run gets a copy.
type owned struct {
	param int
	bytes int64
}

// Results are the results of a run on the device.
type Results struct {
	entry *imp.Entry
	args  []uint64
	words []uint64
}

// Call runs an entry point on values and gives its results: one value for each
// part of each parameter and result.
func (p *Program) Call(entry string, args []value.Value) ([]value.Value, error) {
	return p.CallContext(context.Background(), entry, args)
}

// CallContext is Call, which ends with ctx's error at the next launch, allocation or
// reading after ctx has ended.
func (p *Program) CallContext(ctx context.Context, entry string, args []value.Value) ([]value.Value, error) {
	a, err := p.Upload(entry, args)
	if err != nil {
		return nil, err
	}
	defer p.FreeArgs(a)
	r, err := p.RunContext(ctx, a)
	if err != nil {
		return nil, err
	}
	defer p.FreeResults(r)
	return p.Download(r)
}

// Upload checks the arguments of an entry point and brings them to the device.
func (p *Program) Upload(entry string, args []value.Value) (*Args, error) {
	e := p.Entry(entry)
	if e == nil {
		return nil, fmt.Errorf("the program has no entry point %q", entry)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.prog.Fun(e.Fun)
	a := &Args{entry: e, words: make([]uint64, len(f.Params))}
	known := make([]bool, len(f.Params))
	n := 0
	for _, param := range e.Params {
		for _, part := range param.Parts {
			if n == len(args) {
				p.freeArgs(a)
				return nil, fmt.Errorf("entry point %s: too few arguments", entry)
			}
			if err := p.argument(a, known, &param, part, args[n]); err != nil {
				p.freeArgs(a)
				return nil, err
			}
			n++
		}
	}
	if n != len(args) {
		p.freeArgs(a)
		return nil, fmt.Errorf("entry point %s takes %d arguments, not %d", entry, n, len(args))
	}
	if err := p.compile(e); err != nil {
		p.freeArgs(a)
		return nil, err
	}
	return a, nil
}

// argument checks one argument against its part and takes its sizes over.
func (p *Program) argument(a *Args, known []bool, param *imp.EntryValue, part imp.EntryPart, v value.Value) error {
	shape := v.Shape()
	if v.Elem() != part.Elem || len(shape) != len(part.Shape) {
		return fmt.Errorf("entry point %s: argument %s should have type %s, but is a %s of rank %d",
			a.entry.Name, param.Name, param.Type, v.Elem(), len(shape))
	}
	for i, d := range part.Shape {
		want := d.N
		if d.Kind == imp.DimParam {
			if !known[d.N] {
				known[d.N], a.words[d.N] = true, uint64(shape[i])
			}
			want = int64(a.words[d.N])
		}
		if want != int64(shape[i]) {
			return fmt.Errorf("entry point %s: argument %s has size %d where its type %s and the other arguments ask for %d",
				a.entry.Name, param.Name, shape[i], param.Type, want)
		}
	}
	if len(part.Shape) == 0 {
		a.words[part.At] = v.Scalar().Word()
		known[part.At] = true
		return nil
	}
	data := v.Bytes()
	h, err := p.s.allocBytes(int64(len(data)))
	if err != nil {
		return err
	}
	a.words[part.At] = h
	a.held = append(a.held, h)
	if param.Unique {
		a.fresh = append(a.fresh, owned{part.At, int64(len(data))})
	}
	return p.dev.Upload(p.s.blocks[h].buf, 0, data)
}

// Run runs an entry point on uploaded arguments and waits for it.
func (p *Program) Run(a *Args) (*Results, error) { return p.RunContext(context.Background(), a) }

// RunContext is Run, which ends early as CallContext does.
func (p *Program) RunContext(ctx context.Context, a *Args) (*Results, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.s.ctx = ctx
	defer func() { p.s.ctx = context.Background() }()
	if err := p.init(); err != nil {
		return nil, err
	}
	words := append([]uint64(nil), a.words...)
	for _, o := range a.fresh {
		h, err := p.s.allocBytes(o.bytes)
		if err != nil {
			return nil, err
		}
		defer p.s.Release(h)
		if o.bytes > 0 {
			if err := p.dev.Copy(p.s.blocks[h].buf, 0, p.s.blocks[words[o.param]].buf, 0, o.bytes); err != nil {
				return nil, err
			}
		}
		words[o.param] = h
	}
	out, err := p.run(a.entry.Fun, words)
	if err != nil {
		return nil, err
	}
	return &Results{entry: a.entry, args: words, words: out}, nil
}

// init computes the program's constants once.
func (p *Program) init() error {
	if p.ready || p.prog.Init == "" {
		return nil
	}
	e := &imp.Entry{Fun: p.prog.Init}
	if err := p.compile(e); err != nil {
		return err
	}
	out, err := p.run(p.prog.Init, nil)
	if err != nil {
		return err
	}
	p.consts, p.ready = out, true
	return nil
}

// run calls a host function, waits for the device and looks for failures. After an
// error the blocks that the function made are freed.
func (p *Program) run(fun string, args []uint64) (out []uint64, err error) {
	before := p.s.holders()
	defer func() {
		if err == nil {
			return
		}
		if p.s.busy { // what was launched may report a failure, which is not the next run's
			err = errors.Join(err, p.s.wait())
		}
		p.s.rollback(before)
	}()
	p.s.fail = new(eval.Failure)
	if out, err = p.code.Run(p.s, fun, args); err != nil {
		return nil, err
	}
	hostFailure := p.s.fail
	p.s.fail = new(eval.Failure)
	if p.s.busy { // what kernels report came first
		if err := p.s.wait(); err != nil {
			return nil, err
		}
	}
	for _, f := range []*eval.Failure{p.s.fail, hostFailure} {
		if site, values, ok := f.Get(); ok {
			return nil, errorAt(p.prog, site, values)
		}
	}
	return out, nil
}

// Download brings results back.
func (p *Program) Download(r *Results) ([]value.Value, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []value.Value
	var regions []device.Region
	for _, res := range r.entry.Results {
		for _, part := range res.Parts {
			if len(part.Shape) == 0 {
				out = append(out, value.Scalar(prim.FromWord(part.Elem, r.words[part.At])))
				continue
			}
			shape := make([]int, len(part.Shape))
			for i, d := range part.Shape {
				shape[i] = int(r.dim(d))
			}
			v := value.New(part.Elem, shape...)
			out = append(out, v)
			if data := v.Bytes(); len(data) > 0 {
				regions = append(regions, device.Region{Buffer: p.s.blocks[r.words[part.At]].buf, Data: data})
			}
		}
	}
	if len(regions) == 0 {
		return out, nil
	}
	return out, p.dev.Download(regions...)
}

func (r *Results) dim(d imp.Dim) int64 {
	switch d.Kind {
	case imp.DimParam:
		return int64(r.args[d.N])
	case imp.DimResult:
		return int64(r.words[d.N])
	default:
	}
	return d.N
}

// FreeArgs frees the blocks of arguments.
func (p *Program) FreeArgs(a *Args) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.freeArgs(a)
}

func (p *Program) freeArgs(a *Args) {
	for _, h := range a.held {
		p.s.Release(h)
	}
	a.held = nil
}

// FreeResults frees the blocks of results.
func (p *Program) FreeResults(r *Results) {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := map[int]bool{}
	for _, res := range r.entry.Results {
		for _, part := range res.Parts {
			if len(part.Shape) > 0 && !seen[part.At] {
				seen[part.At] = true
				p.s.Release(r.words[part.At])
			}
		}
	}
}
