package lower

import (
	"maps"
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/middle/tile"
)

// load computes what is staged of a class, for count iterations from the first on.
func (t *tiles) load(class tile.Class, first, count imp.Exp, whole bool) {
	k := t.k
	targets := slices.Concat(t.Staged[class], t.Checks(class))
	if class == tile.Col && len(t.Plan.Rows) == 0 {
		targets = t.Staged[class]
	}
	stms := t.Need(targets, func(v core.Var) bool { return !t.Inner(v) && t.Class(v) == tile.Uniform })
	element := func(i imp.Exp) {
		at := add(imp.Idx, first, i)
		if !whole {
			at = minOf(imp.Idx, at, sub(imp.Idx, add(imp.Idx, first, count), idx(1)))
		}
		k.vals[t.Loop.Index.Var] = index(k.let("at", imp.Idx, at), maxSize-1)
		k.stms(stms)
	}
	if class == tile.Uniform {
		t.loadOnce(element)
		return
	}
	t.loadSide(class, stms, element)
}

// loadOnce stages what the whole tile shares: a thread takes an iteration.
func (t *tiles) loadOnce(element func(i imp.Exp)) {
	k := t.k
	one := func(i imp.Exp) {
		element(i)
		for _, s := range t.staged[tile.Uniform] {
			k.store(s.mem, i, asPrim(k.operand(core.V(s.v))))
		}
	}
	switch n := t.Threads(); {
	case t.Depth < n:
		k.ifThen(less(imp.Idx, id(imp.LocalID), idx(int64(t.Depth))), func() { one(id(imp.LocalID)) })
	default:
		for h := 0; h < t.Depth; h += n {
			one(k.let("i", imp.Idx, add(imp.Idx, id(imp.LocalID), idx(int64(h)))))
		}
	}
}

// loadSide stages what belongs to rows, or columns: a thread takes runs of neighbouring ones, neighbours those that lie beside in memory.
func (t *tiles) loadSide(class tile.Class, stms []*core.Stm, element func(i imp.Exp)) {
	k := t.k
	size, reg, dims, bind := t.TileShape.Rows, t.RegRows, t.Plan.Rows, func(i imp.Exp) { t.bindRow(add(imp.Idx, t.row0, i)) }
	if class == tile.Col {
		size, reg, dims, bind = t.TileShape.Cols, t.RegCols, t.Plan.Cols, func(i imp.Exp) { t.bindCol(add(imp.Idx, t.col0, i)) }
	}
	w := tile.Together(reg)
	runs, threads := size/w, t.Threads()
	total, deep := runs*t.Depth, t.deepFirst(stms, dims)
	one := func(e imp.Exp) {
		i, at := quot(imp.Idx, e, idx(int64(runs))), rem(imp.Idx, e, idx(int64(runs)))
		if deep {
			i, at = rem(imp.Idx, e, idx(int64(t.Depth))), quot(imp.Idx, e, idx(int64(t.Depth)))
		}
		i, at = k.let("i", imp.Idx, i), k.let("at", imp.Idx, mul(imp.Idx, at, idx(int64(w))))
		xs := make([][]imp.Exp, len(t.staged[class]))
		for j := range w {
			bind(add(imp.Idx, at, idx(int64(j))))
			element(i)
			for n, s := range t.staged[class] {
				xs[n] = append(xs[n], asPrim(k.operand(core.V(s.v))))
			}
		}
		to := k.let("to", imp.Idx, add(imp.Idx, mul(imp.Idx, i, idx(int64(tile.Pitch(size, reg)))), at))
		for n, s := range t.staged[class] {
			k.storeRun(s.mem, to, xs[n])
		}
	}
	for h := 0; h < total; h += threads {
		e := k.let("e", imp.Idx, add(imp.Idx, id(imp.LocalID), idx(int64(h))))
		if h+threads > total {
			k.ifThen(less(imp.Idx, e, idx(int64(total))), func() { one(e) })
			continue
		}
		one(e)
	}
}

// deepFirst reports whether neighbouring threads are to load neighbouring iterations, and not rows.
func (t *tiles) deepFirst(stms []*core.Stm, dims []int) bool {
	for _, s := range stms {
		e, ok := s.Exp.(*core.Index)
		if !ok || !s.Dst[0].Type.IsScalar() {
			continue
		}
		at := tile.Place(t.k.l.types[e.Array], e.Slice)
		if n, ok := t.Stride(at, t.e.Space.Ids[dims[len(dims)-1]]); ok && n == 1 {
			return false
		}
		if n, ok := t.Stride(at, t.Loop.Index.Var); ok && (n == 1 || n == -1) {
			return true
		}
	}
	return false
}

// storeRun stores neighbouring elements of workgroup memory.
func (c *kernelBuilder) storeRun(m imp.Mem, at imp.Exp, xs []imp.Exp) {
	if len(xs) == 1 {
		c.store(m, at, xs[0])
		return
	}
	c.storeVec(m, at, xs)
}

// loadRun loads n neighbouring elements of workgroup memory.
func (c *kernelBuilder) loadRun(name string, m imp.Mem, at imp.Exp, n int) []value {
	if n == 1 {
		return []value{c.load(name, m, at)}
	}
	elem := c.k.Mems[m].Elem
	chunk := chunkOf(n, elem)
	var out []value
	for first := 0; first < n; first += chunk {
		s := &imp.LoadVec{Mem: m, Index: add(imp.Idx, at, idx(int64(first)))}
		for range chunk {
			x := c.fresh(name, imp.Of(elem))
			s.Vars = append(s.Vars, x)
			out = append(out, unknown(use(x), imp.Of(elem)))
		}
		c.emit(s)
	}
	return out
}

// loadUniform loads what is staged for all points, of n iterations from number i of the tile on.
func (t *tiles) loadUniform(i imp.Exp, n int) []bindings {
	out := make([]bindings, n)
	for j := range out {
		out[j] = bindings{}
	}
	for _, s := range t.staged[tile.Uniform] {
		for j, x := range t.k.loadRun(t.k.l.fun.Base(s.v), s.mem, i, n) {
			out[j][s.v] = x
		}
	}
	return out
}

// point generates iteration number i of a tile that starts with the first, for all points of the thread.
func (t *tiles) point(first, i imp.Exp) {
	k := t.k
	at := add(imp.Idx, first, i)
	if slices.ContainsFunc(t.inner, func(s *core.Stm) bool { return core.FreeInStm(s).Has(t.Loop.Index.Var) }) {
		at = k.let("at", imp.Idx, at)
	}
	k.vals[t.Loop.Index.Var] = index(at, maxSize-1)
	of := map[tile.Class][]*core.Stm{}
	for _, s := range t.inner {
		of[t.ClassOf(s)] = append(of[t.ClassOf(s)], s)
	}
	k.stms(of[tile.Uniform])
	rows := t.side(tile.Row, i, of[tile.Row])
	cols := t.side(tile.Col, i, of[tile.Col])
	t.eachPoint(func(r, c int) {
		maps.Copy(k.vals, rows[r])
		maps.Copy(k.vals, cols[c])
		for n, q := range t.Loop.Params {
			k.vals[q.Var] = unknown(use(t.acc[r][c][n]), imp.Of(q.Type.Elem))
		}
		k.stms(of[tile.Mixed])
		var next []imp.Exp
		for _, o := range t.Loop.Body.Res {
			next = append(next, asPrim(k.operand(o)))
		}
		k.setAll(t.acc[r][c], next)
	})
}

// side loads what is staged of iteration i for the rows, or columns, of the thread, and computes what else they have to themselves.
func (t *tiles) side(class tile.Class, i imp.Exp, stms []*core.Stm) []bindings {
	k := t.k
	size, reg, me, before := t.TileShape.Rows, t.RegRows, t.ty, t.rowVals
	if class == tile.Col {
		size, reg, me, before = t.TileShape.Cols, t.RegCols, t.tx, t.colVals
	}
	out := make([]bindings, reg)
	for r := range out {
		out[r] = bindings{}
	}
	w := tile.Together(reg)
	for _, s := range t.staged[class] {
		base := k.let("from", imp.Idx, add(imp.Idx, mul(imp.Idx, i, idx(int64(tile.Pitch(size, reg)))), mul(imp.Idx, me, idx(int64(w)))))
		for r := 0; r < reg; r += w {
			for j, x := range k.loadRun(k.l.fun.Base(s.v), s.mem, add(imp.Idx, base, idx(int64(r*(size/reg)))), w) {
				out[r+j][s.v] = x
			}
		}
	}
	if len(stms) == 0 {
		return out
	}
	for r := range out {
		maps.Copy(k.vals, before[r])
		maps.Copy(k.vals, out[r])
		k.stms(stms)
		maps.Copy(out[r], t.taken(stms, nil))
	}
	return out
}
