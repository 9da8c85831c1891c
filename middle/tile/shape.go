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

// maxRegs is how many words of accumulators a thread keeps at most.
const maxRegs = 64

var (
	twoShapes = []core.TileShape{
		{Rows: 128, Cols: 128, Depth: 16, RegRows: 8, RegCols: 8},
		{Rows: 64, Cols: 64, Depth: 16, RegRows: 4, RegCols: 4},
		{Rows: 32, Cols: 32, Depth: 16, RegRows: 4, RegCols: 4},
		{Rows: 32, Cols: 32, Depth: 16, RegRows: 2, RegCols: 2},
		{Rows: 16, Cols: 16, Depth: 16, RegRows: 1, RegCols: 1},
	}
	oneShapes = []core.TileShape{
		{Rows: 1, Cols: 256, Depth: 64, RegRows: 1, RegCols: 1},
		{Rows: 1, Cols: 128, Depth: 64, RegRows: 1, RegCols: 1},
	}
	ownShapes = []core.TileShape{
		{Rows: 1, Cols: 128, Depth: 32, RegRows: 1, RegCols: 1},
		{Rows: 1, Cols: 128, Depth: 16, RegRows: 1, RegCols: 1},
	}
)

// shapes are the shapes whose accumulators fit registers: see Note [Shapes].
func (p *Plan) shapes() []core.TileShape {
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
