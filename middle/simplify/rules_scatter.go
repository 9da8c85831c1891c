package simplify

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Updates of a point's own element]
//
// A scatter whose index is, at each point, the number of that point is a map:
//
//	scatter xs (map2 (\c i -> if c then i else -1) cs (iota n)) vs   is   map3 (\c v x -> if c then v else x) cs vs xs
//
// A map is fused with maps before and behind it, where a scatter overwrites an array that others may not read any more. Where all points
// update, that is always better. Where some do not, the map writes elements that the scatter leaves alone, so it replaces the scatter only
// if elements are smaller than a word: several threads then update one word, for which devices without stores of bytes need atomic
// operations, where a map writes words.

// ownUpdates replaces the inputs of a WithAcc that are updated at each point's own element; nil if there are none.
func (s *simplifier) ownUpdates(st *core.Stm, e *core.WithAcc) *result {
	if s.stage != core.StageSOACS || len(e.Lambda.Body.Stms) != 1 {
		return nil
	}
	inner := e.Lambda.Body.Stms[0]
	screma, ok := inner.Exp.(*core.Screma)
	if !ok || len(screma.Scans)+len(screma.Reds) > 0 || screma.Post != nil || len(inner.Aux.Certs) > 0 {
		return nil
	}
	for i := range e.Inputs {
		if own := s.ownUpdate(e, screma, i); own != nil {
			return s.asMap(st, e, inner, own)
		}
	}
	return nil
}

// ownUpdate is an update of each point's own element.
type ownUpdate struct {
	input  int // of the WithAcc
	update *core.UpdateAcc
	stm    int // the update in the map's body
	always bool
}

// ownUpdate finds the only update of an input of a WithAcc, if it is of each point's own element.
func (s *simplifier) ownUpdate(e *core.WithAcc, screma *core.Screma, input int) *ownUpdate {
	in := e.Inputs[input]
	if in.Op != nil || len(in.Shape) != 1 || in.Shape[0] != s.sub.Operand(screma.Size) {
		return nil
	}
	acc := e.Lambda.Params[input].Var
	own := &ownUpdate{input: input, stm: -1}
	for i, st := range screma.Map.Body.Stms {
		up, ok := st.Exp.(*core.UpdateAcc)
		if !ok || st.Dst[0].Type.Acc != acc {
			if slices.Contains(core.FreeInStm(st).List(), acc) {
				return nil
			}
			continue
		}
		if own.stm >= 0 || up.Acc != acc || len(st.Aux.Certs) > 0 {
			return nil
		}
		own.update, own.stm = up, i
	}
	if own.stm < 0 {
		return nil
	}
	is, always := s.ownIndex(screma, own.update.Index[0])
	if !is {
		return nil
	}
	own.always = always
	for _, a := range in.Arrays {
		t := s.Scope.TypeOf(a)
		if len(t.Shape) != 1 || !always && t.Elem.Size() >= 4 {
			return nil
		}
	}
	return own
}

// ownIndex reports whether an operand of the body of a map is, at each point, the number of that point or negative, and whether it is
// always the number.
func (s *simplifier) ownIndex(e *core.Screma, o core.Operand) (is, always bool) {
	if o = s.sub.Operand(o); o.IsConst() {
		return o.Const.Type() == prim.I64 && o.Const.Int() < 0, false
	}
	if k := slices.Index(core.ParamVars(e.Map.Params), o.Var); k >= 0 {
		return s.ownElement(s.sub.Operand(e.Size), s.sub.Operand(core.V(e.Arrays[k])).Var)
	}
	for _, st := range e.Map.Body.Stms {
		c, ok := st.Exp.(*core.If)
		if !ok || len(st.Dst) != 1 || st.Dst[0].Var != o.Var {
			continue
		}
		a, b := c.Then.Res[0], c.Else.Res[0]
		isA, alwaysA := s.ownIndex(e, a)
		isB, alwaysB := s.ownIndex(e, b)
		return isA && isB, alwaysA && alwaysB
	}
	return false, false
}

// ownElement is ownIndex for the elements of an array of so many.
func (s *simplifier) ownElement(size core.Operand, a core.Var) (is, always bool) {
	if s.overwritten(a) || int(a) >= len(s.defs) || s.defs[a] == nil {
		return false, false
	}
	st := s.defs[a]
	switch e := core.Match(st.Exp).(type) {
	case *core.Iota:
		is = e.N == size && e.CountsFromZero()
		return is, is
	case *core.Screma:
		if e.Size != size || len(e.Scans)+len(e.Reds) > 0 || e.Post != nil {
			return false, false
		}
		k := slices.IndexFunc(st.Dst, func(p core.Param) bool { return p.Var == a })
		return s.ownIndex(e, e.Map.Body.Res[k])
	default:
	}
	return false, false
}

// asMap makes an update of own elements a result of the map, which then reads the array if some points do not update.
func (s *simplifier) asMap(st *core.Stm, e *core.WithAcc, inner *core.Stm, own *ownUpdate) *result {
	screma := inner.Exp.(*core.Screma)
	arrays := e.Inputs[own.input].Arrays
	acc := e.Lambda.Params[own.input].Var
	out := *screma
	params := slices.Clone(screma.Map.Params)
	out.Arrays = slices.Clone(screma.Arrays)
	b := s.Nested()
	for i, stm := range screma.Map.Body.Stms {
		if i != own.stm {
			b.Add(stm)
		}
	}
	values := own.update.Values
	if !own.always {
		var old []core.Operand
		var types []core.Type
		for _, a := range arrays {
			x := s.Param("x", core.ScalarType(s.Scope.TypeOf(a).Elem))
			params, out.Arrays = append(params, x), append(out.Arrays, a)
			old, types = append(old, core.V(x.Var)), append(types, x.Type)
		}
		b.Scope.BindAll(params)
		c := b.Let("c", &core.Cmp{Op: prim.Ge, Type: prim.I64, X: own.update.Index[0], Y: core.Int(0)})
		values = b.If("x", c, types, returning(values), returning(old))
	}
	isAcc := func(p core.Param) bool { return p.Type.Kind == core.KindAcc && p.Type.Acc == acc }
	at := slices.IndexFunc(inner.Dst, isAcc)
	l := &core.Lambda{Params: params, Ret: slices.Delete(slices.Clone(screma.Map.Ret), at, at+1)}
	res := slices.Delete(slices.Clone(screma.Map.Body.Res), at, at+1)
	dst := slices.Delete(slices.Clone(inner.Dst), at, at+1)
	var made []core.Param
	for i, a := range arrays {
		t := s.Scope.TypeOf(a)
		p := s.Param(s.Fun.Base(a), core.ArrayOf(core.ScalarType(t.Elem), screma.Size))
		made = append(made, p)
		l.Ret, res, dst = append(l.Ret, core.ScalarType(t.Elem)), append(res, values[i]), append(dst, p)
	}
	l.Body = b.Body(res...)
	out.Map = l
	return s.withoutInput(st, e, own.input, &core.Stm{Dst: dst, Exp: &out, Aux: inner.Aux}, made)
}

func returning(os []core.Operand) func(*core.Builder) []core.Operand {
	return func(*core.Builder) []core.Operand { return os }
}

// withoutInput is a WithAcc without one of its inputs, whose arrays its map now makes as others.
func (s *simplifier) withoutInput(st *core.Stm, e *core.WithAcc, input int, inner *core.Stm, made []core.Param) *result {
	before := 0
	for _, in := range e.Inputs[:input] {
		before += len(in.Arrays)
	}
	behind := before + len(made)
	others := e.Lambda.Body.Res[len(e.Inputs):]
	if len(e.Inputs) == 1 {
		inner.Aux.Certs = slices.Concat(inner.Aux.Certs, st.Aux.Certs)
		s.stm(inner)
		values := make([]core.Operand, 0, len(st.Dst))
		for _, o := range slices.Concat(core.Vars(core.ParamVars(made)), others) {
			values = append(values, s.sub.Operand(o))
		}
		return value(values...)
	}
	l := e.Lambda
	ret := slices.Delete(slices.Clone(l.Ret), input, input+1)
	res := slices.Delete(slices.Clone(l.Body.Res), input, input+1)
	for _, p := range made {
		ret, res = append(ret, p.Type), append(res, core.V(p.Var))
	}
	out := &core.WithAcc{Inputs: slices.Delete(slices.Clone(e.Inputs), input, input+1)}
	out.Lambda = &core.Lambda{
		Params: slices.Delete(slices.Clone(l.Params), input, input+1), Ret: ret, Body: &core.Body{Stms: []*core.Stm{inner}, Res: res},
	}
	s.stm(&core.Stm{Dst: slices.Concat(st.Dst[:before], st.Dst[behind:], st.Dst[before:behind]), Exp: out, Aux: st.Aux})
	values := make([]core.Operand, len(st.Dst))
	for i, p := range st.Dst {
		values[i] = s.sub.Operand(core.V(p.Var))
	}
	return value(values...)
}

// withoutUpdates removes accumulators that nothing updates, when all of them are such: the arrays stay as they were.
func (s *simplifier) withoutUpdates(st *core.Stm, e *core.WithAcc) *result {
	if len(e.Lambda.Body.Res) != len(e.Inputs) || len(st.Aux.Certs) > 0 || core.Any(e.Lambda.Body, core.MayFail) {
		return nil
	}
	updates := false
	core.Walk(e.Lambda.Body, func(in *core.Stm) bool {
		for _, p := range in.Dst {
			updates = updates || p.Type.Kind == core.KindAcc && !passesOn(in.Exp)
		}
		return !updates
	})
	if updates {
		return nil
	}
	var arrays []core.Operand
	for _, in := range e.Inputs {
		arrays = append(arrays, core.Vars(in.Arrays)...)
	}
	return value(arrays...)
}

// neutralUpdate drops the update of an accumulator by the neutral element of its operator.
func (s *simplifier) neutralUpdate(e *core.UpdateAcc) *result {
	neutral := s.neutral[s.TypeOf(core.V(e.Acc)).Acc]
	if len(neutral) == 0 || !slices.Equal(e.Values, neutral) ||
		slices.ContainsFunc(neutral, func(x core.Operand) bool { return !x.IsConst() }) {
		return nil
	}
	return value(core.V(e.Acc))
}

// passesOn reports whether an expression whose result is an accumulator updates it at most in its bodies.
func passesOn(e core.Exp) bool {
	switch core.Match(e).(type) {
	case *core.Use, *core.If, *core.Switch, *core.Loop, *core.Screma:
		return true
	default:
		return false
	}
}
