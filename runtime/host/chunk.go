package host

import (
	"fmt"
	"math/bits"

	"skald/middle/imp"
	"skald/runtime/device"
)

// Note [Binding chunked buffers]
//
// A device may bind fewer bytes at once than a buffer holds: WebGPU guarantees 128 MiB of 256. A launch on a larger buffer takes a
// form of its kernel in which the buffer is several bindings, as large as can be but powers of two: see package wgsl's
// Note [Chunked buffers]. That form is compiled when the first such launch comes.

// inChunks returns the form of k for bindings that are larger than the device allows, and those bindings split. It returns k and bs
// where there are none. See Note [Binding chunked buffers].
func (p *Program) inChunks(k *kernel, bs []device.Binding) (*kernel, []device.Binding, error) {
	log := p.chunkLog()
	counts := make([]int, len(bs))
	var out []device.Binding
	for i, b := range bs {
		size := b.Size
		if size <= p.dev.Facts().MaxBindingSize {
			out = append(out, b)
			continue
		}
		for at := int64(0); at < size; at += 1 << log {
			out = append(out, device.Binding{Buffer: b.Buffer, Offset: b.Offset + at, Size: min(1<<log, size-at)})
			counts[i]++
		}
	}
	if len(out) == len(bs) {
		return k, bs, nil
	}
	key := k.key
	key.chunks = fmt.Sprint(counts)
	if split := p.kernels[key]; split != nil {
		return split, out, nil
	}
	split := *k
	split.key, split.run, split.decl = key, nil, imp.SplitMems(k.decl, counts, log)
	var err error
	if split.code, err = p.print(split.decl); err != nil {
		return nil, nil, err
	}
	p.kernels[key] = &split
	return &split, out, nil
}

// chunkLog is the logarithm of the bytes of a chunk.
func (p *Program) chunkLog() int { return min(bits.Len64(uint64(p.dev.Facts().MaxBindingSize))-1, 30) }

// chunksOf is how many bindings a buffer takes.
func (p *Program) chunksOf(size int64) int {
	if size <= p.dev.Facts().MaxBindingSize {
		return 1
	}
	log := p.chunkLog()
	return int((size + 1<<log - 1) >> log)
}
