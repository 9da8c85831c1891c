package fuse

import (
	"slices"

	"skald/middle/core"
	"skald/middle/facts"
	"skald/middle/functions"
	"skald/middle/pass"
)

// Note [Maps of scans]
//
// A map over the points of a scan that reads its results only at its own point becomes the scan's post lambda: the phase of the scan that
// has the values computes the map, and the arrays between the two are never made. So `filter` is one scan, which writes what is
// kept to its place. It is done on kernels, as nests, workgroups and what irregular nests expand to have scans of their own there, and
// derivatives have been taken.
//
// The map must be straight code on scalars, as scans have fewer threads than points; it may scatter into an array. Where memory is made of
// words (WGSL), a map that makes bytes of words is not taken: by itself it stores whole words, and a scan would store each byte by two
// atomic operations, and have no vectors (bytes of sums took 475 us instead of 231, WebGPU on an H200). A scan that feeds a
// scatter is moved into the WithAcc first. What the map reads at its own point and the scan's body reads, too, is read once.
//
// What the host reads of a scanned array is most often its last element, as a size. Where nothing else is used, the post lambda stores that
// element alone.

// ScanPass fuses maps into the scans whose results they read.
var ScanPass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "fuse-scans",
	Doc:  "compute maps of what scans return where the scans have it, and in 32 bits where numbers are small",
	Run: func(ctx *pass.Context, p *core.Prog) *core.Prog {
		return functions.MapHost(p, func(f *core.Fun) *core.Fun { return scansOf(ctx, f) })
	},
}

func scansOf(ctx *pass.Context, f *core.Fun) *core.Fun {
	if !core.Any(f.Body, isScan) {
		return f
	}
	g := *f
	g.Names = slices.Clip(f.Names)
	fu := &scanFuser{
		fuser: newFuser(&g), scope: core.ScopeOf(&g), inputs: map[core.Var]core.AccInput{},
		words: func() bool { return pass.Ask(ctx, func(d facts.Facts) bool { return d.Words }) },
	}
	fu.collect(f.Body)
	g.Body = fu.narrowed(fu.body(g.Body))
	return &g
}

func isScan(e core.Exp) bool {
	_, ok := e.(*core.SegScan)
	return ok
}

// scanFuser works on one function of the kernels stage.
type scanFuser struct {
	*fuser
	scope *core.Scope
	// inputs are those of accumulators.
	inputs map[core.Var]core.AccInput
	words  func() bool // whether memory is made of words
}

func (f *scanFuser) collect(b *core.Body) {
	core.Walk(b, func(s *core.Stm) bool {
		if e, ok := s.Exp.(*core.WithAcc); ok {
			for i, in := range e.Inputs {
				f.inputs[e.Lambda.Params[i].Var] = in
			}
		}
		return true
	})
}

// body fuses in a body until nothing changes, then inside.
func (f *scanFuser) body(b *core.Body) *core.Body {
	stms := slices.Clone(b.Stms)
	for {
		next, ok := f.mapped(stms, b.Res)
		if !ok {
			next, ok = f.sinkScan(stms, b.Res)
		}
		if !ok {
			break
		}
		stms = next
	}
	for i, s := range stms {
		if !isKernel(s) {
			stms[i] = &core.Stm{Dst: s.Dst, Exp: f.inside(s.Exp, f.body), Aux: s.Aux}
		}
	}
	return &core.Body{Stms: f.lasts(stms, b.Res), Res: b.Res}
}

// isKernel reports whether a statement is a segmented operation without others inside.
func isKernel(s *core.Stm) bool {
	_, ok := s.Exp.(core.Seg)
	m, isMap := s.Exp.(*core.SegMap)
	return ok && (!isMap || m.Level != core.LevelGroup)
}

// joiner makes one statement of a pair. keep says which results of the first others need.
type joiner func(keep func(core.Param) bool) *core.Stm

// joined joins the first pair of statements, the second one number j, for which rule returns how. It does so only of pairs of which the
// second uses what the first binds, or that are SOACs on one array.
func (f *scanFuser) joined(stms []*core.Stm, res []core.Operand, rule func(p, c *core.Stm, j int) joiner) ([]*core.Stm, bool) {
	var r related
	for j, c := range stms {
		for _, i := range r.usedBy(f.fuser, c) {
			join := rule(stms[i], c, j)
			if join == nil {
				continue
			}
			next, at := f.gathered(stms, i, j)
			if next == nil {
				continue
			}
			keep := func(q core.Param) bool { return f.neededElsewhere(q.Var, next, at-1, at, res) }
			return merged(next, at-1, at, at, join(keep)), true
		}
		r.add(c)
	}
	return nil, false
}

// mapped joins one scan and a map of its results.
func (f *scanFuser) mapped(stms []*core.Stm, res []core.Operand) ([]*core.Stm, bool) {
	return f.joined(stms, res, func(p, c *core.Stm, _ int) joiner {
		m, isMap := c.Exp.(*core.SegMap)
		scan, isScan := p.Exp.(*core.SegScan)
		if !isMap || !isScan || !f.uses(c, p) || !f.mapsScan(p, scan, c, m) {
			return nil
		}
		return func(keep func(core.Param) bool) *core.Stm { return f.withPost(p, scan, c, m, keep) }
	})
}

// sinkScan moves a scan into the WithAcc of which a map at the outer level can be its post lambda.
func (f *scanFuser) sinkScan(stms []*core.Stm, res []core.Operand) ([]*core.Stm, bool) {
	return f.joined(stms, res, func(p, c *core.Stm, j int) joiner {
		acc, isAcc := c.Exp.(*core.WithAcc)
		scan, isScan := p.Exp.(*core.SegScan)
		if !isAcc || !isScan || !f.uses(c, p) || !slices.ContainsFunc(acc.Lambda.Body.Stms, func(s *core.Stm) bool {
			m, ok := s.Exp.(*core.SegMap)
			return ok && f.uses(s, p) && f.mapsScan(p, scan, s, m)
		}) || f.spoils(stms, j, res, p) || usedAround(p, c, acc) {
			return nil
		}
		return func(keep func(core.Param) bool) *core.Stm { return f.sunk(p, c, acc, keep) }
	})
}

// gathered moves statement i down to statement j, and what lies between and needs i behind both: at is where j is then. It is nil where
// that is not possible. Checks keep their order.
func (f *scanFuser) gathered(stms []*core.Stm, i, j int) (out []*core.Stm, at int) {
	p, c := stms[i], stms[j]
	var before []*core.Stm
	var after later
	fails := false // something of after
	for _, s := range stms[i+1 : j] {
		check := s.Any(core.MayFail)
		waits := f.uses(s, p) || check && fails || after.before(f.fuser, s)
		switch {
		case waits && (f.uses(c, s) || f.conflict(c, s)):
			return nil, 0
		case waits:
			after.add(f.fuser, s)
			fails = fails || check
		case f.conflict(p, s):
			return nil, 0
		default:
			before = append(before, s)
		}
	}
	return slices.Concat(stms[:i], before, []*core.Stm{p, c}, after.stms, stms[j+1:]), i + len(before) + 1
}

// mapsScan reports whether a map is one of what a scan returns, which the scan's post lambda can be.
func (f *scanFuser) mapsScan(p *core.Stm, scan *core.SegScan, c *core.Stm, m *core.SegMap) bool {
	if scan.Level != m.Level || m.Tiling != nil || m.Space.Slot != 0 || !slices.Equal(scan.Space.Sizes, m.Space.Sizes) ||
		!core.OnlyScalars(scan.Ret) || sequential(p) != sequential(c) {
		return false
	}
	for _, t := range scan.Results() {
		if !t.IsScalar() && t.Kind != core.KindAcc {
			return false
		}
	}
	for _, t := range m.Ret {
		if in, known := f.inputs[t.Acc]; t.Kind == core.KindAcc && (!known || in.Op != nil) || !t.IsScalar() && t.Kind != core.KindAcc {
			return false
		}
	}
	if scan.Level == core.LevelGrid && core.Narrows(scan.Ops, m.Ret) && f.words() {
		return false
	}
	free := core.FreeInBody(f.valuesOf(m, core.ParamVars(p.Dst), nil))
	return onScalars(m.Body) && !slices.ContainsFunc(p.Dst, func(q core.Param) bool { return free.Has(q.Var) })
}

// onScalars reports whether code is operations on scalars, branches, and updates of accumulators.
func onScalars(b *core.Body) bool {
	return !slices.ContainsFunc(b.Stms, func(s *core.Stm) bool {
		for _, d := range s.Dst {
			if !d.Type.IsScalar() && d.Type.Kind != core.KindAcc && d.Type.Kind != core.KindCert {
				return true
			}
		}
		switch e := core.Match(s.Exp).(type) {
		case *core.Un, *core.Bin, *core.Cmp, *core.Conv, *core.CallFunc, *core.Use, *core.Assert, *core.Index, *core.UpdateAcc:
			return false
		case *core.If:
			return !onScalars(e.Then) || !onScalars(e.Else)
		default:
			return true
		}
	})
}

// valuesOf is the body of a map without the statements that read arrays at the map's own point: what these bind becomes what values says.
func (f *scanFuser) valuesOf(m *core.SegMap, arrays []core.Var, values []core.Operand) *core.Body {
	sub := core.Subst{}
	var without func(b *core.Body) *core.Body
	without = func(b *core.Body) *core.Body {
		out := &core.Body{Res: b.Res}
		for _, s := range b.Stms {
			if e, ok := s.Exp.(*core.Index); ok && ownPoint(e.Slice, m.Space.Ids) {
				if k := slices.Index(arrays, e.Array); k >= 0 {
					if values != nil {
						sub[s.Dst[0].Var] = values[k]
					}
					continue
				}
			}
			n := *s
			n.Exp = core.MapBodies(s.Exp, without)
			out.Stms = append(out.Stms, &n)
		}
		return out
	}
	return sub.Body(without(m.Body))
}

// ownPoint reports whether a slice is the point with some ids.
func ownPoint(s core.Slice, ids []core.Var) bool {
	return len(s) == len(ids) && !slices.ContainsFunc(ids, func(id core.Var) bool {
		d := s[slices.Index(ids, id)]
		return !d.Fix || !d.Off.IsVar(id)
	})
}

// withPost is the scan of p with the map of c in its post lambda. keep says which results of p others need.
func (f *scanFuser) withPost(p *core.Stm, scan *core.SegScan, c *core.Stm, m *core.SegMap, keep func(core.Param) bool) *core.Stm {
	out := f.withIdentity(scan)
	post := out.Post
	sub := core.Subst{}
	for d, id := range m.Space.Ids {
		sub[id] = core.V(scan.Space.Ids[d])
	}
	inner := sub.Body(f.valuesOf(m, core.ParamVars(p.Dst), post.Body.Res))
	dst, joined := joinPost(p, post, c, inner, m.Ret, func(q core.Param) bool { return q.Type.Kind == core.KindAcc || keep(q) })
	out.Post = joined
	f.readOnce(out)
	dropKept(out)
	return &core.Stm{Dst: dst, Exp: out, Aux: joinAux(p, c)}
}

// joinPost is the post lambda of the scan of p followed by code that computes what c returns, and what both return. keep says which results
// of p others need.
func joinPost(p *core.Stm, post *core.Lambda, c *core.Stm, code *core.Body, ret []core.Type,
	keep func(core.Param) bool,
) (dst []core.Param, joined *core.Lambda) {
	joined = &core.Lambda{Params: post.Params, Body: &core.Body{Stms: slices.Concat(post.Body.Stms, code.Stms)}}
	for k, q := range p.Dst {
		if keep(q) {
			dst, joined.Ret = append(dst, q), append(joined.Ret, post.Ret[k])
			joined.Body.Res = append(joined.Body.Res, post.Body.Res[k])
		}
	}
	joined.Ret = append(joined.Ret, ret...)
	joined.Body.Res = append(joined.Body.Res, code.Res...)
	return append(dst, c.Dst...), joined
}

// withIdentity is a copy of a scan that has a post lambda.
func (f *scanFuser) withIdentity(scan *core.SegScan) *core.SegScan {
	out := *scan
	if out.Post == nil {
		out.Post = f.identity(scan.Ret)
	}
	return &out
}

// identity is the post lambda that returns what it is given.
func (f *scanFuser) identity(ts []core.Type) *core.Lambda {
	params := make([]core.Param, len(ts))
	for k, t := range ts {
		params[k] = core.Param{Var: f.fun.Fresh("x"), Type: t}
	}
	return &core.Lambda{Params: params, Body: &core.Body{Res: core.Vars(core.ParamVars(params))}, Ret: ts}
}

// readOnce keeps for the post lambda what it reads at its own point and the body reads, too.
func (f *scanFuser) readOnce(scan *core.SegScan) {
	read := map[core.Var]core.Operand{}
	for _, s := range scan.Body.Stms {
		if e, ok := s.Exp.(*core.Index); ok && ownPoint(e.Slice, scan.Space.Ids) {
			read[e.Array] = core.V(s.Dst[0].Var)
		}
	}
	post, sub := *scan.Post, core.Subst{}
	body, ret := *scan.Body, scan.Ret
	kept := map[core.Var]core.Operand{}
	var stms []*core.Stm
	for _, s := range post.Body.Stms {
		e, ok := s.Exp.(*core.Index)
		if !ok || !ownPoint(e.Slice, scan.Space.Ids) || read[e.Array].Var == 0 {
			stms = append(stms, s)
			continue
		}
		if kept[e.Array].Var == 0 {
			q := core.Param{Var: f.fun.Fresh("kept"), Type: s.Dst[0].Type}
			kept[e.Array] = core.V(q.Var)
			post.Params = append(slices.Clip(post.Params), q)
			body.Res, ret = append(slices.Clip(body.Res), read[e.Array]), append(slices.Clip(ret), q.Type)
		}
		sub[s.Dst[0].Var] = kept[e.Array]
	}
	post.Body = sub.Body(&core.Body{Stms: stms, Res: post.Body.Res})
	scan.Post, scan.Body, scan.Ret = &post, &body, ret
}

// dropKept drops what is kept of the body and the post lambda does not use.
func dropKept(scan *core.SegScan) {
	keep := usedByPost(scan.Post, core.Width(scan.Ops))
	post, body := *scan.Post, *scan.Body
	body.Res, post.Params, scan.Ret = core.Kept(body.Res, keep), core.Kept(post.Params, keep), core.Kept(scan.Ret, keep)
	scan.Post, scan.Body = &post, &body
}

// usedByPost tells which parameters a post lambda of scanned numbers, and of others behind them, must keep: the scanned ones, and those it
// uses.
func usedByPost(post *core.Lambda, scanned int) []bool {
	free := core.FreeInBody(post.Body)
	keep := make([]bool, len(post.Params))
	for k, p := range post.Params {
		keep[k] = k < scanned || free.Has(p.Var)
	}
	return keep
}
