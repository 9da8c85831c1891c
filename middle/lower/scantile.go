package lower

import (
	"slices"

	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Tiles of scans]
//
// Where there are subgroups, each has consecutive rows of a tile. Of a row each of its threads has a
// vector, so that all loads and stores of a subgroup are of neighbouring vectors. A thread scans its
// vectors by itself, the subgroup scans their last values by shuffles, and what all rows of
// the subgroup give meets in workgroup memory, where each thread combines what is before its subgroup. Only the first
// element of a segment is combined with the neutral one, which costs as much as any other where the operator divides floats, say.
//
// Elsewhere a tile is one row, which all threads scan in workgroup memory.

// tiles scans count tiles of a segment of n elements from the first-th on; carry
// is the value before them, and behind them in the end. What sharedParts has declared is part.
func (sc *scan) tiles(k *kernelBuilder, part []imp.Mem, seg []imp.Exp, first, count, n imp.Exp, carry []imp.Var) {
	k.forLoop("tile", count, func(t imp.Exp) {
		sc.tile(k, part, seg, add(imp.Idx, first, t), n, carry)
		k.emit(&imp.Barrier{})
	})
}

// tile scans one tile; carry is nil where it holds the whole segment.
func (sc *scan) tile(k *kernelBuilder, part []imp.Mem, seg []imp.Exp, tile, n imp.Exp, carry []imp.Var) {
	bases := sc.bases(k, tile)
	mine := sc.elements(k, seg, bases, n)
	if carry == nil {
		sc.begin(k, mine.xs[0][0])
	}
	sc.scanTile(k, part, mine.xs, carry)
	sc.results(k, seg, bases, n, mine)
}

// begin combines the first element of a segment with the neutral one, which all results hold then: an operator for which it makes no
// difference how often something counts may have another start.
func (sc *scan) begin(k *kernelBuilder, first []imp.Var) {
	if areSums(sc.o) && isZero(exps(k.neutral(sc.o))) {
		return
	}
	k.ifThen(same(id(imp.LocalID), idx(0)), func() { k.setAll(first, k.combine(sc.o, exps(k.neutral(sc.o)), uses(first))) })
}

// bases are where the thread's vectors of each row of a tile start.
func (sc *scan) bases(k *kernelBuilder, tile imp.Exp) []imp.Exp {
	w, lid := idx(int64(sc.v.width)), id(imp.LocalID)
	if sc.rows == 1 {
		thread := add(imp.Idx, mul(imp.Idx, tile, idx(int64(sc.size))), lid)
		return []imp.Exp{k.let("base", imp.Idx, mul(imp.Idx, thread, w))}
	}
	lanes := idx(int64(k.l.facts.SubgroupSize))
	subgroups := quot(imp.Idx, idx(int64(sc.size)), lanes)
	own := add(imp.Idx, mul(imp.Idx, tile, subgroups), quot(imp.Idx, lid, lanes))
	row := k.let("row", imp.Idx, mul(imp.Idx, own, idx(int64(sc.rows))))
	out := make([]imp.Exp, sc.rows)
	for r := range out {
		thread := add(imp.Idx, mul(imp.Idx, add(imp.Idx, row, idx(int64(r))), lanes), rem(imp.Idx, lid, lanes))
		out[r] = k.let("base", imp.Idx, mul(imp.Idx, thread, w))
	}
	return out
}

// inside says that a thread's vectors end before element n.
func (sc *scan) inside(bases []imp.Exp, n imp.Exp) imp.Exp {
	end := add(imp.Idx, bases[len(bases)-1], idx(int64(sc.v.width)))
	return lessEq(imp.Idx, end, n)
}

// own are the elements of a thread's vectors, row by row: values to scan, and what is kept for the post lambda.
type own struct{ xs, kept [][][]imp.Var }

// set sets element i of row r.
func (t own) set(k *kernelBuilder, r, i int, x, kept []imp.Exp) {
	k.setAll(t.xs[r][i], x)
	k.setAll(t.kept[r][i], kept)
}

// elements computes the elements of a thread's vectors: neutral ones where the segment has ended.
func (sc *scan) elements(k *kernelBuilder, seg, bases []imp.Exp, n imp.Exp) own {
	t := own{make([][][]imp.Var, len(bases)), make([][][]imp.Var, len(bases))}
	neutral, types := exps(k.neutral(sc.o)), sc.keptTypes()
	zeros := make([]imp.Exp, len(types))
	for i, typ := range types {
		zeros[i] = zero(typ)
	}
	for r := range bases {
		t.xs[r], t.kept[r] = make([][]imp.Var, sc.v.width), make([][]imp.Var, sc.v.width)
		for i := range sc.v.width {
			t.xs[r][i], t.kept[r][i] = k.accVars("x", sc.o.types, neutral), k.accVars("kept", types, zeros)
		}
	}
	each := func() {
		for r, base := range bases {
			for i := range sc.v.width {
				j := k.let("at", imp.Idx, add(imp.Idx, base, idx(int64(i))))
				is := append(slices.Clone(seg), j)
				k.ifThen(less(imp.Idx, j, n), func() {
					x, kept := sc.element(k, is, keeping)
					t.set(k, r, i, x, kept)
				})
			}
		}
	}
	if sc.v.width == 1 {
		each()
		return t
	}
	together := func() {
		loaded := make([]map[core.Var][]value, len(bases))
		for r := range bases {
			loaded[r] = k.loadVectors(sc.v, bases[r])
		}
		for r := range bases {
			k.eachLane(sc.v, bases[r], loaded[r], func(lane int, is []imp.Exp) {
				x, kept := sc.element(k, is, keeping)
				t.set(k, r, lane, x, kept)
			})
		}
	}
	k.emit(&imp.If{Cond: sc.inside(bases, n), Then: k.within(together), Else: k.within(each)})
	return t
}

// results writes what a thread's elements make.
func (sc *scan) results(k *kernelBuilder, seg, bases []imp.Exp, n imp.Exp, t own) {
	each := func() {
		for r, row := range t.xs {
			for i, x := range row {
				j := k.let("at", imp.Idx, add(imp.Idx, bases[r], idx(int64(i))))
				k.ifThen(less(imp.Idx, j, n), func() { sc.result(k, append(slices.Clone(seg), j), uses(x), uses(t.kept[r][i])) })
			}
		}
	}
	if sc.v.width == 1 {
		each()
		return
	}
	together := func() {
		if sc.e.Post != nil {
			sc.postVectors(k, bases, t)
			return
		}
		for r, row := range t.xs {
			for d, p := range sc.s.Dst[:sc.width] {
				vals := make([]imp.Exp, len(row))
				for i := range row {
					vals[i] = use(row[i][d])
				}
				k.storeVec(k.mem(p.Type.Layout.Mem), bases[r], vals)
			}
		}
	}
	k.emit(&imp.If{Cond: sc.inside(bases, n), Then: k.within(together), Else: k.within(each)})
}

// postVectors generates the post lambda for the elements of a thread's vectors, and stores results of neighbours together.
func (sc *scan) postVectors(k *kernelBuilder, bases []imp.Exp, t own) {
	v := sc.v
	v.arrays = choose.VectorArrays(sc.e.Space, sc.e.Post.Body, k.l.typeOf)
	for r, base := range bases {
		out := make([][]imp.Exp, len(sc.s.Dst))
		k.eachLane(v, base, k.loadVectors(v, base), func(lane int, is []imp.Exp) {
			res := sc.post(k, is, uses(t.xs[r][lane]), uses(t.kept[r][lane]))
			for d, p := range sc.s.Dst {
				if p.Type.IsArray() {
					out[d] = append(out[d], asPrim(k.operand(res[d])))
				}
			}
		})
		for d, p := range sc.s.Dst {
			if p.Type.IsArray() {
				k.storeVec(k.mem(p.Type.Layout.Mem), base, out[d])
			}
		}
	}
}

// sharedParts declares the arrays that scanTile needs.
func (sc *scan) sharedParts(k *kernelBuilder) []imp.Mem {
	count := sc.size
	if sc.form.Prefixes {
		count /= k.l.facts.SubgroupSize
	}
	if k.group != nil {
		return k.temps(sc.o.types, count)
	}
	return k.sharedArrays(sc.o.types, count)
}

// scanTile scans the elements of a tile, those of the thread by row, after carry, which
// is then what is behind the last; nil is that nothing is before. All threads arrive, and a barrier must come before the next.
func (sc *scan) scanTile(k *kernelBuilder, part []imp.Mem, xs [][][]imp.Var, carry []imp.Var) {
	for _, row := range xs {
		for i := 1; i < len(row); i++ {
			k.setAll(row[i], k.combine(sc.o, uses(row[i-1]), uses(row[i])))
		}
	}
	if sc.form.Prefixes && len(xs) == 1 && len(xs[0]) == 1 {
		sc.scanRow(k, part, xs[0][0], carry)
		return
	}
	var before [][]imp.Var // of each row
	if sc.form.Prefixes {
		before = sc.beforeRows(k, part, xs, carry)
	} else {
		before = [][]imp.Var{sc.beforeThread(k, part, xs[0][len(xs[0])-1], carry)}
	}
	for r, row := range xs {
		for _, x := range row {
			k.setAll(x, k.combine(sc.o, uses(before[r]), uses(x)))
		}
	}
}

// beforeThread is what is before the thread whose last value is last, found in workgroup memory.
func (sc *scan) beforeThread(k *kernelBuilder, part []imp.Mem, last, carry []imp.Var) []imp.Var {
	lid := id(imp.LocalID)
	own := k.accVars("own", sc.o.types, uses(last))
	k.stores(part, lid, uses(own))
	sc.scanShared(k, part, own)
	others := less(imp.Idx, idx(0), lid)
	if carry == nil {
		before := k.accVars("before", sc.o.types, exps(k.neutral(sc.o)))
		k.ifThen(others, func() { k.setAll(before, k.loads(part, sub(imp.Idx, lid, idx(1)))) })
		return before
	}
	before := k.accVars("before", sc.o.types, uses(carry))
	k.ifThen(others, func() {
		k.setAll(before, k.combine(sc.o, uses(before), k.loads(part, sub(imp.Idx, lid, idx(1)))))
	})
	k.setAll(carry, k.combine(sc.o, uses(carry), k.loads(part, idx(int64(sc.size-1)))))
	return before
}

// scanRow scans the elements of a tile of one row in which threads have an element each, by shuffles.
func (sc *scan) scanRow(k *kernelBuilder, part []imp.Mem, x, carry []imp.Var) {
	lanes := int64(k.l.facts.SubgroupSize)
	lane, mine := k.inSubgroup()
	k.scanSubgroup(sc.o, lane, x)
	k.ifThen(same(lane, idx(lanes-1)), func() { k.stores(part, mine, uses(x)) })
	sc.afterSubgroups(k, part, mine, carry, func(ahead []imp.Var) { k.setAll(x, k.combine(sc.o, uses(ahead), uses(x))) })
}

// beforeRows is what is before the thread's vector in each row, found by shuffles.
func (sc *scan) beforeRows(k *kernelBuilder, part []imp.Mem, xs [][][]imp.Var, carry []imp.Var) [][]imp.Var {
	lanes := int64(k.l.facts.SubgroupSize)
	lane, mine := k.inSubgroup()
	inRow := make([][]imp.Var, len(xs)) // what is before the thread in its subgroup's rows
	var rows []imp.Var                  // and what all rows up to this one give
	for r, row := range xs {
		own := k.accVars("own", sc.o.types, uses(row[len(row)-1]))
		k.scanSubgroup(sc.o, lane, own)
		if len(xs) == 1 && areSums(sc.o) && carry == nil {
			before := k.accVars("before", sc.o.types, differences(sc.o.types, uses(own), uses(row[len(row)-1])))
			k.ifThen(same(lane, idx(lanes-1)), func() { k.stores(part, mine, uses(own)) })
			sc.afterSubgroups(k, part, mine, nil, func(ahead []imp.Var) {
				k.setAll(before, k.combine(sc.o, uses(ahead), uses(before)))
			})
			return [][]imp.Var{before}
		}
		left := k.shuffle(imp.ShuffleUp, sc.o.types, own, idx(1))
		last := k.shuffle(imp.Shuffle, sc.o.types, own, idx(lanes-1))
		if rows == nil {
			inRow[r] = k.accVars("before", sc.o.types, exps(k.neutral(sc.o)))
			k.ifThen(less(imp.Idx, idx(0), lane), func() { k.setAll(inRow[r], left) })
			rows = k.accVars("rows", sc.o.types, last)
			continue
		}
		inRow[r] = k.accVars("before", sc.o.types, uses(rows))
		k.ifThen(less(imp.Idx, idx(0), lane), func() { k.setAll(inRow[r], k.combine(sc.o, uses(inRow[r]), left)) })
		k.setAll(rows, k.combine(sc.o, uses(rows), last))
	}
	k.ifThen(same(lane, idx(0)), func() { k.stores(part, mine, uses(rows)) })
	sc.afterSubgroups(k, part, mine, carry, func(ahead []imp.Var) {
		for _, before := range inRow {
			k.setAll(before, k.combine(sc.o, uses(ahead), uses(before)))
		}
	})
	return inRow
}

// inSubgroup are which thread of its subgroup a thread is, and which subgroup of the workgroup that is.
func (c *kernelBuilder) inSubgroup() (lane, subgroup imp.Exp) {
	lanes, lid := idx(int64(c.l.facts.SubgroupSize)), id(imp.LocalID)
	lane = c.let("lane", imp.Idx, rem(imp.Idx, lid, lanes))
	return lane, c.let("subgroup", imp.Idx, quot(imp.Idx, lid, lanes))
}

// afterSubgroups runs f with what is before a subgroup, where something is: carry, and what the subgroups before it left in part. Then
// carry is what is behind all of them.
func (sc *scan) afterSubgroups(k *kernelBuilder, part []imp.Mem, mine imp.Exp, carry []imp.Var, f func(ahead []imp.Var)) {
	k.emit(&imp.Barrier{})
	subgroups := int64(sc.size / k.l.facts.SubgroupSize)
	if carry != nil {
		ahead := k.accVars("ahead", sc.o.types, uses(carry))
		k.forLoop("s", idx(subgroups), func(s imp.Exp) {
			k.ifThen(same(s, mine), func() { k.setAll(ahead, uses(carry)) })
			k.setAll(carry, k.combine(sc.o, uses(carry), k.loads(part, s)))
		})
		f(ahead)
		return
	}
	if subgroups == 1 {
		return
	}
	if areSums(sc.o) && subgroups <= int64(k.l.facts.SubgroupSize) {
		f(sc.aheadOf(k, part, mine))
		return
	}
	k.ifThen(less(imp.Idx, idx(0), mine), func() {
		ahead := k.accVars("ahead", sc.o.types, k.loads(part, idx(0)))
		k.forLoop("s", sub(imp.Idx, mine, idx(1)), func(s imp.Exp) {
			k.setAll(ahead, k.combine(sc.o, uses(ahead), k.loads(part, add(imp.Idx, s, idx(1)))))
		})
		f(ahead)
	})
}

// aheadOf adds what the subgroups before a thread's give: each thread of a subgroup asks one of them.
func (sc *scan) aheadOf(k *kernelBuilder, part []imp.Mem, mine imp.Exp) []imp.Var {
	ahead := k.accVars("ahead", sc.o.types, zeros(sc.o.types))
	lane := k.let("lane", imp.Idx, rem(imp.Idx, id(imp.LocalID), idx(int64(k.l.facts.SubgroupSize))))
	k.ifThen(less(imp.Idx, lane, mine), func() { k.setAll(ahead, k.loads(part, lane)) })
	for _, v := range ahead {
		k.subgroupSum(imp.SubgroupAdd, v)
	}
	return ahead
}

func zeros(types []imp.Type) []imp.Exp {
	out := make([]imp.Exp, len(types))
	for i, t := range types {
		out[i] = zero(t)
	}
	return out
}

func isZero(xs []imp.Exp) bool {
	return !slices.ContainsFunc(xs, func(x imp.Exp) bool {
		c, ok := x.(*imp.Const)
		return !ok || c.Value.Int() != 0
	})
}

func differences(types []imp.Type, xs, ys []imp.Exp) []imp.Exp {
	out := make([]imp.Exp, len(types))
	for i, t := range types {
		out[i] = bin(prim.Sub, t, xs[i], ys[i])
	}
	return out
}

// scanShared scans the workgroup's values, one a thread; own is the thread's.
// All threads arrive. The code of a large operator is in a loop over the steps.
func (sc *scan) scanShared(k *kernelBuilder, part []imp.Mem, own []imp.Var) {
	lid := id(imp.LocalID)
	one := func(step imp.Exp) {
		k.emit(&imp.Barrier{})
		has := lessEq(imp.Idx, step, lid)
		k.ifThen(has, func() {
			left := k.loads(part, sub(imp.Idx, lid, step))
			k.setAll(own, k.combine(sc.o, left, uses(own)))
		})
		k.emit(&imp.Barrier{})
		k.stores(part, lid, uses(own))
	}
	if sc.o.looped {
		k.steps(sc.size, one)
	} else {
		for step := 1; step < sc.size; step *= 2 {
			one(idx(int64(step)))
		}
	}
	k.emit(&imp.Barrier{})
}
