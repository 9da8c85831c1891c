package host

import (
	"cmp"
	"slices"

	"skald/middle/imp"
	"skald/runtime/device"
)

// Note [Gathered arrays]
// ~~~~~~~~~~~~~~~~~~~~~~
// The arrays of a launch may lie in more arenas than the device binds: in a program whose arrays fill a gigabyte, on a device that binds
// eight buffers of 128 MiB. Then those of one size of element that lie in the arenas with the fewest bytes of them are copied into one
// buffer, and what the kernel writes is copied back. Program.Gathered counts these copies; programs of the suite need none.

// gathered are the places of a launch's arrays, some of which are copies.
type gathered struct {
	own     []device.Binding
	buffers []device.Buffer
	back    []moved
}

// moved is an array, and its copy that a kernel writes.
type moved struct{ to, from device.Binding }

// home is the arrays of a launch that lie in one arena.
type home struct {
	class  int
	bytes  int64
	arrays []int
}

// gather copies arrays of a launch, as many as have to be, into few buffers.
func (p *Program) gather(k *kernel, own []device.Binding) (*gathered, error) {
	out := &gathered{own: slices.Clone(own)}
	excess := -k.most
	var homes [4][]home
	for i, b := range own {
		c := class(k.mems[i].Elem)
		at := slices.IndexFunc(homes[c], func(h home) bool { return own[h.arrays[0]].Buffer == b.Buffer })
		if n := p.chunksOf(b.Size); n > 1 || at < 0 {
			excess += n
		}
		switch {
		case b.Size > p.blocks.arenas.most: // It stays where it is.
		case at < 0:
			homes[c] = append(homes[c], home{c, b.Size, []int{i}})
		default:
			homes[c][at].bytes += b.Size
			homes[c][at].arrays = append(homes[c][at].arrays, i)
		}
	}
	for c := range homes {
		slices.SortStableFunc(homes[c], func(a, b home) int { return cmp.Compare(a.bytes, b.bytes) })
		take, bytes := 0, int64(0)
		for take < len(homes[c]) && take <= excess && bytes+homes[c][take].room() <= p.blocks.arenas.most {
			bytes += homes[c][take].room()
			take++
		}
		if take < 2 {
			continue
		}
		excess -= take - 1
		if err := p.gatherInto(out, k, bytes, homes[c][:take]); err != nil {
			out.free(p.dev)
			return nil, err
		}
	}
	return out, nil
}

// room is how many bytes the arrays take in another buffer.
func (h *home) room() int64 { return h.bytes + int64(len(h.arrays))*arenaAlign }

// gatherInto copies arrays into a buffer of so many bytes.
func (p *Program) gatherInto(out *gathered, k *kernel, bytes int64, homes []home) error {
	buf, err := p.dev.Alloc(bytes)
	if err != nil {
		return err
	}
	out.buffers = append(out.buffers, buf)
	at := int64(0)
	for _, h := range homes {
		for _, i := range h.arrays {
			from := out.own[i]
			to := device.Binding{Buffer: buf, Offset: at, Size: from.Size}
			at += aligned(from.Size)
			if err := p.dev.Copy(buf, to.Offset, from.Buffer, from.Offset, from.Size); err != nil {
				return err
			}
			p.gathered++
			out.own[i] = to
			if k.mems[i].Access != imp.Read {
				out.back = append(out.back, moved{from, to})
			}
		}
	}
	return nil
}

// copyBack records the copies of what the kernel writes.
func (g *gathered) copyBack(dev device.Device) error {
	for _, m := range g.back {
		if err := dev.Copy(m.to.Buffer, m.to.Offset, m.from.Buffer, m.from.Offset, m.to.Size); err != nil {
			return err
		}
	}
	return nil
}

// free frees the buffers of copies; the device keeps them until what is recorded has run.
func (g *gathered) free(dev device.Device) {
	for _, b := range g.buffers {
		dev.Free(b)
	}
}

// Gathered is how many arrays were copied since the program was loaded, because those of a launch lay in more buffers than the device
// binds.
func (p *Program) Gathered() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.gathered
}
