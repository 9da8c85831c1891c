package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// span is the run of tiles that a workgroup has.
type span struct {
	seg   []imp.Exp // the segment that it is of
	run   imp.Exp   // its number in the segment
	parts imp.Exp   // where the values of the segment's runs begin
}

// single scans one segment in two launches, or three where the code of the operator is large: see Note [Scans].
func (sc *scan) single() {
	n := sc.c.let("n", imp.I64, asPrim(sc.c.operand(sc.e.Space.Sizes[0])))
	sc.inRuns(i64(1), n, func(*kernelBuilder, imp.Exp) span { return span{nil, id(imp.GroupID), idx(0)} })
}

// inShares scans each of few segments like single. Neighbouring workgroups have neighbouring segments, whose elements may lie beside each
// other.
func (sc *scan) inShares(n segmentSizes) {
	sc.inRuns(n.segments, n.size, func(k *kernelBuilder, runs imp.Exp) span {
		segments := k.hostParam("segments", n.segments)
		i := k.let("segment", imp.Idx, rem(imp.Idx, id(imp.GroupID), segments))
		return span{
			seg: k.unflatten(i, sc.outer), run: k.let("run", imp.Idx, quot(imp.Idx, id(imp.GroupID), segments)),
			parts: k.let("parts", imp.Idx, mul(imp.Idx, i, k.hostParam("runs", runs))),
		}
	})
}

// alongSegment are the elements that a thread reads one after the other where it folds those of a tile, which are no vectors.
func (sc *scan) alongSegment() (rows int, v vector) {
	last := len(sc.outer)
	factor := max(1, sc.form.Factor)
	width := max(1, sc.form.Flight)
	for factor%width != 0 {
		width--
	}
	row := core.Space{Ids: sc.e.Space.Ids[last:], Sizes: sc.e.Space.Sizes[last:]}
	return factor / width, vector{space: row, width: width, inFlight: 1}
}

// foldVector is what a thread folds of a tile: the rows of vectors of the only segment as one vector, else rows of elements.
func (sc *scan) foldVector() (v vector, rows int) {
	v, rows = sc.v, sc.rows
	if len(sc.outer) == 0 {
		v.width, rows = v.width*rows, 1
	}
	return v, rows
}

// inRuns scans segments of n elements whose workgroups have the runs that at says.
func (sc *scan) inRuns(segments, n imp.Exp, at func(k *kernelBuilder, runs imp.Exp) span) {
	c := sc.c
	tiles := ceilDiv(imp.I64, n, i64(int64(sc.size*sc.v.width*sc.rows)))
	most := i64(int64(sc.form.Groups))
	if len(sc.outer) > 0 {
		most = atLeastOne(quot(imp.I64, most, atLeastOne(segments)))
	}
	per := c.let("per", imp.I64, atLeastOne(ceilDiv(imp.I64, tiles, most)))
	runs := c.let("groups", imp.I64, ceilDiv(imp.I64, tiles, per))
	parts := c.partials(sc.o.types, atLeastOne(mul(imp.I64, segments, runs)))
	globals := func(k *kernelBuilder) []imp.Mem { return k.globals(sc.o.types, parts) }
	several := less(imp.I64, i64(1), runs)
	ofSeveral := func(groups imp.Exp) imp.Exp {
		return &imp.Select{Type: imp.I64, Cond: several, Then: groups, Else: i64(0)}
	}
	reducing := c.let("reducing", imp.I64, ofSeveral(mul(imp.I64, segments, runs)))
	c.kernel("scan_reduce", sc.size, reducing, func(k *kernelBuilder, _ *imp.Launch) { sc.reduceRun(k, at(k, runs), per, globals(k)) })
	before := sc.beforeRun
	if sc.form.Looped {
		c.kernel("scan_parts", sc.size, ofSeveral(segments), func(k *kernelBuilder, _ *imp.Launch) { sc.scanParts(k, runs, globals(k)) })
		before = sc.beforeScanned
	}
	c.kernel("scan_final", sc.size, mul(imp.I64, segments, runs), func(k *kernelBuilder, _ *imp.Launch) {
		ms := globals(k)
		own := at(k, runs)
		part := sc.sharedParts(k)
		perTile := k.hostParam("per", per)
		carry := before(k, own, ms, part)
		first, n := mul(imp.Idx, own.run, perTile), sc.rowSize(k)
		if sc.form.Factor > 1 {
			t := k.runTile(sc.o, sc.size, sc.form.Factor, sc.form.Flight, nil)
			sc.runsTiles(k, t, part, own.seg, first, perTile, n, carry)
			return
		}
		sc.tiles(k, part, own.seg, first, perTile, n, carry)
	})
}

// rowSize is how many elements a segment has.
func (sc *scan) rowSize(k *kernelBuilder) imp.Exp { return k.index(sc.e.Space.Sizes[len(sc.outer)]) }

// beforeScanned is what is before the run of a workgroup, where the workgroups' values ms have been scanned.
func (sc *scan) beforeScanned(k *kernelBuilder, own span, ms, _ []imp.Mem) []imp.Var {
	carry := k.accVars("carry", sc.o.types, exps(k.neutral(sc.o)))
	k.ifThen(less(imp.Idx, idx(0), own.run), func() {
		k.setAll(carry, k.loads(ms, add(imp.Idx, own.parts, sub(imp.Idx, own.run, idx(1)))))
	})
	return carry
}

// beforeRun is what is before the run of a workgroup: its threads combine the values ms of the runs before it, a few each.
func (sc *scan) beforeRun(k *kernelBuilder, own span, ms, part []imp.Mem) []imp.Var {
	size, lid := int64(sc.size), id(imp.LocalID)
	each := k.let("each", imp.Idx, ceilDiv(imp.Idx, own.run, idx(size)))
	first := k.let("first", imp.Idx, mul(imp.Idx, lid, each))
	count := minOf(imp.Idx, each, sub(imp.Idx, own.run, first))
	acc := k.accVars("acc", sc.o.types, exps(k.neutral(sc.o)))
	k.forLoop("j", k.let("count", imp.Idx, count), func(j imp.Exp) {
		at := add(imp.Idx, own.parts, add(imp.Idx, first, j))
		k.setAll(acc, k.combine(sc.o, uses(acc), k.loads(ms, at)))
	})
	at := part
	if sc.form.Prefixes {
		at = k.sharedArrays(sc.o.types, 1)
		k.finish(sc.o, sc.form, acc, func(vals []imp.Exp) { k.stores(at, idx(0), vals) })
		k.emit(&imp.Barrier{})
	} else {
		k.stores(part, lid, uses(acc))
		k.treeReduce(sc.o, part, sc.size)
	}
	carry := k.accVars("carry", sc.o.types, k.loads(at, idx(0)))
	k.emit(&imp.Barrier{})
	return carry
}

// reduceRun reduces the run of a workgroup, as reductions do: vectors that lie a workgroup apart when the operator
// commutes, else tiles of subgroups, or consecutive elements of each thread.
func (sc *scan) reduceRun(k *kernelBuilder, own span, per imp.Exp, out []imp.Mem) {
	n, lid, size := sc.rowSize(k), id(imp.LocalID), idx(int64(sc.size))
	perTile := k.hostParam("per", per)
	// As many elements a thread as a thread has in the tiles of the run.
	each := k.let("each", imp.Idx, mul(imp.Idx, perTile, idx(int64(sc.v.width*sc.rows))))
	acc := k.accVars("acc", sc.o.types, exps(k.neutral(sc.o)))
	element := func(is []imp.Exp) []imp.Exp { return sc.scanned(k, append(slices.Clip(own.seg), is...)) }
	combine := func(x []imp.Exp) { k.setAll(acc, k.combine(sc.o, uses(acc), x)) }
	fold := func(j imp.Exp) { combine(element([]imp.Exp{j})) }
	keep := func(vals []imp.Exp) { k.stores(out, add(imp.Idx, own.parts, own.run), vals) }
	v, rows := sc.foldVector()
	switch {
	case sc.commutative:
		start := k.let("start", imp.Idx, mul(imp.Idx, mul(imp.Idx, own.run, size), each))
		most := add(imp.Idx, start, mul(imp.Idx, each, size))
		end := k.let("end", imp.Idx, minOf(imp.Idx, n, most))
		if len(own.seg) == 0 {
			k.strideVector(sc.v, start, lid, size, end, fold)
			break
		}
		me := k.let("me", imp.Idx, add(imp.Idx, start, lid))
		k.strideAhead(sc.v.width, me, size, end, func(j imp.Exp) []imp.Exp { return element([]imp.Exp{j}) }, combine)
	case v.width*rows > 1 && sc.form.Shuffles:
		k.foldTiles(sc.o, v, rows, sc.size, own.run, n, perTile, acc, element)
		k.finishSubgroups(sc.o, sc.size, acc, keep)
		return
	default:
		thread := id(imp.ThreadID)
		if len(own.seg) > 0 {
			thread = add(imp.Idx, mul(imp.Idx, own.run, size), lid)
		}
		first := k.let("first", imp.Idx, mul(imp.Idx, thread, each))
		count := minOf(imp.Idx, each, sub(imp.Idx, n, first))
		k.run(v, first, k.let("count", imp.Idx, count), fold)
	}
	k.finish(sc.o, sc.form, acc, keep)
}

// scanParts scans the values of a segment's runs in place, in one workgroup.
func (sc *scan) scanParts(k *kernelBuilder, runs imp.Exp, parts []imp.Mem) {
	n := k.hostParam("groups", runs)
	lid := id(imp.LocalID)
	part := sc.sharedParts(k)
	carry := k.accVars("carry", sc.o.types, exps(k.neutral(sc.o)))
	tiles := k.let("tiles", imp.Idx, ceilDiv(imp.Idx, n, idx(int64(sc.size))))
	begin := idx(0)
	if len(sc.outer) > 0 {
		begin = k.let("begin", imp.Idx, mul(imp.Idx, id(imp.GroupID), n))
	}
	k.forLoop("tile", tiles, func(t imp.Exp) {
		j := k.let("at", imp.Idx, add(imp.Idx, mul(imp.Idx, t, idx(int64(sc.size))), lid))
		at := k.let("part", imp.Idx, add(imp.Idx, begin, j))
		own := k.accVars("own", sc.o.types, exps(k.neutral(sc.o)))
		k.ifThen(less(imp.Idx, j, n), func() { k.setAll(own, k.loads(parts, at)) })
		sc.scanTile(k, part, [][][]imp.Var{{own}}, carry)
		k.ifThen(less(imp.Idx, j, n), func() { k.stores(parts, at, uses(own)) })
		k.emit(&imp.Barrier{})
	})
}
