package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"skald/middle/imp"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// Note [Held values]
// ~~~~~~~~~~~~~~~~~~
// A Held is a scalar, or an array in a block of the device that it is one of the holders of. So values stay on the device between
// calls: the
// results of one are arguments of the next, without a copy, and two values may share a block (a record and its field). A call may
// overwrite what it consumes only if nobody else holds the block: else it gets a copy. What replaces elements of an array works likewise.
// Every Held has to be dropped.

// Held is a scalar, or an array on the device.
type Held struct {
	typ  value.Type
	word uint64 // the scalar, or the block
}

// Type is the type of the value, with its shape.
func (h Held) Type() value.Type { return h.typ }

func (h Held) isArray() bool { return len(h.typ.Dims) > 0 }

// Bytes is how many bytes the value has.
func (h Held) Bytes() int64 {
	n := int64(h.typ.Elem.Size())
	for _, d := range h.typ.Dims {
		n *= int64(d)
	}
	return n
}

// Scalar is the value of a scalar.
func (h Held) Scalar() prim.Value { return prim.FromWord(h.typ.Elem, h.word) }

// HoldScalar makes a held scalar.
func HoldScalar(v prim.Value) Held { return Held{value.Type{Elem: v.Type()}, v.Word()} }

// Hold brings a value to the device.
func (p *Program) Hold(s *value.Stream) (Held, error) {
	out := Held{typ: s.Type()}
	if !out.isArray() {
		v, err := s.Value()
		if err != nil {
			return Held{}, err
		}
		return HoldScalar(v.Scalar()), nil
	}
	h, to, err := p.allocArg(out.typ.Elem, s.Bytes())
	if err != nil {
		return Held{}, err
	}
	out.word = h
	for at := int64(0); ; {
		piece, err := s.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err == nil {
			err = p.dev.Upload(to.Buffer, to.Offset+at, piece)
		}
		if err != nil {
			p.Drop(out)
			return Held{}, err
		}
		at += int64(len(piece))
	}
}

// HoldMore adds a holder to the value.
func (p *Program) HoldMore(h Held) Held {
	if h.isArray() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.blocks.retain(h.word)
	}
	return h
}

// Drop removes a holder of a value.
func (p *Program) Drop(h Held) {
	if h.isArray() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.blocks.release(h.word)
	}
}

// Fetch reads the value into data, which has as many bytes as it.
func (p *Program) Fetch(h Held, data []byte) error {
	if !h.isArray() {
		v := value.Scalar(h.Scalar())
		copy(data, v.Bytes())
		return nil
	}
	if len(data) == 0 {
		return nil
	}
	p.mu.Lock()
	region := p.blocks.region(h.word, 0, data)
	p.mu.Unlock()
	return p.dev.Download(region)
}

// Part makes the array of the elements from number first on, in row-major order, as a value of its own: with no extents, a scalar.
func (p *Program) Part(h Held, first int64, dims ...int) (Held, error) {
	out := Held{typ: value.Type{Elem: h.typ.Elem, Dims: dims}}
	size := int64(h.typ.Elem.Size())
	p.mu.Lock()
	from := p.blocks.place(h.word)
	p.mu.Unlock()
	if !out.isArray() {
		v := value.New(h.typ.Elem)
		if err := p.dev.Download(regionOf(from, first*size, v.Bytes())); err != nil {
			return Held{}, err
		}
		return HoldScalar(v.Scalar()), nil
	}
	block, to, err := p.allocArg(out.typ.Elem, out.Bytes())
	if err != nil {
		return Held{}, err
	}
	out.word = block
	if n := out.Bytes(); n > 0 {
		err = p.dev.Copy(to.Buffer, to.Offset, from.Buffer, from.Offset+first*size, n)
	}
	if err != nil {
		p.Drop(out)
		return Held{}, err
	}
	return out, nil
}

// New makes an array whose elements are not defined yet, to be set by Replace.
func (p *Program) New(t value.Type) (Held, error) {
	out := Held{typ: t}
	var err error
	out.word, _, err = p.allocArg(t.Elem, out.Bytes())
	return out, err
}

// Replace replaces the elements of an array from number first on by those of x. It returns the array with them, which is h if nobody else
// holds that; h is given up then in any case.
func (p *Program) Replace(h Held, first int64, x Held) (Held, error) {
	own, err := p.own(h)
	if err != nil {
		return h, err
	}
	size := int64(h.typ.Elem.Size())
	p.mu.Lock()
	to := p.blocks.place(own.word)
	p.mu.Unlock()
	if !x.isArray() {
		return own, p.dev.Upload(to.Buffer, to.Offset+first*size, value.Scalar(x.Scalar()).Bytes())
	}
	if x.Bytes() == 0 {
		return own, nil
	}
	p.mu.Lock()
	from := p.blocks.place(x.word)
	p.mu.Unlock()
	if from == to {
		return own, errors.New("an array cannot become an element of itself")
	}
	return own, p.dev.Copy(to.Buffer, to.Offset+first*size, from.Buffer, from.Offset, x.Bytes())
}

// own returns the array in a block that nobody else holds, and drops h if that is another.
func (p *Program) own(h Held) (Held, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.blocks.all[h.word].refs == 1 {
		return h, nil
	}
	out := h
	var err error
	if out.word, err = p.blocks.alloc(h.typ.Elem, h.Bytes()); err != nil {
		return h, err
	}
	if n := h.Bytes(); n > 0 {
		if err := p.blocks.copy(out.word, 0, h.word, 0, n); err != nil {
			p.blocks.release(out.word)
			return h, err
		}
	}
	p.blocks.release(h.word)
	return out, nil
}

// CallHeld runs an entry point on held values, one for each part of each parameter, and waits for it. It returns its results likewise. The
// arguments stay held, but those that the entry point consumes: they are given up once the call has begun, so a call
// with arguments that do not fit consumes nothing. begun says whether it has.
func (p *Program) CallHeld(ctx context.Context, entry string, args []Held) (results []Held, begun bool, err error) {
	a, consumed, err := p.heldArgs(entry, args)
	if err != nil {
		return nil, false, err
	}
	if err := p.Prepare(ctx, a); err != nil {
		p.FreeArgs(a)
		return nil, false, err
	}
	for _, h := range consumed {
		p.Drop(h)
	}
	if err := p.freshen(a); err != nil {
		p.FreeArgs(a)
		return nil, true, err
	}
	r, err := p.runWith(ctx, a, runOptions{last: true})
	if err != nil {
		p.FreeArgs(a)
		return nil, true, err
	}
	return p.heldResults(r), true, nil
}

// heldArgs makes arguments that hold what the values do. consumed are the values that the entry point consumes.
func (p *Program) heldArgs(entry string, args []Held) (a *Args, consumed []Held, err error) {
	e := p.Entry(entry)
	if e == nil {
		return nil, nil, fmt.Errorf("the program has no entry point %q", entry)
	}
	fun, err := p.parts.Function(e.Fun)
	if err != nil {
		return nil, nil, err
	}
	n := len(fun.Params)
	a = &Args{entry: e, words: make([]uint64, n)}
	known := make([]bool, n)
	for i := range e.Params {
		param := &e.Params[i]
		if len(args) < len(param.Parts) {
			p.FreeArgs(a)
			return nil, nil, fmt.Errorf("entry point %s: too few arguments", entry)
		}
		for j, part := range param.Parts {
			h := args[j]
			if err := a.sizes(known, param, part, h.typ); err != nil {
				p.FreeArgs(a)
				return nil, nil, err
			}
			a.words[part.At], known[part.At] = h.word, true
			if !h.isArray() {
				continue
			}
			a.held = append(a.held, p.HoldMore(h).word)
			if param.Unique {
				consumed = append(consumed, h)
				a.fresh = append(a.fresh, owned{part.At, part.Elem, h.Bytes()})
			}
		}
		args = args[len(param.Parts):]
	}
	return a, consumed, nil
}

// freshen copies the blocks that a run may overwrite and others than the arguments hold, and lets the run have the others.
func (p *Program) freshen(a *Args) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, o := range a.fresh {
		h := a.words[o.param]
		if p.blocks.all[h].refs == 1 {
			continue
		}
		made, err := p.blocks.alloc(o.elem, o.bytes)
		if err != nil {
			return err
		}
		a.held[slices.Index(a.held, h)] = made
		if o.bytes > 0 {
			err = p.blocks.copy(made, 0, h, 0, o.bytes)
		}
		p.blocks.release(h)
		a.words[o.param] = made
		if err != nil {
			return err
		}
	}
	a.fresh = nil
	return nil
}

// heldResults lists the parts of results as values, which take over what the results hold.
func (p *Program) heldResults(r *Results) []Held {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []Held
	seen := map[int]bool{}
	for _, res := range r.entry.Results {
		for _, part := range res.Parts {
			h := Held{typ: value.Type{Elem: part.Elem, Dims: make([]int, len(part.Shape))}, word: r.words[part.At]}
			for i, d := range part.Shape {
				h.typ.Dims[i] = int(r.dim(d))
			}
			if h.isArray() && seen[part.At] { // two arrays in one block
				p.blocks.retain(h.word)
			}
			seen[part.At] = true
			out = append(out, h)
		}
	}
	return out
}

// TunesOf lists the tuning parameters that runs of an entry point ask for.
func (p *Program) TunesOf(entry string) ([]imp.Tune, error) {
	whole, err := p.withFunctions()
	if err != nil {
		return nil, err
	}
	return whole.TunesOf(entry), nil
}
