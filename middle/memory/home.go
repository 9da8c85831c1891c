package memory

import (
	"fmt"
	"slices"

	"skald/middle/core"
)

// Note [Homes]
//
// Where an array lies follows from two questions: which array's memory does it share, and through which views. The answers
// are found for a whole function before anything is placed, in one walk, bottom-up: each array gets a home, and arrays with
// one home have one layout. Views of equal parts of arrays with one home have one home (hash-consing); what is made afresh,
// and each parameter of a loop, is a home of its own. A loop keeps a parameter in place when its body's result has the
// parameter's home; an array that all alternatives of a branch leave in one home from outside stays there.
//
// Whether a reshape is a view depends on layouts: it is one when the elements are evenly spaced, and a copy else. Homes take
// it for a view of an array that is no part or permutation of another; what relies on that is marked (spaced), and
// before placement uses it, the root's layout is looked at. All reshapes of one root are views, or none is.

// home numbers what has one layout; 0 is none: see Note [Homes].
type home int32

// site is what a home is: a root, an array whose layout is its own, or a view of another home. One of slice, perm and
// shape is set in a view.
type site struct {
	root   core.Var
	of     home
	slice  core.Slice
	perm   []int
	shape  []core.Operand
	latest int // when the last of the variables was bound that the site mentions
}

// siteKey tells sites apart.
type siteKey struct {
	root core.Var
	of   home
	view string
}

// homes has the homes of a function's arrays, and what follows for its loops and branches. Slices are indexed by variable.
type homes struct {
	sites  []site
	number map[siteKey]home
	of     []home
	spaced []bool // the home relies on the root's elements being evenly spaced
	born   []int  // when a variable is bound, counted in bindings
	clock  int
	types  []core.Type
	// stays says, for each result of a branch, where all alternatives leave it, for each parameter of a loop, where each
	// iteration begins and ends with it, and for each result of a kernel, where the array is whose rows its points overwrite.
	stays map[*core.Stm][]stay
	// becomes says, for each parameter of a loop, which other parameter's memory its next value is in: -1 for none.
	becomes map[*core.Stm][]int
}

// homesOf finds the homes of a function's arrays: see Note [Homes].
func homesOf(f *core.Fun) *homes {
	n := len(f.Names)
	h := &homes{
		sites: make([]site, 1), number: map[siteKey]home{},
		of: make([]home, n), spaced: make([]bool, n), born: make([]int, n), types: make([]core.Type, n),
		stays: map[*core.Stm][]stay{}, becomes: map[*core.Stm][]int{},
	}
	for _, g := range f.Globals {
		h.bind(g.Param)
	}
	for _, q := range f.Params {
		h.bind(q)
	}
	h.body(f.Body)
	return h
}

// bind makes for what is bound a home of its own, which may be replaced.
func (h *homes) bind(q core.Param) {
	h.clock++
	h.born[q.Var] = h.clock
	h.types[q.Var] = q.Type
	if q.Type.IsArray() {
		h.of[q.Var] = h.intern(siteKey{root: q.Var}, site{root: q.Var, latest: h.clock})
	}
}

func (h *homes) intern(k siteKey, s site) home {
	if n, ok := h.number[k]; ok {
		return n
	}
	h.sites = append(h.sites, s)
	n := home(len(h.sites) - 1)
	h.number[k] = n
	return n
}

// share puts v where w is.
func (h *homes) share(v, w core.Var) {
	h.of[v], h.spaced[v] = h.of[w], h.spaced[w]
}

func (h *homes) body(b *core.Body) {
	for _, s := range b.Stms {
		h.stm(s)
	}
}

func (h *homes) stm(s *core.Stm) {
	switch e := core.Match(s.Exp).(type) {
	case *core.If:
		h.branches(s, []*core.Body{e.Then, e.Else})
		return
	case *core.Switch:
		h.branches(s, e.Bodies())
		return
	case *core.Loop:
		h.loop(s, e)
		return
	default:
	}
	core.MapExp(s.Exp, core.Mapper{
		Bind: func(v core.Var) core.Var { h.clock++; h.born[v] = h.clock; return v },
		Body: func(b *core.Body) *core.Body { h.body(b); return b },
	})
	for _, q := range s.Dst {
		h.bind(q)
	}
	h.result(s)
}

// result finds the homes of a statement's results where these are not new.
func (h *homes) result(s *core.Stm) {
	if len(s.Dst) == 0 {
		return
	}
	dst := s.Dst[0].Var
	switch e := s.Exp.(type) {
	case *core.Use:
		if s.Dst[0].Type.IsArray() {
			h.share(dst, e.X.Var)
		}
	case *core.Update:
		h.share(dst, e.Array)
	case *core.Index:
		if s.Dst[0].Type.IsArray() {
			h.part(dst, e)
		}
	case *core.Rearrange:
		h.permuted(dst, e)
	case *core.Reshape:
		h.reshaped(dst, e)
	case *core.SegHist:
		k := 0
		for _, op := range e.Ops {
			for _, d := range op.Dests {
				h.share(s.Dst[k].Var, d)
				k++
			}
		}
	case *core.WithAcc:
		k := 0
		for _, in := range e.Inputs {
			for _, a := range in.Arrays {
				h.share(s.Dst[k].Var, a)
				k++
			}
		}
	case *core.SegMap:
		h.updatedRows(s, e)
	case core.Scalar, core.Control, *core.ArrayLit, *core.Concat, *core.Iota, *core.Replicate, *core.Scratch, *core.Copy, *core.Alloc,
		*core.UpdateAcc, *core.Screma, *core.Hist, *core.FlatMap, *core.SegRed, *core.SegScan:
	}
}

// part is the home of a part of an array.
func (h *homes) part(dst core.Var, e *core.Index) {
	whole := true
	of := h.of[e.Array]
	s := site{root: h.sites[of].root, of: of, slice: e.Slice, latest: h.sites[of].latest}
	for _, d := range e.Slice {
		off, _ := d.Off.ConstInt()
		stride, _ := d.Stride.ConstInt()
		whole = whole && !d.Fix && d.Off.IsConst() && off == 0 && stride == 1
		s.latest = max(s.latest, h.born[d.Off.Var], h.born[d.Stride.Var])
	}
	h.spaced[dst] = h.spaced[e.Array]
	if whole {
		h.of[dst] = of
		return
	}
	var view []byte
	for _, d := range e.Slice {
		view = fmt.Appendf(view, "[%t %d %v %d %v]", d.Fix, d.Off.Var, d.Off.Const, d.Stride.Var, d.Stride.Const)
	}
	h.of[dst] = h.intern(siteKey{of: of, view: string(view)}, s)
}

// permuted is the home of an array with its dimensions permuted. Two permutations are one.
func (h *homes) permuted(dst core.Var, e *core.Rearrange) {
	of, perm := h.of[e.Array], e.Perm
	if under := h.sites[of]; under.perm != nil {
		perm = make([]int, len(e.Perm))
		for i, d := range e.Perm {
			perm[i] = under.perm[d]
		}
		of = under.of
	}
	h.spaced[dst] = h.spaced[e.Array]
	if slices.IsSorted(perm) {
		h.of[dst] = of
		return
	}
	s := site{root: h.sites[of].root, of: of, perm: perm, latest: h.sites[of].latest}
	h.of[dst] = h.intern(siteKey{of: of, view: fmt.Sprint(perm)}, s)
}

// reshaped is the home of an array under another shape, when it is a root under whatever shape.
func (h *homes) reshaped(dst core.Var, e *core.Reshape) {
	if slices.Equal(h.types[e.Array].Shape, e.Shape) {
		h.share(dst, e.Array)
		return
	}
	of := h.of[e.Array]
	if !h.whole(of) {
		return
	}
	if h.sites[of].shape != nil {
		of = h.sites[of].of
	}
	root := h.sites[of]
	h.spaced[dst] = true
	if slices.Equal(h.types[root.root].Shape, e.Shape) {
		h.of[dst] = of
		return
	}
	s := site{root: root.root, of: of, shape: e.Shape, latest: root.latest}
	var view []byte
	for _, n := range e.Shape {
		s.latest = max(s.latest, h.born[n.Var])
		view = fmt.Appendf(view, "(%d %v)", n.Var, n.Const)
	}
	h.of[dst] = h.intern(siteKey{of: of, view: string(view)}, s)
}

// whole reports whether a home is a root, under whatever shape.
func (h *homes) whole(of home) bool { return h.sites[of].of == 0 || h.sites[of].shape != nil }

// root is the array that an array is a view of.
func (h *homes) root(v core.Var) core.Var { return h.sites[h.of[v]].root }

// layoutOf is the layout of all arrays of one home.
func (p *placer) layoutOf(of home) *core.Layout {
	s := p.homes.sites[of]
	switch {
	case s.slice != nil:
		return p.layoutOf(s.of).Sliced(s.slice)
	case s.perm != nil:
		return p.layoutOf(s.of).Rearranged(s.perm)
	case s.shape != nil:
		t := p.Scope.TypeOf(s.root)
		l, _ := t.Layout.Reshaped(t.Shape, s.shape)
		return l
	}
	return p.layout(s.root)
}
