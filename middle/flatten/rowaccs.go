package flatten

import (
	"slices"

	"skald/middle/core"
)

// Note [Accumulators of one thread]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Several threads update an accumulator at the same time only by operators on scalars whose own arrays fit a thread's memory. Where an
// operator combines arrays, otherwise than element by element, or needs larger ones, one thread makes all updates: where code takes
// such an accumulator through loops and branches it carries the arrays instead, and an update is one of them in place, as that of a
// bin of a histogram is.

// updatesAlone reports whether a WithAcc has an accumulator that one thread updates.
func updatesAlone(e *core.WithAcc) bool { return slices.ContainsFunc(e.Inputs, alone) }

func alone(in core.AccInput) bool {
	return in.Op != nil && (!core.OnlyScalars(core.ParamTypes(in.Op.Params)) || !placeableOperator(in.Op))
}

// sharedOperator reports whether an accumulator for all points of n may have the operator of one inside.
func (n *nest) sharedOperator(in core.AccInput) bool {
	return in.Op == nil || n.closed(in.Op) && !alone(in)
}

// accInOneThread runs a WithAcc on the host in a kernel of one point.
func (f *flattener) accInOneThread(s *core.Stm, e *core.WithAcc) {
	n := (&nest{}).extend(f.Param("i", core.I64).Var, core.Int(1))
	in := f.Nested()
	dst := core.FreshParams(f.Fun, s.Dst)
	in.Bind(dst, e)
	f.inFewThreads("one thread", "the operator of its accumulator combines arrays, or makes large ones", func() {
		f.inOneThread(n, in, core.Vars(core.ParamVars(dst)), s.Dst)
	})
}

// inPlaceUpdates makes code on accumulators of one thread code on their arrays.
type inPlaceUpdates struct {
	*flattener
	inputs map[core.Var]core.AccInput // by the parameter that stands for the accumulator
	arrays map[core.Var][]core.Var    // what a variable that is such an accumulator stands for
}

// inPlace adds the code of a WithAcc that one thread runs, in which those that it updates alone are arrays, and returns its results.
func (f *flattener) inPlace(b *core.Builder, e *core.WithAcc) []core.Operand {
	r := &inPlaceUpdates{f, map[core.Var]core.AccInput{}, map[core.Var][]core.Var{}}
	rest := &core.WithAcc{Lambda: &core.Lambda{}}
	for i, in := range e.Inputs {
		if p := e.Lambda.Params[i]; alone(in) {
			r.inputs[p.Var], r.arrays[p.Var] = in, in.Arrays
		} else {
			rest.Inputs, rest.Lambda.Params = append(rest.Inputs, in), append(rest.Lambda.Params, p)
		}
	}
	code := f.sequentialBody(e.Lambda.Body)
	accs, others := code.Res[:len(e.Inputs)], code.Res[len(e.Inputs):]
	var ordered []core.Operand // those of accumulators that stay first
	for i, in := range e.Inputs {
		if !alone(in) {
			ordered = append(ordered, accs[i])
			rest.Lambda.Ret = append(rest.Lambda.Ret, e.Lambda.Ret[i])
		}
	}
	for i, in := range e.Inputs {
		if alone(in) {
			ordered = append(ordered, accs[i])
			for _, a := range in.Arrays {
				rest.Lambda.Ret = append(rest.Lambda.Ret, f.TypeOf(core.V(a)))
			}
		}
	}
	rest.Lambda.Ret = append(rest.Lambda.Ret, e.Lambda.Ret[len(e.Inputs):]...)
	body := &core.Body{Stms: code.Stms, Res: append(ordered, others...)}
	if len(rest.Inputs) == 0 {
		r.stms(b, body.Stms)
		return r.operands(body.Res)
	}
	rest.Lambda.Body = r.body(body)
	return r.inOrder(e, b.LetN("acc", rest))
}

// inOrder puts results, those of accumulators that stayed first, into the order of a WithAcc.
func (r *inPlaceUpdates) inOrder(e *core.WithAcc, res []core.Operand) []core.Operand {
	var kept, rows, all []core.Operand
	for _, in := range e.Inputs {
		if !alone(in) {
			kept, res = append(kept, res[:len(in.Arrays)]...), res[len(in.Arrays):]
		}
	}
	for _, in := range e.Inputs {
		if alone(in) {
			rows, res = append(rows, res[:len(in.Arrays)]...), res[len(in.Arrays):]
		}
	}
	for _, in := range e.Inputs {
		from := &kept
		if alone(in) {
			from = &rows
		}
		all, *from = append(all, (*from)[:len(in.Arrays)]...), (*from)[len(in.Arrays):]
	}
	return append(all, res...)
}

func (r *inPlaceUpdates) body(x *core.Body) *core.Body {
	return r.Build(func(b *core.Builder) []core.Operand {
		r.stms(b, x.Stms)
		return r.operands(x.Res)
	})
}

func (r *inPlaceUpdates) stms(b *core.Builder, stms []*core.Stm) {
	for _, s := range stms {
		in := b.Nested()
		in.Where, in.Attrs, in.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
		r.stm(in, s)
		b.Add(in.Stms()...)
	}
}

func (r *inPlaceUpdates) stm(b *core.Builder, s *core.Stm) {
	switch e := core.Match(s.Exp).(type) {
	case *core.Use:
		if arrays, ok := r.arrays[e.X.Var]; ok {
			r.arrays[s.Dst[0].Var] = arrays
			return
		}
		b.Bind(s.Dst, e)
	case *core.UpdateAcc:
		if _, ok := r.arrays[e.Acc]; ok {
			r.update(b, s.Dst[0].Var, e)
			return
		}
		b.Bind(s.Dst, e)
	case *core.Loop:
		out := *e
		out.Init = r.operands(e.Init)
		out.Params = r.params(e.Params)
		out.Body = r.body(e.Body)
		b.Bind(r.params(s.Dst), &out)
	case *core.WithAcc:
		l := &core.Lambda{Params: e.Lambda.Params, Body: r.body(e.Lambda.Body), Ret: r.types(e.Lambda.Ret)}
		b.Bind(r.params(s.Dst), &core.WithAcc{Inputs: e.Inputs, Lambda: l})
	default:
		exp := core.MapBodies(s.Exp, r.body)
		b.Bind(r.params(s.Dst), exp)
	}
}

// update updates the arrays of an accumulator in place, unless the index is outside of them.
func (r *inPlaceUpdates) update(b *core.Builder, dst core.Var, e *core.UpdateAcc) {
	in := r.inputs[r.TypeOf(core.V(e.Acc)).Acc]
	arrays := r.arrays[e.Acc]
	old := make([]core.Param, len(arrays))
	for i, a := range arrays {
		old[i] = core.Param{Var: a, Type: r.TypeOf(core.V(a))}
	}
	news := r.bin(b, core.HistOp{Shape: in.Shape, Lambda: in.Op}, old, e.Index, e.Values)
	r.arrays[dst] = core.VarsOf(news)
}

// params are parameters in which arrays stand for accumulators of one thread.
func (r *inPlaceUpdates) params(ps []core.Param) []core.Param {
	var out []core.Param
	for _, p := range ps {
		in, ok := r.of(p.Type)
		if !ok {
			out = append(out, p)
			continue
		}
		for _, a := range in.Arrays {
			q := r.Param(r.Fun.Base(a), r.TypeOf(core.V(a)))
			q.Unique = true
			out = append(out, q)
			r.arrays[p.Var] = append(r.arrays[p.Var], q.Var)
		}
	}
	return out
}

func (r *inPlaceUpdates) types(ts []core.Type) []core.Type {
	var out []core.Type
	for _, t := range ts {
		in, ok := r.of(t)
		if !ok {
			out = append(out, t)
			continue
		}
		for _, a := range in.Arrays {
			out = append(out, r.TypeOf(core.V(a)))
		}
	}
	return out
}

// of is the accumulator of one thread that a type is of.
func (r *inPlaceUpdates) of(t core.Type) (core.AccInput, bool) {
	if t.Kind != core.KindAcc {
		return core.AccInput{}, false
	}
	in, ok := r.inputs[t.Acc]
	return in, ok
}

func (r *inPlaceUpdates) operands(xs []core.Operand) []core.Operand {
	var out []core.Operand
	for _, x := range xs {
		if arrays, ok := r.arrays[x.Var]; ok && x.Var != 0 {
			out = append(out, core.Vars(arrays)...)
		} else {
			out = append(out, x)
		}
	}
	return out
}
