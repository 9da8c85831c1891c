package simplify

import (
	"slices"

	"skald/middle/core"
)

// Note [Elements at the index]
//
// A map over iota n that reads xs[i], where i is the index, maps xs: what makes xs can then be fused with it, and its derivative in reverse
// mode adds to no array. The other indices must be the same for all elements: the array is then the slice that they select.
//
//	screma n (iota) map fn (i): … let (x) = index xs [j, i] …
//
//	let (row) = index xs [j, 0:n:1]
//	screma n (iota, row) map fn (i, x): …
//
// A read in a branch or a loop stays, and so do all if the body has another one of the array: a stencil reads one array, not several.

// tabulated makes an array of which a SOAC reads elements at its index an input; nil if there is none.
func (s *simplifier) tabulated(st *core.Stm, e *core.Screma) *result {
	if s.stage != core.StageSOACS {
		return nil
	}
	k := slices.IndexFunc(e.Arrays, s.countsFromZero)
	if k < 0 {
		return nil
	}
	body := mapBodyOf(e)
	for ; k < len(e.Arrays); k++ {
		if !s.countsFromZero(e.Arrays[k]) {
			continue
		}
		for i, in := range e.Map.Body.Stms {
			read, ok := in.Exp.(*core.Index)
			if !ok || !s.readsAtIndex(e, body, in, read, e.Map.Params[k].Var) {
				continue
			}
			if array := s.atIndices(st, e.Size, in, read, e.Map.Params[k].Var); array != 0 {
				return replace(withInput(e, i, array))
			}
		}
	}
	return nil
}

// mapBody is what the body of a SOAC binds for its elements, and how many of its statements mention each variable.
type mapBody struct {
	own       core.VarSet
	mentioned map[core.Var]int
}

func mapBodyOf(e *core.Screma) *mapBody {
	b := &mapBody{mentioned: map[core.Var]int{}}
	for _, p := range e.Map.Params {
		b.own.Add(p.Var)
	}
	for _, in := range e.Map.Body.Stms {
		for _, p := range in.Dst {
			b.own.Add(p.Var)
		}
		for _, v := range core.FreeInStm(in).List() {
			b.mentioned[v]++
		}
	}
	return b
}

func (s *simplifier) countsFromZero(a core.Var) bool {
	e, ok := s.def(core.V(a)).(*core.Iota)
	return ok && e.CountsFromZero()
}

// readsAtIndex reports whether a statement of a SOAC's body reads an array of which nothing else in the body reads, at the index and
// otherwise at the same place for all elements.
func (s *simplifier) readsAtIndex(e *core.Screma, body *mapBody, in *core.Stm, read *core.Index, index core.Var) bool {
	own := &body.own
	if body.mentioned[read.Array] > 1 || slices.ContainsFunc(in.Aux.Certs, own.Has) {
		return false
	}
	at := 0
	for _, d := range read.Slice {
		if d.Fix && d.Off.IsVar(index) {
			at++
		} else if own.Has(d.Off.Var) || own.Has(d.Len.Var) || own.Has(d.Stride.Var) {
			return false
		}
	}
	return at == 1 && !own.Has(read.Array) && !slices.Contains(e.Arrays, read.Array) && !s.overwritten(read.Array) &&
		!slices.ContainsFunc(e.Map.Body.Res, func(r core.Operand) bool { return r.IsVar(read.Array) })
}

// atIndices is the array that has for each index what a statement of a SOAC of a size reads there.
func (s *simplifier) atIndices(st *core.Stm, size core.Operand, in *core.Stm, read *core.Index, index core.Var) core.Var {
	t := s.TypeOf(core.V(read.Array))
	d := slices.IndexFunc(read.Slice, func(d core.Dim) bool { return d.Fix && d.Off.IsVar(index) })
	if d == 0 && size == t.Shape[0] && len(read.Slice) == 1 {
		return s.sub.Operand(core.V(read.Array)).Var // bodies are simplified later, and may mention what has gone
	}
	if slices.ContainsFunc(read.Slice[:d], func(d core.Dim) bool { return !d.Fix }) {
		return 0 // the index's dimension would not be the first
	}
	sl := slices.Clone(read.Slice)
	sl[d] = core.Range(core.Int(0), size, core.Int(1))
	exp := &core.Index{Array: read.Array, Slice: sl}
	b := s.Nested()
	v := b.Let(s.Fun.Base(read.Array), exp)
	for _, stm := range b.Stms() {
		stm.Aux = core.Aux{Where: st.Aux.Where, Attrs: in.Aux.Attrs, Certs: in.Aux.Certs}
		s.stm(stm)
	}
	return s.sub.Operand(v).Var
}

// withInput is a SOAC with one more input, whose elements are what statement i of its body binds.
func withInput(e *core.Screma, i int, array core.Var) *core.Screma {
	out := *e
	body := &core.Body{Stms: slices.Delete(slices.Clone(e.Map.Body.Stms), i, i+1), Res: e.Map.Body.Res}
	out.Arrays = append(slices.Clone(e.Arrays), array)
	out.Map = &core.Lambda{Params: append(slices.Clone(e.Map.Params), e.Map.Body.Stms[i].Dst[0]), Body: body, Ret: e.Map.Ret}
	return &out
}
