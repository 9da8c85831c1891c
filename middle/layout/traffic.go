package layout

import (
	"slices"

	"skald/middle/core"
)

// Note [Traffic]
//
// What an access costs, in picoseconds of a whole GPU, for each thread:
//
//   - nothing is counted where neighbouring threads access neighbouring elements, or the same one;
//   - costApart where each touches a sector of its own, which is used again, if ever, when it has left the caches. Each element then takes
//     a sector of 32 bytes: the reduction of the 16 columns of a matrix of 10^6 rows (backprop) took 579 us;
//   - costWalked where each thread goes along a row of its own, so that the sector is in the cache when it comes to the next elements; each
//     instruction of a warp then asks the cache for 32 lines, not one. The distances of 494,020 points of 35 numbers to five centres
//     (kmeans) took 147 us, for 86 million such reads;
//   - costCopy for each element of a transposition in tiles, which reads and writes side by side, and costCopyLaunch for its launch.
//
// Times are of an H200 on 2026-11-22; only ratios matter, which devices have much alike. Where rows are shorter than a sector, neighbouring
// threads share sectors, and a thread most often reads all of its row: then only the lines count for which instructions ask, as many as 32
// rows take.
const (
	costApart, costWalked    = 7.0, 1.4
	costCopy, costCopyLaunch = 2.4, 8e6
	sectorBytes, lineBytes   = 32, 128
)

// cost is what a read costs where the elements of an array lie side by side along a dimension.
func (r *read) cost(t core.Type, inner int) float64 {
	d, ok := r.lane()
	if !ok || d < 0 || d == inner || inner < 0 {
		return 0
	}
	if r.cached(t, inner) {
		return costWalked * spread(t, inner, lineBytes)
	}
	return costApart
}

// cached reports whether the other elements of a sector that a thread reads are read by it, too, soon: along a row, or of one that is not
// longer.
func (r *read) cached(t core.Type, inner int) bool {
	return r.dims[inner].walked || spread(t, inner, sectorBytes) < 1
}

// loses reports whether a read costs more, or may do so as far as is known, where the elements of an array lie side by side along another
// dimension than before.
func (r *read) loses(t core.Type, before, after int) bool {
	if before == after {
		return false
	}
	if _, ok := r.lane(); !ok {
		at := r.dims[before]
		return at.reach != alike || at.walked
	}
	return r.cost(t, after) > r.cost(t, before)
}

// spread is the part of so many bytes that a row takes, as far as its length is constant: how far neighbouring threads' elements are apart
// where they differ in an outer dimension.
func spread(t core.Type, inner int, bytes float64) float64 {
	if n, ok := t.Shape[inner].ConstInt(); ok {
		return min(1, float64(int(n)*t.Elem.Size())/bytes)
	}
	return 1
}

// perElement is how often something is done for each element of an array, as far as that can be told: sizes that do not cancel count as
// someTrips.
func (t trips) perElement(shape []core.Operand) float64 {
	k, by := t.k, slices.Clone(t.by)
	for _, n := range shape {
		if i := slices.Index(by, n); i >= 0 {
			by = slices.Delete(by, i, i+1)
		} else if c, ok := n.ConstInt(); ok {
			k /= float64(max(c, 1))
		} else {
			k /= someTrips
		}
	}
	for range by {
		k *= someTrips
	}
	return k
}
