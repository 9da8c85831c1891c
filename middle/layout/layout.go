package layout

import (
	"slices"

	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/pass"
)

// Pass lays arrays out for the kernels that read them.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "layout",
	Doc:  "lay arrays out so that neighbouring threads read and write neighbouring elements",
	Run:  func(ctx *pass.Context, p *core.Prog) *core.Prog { return functions.MapForGPU(ctx, p, function) },
}

func function(f *core.Fun) *core.Fun { return copies(columns(producers(f))) }

// kernelOf is the segmented operation of a statement of host code whose threads are those of the grid, and its body.
func kernelOf(s *core.Stm) (e core.Seg, body *core.Body) {
	switch e := core.Match(s.Exp).(type) {
	case *core.SegMap:
		if e.Level == core.LevelGrid && len(e.Space.Ids) > 0 {
			return e, e.Body
		}
	case *core.SegRed:
		return e, e.Body
	case *core.SegScan:
		return e, e.Body
	case *core.SegHist:
		return e, e.Body
	default:
	}
	return nil, nil
}

// laneOf is the index in which neighbouring threads of a kernel differ, unless threads take segments.
func laneOf(e core.Seg) core.Var {
	ids := e.SpaceOf().Ids
	return ids[len(ids)-1]
}

// Segments of less than shortSegment elements, and of scans than shortScan, have a thread each, others threads that go along them together,
// unless there are manySegments (Notes [Reductions of segments] and [Scan tiles] of package choose).
const (
	shortSegment, shortScan = 64, 16
	manySegments            = 1 << 12
)

// lanesOf are the indices in which neighbouring threads of a kernel may differ: where threads take segments, that of the segment. Sizes
// that are not constant decide that where the program runs.
func lanesOf(e core.Seg) []core.Var {
	space, short := e.SpaceOf(), int64(0)
	switch e.(type) {
	case *core.SegRed:
		short = shortSegment
	case *core.SegScan:
		short = shortScan
	case *core.SegMap, *core.SegHist:
	}
	n := len(space.Ids)
	if short == 0 || n < 2 {
		return []core.Var{laneOf(e)}
	}
	segments := int64(1)
	for _, size := range space.Sizes[:n-1] {
		if c, ok := size.ConstInt(); ok {
			segments = min(segments*max(c, 0), manySegments+1)
		} else {
			segments = manySegments + 1
		}
	}
	size, known := space.Sizes[n-1].ConstInt()
	_, scan := e.(*core.SegScan)
	switch {
	case known && size < short:
		return []core.Var{space.Ids[n-2]}
	case segments <= manySegments, known && scan:
		return []core.Var{laneOf(e)}
	}
	return []core.Var{laneOf(e), space.Ids[n-2]}
}

// moves reports whether a map only moves elements: it is a transposition in tiles, or reads and writes side by side.
func moves(e *core.SegMap) bool {
	if len(e.Body.Stms) != 1 || len(e.Body.Res) != 1 {
		return false
	}
	_, ok := e.Body.Stms[0].Exp.(*core.Index)
	return ok && e.Body.Res[0].IsVar(e.Body.Stms[0].Dst[0].Var)
}

// arrays says what is known of the arrays of host code.
type arrays struct {
	types map[core.Var]core.Type
	views map[core.Var]view
	// order is the dimensions of arrays from the outermost in memory to the innermost, where that is not their own order.
	order map[core.Var][]int
}

func arraysOf(f *core.Fun) *arrays {
	a := &arrays{types: map[core.Var]core.Type{}, views: map[core.Var]view{}, order: map[core.Var][]int{}}
	for _, g := range f.Globals {
		a.bind(g.Param)
	}
	for _, q := range f.Params {
		a.bind(q)
	}
	a.body(f.Body)
	return a
}

func (a *arrays) bind(q core.Param) {
	a.types[q.Var] = q.Type
	if q.Type.IsArray() {
		a.views[q.Var] = wholeView(q.Var, q.Type.Rank())
	}
}

func (a *arrays) body(b *core.Body) {
	for _, s := range b.Stms {
		for _, q := range s.Dst {
			a.bind(q)
		}
		a.stm(s)
	}
}

func (a *arrays) stm(s *core.Stm) {
	uniform := func(core.Operand) index { return index{} }
	switch e := core.Match(s.Exp).(type) {
	case *core.Index:
		if s.Dst[0].Type.IsArray() {
			a.views[s.Dst[0].Var] = a.views[e.Array].sliced(e.Slice, uniform)
		}
	case *core.Rearrange:
		a.views[s.Dst[0].Var] = a.views[e.Array].rearranged(e.Perm)
	case *core.Use:
		if s.Dst[0].Type.IsArray() {
			a.views[s.Dst[0].Var] = a.views[e.X.Var]
		}
	case *core.SegMap:
		a.inside(s.Exp)
		for _, q := range s.Dst {
			if n := len(e.Space.Ids); isInterleaved(s) && q.Type.Rank() > n {
				a.order[q.Var] = rowsFirst(n, q.Type.Rank())
			}
		}
	default:
		a.inside(s.Exp)
	}
}

// inside goes into the bodies of host code; those of kernels bind no arrays of the host.
func (a *arrays) inside(e core.Exp) {
	switch e := core.Match(e).(type) {
	case core.Seg:
		return
	case *core.Loop:
		for _, q := range e.Params {
			a.bind(q)
		}
	case *core.WithAcc:
		for _, q := range e.Lambda.Params {
			a.bind(q)
		}
	default:
	}
	core.MapBodies(e, func(b *core.Body) *core.Body { a.body(b); return b })
}

func (a *arrays) view(v core.Var) (view, bool) {
	w, ok := a.views[v]
	return w, ok
}

func (a *arrays) typeOf(v core.Var) core.Type { return a.types[v] }

// innermost is the dimension of an array along which its elements lie side by side.
func (a *arrays) innermost(v core.Var) int {
	if o := a.order[v]; o != nil {
		return o[len(o)-1]
	}
	return a.types[v].Rank() - 1
}

func isInterleaved(s *core.Stm) bool { return slices.Contains(s.Aux.Attrs, core.Interleaved) }

// rowsFirst is the order of dimensions with the first n behind the others.
func rowsFirst(n, rank int) []int {
	var order []int
	for d := range rank {
		order = append(order, (n+d)%rank)
	}
	return order
}
