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
	iteration := func(i imp.Exp) {
		at := add(imp.Idx, first, i)
		if !whole {
			at = minOf(imp.Idx, at, sub(imp.Idx, add(imp.Idx, first, count), idx(1)))
		}
		k.vals[t.Loop.Index.Var] = index(k.let("at", imp.Idx, at), maxSize-1)
	}
	if class == tile.Uniform {
		t.loadOnce(iteration)
		return
	}
	t.loadSide(class, iteration, whole)
}

// loadOnce stages what the whole tile shares: a thread takes an iteration.
func (t *tiles) loadOnce(iteration func(i imp.Exp)) {
	k, stms := t.k, t.Loads(tile.Uniform)
	one := func(i imp.Exp) {
		iteration(i)
		k.stms(stms)
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
func (t *tiles) loadSide(class tile.Class, iteration func(i imp.Exp), whole bool) {
	s := t.side(class)
	s.iteration, s.stms, s.deep = iteration, t.Loads(class), t.Deep(class, t.k.l.typeOf)
	one, each := s.run, 1
	if v := t.vectors(class); v != nil && (whole || !v.Deep) {
		s.reads, s.before = v.Reads, v.Before
		s.stms = slices.DeleteFunc(s.stms, func(s *core.Stm) bool { return slices.Contains(v.Reads, s) })
		if one = s.runOfVectors; v.Deep {
			one, each = s.square, tile.VectorWidth
		}
	}
	runs, depth := s.size/s.w, t.Depth/each
	total, threads := runs*depth, t.Threads()
	at := func(e imp.Exp) {
		i, at := quot(imp.Idx, e, idx(int64(runs))), rem(imp.Idx, e, idx(int64(runs)))
		if s.deep {
			i, at = rem(imp.Idx, e, idx(int64(depth))), quot(imp.Idx, e, idx(int64(depth)))
		}
		if each > 1 {
			i = mul(imp.Idx, i, idx(int64(each)))
		}
		i = t.k.let("i", imp.Idx, i)
		one(i, t.k.let("at", imp.Idx, mul(imp.Idx, at, idx(int64(s.w)))))
	}
	for h := 0; h < total; h += threads {
		e := t.k.let("e", imp.Idx, add(imp.Idx, id(imp.LocalID), idx(int64(h))))
		if h+threads > total {
			t.k.ifThen(less(imp.Idx, e, idx(int64(total))), func() { at(e) })
			continue
		}
		at(e)
	}
}

// vectors are the vectors by which the form loads a side, or nil.
func (t *tiles) vectors(class tile.Class) *tile.Vectors {
	if t.form.Vector <= 1 {
		return nil
	}
	return t.Vectors(class, t.TileShape, t.form.Square > 1, t.k.l.typeOf)
}

// loader loads a side of a tile, of size rows, or columns, of which a thread has reg. Runs have w of them; those of the tile begin at
// origin, of count.
type loader struct {
	*tiles
	class         tile.Class
	size, reg, w  int
	dims          []int
	origin, count imp.Exp

	iteration func(i imp.Exp) // binds the loop's index
	deep      bool            // neighbouring threads load neighbouring iterations
	// reads are those of whole vectors, before computes where, and stms are the other statements.
	reads, before, stms []*core.Stm
}

func (t *tiles) side(class tile.Class) *loader {
	size, reg := tile.Side(t.TileShape, class)
	s := &loader{tiles: t, class: class, size: size, reg: reg, w: tile.Together(reg), dims: t.Plan.Rows, origin: t.row0, count: t.rows}
	if class == tile.Col {
		s.dims, s.origin, s.count = t.Plan.Cols, t.col0, t.cols
	}
	return s
}

// bind binds the indices of a row, or column, of the tile.
func (s *loader) bind(at imp.Exp) {
	if s.class == tile.Row {
		s.bindRow(add(imp.Idx, s.origin, at))
	} else {
		s.bindCol(add(imp.Idx, s.origin, at))
	}
}

// run loads element by element.
func (s *loader) run(i, at imp.Exp) {
	xs := s.none()
	for j := range s.w {
		s.bind(add(imp.Idx, at, idx(int64(j))))
		s.iteration(i)
		s.element(xs)
	}
	s.store(i, at, xs)
}

// none are the values of no elements yet.
func (s *loader) none() [][]imp.Exp { return make([][]imp.Exp, len(s.staged[s.class])) }

// element computes an element of each staged array, and puts it behind others.
func (s *loader) element(xs [][]imp.Exp) {
	s.k.stms(s.stms)
	for n, a := range s.staged[s.class] {
		xs[n] = append(xs[n], asPrim(s.k.operand(core.V(a.v))))
	}
}

// store stores a run of iteration i.
func (s *loader) store(i, at imp.Exp, xs [][]imp.Exp) {
	to := s.k.let("to", imp.Idx, add(imp.Idx, mul(imp.Idx, i, idx(int64(tile.Pitch(s.size, s.reg)))), at))
	for n, a := range s.staged[s.class] {
		s.k.storeRun(a.mem, to, xs[n])
	}
}

// vectorReads loads the vectors that begin at the indices which are bound.
func (s *loader) vectorReads() [][]value {
	out := make([][]value, len(s.reads))
	s.k.stms(s.before)
	for n, r := range s.reads {
		e := r.Exp.(*core.Index)
		l := s.k.l.typeOf(e.Array).Layout
		out[n] = s.k.loadRun(s.k.l.fun.Base(r.Dst[0].Var), s.k.mem(l.Mem), s.k.element(l, e), tile.VectorWidth)
	}
	return out
}

// take binds what the reads of vectors give to element j of them.
func (s *loader) take(loaded [][]value, j int) {
	for n, r := range s.reads {
		s.k.vals[r.Dst[0].Var] = loaded[n][j]
	}
}

// runOfVectors loads a run whose elements lie side by side. Runs are inside or outside as a whole, and the last one stands for those
// outside.
func (s *loader) runOfVectors(i, at imp.Exp) {
	k, xs := s.k, s.none()
	first := k.let("first", imp.Idx, minOf(imp.Idx, add(imp.Idx, s.origin, at), sub(imp.Idx, s.count, idx(int64(s.w)))))
	s.iteration(i)
	s.bindDims(s.dims, first)
	loaded := s.vectorReads()
	for j := range s.w {
		s.bindDims(s.dims, add(imp.Idx, first, idx(int64(j))))
		s.take(loaded, j)
		s.element(xs)
	}
	s.store(i, at, xs)
}

// square loads as many iterations as a vector has elements of a run of rows, whose iterations lie side by side.
func (s *loader) square(i, at imp.Exp) {
	k := s.k
	loaded, ids := make([][][]value, s.w), make([]bindings, s.w)
	s.iteration(i)
	for j := range s.w {
		s.bind(add(imp.Idx, at, idx(int64(j))))
		ids[j], loaded[j] = s.taken(nil, s.dims), s.vectorReads()
	}
	for u := range tile.VectorWidth {
		xs, iu := s.none(), add(imp.Idx, i, idx(int64(u)))
		s.iteration(iu)
		for j := range s.w {
			maps.Copy(k.vals, ids[j])
			s.take(loaded[j], u)
			s.element(xs)
		}
		s.store(iu, at, xs)
	}
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
	rows := t.fetch(tile.Row, i, of[tile.Row])
	cols := t.fetch(tile.Col, i, of[tile.Col])
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

// fetch loads what is staged of iteration i for the rows, or columns, of the thread, and computes what else they have to themselves.
func (t *tiles) fetch(class tile.Class, i imp.Exp, stms []*core.Stm) []bindings {
	k := t.k
	size, reg := tile.Side(t.TileShape, class)
	me, before := t.ty, t.rowVals
	if class == tile.Col {
		me, before = t.tx, t.colVals
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
