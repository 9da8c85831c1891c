package flatten

import (
	"slices"

	"skald/middle/core"
)

// Note [Operators that loop]
//
// An operator on arrays may be a loop that fills a new array, one element after the other:
//
//	fn (xs, ys) {
//	  let out = scratch [n]
//	  in loop (res = out) for i < n { let t = f xs[i] ys[i] in res with [i] = t }
//	}
//
// It is map2 f xs ys, and a reduction or scan with it is interchanged as one with map2 is, if the loop writes each element of its results
// once, reads no others of its arguments than those at the same place, and does nothing else with these arrays or with the place.

// fillingLoop takes such an operator apart; ok is false if l is another one.
func (f *flattener) fillingLoop(l *core.Lambda) (inner *core.Screma, ok bool) {
	last := len(l.Body.Stms) - 1
	if last < 0 || slices.ContainsFunc(l.Body.Stms[:last], func(s *core.Stm) bool { return !blank(s) }) {
		return nil, false
	}
	loop, ok := l.Body.Stms[last].Exp.(*core.Loop)
	if !ok || !loop.IsFor() || !loop.Index.Type.Equal(core.I64) || !sameVars(l.Body.Stms[last].Dst, l.Body.Res) {
		return nil, false
	}
	if !vectors(l.Params, loop.Bound) || !vectors(loop.Params, loop.Bound) {
		return nil, false
	}
	params := make([]core.Param, len(l.Params))
	for i, p := range l.Params {
		params[i] = f.Param("x", p.Type.Row(1))
	}
	body, ret, ok := fills(loop, f.readElements(loop, l.Params, params))
	if !ok {
		return nil, false
	}
	gone := slices.Concat(core.ParamVars(l.Params), core.ParamVars(loop.Params), core.VarsOf(loop.Body.Res), []core.Var{loop.Index.Var})
	if slices.ContainsFunc(gone, core.FreeInBody(body).Has) {
		return nil, false
	}
	return &core.Screma{Size: loop.Bound, Arrays: core.ParamVars(l.Params), Map: &core.Lambda{Params: params, Ret: ret, Body: body}}, true
}

// blank reports whether a statement makes an array whose elements do not depend on anything.
func blank(s *core.Stm) bool {
	switch core.Match(s.Exp).(type) {
	case *core.Replicate, *core.Scratch:
		return true
	default:
		return false
	}
}

// vectors reports whether all parameters are arrays of n scalars.
func vectors(ps []core.Param, n core.Operand) bool {
	return !slices.ContainsFunc(ps, func(p core.Param) bool { return p.Type.Rank() != 1 || p.Type.Shape[0] != n })
}

// readElements returns the body of a loop in which what is read of the arrays at the loop's index are the elements instead.
func (f *flattener) readElements(loop *core.Loop, arrays, elems []core.Param) *core.Body {
	var body func(b *core.Body) *core.Body
	body = func(b *core.Body) *core.Body {
		out := &core.Body{Res: b.Res}
		for _, s := range b.Stms {
			exp := core.MapBodies(s.Exp, body)
			if e, ok := exp.(*core.Index); ok && at(e.Slice, loop.Index) {
				if i := slices.Index(core.ParamVars(arrays), e.Array); i >= 0 {
					exp = &core.Use{X: core.V(elems[i].Var)}
				}
			}
			out.Stms = append(out.Stms, &core.Stm{Dst: s.Dst, Exp: exp, Aux: s.Aux})
		}
		return out
	}
	return body(loop.Body)
}

// at reports whether a slice is the element at the index.
func at(s core.Slice, index core.Param) bool {
	return len(s) == 1 && s[0].Fix && s[0].Off == core.V(index.Var)
}

// fills takes the updates out of the body of a loop: it returns the rest, whose results are the elements that the loop writes to its
// parameters, and their types. ok is false if some result is anything else than its parameter with one element written.
func fills(loop *core.Loop, b *core.Body) (rest *core.Body, ret []core.Type, ok bool) {
	rest = &core.Body{Res: make([]core.Operand, len(loop.Params))}
	written := 0
	for _, s := range b.Stms {
		e, is := s.Exp.(*core.Update)
		k := -1
		if is {
			k = slices.Index(core.ParamVars(loop.Params), e.Array)
		}
		if k < 0 {
			if len(core.Consumes(s.Exp)) > 0 || !core.Pure(s.Exp) {
				return nil, nil, false
			}
			rest.Stms = append(rest.Stms, s)
			continue
		}
		if !at(e.Slice, loop.Index) || b.Res[k] != core.V(s.Dst[0].Var) {
			return nil, nil, false
		}
		rest.Res[k] = e.Value
		written++
	}
	for _, p := range loop.Params {
		ret = append(ret, p.Type.Row(1))
	}
	return rest, ret, written == len(loop.Params)
}
