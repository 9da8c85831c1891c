package tile

import (
	"slices"
	"sync"

	"skald/middle/core"
	"skald/middle/facts"
	"skald/middle/functions"
	"skald/middle/pass"
)

// Pass chooses tiles.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "tile",
	Doc:  "let workgroups compute maps over shared inputs in tiles",
	Run: func(ctx *pass.Context, p *core.Prog) *core.Prog {
		// The device is asked where there are tiles whose shape somebody may have set: other programs are alike for all.
		set := sync.OnceValue(func() sides {
			return pass.Ask(ctx, func(f facts.Facts) sides { return sides{f.Tile, f.RegTile} })
		})
		return functions.MapHost(p, func(f *core.Fun) *core.Fun { return function(f, set) })
	},
}

func function(f *core.Fun, set func() sides) *core.Fun {
	t := &tiler{scope: core.ScopeOf(f), set: set}
	g := *f
	g.Body = t.body(f.Body)
	return &g
}

// tiler works on one function.
type tiler struct {
	scope *core.Scope
	set   func() sides
}

// body tiles the operations of host code.
func (t *tiler) body(b *core.Body) *core.Body {
	return core.Mapper{Body: t.body}.MapBody(&core.Body{Stms: t.stms(b.Stms), Res: b.Res})
}

func (t *tiler) stms(stms []*core.Stm) []*core.Stm {
	out := make([]*core.Stm, len(stms))
	for i, s := range stms {
		out[i] = s
		if e, ok := s.Exp.(*core.SegMap); ok {
			n := *s
			n.Exp = t.segMap(e)
			out[i] = &n
		}
	}
	return out
}

// segMap adds tiles where they pay.
func (t *tiler) segMap(e *core.SegMap) *core.SegMap {
	p := planOf(e)
	if p == nil || !(p.inTwo() || p.inOne(t.scope.TypeOf)) {
		return e
	}
	out := *e
	out.Tiling = &core.Tiling{Rows: p.Rows, Cols: p.Cols, Shapes: p.shapes(t.set)}
	return &out
}

// Dimensions is in how many dimensions the pass would tile an operation whose arrays lie in the order of their dimensions: 0, 1 or 2.
// Before arrays have memory it says which kernels read through that of workgroups.
func Dimensions(e *core.SegMap, types func(core.Var) core.Type) int {
	p := planOf(e)
	switch {
	case p == nil:
		return 0
	case p.inTwo():
		return 2
	case p.inOne(func(v core.Var) core.Type {
		t := types(v)
		if t.IsArray() && t.Layout == nil {
			t.Layout = core.RowMajor(0, t.Shape)
		}
		return t
	}):
		return 1
	}
	return 0
}

// PlanOf is the plan of an operation that the pass has tiled; types are those of arrays.
func PlanOf(e *core.SegMap, types func(core.Var) core.Type) *Plan {
	p := planOf(e)
	if p == nil {
		return nil
	}
	p.Rows, p.Cols = e.Tiling.Rows, e.Tiling.Cols
	p.stageAll(types)
	return p
}

// inTwo looks for rows and columns. Dimensions that one read depends on go together; those that lie outside of
// both a workgroup has one index of, and these are as few of the outermost ones as possible.
func (p *Plan) inTwo() bool {
	read := p.loopReads()
	for outer := range len(p.space.Ids) - 1 {
		p.Rows, p.Cols = p.sides(read, outer)
		if len(p.Rows) == 0 || len(p.Cols) == 0 {
			continue
		}
		if p.separate() {
			p.stageAll(nil)
			if p.repeated(Row) && p.repeated(Col) {
				return true
			}
		}
	}
	return false
}

// loopReads is what the reads of the loop depend on.
func (p *Plan) loopReads() []mask {
	var ms []mask
	for _, s := range p.Loop.Body.Stms {
		if reads(s) {
			ms = append(ms, p.free(s))
		}
	}
	return ms
}

// sides joins the dimensions behind the outer ones that occur in one read. The innermost dimension is a column. The outermost that
// is none of its set is a row, with its set; what is left are columns.
func (p *Plan) sides(read []mask, outer int) (rows, cols []int) {
	n := len(p.space.Ids)
	set := make([]int, n)
	for d := range set {
		set[d] = d
	}
	for _, m := range read {
		first := -1
		for d := outer; d < n; d++ {
			switch {
			case m&(1<<d) == 0:
			case first < 0:
				first = set[d]
			case set[d] != first:
				old := set[d]
				for k := range set {
					if set[k] == old {
						set[k] = first
					}
				}
			}
		}
	}
	row := -1
	for d := outer; d < n; d++ {
		if row < 0 && set[d] != set[n-1] {
			row = set[d]
		}
		if row >= 0 && set[d] == row {
			rows = append(rows, d)
		} else {
			cols = append(cols, d)
		}
	}
	return rows, cols
}

// separate reports whether no read of the loop belongs to rows and columns, or to accumulators.
func (p *Plan) separate() bool {
	return !slices.ContainsFunc(p.Loop.Body.Stms, func(s *core.Stm) bool { return reads(s) && p.ClassOf(s) == Mixed })
}

// repeated reports whether something that is staged of a class differs between iterations.
func (p *Plan) repeated(c Class) bool {
	return slices.ContainsFunc(p.Staged[c], func(v core.Var) bool { return p.masks[v]&iteration != 0 })
}

// inOne looks for tiles of one row: all dimensions are columns but those of reads that the innermost has no part in.
func (p *Plan) inOne(types func(core.Var) core.Type) bool {
	n := len(p.space.Ids)
	last, shared := mask(1)<<(n-1), mask(0)
	for _, m := range p.loopReads() {
		if m&last == 0 {
			shared |= m
		}
	}
	p.Rows, p.Cols = nil, nil
	for d := range n {
		if shared&(1<<d) == 0 {
			p.Cols = append(p.Cols, d)
		}
	}
	p.stageAll(types)
	return p.repeated(Uniform) || p.repeated(Col)
}

// stageAll chooses what is staged.
func (p *Plan) stageAll(types func(core.Var) core.Type) {
	p.stage(Uniform)
	if len(p.Rows) > 0 {
		p.stage(Row)
		p.stage(Col)
		return
	}
	p.Staged[Row], p.Staged[Col] = nil, nil
	for _, s := range p.Loop.Body.Stms {
		if p.apart(s, types) {
			p.Staged[Col] = append(p.Staged[Col], s.Dst[0].Var)
		}
	}
}

// apart reports whether a statement of the columns reads elements of which one thread's lie together and neighbours' do not.
func (p *Plan) apart(s *core.Stm, types func(core.Var) core.Type) bool {
	e, ok := s.Exp.(*core.Index)
	if !ok || !reads(s) || p.ClassOf(s) != Col {
		return false
	}
	t := types(e.Array)
	if t.Layout == nil {
		return false
	}
	at := Place(t, e.Slice)
	next, known := p.Stride(at, p.Loop.Index.Var)
	beside, ok := p.Stride(at, p.space.Ids[p.Cols[len(p.Cols)-1]])
	return known && next == 1 && !(ok && beside >= -1 && beside <= 1)
}
