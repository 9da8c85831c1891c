package tile

import "skald/middle/core"

// Note [Shapes]
//
// Larger tiles read less: a tile of r x c reads r + c elements for r*c products, and a thread with 8 x 8 of them 16 words of workgroup
// memory for 64 products. But there must be enough tiles to give each compute unit one, and accumulators must fit registers. So
// there are several shapes, largest first, for lowering to choose from when sizes and device are known. The largest is that of the lab's
// matrix product (testsuite/lab: 4,136 us for 4096 x 4096 of f32 on an H200, of 2,706 by cuBLAS).
//
// Kernel times on that H200 in us, WebGPU and CUDA, of f32 (2026-11-22):
//
//	tile by registers   1024^3      2048x4096x2048   128x32 blocks of 32^3 (micro/mmm/lud-internal)
//	128x128 by 8x8      202   144   1288    960      184  109
//	64x128 by 8x8       134   113   1472    904
//	64x64 by 8x4        107   101   1401   1170
//	64x64 by 4x4        117    91   1542   1223      132   99
//	32x32 by 4x4                                     182   92
//
// One row: 100,000^2 pairs of bodies 20,273 and 14,448 (without tiles 27,024 and 16,351); 100,000 rows of 1,000 by tiles of 128 x 32 170
// and 168, of 256 x 16 218 and 186, without 232 and 236.

// Where somebody has set how many threads a tile has a side, or how many points a side a thread has, shapes are made of that. A thread
// has fewer where accumulators would not fit registers.

// maxRegs is how many words of accumulators a thread keeps at most.
const maxRegs = 64

var (
	twoShapes = []core.TileShape{Square(16, 8), Square(16, 4), Square(8, 4), Square(16, 2), Square(16, 1)}
	oneShapes = []core.TileShape{
		{Rows: 1, Cols: 256, Depth: 64, RegRows: 1, RegCols: 1},
		{Rows: 1, Cols: 128, Depth: 64, RegRows: 1, RegCols: 1},
	}
	ownShapes = []core.TileShape{
		{Rows: 1, Cols: 128, Depth: 32, RegRows: 1, RegCols: 1},
		{Rows: 1, Cols: 128, Depth: 16, RegRows: 1, RegCols: 1},
	}
)

// MaxSide is how many points a side a thread has at most.
const MaxSide = 8

// depth is how many iterations tiles of rows and columns take at a time.
const depth = 16

// Square is the shape of tiles with so many threads a side, of which each has so many points a side.
func Square(threads, points int) core.TileShape {
	return core.TileShape{Rows: threads * points, Cols: threads * points, Depth: depth, RegRows: points, RegCols: points}
}

// sides are how many threads a side tiles have, and how many points a side a thread, where somebody has set that; zeros leave it to the
// compiler.
type sides struct{ threads, points int }

// shapes are those with these sides whose accumulators, of so many words for a point, fit registers.
func (s sides) shapes(words int) []core.TileShape {
	var out []core.TileShape
	most := MaxSide
	if s.points > 0 {
		most = s.points
	}
	for points := most; points >= 1; points /= 2 {
		switch {
		case points > 1 && points*points*words > maxRegs:
			continue
		case s.threads > 0:
			out = append(out, Square(s.threads, points))
		default:
			out = append(out, Square(16, points), Square(8, points)) // as twoShapes have
		}
		if s.points > 0 {
			break
		}
	}
	return out
}

// shapes are the shapes whose accumulators fit registers: see Note [Shapes].
func (p *Plan) shapes(set func() sides) []core.TileShape {
	switch {
	case len(p.Rows) == 0 && len(p.Staged[Col]) == 0:
		return oneShapes
	case len(p.Rows) == 0:
		return ownShapes
	}
	words := 0
	for _, q := range p.Loop.Params {
		words += max(q.Type.Elem.Size(), 4) / 4
	}
	if s := set(); s != (sides{}) {
		return s.shapes(words)
	}
	for i, s := range twoShapes {
		if s.RegRows*s.RegCols*words <= maxRegs {
			return twoShapes[i:]
		}
	}
	return twoShapes[len(twoShapes)-1:]
}

// Together is how many neighbouring rows, or columns, of a register tile of so many lie together.
func Together(reg int) int { return min(reg, 4) }

// Pitch is how far apart lie the elements of successive iterations of a side of size n: threads that store them meet different banks.
func Pitch(n, reg int) int { return n + Together(reg) }

// StagedSize is the number of elements of a staged array of a class, for tiles of a shape.
func StagedSize(s core.TileShape, c Class) int {
	if c != Row && c != Col {
		return s.Depth
	}
	return s.Depth * Pitch(Side(s, c))
}

// Side is how many rows, or columns, a shape of tiles has, and how many of them a thread.
func Side(s core.TileShape, c Class) (size, reg int) {
	if c == Col {
		return s.Cols, s.RegCols
	}
	return s.Rows, s.RegRows
}
