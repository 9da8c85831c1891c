package simplify

import (
	"reflect"
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Reductions beside scans]
//
// Where a scan has the operator and the inputs of a reduction, the reduction is its last element, or the neutral one where there is none.
// That spares going over the input once more. A scan that comes behind the reduction is moved before it, if all that it needs is there.

// fold is the kind of a scan's key among what is available: that of the reduction of the same operator and inputs.
type fold struct{}

// lastOfScan puts the last element of a scan into the place of a reduction, if there is such a scan (Note [Reductions beside scans]); it
// notes scans.
func (s *simplifier) lastOfScan(st *core.Stm) bool {
	e, ok := core.Match(st.Exp).(*core.Screma)
	if !ok || s.stage != core.StageSOACS || !plainFold(st, e) {
		return false
	}
	key := s.sketch(folding(st))
	key.kind = reflect.TypeFor[fold]()
	before, key := s.alike(st, key, folding)
	if before != nil {
		if len(e.Reds) == 0 {
			return false
		}
		s.changed = true
		s.substitute(st, s.last(st, e, before))
		return true
	}
	if len(e.Scans) > 0 && !slices.ContainsFunc(st.Dst, func(p core.Param) bool { return s.code.Consumed(p.Var) }) {
		s.avail.note(key, st)
	}
	return false
}

// plainFold reports whether a SOAC is a reduction or a scan of scalars, and nothing else.
func plainFold(st *core.Stm, e *core.Screma) bool {
	return e.Post == nil && len(e.Scans)+len(e.Reds) == 1 && len(e.Map.Ret) == len(st.Dst) &&
		core.Width(e.Scans)+core.Width(e.Reds) == len(st.Dst) &&
		core.OnlyScalars(e.Map.Ret)
}

// folding is what a reduction, or a scan, has in common with the other: it as a reduction, as if it did not commute.
func folding(st *core.Stm) *core.Stm {
	e := st.Exp.(*core.Screma)
	op := slices.Concat(e.Scans, e.Reds)[0]
	op.Commutative = false
	return &core.Stm{
		Dst: st.Dst, Exp: &core.Screma{Size: e.Size, Arrays: e.Arrays, Map: e.Map, Reds: []core.Operator{op}}, Aux: st.Aux,
	}
}

// last is the last element of a scan, or the neutral one of a reduction where there is none.
func (s *simplifier) last(st *core.Stm, e *core.Screma, scan *core.Stm) []core.Operand {
	in := s.Nested()
	in.Where = st.Aux.Where
	none := in.Cmp(prim.Eq, e.Size, core.Int(0))
	out := in.If("last", none, core.ParamTypes(st.Dst),
		func(*core.Builder) []core.Operand { return core.Neutrals(e.Reds) },
		func(b *core.Builder) []core.Operand {
			at := b.Sub64(e.Size, core.Int(1))
			res := make([]core.Operand, len(scan.Dst))
			for i, p := range scan.Dst {
				res[i] = b.Index("last", p.Var, at)
			}
			return res
		})
	for _, t := range in.Stms() {
		s.add(t)
	}
	return out
}

// early does, of the statements behind a reduction, first the scan of the same inputs that it may be the last element of.
func (s *simplifier) early(st *core.Stm, behind []*core.Stm, done map[*core.Stm]bool) {
	red, ok := core.Match(st.Exp).(*core.Screma)
	if !ok || s.stage != core.StageSOACS || len(red.Reds) == 0 || !plainFold(st, red) {
		return
	}
	between := &core.VarSet{}
	for _, p := range st.Dst {
		between.Add(p.Var)
	}
	for _, c := range behind {
		scan, ok := core.Match(c.Exp).(*core.Screma)
		if ok && len(scan.Scans) > 0 && plainFold(c, scan) && !done[c] && s.sameInputs(red, scan) &&
			!slices.ContainsFunc(core.FreeInStm(c).List(), between.Has) && !c.Any(observed) {
			done[c] = true
			s.stm(c)
			return
		}
		for _, p := range c.Dst {
			between.Add(p.Var)
		}
	}
}

// observed reports whether it matters what an expression is done before, or behind.
func observed(e core.Exp) bool {
	_, trace := e.(*core.Trace)
	return trace || core.MayFail(e)
}

// sameInputs reports whether two SOACs that are not simplified yet read equal arrays.
func (s *simplifier) sameInputs(a, b *core.Screma) bool {
	known := func(v core.Var) core.Var { return s.known(s.sub.Operand(core.V(v)).Var) }
	return slices.EqualFunc(a.Arrays, b.Arrays, func(v, w core.Var) bool { return known(v) == known(w) })
}
