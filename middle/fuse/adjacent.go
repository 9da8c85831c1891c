package fuse

import (
	"slices"

	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/pass"
)

// Note [Kernels side by side]
//
// Two maps of the grid of one size, or two reductions to scalars, that share no input are one kernel where that spares a launch and costs
// nothing else: on a GPU, where a launch of few elements takes as long as one of tens of thousands. A processor goes over each input in a
// loop of its own, which its compiler makes vectors of.
//
//   - A map that only copies stays as it is, since what it makes may be made in place later on.
//   - Each reads and writes elements at its own point alone, and calls nothing that fails or loops: then all threads read neighbouring
//     elements as before, and need few registers more.
//   - All elements have one size, so that threads have as many at a time as before.
//   - Nothing between the two is a kernel, is copied, or waits for the device: then no array lives longer than until the next kernel.
//   - Together they have no more arrays than any WebGPU device binds at a time, and reductions few values.

// AdjacentPass joins kernels side by side.
var AdjacentPass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "fuse-adjacent",
	Doc:  "join maps, and reductions, that follow each other and share no input",
	Run: func(ctx *pass.Context, p *core.Prog) *core.Prog {
		return functions.MapForGPU(ctx, p, adjacentIn)
	},
}

// mostArrays is how many arrays joined kernels may have: WebGPU guarantees eight bindings, of which reductions need some. mostValues is how
// many values joined reductions may combine, which each thread has in registers.
const (
	mostArrays = 6
	mostValues = 8
)

func adjacentIn(f *core.Fun) *core.Fun {
	g := *f
	fu := newFuser(&g)
	body, changed := fu.adjacent(f.Body)
	if !changed {
		return f
	}
	g.Body = body
	return &g
}

// adjacent joins kernels in a body, and in those inside that belong to the host.
func (f *fuser) adjacent(b *core.Body) (out *core.Body, changed bool) {
	var stms []*core.Stm
	last := -1 // the last kernel of these that another one may join
	for _, s := range b.Stms {
		if !isKernel(s) {
			inside := false
			exp := f.inside(s.Exp, func(b *core.Body) *core.Body {
				body, ok := f.adjacent(b)
				inside = inside || ok
				return body
			})
			if inside {
				s, changed = &core.Stm{Dst: s.Dst, Exp: exp, Aux: s.Aux}, true
			}
		}
		stms = append(stms, s)
		switch {
		case pointwise(s) == nil:
			if !quiet(s) {
				last = -1
			}
			continue
		case last >= 0:
			if e := f.joinKernels(stms[last], s); e != nil {
				if at := f.meet(stms, last, len(stms)-1); at >= 0 {
					stms, changed = merged(stms, last, len(stms)-1, at, e), true
					last = slices.Index(stms, e)
					continue
				}
			}
		}
		last = len(stms) - 1
	}
	if !changed {
		return b, false
	}
	return &core.Body{Stms: stms, Res: b.Res}, true
}

// quiet reports whether a statement is neither a kernel nor a copy, nor waits for one.
func quiet(s *core.Stm) bool {
	switch core.Match(s.Exp).(type) {
	case core.Scalar, *core.Rearrange, *core.Reshape, *core.Scratch:
		return true
	case *core.Index:
		return s.Dst[0].Type.IsArray()
	default:
		return false
	}
}

// pointwise is the operation of a statement if that is a kernel with code that reads and makes elements at its own point alone.
func pointwise(s *core.Stm) core.Seg {
	e, ok := s.Exp.(core.Seg)
	if !ok {
		return nil
	}
	var body *core.Body
	switch e := core.Match(s.Exp).(type) {
	case *core.SegMap:
		if e.Level != core.LevelGrid || e.Tiling != nil || e.Space.Slot != 0 || !core.OnlyScalars(e.Ret) || !computes(e.Body) {
			return nil
		}
		body = e.Body
	case *core.SegRed:
		if e.Level != core.LevelGrid || len(e.Space.Sizes) != 1 || !core.OnlyScalars(e.Ret) ||
			slices.ContainsFunc(e.Ops, func(op core.Operator) bool { return !onScalars(op.Lambda.Body) }) {
			return nil
		}
		body = e.Body
	default:
		return nil
	}
	if !onScalars(body) || core.Any(body, core.MayFail) || !atOwnPoint(body, e.SpaceOf().Ids) {
		return nil
	}
	return e
}

// computes reports whether a map's code does more than to read what it returns.
func computes(b *core.Body) bool {
	return slices.ContainsFunc(b.Stms, func(s *core.Stm) bool { _, read := s.Exp.(*core.Index); return !read })
}

// atOwnPoint reports whether all elements that code reads are those at the point with some ids.
func atOwnPoint(b *core.Body, ids []core.Var) bool {
	return !core.Any(b, func(e core.Exp) bool {
		read, ok := e.(*core.Index)
		return ok && !ownPoint(read.Slice, ids)
	})
}

// joinKernels is what two kernels become that may be one, whatever is between them; nil if they may not.
func (f *fuser) joinKernels(p, c *core.Stm) *core.Stm {
	first, second := pointwise(p), pointwise(c)
	if !slices.Equal(first.SpaceOf().Sizes, second.SpaceOf().Sizes) || f.uses(c, p) || sequential(p) != sequential(c) ||
		!fewArrays(p, c) {
		return nil
	}
	sub := core.Subst{}
	for k, id := range second.SpaceOf().Ids {
		sub[id] = core.V(first.SpaceOf().Ids[k])
	}
	switch a := core.Match(first).(type) {
	case *core.SegMap:
		b, ok := second.(*core.SegMap)
		if !ok {
			return nil
		}
		body := sub.Body(b.Body)
		out := *a
		out.Body = &core.Body{Stms: slices.Concat(a.Body.Stms, body.Stms), Res: slices.Concat(a.Body.Res, body.Res)}
		out.Ret = slices.Concat(a.Ret, b.Ret)
		return &core.Stm{Dst: slices.Concat(p.Dst, c.Dst), Exp: &out, Aux: joinAux(p, c)}
	case *core.SegRed:
		b, ok := second.(*core.SegRed)
		if !ok {
			return nil
		}
		body := sub.Body(b.Body)
		m, n := core.Width(a.Ops), core.Width(b.Ops)
		if m+n > mostValues {
			return nil
		}
		out := *a
		out.Ops = slices.Concat(a.Ops, b.Ops)
		out.Body = &core.Body{Stms: slices.Concat(a.Body.Stms, body.Stms), Res: reducedFirst(a.Body.Res, body.Res, m, n)}
		out.Ret = reducedFirst(a.Ret, b.Ret, m, n)
		return &core.Stm{Dst: reducedFirst(p.Dst, c.Dst, m, n), Exp: &out, Aux: joinAux(p, c)}
	default:
		return nil
	}
}

// reducedFirst are results of two reductions: the first m and n of each are those of their operators.
func reducedFirst[T any](a, b []T, m, n int) []T {
	return slices.Concat(a[:m], b[:n], a[m:], b[n:])
}

// fewArrays reports whether two kernels have few arrays together, with elements of one size.
func fewArrays(p, c *core.Stm) bool {
	sizes := map[int]bool{}
	arrays := &core.VarSet{}
	for _, s := range []*core.Stm{p, c} {
		for _, q := range s.Dst {
			if q.Type.IsArray() {
				arrays.Add(q.Var)
				sizes[q.Type.Elem.Size()] = true
			}
		}
		core.Walk(&core.Body{Stms: []*core.Stm{s}}, func(s *core.Stm) bool {
			if read, ok := s.Exp.(*core.Index); ok {
				arrays.Add(read.Array)
				sizes[s.Dst[0].Type.Elem.Size()] = true
			}
			return true
		})
	}
	return len(arrays.List()) <= mostArrays && len(sizes) <= 1
}
