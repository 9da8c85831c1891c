package tile

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Vectors of tiles]
//
// What is staged of a side comes out of reads, and their elements often lie side by side in memory: along the side's last dimension, or
// along the iterations. A thread then reads VectorWidth of them at once, which is fewer instructions, and whole lines of the cache where
// it takes runs of neighbouring rows or columns. Along the iterations it reads a square, as many iterations as rows of a run, and has it
// in registers before it stores the runs; that is for whole tiles of iterations alone, and for devices where it pays. What lies outside the
// space is no run of its own: the last one inside stands for it.
//
// A product of 2048 x 4096 by 4096 x 2048 on H200s: 1,381 us through Vulkan without vectors and 1,310 with both, of runs alone 1,354, of
// squares of two by twice the threads 1,413; on CUDA 906 without, 882 with runs alone.
//
// A vector begins at a multiple of its length. Whether all of them do depends on sizes: on how far rows lie apart, where the array begins
// in its block, and the size of the last dimension. The host, which knows them, takes the form with vectors where each is a multiple of
// VectorWidth (core.MeasureAstray is 0), and that without elsewhere.

// VectorWidth is how many elements threads read at once.
const VectorWidth = 4

// Vectors are the reads of a side whose elements lie side by side.
type Vectors struct {
	Deep  bool // along the iterations
	Reads []*core.Stm
	// Before are the statements that compute where they read.
	Before []*core.Stm
	// Multiples must be multiples of VectorWidth.
	Multiples []core.Poly
}

// Loads are the statements that compute what is staged of a class, its checks included.
func (p *Plan) Loads(c Class) []*core.Stm {
	targets := slices.Concat(p.Staged[c], p.Checks(c))
	if c == Col && len(p.Rows) == 0 {
		targets = p.Staged[c]
	}
	return p.Need(targets, p.shared)
}

// shared reports whether a variable is bound before the loop, for all points of a tile.
func (p *Plan) shared(v core.Var) bool { return !p.Inner(v) && p.Class(v) == Uniform }

// Last is the last dimension of a side.
func (p *Plan) Last(c Class) int {
	if c == Row {
		return p.Rows[len(p.Rows)-1]
	}
	return p.Cols[len(p.Cols)-1]
}

// Deep reports whether neighbouring threads are to load neighbouring iterations of a side, and not rows or columns: as the first of its
// reads has them side by side.
func (p *Plan) Deep(c Class, types func(core.Var) core.Type) bool {
	for _, s := range p.Loads(c) {
		at, ok := placeOf(s, types)
		if !ok {
			continue
		}
		if n, ok := p.Stride(at, p.space.Ids[p.Last(c)]); ok && n == 1 {
			return false
		}
		if n, ok := p.Stride(at, p.Loop.Index.Var); ok && (n == 1 || n == -1) {
			return true
		}
	}
	return false
}

// placeOf is where a statement that reads an element reads it.
func placeOf(s *core.Stm, types func(core.Var) core.Type) (core.Poly, bool) {
	e, ok := s.Exp.(*core.Index)
	if !ok || !s.Dst[0].Type.IsScalar() {
		return core.Poly{}, false
	}
	return Place(types(e.Array), e.Slice), true
}

// Vectors are the vectors of a side of a shape of tiles, perhaps in squares, or nil: see Note [Vectors of tiles].
func (p *Plan) Vectors(c Class, shape core.TileShape, squares bool, types func(core.Var) core.Type) *Vectors {
	_, reg := Side(shape, c)
	if len(p.Rows) == 0 || len(p.Staged[c]) == 0 || Together(reg) != VectorWidth || shape.Depth%VectorWidth != 0 {
		return nil
	}
	v := &Vectors{Deep: p.Deep(c, types)}
	along := p.Loop.Index.Var
	if !v.Deep {
		along = p.space.Ids[p.Last(c)]
		v.Multiples = append(v.Multiples, core.PolyOf(p.space.Sizes[p.Last(c)]))
	}
	for _, s := range p.Loads(c) {
		at, ok := placeOf(s, types)
		if size := s.Dst[0].Type.Elem.Size(); !ok || size < 4 || len(s.Aux.Certs) > 0 {
			continue
		}
		if n, ok := p.Stride(at, along); !ok || n != 1 {
			continue
		}
		if ms, ok := p.multiples(at, along); ok {
			v.Reads, v.Multiples = append(v.Reads, s), append(v.Multiples, ms...)
		}
	}
	if len(v.Reads) == 0 || v.Deep && !squares {
		return nil
	}
	var places core.VarSet
	for _, s := range v.Reads {
		at, _ := placeOf(s, types)
		for _, w := range at.Vars() {
			places.Add(w)
		}
	}
	v.Before = p.Need(places.List(), p.shared)
	return v
}

// multiples are what must be multiples of VectorWidth for the elements at a place to begin vectors where along is such a multiple. There
// are none where no sizes make them so, or the host does not know.
func (p *Plan) multiples(at core.Poly, along core.Var) ([]core.Poly, bool) {
	var out []core.Poly
	for _, term := range p.expand(at).Terms {
		if len(term.Vars) == 1 && term.Vars[0] == along && term.Coef == 1 {
			continue
		}
		var sizes []core.Var
		for _, v := range term.Vars {
			switch {
			case v == p.Loop.Index.Var || slices.Contains(p.space.Ids, v):
			case p.masks[v] == 0 && p.where[v] == nil:
				sizes = append(sizes, v)
			default:
				return nil, false
			}
		}
		switch {
		case term.Coef%VectorWidth == 0:
		case len(sizes) == 0:
			return nil, false
		default:
			out = append(out, core.Poly{Terms: []core.Term{{Coef: term.Coef, Vars: sizes}}})
		}
	}
	return out, true
}

// expand puts sums and products for the variables that the body binds to them.
func (p *Plan) expand(at core.Poly) core.Poly {
	return at.Subst(func(v core.Var) core.Poly {
		if s := p.where[v]; s != nil {
			switch e, ok := s.Exp.(*core.Bin); {
			case !ok || e.Type != prim.I64:
			case e.Op == prim.Add:
				return p.expand(core.PolyOf(e.X).Add(core.PolyOf(e.Y)))
			case e.Op == prim.Mul:
				return p.expand(core.PolyOf(e.X).Mul(core.PolyOf(e.Y)))
			}
		}
		return core.PolyVar(v)
	})
}
