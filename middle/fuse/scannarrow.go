package fuse

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Narrow scans]
//
// Positions are sums of zeros and ones as 64-bit integers, which devices without such integers add as two words and do not shuffle. Where a
// row is so short that no sum leaves 32 bits, which the host sees, the scan adds i32, and its post lambda makes i64 of them; else it is as
// it was.

// narrowed adds a form that adds i32 to scans on the grid that add small numbers as i64.
func (f *scanFuser) narrowed(b *core.Body) *core.Body {
	out := &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		if _, seg := s.Exp.(core.Seg); !seg {
			s = &core.Stm{Dst: s.Dst, Exp: core.MapBodies(s.Exp, f.narrowed), Aux: s.Aux}
		}
		scan, ok := s.Exp.(*core.SegScan)
		most := int64(0)
		if ok && scan.Level == core.LevelGrid && core.OnlyScalars(scan.Ret) {
			most = f.sumsOfSmall(scan)
		}
		if most == 0 {
			out.Stms = append(out.Stms, s)
			continue
		}
		out.Stms = append(out.Stms, f.withNarrow(s, scan, most)...)
	}
	return out
}

// maxSmall is how large the numbers may be that are added.
const maxSmall = 1 << 16

// sumsOfSmall is what the magnitude of the numbers that a scan adds is at most; zero if it does something else, or numbers may be large.
func (f *scanFuser) sumsOfSmall(scan *core.SegScan) int64 {
	most, k := int64(0), 0
	for _, op := range scan.Ops {
		n := len(op.Neutral)
		for j, r := range op.Lambda.Body.Res {
			e := definition(op.Lambda.Body, r)
			add, ok := e.(*core.Bin)
			a, b := core.V(op.Lambda.Params[j].Var), core.V(op.Lambda.Params[n+j].Var)
			zero, constant := op.Neutral[j].ConstInt()
			if !ok || add.Op != prim.Add || add.Type != prim.I64 || !constant || zero != 0 || add.X != a || add.Y != b {
				return 0
			}
			size, ok := magnitude(scan.Body, scan.Body.Res[k+j])
			if !ok {
				return 0
			}
			most = max(most, size)
		}
		if len(op.Lambda.Body.Stms) != n {
			return 0
		}
		k += n
	}
	return most
}

// definition is the expression of a variable that a body binds at its outer level; nil if there is none.
func definition(b *core.Body, o core.Operand) core.Exp {
	for _, s := range b.Stms {
		if len(s.Dst) == 1 && o.IsVar(s.Dst[0].Var) {
			return s.Exp
		}
	}
	return nil
}

// magnitude bounds the absolute value of an i64, by how it was made: at least one.
func magnitude(b *core.Body, o core.Operand) (int64, bool) {
	if n, ok := o.ConstInt(); ok {
		return max(n, -n, 1), n > -maxSmall && n < maxSmall
	}
	if c, ok := definition(b, o).(*core.Conv); ok {
		switch {
		case c.From == prim.Bool:
			return 1, true
		case c.From.IsInt() && c.From.Bits() <= 16:
			return maxSmall, true
		}
	}
	return branchMagnitude(b, o)
}

// branchMagnitude is magnitude of a branch's result.
func branchMagnitude(b *core.Body, o core.Operand) (int64, bool) {
	for _, s := range b.Stms {
		k := slices.IndexFunc(s.Dst, func(p core.Param) bool { return o.IsVar(p.Var) })
		e, ok := s.Exp.(*core.If)
		if k < 0 || !ok {
			continue
		}
		x, small := magnitude(e.Then, e.Then.Res[k])
		y, smallToo := magnitude(e.Else, e.Else.Res[k])
		return max(x, y), small && smallToo
	}
	return 0, false
}

// withNarrow is a scan in its two forms.
func (f *scanFuser) withNarrow(s *core.Stm, scan *core.SegScan, most int64) []*core.Stm {
	n := scan.Space.Sizes[len(scan.Space.Sizes)-1]
	limit := int64(1<<31) / most
	if size, known := n.ConstInt(); known {
		if size >= limit {
			return []*core.Stm{s}
		}
		return []*core.Stm{{Dst: s.Dst, Exp: f.narrow(s, scan), Aux: s.Aux}}
	}
	small := core.Param{Var: f.fun.Fresh("small"), Type: core.ScalarType(prim.Bool)}
	form := func(e core.Exp) *core.Body {
		dst := core.FreshParams(f.fun, s.Dst)
		return &core.Body{Stms: []*core.Stm{{Dst: dst, Exp: e, Aux: s.Aux}}, Res: core.Vars(core.ParamVars(dst))}
	}
	narrow := f.narrow(s, scan)
	wide := core.NewRenamer(f.fun, f.fun, core.Subst{}).Stm(&core.Stm{Exp: scan}).Exp
	return []*core.Stm{
		{Dst: []core.Param{small}, Exp: &core.Cmp{Op: prim.Lt, Type: prim.I64, X: n, Y: core.Int(limit)}, Aux: core.Aux{Where: s.Aux.Where}},
		{Dst: s.Dst, Exp: &core.If{Cond: core.V(small.Var), Then: form(narrow), Else: form(wide)}, Aux: core.Aux{Where: s.Aux.Where}},
	}
}

// narrow is a scan that adds i32, and whose post lambda converts the sums.
func (f *scanFuser) narrow(s *core.Stm, scan *core.SegScan) *core.SegScan {
	out := f.withIdentity(scan)
	w, i32 := core.Width(scan.Ops), core.ScalarType(prim.I32)
	let := func(name string, t core.Type, e core.Exp) *core.Stm {
		p := core.Param{Var: f.fun.Fresh(name), Type: t}
		return &core.Stm{Dst: []core.Param{p}, Exp: e, Aux: core.Aux{Where: s.Aux.Where}}
	}
	body, post := *out.Body, *out.Post
	body.Stms, body.Res = slices.Clip(body.Stms), slices.Clone(body.Res)
	out.Ret, post.Params = slices.Clone(out.Ret), slices.Clone(post.Params)
	var widened []*core.Stm
	for k := range w {
		c := let("n", i32, &core.Conv{From: prim.I64, To: prim.I32, X: body.Res[k]})
		body.Stms, body.Res[k], out.Ret[k] = append(body.Stms, c), core.V(c.Dst[0].Var), i32
		sum := core.Param{Var: f.fun.Fresh("sum"), Type: i32}
		conv := &core.Conv{From: prim.I32, To: prim.I64, X: core.V(sum.Var)}
		widened = append(widened, &core.Stm{Dst: post.Params[k : k+1 : k+1], Exp: conv, Aux: core.Aux{Where: s.Aux.Where}})
		widened[k].Dst = slices.Clone(widened[k].Dst)
		post.Params[k] = sum
	}
	post.Body = &core.Body{Stms: append(widened, post.Body.Stms...), Res: post.Body.Res}
	out.Body, out.Post = &body, &post
	out.Ops = make([]core.Operator, len(scan.Ops))
	for i, op := range scan.Ops {
		out.Ops[i] = f.additions(len(op.Neutral), s)
	}
	return out
}

// additions is the operator that adds n pairs of i32.
func (f *scanFuser) additions(n int, s *core.Stm) core.Operator {
	i32 := core.ScalarType(prim.I32)
	op := core.Operator{Lambda: &core.Lambda{Body: &core.Body{}}, Commutative: true}
	l := op.Lambda
	for range 2 * n {
		l.Params = append(l.Params, core.Param{Var: f.fun.Fresh("x"), Type: i32})
	}
	for k := range n {
		t := core.Param{Var: f.fun.Fresh("t"), Type: i32}
		e := &core.Bin{Op: prim.Add, Type: prim.I32, X: core.V(l.Params[k].Var), Y: core.V(l.Params[n+k].Var)}
		l.Body.Stms = append(l.Body.Stms, &core.Stm{Dst: []core.Param{t}, Exp: e, Aux: core.Aux{Where: s.Aux.Where}})
		l.Body.Res, l.Ret = append(l.Body.Res, core.V(t.Var)), append(l.Ret, i32)
		op.Neutral = append(op.Neutral, core.C(prim.MakeI32(0)))
	}
	return op
}
