package host

import (
	"skald/middle/imp"
	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// Results are the results of a run on the device.
type Results struct {
	entry *imp.Entry
	args  []uint64
	words []uint64
	small map[int]value.Value // parts that came back with the run
}

// result is one part of a result: a scalar, or an array in a buffer.
type result struct {
	typ    value.Type
	scalar value.Value
	buffer device.Buffer
}

// list lists the parts of results. Program.mu is held.
func (p *Program) list(r *Results) []result {
	var out []result
	for _, res := range r.entry.Results {
		for _, part := range res.Parts {
			word := r.words[part.At]
			if len(part.Shape) == 0 {
				v := value.Scalar(prim.FromWord(part.Elem, word))
				out = append(out, result{typ: v.Type(), scalar: v})
				continue
			}
			t := value.Type{Elem: part.Elem, Dims: make([]int, len(part.Shape))}
			for i, d := range part.Shape {
				t.Dims[i] = int(r.dim(d))
			}
			out = append(out, result{typ: t, buffer: p.blocks.buffer(word)})
		}
	}
	return out
}

// values makes the values of results, and says what to read into those that are arrays. Program.mu is held.
func (p *Program) values(r *Results) (out []value.Value, regions []device.Region) {
	for _, part := range p.list(r) {
		if part.buffer == nil {
			out = append(out, part.scalar)
			continue
		}
		v := value.New(part.typ.Elem, part.typ.Dims...)
		out = append(out, v)
		if data := v.Bytes(); len(data) > 0 {
			regions = append(regions, device.Region{Buffer: part.buffer, Data: data})
		}
	}
	return out, regions
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

// smallResult is how many bytes a result may have that is not streamed.
const smallResult = 64 << 10

// readSmall says what of results to read with the last wait of their run. Program.mu is held.
func (p *Program) readSmall(r *Results) (regions []device.Region) {
	r.small = map[int]value.Value{}
	for i, part := range p.list(r) {
		if part.buffer == nil {
			continue
		}
		if n, ok := part.typ.Bytes(); !ok || n > smallResult {
			continue
		}
		v := value.New(part.typ.Elem, part.typ.Dims...)
		r.small[i] = v
		if data := v.Bytes(); len(data) > 0 {
			regions = append(regions, device.Region{Buffer: part.buffer, Data: data})
		}
	}
	return regions
}

// Streams is Download of results as streams, which read from the device as they are taken, so that large results need
// not lie in the host's memory. What is small comes at once. The results must not be freed before.
func (p *Program) Streams(r *Results) ([]*value.Stream, error) {
	p.mu.Lock()
	parts := p.list(r)
	p.mu.Unlock()
	var out []*value.Stream
	var regions []device.Region
	for i, part := range parts {
		small, read := r.small[i]
		switch s, err := p.stream(part); {
		case err != nil:
			return nil, err
		case read:
			out = append(out, small.Stream())
		case part.buffer == nil:
			out = append(out, part.scalar.Stream())
		case s.Bytes() > smallResult:
			out = append(out, s)
		default:
			v := value.New(part.typ.Elem, part.typ.Dims...)
			out = append(out, v.Stream())
			if data := v.Bytes(); len(data) > 0 {
				regions = append(regions, device.Region{Buffer: part.buffer, Data: data})
			}
		}
	}
	if len(regions) == 0 {
		return out, nil
	}
	return out, p.dev.Download(regions...)
}

// stream is a result as a stream that reads an array piece by piece.
func (p *Program) stream(part result) (*value.Stream, error) {
	var memory []byte
	at := int64(0)
	return value.NewStream(part.typ, func(n int) ([]byte, error) {
		if len(memory) < n {
			memory = make([]byte, n)
		}
		err := p.dev.Download(device.Region{Buffer: part.buffer, Offset: at, Data: memory[:n]})
		at += int64(n)
		return memory[:n], err
	})
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
