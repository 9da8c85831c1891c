package memory

import (
	"slices"

	"skald/middle/core"
)

// depthOfReads is how many loops of a body lie around the reading of an element of an array, or of what it is on the way there: of the
// reading in most loops, 0 if no loop reads.
func (h *homes) depthOfReads(b *core.Body, v core.Var) int {
	r := reads{homes: h, same: map[core.Var]bool{h.root(v): true}}
	r.body(b, 0)
	return r.deepest
}

// reads looks for those of some roots' elements.
type reads struct {
	*homes
	same    map[core.Var]bool
	deepest int
}

// body looks at a body in so many loops, the last statement first: what flows into an array is known when it is met.
func (r *reads) body(b *core.Body, depth int) {
	for _, s := range slices.Backward(b.Stms) {
		switch e := core.Match(s.Exp).(type) {
		case *core.Index:
			if isElement(e.Slice) && r.same[r.root(e.Array)] {
				r.deepest = max(r.deepest, depth)
			}
		case *core.Loop:
			for i, q := range e.Params {
				r.flow(s.Dst[i], q.Var)
			}
			r.body(e.Body, depth+1)
		case *core.If:
			r.branches(s, depth, e.Then, e.Else)
		case *core.Switch:
			r.branches(s, depth, e.Bodies()...)
		default:
			core.MapBodies(s.Exp, func(b *core.Body) *core.Body {
				r.body(b, depth)
				return b
			})
		}
	}
}

func (r *reads) branches(s *core.Stm, depth int, bodies ...*core.Body) {
	for _, b := range bodies {
		for i, x := range b.Res {
			r.flow(s.Dst[i], x.Var)
		}
		r.body(b, depth)
	}
}

// flow notes that an array becomes another.
func (r *reads) flow(to core.Param, from core.Var) {
	if to.Type.IsArray() && r.same[r.root(to.Var)] {
		r.same[r.root(from)] = true
	}
}

func isElement(sl core.Slice) bool {
	return !slices.ContainsFunc(sl, func(d core.Dim) bool { return !d.Fix })
}
