package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// Note [Scans]
//
// One segment, in one launch where workgroups may wait for each other (Note [Scans in one pass]), else in two: each workgroup reduces
// a run of tiles, and each workgroup combines the values of the workgroups before it and
// scans its run from there. The body is evaluated twice, which costs less
// than storing its results. Where all lies in one run, there is only the second launch. Where code of the operator is large, one
// workgroup scans the workgroups' values in a launch between the two.
//
// Many segments: a workgroup each, tile by tile, with fewer threads where segments are short; a thread each where they are so short that
// most threads would have nothing to do. A thread reads and writes rows unevenly, eight times as much memory as it needs.
//
// Where code with barriers would be too large (Note [Cost model]) threads take the part of workgroups: each
// has a run of single elements.

// scan is a SegScan that is being lowered, in a form.
type scan struct {
	c     *hostBuilder
	s     *core.Stm
	e     *core.SegScan
	form  core.Form
	o     operators
	width int
	outer []core.Operand
	size  int    // threads of a workgroup
	v     vector // of the elements of a row that a thread has
	rows  int    // of a tile: see Note [Tiles of scans]
	// oneTile says that each segment ends in the first tile.
	oneTile bool
	// commutative is what the operators are; o takes them as if they were not.
	commutative bool
}

// scanOf is a scan whose form is not taken yet.
func (c *hostBuilder) scanOf(s *core.Stm, e *core.SegScan) *scan {
	o := c.operators(e.Ops)
	commutative := o.commutative
	o.commutative = false // order matters in every prefix
	return &scan{
		c: c, s: s, e: e, o: o, commutative: commutative, width: len(o.types), outer: e.Space.Sizes[:len(e.Space.Sizes)-1],
	}
}

// in is the scan in a form.
func (sc *scan) in(f core.Form) *scan {
	out := *sc
	out.form, out.o.looped = f, f.Looped
	out.size, out.rows, out.v = f.Group, max(1, f.Rows), sc.c.vectorOf(f, sc.e.Space, sc.e.Body)
	return &out
}

// segScan generates a segmented scan: see Note [Scans].
func (c *hostBuilder) segScan(s *core.Stm, e *core.SegScan) {
	sc, forms := c.scanOf(s, e), c.l.forms(e.Choice.Forms, c.where)
	if len(sc.outer) == 0 {
		sc.in(forms[0]).one()
		return
	}
	if len(forms) == 1 && forms[0].Way == core.WayTask {
		sc.in(forms[0]).taskEach()
		return
	}
	n := c.segmentSizes(e, e.Choice)
	var rest []imp.Stm
	for i, f := range slices.Backward(forms) {
		code := c.within(func() { sc.in(f).each(n.segments) })
		if i == len(forms)-1 {
			rest = code
		} else {
			rest = []imp.Stm{&imp.If{Cond: c.condition(f.When, unfolded, n.of), Then: code, Else: rest}}
		}
	}
	*c.out = append(*c.out, rest...)
}

// one scans the only segment.
func (sc *scan) one() {
	switch sc.form.Way { //nolint:exhaustive // the verifier knows which forms scans have
	case core.WayRuns:
		sc.taskSingle()
	case core.WayAlone:
		sc.singleAlone()
	case core.WayLookBack:
		sc.once()
	default:
		sc.single()
	}
}

// each scans each of many segments.
func (sc *scan) each(segments imp.Exp) {
	if sc.form.Way == core.WayThread {
		sc.threadEach(segments)
		return
	}
	sc.groupEach(segments)
}

// Whether what is kept of an element is written.
const keeping, withoutKeeping = true, false

// element generates the body at a point and returns what is scanned, then, where the scan has a post lambda, what is kept for it. Else
// what is kept is written when keep is set.
func (sc *scan) element(k *kernelBuilder, is []imp.Exp, keep bool) (scanned, kept []imp.Exp) {
	k.bindIds(sc.e.Space, is)
	k.stms(sc.e.Body.Stms)
	res := sc.e.Body.Res
	if sc.e.Post == nil {
		if keep {
			k.keep(sc.s.Dst[sc.width:], res[sc.width:], is)
		}
		res = res[:sc.width]
	}
	out := make([]imp.Exp, len(res))
	for i, r := range res {
		out[i] = asPrim(k.operand(r))
	}
	return out[:sc.width:sc.width], out[sc.width:]
}

// scanned is what element scans, where nothing is kept.
func (sc *scan) scanned(k *kernelBuilder, is []imp.Exp) []imp.Exp {
	x, _ := sc.element(k, is, withoutKeeping)
	return x
}

// result writes the results of a point, of its scanned values and of what is kept for the post lambda.
func (sc *scan) result(k *kernelBuilder, is, vals, kept []imp.Exp) {
	if sc.e.Post != nil {
		k.keep(sc.s.Dst, sc.post(k, is, vals, kept), is)
		return
	}
	for i, d := range sc.s.Dst[:sc.width] {
		k.store(k.mem(d.Type.Layout.Mem), k.place(d.Type.Layout, is), vals[i])
	}
}

// post generates the post lambda at a point, and returns its results.
func (sc *scan) post(k *kernelBuilder, is, vals, kept []imp.Exp) []core.Operand {
	k.bindIds(sc.e.Space, is)
	args, l := slices.Concat(vals, kept), sc.e.Post
	for i, p := range l.Params {
		k.vals[p.Var] = unknown(args[i], imp.Of(p.Type.Elem))
	}
	k.stms(l.Body.Stms)
	return l.Body.Res
}

// keptTypes are the types of what is kept for the post lambda.
func (sc *scan) keptTypes() []imp.Type {
	var out []imp.Type
	if sc.e.Post != nil {
		for _, t := range sc.e.Ret[sc.width:] {
			out = append(out, imp.Of(t.Elem))
		}
	}
	return out
}

// threadEach scans each segment in one thread.
func (sc *scan) threadEach(segments imp.Exp) {
	sc.c.segmentThreads(sc.form, "scan_thread", segments, sc.outer, func(k *kernelBuilder, seg []imp.Exp) {
		acc := k.accVars("acc", sc.o.types, exps(k.neutral(sc.o)))
		k.forLoop("j", k.index(sc.e.Space.Sizes[len(seg)]), func(j imp.Exp) {
			is := append(slices.Clone(seg), j)
			x, kept := sc.element(k, is, keeping)
			k.setAll(acc, k.combine(sc.o, uses(acc), x))
			sc.result(k, is, uses(acc), kept)
		})
	})
}

// groupEach scans each segment in one workgroup.
func (sc *scan) groupEach(segments imp.Exp) {
	sc.c.kernel("scan_group", sc.size, segments, func(k *kernelBuilder, _ *imp.Launch) {
		seg := k.unflatten(k.let("segment", imp.Idx, id(imp.GroupID)), sc.outer)
		n := k.index(sc.e.Space.Sizes[len(seg)])
		if sc.form.Factor > 1 {
			sc.runs(k, seg, n, sc.form.Factor)
			return
		}
		carry := k.accVars("carry", sc.o.types, exps(k.neutral(sc.o)))
		tiles := k.let("tiles", imp.Idx, ceilDiv(imp.Idx, n, idx(int64(sc.size))))
		sc.tiles(k, sc.sharedParts(k), seg, idx(0), tiles, n, carry)
	})
}

// single scans one segment in two launches, or three where the code of the operator is large: see Note [Scans].
func (sc *scan) single() {
	c := sc.c
	n := c.let("n", imp.I64, asPrim(c.operand(sc.e.Space.Sizes[0])))
	tiles := ceilDiv(imp.I64, n, i64(int64(sc.size*sc.v.width*sc.rows)))
	per := c.let("per", imp.I64, atLeastOne(ceilDiv(imp.I64, tiles, i64(int64(sc.form.Groups)))))
	groups := c.let("groups", imp.I64, ceilDiv(imp.I64, tiles, per))
	parts := c.partials(sc.o.types, atLeastOne(groups))
	globals := func(k *kernelBuilder) []imp.Mem { return k.globals(sc.o.types, parts) }
	several := less(imp.I64, i64(1), groups)
	reducing := c.let("reducing", imp.I64, &imp.Select{Type: imp.I64, Cond: several, Then: groups, Else: i64(0)})
	c.kernel("scan_reduce", sc.size, reducing, func(k *kernelBuilder, _ *imp.Launch) { sc.reduceRun(k, per, globals(k)) })
	before := sc.beforeRun
	if sc.form.Looped {
		one := &imp.Select{Type: imp.I64, Cond: several, Then: i64(1), Else: i64(0)}
		c.kernel("scan_parts", sc.size, one, func(k *kernelBuilder, _ *imp.Launch) { sc.scanParts(k, groups, globals(k)) })
		before = sc.beforeScanned
	}
	c.kernel("scan_final", sc.size, groups, func(k *kernelBuilder, _ *imp.Launch) {
		ms, part := globals(k), sc.sharedParts(k)
		perTile := k.hostParam("per", per)
		carry := before(k, ms, part)
		sc.tiles(k, part, nil, mul(imp.Idx, id(imp.GroupID), perTile), perTile, k.index(sc.e.Space.Sizes[0]), carry)
	})
}

// beforeScanned is what is before the run of a workgroup, where the workgroups' values ms have been scanned.
func (sc *scan) beforeScanned(k *kernelBuilder, ms, _ []imp.Mem) []imp.Var {
	carry := k.accVars("carry", sc.o.types, exps(k.neutral(sc.o)))
	k.ifThen(less(imp.Idx, idx(0), id(imp.GroupID)), func() {
		k.setAll(carry, k.loads(ms, sub(imp.Idx, id(imp.GroupID), idx(1))))
	})
	return carry
}

// beforeRun is what is before the run of a workgroup: its threads combine the values ms of the workgroups before it, a run each.
func (sc *scan) beforeRun(k *kernelBuilder, ms, part []imp.Mem) []imp.Var {
	size, lid := int64(sc.size), id(imp.LocalID)
	each := k.let("each", imp.Idx, ceilDiv(imp.Idx, id(imp.GroupID), idx(size)))
	first := k.let("first", imp.Idx, mul(imp.Idx, lid, each))
	count := minOf(imp.Idx, each, sub(imp.Idx, id(imp.GroupID), first))
	acc := k.accVars("acc", sc.o.types, exps(k.neutral(sc.o)))
	k.forLoop("j", k.let("count", imp.Idx, count), func(j imp.Exp) {
		k.setAll(acc, k.combine(sc.o, uses(acc), k.loads(ms, add(imp.Idx, first, j))))
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

// singleAlone scans one segment in three launches without barriers.
func (sc *scan) singleAlone() {
	c := sc.c
	n := c.let("n", imp.I64, asPrim(c.operand(sc.e.Space.Sizes[0])))
	size, groups, threads := sc.size, int64(sc.form.Groups), int64(sc.size*sc.form.Groups)
	per := c.let("per", imp.I64, ceilDiv(imp.I64, n, i64(threads)))
	parts := c.partials(sc.o.types, i64(threads))
	run := func(k *kernelBuilder, from []imp.Exp, keep bool, each func(is, x, kept []imp.Exp)) []imp.Var {
		acc := k.accVars("acc", sc.o.types, from)
		first := k.let("first", imp.Idx, mul(imp.Idx, id(imp.ThreadID), k.hostParam("per", per)))
		rest := sub(imp.Idx, k.index(sc.e.Space.Sizes[0]), first)
		count := minOf(imp.Idx, k.hostParam("per", per), rest)
		k.forLoop("j", k.let("count", imp.Idx, count), func(j imp.Exp) {
			is := []imp.Exp{k.let("at", imp.Idx, add(imp.Idx, first, j))}
			x, kept := sc.element(k, is, keep)
			k.setAll(acc, k.combine(sc.o, uses(acc), x))
			each(is, uses(acc), kept)
		})
		return acc
	}
	c.kernel("scan_runs", size, i64(groups), func(k *kernelBuilder, _ *imp.Launch) {
		acc := run(k, exps(k.neutral(sc.o)), dropResults, func(_, _, _ []imp.Exp) {})
		k.stores(k.globals(sc.o.types, parts), id(imp.ThreadID), uses(acc))
	})
	c.kernel("scan_before", 1, i64(1), func(k *kernelBuilder, _ *imp.Launch) {
		ms := k.globals(sc.o.types, parts)
		acc := k.accVars("acc", sc.o.types, exps(k.neutral(sc.o)))
		k.forLoop("j", idx(threads), func(j imp.Exp) {
			own := k.loads(ms, j)
			k.stores(ms, j, uses(acc))
			k.setAll(acc, k.combine(sc.o, uses(acc), own))
		})
	})
	c.kernel("scan_run", size, i64(groups), func(k *kernelBuilder, _ *imp.Launch) {
		before := k.loads(k.globals(sc.o.types, parts), id(imp.ThreadID))
		run(k, before, keepResults, func(is, x, kept []imp.Exp) { sc.result(k, is, x, kept) })
	})
}

// reduceRun reduces the run of a workgroup, as reductions do: vectors that lie a workgroup apart when the operator
// commutes, else tiles of subgroups, or consecutive elements of each thread.
func (sc *scan) reduceRun(k *kernelBuilder, per imp.Exp, out []imp.Mem) {
	n, lid, size := k.index(sc.e.Space.Sizes[0]), id(imp.LocalID), idx(int64(sc.size))
	perTile := k.hostParam("per", per)
	// As many elements a thread as a thread has in the tiles of the run.
	each := k.let("each", imp.Idx, mul(imp.Idx, perTile, idx(int64(sc.v.width*sc.rows))))
	acc := k.accVars("acc", sc.o.types, exps(k.neutral(sc.o)))
	element := func(is []imp.Exp) []imp.Exp { return sc.scanned(k, is) }
	fold := func(j imp.Exp) { k.setAll(acc, k.combine(sc.o, uses(acc), element([]imp.Exp{j}))) }
	keep := func(vals []imp.Exp) { k.stores(out, id(imp.GroupID), vals) }
	whole := sc.v
	whole.width *= sc.rows
	switch {
	case sc.commutative:
		start := k.let("start", imp.Idx, mul(imp.Idx, mul(imp.Idx, id(imp.GroupID), size), each))
		most := add(imp.Idx, start, mul(imp.Idx, each, size))
		end := k.let("end", imp.Idx, minOf(imp.Idx, n, most))
		k.strideVector(sc.v, start, lid, size, end, fold)
	case whole.width > 1 && sc.form.Shuffles:
		k.foldTiles(sc.o, whole, 1, sc.size, n, perTile, acc, element)
		k.finishSubgroups(sc.o, sc.size, acc, keep)
		return
	default:
		first := k.let("first", imp.Idx, mul(imp.Idx, id(imp.ThreadID), each))
		count := minOf(imp.Idx, each, sub(imp.Idx, n, first))
		k.run(whole, first, k.let("count", imp.Idx, count), fold)
	}
	k.finish(sc.o, sc.form, acc, keep)
}

// scanParts scans the workgroups' values in place, in one workgroup.
func (sc *scan) scanParts(k *kernelBuilder, groups imp.Exp, parts []imp.Mem) {
	n := k.hostParam("groups", groups)
	lid := id(imp.LocalID)
	part := sc.sharedParts(k)
	carry := k.accVars("carry", sc.o.types, exps(k.neutral(sc.o)))
	tiles := k.let("tiles", imp.Idx, ceilDiv(imp.Idx, n, idx(int64(sc.size))))
	k.forLoop("tile", tiles, func(t imp.Exp) {
		j := k.let("at", imp.Idx, add(imp.Idx, mul(imp.Idx, t, idx(int64(sc.size))), lid))
		own := k.accVars("own", sc.o.types, exps(k.neutral(sc.o)))
		k.ifThen(less(imp.Idx, j, n), func() { k.setAll(own, k.loads(parts, j)) })
		sc.scanTile(k, part, [][][]imp.Var{{own}}, carry)
		k.ifThen(less(imp.Idx, j, n), func() { k.stores(parts, j, uses(own)) })
		k.emit(&imp.Barrier{})
	})
}
