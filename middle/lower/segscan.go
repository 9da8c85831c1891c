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
// most threads would have nothing to do. A thread reads and writes rows unevenly, eight times as much memory as it needs. Few segments that
// are long have some workgroups each: the launches of one segment, in which each workgroup has a run of one of the segments. So no tile
// has elements of two, and the operator is the program's own. Rows need not start where vectors could be loaded, so threads of both
// launches take elements as those of a workgroup do that has a segment to itself (Note [Elements of a thread]).
//
// On processors a task has some segments, and where few long ones would leave most cores without one, some tasks share each like one
// segment.
//
// Where code with barriers would be too large (Note [Cost model]) threads take the part of workgroups: each
// has a run of single elements, of the only segment or of one of few long ones; others have a thread each.

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
	if f.Way == core.WayShares {
		out.rows, out.v = out.alongSegment()
	}
	return &out
}

// segScan generates a segmented scan: see Note [Scans].
func (c *hostBuilder) segScan(s *core.Stm, e *core.SegScan) {
	sc, forms := c.scanOf(s, e), c.l.forms(e.Choice.Forms, c.where)
	if len(sc.outer) == 0 {
		sc.in(forms[0]).one()
		return
	}
	n := c.segmentSizes(e, e.Choice)
	var rest []imp.Stm
	for i, f := range slices.Backward(forms) {
		code := c.within(func() { sc.in(f).each(n) })
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
		sc.alone(segmentSizes{i64(1), sc.c.let("n", imp.I64, asPrim(sc.c.operand(sc.e.Space.Sizes[0])))})
	case core.WayLookBack:
		sc.once()
	default:
		sc.single()
	}
}

// each scans each of many segments.
func (sc *scan) each(n segmentSizes) {
	switch sc.form.Way { //nolint:exhaustive // the verifier knows which forms scans have
	case core.WayThread:
		sc.threadEach(n.segments)
	case core.WayAlone:
		sc.alone(n)
	case core.WayShares:
		sc.inShares(n)
	case core.WayTask:
		sc.taskEach()
	case core.WayRuns:
		sc.taskRuns(n)
	default:
		sc.groupEach(n.segments)
	}
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

// alone scans each of few long segments, or the only one, in three launches without barriers.
func (sc *scan) alone(n segmentSizes) {
	c, size, groups := sc.c, sc.size, int64(sc.form.Groups)
	threads := int64(size) * groups
	per := c.let("per", imp.I64, ceilDiv(imp.I64, n.size, i64(threads)))
	parts := c.partials(sc.o.types, mul(imp.I64, n.segments, i64(threads)))
	all := mul(imp.I64, n.segments, i64(groups))
	each := func(name string, f func(k *kernelBuilder, ms []imp.Mem, seg []imp.Exp, first, count imp.Exp)) {
		c.kernel(name, size, all, func(k *kernelBuilder, _ *imp.Launch) {
			some := k.hostParam("per", per)
			segment, me := idx(0), id(imp.ThreadID)
			if len(sc.outer) > 0 {
				segment = k.let("segment", imp.Idx, quot(imp.Idx, id(imp.ThreadID), idx(threads)))
				me = rem(imp.Idx, id(imp.ThreadID), idx(threads))
			}
			first := k.let("first", imp.Idx, mul(imp.Idx, me, some))
			count := minOf(imp.Idx, some, sub(imp.Idx, sc.rowSize(k), first))
			f(k, k.globals(sc.o.types, parts), k.unflatten(segment, sc.outer), first, k.let("count", imp.Idx, count))
		})
	}
	each("scan_runs", func(k *kernelBuilder, ms []imp.Mem, seg []imp.Exp, first, count imp.Exp) {
		k.stores(ms, id(imp.ThreadID), uses(sc.run(k, seg, exps(k.neutral(sc.o)), first, count, dropResults)))
	})
	c.segmentThreads(core.Form{Group: 1}, "scan_before", n.segments, sc.outer, func(k *kernelBuilder, _ []imp.Exp) {
		sc.scanBefore(k, k.globals(sc.o.types, parts), mul(imp.Idx, id(imp.ThreadID), idx(threads)), idx(threads))
	})
	each("scan_run", func(k *kernelBuilder, ms []imp.Mem, seg []imp.Exp, first, count imp.Exp) {
		sc.run(k, seg, k.loads(ms, id(imp.ThreadID)), first, count, keepResults)
	})
}
