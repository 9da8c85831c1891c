package lower

import (
	"slices"

	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// vector says how a body over a space is vectorised; width 1 means not at all. Note [Vectorised loads] of package choose says where.
type vector struct {
	space    core.Space
	width    int
	inFlight int        // vectors that are loaded before the first is used
	arrays   []core.Var // whose elements are loaded together
	once     bool       // nobody reads these elements again
	ahead    bool       // those that are loaded together are loaded before the last ones are used
}

// scalarVector takes points one by one.
var scalarVector = vector{width: 1, inFlight: 1}

// vectorOf is the vector of a form, of a body over a space.
func (c *hostBuilder) vectorOf(f core.Form, space core.Space, body *core.Body) vector {
	v := vector{space: space, width: max(1, f.Vector), inFlight: max(1, f.Flight)}
	if v.width > 1 || v.inFlight > 1 {
		v.arrays = choose.VectorArrays(space, body, c.l.typeOf)
	}
	return v
}

// lanes generates f for each point of the vector that starts at the flat point
// base; f gets the point's indices.
func (c *kernelBuilder) lanes(v vector, base imp.Exp, f func(lane int, is []imp.Exp)) {
	c.eachLane(v, base, c.loadVectors(v, base), f)
}

// loadVectors loads the elements of the vector that starts at the flat point base.
func (c *kernelBuilder) loadVectors(v vector, base imp.Exp) map[core.Var][]value {
	loaded := map[core.Var][]value{}
	for _, a := range v.arrays {
		t := c.l.typeOf(a)
		chunk := chunkOf(v.width, t.Elem)
		for first := 0; first < v.width; first += chunk {
			s := &imp.LoadVec{Mem: c.mem(t.Layout.Mem), Index: add(imp.Idx, base, idx(int64(first))), Once: v.once}
			for range chunk {
				x := c.fresh(c.l.fun.Base(a), imp.Of(t.Elem))
				s.Vars = append(s.Vars, x)
				loaded[a] = append(loaded[a], unknown(use(x), imp.Of(t.Elem)))
			}
			c.emit(s)
		}
	}
	return loaded
}

// eachLane generates f for each point of a vector whose elements are loaded.
func (c *kernelBuilder) eachLane(v vector, base imp.Exp, loaded map[core.Var][]value, f func(lane int, is []imp.Exp)) {
	c.vector = v
	var is []imp.Exp
	for lane := range v.width {
		c.loaded = map[core.Var]value{}
		for a, xs := range loaded {
			c.loaded[a] = xs[lane]
		}
		if lane > 0 && len(is) > 1 {
			is = c.nextPoint(is, v.space.Sizes)
		} else {
			is = c.unflatten(c.let("point", imp.Idx, add(imp.Idx, base, idx(int64(lane)))), v.space.Sizes)
		}
		f(lane, is)
	}
	c.loaded = nil
}

// nextPoint are the indices of the point behind that with indices is, without the
// divisions that its number would need.
func (c *kernelBuilder) nextPoint(is []imp.Exp, shape []core.Operand) []imp.Exp {
	next := slices.Clone(is)
	d := len(is) - 1
	next[d] = c.let("i", imp.Idx, add(imp.Idx, is[d], idx(1)))
	for ; d > 0; d-- {
		wraps := c.let("wraps", imp.Bool, same(next[d], c.index(shape[d])))
		next[d] = c.let("i", imp.Idx, &imp.Select{Type: imp.Idx, Cond: wraps, Then: idx(0), Else: next[d]})
		carried := &imp.Select{Type: imp.Idx, Cond: wraps, Then: add(imp.Idx, is[d-1], idx(1)), Else: is[d-1]}
		next[d-1] = c.let("i", imp.Idx, carried)
	}
	return next
}

// fromVector is the element that an index expression reads, if it has been
// loaded as part of a vector.
func (c *kernelBuilder) fromVector(e *core.Index) (value, bool) {
	x, ok := c.loaded[e.Array]
	if !ok || !choose.OwnPoint(e.Slice, c.vector.space) {
		return value{}, false
	}
	return x, true
}

// strideVector visits the points from start, a multiple of the vector's width, below n that
// worker number me of step has: every step-th vector, for a space of one dimension.
func (c *kernelBuilder) strideVector(v vector, start, me, step, n imp.Exp, f func(i imp.Exp)) {
	c.strideTogether(v, start, me, step, n, f, func() {})
}

// strideTogether is strideVector followed by code for points which are loaded together.
func (c *kernelBuilder) strideTogether(v vector, start, me, step, n imp.Exp, f func(i imp.Exp), behind func()) {
	single := func(i imp.Exp) {
		f(i)
		behind()
	}
	if v.width == 1 && v.inFlight == 1 {
		c.stride("i", add(imp.Idx, start, me), step, n, single)
		return
	}
	w := idx(int64(v.width))
	whole := c.let("vectors", imp.Idx, quot(imp.Idx, n, w))
	each := func(_ int, is []imp.Exp) { f(is[0]) }
	at := c.letVar("v", imp.Idx, add(imp.Idx, quot(imp.Idx, start, w), me))
	if v.inFlight > 1 {
		t := together{v: v, step: step}
		last := c.let("last", imp.Idx, mul(imp.Idx, step, idx(int64(v.inFlight-1))))
		more := func(at imp.Exp) imp.Exp { return less(imp.Idx, add(imp.Idx, at, last), whole) }
		further := func() imp.Exp { return add(imp.Idx, use(at), mul(imp.Idx, step, idx(int64(v.inFlight)))) }
		if v.ahead {
			t.next = c.vectorVars(v)
			c.ifThen(more(use(at)), func() { c.loadAhead(t, use(at)) })
		}
		several := c.within(func() {
			bases, loaded := c.loadTogether(t, use(at))
			if v.ahead {
				then := c.let("then", imp.Idx, further())
				c.ifThen(more(then), func() { c.loadAhead(t, then) })
			}
			for u := range bases {
				c.eachLane(v, bases[u], loaded[u], each)
			}
			behind()
			c.set(at, further())
		})
		c.emit(&imp.While{Cond: more(use(at)), Body: several})
	}
	one := c.within(func() {
		base := c.let("base", imp.Idx, mul(imp.Idx, use(at), w))
		c.lanes(v, base, each)
		behind()
		c.set(at, add(imp.Idx, use(at), step))
	})
	c.emit(&imp.While{Cond: less(imp.Idx, use(at), whole), Body: one})
	if v.width > 1 {
		c.stride("rest", add(imp.Idx, mul(imp.Idx, whole, w), me), step, n, single)
	}
}

// together are vectors that are loaded before the first is used, so many points apart; next has their elements where they are loaded ahead.
type together struct {
	v    vector
	step imp.Exp
	next []map[core.Var][]imp.Var
}

// base is the first point of vector u of those of which the first has number at.
func (c *kernelBuilder) base(t together, at imp.Exp, u int) imp.Exp {
	i := add(imp.Idx, at, mul(imp.Idx, t.step, idx(int64(u))))
	return c.let("base", imp.Idx, mul(imp.Idx, i, idx(int64(t.v.width))))
}

// loadTogether loads the elements of the vectors of which the first has number at, or takes those that were loaded ahead, and returns them
// behind the vectors' first points.
func (c *kernelBuilder) loadTogether(t together, at imp.Exp) ([]imp.Exp, []map[core.Var][]value) {
	bases, loaded := make([]imp.Exp, t.v.inFlight), make([]map[core.Var][]value, t.v.inFlight)
	for u := range bases {
		bases[u] = c.base(t, at, u)
		if t.next == nil {
			loaded[u] = c.loadVectors(t.v, bases[u])
			continue
		}
		loaded[u] = map[core.Var][]value{}
		for _, a := range t.v.arrays {
			of := imp.Of(c.l.typeOf(a).Elem)
			for _, x := range t.next[u][a] {
				loaded[u][a] = append(loaded[u][a], unknown(use(c.letVar(c.l.fun.Base(a), of, use(x))), of))
			}
		}
	}
	return bases, loaded
}

// vectorVars are variables for the elements of vectors that are loaded ahead.
func (c *kernelBuilder) vectorVars(v vector) []map[core.Var][]imp.Var {
	vars := make([]map[core.Var][]imp.Var, v.inFlight)
	for u := range vars {
		vars[u] = map[core.Var][]imp.Var{}
		for _, a := range v.arrays {
			t := c.l.typeOf(a).Elem
			for range v.width {
				zero := &imp.Const{Type: imp.Of(t), Value: prim.Zero(t)}
				vars[u][a] = append(vars[u][a], c.letVar("next", imp.Of(t), zero))
			}
		}
	}
	return vars
}

// loadAhead loads the vectors of which the first has number at.
func (c *kernelBuilder) loadAhead(t together, at imp.Exp) {
	for u := range t.next {
		loaded := c.loadVectors(t.v, c.base(t, at, u))
		for _, a := range t.v.arrays {
			for i, x := range loaded[a] {
				c.set(t.next[u][a][i], x.exp)
			}
		}
	}
}

// Arguments of runs of scans.
const (
	keepResults = true
	dropResults = false
)

// run visits count points from first on, a multiple of the vector's width, for a space of one
// dimension, vector by vector. A count below zero is none.
func (c *kernelBuilder) run(v vector, first, count imp.Exp, f func(i imp.Exp)) {
	if v.width > 1 {
		w := idx(int64(v.width))
		whole := c.let("vectors", imp.Idx, quot(imp.Idx, count, w))
		c.forLoop("v", whole, func(i imp.Exp) {
			base := c.let("base", imp.Idx, add(imp.Idx, first, mul(imp.Idx, i, w)))
			c.lanes(v, base, func(_ int, is []imp.Exp) { f(is[0]) })
		})
		first = c.let("first", imp.Idx, add(imp.Idx, first, mul(imp.Idx, whole, w)))
		count = c.let("count", imp.Idx, sub(imp.Idx, count, mul(imp.Idx, whole, w)))
	}
	c.forLoop("j", count, func(j imp.Exp) { f(c.let("at", imp.Idx, add(imp.Idx, first, j))) })
}

// Note [Tails of vectors]
//
// The points of a map that fill no vector are taken by threads behind those that take one: by a thread each, or, on devices that have
// WGSL's model of memory, all by one. There a write to a component of a vector may access the whole vector, so it belongs to one thread;
// and words, which these devices store alone, lie in one vector, so that the thread also has them to itself: small elements are read,
// changed and written back in their word without atomic operations, which arrays that vectors are stored to do not allow. What lies behind
// the array in its last word stays as it is.

// mapVectors generates a segmented map whose threads take a vector each, and those behind them the points that are left: see Note [Tails
// of vectors].
func (c *hostBuilder) mapVectors(s *core.Stm, e *core.SegMap, f core.Form) {
	size, v := int64(f.Group), c.vectorOf(f, e.Space, e.Body)
	total := c.let("points", imp.I64, c.total(e.Space.Sizes))
	w := int64(v.width)
	n, known := intConst(total)
	switch {
	case known && n%w == 0:
		c.kernel("map", int(size), i64((n/w+size-1)/size), func(k *kernelBuilder, _ *imp.Launch) {
			i := k.let("vector", imp.Idx, id(imp.ThreadID))
			k.ifThen(less(imp.Idx, i, idx(n/w)), func() { k.mapVector(s, e, v, i) })
		})
	case c.l.facts.Words:
		threads := ceilDiv(imp.I64, total, i64(w))
		c.mapTail(s, e, v, size, total, threads, func(k *kernelBuilder, i, whole, points imp.Exp) {
			k.ifThen(same(i, whole), func() {
				first := k.let("left", imp.Idx, mul(imp.Idx, whole, idx(w)))
				k.forLoop("j", sub(imp.Idx, points, first), func(j imp.Exp) { k.mapPoint(s, e, add(imp.Idx, first, j), ownWords) })
			})
		})
	default:
		threads := add(imp.I64, quot(imp.I64, total, i64(w)), rem(imp.I64, total, i64(w)))
		c.mapTail(s, e, v, size, total, threads, func(k *kernelBuilder, i, whole, points imp.Exp) {
			left := k.let("left", imp.Idx, add(imp.Idx, mul(imp.Idx, whole, idx(w-1)), i)) // whole*w + (i - whole)
			k.ifThen(less(imp.Idx, left, points), func() { k.mapPoint(s, e, left, othersToo) })
		})
	}
}

// mapTail generates the kernel of mapVectors for a total number of points: thread i behind the whole vectors does what tail says, where i
// may be too large.
func (c *hostBuilder) mapTail(
	s *core.Stm, e *core.SegMap, v vector, size int64, total, threads imp.Exp, tail func(k *kernelBuilder, i, whole, points imp.Exp),
) {
	c.kernel("map", int(size), ceilDiv(imp.I64, threads, i64(size)), func(k *kernelBuilder, _ *imp.Launch) {
		points := k.hostParam("points", total)
		whole := k.let("vectors", imp.Idx, quot(imp.Idx, points, idx(int64(v.width))))
		i := k.let("vector", imp.Idx, id(imp.ThreadID))
		k.emit(&imp.If{
			Cond: less(imp.Idx, i, whole),
			Then: k.within(func() { k.mapVector(s, e, v, i) }),
			Else: k.within(func() { tail(k, i, whole, points) }),
		})
	})
}

// mapVector generates a map's body for vector i.
func (c *kernelBuilder) mapVector(s *core.Stm, e *core.SegMap, v vector, i imp.Exp) {
	base := c.let("base", imp.Idx, mul(imp.Idx, i, idx(int64(v.width))))
	out := make([][]imp.Exp, len(s.Dst))
	c.lanes(v, base, func(_ int, is []imp.Exp) {
		c.bindIds(e.Space, is)
		c.stms(e.Body.Stms)
		for d, p := range s.Dst {
			if choose.Dense(p.Type, e.Space) {
				out[d] = append(out[d], asPrim(c.operand(e.Body.Res[d])))
			} else {
				c.keep(s.Dst[d:d+1], e.Body.Res[d:d+1], is)
			}
		}
	})
	for d, p := range s.Dst {
		if out[d] != nil {
			c.storeVec(c.mem(p.Type.Layout.Mem), base, out[d])
		}
	}
}

// Arguments of mapPoint.
const (
	ownWords  = true
	othersToo = false
)

// mapPoint generates a map's body for the flat point i. With own set the words that small results lie in
// belong to the thread.
func (c *kernelBuilder) mapPoint(s *core.Stm, e *core.SegMap, i imp.Exp, own bool) {
	is := c.unflatten(c.let("point", imp.Idx, i), e.Space.Sizes)
	c.bindIds(e.Space, is)
	c.stms(e.Body.Stms)
	for d, p := range s.Dst {
		if own && choose.Dense(p.Type, e.Space) && p.Type.Elem.Size() < 4 {
			c.storeOwn(c.mem(p.Type.Layout.Mem), c.place(p.Type.Layout, is), asPrim(c.operand(e.Body.Res[d])))
			continue
		}
		c.keep(s.Dst[d:d+1], e.Body.Res[d:d+1], is)
	}
}

// chunkOf is how many of width elements are loaded or stored together.
func chunkOf(width int, t prim.Type) int { return min(width, choose.VectorBytes/t.Size()) }

// storeVec stores neighbouring elements.
func (c *kernelBuilder) storeVec(m imp.Mem, at imp.Exp, xs []imp.Exp) {
	c.written(m)
	chunk := chunkOf(len(xs), c.k.Mems[m].Elem)
	for first := 0; first < len(xs); first += chunk {
		c.emit(&imp.StoreVec{Mem: m, Index: add(imp.Idx, at, idx(int64(first))), Values: xs[first : first+chunk]})
	}
}
