package lower

import (
	"maps"
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/middle/tile"
)

// generate makes the kernel and its launch.
func (t *tiles) generate(c *hostBuilder, g grid, down, across, count imp.Exp) {
	c.kernel("tile", t.Threads(), count, func(k *kernelBuilder, l *imp.Launch) {
		t.k = k
		l.Fits = append(l.Fits, mul(imp.I64, mul(imp.I64, g.rows, g.cols), g.batches))
		k.ids = t.e.Space.Ids
		t.rows, t.cols = k.hostParam("rows", g.rows), k.hostParam("cols", g.cols)
		t.place(k.hostParam("down", down), k.hostParam("across", across))
		for _, s := range t.Before {
			if t.ClassOf(s) == tile.Uniform {
				k.stms([]*core.Stm{s})
			}
		}
		t.declare()
		t.before()
		t.start()
		t.iterate(k.hostParam("iterations", g.depth))
		t.after()
	})
}

// place computes where the workgroup's tile and the thread's part of it are, and binds the indices that the tile has one of.
func (t *tiles) place(down, across imp.Exp) {
	k := t.k
	within := id(imp.GroupID)
	if len(t.Outer()) > 0 {
		each := k.let("each", imp.Idx, mul(imp.Idx, down, across))
		t.bindDims(t.Outer(), k.let("batch", imp.Idx, quot(imp.Idx, within, each)))
		within = k.let("within", imp.Idx, rem(imp.Idx, within, each))
	}
	t.row0 = k.let("row0", imp.Idx, mul(imp.Idx, quot(imp.Idx, within, across), idx(int64(t.TileShape.Rows))))
	t.col0 = k.let("col0", imp.Idx, mul(imp.Idx, rem(imp.Idx, within, across), idx(int64(t.TileShape.Cols))))
	if t.TileShape.Rows == 1 && len(t.Plan.Rows) == 0 {
		t.row0, t.col0 = idx(0), k.let("col0", imp.Idx, mul(imp.Idx, within, idx(int64(t.TileShape.Cols))))
	}
	t.ty, t.tx = t.threadAt()
	if t.TileShape.Rows == t.RegRows {
		t.ty, t.tx = idx(0), id(imp.LocalID)
	}
}

// threadAt is the thread's place among those of the tile, down and across. Where there are as many, blocks of blockRows x blockCols threads
// follow each other, so that those which run together read fewer words of workgroup memory: see Note [Tiled maps].
func (t *tiles) threadAt() (y, x imp.Exp) {
	k, me, wide, high := t.k, id(imp.LocalID), t.TileShape.Cols/t.RegCols, t.TileShape.Rows/t.RegRows
	if wide%blockCols != 0 || high%blockRows != 0 {
		return k.let("ty", imp.Idx, quot(imp.Idx, me, idx(int64(wide)))), k.let("tx", imp.Idx, rem(imp.Idx, me, idx(int64(wide))))
	}
	block := k.let("block", imp.Idx, quot(imp.Idx, me, idx(blockRows*blockCols)))
	within := k.let("within", imp.Idx, rem(imp.Idx, me, idx(blockRows*blockCols)))
	at := func(name string, of, in imp.Exp, n int64) imp.Exp {
		return k.let(name, imp.Idx, add(imp.Idx, mul(imp.Idx, of, idx(n)), in))
	}
	across := idx(int64(wide / blockCols))
	return at("ty", quot(imp.Idx, block, across), quot(imp.Idx, within, idx(blockCols)), blockRows),
		at("tx", rem(imp.Idx, block, across), rem(imp.Idx, within, idx(blockCols)), blockCols)
}

// Threads of a warp of 32 have so many rows and columns of register tiles.
const blockRows, blockCols = 4, 8

// bindDims binds the indices of dimensions whose flat index is given.
func (t *tiles) bindDims(dims []int, flat imp.Exp) {
	if len(dims) == 0 {
		return
	}
	for i, at := range t.k.unflatten(flat, t.Sizes(dims)) {
		id := t.e.Space.Ids[dims[i]]
		t.k.vals[id] = below(at, t.e.Space.Sizes[dims[i]])
	}
}

// rowAt and colAt are the flat indices of row, and column, number r of the thread.
func (t *tiles) rowAt(r int) imp.Exp {
	return add(imp.Idx, t.row0, spread(t.ty, r, t.RegRows, t.TileShape.Rows/t.RegRows))
}

func (t *tiles) colAt(c int) imp.Exp {
	return add(imp.Idx, t.col0, spread(t.tx, c, t.RegCols, t.TileShape.Cols/t.RegCols))
}

// spread is the place in the tile of row r of reg of the thread number i of n.
func spread(i imp.Exp, r, reg, n int) imp.Exp {
	w := tile.Together(reg)
	return add(imp.Idx, mul(imp.Idx, i, idx(int64(w))), idx(int64(r/w*w*n+r%w)))
}

// inside is an index, or the last one if it is outside.
func inside(at, size imp.Exp) imp.Exp {
	return minOf(imp.Idx, at, sub(imp.Idx, size, idx(1)))
}

// bindRow binds the indices of a row, bindCol those of a column; those outside are the last ones inside.
func (t *tiles) bindRow(at imp.Exp) {
	if len(t.Plan.Rows) > 0 {
		t.bindDims(t.Plan.Rows, t.k.let("row", imp.Idx, inside(at, t.rows)))
	}
}

func (t *tiles) bindCol(at imp.Exp) {
	t.bindDims(t.Plan.Cols, t.k.let("col", imp.Idx, inside(at, t.cols)))
}

// declare makes the arrays of workgroup memory, and finds what is in the loop.
func (t *tiles) declare() {
	for class := range tile.Mixed {
		for _, v := range t.Staged[class] {
			elem := t.k.l.typeOf(v).Elem
			m := t.k.shared(t.k.l.fun.Base(v), imp.Of(elem), t.size(class))
			t.staged[class] = append(t.staged[class], staged{v, elem, m})
		}
	}
	targets := t.Checks(tile.Mixed)
	loaded := map[core.Var]bool{}
	for class := range tile.Mixed {
		checks := t.Checks(class)
		if len(t.Staged[class]) == 0 || class == tile.Col && len(t.Plan.Rows) == 0 {
			targets = append(targets, checks...)
			checks = nil
		}
		for _, v := range slices.Concat(t.Staged[class], checks) {
			loaded[v] = true
		}
	}
	for _, r := range t.Loop.Body.Res {
		targets = append(targets, r.Var)
	}
	t.inner = t.Need(targets, func(v core.Var) bool { return loaded[v] || !t.Inner(v) })
}

// before computes what the loop needs of what precedes it, for each row, column and point of the thread.
func (t *tiles) before() {
	k := t.k
	var targets core.VarSet
	for _, s := range t.inner {
		targets.AddFree(s)
	}
	for _, o := range slices.Concat(t.Loop.Init, t.Loop.Body.Res) {
		targets.Add(o.Var)
	}
	stms := t.Need(targets.List(), func(v core.Var) bool { return t.Inner(v) || t.Class(v) == tile.Uniform })
	of := func(class tile.Class) []*core.Stm {
		return slices.DeleteFunc(slices.Clone(stms), func(s *core.Stm) bool { return t.ClassOf(s) != class })
	}
	for r := range t.RegRows {
		t.bindRow(t.rowAt(r))
		k.stms(of(tile.Row))
		t.rowVals = append(t.rowVals, t.taken(of(tile.Row), t.Plan.Rows))
	}
	for c := range t.RegCols {
		t.bindCol(t.colAt(c))
		k.stms(of(tile.Col))
		t.colVals = append(t.colVals, t.taken(of(tile.Col), t.Plan.Cols))
	}
	t.eachPoint(func(r, _ int) {
		k.stms(of(tile.Mixed))
		if len(t.vals) == r {
			t.vals = append(t.vals, nil)
		}
		t.vals[r] = append(t.vals[r], t.taken(of(tile.Mixed), nil))
	})
}

// taken are the values that statements, and the indices of dimensions, have here.
func (t *tiles) taken(stms []*core.Stm, dims []int) bindings {
	out := bindings{}
	for _, s := range stms {
		for _, d := range s.Dst {
			if v, ok := t.k.vals[d.Var]; ok {
				out[d.Var] = v
			}
		}
	}
	for _, d := range dims {
		id := t.e.Space.Ids[d]
		out[id] = t.k.vals[id]
	}
	return out
}

// eachPoint generates f for each point of the thread, with what belongs to its row, its column and itself bound.
func (t *tiles) eachPoint(f func(r, c int)) {
	for r := range t.RegRows {
		for c := range t.RegCols {
			maps.Copy(t.k.vals, t.rowVals[r])
			maps.Copy(t.k.vals, t.colVals[c])
			if r < len(t.vals) && c < len(t.vals[r]) {
				maps.Copy(t.k.vals, t.vals[r][c])
			}
			f(r, c)
		}
	}
}

// start declares the accumulators.
func (t *tiles) start() {
	k := t.k
	t.acc = make([][][]imp.Var, t.RegRows)
	t.eachPoint(func(r, _ int) {
		var vs []imp.Var
		for i, q := range t.Loop.Params {
			vs = append(vs, k.letVar(k.l.fun.Base(q.Var), imp.Of(q.Type.Elem), asPrim(k.operand(t.Loop.Init[i]))))
		}
		t.acc[r] = append(t.acc[r], vs)
	})
}

// iterate goes over the n iterations, a tile of them at a time, and then over what is left.
func (t *tiles) iterate(n imp.Exp) {
	k, depth := t.k, idx(int64(t.Depth))
	whole := k.let("whole", imp.Idx, quot(imp.Idx, n, depth))
	k.forLoop("tile", whole, func(i imp.Exp) { t.step(k.let("first", imp.Idx, mul(imp.Idx, i, depth)), depth) })
	first := k.let("first", imp.Idx, mul(imp.Idx, whole, depth))
	left := k.let("left", imp.Idx, sub(imp.Idx, n, first))
	k.choose(fold(less(imp.Idx, idx(0), left)), func() { t.step(first, left) }, func() {})
}

// step loads the tile of count iterations from the first on, and goes over them.
func (t *tiles) step(first, count imp.Exp) {
	k := t.k
	n, whole := intConst(count)
	whole = whole && n == int64(t.Depth)
	for class := range tile.Mixed {
		if len(t.staged[class]) > 0 {
			t.load(class, first, count, whole)
		}
	}
	k.emit(&imp.Barrier{})
	if u := t.form.Unroll; whole && u > 1 {
		k.forLoop("k", idx(int64(t.Depth/u)), func(i imp.Exp) {
			i = k.let("k", imp.Idx, mul(imp.Idx, i, idx(int64(u))))
			uniform := t.loadUniform(i, u)
			for j := range u {
				maps.Copy(k.vals, uniform[j])
				t.point(first, add(imp.Idx, i, idx(int64(j))))
			}
		})
	} else {
		k.forLoop("k", count, func(i imp.Exp) {
			maps.Copy(k.vals, t.loadUniform(i, 1)[0])
			t.point(first, i)
		})
	}
	k.emit(&imp.Barrier{})
}

// after writes the results of the points that are inside.
func (t *tiles) after() {
	k := t.k
	var targets core.VarSet
	for _, s := range t.After {
		targets.AddFree(s)
	}
	for _, o := range t.e.Body.Res {
		targets.Add(o.Var)
	}
	for _, s := range t.Before {
		if s.Any(core.MayFail) {
			targets.Add(s.Dst[0].Var)
		}
	}
	before := t.Need(targets.List(), func(v core.Var) bool { return t.Inner(v) || t.Class(v) == tile.Uniform })
	result := func(r, c int) {
		t.bindDims(t.Plan.Cols, t.colAt(c))
		k.stms(before)
		for i, d := range t.Dst {
			k.vals[d.Var] = unknown(use(t.acc[r][c][i]), imp.Of(d.Type.Elem))
		}
		k.stms(t.After)
		is := make([]imp.Exp, len(t.e.Space.Ids))
		for d, id := range t.e.Space.Ids {
			is[d] = k.vals[id].exp
		}
		k.keep(t.s.Dst, t.e.Body.Res, is)
	}
	for r := range t.RegRows {
		row := func() {
			for c := range t.RegCols {
				k.ifThen(less(imp.Idx, t.colAt(c), t.cols), func() { result(r, c) })
			}
		}
		if len(t.Plan.Rows) == 0 {
			row()
			continue
		}
		k.ifThen(less(imp.Idx, t.rowAt(r), t.rows), func() {
			t.bindDims(t.Plan.Rows, k.let("row", imp.Idx, t.rowAt(r)))
			row()
		})
	}
}
