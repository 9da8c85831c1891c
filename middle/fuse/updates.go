package fuse

import (
	"slices"

	"skald/middle/core"
)

// Note [Producers of updates]
//
// Code that updates accumulators often reads what was moved first: a scatter of concatenated arrays, updates of a transposed array, updates
// with what another WithAcc returns. As updates are in no order, the moving goes away before SOACs are fused:
//
//   - A map over concatenated arrays that only updates becomes a map over each of the parts.
//   - A nest of two maps that only updates, over a transposed array, is turned inside out: it goes over the array as it was.
//   - Such a map joins the WithAcc whose result it reads (fuser.pull), as producers join the WithAcc that reads them (fuser.sink).

// moves rewrites the maps of a function that only update accumulators.
type moves struct {
	*core.Builder
	defs map[core.Var]*core.Stm // concatenations, transpositions, reshapes and iotas
	uses map[core.Var]int       // how many statements and results mention a variable
	any  bool                   // something was rewritten
}

// unmoved takes the moving of arrays out of code that updates accumulators.
func unmoved(b *core.Builder, body *core.Body) *core.Body {
	m := &moves{Builder: b, defs: map[core.Var]*core.Stm{}, uses: map[core.Var]int{}}
	m.count(body)
	core.Walk(body, func(s *core.Stm) bool {
		switch core.Match(s.Exp).(type) {
		case *core.Concat, *core.Rearrange, *core.Reshape, *core.Iota:
			m.defs[s.Dst[0].Var] = s
		default:
		}
		return true
	})
	body = m.body(body)
	for m.any {
		m.any, m.uses = false, map[core.Var]int{}
		m.count(body)
		body = m.used(body)
	}
	return body
}

// first is the first variable that a statement binds, or zero.
func first(s *core.Stm) core.Var {
	if len(s.Dst) == 0 {
		return 0
	}
	return s.Dst[0].Var
}

// count counts the statements, and results of bodies, that mention a variable.
func (m *moves) count(b *core.Body) {
	mention := func(v core.Var) { m.uses[v]++ }
	for _, r := range b.Res {
		mention(r.Var)
	}
	for _, s := range b.Stms {
		shallow := core.MapBodies(s.Exp, func(b *core.Body) *core.Body { m.count(b); return &core.Body{} })
		for _, v := range core.FreeInStm(&core.Stm{Dst: s.Dst, Exp: shallow, Aux: s.Aux}).List() {
			mention(v)
		}
	}
}

// used drops moving that nothing reads any more.
func (m *moves) used(b *core.Body) *core.Body {
	out := &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		if m.defs[first(s)] == s && m.uses[first(s)] == 0 {
			m.any = true
			continue
		}
		n := *s
		n.Exp = core.MapBodies(s.Exp, m.used)
		if m.defs[first(s)] == s {
			m.defs[first(s)] = &n
		}
		out.Stms = append(out.Stms, &n)
	}
	return out
}

func (m *moves) body(b *core.Body) *core.Body {
	out := &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		if m.defs[first(s)] == s {
			out.Stms = append(out.Stms, s)
			continue
		}
		t := &core.Stm{Dst: s.Dst, Exp: core.MapBodies(s.Exp, m.body), Aux: s.Aux}
		stms := m.parts(t)
		if stms == nil {
			stms = m.insideOut(t)
		}
		if stms == nil {
			stms = []*core.Stm{t}
		} else {
			m.any = true
		}
		out.Stms = append(out.Stms, stms...)
	}
	return out
}

// onlyUpdates is the map of a statement that does nothing but update accumulators, or nil.
func onlyUpdates(s *core.Stm) *core.Screma {
	e, ok := s.Exp.(*core.Screma)
	if !ok || len(e.Scans)+len(e.Reds) > 0 || e.Post != nil || len(s.Dst) == 0 ||
		slices.ContainsFunc(s.Dst, func(p core.Param) bool { return p.Type.Kind != core.KindAcc }) {
		return nil
	}
	return e
}

// carriesAcc reports whether a loop has accumulators among its parameters, whose types name the first one.
func carriesAcc(e core.Exp) bool {
	l, ok := e.(*core.Loop)
	return ok && slices.ContainsFunc(l.Params, func(p core.Param) bool { return p.Type.Kind == core.KindAcc })
}

// joined is an array as the concatenation that it is, seen through a reshape that keeps all but the name of its size, and the certificates
// of both; nil when it is none, or something else reads it.
func (m *moves) joined(a core.Var) (*core.Concat, []core.Var) {
	s := m.defs[a]
	if s == nil || m.uses[a] != 1 {
		return nil, nil
	}
	switch e := core.Match(s.Exp).(type) {
	case *core.Concat:
		return e, s.Aux.Certs
	case *core.Reshape:
		from := m.TypeOf(core.V(e.Array)).Shape
		if len(from) == len(e.Shape) && slices.Equal(from[1:], e.Shape[1:]) {
			c, certs := m.joined(e.Array)
			return c, append(slices.Clip(certs), s.Aux.Certs...)
		}
	default:
	}
	return nil, nil
}

// parts makes a map over each of the parts that the arrays of s are concatenations of; nil if s is no such map.
func (m *moves) parts(s *core.Stm) []*core.Stm {
	e := onlyUpdates(s)
	if e == nil || core.Any(e.Map.Body, carriesAcc) {
		return nil
	}
	var sizes []core.Operand
	joins := make([]*core.Concat, len(e.Arrays))
	certs := slices.Clone(s.Aux.Certs)
	for k, a := range e.Arrays {
		c, more := m.joined(a)
		if c == nil {
			continue
		}
		var own []core.Operand
		for _, part := range c.Arrays {
			own = append(own, m.TypeOf(core.V(part)).Shape[0])
		}
		if sizes != nil && !slices.Equal(sizes, own) {
			return nil
		}
		sizes, joins[k], certs = own, c, append(certs, more...)
	}
	if sizes == nil {
		return nil
	}
	in := m.Nested()
	in.Where, in.Attrs, in.Certs = s.Aux.Where, s.Aux.Attrs, certs
	accs, off := map[core.Var]core.Var{}, core.Int(0)
	for i, size := range sizes {
		arrays := make([]core.Var, len(e.Arrays))
		for k, a := range e.Arrays {
			if joins[k] != nil {
				arrays[k] = joins[k].Arrays[i]
			} else {
				arrays[k] = m.part(in, a, off, size)
			}
		}
		off = in.Add64(off, size)
		dst := s.Dst
		if i < len(sizes)-1 {
			dst = core.FreshParams(m.Fun, s.Dst)
		}
		l := core.RenameLambda(m.Fun, updating(e.Map, accs))
		m.Scope.BindLambda(l)
		in.Bind(dst, &core.Screma{Size: size, Arrays: arrays, Map: l})
		for k, p := range dst {
			accs[m.Scope.BeginsWith(core.FreeInLambda(e.Map), s.Dst[k].Type.Acc)] = p.Var
		}
	}
	return in.Stms()
}

// updating is a lambda that goes on with other accumulators of the same arrays. Types name the first ones.
func updating(l *core.Lambda, accs map[core.Var]core.Var) *core.Lambda {
	m := core.Mapper{Operand: func(o core.Operand) core.Operand {
		if to, ok := accs[o.Var]; ok {
			return core.V(to)
		}
		return o
	}}
	m.Lambda = func(l *core.Lambda) *core.Lambda {
		return &core.Lambda{Params: l.Params, Body: m.Body(l.Body), Ret: l.Ret}
	}
	m.Body = func(b *core.Body) *core.Body {
		out := &core.Body{Res: make([]core.Operand, len(b.Res))}
		for i, r := range b.Res {
			out.Res[i] = m.Operand(r)
		}
		for _, s := range b.Stms {
			out.Stms = append(out.Stms, &core.Stm{Dst: s.Dst, Exp: core.MapExp(s.Exp, m), Aux: s.Aux})
		}
		return out
	}
	return m.Lambda(l)
}

// part is so many elements of an array, from off on.
func (m *moves) part(b *core.Builder, a core.Var, off, size core.Operand) core.Var {
	if s := m.defs[a]; s != nil {
		if e, ok := s.Exp.(*core.Iota); ok && e.Step.IsConst() && e.Step.Const.IsOne() {
			start := b.Conv(off, e.Type)
			if !e.Start.IsConst() || !e.Start.Const.IsZero() {
				start = b.Bin(addition, e.Start, start)
			}
			return b.LetVar("is", &core.Iota{Type: e.Type, N: size, Start: start, Step: e.Step})
		}
	}
	sl := core.FullSlice(b.TypeOf(core.V(a)))
	sl[0] = core.Range(off, size, core.Int(1))
	return b.LetVar("part", &core.Index{Array: a, Slice: sl})
}
