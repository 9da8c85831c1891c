package fuse

import (
	"slices"

	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/pass"
)

// Note [Post lambdas of SOACs]
//
// The last pass before devices are known makes a map of scanned elements the post lambda of its scan (core.Screma.Post), so that the
// versions of a nest have both: a thread with a row to itself goes over it once, and segmented scans have post lambdas of their own. Passes
// before see scans and maps apart, as derivatives do. Reductions join scans of the same input then (Note [Scans and reductions of one
// input]). What only kernels show, scatters for instance, is joined there: Note [Maps of scans].
//
// Few long rows gain the most, as their scans are segmented ones: of 10 rows of 20,000 numbers, the sums before each number are one launch
// that moves 2.4 MB and not two of 4.0 (evaluated as an H200, 2026-11-27). Flattening takes apart what loses so: a map that makes bytes
// where memory is made of words (Note [Maps of scans]), and a reduction beside a scan, for which few long rows have more workgroups by
// itself.

// PostPass makes maps of what scans return post lambdas.
var PostPass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "fuse-posts",
	Doc:  "put maps of what scans return behind the scans, in one SOAC",
	Run:  func(_ *pass.Context, p *core.Prog) *core.Prog { return functions.Map(p, postsOf) },
}

func postsOf(f *core.Fun) *core.Fun {
	scans := func(e core.Exp) bool { s, ok := e.(*core.Screma); return ok && len(s.Scans) > 0 }
	if !core.Any(f.Body, scans) {
		return f
	}
	g := *f
	g.Names = slices.Clip(f.Names)
	fu := &scanFuser{fuser: newFuser(&g)}
	g.Body = fu.posts(g.Body)
	return &g
}

// posts joins scans and maps in a body until nothing changes, then scans and reductions, then inside.
func (f *scanFuser) posts(b *core.Body) *core.Body {
	stms := slices.Clone(b.Stms)
	for _, step := range []func([]*core.Stm, []core.Operand) ([]*core.Stm, bool){f.postOf, f.reductionOf} {
		for again := true; again; {
			var next []*core.Stm
			if next, again = step(stms, b.Res); again {
				stms = next
			}
		}
	}
	for i, s := range stms {
		stms[i] = &core.Stm{Dst: s.Dst, Exp: f.inside(s.Exp, f.posts), Aux: s.Aux}
	}
	return &core.Body{Stms: stms, Res: b.Res}
}

// postOf joins one scan and a map of its results.
func (f *scanFuser) postOf(stms []*core.Stm, res []core.Operand) ([]*core.Stm, bool) {
	return f.joined(stms, res, func(p, c *core.Stm, _ int) joiner {
		m, isMap := c.Exp.(*core.Screma)
		scan, isScan := p.Exp.(*core.Screma)
		if !isMap || !isScan || !f.uses(c, p) || !f.mapsScanned(p, scan, c, m) {
			return nil
		}
		return func(keep func(core.Param) bool) *core.Stm { return f.scanWithPost(p, scan, c, m, keep) }
	})
}

// mapsScanned reports whether a SOAC is a map, straight code on scalars, of what a scan returns.
func (f *scanFuser) mapsScanned(p *core.Stm, scan *core.Screma, c *core.Stm, m *core.Screma) bool {
	if len(scan.Scans) == 0 || len(scan.Reds) > 0 || len(m.Scans)+len(m.Reds) > 0 || m.Post != nil || m.Size != scan.Size ||
		sequential(p) != sequential(c) || !core.OnlyScalars(scan.Map.Ret) || !core.OnlyScalars(m.Map.Ret) ||
		!core.OnlyScalars(core.ParamTypes(m.Map.Params)) || !onScalars(m.Map.Body) {
		return false
	}
	if !slices.ContainsFunc(p.Dst, func(q core.Param) bool { return slices.Contains(m.Arrays, q.Var) }) {
		return false
	}
	return !f.uses(&core.Stm{Dst: c.Dst, Exp: withoutInputs(m), Aux: c.Aux}, p)
}

// scanWithPost is the scan of p with the map of c in its post lambda. keep says which results of p others need.
func (f *scanFuser) scanWithPost(p *core.Stm, scan *core.Screma, c *core.Stm, m *core.Screma, keep func(core.Param) bool) *core.Stm {
	mapped, post := *scan.Map, core.Lambda{}
	body := *mapped.Body
	if scan.Post != nil {
		post = *scan.Post
	} else {
		post = *f.identity(mapped.Ret)
	}
	arrays, sub := slices.Clone(scan.Arrays), core.Subst{}
	for k, a := range m.Arrays {
		q := m.Map.Params[k]
		if at := slices.Index(core.ParamVars(p.Dst), a); at >= 0 {
			sub[q.Var] = post.Body.Res[at]
			continue
		}
		at := slices.Index(arrays, a)
		if at < 0 {
			at, arrays = len(arrays), append(arrays, a)
			mapped.Params = append(slices.Clip(mapped.Params), core.Param{Var: f.fun.Fresh(f.fun.Base(q.Var)), Type: q.Type})
		}
		x := core.V(mapped.Params[at].Var)
		body.Res, mapped.Ret = append(slices.Clip(body.Res), x), append(slices.Clip(mapped.Ret), q.Type)
		post.Params = append(slices.Clip(post.Params), q)
	}
	inner := sub.Body(m.Map.Body)
	dst, joined := joinPost(p, &post, c, inner, m.Map.Ret, keep)
	mapped.Body = &body
	out := &core.Screma{Size: scan.Size, Arrays: arrays, Map: &mapped, Scans: scan.Scans, Post: joined}
	return &core.Stm{Dst: dst, Exp: withoutUnused(out), Aux: joinAux(p, c)}
}

// withoutUnused drops what the map of a scan keeps and its post lambda does not use.
func withoutUnused(e *core.Screma) *core.Screma {
	keep := usedByPost(e.Post, core.Width(e.Scans))
	out, mapped, post := *e, *e.Map, *e.Post
	mapped.Body = &core.Body{Stms: e.Map.Body.Stms, Res: core.Kept(e.Map.Body.Res, keep)}
	mapped.Ret, post.Params = core.Kept(e.Map.Ret, keep), core.Kept(e.Post.Params, keep)
	out.Map, out.Post = &mapped, &post
	return &out
}
