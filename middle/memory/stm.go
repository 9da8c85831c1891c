package memory

import (
	"slices"

	"skald/middle/core"
)

// stm places one statement.
func (p *placer) stm(s *core.Stm) {
	switch e := s.Exp.(type) {
	case core.Scalar:
		p.Bind(s.Dst, e)
	case core.View:
		p.view(s, e)
	case core.Memory:
		p.memory(s, e)
	case core.Control:
		p.control(s, e)
	case core.SOAC:
		p.soac(s, e)
	case core.Seg:
		p.segmented(s, e)
	}
}

// view places what has the memory of another array.
func (p *placer) view(s *core.Stm, e core.View) {
	q := s.Dst[0]
	if !q.Type.IsArray() {
		p.Bind(s.Dst, e)
		return
	}
	switch e := e.(type) {
	case *core.Use:
		p.Bind([]core.Param{place(q, p.layout(e.X.Var))}, e)
	case *core.Index:
		p.Bind([]core.Param{place(q, p.layout(e.Array).Sliced(e.Slice))}, e)
	case *core.Rearrange:
		p.Bind([]core.Param{place(q, p.layout(e.Array).Rearranged(e.Perm))}, e)
	case *core.Reshape:
		p.reshape(q, e)
	}
}

// memory places what fills an array, its own or part of another.
func (p *placer) memory(s *core.Stm, e core.Memory) {
	switch e := e.(type) {
	case *core.Update:
		p.Bind([]core.Param{place(s.Dst[0], p.layout(e.Array))}, e)
	case *core.ArrayLit, *core.Scratch, *core.Copy:
		p.Bind(p.makeAll(s.Dst), e)
	case *core.Alloc, *core.Concat, *core.Iota, *core.Replicate:
		p.foreign(e)
	}
}

func (p *placer) control(s *core.Stm, e core.Control) {
	switch e := e.(type) {
	case *core.Assert:
		p.Bind(s.Dst, e)
	case *core.Trace:
		p.trace(s, e)
	case *core.If:
		p.branches(s, []*core.Body{e.Then, e.Else}, func(bs []*core.Body) core.Exp {
			return &core.If{Cond: e.Cond, Then: bs[0], Else: bs[1]}
		})
	case *core.Switch:
		p.switchStm(s, e)
	case *core.Loop:
		p.loop(s, e)
	case *core.Call:
		p.call(s, e)
	case *core.Derivative, *core.WithVjp:
		p.foreign(e)
	}
}

func (p *placer) soac(s *core.Stm, e core.SOAC) {
	switch e := e.(type) {
	case *core.WithAcc:
		p.withAcc(s, e)
	case *core.UpdateAcc:
		p.Bind(s.Dst, e)
	case *core.Screma, *core.Hist, *core.FlatMap:
		p.foreign(e)
	}
}

// foreign reports a node that no program has before this pass.
func (p *placer) foreign(e core.Exp) { p.bug("%T where kernels are given memory", e) }

// reshape keeps an array where it is when its elements are evenly spaced in
// row-major order, or when the shape stays the same, and copies any other.
func (p *placer) reshape(q core.Param, e *core.Reshape) {
	a := e.Array
	t := p.Scope.TypeOf(a)
	if slices.Equal(t.Shape, e.Shape) {
		p.Bind([]core.Param{place(q, p.layout(a))}, &core.Reshape{Shape: e.Shape, Array: a})
		return
	}
	l, ok := t.Layout.Reshaped(t.Shape, e.Shape)
	if !ok {
		// The new shape is what the program says of the size; the old one may be known in the kernel only. What is made
		// fresh is evenly spaced, in a kernel with the other threads' elements between.
		l = p.fresh(p.Fun.Base(a), q.Type, t.Shape...)
		old, _ := l.Reshaped(e.Shape, t.Shape)
		a = p.copyTo(a, old)
	}
	p.Bind([]core.Param{place(q, l)}, &core.Reshape{Shape: e.Shape, Array: a})
}

func (p *placer) switchStm(s *core.Stm, e *core.Switch) {
	p.branches(s, e.Bodies(), func(bs []*core.Body) core.Exp {
		cases := make([]core.Case, len(e.Cases))
		for i, c := range e.Cases {
			cases[i] = core.Case{Value: c.Value, Body: bs[i]}
		}
		return &core.Switch{On: e.On, Cases: cases, Default: bs[len(cases)]}
	})
}

// branches places the alternatives of a branch. An array that all of them
// leave in the same place, outside of the branch, stays there. Any other is, in
// a kernel, copied to one place; on the host its block becomes a result.
func (p *placer) branches(s *core.Stm, bodies []*core.Body, join func([]*core.Body) core.Exp) {
	same := make([]*core.Layout, len(s.Dst))
	for i, at := range p.homes.stays[s] {
		same[i], _ = p.standing(at)
	}
	dst := make([]core.Param, 0, len(s.Dst))
	places := make([]*core.Layout, len(s.Dst))
	for i, q := range s.Dst {
		switch {
		case !q.Type.IsArray():
			dst = append(dst, q)
		case same[i] != nil:
			dst = append(dst, place(q, same[i]))
		case p.kernel != nil:
			placed := p.make(q)
			places[i] = placed.Type.Layout
			dst = append(dst, placed)
		default:
			dst = append(dst, p.withMemory([]core.Param{q})...)
		}
	}
	out := make([]*core.Body, len(bodies))
	for k, b := range bodies {
		out[k] = p.nested(func() []core.Operand {
			for i, l := range places {
				if l != nil {
					p.targets[b.Res[i].Var] = l
				}
			}
			p.stms(b)
			var res []core.Operand
			for i, r := range b.Res {
				q := s.Dst[i]
				switch {
				case places[i] != nil:
					r = core.V(p.move(r.Var, places[i]))
				case same[i] != nil:
					p.expect(r.Var, same[i])
				case q.Type.IsArray():
					r = core.V(p.dense(r.Var))
					res = append(res, core.V(p.layout(r.Var).Mem))
				}
				res = append(res, r)
			}
			return res
		})
	}
	p.Bind(dst, join(out))
}

// expect checks that an array is where its home said.
func (p *placer) expect(v core.Var, l *core.Layout) {
	if !p.layout(v).Equal(l) {
		p.bug("array %s_%d is not where its home is", p.Fun.Base(v), v)
	}
}

// move copies an array to a place unless it is there.
func (p *placer) move(v core.Var, l *core.Layout) core.Var {
	if p.layout(v).Equal(l) {
		return v
	}
	return p.copyTo(v, l)
}

// trace prints arrays from where they lie densely.
func (p *placer) trace(s *core.Stm, e *core.Trace) {
	out := &core.Trace{Text: e.Text, Form: e.Form}
	for _, x := range e.Values {
		if p.Scope.OperandType(x).IsArray() {
			x = core.V(p.dense(x.Var))
		}
		out.Values = append(out.Values, x)
	}
	p.Bind(s.Dst, out)
}

// call passes arrays densely, with their blocks.
func (p *placer) call(s *core.Stm, e *core.Call) {
	callee := p.prog.Fun(e.Fun)
	args := p.denseAll(e.Args, callee.Params)
	p.Bind(p.withMemory(s.Dst), &core.Call{Fun: e.Fun, Args: args})
}

// withAcc leaves the arrays where they are.
func (p *placer) withAcc(s *core.Stm, e *core.WithAcc) {
	inputs := make([]core.AccInput, len(e.Inputs))
	var dst []core.Param
	rest := s.Dst
	for i, in := range e.Inputs {
		inputs[i] = in
		if in.Op != nil {
			inputs[i].Op = p.lambda(in.Op)
		}
		for _, a := range in.Arrays {
			dst = append(dst, place(rest[0], p.layout(a)))
			rest = rest[1:]
		}
	}
	l := e.Lambda
	p.Scope.BindAll(l.Params)
	places := make([]*core.Layout, len(rest))
	for i, q := range rest {
		placed := p.make(q)
		places[i] = placed.Type.Layout
		dst = append(dst, placed)
	}
	body := p.nested(func() []core.Operand {
		for i, pl := range places {
			if r := l.Body.Res[len(inputs)+i]; pl != nil {
				p.targets[r.Var] = pl
			}
		}
		p.stms(l.Body)
		res := append([]core.Operand(nil), l.Body.Res...)
		for i, pl := range places {
			if pl != nil {
				k := len(inputs) + i
				res[k] = core.V(p.move(res[k].Var, pl))
			}
		}
		return res
	})
	p.Bind(dst, &core.WithAcc{Inputs: inputs, Lambda: &core.Lambda{Params: l.Params, Body: body, Ret: l.Ret}})
}

// lambda places the code of an operator, whose parameters are scalars.
func (p *placer) lambda(l *core.Lambda) *core.Lambda {
	p.Scope.BindAll(l.Params)
	outer := p.kernel
	p.kernel = &kernel{operator: true}
	body := p.nested(func() []core.Operand { p.stms(l.Body); return l.Body.Res })
	p.kernel = outer
	return &core.Lambda{Params: l.Params, Body: body, Ret: l.Ret}
}
