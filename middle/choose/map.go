package choose

import (
	"slices"

	"skald/middle/core"
	"skald/middle/tile"
)

// segMap chooses for a map of the grid: a transposition or tiles where sizes suit, else a thread for each point or vector.
func (c *chooser) segMap(s *core.Stm, e *core.SegMap) *core.Choice {
	if len(e.Space.Sizes) == 0 {
		if c.Tasks == 0 && c.recomputable(s, e) {
			return only(core.Form{Way: core.WayReaders})
		}
		return only(core.Form{Way: core.WayThread, Group: 1, Sequential: true})
	}
	rest := c.points(c.pointCost(e.Body) + elementCost)
	if rest.Way == core.WayTask && c.Rows > 1 && len(e.Space.Sizes) > 1 && jams(e.Body) {
		rest.Rows = c.Rows
	}
	if v := c.vectorise(e.Space, e.Body, s.Dst, 0); v.width > 1 {
		rest = core.Form{Way: core.WayThread, Group: c.GroupSize, Vector: v.width}
	}
	if src, ok := MapCopies(s, e, c.scope.TypeOf); ok {
		if f, ok := c.transpose(s.Dst[0].Type, src); ok {
			return &core.Choice{Forms: []core.Form{f, rest}}
		}
	}
	forms := append(c.updatesOf(s, e), c.tiles(e)...)
	if f, ok := c.block(s, e); ok {
		forms = append(forms, f)
	}
	if f, ok := c.fewPoints(e.Body, rest); ok {
		forms = append(forms, f)
	}
	return &core.Choice{Forms: append(forms, rest)}
}

// Note [Recomputed scalars]
//
// A map over no dimensions is a launch of one thread, which takes as long as any: 4 to 7 µs of a loop's round on one H200, where the scalar
// is often some steps from a sum to what the next kernel needs. So where it is short, those who read its scalars compute them: every thread
// at its start, from the same scalars. It must read no arrays, which might be overwritten in between, and check nothing. A processor, whose
// threads are not for free and whose launches nearly are, computes them once.

// maxRecomputed is the highest cost of what every reader computes, in which a division counts as several operations.
const (
	maxRecomputed = 20
	longOperation = 4
)

// recomputable reports whether those who read the scalars of a map over no dimensions can compute them: see Note [Recomputed scalars].
func (d *Device) recomputable(s *core.Stm, e *core.SegMap) bool {
	cost := 0
	for _, in := range e.Body.Stms {
		if len(in.Aux.Certs) > 0 {
			return false
		}
		switch x := core.Match(in.Exp).(type) {
		case *core.Un, *core.Cmp, *core.Conv, *core.Use:
		case *core.Bin:
			if isQuotient(x.Op) {
				cost += longOperation - 1
			}
		default:
			return false
		}
		cost += max(1, d.costOf(in.Exp))
	}
	arrays := !core.OnlyScalars(core.ParamTypes(s.Dst))
	return !arrays && len(s.Aux.Certs) == 0 && cost <= maxRecomputed
}

// fewGroup is how many threads workgroups have where there are few points: two subgroups.
const fewGroup = 64

// fewPoints is the form of a map with few points whose body takes long: with the usual workgroups, some compute units would have none, or
// one more than others. At 64 threads the 10,000 points of series took 1,715 µs, not 1,882, and the 57,600 of tridag 380, not 417 (H200,
// 2026-11-22), while maps whose points are many and short are slower so, and myocyte's 65,536 points took 33.5 ms, not 25.3: nearly two
// rounds of the usual workgroups, from where they are as even. Hence seven eighths of the threads that saturate the device at 64 a group.
func (c *chooser) fewPoints(body *core.Body, rest core.Form) (core.Form, bool) {
	loops := core.Any(body, func(e core.Exp) bool { _, ok := e.(*core.Loop); return ok })
	if !loops || rest.Way != core.WayThread || rest.Sequential || rest.Vector > 1 || rest.Group <= fewGroup || c.Software {
		return core.Form{}, false
	}
	rest.Group, rest.When = fewGroup, all(core.Compare(core.MeasureInside, core.Below, fewGroup*c.Groups*7/8))
	return rest, true
}

// Note [Transposition tiles]
//
// Tiles of 32 by 32 elements, of which a workgroup reads rows and writes columns, are the fastest of the lab's variants (testsuite/lab;
// Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009). Where rows or columns are short, most of a tile would be outside.
// Elements that share words in memory are stored by atomic operations, with which tiles save nothing.

const (
	transposeSide = 32 // rows and columns of a tile
	thinMatrix    = 16 // sizes below which most of a tile would be outside
)

// transpose is the form of a copy by tiles (Note [Transposition tiles]), if its ends lie side by side along different dimensions.
func (c *chooser) transpose(dst, src core.Type) (core.Form, bool) {
	f := core.Form{
		Way: core.WayTranspose, Group: min(c.GroupSize, transposeSide*8), Side: transposeSide,
		When: all(core.Compare(core.MeasureAcross, core.Above, thinMatrix-1), core.Compare(core.MeasureAlong, core.Above, thinMatrix-1)),
	}
	if c.Software || c.oneThread || !c.transposes(f, dst, src) {
		return f, false
	}
	return f, true
}

// transposes reports whether the device can copy in tiles.
func (d *Device) transposes(f core.Form, dst, src core.Type) bool {
	across, along := Beside(dst), Beside(src)
	if across < 0 || along < 0 || across == along || d.Words && dst.Elem.Size() < 4 {
		return false
	}
	return f.Group%f.Side == 0 && f.Side*(f.Side+1)*d.SharedSize(dst.Elem) <= d.SharedBytes
}

// CopyForms is how a copy by host code runs, of an array of type src to the place of one of type dst. It has no node of its own that could
// say so.
func (d *Device) CopyForms(dst, src core.Type) []core.Form {
	c := &chooser{Device: d}
	if f, ok := c.transpose(dst, src); ok {
		return []core.Form{f, c.points(elementCost)}
	}
	return []core.Form{c.points(elementCost)}
}

// Beside is the dimension along which the elements of an array lie side by side, or -1.
func Beside(t core.Type) int {
	return slices.IndexFunc(t.Layout.Strides, func(s core.Poly) bool { n, ok := s.Const(); return ok && (n == 1 || n == -1) })
}

// MapCopies reports whether a segmented map copies elements of an array, each at its own place, and returns these elements as an array.
func MapCopies(s *core.Stm, e *core.SegMap, types func(core.Var) core.Type) (src core.Type, ok bool) {
	if len(e.Body.Stms) != 1 || len(s.Dst) != 1 || !s.Dst[0].Type.IsArray() || len(e.Space.Ids) < 2 || e.Space.Slot != 0 {
		return core.Type{}, false
	}
	read, ok := e.Body.Stms[0].Exp.(*core.Index)
	if !ok { // It may be a branch that only checks something.
		return core.Type{}, false
	}
	if d := e.Body.Stms[0].Dst[0]; !d.Type.IsScalar() || !e.Body.Res[0].IsVar(d.Var) {
		return core.Type{}, false
	}
	from := types(read.Array)
	at := tile.Place(from, read.Slice)
	strides := make([]core.Poly, len(e.Space.Ids))
	var rest core.Poly
	for _, term := range at.Terms {
		one := core.Poly{Terms: []core.Term{term}}
		ids := slices.DeleteFunc(slices.Clone(term.Vars), func(v core.Var) bool { return !slices.Contains(e.Space.Ids, v) })
		switch len(ids) {
		case 0:
			rest = rest.Add(one)
		case 1:
			others := slices.DeleteFunc(slices.Clone(term.Vars), func(v core.Var) bool { return v == ids[0] })
			d := slices.Index(e.Space.Ids, ids[0])
			strides[d] = strides[d].Add(core.Poly{Terms: []core.Term{{Coef: term.Coef, Vars: others}}})
		default:
			return core.Type{}, false
		}
	}
	layout := &core.Layout{Mem: from.Layout.Mem, Offset: rest, Strides: strides}
	return core.Type{Kind: core.KindArray, Elem: from.Elem, Shape: e.Space.Sizes, Layout: layout}, true
}

// fewPerTile is how many iterations a loop has, at least, for tiles to pay.
const fewPerTile = 8

// tiles are the forms in tiles: of those shapes that the device has room for, the first of which most points are inside, that has a tile
// for each compute unit, and whose loop is long enough to make up for the accumulators. The last shape does for less. The measurements are
// at Note [Shapes] of package tile. Software devices, whose compilers take long for tiles, have them only if somebody has set their sizes.
func (c *chooser) tiles(e *core.SegMap) []core.Form {
	if e.Tiling == nil || c.oneThread || c.Software && c.Tile == 0 && c.RegTile == 0 {
		return nil
	}
	p := tile.PlanOf(e, c.scope.TypeOf)
	if p == nil {
		return nil
	}
	var out []core.Form
	for i, shape := range e.Tiling.Shapes {
		if c.fits(p, shape) {
			out = append(out, core.Form{Way: core.WayTile, Group: shape.Threads(), Shape: i + 1, Unroll: c.unroll(p, shape)})
		}
	}
	for i := range out {
		shape := e.Tiling.Shapes[out[i].Shape-1]
		long := core.Compare(core.MeasureIterations, core.Above, fewPerTile-1)
		if i == len(out)-1 {
			out[i].When = all(long, core.Bound{Times: 1, X: core.MeasureCovered, Op: core.Below, By: 4, Y: core.MeasureInside})
			continue
		}
		bounds := []core.Bound{
			long,
			{Times: 2, X: core.MeasureCovered, Op: core.Below, By: 3, Y: core.MeasureInside},
			core.Compare(core.MeasureTiles, core.Above, max(0, c.Groups/8-1)),
		}
		if shape.Rows/2 > fewPerTile {
			bounds = append(bounds, core.Compare(core.MeasureIterations, core.Above, shape.Rows/2-1))
		}
		out[i].When = all(bounds...)
	}
	return c.withVectors(p, e, out)
}

// withVectors puts before each form in tiles the same with vectors, where a side has some. Squares pay where the driver compiles WGSL.
func (c *chooser) withVectors(p *tile.Plan, e *core.SegMap, forms []core.Form) []core.Form {
	if !c.Vectors {
		return forms
	}
	var out []core.Form
	for _, f := range forms {
		v := f
		v.Vector = tile.VectorWidth
		if c.Words {
			v.Square = tile.VectorWidth
		}
		if tilesHaveVectors(p, e, v, c.scope.TypeOf) {
			v.When = all(append(slices.Clone(f.When[0]), core.Compare(core.MeasureAstray, core.Below, 1))...)
			out = append(out, v)
		}
		out = append(out, f)
	}
	return out
}

// tilesHaveVectors reports whether tiles of a form have a side that they can load by vectors.
func tilesHaveVectors(p *tile.Plan, e *core.SegMap, f core.Form, types func(core.Var) core.Type) bool {
	shape := e.Tiling.Shapes[f.Shape-1]
	return p.Vectors(tile.Row, shape, f.Square > 1, types) != nil || p.Vectors(tile.Col, shape, f.Square > 1, types) != nil
}

// fits reports whether the device has room for tiles of a shape, and their code is not too long.
func (c *chooser) fits(p *tile.Plan, shape core.TileShape) bool {
	bytes := 0
	for class := range tile.Mixed {
		for _, v := range p.Staged[class] {
			bytes += tile.StagedSize(shape, class) * c.SharedSize(c.scope.TypeOf(v).Elem)
		}
	}
	points := shape.RegRows * shape.RegCols
	code := &core.Body{Stms: slices.Concat(p.Loop.Body.Stms, p.After)}
	most := c.GroupSize
	if c.Tile > 0 {
		most = max(most, c.WideGroup)
	}
	return shape.Threads() <= most && bytes <= c.WideBytes &&
		points*(c.cost(code)+1) <= maxTileCode && points*c.emulation(code) <= maxEmulated
}

// unroll is how many iterations are generated one after the other: where a thread has one point, the loads of what all points share are
// then vectors. NVRTC unrolls loops over the iterations of a tile of itself, drivers that compile WGSL do not: a product of 2048 x 4096 by
// 4096 x 2048 took an H200 1,170 us so and 1,030 with all 16 written out, 1,080 with four, while 4 x 4 points a thread won nothing.
func (d *Device) unroll(p *tile.Plan, shape core.TileShape) int {
	points, cost := shape.RegRows*shape.RegCols, d.cost(p.Loop.Body)
	if d.Words && points >= manyPoints && shape.Depth*points*cost <= maxUnrolledTile {
		return shape.Depth
	}
	for u := 4; u > 1; u /= 2 {
		if shape.Depth%u == 0 && u*points*cost <= maxUnrolledPoints {
			return u
		}
	}
	return 1
}
