package eval

import (
	"slices"
	"sync/atomic"

	"skald/middle/imp"
)

// Note [Sectors]
//
// A GPU moves memory in sectors of 32 bytes: what the threads of a warp ask for at one instruction takes as many transactions as they touch
// sectors. Where neighbouring threads access neighbouring elements these are as few as the bytes need; where each has a row of its own,
// there is a sector for each thread. A Watch counts both for each array, so that bytes in sectors over bytes asked for says how well an
// array is laid out for a kernel. Lanes that run by themselves, because few are active, count as if they asked for whole sectors' parts.
const (
	sectorBytes = 32
	warpLanes   = 32
)

// traffic is what launches ask of one array.
type traffic struct{ bytes, sectors atomic.Int64 }

// Traffic is what the threads of a launch ask of a global array: bytes, and bytes in the sectors that they touch (Note [Sectors]).
type Traffic struct {
	Array          string
	Bytes, Sectors int64
}

// Traffic lists the global arrays of a kernel that its launch accessed.
func (w *Watch) Traffic(k *imp.Kernel) []Traffic {
	var out []Traffic
	for m, d := range k.Mems {
		if n := w.arrays[m].bytes.Load(); n > 0 {
			out = append(out, Traffic{d.Name, n, w.arrays[m].sectors.Load()})
		}
	}
	return out
}

// alone counts an access to neighbouring elements by a thread whose neighbours do other things.
func (w *Watch) alone(a *array, elements int) {
	bytes := int64(elements * a.elem.Size())
	w.arrays[a.mem].bytes.Add(bytes)
	w.arrays[a.mem].sectors.Add(bytes)
}

// together counts an access of the active lanes of a block.
func (w *Watch) together(a *array, b *block, index indices) {
	size := uint64(a.elem.Size())
	var touched [warpLanes]uint64
	warp, n, bytes, sectors := int64(-1), 0, int64(0), int64(0)
	first := b.id - int64(b.lane)
	b.each(func(lane int) {
		if at := (first + int64(lane)) / warpLanes; at != warp {
			warp, n = at, 0
		}
		bytes += int64(size)
		sector := index.of(lane-b.active.lo) * size / sectorBytes
		if !slices.Contains(touched[:n], sector) {
			touched[n] = sector
			n++
			sectors += sectorBytes
		}
	})
	w.arrays[a.mem].bytes.Add(bytes)
	w.arrays[a.mem].sectors.Add(sectors)
}
