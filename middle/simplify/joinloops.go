package simplify

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Loops side by side]
//
// Two loops of scalars with the same bound, of which neither needs what the other computes, become one where half of what the second
// computes is computed by the first: the same functions of the same counter, and parameters that begin equal and stay so, as where a
// program integrates two functions over the same points. What both share is then found as it is in any body. What the second loop needs
// is computed before the first, if it is computed from scalars alone.

// joinLoops puts a loop and one of the statements behind it into one, if it is such a loop. It notes what of those is done with.
func (s *simplifier) joinLoops(st *core.Stm, behind []*core.Stm, done map[*core.Stm]bool) *core.Stm {
	if s.stage != core.StageSOACS {
		return st
	}
	first, ok := plainLoop(st)
	if !ok {
		return st
	}
	between := &core.VarSet{}
	for _, p := range st.Dst {
		between.Add(p.Var)
	}
	var before []*core.Stm // scalars that do not need the first loop
	for _, c := range behind {
		free := core.FreeInStm(c)
		needs := slices.ContainsFunc(free.List(), between.Has)
		if second, ok := plainLoop(c); ok && !needs && !done[c] && slices.Equal(st.Aux.Attrs, c.Aux.Attrs) {
			if joined := s.joined(st, first, c, second); joined != nil {
				for _, b := range core.Needed(before, free) {
					done[b] = true
					s.stm(b)
				}
				done[c], s.changed = true, true
				return joined
			}
		}
		if _, scalar := c.Exp.(core.Scalar); scalar && !needs && !core.MayFail(c.Exp) && !done[c] {
			before = append(before, c)
			continue
		}
		for _, p := range c.Dst {
			between.Add(p.Var)
		}
	}
	return st
}

// plainLoop is a statement's loop that counts, carries scalars, and has in its body only what has a key and cannot fail.
func plainLoop(st *core.Stm) (*core.Loop, bool) {
	e, ok := core.Match(st.Exp).(*core.Loop)
	if !ok || !e.IsFor() || !core.OnlyScalars(core.ParamTypes(e.Params)) {
		return nil, false
	}
	for _, in := range e.Body.Stms {
		switch core.Match(in.Exp).(type) {
		case core.Scalar, *core.Index:
			if core.MayFail(in.Exp) || !in.Dst[0].Type.IsScalar() || len(in.Aux.Attrs) > 0 {
				return nil, false
			}
		default:
			return nil, false
		}
	}
	return e, true
}

// joined is one loop that does what two do, or nil if that does not pay. What stands for the parameters and results of the second that
// are equal to some of the first is noted.
func (s *simplifier) joined(a *core.Stm, first *core.Loop, b *core.Stm, second *core.Loop) *core.Stm {
	if s.sub.Operand(first.Bound) != s.sub.Operand(second.Bound) || first.Index.Type.Elem != second.Index.Type.Elem {
		return nil
	}
	twins := s.twins(first, second)
	if twins == nil {
		return nil
	}
	out := *first
	out.Params, out.Init = slices.Clone(first.Params), slices.Clone(first.Init)
	res, dst := slices.Clone(first.Body.Res), slices.Clone(a.Dst)
	s.sub.put(second.Index.Var, core.V(first.Index.Var))
	for j, q := range second.Params {
		if i := twins[j]; i >= 0 {
			s.sub.put(q.Var, core.V(first.Params[i].Var))
			s.sub.put(b.Dst[j].Var, core.V(a.Dst[i].Var))
			continue
		}
		out.Params, out.Init = append(out.Params, q), append(out.Init, second.Init[j])
		res, dst = append(res, second.Body.Res[j]), append(dst, b.Dst[j])
	}
	out.Body = &core.Body{Stms: slices.Concat(first.Body.Stms, second.Body.Stms), Res: res}
	aux := a.Aux
	aux.Certs = slices.Concat(aux.Certs, b.Aux.Certs)
	return &core.Stm{Dst: dst, Exp: &out, Aux: aux}
}

// twins finds, for each parameter of the second loop, one of the first that is always equal to it, or -1; nil if the loops share too
// little. All that begin alike are taken to be equal, until they are seen not to stay so.
func (s *simplifier) twins(first, second *core.Loop) []int {
	out := make([]int, len(second.Params))
	taken := make([]bool, len(first.Params))
	for j, q := range second.Params {
		out[j] = -1
		for i, p := range first.Params {
			if !taken[i] && p.Type.Elem == q.Type.Elem && s.sub.Operand(first.Init[i]) == s.sub.Operand(second.Init[j]) {
				out[j], taken[i] = i, true
				break
			}
		}
	}
	for {
		same, shared, all := s.sameIn(first, second, out)
		stays := true
		for j, i := range out {
			if i >= 0 && same.Operand(second.Body.Res[j]) != s.sub.Operand(first.Body.Res[i]) {
				out[j], stays = -1, false
			}
		}
		switch {
		case !stays:
		case 2*shared < all || shared == 0:
			return nil
		default:
			return out
		}
	}
}

// sameIn finds what the second loop computes as the first does, if parameters are equal as said; and how much of its work that is.
func (s *simplifier) sameIn(first, second *core.Loop, twins []int) (same core.Subst, shared, all int) {
	same = core.Subst{second.Index.Var: core.V(first.Index.Var)}
	for j, i := range twins {
		if i >= 0 {
			same[second.Params[j].Var] = core.V(first.Params[i].Var)
		}
	}
	known := newAvailable()
	m := core.Mapper{Operand: func(o core.Operand) core.Operand { return s.sub.Operand(same.Operand(o)) }}
	for _, st := range first.Body.Stms {
		exp := core.MapExp(st.Exp, m)
		if hash, ok := hashed(exp); ok && s.repeatable(st) {
			known.add(&core.Stm{Dst: st.Dst, Exp: exp}, hash)
		}
	}
	for _, st := range second.Body.Stms {
		all += work(st.Exp)
		exp := core.MapExp(st.Exp, m)
		if hash, ok := hashed(exp); !ok || !s.repeatable(st) {
			continue
		} else if before := known.alike(exp, hash); before != nil {
			same[st.Dst[0].Var] = core.V(before.Dst[0].Var)
			shared += work(st.Exp)
		}
	}
	return same, shared, all
}

// work is how many additions an expression of scalars costs, roughly.
func work(e core.Exp) int {
	switch e := core.Match(e).(type) {
	case *core.CallFunc:
		return functionWork
	case *core.Bin:
		if e.Op == prim.Pow {
			return functionWork
		}
	default:
	}
	return 1
}

// functionWork is the work of an elementary function.
const functionWork = 20
