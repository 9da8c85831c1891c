package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// Note [Elements of a thread]
//
// Where a form has a factor q, a thread of the workgroup takes q elements of each operation at a time, and the workgroup a tile of q times
// its threads: fewer threads, fewer barriers, and what threads tell each other is once for q elements (Marslev and Grønborg, Efficient
// Sequentialization of Parallelism, 2024). How the elements go to the threads depends on the operation:
//
//   - Points that are independent (maps, scatters, histograms), and those of a reduction that commutes, go to threads by turns: thread t
//     has t, t + threads, t + 2*threads, …, so that neighbouring threads read neighbours.
//   - In reductions that do not commute a thread has q neighbouring elements, which it reads by itself: its neighbours find the rest of a
//     line in the cache. Through workgroup memory, as scans do it, rows of 1,024 took 440 to 490 us where this takes 346 (131,072 rows of
//     u32, linear functions, WebGPU on one H200).
//   - In scans a thread has q neighbouring elements, too. The tile's elements are computed by turns, and their values change hands in
//     workgroup memory, where each thread folds its own. Threads then scan what they have, and each goes over its elements again from what
//     is before them; results are written by turns, too. So device memory is read and written side by side, in whatever order arrays lie
//     there and wherever rows start.
//
// The tile is padded where q is even: behind so many elements as workgroup memory has banks lies an unused one, so that threads which go
// through their elements together are in different banks. Elements behind the last one are neutral.
//
// How many elements a thread loads before it uses the first is the form's flight.

// banks is how many words of workgroup memory threads can read at once.
const banks = 32

// runTile is a tile in workgroup memory, of which each thread has factor neighbouring elements.
type runTile struct {
	inPlace              bool // it lies where the results are to be
	k                    *kernelBuilder
	o                    operators
	mems                 []imp.Mem
	begins               []imp.Exp // where it begins in each of them, nil for the start
	size, factor, flight int
	every                int       // elements behind which one is unused; 0 for none
	mine                 []imp.Mem // the thread's elements, once it has loaded them; nil if it loads them each time
}

// runTile declares a tile of a workgroup of size threads, unless it has blocks to lie in.
func (c *kernelBuilder) runTile(o operators, size, factor, flight int, blocks []core.Var) *runTile {
	t := &runTile{k: c, o: o, size: size, factor: factor, flight: max(1, flight)}
	for factor%t.flight != 0 {
		t.flight--
	}
	t.every = paddingOf(factor, o.types...)
	count := size * factor
	if t.every > 0 {
		count += count / t.every
	}
	switch {
	case blocks != nil:
		for _, m := range blocks {
			t.mems, t.begins = append(t.mems, c.mem(m)), append(t.begins, c.group.at[m])
		}
		t.inPlace = true
		return t
	case c.group != nil:
		t.mems = c.temps(o.types, count)
	default:
		t.mems = c.sharedArrays(o.types, count)
	}
	t.begins = make([]imp.Exp, len(t.mems))
	return t
}

// paddingOf says behind how many elements of a tile one is unused, where threads have factor elements of some types; 0 is behind none.
func paddingOf(factor int, types ...imp.Type) int {
	switch {
	case factor%2 != 0:
		return 0
	case slices.ContainsFunc(types, func(t imp.Type) bool { return t.Prim().Size() > 4 }):
		return banks / 2
	}
	return banks
}

// load reads what lies at a place of the tile.
func (t *runTile) load(at imp.Exp) []imp.Exp {
	out := make([]imp.Exp, len(t.mems))
	for i, m := range t.mems {
		out[i] = t.k.load("x", m, from(t.begins[i], at)).exp
	}
	return out
}

// store writes what lies at a place of the tile.
func (t *runTile) store(at imp.Exp, xs []imp.Exp) {
	for i, m := range t.mems {
		t.k.store(m, from(t.begins[i], at), xs[i])
	}
}

// from is place at of what begins somewhere; nil is at the start.
func from(begin, at imp.Exp) imp.Exp {
	if begin == nil {
		return at
	}
	return add(imp.Idx, begin, at)
}

// elements is how many elements the tile has.
func (t *runTile) elements() imp.Exp { return idx(int64(t.size * t.factor)) }

// padded is where element p lies.
func (t *runTile) padded(p imp.Exp) imp.Exp {
	if t.every == 0 {
		return p
	}
	return padded(p, t.every)
}

// byTurns is the thread's element number r of those that go to threads by turns: which one of the tile, and where it lies.
func (t *runTile) byTurns(r imp.Exp) (p, at imp.Exp) {
	lid := id(imp.LocalID)
	p = add(imp.Idx, mul(imp.Idx, r, idx(int64(t.size))), lid)
	if t.every == 0 || t.size%t.every != 0 {
		return p, t.padded(p)
	}
	row := int64(t.size + t.size/t.every)
	return p, add(imp.Idx, mul(imp.Idx, r, idx(row)), t.padded(lid))
}

// own returns where the thread's neighbouring elements lie: element i of them.
func (t *runTile) own() func(i imp.Exp) imp.Exp {
	k, begin := t.k, mul(imp.Idx, id(imp.LocalID), idx(int64(t.factor)))
	together := t.every != 0 && t.every%t.factor == 0 // nothing unused is between them
	if together {
		begin = t.padded(begin)
	}
	begin = k.let("first", imp.Idx, begin)
	return func(i imp.Exp) imp.Exp {
		at := add(imp.Idx, begin, i)
		if !together {
			at = t.padded(k.let("own", imp.Idx, at))
		}
		return k.let("at", imp.Idx, at)
	}
}

// fill computes the elements from base on, by turns; those behind the n-th are neutral. A barrier comes last.
func (t *runTile) fill(base, n imp.Exp, element func(j imp.Exp) []imp.Exp) {
	k, count := t.k, idx(int64(t.factor))
	one := func(r imp.Exp) {
		p, at := t.byTurns(r)
		k.slot(r)
		j := k.let("j", imp.Idx, add(imp.Idx, base, p))
		x := k.accVars("x", t.o.types, exps(k.neutral(t.o)))
		k.ifThen(less(imp.Idx, j, n), func() { k.setAll(x, element(j)) })
		t.store(at, uses(x))
	}
	rest := k.within(func() { k.forLoop("r", count, one) })
	points, known := intConst(n)
	if t.flight == 1 || known && points < int64(t.size*t.factor) { // No tile is whole.
		*k.out = append(*k.out, rest...)
		k.emit(&imp.Barrier{})
		return
	}
	whole := k.within(func() {
		k.forLoop("r", idx(int64(t.factor/t.flight)), func(r imp.Exp) {
			ats, xs := make([]imp.Exp, t.flight), make([][]imp.Exp, t.flight)
			for u := range xs {
				var p imp.Exp
				turn := add(imp.Idx, mul(imp.Idx, r, idx(int64(t.flight))), idx(int64(u)))
				p, ats[u] = t.byTurns(turn)
				k.slot(turn)
				xs[u] = element(k.let("j", imp.Idx, add(imp.Idx, base, p)))
			}
			for u, x := range xs {
				t.store(ats[u], x)
			}
		})
	})
	all := lessEq(imp.Idx, add(imp.Idx, base, t.elements()), n)
	k.emit(&imp.If{Cond: all, Then: whole, Else: rest})
	k.emit(&imp.Barrier{})
}

// fold combines the thread's elements, in order.
func (t *runTile) fold() []imp.Var {
	k, own := t.k, t.own()
	if !t.o.looped && t.factor <= mostHeld {
		t.mine = k.privateArrays("mine", t.o.types, t.factor)
	}
	load := func(i imp.Exp) []imp.Exp {
		xs := t.load(own(i))
		k.stores(t.mine, i, xs)
		return xs
	}
	acc := k.accVars("run", t.o.types, load(idx(0)))
	k.forLoop("i", idx(int64(t.factor-1)), func(i imp.Exp) {
		k.setAll(acc, k.combine(t.o, uses(acc), load(k.let("i", imp.Idx, add(imp.Idx, i, idx(1))))))
	})
	return acc
}

// scan scans the thread's elements; acc is what is before them.
func (t *runTile) scan(acc []imp.Var) {
	k, own := t.k, t.own()
	k.forLoop("i", idx(int64(t.factor)), func(i imp.Exp) {
		at := own(i)
		var xs []imp.Exp
		if t.mine != nil {
			xs = k.loads(t.mine, i)
		} else {
			xs = t.load(at)
		}
		k.setAll(acc, k.combine(t.o, uses(acc), xs))
		t.store(at, uses(acc))
	})
}

// runs scans a segment of n elements, tile by tile, or all in one; a thread has factor neighbouring elements of each.
func (sc *scan) runs(k *kernelBuilder, seg []imp.Exp, n imp.Exp, factor int) {
	var blocks []core.Var
	if k.group != nil {
		blocks = k.group.tiles[sc.s]
	}
	t := k.runTile(sc.o, sc.size, factor, sc.form.Flight, blocks)
	part := sc.sharedParts(k)
	if sc.oneTile {
		sc.runsTile(k, t, part, seg, idx(0), n, nil)
		return
	}
	carry := k.accVars("carry", sc.o.types, exps(k.neutral(sc.o)))
	sc.runsTiles(k, t, part, seg, idx(0), ceilDiv(imp.Idx, n, t.elements()), n, carry)
}

// runsTiles scans count tiles of a segment from the first-th on; carry is the value before them, and behind them in the end.
func (sc *scan) runsTiles(k *kernelBuilder, t *runTile, part []imp.Mem, seg []imp.Exp, first, count, n imp.Exp, carry []imp.Var) {
	k.forLoop("tile", count, func(i imp.Exp) {
		base := mul(imp.Idx, add(imp.Idx, first, i), t.elements())
		sc.runsTile(k, t, part, seg, k.let("base", imp.Idx, base), n, carry)
		k.emit(&imp.Barrier{})
	})
}

// runsTile scans the tile that begins at element base; carry is nil where it holds the whole segment.
func (sc *scan) runsTile(k *kernelBuilder, t *runTile, part []imp.Mem, seg []imp.Exp, base, n imp.Exp, carry []imp.Var) {
	point := func(j imp.Exp) []imp.Exp { return append(slices.Clone(seg), j) }
	t.fill(base, n, func(j imp.Exp) []imp.Exp { x, _ := sc.element(k, point(j), keeping); return x })
	own := t.fold()
	if carry == nil {
		sc.begin(k, own)
	}
	t.scan(sc.before(k, part, own, carry))
	if t.inPlace {
		return
	}
	k.emit(&imp.Barrier{})
	k.forLoop("r", idx(int64(t.factor)), func(r imp.Exp) {
		p, at := t.byTurns(r)
		k.slot(r)
		j := k.let("j", imp.Idx, add(imp.Idx, base, p))
		k.ifThen(less(imp.Idx, j, n), func() {
			var kept []imp.Exp
			if len(sc.keptTypes()) > 0 { // It is computed again: a tile has no place for it.
				_, kept = sc.element(k, point(j), withoutKeeping)
			}
			sc.result(k, point(j), t.load(at), kept)
		})
	})
}

// before is what is before the thread whose values are own; carry is what is before the workgroup, and then behind it.
func (sc *scan) before(k *kernelBuilder, part []imp.Mem, own, carry []imp.Var) []imp.Var {
	if sc.form.Prefixes {
		return sc.beforeRows(k, part, [][][]imp.Var{{own}}, carry)[0]
	}
	return sc.beforeThread(k, part, own, carry)
}

// foldRuns reduces a segment of n elements in order, tile by tile, in a form: all threads have the values then.
func (c *kernelBuilder) foldRuns(r *reduction, parts []imp.Mem, seg []imp.Exp, n imp.Exp) []imp.Var {
	acc := r.accumulate(c)
	count := int64(c.group.factor)
	tile := idx(int64(c.group.size) * count)
	tiles := ceilDiv(imp.Idx, n, tile)
	c.forLoop("tile", tiles, func(i imp.Exp) {
		own := c.accVars("run", r.o.types, exps(c.neutral(r.o)))
		base := add(imp.Idx, mul(imp.Idx, i, tile), mul(imp.Idx, id(imp.LocalID), idx(count)))
		first := c.let("first", imp.Idx, base)
		left := minOf(imp.Idx, sub(imp.Idx, n, first), idx(count))
		c.forLoop("i", c.let("count", imp.Idx, left), func(i imp.Exp) {
			j := c.let("j", imp.Idx, add(imp.Idx, first, i))
			c.setAll(own, c.combine(r.o, uses(own), r.element(c, append(slices.Clone(seg), j))))
		})
		c.joinThreads(r.o, r.form, parts, own)
		c.setAll(acc, c.combine(r.o, uses(acc), c.loads(parts, idx(0))))
		c.emit(&imp.Barrier{})
	})
	return acc
}

// partsOf are arrays in which joinThreads combines the values of the threads of a workgroup.
func (c *kernelBuilder) partsOf(r *reduction) []imp.Mem {
	count := c.group.size
	if r.form.Shuffles {
		count /= c.l.facts.SubgroupSize
	}
	return c.temps(r.o.types, count)
}

// joinThreads combines the values of the threads of a workgroup, in order, in element 0 of parts. A barrier comes last.
func (c *kernelBuilder) joinThreads(o operators, form core.Form, parts []imp.Mem, acc []imp.Var) {
	if !form.Shuffles {
		c.stores(parts, id(imp.LocalID), uses(acc))
		c.treeReduce(o, parts, c.group.size)
		return
	}
	lanes := int64(c.l.facts.SubgroupSize)
	c.joinSubgroup(o, acc)
	c.ifThen(same(rem(imp.Idx, id(imp.LocalID), idx(lanes)), idx(0)), func() {
		c.stores(parts, quot(imp.Idx, id(imp.LocalID), idx(lanes)), uses(acc))
	})
	c.treeReduce(o, parts, c.group.size/int(lanes))
}

// turns runs f for the numbers below n, each thread of the workgroup for every GroupSize-th: f generates loads and arithmetic, and returns
// what generates the stores. So many points are loaded before the first is stored as flight says, or as some thread has; of fewer, those of
// the last round, half, and then half of the rest. They are at most so many.
func (c *kernelBuilder) turns(n imp.Exp, most int64, flight int, f func(j imp.Exp) (store func())) {
	one := func(j imp.Exp) { f(j)() }
	size := int64(c.group.size)
	points, known := intConst(n)
	for flight > 1 && size*int64(flight-1) >= most {
		flight-- // Not even the first thread has as many.
	}
	if flight <= 1 {
		c.rounds(n, most, one)
		return
	}
	block := idx(size * int64(flight))
	count := c.let("rounds", imp.Idx, ceilDiv(imp.Idx, n, block))
	c.byThread(func() {
		c.forLoop("round", count, func(r imp.Exp) {
			first := c.let("first", imp.Idx, add(imp.Idx, mul(imp.Idx, r, block), id(imp.LocalID)))
			at := func(u imp.Exp) imp.Exp {
				return c.let("j", imp.Idx, add(imp.Idx, first, mul(imp.Idx, u, idx(size))))
			}
			exists := func(u int) imp.Exp { return less(imp.Idx, add(imp.Idx, first, idx(size*int64(u))), n) }
			together := func(from, count int) {
				stores := make([]func(), count)
				for u := range stores {
					stores[u] = f(at(idx(int64(from + u))))
				}
				for _, store := range stores {
					store()
				}
			}
			// some are the points from one on, at most so many: half of them together, if they are there.
			var some func(from, most int)
			some = func(from, most int) {
				half := (most + 1) / 2
				both := c.within(func() {
					together(from, half)
					if most > half {
						some(from+half, most-half)
					}
				})
				fewer := c.within(func() {
					if half > 1 {
						some(from, half-1)
					}
				})
				c.emit(&imp.If{Cond: exists(from + half - 1), Then: both, Else: fewer})
			}
			if known && points%(size*int64(flight)) == 0 { // All threads have as many in each round.
				together(0, flight)
				return
			}
			all, fewer := c.within(func() { together(0, flight) }), c.within(func() { some(0, flight-1) })
			c.emit(&imp.If{Cond: exists(flight - 1), Then: all, Else: fewer})
		})
	})
}
