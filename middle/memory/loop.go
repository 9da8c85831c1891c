package memory

import (
	"slices"

	"skald/middle/core"
)

// loop places a loop. Parameters that the body updates in place, or leaves
// alone, stay where they are before the loop. Others get, on the host, a block
// that changes from one iteration to the next; in a kernel a place of their own
// to which each iteration's result is copied.
func (p *placer) loop(s *core.Stm, e *core.Loop) {
	inPlace := p.inPlace(s)
	if p.kernel != nil {
		p.kernelLoop(s, e, inPlace)
		return
	}
	var params, dst []core.Param
	var init []core.Operand
	for i, q := range e.Params {
		switch {
		case !q.Type.IsArray():
			params, dst, init = append(params, q), append(dst, s.Dst[i]), append(init, e.Init[i])
		case inPlace[i]:
			l := p.layout(e.Init[i].Var)
			params, dst, init = append(params, place(q, l)), append(dst, place(s.Dst[i], l)), append(init, e.Init[i])
		default:
			x := p.dense(e.Init[i].Var)
			params = append(params, p.withMemory([]core.Param{q})...)
			dst = append(dst, p.withMemory([]core.Param{s.Dst[i]})...)
			init = append(init, core.V(p.layout(x).Mem), core.V(x))
		}
	}
	out := *e
	out.Params, out.Init = params, init
	p.Scope.BindAll(params)
	if e.IsFor() {
		p.Scope.Bind(e.Index)
	}
	out.Body = p.nested(func() []core.Operand {
		p.stms(e.Body)
		var res []core.Operand
		for i, r := range e.Body.Res {
			switch {
			case inPlace[i]:
				p.expect(r.Var, p.layout(e.Init[i].Var))
			case e.Params[i].Type.IsArray():
				r = core.V(p.dense(r.Var))
				res = append(res, core.V(p.layout(r.Var).Mem))
			}
			res = append(res, r)
		}
		return res
	})
	p.Bind(dst, &out)
}

// inPlace finds the array parameters that end each iteration where they began it.
func (p *placer) inPlace(s *core.Stm) []bool {
	stays := p.homes.stays[s]
	in := make([]bool, len(stays))
	for i, at := range stays {
		_, in[i] = p.standing(at)
	}
	return in
}

// kernelLoop places a loop in a kernel.
func (p *placer) kernelLoop(s *core.Stm, e *core.Loop, inPlace []bool) {
	p.releaseRings(s, e)
	params, dst := slices.Clone(e.Params), slices.Clone(s.Dst)
	init := slices.Clone(e.Init)
	places := make([]*core.Layout, len(params))
	for i, q := range params {
		if !q.Type.IsArray() {
			continue
		}
		l := p.layout(init[i].Var)
		if !inPlace[i] {
			l = p.make(place(s.Dst[i], nil)).Type.Layout
			places[i] = l
			init[i] = core.V(p.copyTo(init[i].Var, l))
		}
		params[i], dst[i] = place(q, l), place(dst[i], l)
	}
	p.Scope.BindAll(params)
	if e.IsFor() {
		p.Scope.Bind(e.Index)
	}
	out := *e
	out.Params, out.Init = params, init
	out.Body = p.nested(func() []core.Operand {
		p.stms(e.Body)
		for i, in := range inPlace {
			if in {
				p.expect(e.Body.Res[i].Var, p.layout(e.Init[i].Var))
			}
		}
		return p.carry(e.Body.Res, places)
	})
	p.Bind(dst, &out)
}

// carry copies results to the places of the parameters for the next
// iteration. One that is in the place of another parameter is first moved out
// of the way.
func (p *placer) carry(res []core.Operand, places []*core.Layout) []core.Operand {
	res = slices.Clone(res)
	for i, r := range res {
		if places[i] == nil {
			continue
		}
		l := p.layout(r.Var)
		for _, other := range places {
			if other != nil && other.Mem == l.Mem && !l.Equal(places[i]) {
				res[i] = core.V(p.copyTo(r.Var, p.fresh(p.Fun.Base(r.Var), p.Scope.TypeOf(r.Var))))
				break
			}
		}
	}
	for i, r := range res {
		if places[i] != nil {
			res[i] = core.V(p.move(r.Var, places[i]))
		}
	}
	return res
}

// releaseRings has the arrays of a loop in a kernel that change places lie in blocks of their own, as package doublebuffer wants them, and
// not where they go behind the loop.
func (p *placer) releaseRings(s *core.Stm, e *core.Loop) {
	next := p.homes.becomes[s]
	for i, q := range e.Params {
		k := i
		for range next {
			if k = next[k]; k < 0 || k == i {
				break
			}
		}
		if k == i && next[i] >= 0 && (p.kernel.group || !p.isPrivate(q.Type)) && !p.kernel.operator {
			delete(p.targets, s.Dst[i].Var)
		}
	}
}
