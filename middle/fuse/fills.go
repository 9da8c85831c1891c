package fuse

import (
	"slices"

	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/pass"
)

// Note [Fills side by side]
//
// The arrays that a histogram or scatter fills begin as constants, each by a map of its own: `hist (\(a, b) (c, d) -> …) (0, 0) …` has
// two. Such maps of one size become one, which is one launch, in the place of the first. Others stay apart, as an array that exists
// earlier than it is needed may cost memory.

// FillPass joins maps that fill arrays with constants.
var FillPass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "fuse-fills",
	Doc:  "join maps of constants that make the arrays of one histogram or scatter",
	Run:  func(_ *pass.Context, p *core.Prog) *core.Prog { return functions.MapHost(p, fillsOf) },
}

func fillsOf(f *core.Fun) *core.Fun {
	body := fillsIn(f.Body)
	if body == f.Body {
		return f
	}
	g := *f
	g.Body = body
	return &g
}

// fillsIn joins fills in a body, and in those inside that belong to the host.
func fillsIn(b *core.Body) *core.Body {
	changed := false
	var stms []*core.Stm
	made := map[core.Var]int{} // where in stms a fill is
	gone := map[int]bool{}
	for _, s := range b.Stms {
		if _, ok := fill(s); ok {
			made[s.Dst[0].Var] = len(stms)
		}
		joinFills(stms, made, gone, filled(s.Exp))
		if !isKernel(s) {
			if exp := core.MapBodies(s.Exp, fillsIn); exp != s.Exp {
				s, changed = &core.Stm{Dst: s.Dst, Exp: exp, Aux: s.Aux}, true
			}
		}
		stms = append(stms, s)
	}
	if !changed && len(gone) == 0 {
		return b
	}
	out := &core.Body{Res: b.Res}
	for i, s := range stms {
		if !gone[i] {
			out.Stms = append(out.Stms, s)
		}
	}
	return out
}

// joinFills joins those of some arrays that fills of one size make. Made is where fills are that have not been joined yet, gone where there
// are none any more.
func joinFills(stms []*core.Stm, made map[core.Var]int, gone map[int]bool, arrays []core.Var) {
	var at []int
	for _, v := range arrays {
		if i, ok := made[v]; ok {
			at = append(at, i)
			delete(made, v)
		}
	}
	slices.Sort(at)
	for n, i := range at {
		for _, j := range at[n+1:] {
			if s := besideFill(stms[i], stms[j]); !gone[i] && !gone[j] && s != nil {
				stms[i], gone[j] = s, true
			}
		}
	}
}

// filled are the arrays that an operation of the grid updates from what they hold.
func filled(e core.Exp) []core.Var {
	var out []core.Var
	switch e := core.Match(e).(type) {
	case *core.SegHist:
		for _, op := range e.Ops {
			out = append(out, op.Dests...)
		}
	case *core.WithAcc:
		for _, in := range e.Inputs {
			out = append(out, in.Arrays...)
		}
	default:
	}
	return out
}

// fill is a statement as a map of the grid that computes nothing but constants.
func fill(s *core.Stm) (m *core.SegMap, ok bool) {
	m, ok = s.Exp.(*core.SegMap)
	constant := func(o core.Operand) bool { return o.Var == 0 }
	return m, ok && m.Level == core.LevelGrid && len(s.Dst) == 1 && len(m.Body.Stms) == 0 && constant(m.Body.Res[0])
}

// besideFill joins a fill, or several that have been joined, and one more of the same sizes; nil if these differ.
func besideFill(p, c *core.Stm) *core.Stm {
	a, _ := p.Exp.(*core.SegMap)
	b, _ := c.Exp.(*core.SegMap)
	if !slices.Equal(a.Space.Sizes, b.Space.Sizes) {
		return nil
	}
	m := &core.SegMap{
		Level: a.Level, Space: a.Space, Body: &core.Body{Res: slices.Concat(a.Body.Res, b.Body.Res)}, Ret: slices.Concat(a.Ret, b.Ret),
	}
	return &core.Stm{Dst: slices.Concat(p.Dst, c.Dst), Exp: m, Aux: joinAux(p, c)}
}
