package choose

import (
	"cmp"
	"fmt"

	"skald/middle/facts"
	"skald/middle/tile"
)

// wordBytes is the size of the elements that sizes are measured by: for smaller ones more fits, for larger ones less.
const wordBytes = 4

// Refuses says why a device cannot have the sizes of tiles, or the factor of workgroups, that somebody has set; "" says that it can. What
// it can have an operation may be too large for: then shapes are left out, and factors halved.
func Refuses(f facts.Facts) string {
	f = f.WithDefaults()
	most := max(f.GroupSize, f.WideGroup)
	threads, points := cmp.Or(f.Tile, leastTile), cmp.Or(f.RegTile, 1)
	shape := tile.Square(threads, points)
	bytes := wordBytes * (tile.StagedSize(shape, tile.Row) + tile.StagedSize(shape, tile.Col))
	d := &Device{Facts: f}
	switch {
	case f.RegTile > tile.MaxSide:
		return fmt.Sprintf("a thread has at most %d by %d points of a tile, not %d by %d", tile.MaxSide, tile.MaxSide, points, points)
	case f.Tile > 0 && shape.Threads() > most:
		return fmt.Sprintf("tiles of %d by %d threads are too large: workgroups of the device have %d threads at most", threads, threads, most)
	case f.Tile+f.RegTile > 0 && bytes > f.WideBytes:
		return fmt.Sprintf("tiles of %d by %d threads with %d by %d points each take %d bytes of workgroup memory, of which the device has %d",
			threads, threads, points, points, bytes, f.WideBytes)
	case f.SeqFactor > 1 && !d.tilesFit(insideBody{tileBytes: wordBytes}, 2*leastSequential, f.SeqFactor):
		return fmt.Sprintf("workgroups whose threads take %d elements each need more workgroup memory than the %d bytes that the device has",
			f.SeqFactor, f.WideBytes)
	}
	return ""
}

// leastTile is how many threads a side the smallest tiles have unless somebody has set it.
const leastTile = 8
