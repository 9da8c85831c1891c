package host

import (
	"context"
	"fmt"
	"slices"

	"skald/middle/imp"
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
// reading after ctx has ended. Results come back in the round trip that waits for the run.
func (p *Program) CallContext(ctx context.Context, entry string, args []value.Value) ([]value.Value, error) {
	a, err := p.Upload(entry, args)
	if err != nil {
		return nil, err
	}
	defer p.FreeArgs(a)
	var values []value.Value
	r, err := p.runReading(ctx, a, func(r *Results) (regions []device.Region) {
		values, regions = p.values(r)
		return regions
	})
	if err != nil {
		return nil, err
	}
	p.FreeResults(r)
	return values, nil
}

// Upload checks the arguments of an entry point and brings them to the device.
func (p *Program) Upload(entry string, args []value.Value) (*Args, error) {
	e := p.Entry(entry)
	if e == nil {
		return nil, fmt.Errorf("the program has no entry point %q", entry)
	}
	a, uploads, err := p.place(e, args)
	if err != nil {
		return nil, err
	}
	for _, u := range uploads {
		if err := p.dev.Upload(u.Buffer, 0, u.Data); err != nil {
			p.FreeArgs(a)
			return nil, err
		}
	}
	return a, nil
}

// place checks arguments, makes blocks for the arrays among them, and says what to upload to these.
func (p *Program) place(e *imp.Entry, args []value.Value) (_ *Args, uploads []device.Region, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.prog.Fun(e.Fun)
	a := &Args{entry: e, words: make([]uint64, len(f.Params))}
	defer func() {
		if err != nil {
			p.freeArgs(a)
		}
	}()
	known := make([]bool, len(f.Params))
	n := 0
	for _, param := range e.Params {
		for _, part := range param.Parts {
			if n == len(args) {
				return nil, nil, fmt.Errorf("entry point %s: too few arguments", e.Name)
			}
			data, err := p.argument(a, known, &param, part, args[n])
			if err != nil {
				return nil, nil, err
			}
			if len(data.Data) > 0 {
				uploads = append(uploads, data)
			}
			n++
		}
	}
	if n != len(args) {
		return nil, nil, fmt.Errorf("entry point %s takes %d arguments, not %d", e.Name, n, len(args))
	}
	return a, uploads, p.compile(e)
}

// argument checks one argument against its part, takes its sizes over, and says what to upload of it.
func (p *Program) argument(
	a *Args, known []bool, param *imp.EntryValue, part imp.EntryPart, v value.Value,
) (none device.Region, err error) {
	shape := v.Shape()
	if v.Elem() != part.Elem || len(shape) != len(part.Shape) {
		return none, fmt.Errorf("entry point %s: argument %s should have type %s, but is a %s of rank %d",
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
			return none, fmt.Errorf("entry point %s: argument %s has size %d where its type %s and the other arguments ask for %d",
				a.entry.Name, param.Name, shape[i], param.Type, want)
		}
	}
	if len(part.Shape) == 0 {
		a.words[part.At] = v.Scalar().Word()
		known[part.At] = true
		return none, nil
	}
	data := v.Bytes()
	h, err := p.blocks.alloc(int64(len(data)))
	if err != nil {
		return none, err
	}
	a.words[part.At] = h
	a.held = append(a.held, h)
	if param.Unique {
		a.fresh = append(a.fresh, owned{part.At, int64(len(data))})
	}
	return device.Region{Buffer: p.blocks.buffer(h), Data: data}, nil
}

// Run runs an entry point on uploaded arguments and waits for it.
func (p *Program) Run(a *Args) (*Results, error) { return p.RunContext(context.Background(), a) }

// RunContext is Run, which ends early as CallContext does.
func (p *Program) RunContext(ctx context.Context, a *Args) (*Results, error) {
	return p.runReading(ctx, a, nil)
}

// runReading is RunContext, which also reads what read says of the results, unless it is nil.
func (p *Program) runReading(ctx context.Context, a *Args, read func(*Results) []device.Region) (*Results, error) {
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
	for _, o := range a.fresh {
		h, err := p.blocks.alloc(o.bytes)
		if err != nil {
			return nil, err
		}
		defer p.blocks.release(h)
		if o.bytes > 0 {
			if err := p.dev.Copy(p.blocks.buffer(h), 0, p.blocks.buffer(a.words[o.param]), 0, o.bytes); err != nil {
				return nil, err
			}
		}
		r.args[o.param] = h
	}
	var regions func(out []uint64) []device.Region
	if read != nil {
		regions = func(out []uint64) []device.Region {
			r.words = out
			return read(r)
		}
	}
	if r.words, err = s.run(a.entry.Fun, r.args, regions); err != nil {
		return nil, err
	}
	return r, nil
}

// init computes the program's constants once. Calls that need them meanwhile wait.
func (p *Program) init(ctx context.Context) error {
	p.initMu.Lock()
	defer p.initMu.Unlock()
	if p.ready || p.prog.Init == "" {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	e := &imp.Entry{Fun: p.prog.Init}
	if err := p.compile(e); err != nil {
		return err
	}
	s, err := p.session(ctx)
	if err != nil {
		return err
	}
	defer p.rest(s)
	out, err := s.run(p.prog.Init, nil, nil)
	if err != nil {
		return err
	}
	p.consts, p.ready = out, true
	return nil
}

// Download brings results back.
func (p *Program) Download(r *Results) ([]value.Value, error) {
	p.mu.Lock()
	out, regions := p.values(r)
	p.mu.Unlock()
	if len(regions) == 0 {
		return out, nil
	}
	return out, p.dev.Download(regions...)
}

// values makes the values of results, and says what to read into those that are arrays.
func (p *Program) values(r *Results) (out []value.Value, regions []device.Region) {
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
				regions = append(regions, device.Region{Buffer: p.blocks.buffer(r.words[part.At]), Data: data})
			}
		}
	}
	return out, regions
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
		p.blocks.release(h)
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
				p.blocks.release(r.words[part.At])
			}
		}
	}
}
