package flatten

import (
	"fmt"
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// sequentialBody replaces the SOACs in code that one thread runs by
// loops.
func (f *flattener) sequentialBody(b *core.Body) *core.Body {
	b = f.computedWhereRead(b)
	return f.Build(func(in *core.Builder) []core.Operand {
		for i := 0; i < len(b.Stms); i++ {
			if r := f.rowLoopsAt(b, i); r != nil {
				f.loopsOfRows(in, r)
				i += len(r.stms) - 1
				continue
			}
			f.sequentialStm(in, b.Stms[i])
		}
		return b.Res
	})
}

func (f *flattener) sequentialLambda(l *core.Lambda) *core.Lambda {
	return &core.Lambda{Params: l.Params, Body: f.sequentialBody(l.Body), Ret: l.Ret}
}

func (f *flattener) sequentialStm(b *core.Builder, s *core.Stm) {
	in := b.Nested()
	in.Where, in.Attrs, in.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
	switch e := s.Exp.(type) {
	case *core.Screma:
		f.loopOfScrema(in, s, e)
	case *core.Hist:
		f.loopOfHist(in, s, e)
	case *core.Iota:
		f.loopOfIota(in, s, e)
	case *core.Replicate:
		f.loopOfReplicate(in, s, e)
	case *core.Concat:
		outer := f.Builder
		f.Builder = in
		f.concat(s.Dst[0], e)
		f.Builder = outer
	case *core.Call:
		if !f.prog.Fun(e.Fun).DeviceFunction {
			f.block("it calls a recursive function")
		}
		in.Bind(s.Dst, e)
	case *core.WithAcc:
		if slices.ContainsFunc(e.Inputs, func(in core.AccInput) bool { return in.Op != nil && !core.OnlyScalars(in.Op.Ret) }) {
			e = f.ofElements(e)
		}
		if !updatesAlone(e) {
			in.Bind(s.Dst, core.MapBodies(e, f.sequentialBody))
			break
		}
		for i, r := range f.inPlace(in, e) {
			in.Bind(s.Dst[i:i+1], &core.Use{X: r})
		}
	case core.Scalar, core.View, core.Control, *core.ArrayLit, *core.Update, *core.Scratch, *core.Copy, *core.UpdateAcc:
		in.Bind(s.Dst, core.MapBodies(s.Exp, f.sequentialBody))
	case *core.Alloc, *core.FlatMap, core.Seg:
		panic(fmt.Sprintf("flatten: %T before there are kernels", e))
	}
	b.Add(in.Stms()...)
}

// An argument of core.Builder.Apply.
const renamed = true

// applySequential adds the code of a lambda, made sequential.
func (f *flattener) applySequential(b *core.Builder, l *core.Lambda, args []core.Operand) []core.Operand {
	if f.onHost {
		return b.Apply(l, renamed, args...)
	}
	return b.Apply(f.sequentialLambda(l), renamed, args...)
}

// elements reads element i of arrays.
func (f *flattener) elements(b *core.Builder, arrays []core.Var, i core.Operand) []core.Operand {
	xs := make([]core.Operand, len(arrays))
	for k, a := range arrays {
		p := b.Param("x", b.TypeOf(core.V(a)).Row(1))
		f.element(b, p, a, i)
		xs[k] = core.V(p.Var)
	}
	return xs
}

// Arguments of add.
const (
	ownArray    = true
	sharedArray = false
)

// loopOfScrema carries what is scanned and reduced, and the arrays that are
// made, through a loop.
func (f *flattener) loopOfScrema(b *core.Builder, s *core.Stm, e *core.Screma) {
	ns, nr := core.Width(e.Scans), core.Width(e.Reds)
	carried := append(core.Neutrals(e.Reds), core.Neutrals(e.Scans)...)
	var ps []core.Param
	var init []core.Operand
	add := func(base string, x core.Operand, unique bool) {
		t := b.TypeOf(x)
		ps = append(ps, core.Param{Var: b.Param(base, t).Var, Type: t, Unique: unique && t.IsArray()})
		init = append(init, x)
	}
	for _, x := range carried {
		add("acc", x, sharedArray)
	}
	for _, p := range s.Dst[nr:] {
		if p.Type.Kind == core.KindAcc {
			add("acc", core.V(p.Type.Acc), sharedArray)
			continue
		}
		add(f.Fun.Base(p.Var), b.Let("out", &core.Scratch{Elem: p.Type.Elem, Shape: p.Type.Shape}), ownArray)
	}
	f.accInit(e, init[nr+ns:])
	i := b.Param("i", core.I64)
	body := b.Build(func(b *core.Builder) []core.Operand {
		vs := f.applySequential(b, e.Map, f.elements(b, e.Arrays, core.V(i.Var)))
		reds := f.combine(b, e.Reds, ps[:nr], vs[ns:ns+nr])
		scans := f.combine(b, e.Scans, ps[nr:nr+ns], vs[:ns])
		post := append(append([]core.Operand(nil), scans...), vs[ns+nr:]...)
		if e.Post != nil {
			post = f.applySequential(b, e.Post, post)
		}
		res := append(reds, scans...)
		for k, v := range post {
			if out := ps[nr+ns+k]; out.Type.IsArray() && b.TypeOf(v).Kind != core.KindAcc {
				v = core.V(b.Update(out.Var, v, core.V(i.Var)))
			}
			res = append(res, v)
		}
		return res
	})
	// The carried values of scans are unused results of the loop.
	dst := append([]core.Param(nil), s.Dst[:nr]...)
	for _, p := range ps[nr : nr+ns] {
		dst = append(dst, b.Param("last", p.Type))
	}
	dst = append(dst, s.Dst[nr:]...)
	b.Bind(dst, &core.Loop{Params: ps, Init: init, Index: i, Bound: e.Size, Body: body})
}

// accInit finds the accumulators that a map in a thread starts from: those
// free in its lambda.
func (f *flattener) accInit(e *core.Screma, init []core.Operand) {
	for k, x := range init {
		if f.TypeOf(x).Kind == core.KindAcc {
			init[k] = core.V(f.Scope.BeginsWith(core.FreeInLambda(e.Map), f.TypeOf(x).Acc))
		}
	}
}

func (f *flattener) combine(b *core.Builder, ops []core.Operator, acc []core.Param, vs []core.Operand) []core.Operand {
	var res []core.Operand
	for _, op := range ops {
		k := len(op.Neutral)
		args := append(core.Vars(core.ParamVars(acc[:k])), vs[:k]...)
		res = append(res, f.applySequential(b, op.Lambda, args)...)
		acc, vs = acc[k:], vs[k:]
	}
	return res
}

// loopOfHist updates the destinations in a loop.
func (f *flattener) loopOfHist(b *core.Builder, s *core.Stm, e *core.Hist) {
	var ps []core.Param
	var init []core.Operand
	for _, op := range e.Ops {
		for _, d := range op.Dests {
			t := b.TypeOf(core.V(d))
			ps = append(ps, core.Param{Var: b.Param(f.Fun.Base(d), t).Var, Type: t, Unique: true})
			init = append(init, core.V(d))
		}
	}
	i := b.Param("i", core.I64)
	body := b.Build(func(b *core.Builder) []core.Operand {
		vs := f.applySequential(b, e.Bucket, f.elements(b, e.Arrays, core.V(i.Var)))
		k := 0
		for _, op := range e.Ops {
			k += len(op.Shape)
		}
		ixs, vals := vs[:k], vs[k:]
		dests := ps
		var res []core.Operand
		for _, op := range e.Ops {
			w := len(op.Dests)
			res = append(res, f.bin(b, op, dests[:w], ixs[:len(op.Shape)], vals[:w])...)
			ixs, vals, dests = ixs[len(op.Shape):], vals[w:], dests[w:]
		}
		return res
	})
	b.Bind(s.Dst, &core.Loop{Params: ps, Init: init, Index: i, Bound: e.Size, Body: body})
}

// bin combines values into one bin when its index is inside.
func (f *flattener) bin(b *core.Builder, op core.HistOp, dests []core.Param, ixs, vals []core.Operand) []core.Operand {
	inside := core.Bool(true)
	for d, ix := range ixs {
		lower := b.Cmp(prim.Le, core.Int(0), ix)
		upper := b.Cmp(prim.Lt, ix, op.Shape[d])
		inside = b.Bin(prim.LogAnd, inside, b.Bin(prim.LogAnd, lower, upper))
	}
	ret := core.ParamTypes(dests)
	return b.If("bins", inside, ret, func(b *core.Builder) []core.Operand {
		var args []core.Operand
		for _, d := range dests {
			args = append(args, b.Index("old", d.Var, ixs...))
		}
		news := f.applySequential(b, op.Lambda, append(args, vals...))
		for k, d := range dests {
			news[k] = core.V(b.Update(d.Var, news[k], ixs...))
		}
		return news
	}, func(*core.Builder) []core.Operand { return core.Vars(core.ParamVars(dests)) })
}

// fill makes an array in a loop over its outer dimension.
func (f *flattener) fill(b *core.Builder, dst core.Param, row func(b *core.Builder, i core.Operand) core.Operand) {
	t := b.TypeOf(core.V(dst.Var))
	out := b.Let("out", &core.Scratch{Elem: t.Elem, Shape: t.Shape})
	p := b.Param(f.Fun.Base(dst.Var), t)
	p.Unique = true
	i := b.Param("i", core.I64)
	body := b.Build(func(b *core.Builder) []core.Operand {
		return []core.Operand{core.V(b.Update(p.Var, row(b, core.V(i.Var)), core.V(i.Var)))}
	})
	b.Bind([]core.Param{dst}, &core.Loop{
		Params: []core.Param{p}, Init: []core.Operand{out}, Index: i, Bound: t.Shape[0], Body: body,
	})
}

func (f *flattener) loopOfIota(b *core.Builder, s *core.Stm, e *core.Iota) {
	f.fill(b, s.Dst[0], func(b *core.Builder, i core.Operand) core.Operand {
		return iotaElement(b, e, i)
	})
}

func (f *flattener) loopOfReplicate(b *core.Builder, s *core.Stm, e *core.Replicate) {
	f.fill(b, s.Dst[0], func(b *core.Builder, _ core.Operand) core.Operand {
		if len(e.Shape) == 1 {
			return e.X
		}
		inner := b.Param("row", core.ArrayOf(b.TypeOf(e.X), e.Shape[1:]...))
		f.loopOfReplicate(b, &core.Stm{Dst: []core.Param{inner}}, &core.Replicate{Shape: e.Shape[1:], X: e.X})
		return core.V(inner.Var)
	})
}
