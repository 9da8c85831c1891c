package fuse

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// scatterer is a WithAcc in whose lambda one SOAC updates the accumulators.
type scatterer struct {
	stm    *core.Stm
	acc    *core.WithAcc
	inner  *core.Stm // the SOAC
	points *core.Screma
	code   []*core.Stm // what its points do before they update
	// updates are the statements that update each of the accumulators.
	updates [][]*core.Stm
	// kept are the arrays that the WithAcc returns besides, and values what points return for them.
	kept   []core.Param
	values []core.Operand
}

// scattererOf is a statement as a scatter of scalars; nil if it is none.
func scattererOf(c *core.Stm, acc *core.WithAcc) *scatterer {
	if len(acc.Lambda.Body.Stms) != 1 {
		return nil
	}
	out := &scatterer{stm: c, acc: acc, inner: acc.Lambda.Body.Stms[0], updates: make([][]*core.Stm, len(acc.Inputs))}
	out.points, _ = out.inner.Exp.(*core.Screma)
	if out.points == nil || len(out.points.Scans)+len(out.points.Reds) > 0 || out.points.Post != nil || len(out.inner.Aux.Certs) > 0 {
		return nil
	}
	for k, q := range c.Dst[updated(c, acc):] {
		i := slices.Index(core.ParamVars(out.inner.Dst), acc.Lambda.Body.Res[len(acc.Inputs)+k].Var)
		if i < 0 || q.Type.Rank() != 1 {
			return nil
		}
		out.kept, out.values = append(out.kept, q), append(out.values, out.points.Map.Body.Res[i])
	}
	for _, s := range out.points.Map.Body.Stms {
		u, ok := s.Exp.(*core.UpdateAcc)
		if !ok {
			if slices.ContainsFunc(s.Dst, func(p core.Param) bool { return p.Type.Kind == core.KindAcc }) {
				return nil
			}
			out.code = append(out.code, s)
			continue
		}
		k := slices.IndexFunc(acc.Lambda.Params, func(p core.Param) bool { return p.Var == s.Dst[0].Type.Acc })
		if k < 0 || len(s.Aux.Certs) > 0 || len(u.Index) != len(acc.Inputs[k].Shape) ||
			slices.ContainsFunc(out.arrays(k), func(q core.Param) bool { return q.Type.Rank() != len(u.Index) }) {
			return nil
		}
		out.updates[k] = append(out.updates[k], s)
	}
	return out
}

// arrays are the results of a scatter that input k becomes.
func (s *scatterer) arrays(k int) []core.Param {
	first := 0
	for _, in := range s.acc.Inputs[:k] {
		first += len(in.Arrays)
	}
	return s.stm.Dst[first : first+len(s.acc.Inputs[k].Arrays)]
}

// scatter is a scatter of what the filter keeps: what is not kept updates nothing. Inputs of which points update their own elements, and
// what it returns besides, are maps.
func (r *readers) scatter(c *core.Stm, acc *core.WithAcc) []*core.Stm {
	s := scattererOf(c, acc)
	if s == nil || s.points.Size != r.kept || sequential(s.inner) != sequential(r.flt.stm) {
		return nil
	}
	rd := r.reads(s.points.Arrays, s.points.Map)
	if rd == nil {
		return nil
	}
	var out []*core.Stm
	var rest []int
	for k := range acc.Inputs {
		if own := r.ownElements(s, rd, k); own != nil {
			out = append(out, own)
		} else {
			rest = append(rest, k)
		}
	}
	if len(rest) > 0 {
		updating := r.updating(s, rd, rest)
		if updating == nil {
			return nil
		}
		out = append(out, updating...)
	}
	if len(s.kept) > 0 {
		out = append(out, r.storing(c, s.kept, rd, &core.Body{Stms: s.code, Res: s.values})...)
	}
	return out
}

// updating is a scatter with some of its inputs over all elements; nil if it overwrites what the filter reads.
func (r *readers) updating(s *scatterer, rd *reading, inputs []int) []*core.Stm {
	before, dst, accs := r.room(s, inputs)
	code, updates := s.code, []*core.Stm(nil)
	for _, k := range inputs {
		updates = append(updates, s.updates[k]...)
	}
	if !keepsFewer(s, rd) {
		code, updates = r.updatesWhereKept(s, rd, inputs)
	}
	l := &core.Lambda{Body: &core.Body{}}
	inner := &core.Stm{Aux: s.inner.Aux}
	var res []core.Operand
	var types []core.Type
	for _, k := range inputs {
		p := s.acc.Lambda.Params[k]
		i := slices.IndexFunc(s.inner.Dst, func(q core.Param) bool { return q.Type.Kind == core.KindAcc && q.Type.Acc == p.Var })
		inner.Dst = append(inner.Dst, s.inner.Dst[i])
		res, types = append(res, s.points.Map.Body.Res[i]), append(types, p.Type)
		l.Params, l.Ret, l.Body.Res = append(l.Params, p), append(l.Ret, p.Type), append(l.Body.Res, core.V(s.inner.Dst[i].Var))
	}
	body := rd.sub.Body(&core.Body{Stms: slices.Concat(code, updates), Res: res})
	arrays, points := r.lambda(rd, body.Stms, body.Res, types)
	inner.Exp = &core.Screma{Size: r.flt.points.Size, Arrays: arrays, Map: points}
	l.Body.Stms = []*core.Stm{inner}
	e := &core.WithAcc{Inputs: accs, Lambda: l}
	if r.overwrites(core.Consumes(e), inner) {
		return nil
	}
	return append(before, &core.Stm{Dst: dst, Exp: e, Aux: r.aux(s.stm)})
}

// keepsFewer reports whether a scatter is a filter's, of what a scan of all elements says is kept, which is nothing where the filter before
// keeps nothing.
func keepsFewer(s *scatterer, rd *reading) bool {
	flt := filterOf(s.stm)
	return flt != nil && flt.alone && len(s.code) == 1 &&
		slices.ContainsFunc(rd.params, func(p core.Param) bool { return flt.kept.IsVar(p.Var) })
}

// overwrites reports whether a statement reads what is overwritten.
func (r *readers) overwrites(arrays []core.Var, s *core.Stm) bool {
	free := r.freeIn(s).List()
	return slices.ContainsFunc(arrays, func(v core.Var) bool {
		return slices.ContainsFunc(free, func(w core.Var) bool { return r.mayAlias(v, w) })
	})
}

// updatesWhereKept is the code of a scatter's points, with updates of some inputs that go nowhere where an element is not kept.
func (r *readers) updatesWhereKept(s *scatterer, rd *reading, inputs []int) (code, updates []*core.Stm) {
	b := &core.Body{Stms: s.code}
	var ts []core.Type
	var others []core.Operand
	var missing []*core.Operand // operands that the code computes
	compute := func(o *core.Operand, t core.Type, other core.Operand) {
		missing, b.Res = append(missing, o), append(b.Res, *o)
		ts, others = append(ts, t), append(others, other)
	}
	inside := bound(slices.Concat(rd.stms, s.code))
	for _, in := range inputs {
		for _, t := range s.updates[in] {
			u := *t.Exp.(*core.UpdateAcc)
			u.Index, u.Values = slices.Clone(u.Index), slices.Clone(u.Values)
			for k := range u.Index {
				compute(&u.Index[k], core.I64, core.Int(-1))
			}
			for k, q := range s.arrays(in) {
				if u.Values[k] = rd.sub.Operand(u.Values[k]); slices.Contains(inside, u.Values[k].Var) {
					compute(&u.Values[k], core.ScalarType(q.Type.Elem), core.C(prim.Zero(q.Type.Elem)))
				}
			}
			updates = append(updates, &core.Stm{Dst: t.Dst, Exp: &u, Aux: t.Aux})
		}
	}
	choice := r.ifKept(rd, b, ts, others)
	for k, o := range missing {
		*o = core.V(choice.Dst[k].Var)
	}
	return []*core.Stm{choice}, updates
}

// ownElements is input k of a scatter as a map, where points update their own elements, and these are smaller than a word (Note [Updates of
// a point's own element] in middle/simplify) or the filter reads what the scatter overwrites; nil otherwise.
func (r *readers) ownElements(s *scatterer, rd *reading, k int) *core.Stm {
	in, n, updates := s.acc.Inputs[k], r.flt.points.Size, s.updates[k]
	if len(updates) != 1 || in.Op != nil || len(in.Shape) != 1 || in.Shape[0] != n {
		return nil
	}
	u := updates[0].Exp.(*core.UpdateAcc)
	at := slices.Index(core.ParamVars(r.flt.points.Map.Params), rd.sub.Operand(u.Index[0]).Var)
	if at < 0 || !r.counts(r.flt.points.Arrays[at], n) {
		return nil
	}
	here := *rd
	var ts []core.Type
	small := false
	for i, q := range s.arrays(k) {
		t := core.ScalarType(q.Type.Elem)
		ts, small = append(ts, t), small || t.Elem.Size() < prim.U32.Size()
		here.arrays = append(slices.Clip(here.arrays), in.Arrays[i])
		here.params = append(slices.Clip(here.params), core.Param{Var: r.fun.Fresh("old"), Type: t})
	}
	if !small && !r.overwrites(in.Arrays, r.flt.stm) && !r.overwrites(in.Arrays, r.flt.scan) {
		return nil
	}
	olds := core.Vars(core.ParamVars(here.params[len(rd.params):]))
	arrays, l := r.whereKept(&here, &core.Body{Stms: s.code, Res: u.Values}, ts, olds)
	return &core.Stm{Dst: s.arrays(k), Exp: &core.Screma{Size: n, Arrays: arrays, Map: l}, Aux: r.aux(s.stm)}
}

// counts reports whether an array has the numbers from zero on, of n elements.
func (f *fuser) counts(a core.Var, n core.Operand) bool {
	e, ok := f.defined(core.V(a)).(*core.Iota)
	return ok && e.N == n && e.CountsFromZero()
}

// room is results and inputs of a scatter, with arrays of all elements where it fills arrays of what is kept, and others read the starts of
// these alone: so does a filter of what a filter keeps. Before makes these arrays.
func (r *readers) room(s *scatterer, inputs []int) (before []*core.Stm, dst []core.Param, accs []core.AccInput) {
	n := r.flt.points.Size
	for _, k := range inputs {
		in, arrays := s.acc.Inputs[k], s.arrays(k)
		if len(in.Shape) != 1 || in.Shape[0] != r.kept || !r.startsOnly(arrays) || slices.ContainsFunc(in.Arrays, func(a core.Var) bool {
			_, scratch := r.defined(core.V(a)).(*core.Scratch)
			return !scratch
		}) {
			dst, accs = append(dst, arrays...), append(accs, in)
			continue
		}
		wide := core.AccInput{Shape: []core.Operand{n}, Op: in.Op, Neutral: in.Neutral}
		for _, q := range arrays {
			t := core.ArrayOf(core.ScalarType(q.Type.Elem), n)
			scratch := core.Param{Var: r.fun.Fresh("scratch"), Type: t}
			before = append(before, &core.Stm{
				Dst: []core.Param{scratch}, Exp: &core.Scratch{Elem: t.Elem, Shape: t.Shape}, Aux: core.Aux{Where: s.stm.Aux.Where},
			})
			dst, wide.Arrays = append(dst, core.Param{Var: q.Var, Type: t}), append(wide.Arrays, scratch.Var)
		}
		accs = append(accs, wide)
	}
	return before, dst, accs
}

// startsOnly reports whether all that reads arrays takes their first elements.
func (r *readers) startsOnly(arrays []core.Param) bool {
	vs := core.ParamVars(arrays)
	return !r.needs(r.res, vs) && !slices.ContainsFunc(r.stms, func(s *core.Stm) bool {
		e, ok := s.Exp.(*core.Index)
		return r.uses(s, &core.Stm{Dst: arrays}) && (!ok || !slices.Contains(vs, e.Array) || len(e.Slice) != 1 ||
			e.Slice[0] != core.Range(core.Int(0), e.Slice[0].Len, core.Int(1)))
	})
}
