package tile

import "skald/middle/core"

// Note [Shapes]
//
// Larger tiles read less: a tile of r x c reads r + c elements for r*c products, and a thread with 8 x 8 of them 16 words of workgroup
// memory for 64 products. But there must be enough tiles to give each compute unit one, and accumulators must fit registers. So
// there are several shapes, largest first, for lowering to choose from when sizes and device are known. The largest is that of the lab's
// matrix product (testsuite/lab: 4,136 us for 4096 x 4096 of f32 on an H200, of 2,706 by cuBLAS).

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
		{Rows: 1, Cols: 256, Depth: 16, RegRows: 1, RegCols: 1},
		{Rows: 1, Cols: 128, Depth: 16, RegRows: 1, RegCols: 1},
	}
)

// shapes are the shapes whose accumulators fit registers.
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
