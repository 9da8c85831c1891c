package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/middle/tile"
	"skald/runtime/prim"
)

// Note [Tiled maps]
//
// Note [Tiles] of package tile says what is computed in tiles. Here is how: thread number t of a workgroup has the row t / (threads
// across) of register tiles, and the column t % (threads across). A register tile is no block but several: runs of four neighbouring rows
// and columns, so that threads read whole vectors of workgroup memory, and neighbours read neighbouring ones.
//
// A point outside the space stands for the last one inside: it computes the same once more, checks included, and does not write.
// So nothing is read that the program would not read, whatever the operators. The iterations that do not fill a tile are a
// tile of their own.

// What tiles may cost.
const (
	maxTileCode = 512 // the cost of the points of a thread together
	fewPerTile  = 8   // iterations for which tiles pay
)

// tiled generates a segmented map in tiles where its sizes suit; other where they do not. It reports whether there are tiles.
// See Note [Tiled maps].
func (c *hostBuilder) tiled(s *core.Stm, e *core.SegMap, other func()) bool {
	if e.Tiling == nil || c.l.oneThread || c.l.facts.Software {
		return false
	}
	core.Walk(e.Body, func(s *core.Stm) bool {
		for _, d := range s.Dst {
			c.l.types[d.Var] = d.Type
		}
		return true
	})
	p := tile.PlanOf(e, func(v core.Var) core.Type { return c.l.types[v] })
	if p == nil {
		return false
	}
	var fitting []*tiles
	for _, shape := range e.Tiling.Shapes {
		if t := (&tiles{Plan: p, TileShape: shape, s: s, e: e}); t.fits(c.l) {
			fitting = append(fitting, t)
		}
	}
	if len(fitting) == 0 {
		return false
	}
	g := grid{
		rows: c.let("rows", imp.I64, c.total(p.Sizes(p.Rows))), cols: c.let("cols", imp.I64, c.total(p.Sizes(p.Cols))),
		batches: c.let("batches", imp.I64, c.total(p.Sizes(p.Outer()))), depth: asPrim(c.operand(p.Loop.Bound)),
	}
	c.chooseTiles(fitting, g, other)
	return true
}

// grid holds the sizes that tiles are chosen for, of host code: points in rows, columns and of each other index, and iterations.
type grid struct{ rows, cols, batches, depth imp.Exp }

// chooseTiles takes the first shape that suits: most points of its tiles are inside, there is a tile for each compute unit, and the loop is
// long enough to make up for the accumulators. The last shape does for less.
func (c *hostBuilder) chooseTiles(ts []*tiles, g grid, other func()) {
	if len(ts) == 0 {
		other()
		return
	}
	t := ts[0]
	down := c.let("down", imp.I64, ceilDiv(imp.I64, g.rows, i64(int64(t.TileShape.Rows))))
	across := c.let("across", imp.I64, ceilDiv(imp.I64, g.cols, i64(int64(t.TileShape.Cols))))
	count := c.let("tiles", imp.I64, mul(imp.I64, mul(imp.I64, down, across), g.batches))
	inside := mul(imp.I64, mul(imp.I64, g.rows, g.cols), g.batches)
	covered := mul(imp.I64, count, i64(int64(t.TileShape.Rows*t.TileShape.Cols)))
	suits := fold(less(imp.I64, i64(fewPerTile-1), g.depth))
	if len(ts) > 1 {
		suits = both(suits, fold(less(imp.I64, mul(imp.I64, covered, i64(2)), mul(imp.I64, inside, i64(3)))))
		suits = both(suits, fold(less(imp.I64, i64(int64(c.l.facts.Groups/8-1)), count)))
		suits = both(suits, fold(less(imp.I64, i64(int64(t.TileShape.Rows/2-1)), g.depth)))
	} else {
		suits = both(suits, fold(less(imp.I64, covered, mul(imp.I64, inside, i64(4)))))
	}
	c.choose(suits, func() { t.generate(c, g, down, across, count) }, func() { c.chooseTiles(ts[1:], g, other) })
}

// fold decides comparisons of constants.
func fold(e imp.Exp) imp.Exp {
	k, ok := e.(*imp.Cmp)
	if !ok || k.Op != prim.Lt {
		return e
	}
	x, xc := intConst(k.X)
	y, yc := intConst(k.Y)
	if !xc || !yc {
		return e
	}
	return &imp.Const{Type: imp.Bool, Value: prim.MakeBool(x < y)}
}

// both is the conjunction of two conditions.
func both(x, y imp.Exp) imp.Exp {
	if k, ok := x.(*imp.Const); ok {
		if k.Value.Bool() {
			return y
		}
		return x
	}
	if k, ok := y.(*imp.Const); ok {
		if k.Value.Bool() {
			return x
		}
		return y
	}
	return and(x, y)
}

// tiles is a segmented map that is being lowered with tiles of a shape: see Note [Tiled maps].
type tiles struct {
	*tile.Plan
	core.TileShape
	s *core.Stm
	e *core.SegMap

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

// run is how many neighbouring rows, or columns, of a register tile lie together.
func run(reg int) int { return min(reg, 4) }

// pitch is how far apart lie the elements of successive iterations of a side of size n: threads that store them meet different banks.
func pitch(n, reg int) int { return n + run(reg) }

// size is the number of elements of a staged array of a class.
func (t *tiles) size(c tile.Class) int {
	switch c {
	case tile.Row:
		return t.Depth * pitch(t.TileShape.Rows, t.RegRows)
	case tile.Col:
		return t.Depth * pitch(t.TileShape.Cols, t.RegCols)
	default:
		return t.Depth
	}
}

// fits reports whether the device has room for the tiles, and their code is not too long.
func (t *tiles) fits(l *lowerer) bool {
	bytes := 0
	for class := range tile.Mixed {
		for _, v := range t.Staged[class] {
			bytes += t.size(class) * l.facts.SharedSize(l.types[v].Elem)
		}
	}
	points := t.RegRows * t.RegCols
	code := &core.Body{Stms: slices.Concat(t.Loop.Body.Stms, t.After)}
	return t.Threads() <= l.facts.GroupSize && bytes <= l.facts.WideBytes &&
		points*(l.cost(code)+1) <= maxTileCode && points*l.emulation(code) <= maxEmulated
}
