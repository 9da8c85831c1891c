package host

import (
	"math"
	"slices"

	"skald/middle/imp"
	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// Results are the results of a run on the device.
type Results struct {
	entry   *imp.Entry
	args    []uint64
	words   []uint64
	arrived map[int]value.Value // parts that came back with the run
}

// result is one part of a result: a scalar, or an array in a block.
type result struct {
	typ    value.Type
	scalar value.Value
	place  device.Binding
}

// list lists the parts of results. Program.mu is held.
func (p *Program) list(r *Results) []result {
	var out []result
	for _, res := range r.entry.Results {
		for _, part := range res.Parts {
			out = append(out, p.part(r, part))
		}
	}
	return out
}

// part is a part of a result, whose words are known.
func (p *Program) part(r *Results, part imp.EntryPart) result {
	word := r.words[part.At]
	if len(part.Shape) == 0 {
		v := value.Scalar(prim.FromWord(part.Elem, word))
		return result{typ: v.Type(), scalar: v}
	}
	t := value.Type{Elem: part.Elem, Dims: make([]int, len(part.Shape))}
	for i, d := range part.Shape {
		t.Dims[i] = int(r.dim(d))
	}
	return result{typ: t, place: p.blocks.place(word)}
}

// isKnown reports whether the words of a part are: its own, and those of its sizes. Nil means that all are.
func isKnown(part imp.EntryPart, known []bool) bool {
	return known == nil || known[part.At] &&
		!slices.ContainsFunc(part.Shape, func(d imp.Dim) bool { return d.Kind == imp.DimResult && !known[d.N] })
}

// arrive says what to read of results: the arrays of up to so many bytes each that are known, and have not arrived. Program.mu is held.
func (p *Program) arrive(r *Results, known []bool, most int) (regions []device.Region) {
	if r.arrived == nil {
		r.arrived = map[int]value.Value{}
	}
	i := -1
	for _, res := range r.entry.Results {
		for _, part := range res.Parts {
			i++
			if _, ok := r.arrived[i]; ok || len(part.Shape) == 0 || !isKnown(part, known) {
				continue
			}
			array := p.part(r, part)
			if n, ok := array.typ.Bytes(); !ok || n > most || n > 0 && int64(n) > array.place.Size {
				continue // Its size may be one that a check behind the reading refuses.
			}
			v := value.New(array.typ.Elem, array.typ.Dims...)
			r.arrived[i] = v
			if data := v.Bytes(); len(data) > 0 {
				regions = append(regions, regionOf(array.place, 0, data))
			}
		}
	}
	return regions
}

// Arguments of arrive.
const (
	smallResult = 64 << 10    // how many bytes a result may have that is not streamed
	anyResult   = math.MaxInt // how many one may have that is not
)

// values are the values of results that have arrived. Program.mu is held.
func (p *Program) values(r *Results) []value.Value {
	out := make([]value.Value, 0, len(r.entry.Results))
	for i, part := range p.list(r) {
		if v, ok := r.arrived[i]; ok {
			out = append(out, v)
		} else {
			out = append(out, part.scalar)
		}
	}
	return out
}

// Download brings results back.
func (p *Program) Download(r *Results) ([]value.Value, error) {
	p.mu.Lock()
	regions := p.arrive(r, nil, anyResult)
	out := p.values(r)
	p.mu.Unlock()
	if len(regions) == 0 {
		return out, nil
	}
	return out, p.dev.Download(regions...)
}

// Streams is Download of results as streams, which read from the device as they are taken, so that large results need
// not lie in the host's memory. What is small comes at once. The results must not be freed before.
func (p *Program) Streams(r *Results) ([]*value.Stream, error) {
	p.mu.Lock()
	parts := p.list(r)
	regions := p.arrive(r, nil, smallResult)
	p.mu.Unlock()
	out := make([]*value.Stream, len(parts))
	for i, part := range parts {
		v, arrived := r.arrived[i]
		var err error
		switch {
		case arrived:
			out[i] = v.Stream()
		case part.place.Buffer == nil:
			out[i] = part.scalar.Stream()
		default:
			out[i], err = p.stream(part)
		}
		if err != nil {
			return nil, err
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
		err := p.dev.Download(regionOf(part.place, at, memory[:n]))
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
