package lower

import (
	"skald/middle/core"
	"skald/middle/imp"
	"skald/middle/tile"
	"skald/runtime/prim"
)

// Note [Tiled maps]
//
// Note [Tiles] of package tile says what is computed in tiles. Here is how: 32 threads in a row, which run together, have four rows and
// eight columns of register tiles where there are as many, so that of each side they read few words of workgroup memory at a time (Thakkar
// and others, CUTLASS, 2017). A register tile is no block but several: runs of four neighbouring rows and columns, so that threads read
// whole vectors of workgroup memory, and neighbours read neighbouring ones. On an H200 a product of 2048 x 4096 by 4096 x 2048 took 972 us
// with 16 columns for two rows and takes 906 so on CUDA, 1,381 and 1,336 on WebGPU.
//
// A point outside the space stands for the last one inside: it computes the same once more, checks included, and does not write.
// So nothing is read that the program would not read, whatever the operators. The iterations that do not fill a tile are a
// tile of their own.

// tiledMap is a segmented map that may run in tiles: its plan, and the sizes that shapes are chosen for.
type tiledMap struct {
	*tile.Plan
	grid
	s *core.Stm
	e *core.SegMap
}

// grid holds the sizes that tiles are chosen for, of host code: points in rows, columns and of each other index, and iterations.
type grid struct{ rows, cols, batches, depth imp.Exp }

// tiledMap plans the tiles of a segmented map: see Note [Tiled maps].
func (c *hostBuilder) tiledMap(s *core.Stm, e *core.SegMap) *tiledMap {
	core.Walk(e.Body, func(s *core.Stm) bool {
		return true
	})
	p := tile.PlanOf(e, c.l.typeOf)
	g := grid{
		rows: c.let("rows", imp.I64, c.total(p.Sizes(p.Rows))), cols: c.let("cols", imp.I64, c.total(p.Sizes(p.Cols))),
		batches: c.let("batches", imp.I64, c.total(p.Sizes(p.Outer()))), depth: asPrim(c.operand(p.Loop.Bound)),
	}
	return &tiledMap{p, g, s, e}
}

// shape generates the map in tiles of a form's shape where the sizes suit, and other where they do not.
func (m *tiledMap) shape(c *hostBuilder, f core.Form, other func()) {
	g := m.grid
	t := &tiles{Plan: m.Plan, TileShape: m.e.Tiling.Shapes[f.Shape-1], form: f, s: m.s, e: m.e}
	down := c.let("down", imp.I64, ceilDiv(imp.I64, g.rows, i64(int64(t.TileShape.Rows))))
	across := c.let("across", imp.I64, ceilDiv(imp.I64, g.cols, i64(int64(t.TileShape.Cols))))
	count := c.let("tiles", imp.I64, mul(imp.I64, mul(imp.I64, down, across), g.batches))
	suits := c.condition(f.When, folding, func(m core.Measure) imp.Exp {
		switch m { //nolint:exhaustive // the verifier knows what maps measure
		case core.MeasureIterations:
			return g.depth
		case core.MeasureTiles:
			return count
		case core.MeasureCovered:
			return mul(imp.I64, count, i64(int64(t.TileShape.Rows*t.TileShape.Cols)))
		case core.MeasureAstray:
			return c.astray(t)
		default:
			return mul(imp.I64, mul(imp.I64, g.rows, g.cols), g.batches)
		}
	})
	c.choose(suits, func() { t.generate(c, g, down, across, count) }, other)
}

// astray is how far vectors that a shape of tiles reads are from where they would be aligned, in sum: see Note [Vectors of tiles] of
// package tile.
func (c *hostBuilder) astray(t *tiles) imp.Exp {
	sum := i64(0)
	for class := range tile.Mixed {
		v := t.Vectors(class, t.TileShape, t.form.Square > 1, c.l.typeOf)
		if v == nil {
			continue
		}
		for _, m := range v.Multiples {
			sum = add(imp.I64, sum, bin(prim.And, imp.I64, c.poly(m), i64(tile.VectorWidth-1)))
		}
	}
	return c.let("astray", imp.I64, sum)
}

// tiles is a segmented map that is being lowered with tiles of a shape: see Note [Tiled maps].
type tiles struct {
	*tile.Plan
	core.TileShape
	form core.Form
	s    *core.Stm
	e    *core.SegMap

	k *kernelBuilder
	// rows and cols are the sizes, row0 and col0 where the workgroup's tile starts, ty and tx the thread's place.
	rows, cols, row0, col0, ty, tx imp.Exp
	staged                         [tile.Mixed][]staged
	inner                          []*core.Stm
	// What the loop needs of a thread's rows, columns, and points: values of variables that are bound before.
	rowVals, colVals []bindings
	vals             [][]bindings
	acc              [][][]imp.Var
}

// bindings are values of core variables at some place.
type bindings map[core.Var]value

// staged is a variable whose values for a tile lie in workgroup memory.
type staged struct {
	v    core.Var
	elem prim.Type
	mem  imp.Mem
}

// size is the number of elements of a staged array of a class.
func (t *tiles) size(c tile.Class) int { return tile.StagedSize(t.TileShape, c) }
