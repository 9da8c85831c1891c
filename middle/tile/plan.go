package tile

import (
	"slices"

	"skald/middle/core"
)

// Class says which points share what a statement of a tiled body computes.
type Class uint8

const (
	// Uniform is the same for all points of a tile, but for the iteration.
	Uniform Class = iota
	// Row is the same for all points of a row.
	Row
	// Col is the same for all points of a column.
	Col
	// Mixed differs, or depends on accumulators.
	Mixed
)

// Plan is how the points of a segmented map can be computed in tiles.
type Plan struct {
	Rows, Cols []int // dimensions of the space
	// Before, Loop and After are the body. Dst are the loop's results.
	Before, After []*core.Stm
	Loop          *core.Loop
	Dst           []core.Param
	// Staged are the variables of each class but Mixed that threads load together.
	Staged [Mixed][]core.Var

	space core.Space
	masks map[core.Var]mask
	where map[core.Var]*core.Stm // what binds a variable before the loop, or in it
	inner map[core.Var]bool      // variables that the loop's body binds
}

// mask is a set of what a variable depends on: dimensions of the space, iterations, accumulators.
type mask uint64

const (
	maxDims         = 32
	maxSize         = 256 // statements of a body: a thread repeats them for each of its points
	iteration  mask = 1 << 62
	accumulate mask = 1 << 63
)

// planOf takes a segmented map apart; nil says that it is no straight code around one loop. Rows, Cols and Staged are left open.
func planOf(e *core.SegMap) *Plan {
	p := &Plan{space: e.Space, masks: map[core.Var]mask{}, where: map[core.Var]*core.Stm{}, inner: map[core.Var]bool{}}
	if e.Level != core.LevelGrid || e.Space.Slot != 0 || len(e.Space.Ids) == 0 || len(e.Space.Ids) > maxDims {
		return nil
	}
	at := slices.IndexFunc(e.Body.Stms, func(s *core.Stm) bool { _, ok := s.Exp.(*core.Loop); return ok })
	if at < 0 {
		return nil
	}
	s := e.Body.Stms[at]
	p.Before, p.Loop, p.Dst, p.After = e.Body.Stms[:at], s.Exp.(*core.Loop), s.Dst, e.Body.Stms[at+1:]
	scalars := core.OnlyScalars(core.ParamTypes(p.Dst)) && core.OnlyScalars(e.Ret)
	if core.CountStms(e.Body) > maxSize || !p.Loop.IsFor() || !p.Loop.Index.Type.Equal(core.I64) || !scalars {
		return nil
	}
	if !straight(p.Before) || !straight(p.After) || !straight(p.Loop.Body.Stms) {
		return nil
	}
	for d, id := range e.Space.Ids {
		p.masks[id] = 1 << d
	}
	p.bind(p.Before, 0)
	// The host, which chooses a shape, has to know how long the loop is.
	if p.mask(p.Loop.Bound) != 0 || p.where[p.Loop.Bound.Var] != nil {
		return nil
	}
	p.masks[p.Loop.Index.Var] = iteration
	for _, q := range p.Loop.Params {
		p.masks[q.Var] = accumulate
	}
	for _, s := range p.Loop.Body.Stms {
		for _, d := range s.Dst {
			p.inner[d.Var] = true
		}
	}
	p.bind(p.Loop.Body.Stms, 0)
	return p
}

// straight reports whether statements are scalar operations, reads, checks and branches of such.
func straight(stms []*core.Stm) bool {
	for _, s := range stms {
		switch e := core.Match(s.Exp).(type) {
		case *core.Un, *core.Bin, *core.Cmp, *core.Conv, *core.CallFunc, *core.Use, *core.Assert, *core.Index, *core.Rearrange, *core.Reshape:
		case *core.If:
			if len(s.Dst) == 0 { // It only checks something, and nothing would ask for it.
				return false
			}
			for _, d := range s.Dst {
				if !d.Type.IsScalar() {
					return false
				}
			}
			if !straight(e.Then.Stms) || !straight(e.Else.Stms) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// bind notes what statements depend on.
func (p *Plan) bind(stms []*core.Stm, with mask) {
	for _, s := range stms {
		m := with | p.free(s)
		for _, d := range s.Dst {
			p.masks[d.Var], p.where[d.Var] = m, s
		}
	}
}

// free is what a statement depends on, branches in it included.
func (p *Plan) free(s *core.Stm) mask {
	m := mask(0)
	for _, v := range core.FreeInStm(s).List() {
		m |= p.masks[v]
	}
	return m
}

func (p *Plan) mask(o core.Operand) mask { return p.masks[o.Var] }

// dims is a set of dimensions as a mask.
func dims(ds []int) mask {
	m := mask(0)
	for _, d := range ds {
		m |= 1 << d
	}
	return m
}

func (p *Plan) class(m mask) Class {
	row, col := m&dims(p.Rows) != 0, m&dims(p.Cols) != 0
	switch {
	case m&accumulate != 0 || row && col:
		return Mixed
	case row:
		return Row
	case col:
		return Col
	}
	return Uniform
}

// Class is the class of a variable that the body before the loop, or the loop, binds; Uniform for all others.
func (p *Plan) Class(v core.Var) Class { return p.class(p.masks[v]) }

// ClassOf is the class of a statement.
func (p *Plan) ClassOf(s *core.Stm) Class { return p.class(p.free(s)) }

// reads reports whether a statement reads elements.
func reads(s *core.Stm) bool {
	return s.Any(func(e core.Exp) bool { _, ok := e.(*core.Index); return ok && !view(s, e) })
}

// view reports whether e makes another view of an array, for which nothing is read.
func view(s *core.Stm, e core.Exp) bool { return s.Exp == e && !s.Dst[0].Type.IsScalar() }

// Need lists the statements before the loop, and in it, that compute the targets and are not bound to have, in order.
func (p *Plan) Need(targets []core.Var, have func(core.Var) bool) []*core.Stm {
	var need core.VarSet
	for _, v := range targets {
		need.Add(v)
	}
	var out []*core.Stm
	for _, s := range slices.Backward(slices.Concat(p.Before, p.Loop.Body.Stms)) {
		if slices.ContainsFunc(s.Dst, func(d core.Param) bool { return need.Has(d.Var) && !have(d.Var) }) {
			out = append(out, s)
			need.AddFree(s)
		}
	}
	slices.Reverse(out)
	return out
}

// Checks lists the certificates of the assertions of a class in the loop.
func (p *Plan) Checks(c Class) []core.Var {
	var vs []core.Var
	for _, s := range p.Loop.Body.Stms {
		if core.MayFail(s.Exp) && p.ClassOf(s) == c || s.Any(core.MayFail) && p.ClassOf(s) == c {
			for _, d := range s.Dst {
				vs = append(vs, d.Var)
			}
		}
	}
	return vs
}

// Inner reports whether the loop's body binds a variable.
func (p *Plan) Inner(v core.Var) bool { return p.inner[v] }

// stage chooses what is staged of a class: the values that statements of other classes need, if they come out of reads; where these
// are more than the reads, the reads.
func (p *Plan) stage(c Class) {
	var front, read []core.Var
	used := p.usedElsewhere(c)
	for _, s := range p.Loop.Body.Stms {
		if p.ClassOf(s) != c {
			continue
		}
		if _, ok := s.Exp.(*core.Index); ok && reads(s) {
			read = append(read, s.Dst[0].Var)
		}
		for _, d := range s.Dst {
			if used.Has(d.Var) && d.Type.IsScalar() && slices.ContainsFunc(p.Need([]core.Var{d.Var}, func(core.Var) bool { return false }), reads) {
				front = append(front, d.Var)
			}
		}
	}
	deep := slices.ContainsFunc(p.Loop.Body.Stms, func(s *core.Stm) bool {
		_, plain := s.Exp.(*core.Index)
		return p.ClassOf(s) == c && !plain && reads(s)
	})
	if len(front) > len(read) && !deep {
		front = read
	}
	p.Staged[c] = front
}

// usedElsewhere are the variables of a class that threads need while they go over the iterations of a tile: what the values of both
// sides come from, and, where a tile has no rows, those of its columns.
func (p *Plan) usedElsewhere(c Class) *core.VarSet {
	used := &core.VarSet{}
	for _, s := range p.Loop.Body.Stms {
		if d := p.ClassOf(s); d == Mixed && c != Mixed || d == Col && c == Uniform && len(p.Rows) == 0 {
			used.AddFree(s)
		}
	}
	for _, r := range p.Loop.Body.Res {
		used.Add(r.Var)
	}
	return used
}

// Stride is how far apart lie, in its block, the elements that an index expression reads where v differs by one; ok is false where that is
// not known to be constant.
func (p *Plan) Stride(at core.Poly, v core.Var) (n int64, ok bool) {
	for _, w := range at.Vars() {
		if w != v && p.masks[w]&p.masks[v] != 0 {
			return 0, false
		}
	}
	next := at.Subst(func(w core.Var) core.Poly {
		if w == v {
			return core.PolyVar(w).Add(core.PolyConst(1))
		}
		return core.PolyVar(w)
	})
	return next.Sub(at).Const()
}

// Place is where in its block the element lies that an index expression reads from an array of type t.
func Place(t core.Type, s core.Slice) core.Poly {
	at := t.Layout.Offset
	for k, d := range s {
		at = at.Add(core.PolyOf(d.Off).Mul(t.Layout.Strides[k]))
	}
	return at
}

// Sizes are those of dimensions of the space.
func (p *Plan) Sizes(dims []int) []core.Operand {
	out := make([]core.Operand, len(dims))
	for i, d := range dims {
		out[i] = p.space.Sizes[d]
	}
	return out
}

// Outer are the dimensions that are neither rows nor columns.
func (p *Plan) Outer() []int {
	var out []int
	for d := range p.space.Ids {
		if !slices.Contains(p.Rows, d) && !slices.Contains(p.Cols, d) {
			out = append(out, d)
		}
	}
	return out
}
